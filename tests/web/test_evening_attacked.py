"""Somebody who wants to see a board before they have played it: with a phone, or as a director."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from honours.web import routes
from honours.web.settings import Settings
from tests.support import cases
from tests.web.server import client_of
from tests.web.test_evening import DEAL, V1, Phone, set_up

HIDDEN = "6C W -3"
"""A result that stands nowhere else on any page."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with client_of(Settings(data=tmp_path_factory.mktemp("evenings"))) as client:
        yield client


def with_hands(client: httpx.Client, evening: str) -> None:
    hands = "".join(f'[Board "{n}"]\n[Dealer "N"]\n[Deal "{DEAL}"]\n\n' for n in range(1, 15))
    sent = client.post(f"{V1}/evenings/{evening}/hands", files={"file": ("h.pbn", hands.encode())})
    assert sent.status_code == 201, sent.text


def looks(phone: Phone, board: int) -> bool:
    """Whether a table is shown a board's results and hands."""
    answer = phone.client.get(f"{phone.path}/boards/{board}", headers=phone.headers).json()
    assert bool(answer["deal"]) != answer["hidden"]
    return not answer["hidden"]


def test_a_phone_sees_no_board_that_its_table_has_not_played(client: httpx.Client) -> None:
    evening = set_up(client)
    with_hands(client, evening)
    phone = Phone(client, evening, 2)
    first, later = phone.boards(1), phone.boards(2)
    assert phone.sends("result", phone.boards(5)[0], round=5, text="pass").status_code == 422
    # A board of the next round, entered and confirmed by whoever holds the phone.
    phone.sends("result", later[0], round=2, text="pass")
    assert phone.sends("confirm", later[0], round=2, side="EW", seen=1).status_code == 200
    assert not looks(phone, later[0])
    # One that was not played may still be.
    phone.sends("result", first[0], text="np")
    phone.sends("confirm", first[0], side="EW", seen=1)
    assert not looks(phone, first[0])
    page = client.get(f"/table/{phone.headers['authorization'].split()[1]}").text
    assert DEAL[2:20] not in page + phone.client.get(phone.path, headers=phone.headers).text


def test_who_changes_a_board_after_seeing_it_is_looked_at(client: httpx.Client) -> None:
    evening = set_up(client)
    with_hands(client, evening)
    phone = Phone(client, evening, 1)
    board = phone.boards()[0]
    phone.sends("result", board, text="pass")
    phone.sends("confirm", board, side="EW", seen=1)
    assert looks(phone, board)
    phone.sends("result", board, text="3NT N =", seen=_version(phone, board))
    phone.sends("confirm", board, side="EW", seen=_version(phone, board))
    page = client.get(f"/evenings/{evening}").text
    assert "changed by the table after it was confirmed" in page


def _version(phone: Phone, board: int) -> int:
    [line] = [one for one in phone.state()["lines"] if one["board"] == board]
    version: int = line["version"]
    return version


def test_a_playing_director_sees_it_nowhere(client: httpx.Client) -> None:
    """Every address of the evening that can be looked at, by whoever plays as pair 1."""
    evening = set_up(client, playing="1")
    codes = client.get(f"{V1}/evenings/{evening}/codes").json()["tables"]
    with_hands(client, evening)
    board = _enters_elsewhere(client, evening, codes)
    looked_at = 0
    for route in routes.every_route():
        if "GET" not in (route.methods or ()) or "{evening_id}" not in route.path:
            continue
        if route.path.endswith("/stream"):
            continue
        for table in codes:
            path = route.path.replace("{evening_id}", evening).replace("{table}", table)
            path = re.sub(r"\{[^}]+\}", str(board), path)
            for prefix in ("", V1):
                text = client.get(prefix + path).text
                assert HIDDEN not in text, prefix + path
                assert DEAL[2:20] not in text, prefix + path
                looked_at += 1
    assert looked_at > 50
    assert client.get(f"{V1}/evenings/{evening}/codes").status_code == 422
    assert client.get(f"/evenings/{evening}/download/table-cards.pdf").status_code == 422
    settings = client.get(f"/evenings/{evening}/settings").text
    assert not any(code in settings for code in codes.values())


def _enters_elsewhere(client: httpx.Client, evening: str, codes: dict[str, str]) -> int:
    """A result at a table where pair 1 does not sit, on a board it has still to play."""
    for table, code in codes.items():
        phone = Phone(client, evening, int(table), code)
        seats = phone.state()["rounds"][0]["seats"][0]
        if "1" not in (*seats["ns"], *seats["ew"]):
            board = phone.boards()[0]
            phone.sends("result", board, text=HIDDEN)
            phone.sends("confirm", board, side="EW", seen=1)
            return board
    raise AssertionError(codes)


def test_a_playing_director_gets_it_by_no_trick(client: httpx.Client) -> None:
    evening = set_up(client, playing="1")
    codes = client.get(f"{V1}/evenings/{evening}/codes").json()["tables"]
    board = _enters_elsewhere(client, evening, codes)
    for table in codes:  # what holds is told to who was not first
        entry = {"key": f"trick {table}", "kind": "result", "board": board, "text": "pass"}
        answer = client.post(f"{V1}/evenings/{evening}/tables/{table}/entries", json=entry)
        assert answer.status_code == 422
        assert HIDDEN not in answer.text
        line = {"round": 1, "table": int(table), "board": board, "text": "pass", "seen": 0}
        assert HIDDEN not in client.post(f"{V1}/evenings/{evening}/lines", json=line).text
    ruling = {"kind": "adjust", "board": f"0{board}", "pair": "2", "ns": "ave+", "ew": "ave-"}
    preview = client.post(f"/evenings/{evening}/rulings/preview", data={**ruling, "by": "Dora"})
    assert "still to play" in preview.text
    kept = client.post(f"/evenings/{evening}/settings", data={"playing": ""})
    assert kept.status_code == 422  # only somebody else can say that they do not play
    assert client.get(f"{V1}/evenings/{evening}/lines").json() == []


@cases
def test_a_number_too_long_to_be_meant_is_no_failure(
    client: httpx.Client, form: str, field: str, more: dict[str, str]
) -> None:
    evening = set_up(client)
    sent = client.post(f"/evenings/{evening}/{form}", data={field: "9" * 5000, **more})
    assert sent.status_code in (200, 303, 422), sent.text
