"""Cross-IMPs and Butler: rulings, fouled boards, sit-outs, penalties, and why."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import pytest

from honours.errors import InputError
from honours.model import (
    Contract,
    Denomination,
    Entrant,
    Event,
    EventEntrant,
    Penalty,
    Result,
    Seat,
    Session,
)
from honours.scoring.imps import (
    Datum,
    DatumTie,
    ImpRules,
    groups_of,
    imp_board,
    score_imps,
)

CROSS, BUTLER = ImpRules(), ImpRules(butler=True)


def event(kind: str, lines: Iterable[Result]) -> Event:
    """An event of these lines, with whoever played in them."""
    session = Session(1, tuple(lines))
    ids = dict.fromkeys(id for line in session.results for id in (*line.ns, *line.ew))
    entrants = tuple(EventEntrant(Entrant(id)) for id in ids)
    return Event("made up", kind, "imps", entrants, (session,), winners=1)


def board(*ns_scores: int, number: int = 1) -> list[Result]:
    """A traveller: pair 1 against 2, 3 against 4, and so on."""
    return [
        Result(number, (f"{2 * i + 1}",), (f"{2 * i + 2}",), score)
        for i, score in enumerate(ns_scores)
    ]


def points(results: list[Result], rules: ImpRules) -> list[list[Fraction]]:
    lines = imp_board(results, rules)
    return [[x.ns.points, x.ew.points] for x in lines if x.ns is not None and x.ew is not None]


@pytest.mark.parametrize(("tie", "datum"), [(DatumTie.UP, 430), (DatumTie.DOWN, 420)])
def test_north_south_s_chair_decides_where_a_tie_goes(tie: DatumTie, datum: int) -> None:
    (group,) = groups_of(board(420, 430), ImpRules(datum=Datum(trim=0, tie=tie), butler=True))
    assert (group.ns.datum, group.ew.datum) == (Fraction(datum), Fraction(-datum))


def test_a_contract_is_scored_and_an_unplayed_line_is_left_out() -> None:
    lines = board(420, 0, -50)
    lines[0] = replace(
        lines[0], score=None, contract=Contract(4, Denomination.SPADES, Seat.SOUTH), tricks=10
    )
    lines[1] = replace(lines[1], score=None)
    scored = imp_board(lines, CROSS)
    assert scored[1].ns is None
    assert points(lines, CROSS) == [[10, -10], [-10, 10]]


# --- rulings ----------------------------------------------------------------------------------


# --- totals -----------------------------------------------------------------------------------


def an_evening() -> Event:
    lines = [*board(0, 90, 50), *board(100, 110, number=2)]
    whole = event("pairs", lines)
    fine = Penalty("1", Fraction(1, 2), "imps", "late")
    return replace(whole, sessions=(replace(whole.sessions[0], penalties=(fine,)),))


def test_a_penalty_that_cannot_be_taken() -> None:
    whole = an_evening()
    wrong = {"vps": "scored in imps", "imps": "not in the event"}
    for unit, message in wrong.items():
        fine = Penalty("1" if unit == "vps" else "99", Fraction(1), unit)
        sessions = (replace(whole.sessions[0], penalties=(fine,)),)
        with pytest.raises(InputError, match=message):
            score_imps(replace(whole, sessions=sessions))
    with pytest.raises(InputError, match="no entrant '6'"):
        score_imps(replace(whole, entrants=whole.entrants[:5]))


# --- why --------------------------------------------------------------------------------------


def test_a_line_says_how_it_was_scored() -> None:
    for rules, how in ((CROSS, "cross-imps"), (BUTLER, "butler")):
        (line, _) = imp_board(board(50, 90), rules)
        assert [side.how for _, _, side in line.shares()] == [how, how]
