"""Qualification lists on pages and over the API: a register made, its list read and downloaded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from honours.ledger.post import post
from honours.ledger.qualify import register_of_text
from honours.ledger.store import create_ledger
from honours.web.settings import Settings
from tests.ledger.test_qualify import tournament
from tests.web.server import serving

HERE = "/ledger/lists/qualifying"
V1 = f"/api/v1{HERE}"
REGISTER = {
    "title": "Masters",
    "since": "2025-01-01",
    "until": "2025-12-31",
    "places": 1,
    "best": 1,
    "tournaments": [
        {"day": "2025-03-15", "title": "Spring"},
        {"day": "2025-10-01", "title": "Late"},
    ],
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("qualifying")


@pytest.fixture(scope="module")
def client(data: Path) -> Iterator[httpx.Client]:
    ledger = create_ledger(str(data / "ledger.db"))
    post(ledger, tournament("Spring", "2025-03-15", "ABCDEF"), "Eve")
    post(ledger, tournament("Summer", "2025-06-01", "BACDEF"), "Eve")
    ledger.close()
    with (
        serving(Settings(data=data)) as address,
        httpx.Client(base_url=address, timeout=60, follow_redirects=True) as client,
    ):
        yield client


def test_a_list_is_made_by_a_form_and_changed(client: httpx.Client) -> None:
    assert HERE in client.get("/ledger/lists").text
    form = client.get(f"{HERE}/new").text
    [spring] = re.findall(r'value="([^"]*)"> Spring', form)
    filled = {key: str(value) for key, value in REGISTER.items() if key != "tournaments"}
    ticked = [spring, "2025-10-01 Late\n"]
    entered = {**filled, "rulebook": "aga-category", "tournaments": ticked}
    page = client.post(HERE, data=entered)
    assert page.status_code == 200
    assert re.search(r"Player A.*qualifies", page.text, re.DOTALL)
    assert "Left out: Summer, 1 Jun 2025: not designated for this list" in page.text
    assert "Not posted yet: Late, 1 Oct 2025" in page.text
    register = client.get(f"{page.url.path}/register.toml").text
    assert register_of_text(register, "r").tournaments == (
        ("2025-03-15", "Spring"),
        ("2025-10-01", "Late"),
    )
    again = client.get(f"{page.url.path}/change").text
    assert f'value="{spring}" checked' in " ".join(again.split())
    assert "2025-10-01 Late</textarea>" in again
    changed = client.post(page.url.path, data={**entered, "places": "2"}).text
    assert re.search(r"Player B.*qualifies", changed, re.DOTALL)
    assert "Masters" in client.get(HERE).text
    client.post(f"{page.url.path}/delete")
    assert client.get(page.url.path).status_code == 404


def test_a_wrong_form_is_told_and_keeps_what_was_filled_in(client: httpx.Client) -> None:
    form = {"title": "Kept", "since": "2025-01-01", "until": "2024-01-01"}
    came_from = {"referer": f"{client.base_url}{HERE}/new"}
    wrong = client.post(HERE, data=form, headers=came_from)
    assert wrong.status_code == 422
    assert "Kept" in wrong.text
    assert "This is needed." in wrong.text


def test_a_register_over_the_api(client: httpx.Client) -> None:
    made = client.post(V1, json=REGISTER)
    assert made.status_code == 201
    where = f"{V1}/{made.json()['id']}"
    assert made.json() in client.get(V1).json()
    data = client.get(where).json()
    assert [line["verdict"] for line in data["list"]][:2] == ["qualifies", ""]
    assert data["not_posted"] == [{"day": "2025-10-01", "title": "Late"}]
    rows = client.get(f"{where}?format=csv").text.splitlines()
    assert rows[0] == "place,name,points,results,verdict"
    assert rows[1].startswith("1,Player A,")
    changed = client.put(where, json={**REGISTER, "places": 2}).json()
    assert changed["places"] == 2
    assert client.put(where, json={**REGISTER, "until": "2020-01-01"}).status_code == 422
    assert client.delete(where).status_code == 204
    assert client.get(where).status_code == 404


def test_a_second_click_makes_no_second_register(client: httpx.Client) -> None:
    twice = {**REGISTER, "title": "Clicked twice"}
    first, second = (client.post(V1, json=twice).json()["id"] for _ in range(2))
    assert first == second


def test_a_damaged_register_takes_no_page_down(client: httpx.Client, data: Path) -> None:
    made = client.post(V1, json=REGISTER).json()["id"]
    path = data / "registers" / f"{made}.toml"
    path.write_text("title = ", encoding="utf-8")
    assert client.get(HERE).status_code == 200
    assert client.get(f"{HERE}/{made}").status_code == 404
    assert path.with_suffix(".toml.damaged").exists()
