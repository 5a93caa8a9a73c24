"""What clubs send in, over the API and on pages: receipts, what is held, whose it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from honours.demo import file
from honours.ledger import submissions
from honours.ledger.post import post, reverse
from honours.ledger.store import create_ledger
from honours.ledger.submissions import usebio
from honours.web.settings import Settings
from tests.ledger.material import event
from tests.web.federation import signed
from tests.web.server import serving

V1 = "/api/v1/ledger"
SAID = {"by": "A. Secretary", "given": '{"kind": "pairs", "winners": "1"}'}


def returns(tmp_path: Path, back: bool = False) -> list[bytes]:
    """A club's return of a night and, if asked, the one that takes it back."""
    club = create_ledger(str(tmp_path / "club.db"))
    post(club, event(), "w")
    made = []
    for number in (1, 2) if back else (1,):
        submissions.submit(club, "2017-01-01", "2017-12-31", "w")
        submissions.mark(club, number, "sent")
        with club.reading() as connection:
            made.append(usebio(connection, number))
        if number == 1 and back:
            reverse(club, 1, "w", "void")
    club.close()
    return made


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    with (
        serving(Settings(data=tmp_path / "data")) as address,
        httpx.Client(base_url=address, timeout=120, follow_redirects=True) as client,
    ):
        client.post("/ledger")
        yield client


def test_returns_are_taken_in_with_receipts(client: httpx.Client, tmp_path: Path) -> None:
    first, second = returns(tmp_path, back=True)
    files = [("file", ("january.xml", first)), ("file", ("broken.csv", b"\x00\x01"))]
    done = client.post(f"{V1}/intake", files=files, data=SAID)
    assert done.status_code == 201, done.text
    posted, refused = done.json()["receipts"]
    assert (posted["status"], posted["record"], refused["status"]) == ("posted", 1, "refused")
    assert refused["said"].startswith("broken.csv")
    back = client.post(f"{V1}/intake", files={"file": ("february.xml", second)}, data=SAID).json()
    [given] = back["receipts"]
    assert given["status"] == "taken back"
    assert given == client.get(f"{V1}/receipts/{given['receipt']}").json()
    data = client.get(f"{V1}/receipts?limit=2").json()
    assert [one["receipt"] for one in data["items"]] == [3, 2]
    assert client.get(data["next"]).json()["items"][0]["receipt"] == 1
    assert client.get(f"{V1}/receipts?status=refused").json()["items"][0]["receipt"] == 2
    assert client.get(f"{V1}/receipts/1").json()["event"] == "Club night"
    assert client.get(f"{V1}/receipts/99").status_code == 404
    csv = {"file": ("night.csv", file("club-pairs.csv").read_bytes())}
    unsaid = client.post(
        f"{V1}/intake", files=csv, data={**SAID, "rulebook": "sbu-clubs-2016"}
    ).json()
    assert [one["status"] for one in unsaid["receipts"]] == ["asked"]
    undated = {**SAID, "rulebook": "sbu-clubs-2016", "as_usual": "true"}
    for terms, status in ((undated, "refused"), ({**undated, "date": "2017-05-05"}, "posted")):
        [receipt] = client.post(f"{V1}/intake", files=csv, data=terms).json()["receipts"]
        assert receipt["status"] == status, receipt["said"]
    wrong = client.post(f"{V1}/intake", files=files, data={**SAID, "given": "{kind"})
    assert wrong.status_code == 422


def test_a_page_shows_received_held_posted_refused(client: httpx.Client, tmp_path: Path) -> None:
    [sent] = returns(tmp_path)
    form = {"by": "A. Secretary", "given": "kind=pairs winners=1", "hold": "true"}
    page = client.post("/ledger/intake", files={"file": ("january.xml", sent)}, data=form).text
    assert "What became of what was sent" in page
    number = re.search(r"/ledger/drafts/(\d+)", page)
    assert number
    assert "Held for review as draft 1." in client.get("/ledger/intake/1").text
    client.post(f"/ledger/drafts/{number[1]}/release", data={"by": "A. Secretary"})
    assert "posted: record 1." in client.get("/ledger/intake/1").text
    assert "Club night" in client.get("/ledger/intake?status=posted").text
    assert "Nothing was received yet." in client.get("/ledger/intake?status=held").text
    form["given"] = "pairs"
    wrong = client.post("/ledger/intake", files={"file": ("a.xml", sent)}, data=form)
    assert wrong.status_code == 422


def test_a_clubs_secretary_takes_in_what_is_the_clubs(
    federation: str, tokens: dict[str, str], tmp_path: Path
) -> None:
    [sent] = returns(tmp_path)
    files = {"file": ("january.xml", sent)}
    with signed(federation, tokens["sec"]) as secretary:
        own = secretary.post(f"{V1}/intake", files=files, data=SAID)
        club = own.json()["receipts"][0]["club"]
        assert own.status_code == 201, own.text
        assert secretary.get(f"{V1}/receipts").json()["items"]
        other = secretary.post(f"{V1}/intake", files=files, data={**SAID, "club": "Nowhere"})
        assert other.status_code == 403
    with signed(federation, tokens["pat"]) as viewer:
        assert viewer.post(f"{V1}/intake", files=files, data=SAID).status_code == 403
    assert club


def test_a_list_of_members_over_the_api(client: httpx.Client) -> None:
    text = "number,name,local\n1,Ann,12\n2,Bob,0\n"
    form = {"by": "A. Secretary", "rulebook": "sbu-clubs-2016", "date": "2017-01-01"}

    def send(content: str, **more: str) -> httpx.Response:
        sent = {"file": ("members.csv", content)}
        return client.post(f"{V1}/members/list", files=sent, data={**form, **more})

    assert send(text, dry_run="true").json()["added"] == 2
    done = send(text).json()
    assert (done["added"], done["opening"]) == (2, 1)
    counts = {"added": 0, "changed": 0, "unchanged": 2}
    assert send(text).json() == {**counts, "opening": None, "unread": []}
    assert send(text, rulebook="").json() == {**counts, "opening": None, "unread": ["local"]}
    assert send(text.replace("12", "13")).status_code == 422
    assert send(text.replace("12", "13"), why="miscounted").json()["opening"] == 2


def test_what_is_held_is_decided_on_a_page_and_over_the_api(
    client: httpx.Client, tmp_path: Path
) -> None:
    [made] = returns(tmp_path)
    wrong = made.replace(b"<MASTER_POINTS_AWARDED>12<", b"<MASTER_POINTS_AWARDED>120<", 1)
    [held] = client.post(f"{V1}/intake", files={"file": wrong}, data=SAID).json()["receipts"]
    assert held["status"] == "held"
    assert f'name="receipt" value="{held["receipt"]}"' in client.get("/ledger/intake").text
    told = {"receipt": held["receipt"], "by": "Eve"}
    asked = client.post("/ledger/intake/decide", data={**told, "decision": "ask"})
    assert "120.00 in the return" in asked.text
    assert client.get(f"{V1}/receipts/{held['receipt']}").json()["asked"]
    decision = {"receipts": [held["receipt"]], "decision": "theirs", "by": "Eve"}
    assert client.post(f"{V1}/receipts/decisions", json=decision).status_code == 422
    done = client.post(f"{V1}/receipts/decisions", json={**decision, "why": "they counted"})
    assert done.json()["decided"][0]["status"] == "posted"
