"""The numbers of a rulebook as fields of a question: with no script, and as htmx asks for them."""

import re
from collections.abc import Iterator
from fractions import Fraction

import httpx
import pytest

from honours.engine.numbers import exact
from honours.rulebooks import load
from honours.web.calculators.controls import amending_slider
from honours.web.lab.amending import read_form
from honours.web.settings import Settings
from tests.support import cases
from tests.web.server import client_of

BOOK = "acbl-sof-2020"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with client_of(Settings(data=tmp_path_factory.mktemp("numbers"))) as opened:
        yield opened


def _field(page: str, name: str, book: str = BOOK) -> str:
    """The input of a number."""
    tag = re.search(rf'<input id="f-a\.{book}\.{name}"[^>]*>', page)
    assert tag, name
    return tag[0]


def test_a_number_is_shown_as_published_with_its_clause(client: httpx.Client) -> None:
    page = client.get(f"/lab/audit?a={BOOK}").text
    assert 'value="" placeholder="2/3"' in _field(page, "size_exponent")
    assert "(entrants/100)2/3" in page  # the clause
    assert f'data-slides="f-a.{BOOK}.size_exponent" min="0" max="1.34" step="0.01"' in page


def test_what_an_address_says_stands_in_the_fields(client: httpx.Client) -> None:
    page = client.get(f"/lab/audit?a={BOOK}&a_with=size_exponent%3D1/2 nonsense").text
    assert 'value="1/2" placeholder="2/3"' in _field(page, "size_exponent")
    assert 'name="a_with" value="nonsense"' in page
    assert re.search(r'step="0.01"\s+value="0.5"', page)


@cases
def test_fields_and_text_make_one_address(fields: dict[str, str], asked: str) -> None:
    form = {key if key == "a_with" else f"a.{BOOK}.{key}": text for key, text in fields.items()}
    form |= {"a": BOOK, "a.acbl-sof-2011.first_exponent": "9"}  # of a rulebook not chosen
    question = read_form("audit", form, {BOOK: load(BOOK)})
    assert question.get("a_with") == asked
    assert question.get("a") == BOOK


def test_without_scripts_the_form_shows_itself_again(client: httpx.Client) -> None:
    page = client.get("/lab/audit", params={"a": BOOK, f"a.{BOOK}.size_exponent": "1/2"}).text
    assert 'value="1/2"' in _field(page, "size_exponent")


def test_a_wrong_number_is_refused_and_kept(client: httpx.Client) -> None:
    headers = {"referer": f"{client.base_url}/lab/audit"}
    form = {"a": BOOK, f"a.{BOOK}.size_exponent": "70"}
    answer = client.post("/lab/audit", data=form, headers=headers)
    assert answer.status_code == 422
    assert "at most 66.66666667" in answer.text
    assert '"70"' in answer.text.partition('id="again"')[2]


def test_the_numbers_of_another_rulebook_come_when_it_is_chosen(client: httpx.Client) -> None:
    part = client.get("/lab/audit/numbers/a?a=sbu-clubs-2016", headers={"HX-Request": "true"}).text
    assert part.count("<details") == 1
    assert "sbu-clubs-2016" in part
    assert "<html" not in part
    assert client.get("/lab/compare/numbers/a?a=paid").text.strip() == ""
    assert client.get("/lab/compare/numbers/corpus").status_code == 404
    assert client.get("/lab/nothing/numbers/a").status_code == 404


@pytest.mark.parametrize("text", ["0", "1/3", "0.07", "2", "14", "300", "3000", "-5", "0.1393"])
def test_a_slider_reaches_twice_the_number_in_round_steps(text: str) -> None:
    number = exact(text)
    least, most, step = map(exact, amending_slider(number))
    assert least <= number <= most
    assert 50 <= most / step <= 500 or step == 1
    assert (most - least) % step == 0
    assert max(-least, most) >= 2 * abs(number)
    assert max(-least, most) < 2 * abs(number) + step or number == Fraction(0)
