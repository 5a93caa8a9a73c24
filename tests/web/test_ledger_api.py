"""The ledger over the API: members, drafts, postings, records, the season."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl

import httpx
import pytest
from starlette.requests import Request

from honours.errors import WrongValue
from honours.ledger import events
from honours.web.http.api import Page, PageQuery
from honours.web.settings import Settings
from tests.web.server import example_event, serving

V1 = "/api/v1"
BOOK = {
    "rulebook": "sbu-clubs-2016",
    "as_usual": True,
    "given": {"winners": "1"},
    "date": "2017-01-14",
}
BY = {"by": "M. Secretary"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """One whose ledger is its own."""
    folder = tmp_path_factory.mktemp("ledger")
    with (
        serving(Settings(data=folder)) as address,
        httpx.Client(base_url=f"{address}{V1}", timeout=60) as client,
    ):
        assert client.get("/ledger").status_code == 404
        assert client.post("/ledger").status_code == 201
        assert client.post("/ledger").status_code == 200
        yield client


def _event(client: httpx.Client) -> str:
    with httpx.Client(base_url=str(client.base_url).removesuffix(f"{V1}/"), timeout=60) as pages:
        return example_event(pages)


def _post(client: httpx.Client, title: str, key: str = "", **more: Any) -> httpx.Response:
    headers = {"idempotency-key": key} if key else {}
    asked = {**BOOK, **BY, "title": title, "another": True, **more}
    return client.post(f"{_event(client)}/postings", json=asked, headers=headers)


def _records(client: httpx.Client) -> int:
    count: int = client.get("/ledger").json()["records"]
    return count


def test_an_event_is_posted_once(client: httpx.Client) -> None:
    event = _event(client)
    asked = {**BOOK, **BY, "title": "Once"}
    posted = client.post(f"{event}/postings", json=asked)
    assert posted.status_code == 201, posted.text
    data = posted.json()
    assert (data["status"], data["postings"][0]["amount"]) == ("posted", "36")
    again = client.post(f"{event}/postings", json=asked)
    assert (again.status_code, again.json()["status"]) == (200, "already posted")
    assert again.json()["record"] == data["record"]
    record = client.get(f"/ledger/records/{data['record']}").json()
    assert (record["event"], record["date"]) == ("Once", "2017-01-14")
    assert (data["event"], data["date"]) == ("Once", "2017-01-14")
    assert record["who"] == "M. Secretary"
    member = data["postings"][0]["member"]
    statement = client.get(f"/ledger/members/{member}/statement").json()
    assert statement["balances"][0]["balance"] == "36"
    why = client.get(f"/ledger/postings/{statement['postings'][0]['posting']}").json()
    assert why["explanation"]
    assert client.get("/ledger/postings/99999").status_code == 404


def test_what_differs_is_in_the_way(client: httpx.Client) -> None:
    event = _event(client)
    asked = {**BOOK, **BY, "title": "Twice", "another": True}
    assert client.post(f"{event}/postings", json=asked).status_code == 201
    penalty = {"kind": "penalty", "pair": "11", "amount": "40", "unit": "percent", "by": "A. D."}
    client.post(f"{event}/rulings", json=penalty)
    refused = client.post(f"{event}/postings", json=asked)
    assert refused.status_code == 409
    assert refused.json()["errors"][0]["field"] == "correct"
    without = client.post(f"{event}/postings", json={**asked, "correct": True})
    assert (without.status_code, without.json()["errors"][0]["field"]) == (422, "why")
    corrected = client.post(f"{event}/postings", json={**asked, "correct": True, "why": "ruling"})
    assert corrected.status_code == 201
    like = client.post(f"{event}/postings", json={**asked, "title": "New", "another": False})
    assert like.json()["errors"][0]["field"] == "another"


def test_a_dry_run_posts_nothing(client: httpx.Client) -> None:
    before = _records(client)
    answer = _post(client, "Dry", dry_run=True)
    assert (answer.status_code, answer.json()["status"]) == (200, "posted")
    assert _records(client) == before


def test_awards_are_worked_out_while_others_may_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a key they once were within the transaction: under load others waited in vain."""
    work, free = events._awards, list[bool]()

    def awards(*arguments: Any) -> Any:
        with closing(sqlite3.connect(tmp_path / "ledger.db", timeout=0)) as other:
            try:
                other.execute("BEGIN IMMEDIATE")
                free.append(True)
            except sqlite3.OperationalError:
                free.append(False)
        return work(*arguments)

    monkeypatch.setattr(events, "_awards", awards)
    with (
        serving(Settings(data=tmp_path)) as address,
        httpx.Client(base_url=f"{address}{V1}", timeout=60) as client,
    ):
        client.post("/ledger")
        event = _event(client)
        asked = {**BOOK, **BY, "title": "Opens the scheme"}
        assert client.post(f"{event}/postings", json=asked).status_code == 201
        free.clear()
        for what, key in (("drafts", "a"), ("postings", "b")):
            headers = {"idempotency-key": key}
            keyed: dict[str, Any] = {**BOOK, **BY, "title": what}
            keyed |= {} if what == "drafts" else {"another": True}
            answer = client.post(f"{event}/{what}", json=keyed, headers=headers)
            assert answer.status_code == 201, answer.text
    assert free
    assert all(free)


