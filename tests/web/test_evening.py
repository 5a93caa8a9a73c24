"""An evening through the API and its pages: phones, paper, the director, what each may see."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import httpx
import pytest

from honours.web.settings import Settings
from tests.support import cases
from tests.web.server import client_of

V1 = "/api/v1"
DEAL = "N:AK2.AK2.AK2.AK32 QJ3.QJ3.QJ3.QJT4 T94.T94.T94.9876 8765.8765.8765.5"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """One server for all: evenings have nothing to do with each other."""
    with client_of(Settings(data=tmp_path_factory.mktemp("evenings"))) as client:
        yield client


def set_up(client: httpx.Client, **more: Any) -> str:
    asked = {"title": "Tuesday pairs", "pairs": 8, "movement": "howell", "boards": 14, **more}
    answer = client.post(f"{V1}/evenings", json=asked)
    assert answer.status_code == 201, answer.text
    made: str = answer.json()["id"]
    return made


class Phone:
    """A table's phone: what its page would send."""

    def __init__(self, client: httpx.Client, evening: str, table: int, code: str = "") -> None:
        self.client, self.path = client, f"{V1}/evenings/{evening}/tables/{table}"
        codes = client.get(f"{V1}/evenings/{evening}/codes").json()["tables"] if not code else {}
        self.headers = {"authorization": f"Table {code or codes[str(table)]}"}
        self.count = 0

    def state(self) -> dict[str, Any]:
        answer: dict[str, Any] = self.client.get(self.path, headers=self.headers).json()
        return answer

    def sends(self, kind: str, board: int, **more: Any) -> httpx.Response:
        self.count += 1
        entry = {"key": f"{self.path}-{self.count}", "kind": kind, "board": board, **more}
        return self.client.post(f"{self.path}/entries", json=entry, headers=self.headers)

    def boards(self, number: int = 1) -> list[int]:
        seats = self.state()["rounds"][number - 1]["seats"]
        return [one["board"] for several in seats for one in several["boards"]]


def test_a_table_enters_and_the_other_side_confirms(client: httpx.Client) -> None:
    phone = Phone(client, set_up(client), 1)
    board = phone.boards()[0]
    line = phone.sends("result", board, text="4s n +1").json()["line"]
    assert (line["text"], line["state"], line["version"]) == ("4S N +1", "entered", 1)
    again = phone.sends("confirm", board, side="EW", seen=1)
    assert again.json()["line"]["state"] == "confirmed"


def test_a_conflict_shows_what_holds(client: httpx.Client) -> None:
    phone = Phone(client, set_up(client), 1)
    board = phone.boards()[0]
    phone.sends("result", board, text="3NT S =")
    other = phone.sends("result", board, text="3NT S +1")
    assert other.status_code == 409
    assert other.json()["line"]["text"] == "3NT S ="


@cases
def test_what_cannot_be_is_refused_at_once(
    client: httpx.Client, more: dict[str, Any], message: str
) -> None:
    phone = Phone(client, set_up(client), 1)
    entry = {"board": phone.boards()[0], **more}
    answer = phone.sends("result", **entry)
    assert answer.status_code == 422
    assert message in answer.json()["detail"]


def test_what_can_hardly_be_is_asked_and_kept(client: httpx.Client) -> None:
    evening = set_up(client, leads=True)
    phone = Phone(client, evening, 1)
    board = phone.boards()[0]
    pbn = f'[Board "{board}"]\n[Deal "{DEAL}"]\n'.encode()
    kept = client.post(f"{V1}/evenings/{evening}/hands", files={"file": ("hands.pbn", pbn)})
    assert kept.json() == {"boards": 1}, kept.text
    line = phone.sends("result", board, text="4S N =", lead="SA").json()["line"]
    assert line["questions"] == [f"East does not hold ♠A on board {board}"]
    missing = client.get(f"{V1}/evenings/{evening}/missing").json()
    assert [one["board"] for one in missing["doubtful"]] == [board]
    # Nobody sees a hand before their table has confirmed, and the table that asks is told nothing.
    hidden = client.get(f"{phone.path}/boards/{board}", headers=phone.headers).json()
    assert hidden == {"board": board, "hidden": True, "lines": [], "deal": ""}
    assert DEAL not in str(phone.state())
    phone.sends("confirm", board, side="EW", seen=1, sure=True)
    so_far = client.get(f"{phone.path}/boards/{board}", headers=phone.headers).json()
    assert so_far["deal"] == DEAL
    assert [one["text"] for one in so_far["lines"]] == ["4S N ="]
    assert client.get(f"{V1}/evenings/{evening}/missing").json()["doubtful"] == []


