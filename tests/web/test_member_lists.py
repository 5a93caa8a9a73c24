"""A member list kept with an event: the API, the page and the ledger award from it alike."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from honours.web.settings import Settings
from tests.support import ROOT
from tests.web.server import serving

GO = (ROOT / "examples" / "go-open.txt").read_bytes()
LIST = (ROOT / "examples" / "go-members.csv").read_text(encoding="utf-8")
QUERY = "rulebook=aga-category&as_usual=yes&section=open&g.qualifier=yes&g.minimum_category=none"
FACTS = {"section_kind": "open", "qualifier": "yes", "minimum_category": "none"}
ASKED = {"rulebook": "aga-category", "as_usual": True, "given": FACTS}
POINTS = ["7.6", "4.9", "4.9", "0.0", "2.7", "1.7"]
"""What ``honours award try/go-open.txt --members try/go-members.csv`` gives."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    settings = Settings(data=tmp_path_factory.mktemp("data"))
    with (
        serving(settings) as address,
        httpx.Client(base_url=address, timeout=60, follow_redirects=True) as client,
    ):
        yield client


@pytest.fixture
def event(client: httpx.Client) -> str:
    kept = client.post("/api/v1/events", files={"file": ("go-open.txt", GO)}).json()
    return str(kept[0]["id"])


def _points(client: httpx.Client, event: str) -> list[str]:
    answer = client.post(f"/api/v1/events/{event}/awards", json=ASKED)
    assert answer.status_code == 200, answer.text
    return [one["award"] for one in answer.json()["awards"]]


def _told(client: httpx.Client, event: str, **more: Any) -> httpx.Response:
    return client.put(f"/api/v1/events/{event}/members", json={"list": LIST, **more})


def test_ratings_of_a_list_decide_the_awards_until_it_is_taken_away(
    client: httpx.Client, event: str
) -> None:
    without = _points(client, event)
    assert _told(client, event).json() == {"name": "members.csv", "confirm": {}, "remarks": []}
    assert _points(client, event) == POINTS != without
    assert client.delete(f"/api/v1/events/{event}/members").status_code == 204
    assert _points(client, event) == without


def test_the_page_takes_the_same_list_and_shows_it(client: httpx.Client, event: str) -> None:
    query = f"?{QUERY}"
    sent = client.post(f"/events/{event}/members{query}", files={"list": ("go.csv", LIST.encode())})
    assert sent.url.path == f"/events/{event}/awards"
    assert "go.csv" in sent.text
    data = client.get(f"/events/{event}/download/awards.json{query}").json()
    assert [one["award"] for one in data["awards"]] == POINTS
    away = client.post(f"/events/{event}/members{query}", data={"away": "1"})
    assert "go.csv" not in away.text


def test_a_near_name_is_asked_about_and_can_be_confirmed(client: httpx.Client) -> None:
    night = "place,name,score\n" + "".join(f"{n},Ann Smyth{n},{9 - n}\n" for n in range(1, 7))
    listed = "number,name,rating\n" + "".join(
        f"{n},Ann Smythe{n},{6 - n / 4}\n" for n in range(1, 7)
    )
    kept = client.post("/api/v1/events", files={"file": ("night.csv", night.encode())}).json()
    event = kept[0]["id"]
    data = _told(client, event, list=listed).json()
    assert any("Ann Smyth1: is it Ann Smythe1 (1)?" in remark for remark in data["remarks"])
    page = client.get(f"/events/{event}/awards?{QUERY}")
    assert "Ann Smyth1: is it Ann Smythe1 (1)?" in html.unescape(page.text)
    answers = {f"Ann Smyth{n}": str(n) for n in range(1, 7)}
    assert _told(client, event, list=listed, confirm=answers).json()["remarks"] == []
    assert _points(client, event)[0] > "0"


def test_a_list_that_cannot_be_read_is_told_and_changes_nothing(
    client: httpx.Client, event: str
) -> None:
    before = _points(client, event)
    refused = _told(client, event, list="nonsense")
    assert refused.status_code == 422
    assert "members.csv" in refused.text
    assert _points(client, event) == before


def test_what_a_form_says_of_a_posting_reaches_the_draft(client: httpx.Client) -> None:
    rows = "".join(f"{n},Ann {n} & Bob {n},{70 - n}\n" for n in range(1, 10))
    night = f"pair,players,score\n{rows}".encode()
    kept = client.post("/api/v1/events", files={"file": ("night.csv", night)}).json()
    query = "?rulebook=acbl-general&as_usual=yes&g.limit=none&g.class=regional&g.sessions=2"
    form = {"by": "Eve", "day": "2010-05-05", "title": "Spring", "points": "black", "new": "1"}
    held = client.post(f"/events/{kept[0]['id']}/draft{query}", data=form)
    assert "Spring" in held.text
    assert "an event of this class gives gold ones" in held.text
    [draft] = client.get("/api/v1/ledger/drafts").json()["items"]
    refused = client.post(f"/ledger/drafts/{draft['draft']}/release", data={"by": "Eve"})
    assert "an event of this class gives gold ones" in refused.text
    overruled = {"by": "Eve", "overrule": "agreed"}
    done = client.post(f"/ledger/drafts/{draft['draft']}/release", data=overruled)
    assert "Posted as record 1" in done.text
    assert "overruled: agreed" in client.get("/api/v1/ledger/records/1").json()["why"]
