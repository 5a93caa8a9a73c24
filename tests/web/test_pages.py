"""Every page answers, and says what it is for."""

import re
from pathlib import Path

import httpx
import pytest

from honours.model.table import Kind, headed, table
from honours.rulebooks import ids
from honours.web.settings import Settings
from honours.web.templating import environment
from tests.engine.books import write_book
from tests.web.server import serving

PAGES = (
    "/",
    "/events",
    "/events/typed",
    "/calculators",
    "/rulebooks",
    "/conformance",
    "/developers",
    "/developers/api",
)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_page_answers_in_its_language(client: httpx.Client, path: str, language: str) -> None:
    page = client.get(path, headers={"accept-language": language})
    assert page.status_code == 200
    assert f'<html lang="{language}">' in page.text
    assert len(re.findall("<h1", page.text)) == 1


def test_a_calculator_asks_for_what_is_per_player(client: httpx.Client) -> None:
    page = client.get("/calculators/acbl-sof-2020").text
    assert 'name="masterpoints"' in page
    assert "between the players of one" in page
    query = "kind=pairs&sessions=2&masterpoints=900%2B300,500%2B40,120%2B80,60%2B5"
    worked_out = client.get(f"/calculators/acbl-sof-2020?{query}").text
    assert ">900+300,500+40,120+80,60+5</textarea>" in worked_out
    in_lines = query.replace(",", "%0D%0A")
    assert "10.74" in client.get(f"/calculators/acbl-sof-2020?{in_lines}").text
    assert "10.74" in worked_out  # the strength of field of these eight
    wrong = client.get("/calculators/acbl-sof-2020?entrants=9&" + query).text
    assert "masterpoints tells of 4 entrants; entrants=9 was given" in wrong


@pytest.mark.parametrize("rulebook", ids())
def test_every_rulebook_has_a_page_and_a_calculator(client: httpx.Client, rulebook: str) -> None:
    assert client.get(f"/rulebooks/{rulebook}").status_code == 200
    page = client.get(f"/calculators/{rulebook}").text
    assert "What each place is awarded" in page
    assert 'role="alert"' not in page


def test_a_language_once_chosen_is_remembered(address: str) -> None:
    with httpx.Client(base_url=address) as client:
        assert "Calculateurs" in client.get("/?lang=fr").text
        assert "Calculateurs" in client.get("/calculators").text
        assert "Calculateurs" not in client.get("/?lang=en").text


def test_an_address_that_leads_nowhere_says_so(client: httpx.Client) -> None:
    page = client.get("/calculators/acbl-sof-3000")
    assert page.status_code == 404
    assert "There is nothing here" in page.text


def test_the_first_page_is_never_empty(tmp_path: Path) -> None:
    with serving(Settings(data=tmp_path)) as address, httpx.Client(base_url=address) as client:
        assert "Try it with an example" in client.get("/events").text
        assert "There are none yet" in client.get("/events").text


def test_a_rulebook_of_ones_own_has_its_pages(tmp_path: Path) -> None:
    """A folder, and nothing under web/, is all it takes."""
    write_book(tmp_path / "books" / "village_cup", INPUTS, RULES, EXAMPLES)
    settings = Settings(data=tmp_path / "data", rulebooks=(str(tmp_path / "books"),))
    with serving(settings) as address, httpx.Client(base_url=address) as client:
        page = client.get("/calculators/village-cup").text
        assert "those who came" in page
        assert ">7.00</a>" in page
        assert "village-cup" in client.get("/rulebooks").text


INPUTS = """
[inputs]
players = { about = "those who came", type = "count", example = "7" }
[parameters]
share = { value = 1, clause = "1", quote = "one each" }
"""
RULES = """
@rule("2")
def places(players):
    "Everybody is paid."
    return players

@rule("3", per="entrant")
def award(players, share, place):
    "One for everybody beaten, and one for coming."
    return share * (players - place + 1)
"""
EXAMPLES = """
example = [{ name = "seven", ours = "7", given = { players = 7 }, expect = { at = { 1 = 7 } } }]
"""


def test_a_column_is_what_it_says_it_is_whatever_its_texts_look_like() -> None:
    header = (headed("club"), headed("points", Kind.NUMBER), headed("day", Kind.DATE))
    made = table("clubs", header, [("1860", "-", "2026-11-17")])
    assert made.right == (False, True, False)
    text = '{% from "parts.html" import data_table %}{{ data_table(made) }}'
    page = environment("fr").from_string(text).render(made=made)
    assert "1860" in page
    assert "17 nov. 2026" in page


def test_all_rulebooks_stand_side_by_side(client: httpx.Client) -> None:
    assert "/rulebooks/side-by-side" in client.get("/rulebooks").text
    page = client.get("/rulebooks/side-by-side").text
    for heading in ("What each is worth", "grows with strength", "paid by all that can"):
        assert heading in page
    assert page.count('href="/rulebooks/vbl-2017"') == 1
    assert "as a program computes it" in client.get("/calculators").text