def test_when_others_sit_there_the_board_is_hidden_again(client: httpx.Client) -> None:
    evening = set_up(client)
    phone = Phone(client, evening, 1)
    for board in phone.boards(1):
        phone.sends("result", board, text="1NT N =")
        phone.sends("confirm", board, side="EW", seen=1)
    assert not client.get(f"{phone.path}/boards/{phone.boards(1)[0]}").json()["hidden"]
    phone.sends("result", phone.boards(2)[0], round=2, text="pass")
    assert client.get(f"{phone.path}/boards/{phone.boards(1)[0]}").json()["hidden"]


def test_a_code_works_for_its_table_and_evening_only(client: httpx.Client) -> None:
    evening, other = set_up(client), set_up(client)
    phone = Phone(client, evening, 1)
    code = phone.headers["authorization"].removeprefix("Table ")
    for path in (f"{evening}/tables/2", f"{other}/tables/1"):
        answer = client.get(f"{V1}/evenings/{path}", headers=phone.headers)
        assert answer.status_code == 404
    assert client.get(f"/table/{code}").status_code == 200
    assert client.get(f"/table/{code[:-1]}x").status_code == 404
    assert client.get(f"/screen/{code}").status_code == 404
    client.post(f"{V1}/evenings/{evening}/codes")
    assert client.get(f"/table/{code}").status_code == 404
    assert phone.sends("call", 1).status_code == 404


# --- the director ---------------------------------------------------------------------------------


def play(client: httpx.Client, evening: str) -> None:
    """Everybody plays; what the scorer types is confirmed."""
    lines = _places(client, evening)
    for n, (number, table, board) in enumerate(lines):
        text = ["4S N =", "3NT S -1", "2H E +1", "pass"][(n + board) % 4]
        body = {"round": number, "table": table, "board": board, "text": text}
        assert client.post(f"{V1}/evenings/{evening}/lines", json=body).status_code == 200


def _places(client: httpx.Client, evening: str) -> list[tuple[int, int, int]]:
    tables = [one["table"] for one in client.get(f"{V1}/evenings/{evening}/tables").json()]
    return [
        (one["round"], table, board["board"])
        for table in tables
        for one in client.get(f"{V1}/evenings/{evening}/tables/{table}").json()["rounds"]
        for seats in one["seats"]
        for board in seats["boards"]
    ]


def test_an_evening_ends_as_an_event(client: httpx.Client) -> None:
    evening = set_up(client, rulebook="sbu-clubs-2016", standings="always", boards=28)
    names = {"1": [{"name": "Ann Ash"}, {"name": "Bob Birch"}]}
    client.post(f"{V1}/evenings/{evening}/names", json={"names": names})
    play(client, evening)
    ruling = {"kind": "penalty", "pair": "1", "amount": "10", "by": "D", "why": "late"}
    made = client.post(f"{V1}/evenings/{evening}/rulings", json=ruling)
    assert made.status_code == 201, made.text
    live = client.get(f"{V1}/evenings/{evening}/standings").json()
    ended = client.post(f"{V1}/evenings/{evening}/end").json()
    event = client.get(f"{V1}/events/{ended['event']}").json()
    assert len(client.get(f"{V1}/events/{ended['event']}/rulings").json()["rulings"]) == 1
    shown = [(row["pair"], row["score"]) for row in live["lists"][0]["rows"]]
    scores = [(s["entrant"], Fraction(s["score"])) for s in event["rankings"][0]["standings"]]
    assert [(who, round(score, 2)) for who, score in scores] == [
        (who, Fraction(score)) for who, score in shown
    ]
    assert any("Ann Ash" in str(row) for row in live["lists"][0]["rows"])
    awarded = client.post(
        f"{V1}/events/{ended['event']}/awards",
        json={"rulebook": "sbu-clubs-2016", "as_usual": True},
    )
    assert awarded.status_code == 200, awarded.text
    # A correction after the end is in the event too, its rulings stay.
    number, table, board = _places(client, evening)[0]
    changed = {"round": number, "table": table, "board": board, "text": "7NT N ="}
    client.post(f"{V1}/evenings/{evening}/lines", json=changed)
    after = client.get(f"{V1}/events/{ended['event']}").json()
    assert after["rankings"] != event["rankings"]
    assert len(client.get(f"{V1}/events/{ended['event']}/rulings").json()["rulings"]) == 1
    reopened = client.post(f"{V1}/evenings/{evening}/reopen").json()
    assert (reopened["ended"], reopened["event"]) == ("", "")
    assert client.get(f"{V1}/events/{ended['event']}").status_code == 404


def test_what_is_missing_at_the_end_is_named(client: httpx.Client) -> None:
    evening = set_up(client)
    client.post(f"{V1}/evenings/{evening}/rounds", json={"round": 1})
    play(client, evening)
    number, table, board = _places(client, evening)[-1]
    taken_out = {"round": number, "table": table, "board": board, "text": ""}
    client.post(f"{V1}/evenings/{evening}/lines", json=taken_out)
    assert "1 result is still missing. Has play" in client.get(f"/evenings/{evening}").text
    client.post(f"{V1}/evenings/{evening}/end")
    page = client.get(f"/evenings/{evening}").text
    assert "1 result is still missing." in page
    assert f"Board {board}, table {table}, round {number}" in page
    assert "data-ends" not in page