def test_the_same_key_is_the_same_answer(client: httpx.Client) -> None:
    event = _event(client)
    asked = {**BOOK, **BY, "title": "Keyed", "another": True}
    headers = {"idempotency-key": "keyed-1"}
    first = client.post(f"{event}/postings", json=asked, headers=headers)
    count = _records(client)
    again = client.post(f"{event}/postings", json=asked, headers=headers)
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert _records(client) == count
    other = client.post(f"{event}/postings", json={**asked, "title": "Other"}, headers=headers)
    assert other.status_code == 409
    record = first.json()["record"]
    why = {**BY, "why": "void"}
    assert client.post(f"/ledger/records/{record}/reversal", json=why).status_code == 201
    assert client.post(f"/ledger/records/{record}/reversal", json=why).status_code == 422
    assert client.post("/ledger/records/9999/reversal", json=why).status_code == 404
    # It was taken back; the old request, sent again, must not post it anew.
    assert client.post(f"{event}/postings", json=asked, headers=headers).json() == first.json()
    assert _records(client) == count + 1


def test_a_member_is_added_once_and_changed(client: httpx.Client) -> None:
    new = {"name": "Nora Nowhere"}
    made = [
        client.post("/ledger/members", json=new, headers={"idempotency-key": "nora"})
        for _ in range(2)
    ]
    assert made[0].status_code == 201
    assert made[0].json() == made[1].json()
    path = made[0].headers["location"].removeprefix(V1)
    assert client.patch(path, json={"number": "777"}).json()["number"] == "777"
    taken = client.post("/ledger/members", json={"name": "X", "number": "777"})
    assert (taken.status_code, "Nora" in taken.text) == (422, True)
    data = client.get("/ledger/members", params={"find": "nowhere"}).json()
    assert [one["name"] for one in data["items"]] == ["Nora Nowhere"]
    assert client.get("/ledger/members/99999").status_code == 404
    assert client.post(f"{path}/erasure", json={**BY, "why": "asked for"}).status_code == 201
    assert client.get(path).json()["name"] == "(erased)"
    assert client.patch(path, json={"name": "Nora"}).status_code == 409
    assert client.get(f"{path}/ranks").json() == []


def test_what_is_not_awarded_is_not_posted(client: httpx.Client) -> None:
    sent = {"file": ("few.csv", b"pair,player1,player2,score\n1,Ann,Bo,60\n2,Cy,Di,40\n")}
    [few] = client.post("/events", files=sent).json()
    asked = {**BOOK, **BY, "given": {"kind": "pairs", "winners": "1"}}
    answer = client.post(f"/events/{few['id']}/postings", json=asked)
    assert (answer.status_code, answer.json()["status"]) == (200, "no award")


def test_a_part_follows_one_and_keeps_what_was_asked() -> None:
    items = [SimpleNamespace(id=name) for name in "abc"]

    def part(query: str) -> Page[Any]:
        asked = dict(parse_qsl(query))
        scope = {"type": "http", "path": "/x", "query_string": query.encode(), "headers": []}
        return PageQuery(
            Request(scope | {"server": ("x", 80)}), int(asked["limit"]), asked.get("after", "")
        ).of(items, "id")

    first = part("limit=2&status=held")
    assert first.next == "/x?limit=2&status=held&after=b"
    assert [one.id for one in part("limit=2&after=b").items] == ["c"]
    assert (first.total, part("limit=2&after=b").next, part("limit=3").next) == (3, None, None)
    with pytest.raises(WrongValue):
        part("limit=2&after=gone")


def test_a_draft_is_released_or_withdrawn(client: httpx.Client) -> None:
    event = _event(client)
    held = client.post(f"{event}/drafts", json={**BOOK, **BY, "title": "Held"})
    assert (held.status_code, held.json()["status"]) == (201, "held")
    again = client.post(f"{event}/drafts", json={**BOOK, **BY, "title": "Held"})
    assert again.status_code == 200
    path = f"/ledger/drafts/{held.json()['record']}"
    assert client.get(path).json()["status"] == "pending"
    released = client.post(f"{path}/release", json={**BY, "another": True})
    assert released.status_code == 201, released.text
    assert client.get(path).json()["record"] == released.json()["record"]
    assert client.post(f"{path}/withdraw", json={**BY, "why": "x"}).status_code == 422
    assert client.post("/ledger/drafts/99/release", json=BY).status_code == 404


