"""Setting an evening up: sections, teams, a barometer, a file of one's own; and how it ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from honours.evening.plan import EveningPlan, with_movement
from honours.evening.sections import with_sections
from honours.formats.format import BRIDGE
from honours.movements.generators import any_mitchell, howell
from honours.rulebooks import ids, load
from honours.web.settings import Settings
from tests.support import cases
from tests.web.server import client_of

V1 = "/api/v1"
OWN = "4 2 3 3 0\n4-1 1  2-3 1\n4-2 2  3-1 2\n4-3 3  1-2 3\n"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with client_of(Settings(data=tmp_path_factory.mktemp("evenings"))) as client:
        yield client


def begun(client: httpx.Client, **form: str) -> str:
    answer = client.post("/evenings", data={"title": "Tuesday", "boards": "24", **form})
    assert answer.status_code == 303, answer.text[-2000:]
    return answer.headers["location"].split("/")[2]


def tables(client: httpx.Client, evening: str) -> list[dict[str, Any]]:
    answer: list[dict[str, Any]] = client.get(f"{V1}/evenings/{evening}/tables").json()
    return answer


def test_movements_are_compared_for_every_section(client: httpx.Client) -> None:
    asked = {"pairs": "10", "more": "8", "boards": "24", "rulebook": "sbu-clubs-2016"}
    page = client.get("/evenings/movements", params=asked).text
    assert "Section A, 10 pairs" in page
    assert "Section B, 8 pairs" in page
    assert 'name="movement.B"' in page
    radio = r'name="(movement(?:\.B)?)"\s+value="offer:([^"]+)"\s+id="[^"]+"\s+checked'
    chosen = dict(re.findall(radio, page))
    rounds = {field: key.split(":")[1:3] for field, key in chosen.items()}
    [(_, per_round), (_, other)] = rounds.values()
    assert per_round == other  # the room moves together


def test_what_is_no_number_is_refused_at_its_field(client: httpx.Client) -> None:
    answer = client.post("/evenings", data={"title": "Tuesday", "pairs": "8", "boards": "many"})
    assert answer.status_code == 422
    assert "not a number" in answer.text


def test_an_evening_in_two_sections(client: httpx.Client) -> None:
    evening = begun(client, pairs="10", more="8", movement="kind", kind="howell")
    names = [one["name"] for one in tables(client, evening)]
    assert names == ["A1", "A2", "A3", "A4", "A5", "B1", "B2", "B3", "B4"]
    page = client.get(f"/evenings/{evening}").text
    assert "Table B4" in page
    text = client.get(f"/evenings/{evening}/movement").text
    assert "B1: B" in text
    codes = client.get(f"{V1}/evenings/{evening}/codes").json()["tables"]
    assert "Table B1" in client.get(f"/table/{codes['6']}").text


def test_a_mitchell_beside_a_howell_is_two_lines_and_a_section(client: httpx.Client) -> None:
    section = {"pairs": 6, "movement": "howell"}
    asked = {"title": "Both kinds", "pairs": 10, "movement": "mitchell", "boards": 20}
    asked |= {"date": "2016-11-17", "rulebook": "sbu-clubs-2016", "sections": [section]}
    evening = client.post(f"{V1}/evenings", json=asked).json()["id"]
    parts = [
        with_movement(EveningPlan("Both"), movement, 4)
        for movement in (any_mitchell(5), howell(3, 5))
    ]
    places = [
        (round_, one.table, board)
        for round_, tables in enumerate(with_sections(EveningPlan("Both"), parts).rounds, 1)
        for one in tables
        for board in one.boards
    ]
    typed = [
        {"round": round_, "table": table, "board": board, "text": ("4S N =", "3NT E -1")[table % 2]}
        for round_, table, board in places
    ]
    answer = client.post(f"{V1}/evenings/{evening}/lines/several", json={"lines": typed}).json()
    assert all(one["entered"] for one in answer)
    assert client.post(f"{V1}/evenings/{evening}/end").status_code == 201
    page = client.get(f"/events/{evening}").text
    assert [one in page for one in ("Section A, NS", "Section A, EW", "Section B")] == [True] * 3
    awards = client.get(f"/events/{evening}/awards?as_usual=yes").text
    assert "Section A line NS" in awards
    assert "Section B" in awards


@pytest.mark.parametrize("missing", ["ns", "ew"])
def test_the_half_table_is_on_the_side_that_is_wanted(client: httpx.Client, missing: str) -> None:
    evening = begun(client, pairs="9", movement="kind", kind="mitchell", missing=missing)
    half = [one for one in tables(client, evening) if not one["ns"] or not one["ew"]]
    assert [bool(one["ns"]) for one in half] == [missing == "ew"]


def test_swiss_teams_are_seated_at_two_tables(client: httpx.Client) -> None:
    page = client.get("/evenings/movements", params={"pairs": "9", "plays": "teams"}).text
    assert "offer:swiss:4:6:0" in page
    form = {"plays": "teams", "pairs": "9", "movement": "offer:swiss:4:6:0", "triangle": "1"}
    evening = begun(client, **form)
    seated = [(one["ns"], one["ew"]) for one in tables(client, evening)]
    assert seated[:2] == [("1", "4"), ("4", "1")]
    assert seated[-3:] == [("7", "8"), ("8", "9"), ("9", "7")]
    page = client.get(f"/evenings/{evening}/live").text
    assert "Round 1" in page
    assert "Round 1 of" not in page  # which is the last nobody knows yet
    code = client.get(f"{V1}/evenings/{evening}/codes").json()["tables"]["1"]
    assert "The next round is paired by the current ranking" in client.get(f"/table/{code}").text


def test_a_barometer(client: httpx.Client) -> None:
    evening = begun(client, pairs="8", movement="kind", kind="howell", barometer="1")
    slips = client.get(f"/evenings/{evening}/movement").text
    assert slips.count("1–3") == 4  # all four tables play boards 1 to 3 in the first round


def test_a_movement_of_the_clubs_own(client: httpx.Client) -> None:
    sent = {"file": ("own.asc", OWN.encode())}
    form = {"title": "Own", "boards": "6", "pairs": "4"}
    answer = client.post("/evenings", data=form, files=sent)
    assert answer.status_code == 303, answer.text[-2000:]
    evening = answer.headers["location"].split("/")[2]
    assert [(t["ns"], t["ew"]) for t in tables(client, evening)] == [("4", "1"), ("2", "3")]
    asked = {"title": "Own", "boards": 6, "movement_file": OWN}
    assert client.post(f"{V1}/evenings", json=asked).json()["rounds"] == 3
    wrong = {"file": ("own.asc", OWN.replace("3-1 2", "3-1 1").encode())}
    refused = client.post("/evenings", data=form, files=wrong)
    assert refused.status_code == 422
    assert "plays set 1 again" in refused.text


def test_a_rulebook_that_is_not_in_force_is_said_to_be_so(client: httpx.Client) -> None:
    asked = {"pairs": "8", "rulebook": "acbl-sof-2020"}
    assert "proposed" in client.get("/evenings/movements", params=asked).text
    evening = begun(client, pairs="8", rulebook="acbl-sof-2020")
    assert "To post by it, somebody" in client.get(f"/evenings/{evening}").text


def test_names_are_completed_from_the_ledger(client: httpx.Client) -> None:
    client.post("/ledger")
    members = "number,name\n101,Ann Ash\n102,Bob Birch\n"
    lists = {"list": ("members.csv", members.encode())}
    client.post("/ledger/members", files=lists, data={"by": "A. Secretary"})
    evening = begun(client, pairs="8")
    offered = client.get(f"/evenings/{evening}/names/people", params={"q": "bo"}).json()
    assert offered == [{"name": "Bob Birch", "number": "102"}]
    client.post(f"/evenings/{evening}/names", data={"p.1.0": "Ann Ash", "p.1.1": "Somebody"})
    page = client.get(f"/evenings/{evening}/names").text
    assert 'name="n.1.0" value="101"' in page
    assert 'name="n.1.1" value=""' in page


def test_what_was_typed_twice_is_entered_in_its_order(client: httpx.Client) -> None:
    evening = begun(client, pairs="8", movement="kind", kind="howell")
    place = {"round": 1, "table": 1, "board": 1}
    typed = [
        {"key": "first", **place, "text": "4S N =", "seen": 0},
        {"key": "second", **place, "text": "4S N +1", "seen": 1},
        {"key": "third", **place, "text": "9Z N", "seen": 2},
    ]
    path = f"{V1}/evenings/{evening}/lines/several"
    for _ in range(2):  # sent again it is the same
        answer = client.post(path, json={"lines": typed}).json()
        assert [one["entered"] for one in answer] == [True, True, False]
    [line] = client.get(f"{V1}/evenings/{evening}/lines").json()
    assert (line["text"], line["version"]) == ("4S N +1", 2)


@cases
def test_what_is_wrong_is_said_in_the_readers_language(
    client: httpx.Client, fields: dict[str, str], fault: str
) -> None:
    form = {"title": "Mardi", "pairs": "8", "boards": "24", **fields}
    page = client.post("/evenings", data=form, headers={"accept-language": "fr"})
    assert page.status_code == 422
    assert fault in page.text.replace("&#39;", "'")
    assert "should" not in page.text


def test_what_a_rulebook_asks_is_asked_in_fields(client: httpx.Client) -> None:
    asked = {"pairs": "18", "boards": "24", "rulebook": "acbl-general"}
    part = client.get("/evenings/movements", params=asked).text
    assert 'name="g.class"' in part
    form = {**asked, "g.class": "sectional", "asked": "acbl-general class"}
    after = client.get("/evenings/movements", params=form).text
    assert 'name="g.class"' not in after, "fields that stay are not drawn again"
    other = client.get("/evenings/movements", params=form | {"rulebook": "sbu-clubs-2016"}).text
    assert "class" not in re.findall(r"unknown[^<]*", other)
    evening = begun(client, title="Asked", **{k: v for k, v in form.items() if k != "boards"})
    assert 'name="g.class"' in client.get(f"/evenings/{evening}/settings").text


def test_an_evening_of_bridge_is_offered_rulebooks_of_bridge(client: httpx.Client) -> None:
    page = client.get("/evenings/new").text
    offered = {name for name in ids() if f'value="{name}"' in page}
    assert offered == {name for name in ids() if load(name).game in ("", BRIDGE)}
    assert "egf-2021" not in offered
