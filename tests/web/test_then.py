"""A data folder as version de80847 left it, made by that version's server: it opens as it is.

Two databases are kept as the statements that make them; everything else is as it was.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from honours.ledger.checkpoint import read_checkpoint
from honours.ledger.store import open_ledger
from honours.ledger.verify import verify
from honours.web.settings import Settings
from tests.web.server import serving

THEN = Path(__file__).parent / "files" / "then"
TUESDAY, PAIRS, GO, SEASON = "19c561b4787a", "f8978d9d46fd", "6624cb4c82fd", "2b53074a2e9b"
SBU = {"rulebook": "sbu-clubs-2016", "given": {"kind": "pairs", "winners": "1"}}
HEAD = "2820f508bd424bfbd4ada492cfe0aa4b7e99e62cbf7b47abd109046c661445ef"
"""What that version said the ledger's head was."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("then") / "data"
    shutil.copytree(THEN, data)
    for dump in data.glob("*.sql"):
        made = sqlite3.connect(dump.with_suffix(".db"))
        made.executescript(dump.read_text(encoding="utf-8"))
        made.close()
        dump.unlink()
    return data


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[httpx.Client]:
    with (
        serving(Settings(data=folder, accounts=True)) as address,
        httpx.Client(base_url=address, timeout=60, follow_redirects=True) as signed_in,
    ):
        who = {"name": "A. Secretary", "password": "correct horse 42"}
        assert signed_in.post("/sign-in", data=who).status_code == 200
        yield signed_in


def _given(client: httpx.Client, path: str) -> Any:
    answer = client.get(f"/api/v1{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def _awarded(client: httpx.Client, event: str, asked: dict[str, Any]) -> list[tuple[str, str]]:
    answer = client.post(f"/api/v1/events/{event}/awards", json=asked)
    assert answer.status_code == 200, answer.text
    return [(one["entrant"], one["award"]) for one in answer.json()["awards"]]


def test_events_and_rulings_of_then_are_there(client: httpx.Client) -> None:
    assert {one["id"] for one in _given(client, "/events")["items"]} == {TUESDAY, PAIRS, GO}
    [ranking] = _given(client, f"/events/{TUESDAY}")["rankings"]
    best = [(one["entrant"], one["shown_score"]) for one in ranking["standings"][:2]]
    assert best == [("10", "61.52"), ("11", "61.40")]
    made = _given(client, f"/events/{TUESDAY}/rulings")["rulings"]
    assert [one["kind"] for one in made] == ["penalty", "final"]
    for page in ("", "/rulings", "/awards?rulebook=sbu-clubs-2016"):
        assert client.get(f"/events/{TUESDAY}{page}").status_code == 200


def test_awards_of_then_are_given_by_the_revision_of_then(client: httpx.Client) -> None:
    twelve = [("1", "12"), ("2", "6"), ("3", "0"), ("4", "0"), ("5", "0"), ("6", "0")]
    assert _awarded(client, PAIRS, SBU) == twelve
    asked = {"rulebook": "aga-category@1", "given": {"section": "open", "mean_rating": "3"}}
    points = [("501", "3.6"), ("502", "1.6"), ("506", "0.7"), ("503", "0.3")]
    assert _awarded(client, GO, asked)[:4] == points


def test_a_season_of_then_is_worked_out(client: httpx.Client) -> None:
    page = client.get(f"/ledger/seasons/{SEASON}")
    assert page.status_code == 200
    assert "Alma Reed" in page.text


def test_the_ledger_of_then_goes_on(client: httpx.Client, folder: Path) -> None:
    assert _given(client, "/ledger")["postings"] == 4
    [pending] = _given(client, "/ledger/drafts?status=pending")["items"]
    released = client.post(f"/api/v1/ledger/drafts/{pending['draft']}/release", json={"by": ""})
    assert released.status_code == 409  # the same people and places on another day
    again = {"by": "", "another": True}
    released = client.post(f"/api/v1/ledger/drafts/{pending['draft']}/release", json=again)
    assert released.status_code == 201, released.text
    checked = verify(open_ledger(str(folder / "ledger.db")), head=read_checkpoint(HEAD))
    assert checked.sound
    assert set(checked.counts) <= {"sound"}
