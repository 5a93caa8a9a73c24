"""A Swiss with byes and triangles, and an evening in several sections."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

import honours
from honours.errors import InputError
from honours.evening.evening import Evening
from honours.evening.plan import EveningPlan, rounds_data, with_movement
from honours.evening.results import event_at_the_end, event_of, uncompared_boards
from honours.evening.seating import seat_faults, with_late_pair
from honours.evening.sections import table_number, with_sections
from honours.evening.store import Evenings, KeptEvening
from honours.evening.swiss_rounds import first_swiss_round, next_swiss_round
from honours.formats.honours_json import write_json
from honours.formats.usebio import write_usebio
from honours.movements.choosing import with_half_table
from honours.movements.generators import any_mitchell, barometer, howell
from honours.movements.movement import Movement
from tests.evening.standing import report_of

CHANCE = random.Random(20)
TEXTS = ("4S N =", "3NT E -1", "2H S +1", "1NT W =", "pass")


def begun(folder: Path, plan: EveningPlan) -> KeptEvening:
    return Evenings(folder).begin(plan, "Dora")


def swiss(kind: str, many: int, per_set: int, triangle: bool = False) -> EveningPlan:
    teams = kind == "teams"
    return EveningPlan(
        "Swiss",
        kind=kind,
        swiss=True,
        scoring="imps" if teams else "cross-imps",
        per_set=per_set,
        movement="swiss",
        rulebook="sbu-clubs-2016",
        rounds=(first_swiss_round(many, per_set, teams, triangle),),
    )


def play(kept: KeptEvening, number: int) -> Evening:
    for place, _ in list(kept.now().places()):
        if place.round == number:
            content = {**place._asdict(), "text": CHANCE.choice(TEXTS), "lead": ""}
            kept.do("correct", "Dora", content=content)
    return kept.now()


def pair(kept: KeptEvening, triangle: bool = False) -> Evening:
    evening = kept.now()
    report, _ = report_of(evening)
    ranking = [standing.entrant.id for standing in report.lists[0].standings]
    ranking += [who for who in evening.entrants if who not in ranking]
    _, seats = next_swiss_round(evening, ranking, triangle)
    content = {"first": len(evening.rounds) + 1, "rounds": rounds_data([seats])}
    return kept.do("seats", "Dora", content=content).evening


def test_a_swiss_of_an_odd_number_is_awarded(tmp_path: Path) -> None:
    """Nine pairs, three matches of seven boards: a bye is worth 12, and who had one played 14."""
    kept = begun(tmp_path, swiss("pairs", 9, 7))
    for number in (1, 2, 3):
        if number > 1:
            pair(kept)
        play(kept, number)
    evening = kept.do("end", "Dora").evening
    byes = [who for one in evening.rounds for s in one if not s.is_played for who in s.ns]
    assert len(set(byes)) == 3
    report, why = report_of(evening)
    assert why == ""
    [awards] = report.awards.lists if report.awards else ()
    assert awards.refusal is None
    paid = {award.standing.entrant.id: award for award in awards.schedule}
    assert len(paid) == 9
    assert all(paid[who].amount == 0 for who in byes)  # 14 boards are fewer than 20
    assert sum(award.amount for award in paid.values()) > 0
    for standing in report.lists[0].standings:
        had_bye = standing.entrant.id in byes
        assert standing.facts["byes"] == had_bye
        assert standing.facts["matches_played"] == (2 if had_bye else 3)
    matches = [m for s in event_of(evening).sessions for m in s.matches]
    assert {(m.home, m.home_vps) for m in matches} == {(who, Fraction(12)) for who in byes}


@pytest.mark.parametrize("kind", ["pairs", "teams"])
def test_a_bye_is_read_back(tmp_path: Path, kind: str) -> None:
    """An evening of an odd number ends in an event with a match against nobody."""
    kept = begun(tmp_path, swiss(kind, 7, 7))
    play(kept, 1)
    event = event_of(kept.do("end", "Dora").evening)
    expected, _ = report_of(kept.now())
    scores = {s.entrant.id: s.score for s in expected.lists[0].standings}
    assert len(scores) == 7
    json, usebio = tmp_path / "swiss.json", tmp_path / "swiss.xml"
    json.write_bytes(write_json((event,)))
    usebio.write_bytes(write_usebio(event).data)
    for path in (json, usebio):
        report = honours.score(honours.read(path))
        assert {s.entrant.id: s.score for s in report.lists[0].standings} == scores


def test_swiss_teams_play_at_two_tables_and_a_triangle_takes_two_rounds(tmp_path: Path) -> None:
    kept = begun(tmp_path, swiss("teams", 7, 6, triangle=True))
    evening = kept.now()
    assert [len(s.boards) for s in evening.rounds[0]] == [6] * 7
    three = {who for s in evening.rounds[0] if s.table > 4 for who in s.entrants}
    assert three == {"5", "6", "7"}
    play(kept, 1)
    evening = pair(kept)
    assert {who for s in evening.rounds[1] if s.table > 4 for who in s.entrants} == three
    assert list(seat_faults(evening.rounds, teams=True)) == []
    play(kept, 2)
    evening = kept.do("end", "Dora").evening
    report, _ = report_of(evening)
    played = {s.entrant.id: s.facts["matches_played"] for s in report.lists[0].standings}
    assert played == {str(n): 2 for n in range(1, 8)}
    assert {s.facts["boards_played"] for s in report.lists[0].standings} == {12}
    met = [frozenset(s.entrants) for one in evening.rounds for s in one]
    assert all(met.count(two) == 2 for two in met)  # both halves, and nobody again


def test_a_triangle_is_not_for_pairs(tmp_path: Path) -> None:
    kept = begun(tmp_path, swiss("pairs", 7, 4))
    play(kept, 1)
    with pytest.raises(InputError, match="for teams"):
        next_swiss_round(kept.now(), [str(n) for n in range(1, 8)], triangle=True)


# --- sections -------------------------------------------------------------------------------------


def in_sections(*movements: Movement, apart: bool = False) -> EveningPlan:
    plan = EveningPlan("Two sections", rulebook="sbu-clubs-2016", sections_apart=apart)
    return with_sections(plan, [with_movement(plan, movement, 3) for movement in movements])


def test_sections_are_seated_side_by_side(tmp_path: Path) -> None:
    kept = begun(tmp_path, in_sections(howell(4, 7), with_half_table(howell(3, 5))))
    evening = kept.now()
    assert evening.tables == (1, 2, 3, 4, 5, 6, 7)
    assert [evening.table_name(table) for table in evening.tables] == [
        *("A1", "A2", "A3", "A4"),
        *("B1", "B2", "B3"),
    ]
    assert table_number(evening.plan.sections, "B2") == 6
    assert evening.entrants[:2] == ("A1", "A2")
    assert evening.entrants[-1] == "B5"
    assert len(evening.rounds) == 7
    assert {s.table for s in evening.rounds[6]} == {1, 2, 3, 4}  # B has five rounds
    late, rounds = with_late_pair(evening, 2)
    assert late == "B6"
    assert list(seat_faults((evening.rounds[0], *rounds))) == []


@pytest.mark.parametrize("apart", [False, True])
def test_sections_are_one_field_or_apart(tmp_path: Path, apart: bool) -> None:
    kept = begun(tmp_path, in_sections(howell(3, 5), howell(3, 5), apart=apart))
    for number in range(1, 6):
        play(kept, number)
    evening = kept.do("end", "Dora").evening
    report, why = report_of(evening)
    assert why == ""
    lists = [sorted(s.entrant.id for s in one.standings) for one in report.lists]
    both = [[f"{letter}{n}" for n in range(1, 7)] for letter in "AB"]
    assert lists == (both if apart else [both[0] + both[1]])
    assert report.scored is not None
    assert {len(board.lines) for board in report.scored.boards} == {3 if apart else 6}


# --- half tables and barometers -------------------------------------------------------------------


@pytest.mark.parametrize("tables", [5, 6, 9])
@pytest.mark.parametrize("side", ["ns", "ew"])
def test_a_half_table_is_without_the_side_that_is_named(tables: int, side: str) -> None:
    movement = with_half_table(any_mitchell(tables), side)
    assert (movement.missing <= tables) == (side == "ns")


def test_a_barometer_stays_one() -> None:
    once = barometer(any_mitchell(5))
    assert barometer(once) == once
    assert [{s.set for s in one} for one in once.rounds] == [{n} for n in range(1, 6)]


# --- the end --------------------------------------------------------------------------------------


def test_a_board_of_one_table_does_not_keep_the_others_from_being_scored(tmp_path: Path) -> None:
    plan = EveningPlan("Left early")
    kept = begun(tmp_path, with_movement(plan, howell(3, 5), 2))
    places = [place for place, _ in kept.now().places()]
    lone = places[0]
    for place in places:
        if place.board != lone.board or place == lone:
            content = {**place._asdict(), "text": "4S N =", "lead": ""}
            kept.do("correct", "Dora", content=content)
    evening = kept.do("end", "Dora").evening
    assert uncompared_boards(evening) == {("", lone.board)}
    report, _ = report_of(evening)
    assert lone.board not in {
        r.board for s in event_at_the_end(evening).sessions for r in s.results
    }
    assert len(report.lists[0].standings) == 6


def test_a_board_of_one_table_in_each_of_two_sections_apart_is_compared_with_nothing(
    tmp_path: Path,
) -> None:
    kept = begun(tmp_path, in_sections(howell(3, 5), howell(3, 5), apart=True))
    places = [place for place, _ in kept.now().places()]
    lone = [place for place in places if place.board == 1 and place.table in (1, 4)]
    assert [kept.now().section_of(place.table) for place in lone] == ["A", "B"]
    for place in places:
        if place.board != 1 or place in lone:
            content = {**place._asdict(), "text": "4S N =", "lead": ""}
            kept.do("correct", "Dora", content=content)
    evening = kept.do("end", "Dora").evening
    assert uncompared_boards(evening) == {("A", 1), ("B", 1)}
    assert 1 not in {r.board for s in event_at_the_end(evening).sessions for r in s.results}