SEASON = """
rulebook = "sbu-clubs-2016"
title = "Season"
options.as_usual = true
kind = "pairs"
type = "aggregate"
best = 2
[events]
ledger = "Night *"
"""


def test_a_season_over_the_ledger(client: httpx.Client) -> None:
    for night in range(1, 4):
        assert _post(client, f"Night {night}", date=f"2017-02-0{night}").status_code == 201
    table = client.post("/ledger/season/standings", json={"season": SEASON})
    assert table.status_code == 200, table.text
    assert table.json()["rows"][0]["place"] == 1
    data = client.post("/ledger/season/awards", json={"season": SEASON}).json()
    assert data["posted"] == []
    before = _records(client)
    asked = {"season": SEASON, "post": True, **BY}
    keyed = {"idempotency-key": "season-1"}
    done = [client.post("/ledger/season/awards", json=asked, headers=keyed) for _ in range(2)]
    assert done[0].json() == done[1].json()
    assert done[0].json()["posted"][0]["status"] in ("posted", "no award")
    assert _records(client) - before == len(
        [one for one in done[0].json()["posted"] if one["status"] == "posted"]
    )


def test_a_period_is_sent_once(client: httpx.Client) -> None:
    assert _post(client, "Sent", date="2018-05-01").status_code == 201
    period = {"since": "2018-05-01", "until": "2018-05-31", **BY}
    keyed = {"idempotency-key": "may"}
    made = [client.post("/ledger/submissions", json=period, headers=keyed) for _ in range(2)]
    assert (made[0].status_code, made[0].json()) == (201, made[1].json())
    path = f"/ledger/submissions/{made[0].json()['submission']}"
    assert b"<USEBIO" in client.get(f"{path}/document").content
    assert client.post("/ledger/submissions", json=period).status_code == 422
    assert client.put(f"{path}/status", json={"status": "rejected"}).status_code == 422
    assert client.get("/ledger/submissions").json()["total"] == 1
    assert client.get("/ledger/submissions/9").status_code == 404


def test_the_ledger_is_verified_by_a_job(client: httpx.Client) -> None:
    path = client.post("/jobs", json={"what": "verification"}).headers["location"]
    for _ in range(1200):
        data = client.get(path.removeprefix(V1)).json()
        if data["state"] != "running":
            break
        time.sleep(0.1)
    assert (data["state"], data["result"][0]["verdict"]) == ("done", "sound")


@pytest.mark.parametrize("route", ["standings", "awards"])
@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ('rulebook = "sbu-clubs-2016"', "rulebook = 5"),
        ('rulebook = "sbu-clubs-2016"', "rulebook = [[]]"),
        ('title = "Season"', 'title = "Season"\nvariant = {a = 1}'),
        ('title = "Season"', 'title = "Season"\nvariant = 2017-01-01'),
        ('title = "Season"', 'title = "Season"\nclub = 7'),
        ('type = "aggregate"', "type = []"),
        ('ledger = "Night *"', "ledger = true"),
        ('ledger = "Night *"', 'ledger = ["Night *"]'),
        ("best = 2", f"best = {'9' * 5_000}"),
        ("best = 2", f"best = {'[' * 2_000}{']' * 2_000}"),
        ("best = 2", 'substitutes = [{day = 2017-02-01, played = [1], counts_for = ["2"]}]'),
        ("best = 2", 'points = ["1e999999999"]'),
    ],
)
def test_a_season_that_says_nonsense_is_refused_with_a_sentence(
    client: httpx.Client, route: str, line: str, wrong: str
) -> None:
    assert line in SEASON
    asked = {"season": SEASON.replace(line, wrong)}
    refused = client.post(f"/ledger/season/{route}", json=asked)
    assert refused.status_code == 422, refused.text[:500]
    assert refused.json()["detail"]
    assert "Traceback" not in refused.text


@pytest.mark.parametrize("name", ["/etc/passwd", "../../secret.csv"])
def test_a_season_names_no_files(client: httpx.Client, name: str) -> None:
    text = SEASON.replace('ledger = "Night *"', f'files = ["{name}"]')
    refused = client.post("/ledger/season/standings", json={"season": text})
    assert (refused.status_code, "root:" in refused.text) == (422, False)


def test_nobody_is_nobody(client: httpx.Client, tmp_path: Path) -> None:
    refused = client.post(f"{_event(client)}/postings", json={**BOOK, "title": "Unsigned"})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "by")
    assert not list(tmp_path.iterdir())