def test_a_late_pair_and_another_movement(client: httpx.Client) -> None:
    evening = set_up(client, pairs=9, movement="mitchell", boards=25)
    asked = {"first": 2, "players": [{"name": "Zoe"}, {"name": "Yan"}]}
    answer = client.post(f"{V1}/evenings/{evening}/late-pair", json=asked)
    assert answer.json() == {"pair": "10"}
    rounds = client.get(f"{V1}/evenings/{evening}/tables/1").json()["rounds"]
    seats = [{"table": 1, "ns": ["1"], "ew": ["2"], "boards": [90]}]
    changed = client.post(f"{V1}/evenings/{evening}/seats", json={"first": 5, "rounds": [seats]})
    assert (changed.status_code, len(rounds)) == (201, 5)
    page = client.get(f"/evenings/{evening}/movement")
    assert "90" in page.text


def test_who_came_late_is_told_where_to_sit(client: httpx.Client) -> None:
    evening = set_up(client, pairs=11, movement="offer:three-quarter-howell:8:3:0", boards=24)
    assert "Nobody has number" in client.get(f"/evenings/{evening}/names").text
    late = {"first": "2", "players": ["Zoe", "Yan"]}
    page = client.post(f"/evenings/{evening}/late-pair", data=late, follow_redirects=True)
    assert "They are pair" in page.text
    assert "Nobody has number" not in client.get(f"/evenings/{evening}/names").text


def test_a_swiss_pairs_by_how_it_stands(client: httpx.Client) -> None:
    evening = set_up(client, movement="swiss", pairs=6, boards=8)
    for _ in range(3):
        play(client, evening)
        answer = client.post(f"{V1}/evenings/{evening}/swiss-round")
        assert answer.status_code == 201, answer.text
    met = [
        frozenset((*seats["ns"], *seats["ew"]))
        for table in (1, 2, 3)
        for one in client.get(f"{V1}/evenings/{evening}/tables/{table}").json()["rounds"]
        for seats in one["seats"]
    ]
    assert len(met) == len(set(met)) == 12


@pytest.mark.parametrize("what", ["table-cards", "guide-cards", "travellers", "score-slips"])
def test_paper_can_be_printed(client: httpx.Client, what: str) -> None:
    evening = set_up(client)
    answer = client.get(f"/evenings/{evening}/download/{what}.pdf")
    assert answer.content.startswith(b"%PDF-")


def test_a_file_that_grows_is_read_again(client: httpx.Client) -> None:
    evening = set_up(client, pairs=0, movement="", watched=True, rulebook="sbu-clubs-2016")
    head = "title Tuesday\nboard 1\n1 2 4S N =\n3 4 4S N +1\n"
    path = f"{V1}/evenings/{evening}/file"

    def sent(text: str) -> bool:
        answer = client.put(path, files={"file": ("tuesday.txt", text.encode())})
        assert answer.status_code == 200, answer.text
        is_new: bool = answer.json()["new"]
        return is_new

    assert [sent(head), sent(head), sent(head + "5 6 pass\n")] == [True, False, True]
    rows = client.get(f"{V1}/evenings/{evening}/standings").json()["lists"][0]["rows"]
    assert len(rows) == 3
    assert client.put(path, files={"file": ("x.txt", b"\x00\x01")}).status_code == 422
    ended = client.post(f"{V1}/evenings/{evening}/end").json()
    assert client.get(f"{V1}/events/{ended['event']}").status_code == 200


@pytest.mark.parametrize(
    ("kind", "many", "boards"),
    [("american-whist", 5, 10), ("round-robin", 4, 12), ("individual", 8, 14)],
)
def test_teams_and_individuals_play_too(
    client: httpx.Client, kind: str, many: int, boards: int
) -> None:
    evening = set_up(client, movement=kind, pairs=many, boards=boards)
    play(client, evening)
    client.post(f"{V1}/evenings/{evening}/end")
    [ranking] = client.get(f"{V1}/evenings/{evening}/standings").json()["lists"]
    assert len(ranking["rows"]) == many
    contents = client.get(f"{V1}/events/{evening}").json()["found"][0]
    assert "without a result" not in contents["results"]


def test_a_team_is_called_by_its_name(client: httpx.Client) -> None:
    asked = {"title": "Teams", "kind": "teams", "pairs": 4, "boards": 24, "date": "2026-03-05"}
    evening = client.post("/api/v1/evenings", json=asked).json()["id"]
    client.post(f"/evenings/{evening}/names", data={"t.1": "The Rooks", "p.1.0": "Ann Ash"})
    assert 'value="The Rooks"' in client.get(f"/evenings/{evening}/names").text
