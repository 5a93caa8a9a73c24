"""Bridgemates run by an evening, played on simulated devices, with faults at every message."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import honours
from honours.cli import cli
from honours.errors import InputError
from honours.evening.board_lines import CONFIRMED, DISPUTED, BoardPlace, tidy_outcome
from honours.evening.bridgemates import (
    DEVICE,
    Command,
    Connector,
    ConnectorError,
    DeviceResult,
    Devices,
    cards_of,
    device_result,
    event_data,
    open_channel,
)
from honours.evening.live import to_look_at
from honours.evening.plan import EveningPlan, rounds_data, with_movement
from honours.evening.results import event_at_the_end
from honours.evening.sections import with_sections
from honours.evening.store import Evenings, KeptEvening
from honours.formats.honours_json import write_json
from honours.ledger.store import create_ledger
from honours.movements.generators import any_mitchell, howell
from honours.web.evening.told import grid_told
from tests.evening.connector import StandIn
from tests.support import cases


@pytest.fixture
def stand_in(tmp_path: Path) -> Iterator[StandIn]:
    with StandIn(tmp_path / "connector").listening() as one:
        yield one
        for client in one.clients:
            client.close()


def begun(folder: Path, tables: int = 4, per_set: int = 2) -> KeptEvening:
    plan = with_movement(
        EveningPlan("Tuesday", "2026-11-17"), any_mitchell(tables, tables), per_set
    )
    return Evenings(folder).begin(plan, "D")


def devices_of(kept: KeptEvening, stand_in: StandIn) -> Devices:
    connector = connector_of(kept, stand_in)
    stand_in.clients.append(connector)
    return Devices(kept, connector)


def connector_of(kept: KeptEvening, stand_in: StandIn) -> Connector:
    return Connector(open_channel(str(stand_in.path)), kept.id)


def sent(
    place: BoardPlace, ns: str, ew: str, level: int = 4, tricks: int = 10
) -> dict[str, object]:
    """4♠ by North."""
    return {
        "SectionLetters": "A",
        "TableNumber": place.table,
        "RoundNumber": place.round,
        "BoardNumber": place.board,
        "PairNorthSouth": int(ns),
        "PairEastWest": int(ew),
        "DeclarerDirection": 1,
        "Level": level,
        "Denomination": 4,
        "Stake": 0,
        "TotalTricks": tricks,
    }


def test_an_evening_of_nine_tables_survives_a_hundred_faults(
    tmp_path: Path, stand_in: StandIn
) -> None:
    chance = random.Random(7)
    kept = begun(tmp_path, tables=9, per_set=3)
    played = {p: (s.ns[0], s.ew[0], 7 + chance.randrange(7)) for p, s in kept.now().places()}
    waiting = list(played.items())
    # Faults at random requests, before the connector has done what it was asked and after.
    stand_in.faults = {n: chance.choice(("before", "after")) for n in range(1, 600, 6)}
    faults, connector = len(stand_in.faults), None
    while waiting or stand_in.waiting() or stand_in.faults:
        for place, (ns, ew, tricks) in waiting[:3]:
            stand_in.send(**sent(place, ns, ew, tricks=tricks))
        waiting = waiting[3:]
        try:
            if connector is None:
                connector = connector_of(kept, stand_in)
                devices = Devices(kept, connector)
                devices.begin()
            taken = devices.take_results()
            for _ in taken:
                if chance.random() < 0.02:
                    raise ConnectorError("our own side is killed")
            devices.take_players()
        except ConnectorError:
            if connector is not None:
                connector.close()
            connector = None
    assert faults == 100
    if connector is not None:
        connector.close()
    lines = {p: (n.ns, n.ew, n.text) for p, n in kept.now().lines.items()}
    assert lines == {
        p: ((ns,), (ew,), tidy_outcome(f"4S N {tricks}")) for p, (ns, ew, tricks) in played.items()
    }
    journal = (kept.folder / "journal.jsonl").read_text(encoding="utf-8")
    assert journal.count('"kind":"device"') == len(played) == 9 * 9 * 3
    assert {line.version for line in kept.now().lines.values()} == {1}
    begins = Counter(c for c in stand_in.commands if c in (5, 31))
    assert begins[Command.CONTINUE_EVENT] > begins[Command.INITIALIZE_EVENT]
    names = {
        who: [{"name": f"{who} {part}", "number": f"{who}{part}"} for part in "XY"]
        for who in kept.now().entrants
    }
    kept.do("names", "D", content={"names": names})
    file = tmp_path / "tuesday.json"
    file.write_bytes(write_json((event_at_the_end(kept.now()),)))
    report = honours.award(
        honours.score(honours.read(file)), "acbl-clubs-2023", {"game": "club"}, as_usual=True
    )
    ledger = create_ledger(str(tmp_path / "club.db"))
    outcome = honours.post(report, ledger, "D")
    assert report.awards is not None
    paid = [100 * amount for e in report.awards.combined if (amount := report.awards.amount(e))]
    assert sorted(line.amount for line in outcome.lines) == sorted([*paid, *paid])
    assert len(paid) == 8
    again = honours.post(report, ledger, "D")
    assert (again.record, again.status) == (outcome.record, "already posted")


def test_the_movement_is_sent_and_its_changes_after_it(tmp_path: Path, stand_in: StandIn) -> None:
    kept = begun(tmp_path)
    names = {"1": [{"name": "Ann Ash", "number": "7"}, {"name": "Bob", "number": ""}]}
    kept.do("names", "D", content={"names": names})
    devices = devices_of(kept, stand_in)
    devices.begin()
    [event] = stand_in.events
    [section] = event["Sessions"][0]["ScoringGroups"][0]["Sections"]
    assert (section["Letters"], section["Winners"], len(section["Tables"])) == ("A", 2, 4)
    first = section["Tables"][0]["Rounds"][0]
    assert (first["LowBoardNumber"], first["HighBoardNumber"]) == (1, 2)
    assert devices.tell_changes() == 0
    rounds = rounds_data(kept.now().rounds[1:])
    for one in rounds[1]:
        one["ns"], one["ew"] = one["ew"], one["ns"]
    kept.do("seats", "D", content={"first": 2, "rounds": rounds})
    assert devices.tell_changes() == 1
    assert stand_in.sections[0]["Tables"][0]["Rounds"][2]["PairNS"] == int(rounds[1][0]["ns"][0])
    devices.end()
    assert stand_in.commands[-1] == Command.DISCONNECT


def test_sections_have_their_letters_and_own_table_numbers(tmp_path: Path) -> None:
    parts = [with_movement(EveningPlan("x"), any_mitchell(n, n), 2) for n in (3, 5)]
    kept = Evenings(tmp_path).begin(with_sections(EveningPlan("x", "2026-11-17"), parts), "D")
    [group] = event_data(kept.now())["Sessions"][0]["ScoringGroups"]
    sections = group["Sections"]
    assert [(s["Letters"], [t["TableNumber"] for t in s["Tables"]]) for s in sections] == [
        ("A", [1, 2, 3]),
        ("B", [1, 2, 3, 4, 5]),
    ]
    line = {**sent(BoardPlace(1, 2, 3), "2", "2"), "SectionLetters": "B"}
    result = device_result(kept.now(), line)
    assert (result.place.table, result.ns, result.ew) == (5, "B2", "B2")


def test_what_a_person_entered_is_never_replaced(tmp_path: Path, stand_in: StandIn) -> None:
    kept = begun(tmp_path)
    (same, seats), (other, others), *_ = kept.now().places()
    for place in (same, other):
        kept.do("correct", "D", content={**place._asdict(), "text": "4S N ="})
    devices = devices_of(kept, stand_in)
    devices.begin()
    stand_in.send(**sent(same, seats.ns[0], seats.ew[0]))
    stand_in.send(**sent(other, others.ns[0], others.ew[0], tricks=9))
    list(devices.take_results())
    lines = kept.now().lines
    assert (lines[same].state, lines[same].rival) == (CONFIRMED, "")
    assert (lines[other].text, lines[other].state) == ("4S N =", DISPUTED)
    assert lines[other].rival == "4S N -1"
    assert [line.place for line, _ in to_look_at(kept.now())] == [other]
    in_doubt = [one for one in grid_told(kept.now(), frozenset(), {}, "en").lines if one.doubtful]
    assert [one.offers for one in in_doubt] == [["4S N =", "4S N -1"]]
    kept.do("correct", "D", content={**other._asdict(), "text": "4S N -1"})
    assert to_look_at(kept.now()) == []


def test_a_device_may_correct_itself_and_a_stray_is_kept(tmp_path: Path, stand_in: StandIn) -> None:
    kept = begun(tmp_path)
    place, seats = next(kept.now().places())
    devices = devices_of(kept, stand_in)
    devices.begin()
    for tricks in (10, 11):
        stand_in.send(**sent(place, seats.ns[0], seats.ew[0], tricks=tricks))
    stand_in.send(**sent(place, seats.ew[0], seats.ns[0]))
    stand_in.send(**sent(place._replace(board=99), seats.ns[0], seats.ew[0]))
    stand_in.send(**{**sent(place, "1", "2"), "TableNumber": "?"})
    assert len(list(devices.take_results())) == 4
    assert list(devices.take_results()) == []
    line = kept.now().lines[place]
    assert (line.text, line.by, line.version) == ("4S N +1", DEVICE, 2)
    assert [one.get("board") for one in kept.now().strays] == [place.board, 99, None]


def test_what_could_never_be_accepted_is_not_taken(
    tmp_path: Path, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = begun(tmp_path)
    devices = devices_of(kept, stand_in)
    devices.begin()
    answer = {"RequestCommand": 19, "DataType": 12, "ErrorType": 0, "SerializedData": "[{}]"}
    monkeypatch.setattr(Connector, "ask", lambda *_: answer)
    with pytest.raises(ConnectorError, match="cannot be accepted"):
        list(devices.take_results())
    assert kept.now().lines == {}


@cases
def test_levels_that_are_no_contracts(tmp_path: Path, level: int, text: str) -> None:
    now = begun(tmp_path).now()
    place, seats = next(now.places())
    line = sent(place, seats.ns[0], seats.ew[0], level=level)
    result = device_result(now, line)
    assert result == DeviceResult(place, seats.ns[0], seats.ew[0], text)
    tidy_outcome(result.text)


def test_numbers_typed_at_the_tables_name_the_players(tmp_path: Path, stand_in: StandIn) -> None:
    kept = begun(tmp_path)
    devices = devices_of(kept, stand_in)
    devices.begin()
    at = {"SectionLetters": "A", "TableNumber": 1}
    for direction, number in ((1, "4001"), (3, "4002")):
        stand_in.type_number(**at, Direction=direction, PlayerNumber=number)
    assert devices.take_players() == 2
    assert devices.take_players() == 0
    ns = kept.now().at_table(1, 1)[0].ns[0]
    assert [player.number for player in kept.now().names[ns]] == ["4001", "4002"]


def test_what_devices_cannot_be_told_is_refused_by_name(tmp_path: Path) -> None:
    turned = with_movement(EveningPlan("x", "2026-11-17"), any_mitchell(5, 4), 3)
    individual = EveningPlan("x", "2026-11-17", kind="teams", rounds=turned.rounds)
    kept = Evenings(tmp_path).begin(individual, "D")
    with pytest.raises(InputError, match="of another kind"):
        event_data(kept.now())
    with pytest.raises(ConnectorError, match="no connector"):
        open_channel(str(tmp_path / "nobody"))


def test_the_command_starts_them_and_takes_their_results_in(
    tmp_path: Path, stand_in: StandIn
) -> None:
    kept = begun(tmp_path)
    place, seats = next(kept.now().places())
    stand_in.send(**sent(place, seats.ns[0], seats.ew[0]))
    where = ("--data", str(tmp_path), "--connector", str(stand_in.path), "--times", "1")
    done = CliRunner().invoke(cli, ["bridgemates", kept.id, *where])
    assert done.exit_code == 0, done.output
    assert kept.now().lines[place].by == DEVICE
    assert stand_in.commands[-1] == Command.DISCONNECT
    unknown = CliRunner().invoke(cli, ["bridgemates", "nothing", *where])
    assert unknown.exit_code != 0


def test_a_howell_is_sent_too(tmp_path: Path) -> None:
    plan = with_movement(EveningPlan("x", "2026-11-17"), howell(4), 2)
    kept = Evenings(tmp_path).begin(plan, "D")
    [section] = event_data(kept.now())["Sessions"][0]["ScoringGroups"][0]["Sections"]
    assert section["Winners"] == 1


DEAL = "E:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


def test_names_and_hands_are_sent_before_play_and_when_they_change(
    tmp_path: Path, stand_in: StandIn
) -> None:
    kept = begun(tmp_path)
    names = {"1": [{"name": "Ann Ash", "number": "7"}, {"name": "Bob", "number": ""}]}
    kept.do("names", "D", content={"names": names})
    devices = devices_of(kept, stand_in)
    devices.begin()
    by_number, by_name = stand_in.seats[:2]
    assert (by_number["PlayerNumber"], by_number["Direction"]) == ("7", 1)
    assert (by_name["LastName"], by_name["Direction"]) == ("Bob", 3)
    assert stand_in.known == {"7"}
    assert (stand_in.hands, devices.tell_changes()) == ([], 0)
    kept.do("deals", "D", content={"deals": {"3": DEAL}})
    names["1"][1]["number"] = "8"
    kept.do("names", "D", content={"names": names})
    # Another start of ours tells what changed while nobody was there to tell it.
    again = devices_of(kept, stand_in)
    devices.end()
    again.begin()
    assert (again.tell_changes(), again.tell_changes()) == (3, 0)
    assert stand_in.known == {"7", "8"}
    [hands] = stand_in.hands
    assert (hands["BoardNumber"], hands["EastSpades"], hands["NorthClubs"]) == (
        3,
        "AKQJT98765432",
        "AKQJT98765432",
    )


@pytest.mark.parametrize(("deal", "hands"), [("", 0), (DEAL, 4), (DEAL.replace("...A", "A"), 0)])
def test_hands_are_sent_only_whole(deal: str, hands: int) -> None:
    assert len(cards_of(deal)) == hands


def test_a_batch_of_which_half_was_kept_is_taken_once(tmp_path: Path, stand_in: StandIn) -> None:
    kept = begun(tmp_path)
    place, seats = next(kept.now().places())
    devices = devices_of(kept, stand_in)
    devices.begin()
    for tricks in (10, 11, 10):
        stand_in.send(**sent(place, seats.ns[0], seats.ew[0], tricks=tricks))
    next(devices.take_results())  # and ours is killed
    devices.end()
    again = devices_of(kept, stand_in)
    again.begin()
    stand_in.send(**sent(place, seats.ns[0], seats.ew[0], tricks=12))
    assert len(list(again.take_results())) == 4
    line = kept.now().lines[place]
    assert (line.text, line.version) == ("4S N +2", 4)
    assert stand_in.waiting() == 0


def test_a_result_that_a_device_takes_back_is_the_directors(
    tmp_path: Path, stand_in: StandIn
) -> None:
    kept = begun(tmp_path)
    place, seats = next(kept.now().places())
    devices = devices_of(kept, stand_in)
    devices.begin()
    stand_in.send(**sent(place, seats.ns[0], seats.ew[0]))
    stand_in.send(**sent(place, seats.ns[0], seats.ew[0]), IsDeleted=True)
    assert len(list(devices.take_results())) == 1
    assert len(kept.now().strays) == 1
    assert kept.now().lines[place].text == "4S N ="
