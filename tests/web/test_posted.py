"""An event that was posted is compared with its record whenever either changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from honours.web.settings import Settings
from tests.web.server import client_of, kept_anew

V1 = "/api/v1"
CHANGED = "changed since posting"
TABLES = 5


def night(best: str = "+1") -> bytes:
    """A session of ten pairs; ``best`` is what the first North-South pair makes of its boards."""
    pairs = [f"pair {n} Player {n}a & Player {n}b" for n in range(1, 2 * TABLES + 1)]
    boards = [
        f"{2 * table + 1} {(2 * table + 2 * board) % (2 * TABLES) + 2} 4S N "
        f"{best if table == 0 else ('=', '-1', '-2')[(table + board) % 3]}"
        for board in range(1, 25)
        for table in range(TABLES)
    ]
    lines = [
        line
        for board in range(24)
        for line in (f"board {board + 1}", *boards[TABLES * board : TABLES * (board + 1)])
    ]
    return "\n".join(["title Tuesday", "date 2019-03-05", *pairs, *lines]).encode()


ASKED = {"rulebook": "sbu-clubs-2016", "as_usual": True, "by": "Sam", "given": {}}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    with client_of(Settings(data=tmp_path)) as client:
        yield client


@pytest.fixture
def event(client: httpx.Client) -> str:
    """The path of an event that was posted."""
    path = kept_anew(client, "tuesday.txt", night())
    posted = client.post(f"{V1}{path}/postings", json=ASKED)
    assert posted.status_code == 201, posted.text
    assert _posting(client, path)["changed"] is False
    return path


def _posting(client: httpx.Client, path: str) -> dict[str, object]:
    answer: dict[str, object] = client.get(f"{V1}{path}/posting").json()
    return answer


def _rule(client: httpx.Client, path: str) -> None:
    ruling = {"kind": "penalty", "pair": "1", "amount": "40", "unit": "percent", "by": "Dora"}
    answer = client.post(f"{V1}{path}/rulings", json=ruling)
    assert answer.status_code == 201, answer.text


def _bring_a_file(client: httpx.Client, path: str) -> None:
    sent = {"file": ("tuesday.txt", night("-3"))}
    assert client.post(f"{path}/replace", files=sent).status_code in (200, 303)


def _rename(client: httpx.Client, path: str) -> None:
    client.post(f"{path}/said", data={"title": "Wednesday", "date": "2019-03-06"})


def _rename_a_member(client: httpx.Client, _path: str) -> None:
    answer = client.patch(f"{V1}/ledger/members/1", json={"name": "Somebody Else", "by": "Sam"})
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("change", [_rule, _bring_a_file, _rename, _rename_a_member])
def test_whatever_changes_a_posted_event_is_said_everywhere(
    client: httpx.Client, event: str, change: Callable[[httpx.Client, str], None]
) -> None:
    for page in ("/", "/events", "/ledger", event):
        assert CHANGED not in client.get(page).text.lower()
    change(client, event)
    now = _posting(client, event)
    assert (now["changed"], now["status"], now["record"]) == (True, CHANGED, 1)
    assert now["differences"]
    for page in ("/", "/events", "/ledger", event, f"{event}/awards", f"{event}/posting"):
        assert CHANGED in client.get(page).text.lower(), page
    # what is stale is not submitted
    period = {"since": "2019-01-01", "until": "2019-12-31", "by": "Sam"}
    assert client.post(f"{V1}/ledger/submissions", json=period).status_code == 422
    # the one way on: the record is corrected
    client.post(f"{event}/posting", data={"by": "Sam", "why": "it has changed"})
    after = _posting(client, event)
    assert (after["changed"], after["record"]) == (False, 3)
    assert client.post(f"{V1}/ledger/submissions", json=period).json()["records"] == [1, 2, 3]
    assert CHANGED not in client.get("/ledger").text.lower()


def test_a_ruling_shows_first_whose_place_and_award_it_would_change(
    client: httpx.Client, event: str
) -> None:
    fields = {"kind": "penalty", "pair": "1", "amount": "2000", "unit": "percent"}
    shown = client.post(f"{event}/rulings/preview", data=fields).text
    assert "1 Player 1a &amp; Player 1b: place 1" in shown
    assert "Player 1a &amp; Player 1b: award" in shown
    assert "sbu-clubs-2016" in shown


def test_the_other_way_on_is_to_undo_the_change(client: httpx.Client, event: str) -> None:
    _rule(client, event)
    assert _posting(client, event)["changed"] is True
    client.post(f"{event}/undo", data={"count": "1", "number": "1"})
    assert _posting(client, event)["changed"] is False


def test_verifying_knows_it_and_is_remembered(
    client: httpx.Client, event: str, tmp_path: Path
) -> None:
    client.post("/ledger/verify")
    for _ in range(600):
        light = client.get("/ledger/light").text
        if "hx-trigger" not in light:
            break
        time.sleep(0.1)
    assert "light green" in light
    with client_of(Settings(data=tmp_path)) as started_again:
        assert "light green" in started_again.get("/ledger/light").text
    _rule(client, event)
    light = client.get("/ledger/light").text
    assert "light amber" in light
    assert f"{event}/posting" in light


def test_a_held_draft_of_what_has_changed_says_so(client: httpx.Client) -> None:
    path = kept_anew(client, "tuesday.txt", night())
    held = client.post(f"{V1}{path}/drafts", json=ASKED)
    assert held.status_code == 201, held.text
    assert _posting(client, path)["status"] == "held for the ledger"
    _rule(client, path)
    assert _posting(client, path)["status"] == "changed since it was held"


def test_removing_a_posted_event_says_what_it_leaves_behind(
    client: httpx.Client, event: str
) -> None:
    assert client.delete(f"{V1}{event}").status_code == 409
    asked = client.post(f"{event}/delete")
    assert "/ledger/records/1/reverse" in asked.text
    assert client.get(event).status_code == 200
    client.post(f"{event}/delete", data={"leaving": "1"})
    assert client.get(event).status_code == 404


def test_what_names_accept_is_accepted_by_posting(client: httpx.Client) -> None:
    """A near name that is accepted, and a number beside another name, are decided under Names."""
    listed = "number,name\n2010,Robert Jones\n2011,Quite Another\n"
    members = {"list": ("members.csv", listed.encode())}
    assert client.post("/ledger").status_code in (200, 303)
    enrolled = client.post("/ledger/members", files=members, data={"by": "Sam"})
    assert enrolled.status_code in (200, 303), enrolled.text
    path = kept_anew(client, "tuesday.txt", night())
    held = {"by": "Sam", "new": "yes"}
    for pair, number in (("1", "2010"), ("2", "2011")):
        ruling = {
            "kind": "name",
            "pair": pair,
            "players": [f"Player {pair}a", f"Player {pair}b"],
            "numbers": [number, ""],
            "by": "Dora",
        }
        assert client.post(f"{V1}{path}/rulings", json=ruling).status_code == 201
    refused = client.post(f"{path}/draft?rulebook=sbu-clubs-2016&as_usual=yes", data=held)
    assert refused.headers.get("location", str(refused.url)).endswith("/names")
    page = client.get(f"{path}/names").text
    assert 'name="d.Player 2a"' in page
    client.post(f"{path}/names/decide", data={"d.Player 1a": "2010", "d.Player 2a": ""})
    assert 'name="d.Player 2a"' not in client.get(f"{path}/names").text
    client.post(f"{path}/draft?rulebook=sbu-clubs-2016&as_usual=yes", data=held)
    assert _posting(client, path)["status"] == "held for the ledger"
