"""What a line of a traveller gives each side, and what of it a correction keeps."""

from dataclasses import replace
from fractions import Fraction

from honours.model import AdjustedScore, Contract, Denomination, Seat
from honours.scoring.movement import directions
from honours.scoring.rulings import Correct, Where, as_teams, change
from honours.scoring.scored import Side, comparable, table_score
from tests.scoring.events import AVERAGE, event, line, weighted

GAME = Contract(4, Denomination.SPADES, Seat.NORTH)


def test_each_side_sees_a_score_from_its_own_chair() -> None:
    plain = line(1, "a", "b", 50)
    one = Fraction(1)
    assert [comparable(plain, side) for side in Side] == [((one, 50),), ((one, -50),)]
    ruled = replace(plain, adjusted=weighted(("3/4", 420), ("1/4", -50)))
    assert comparable(ruled, Side.EW) == ((Fraction(3, 4), -420), (Fraction(1, 4), 50))
    averaged = replace(plain, adjusted=AdjustedScore(AVERAGE, AVERAGE))
    assert comparable(averaged, Side.NS) is None


def test_a_new_contract_keeps_the_tricks_that_were_made() -> None:
    made = event([replace(line(1, "a", "b"), contract=GAME, tricks=10), line(1, "c", "d", 50)])
    three = replace(GAME, level=3)
    corrected = change(made, Correct(Where(1, "a"), contract=three)).sessions[0].results[0]
    assert (corrected.contract, corrected.tricks) == (three, 10)


def test_a_board_passed_out_by_mistake_has_the_new_result() -> None:
    made = event([replace(line(1, "a", "b"), passed_out=True), line(1, "c", "d", 50)])
    corrected = (
        change(made, Correct(Where(1, "a"), contract=GAME, tricks=10)).sessions[0].results[0]
    )
    assert table_score(corrected) == 420


def test_pairs_are_teams_in_every_session() -> None:
    one = event([line(1, "a", "b", 50), line(1, "c", "d", 50)])
    numbered = tuple(replace(e, number=n) for e, n in zip(one.entrants, "1213", strict=True))
    later = replace(one.sessions[0], number=2)
    teams = as_teams(replace(one, entrants=numbered, sessions=(*one.sessions, later)))
    seats = [[(x.ns, x.ew) for x in session.results] for session in teams.sessions]
    assert seats == [[(("1",), ("2",)), (("1",), ("3",))]] * 2


def test_who_sat_both_ways_as_often_is_in_the_line_of_north_south() -> None:
    both = directions(event([line(1, "a", "b", 50), line(2, "b", "a", 50), line(2, "c", "a", 0)]))
    assert both == {"a": Side.EW, "b": Side.NS, "c": Side.NS}


def test_who_sat_there_may_be_corrected_without_working_the_score_out_again() -> None:
    as_written = replace(line(1, "a", "b", 450), contract=GAME, tricks=10)
    made = event([as_written, line(1, "c", "d", 50), line(2, "e", "f", 50)])
    corrected = change(made, Correct(Where(1, "a"), ns="e")).sessions[0].results[0]
    assert (corrected.ns, corrected.score) == (("e",), 450)


def test_a_score_that_no_contract_explains_is_kept_when_the_line_is_turned() -> None:
    for half in ({"contract": GAME}, {"tricks": 10}):
        made = event([replace(line(1, "a", "b", 420), **half), line(1, "c", "d", 50)])
        corrected = change(made, Correct(Where(1, "a"), turned=True)).sessions[0].results[0]
        assert (corrected.ns, corrected.score) == (("b",), 420)
