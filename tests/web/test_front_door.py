"""A club's front door: what anybody finds there, without signing in, and whom nobody does."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest

from honours.errors import InputError
from honours.web.published.calendar import coming, icalendar
from honours.web.settings import Settings
from tests.web.server import serving

MEMBERS = b"number,name,opted out\n101,Magnus Young,yes\n104,Iain Galt,no\n"
AWARDED = "rulebook=sbu-clubs-2016&as_usual=yes&g.winners=1"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    """A club of its own, because all that it publishes is on one page."""
    with (
        serving(Settings(data=tmp_path)) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        yield client


@pytest.fixture
def night(client: httpx.Client) -> str:
    """A published night, with a member of it who does not want to be published."""
    client.post("/ledger")
    event = str(client.post("/events/example").headers["location"])
    client.post(f"{event}/publish?{AWARDED}")
    return event


def _card(client: httpx.Client) -> str:
    """Tap the name of whoever was first."""
    page = client.get("/c/club").text
    return str(re.findall(r'href="(/p/[^"]+/scorecard-[^"]+)"', page)[0])


def test_two_taps_lead_to_last_nights_card_with_the_reasons(
    client: httpx.Client, night: str
) -> None:
    card = client.get(_card(client)).text
    assert "61.82" in card
    assert '<details class="why">' in card
    assert 'href="/c/club"' in card, "the club's name leads home"
    client.post(f"{night}/unpublish")
    assert "/p/" not in client.get("/c/club").text


def test_whoever_looks_themselves_up_finds_a_page(client: httpx.Client, night: str) -> None:
    mine = client.get("/c/club/players", params={"name": "galt"}).text
    assert "61.82" in mine
    assert "boards.html#line-" in mine, "the boards that cost most lead to where they are published"
    assert "Magnus Young" in mine
    several = client.get("/c/club/players", params={"name": "ma"}).text
    assert several.count("/c/club/players?name=") > 1
    assert "/c/club/players?name=" in client.get(_card(client)).text
    client.post(f"{night}/unpublish")
    assert "61.82" not in client.get("/c/club/players", params={"name": "galt"}).text


def test_a_player_reads_a_language_that_is_begun_and_a_secretary_one_that_is_finished(
    client: httpx.Client, night: str
) -> None:
    for path, language in (("/c/club", "de"), (_card(client), "de"), (night, "en")):
        page = client.get(path, headers={"accept-language": "de,en"}).text
        assert f'<html lang="{language}"' in page, path


def test_who_opted_out_is_nowhere(client: httpx.Client, night: str) -> None:
    client.post(
        "/ledger/members", files={"list": ("members.csv", MEMBERS)}, data={"by": "A. Secretary"}
    )
    client.patch("/api/v1/club", json={"ranks": "yes"})
    paths = ["/c/club", "/c/club/ranks", "/c/club/feed.atom", "/c/club/players?name=Iain+Galt"]
    for path in (*paths, _card(client)):
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert "Young" not in answer.text, path
    found = client.get("/c/club/players", params={"name": "Young", "number": "101"}).text
    assert "Magnus" not in found
    assert night


def test_ranks_are_shown_where_a_club_wants_it(client: httpx.Client) -> None:
    event = client.post("/demo").headers["location"]
    client.post(f"{event}/publish?{AWARDED}")
    ranks, mine = "/c/club/ranks", "/c/club/players?name=Magnus+Young"
    assert all("Master" not in client.get(one).text for one in (ranks, mine))
    client.patch("/api/v1/club", json={"ranks": "yes"})
    assert all("Master" in client.get(one).text for one in (ranks, mine))


def test_strangers_come_to_the_front_door_and_members_sign_in(tmp_path: Path) -> None:
    with serving(Settings(data=tmp_path)) as address, httpx.Client(base_url=address) as client:
        event = client.post("/events/example").headers["location"]
        client.post(f"{event}/publish")
        client.patch("/api/v1/club", json={"name": "Ayr"})
    settings = Settings(data=tmp_path, accounts=True)
    with serving(settings) as address, httpx.Client(base_url=address, timeout=60) as client:
        door = client.get("/", follow_redirects=True)
        assert door.url.path == "/c/ayr"
        assert "/sign-in" in door.text
        assert client.get("/c/nowhere").status_code == 404
        assert client.get("/c/ayr/qr.svg").headers["content-type"] == "image/svg+xml"


def test_a_season_is_public_once_it_is_shown(client: httpx.Client) -> None:
    text = b'rulebook = "sbu-clubs-2016"\ntitle = "Ladder"\nkind = "pairs"\ntype = "table"\n'
    text += b'events = { ledger = "x*" }\n'
    made = client.post("/ledger/seasons", files={"files": ("ladder.toml", text)})
    path = made.headers["location"]
    public = f"/c/club/seasons/{path.rpartition('/')[2]}"
    assert client.get(public).status_code == 404
    client.post(f"{path}/published")
    assert public in client.get("/c/club").text
    client.post(f"{path}/published")
    assert public not in client.get("/c/club").text


def test_a_calendar_is_written_a_line_each() -> None:
    text = "Tuesday 19:30 Pairs, and tea\n2026-12-05 Teams\nmardi 9.05 Débutants\nnot 2026-12-01"
    every = coming(text, date(2026, 11, 24), weeks=2)
    assert [(one.day, one.at) for one in every] == [
        ("2026-11-24", "09:05"),
        ("2026-11-24", "19:30"),
        ("2026-12-05", ""),
    ]
    made = icalendar("Ayr", every, "ayr.example")
    assert "SUMMARY:Pairs\\, and tea\r\n" in made
    assert "DTSTART;VALUE=DATE:20261205\r\n" in made
    assert "DTSTART:20261124T193000\r\n" in made
    for wrong in ("Someday 19:30 Pairs", "2026-02-30 Teams", "Tuesday 25:00 Pairs", "Tuesday"):
        with pytest.raises(InputError, match="line 1"):
            coming(wrong, date(2026, 11, 24))


def test_a_feed_tells_of_results(client: httpx.Client, night: str) -> None:
    client.patch("/api/v1/club", json={"calendar": "Tuesday 19:30 Pairs"})
    root = ElementTree.fromstring(client.get("/c/club/feed.atom").content)
    [entry] = root.findall(f"{ATOM}entry")
    assert "Iain Galt" in entry.findtext(f"{ATOM}summary", "")
    assert client.get("/c/club/calendar.ics").text.count("BEGIN:VEVENT") == 8
    assert client.patch("/api/v1/club", json={"calendar": "x"}).status_code == 422
    assert night
