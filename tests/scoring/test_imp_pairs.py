"""Cross-IMPs and Butler: rulings, fouled boards, sit-outs, penalties, and why."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honours.errors import InputError
from honours.model import (
    AdjustedScore,
    ArtificialScore,
    AssignedScore,
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
    Divisor,
    ImpRules,
    ImpScores,
    groups_of,
    imp_board,
    imps,
    score_imps,
)
from honours.scoring.movement import SectionGroups
from honours.scoring.why import explain_total

PLUS, MINUS = ArtificialScore(Fraction(3, 5)), ArtificialScore(Fraction(2, 5))
CROSS, BUTLER = ImpRules(), ImpRules(butler=True)
scores = st.integers(-200, 200).map(lambda n: n * 10)


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


@given(st.lists(scores, min_size=2, max_size=9), st.sampled_from([CROSS, BUTLER]))
def test_sides_mirror_and_turning_the_board_turns_the_points(
    board_scores: list[int], rules: ImpRules
) -> None:
    got = points(board(*board_scores), rules)
    assert all(ns == -ew for ns, ew in got)
    turned = points(board(*(-score for score in board_scores)), rules)
    assert [ns for ns, _ in turned] == [ew for _, ew in got]


@given(st.lists(scores, min_size=2, max_size=9), st.randoms(use_true_random=False))
def test_the_order_of_tables_does_not_matter(board_scores: list[int], chance: object) -> None:
    lines = board(*board_scores)
    mixed = sorted(lines, key=lambda r: hash((str(chance), r.ns)))
    for rules in (CROSS, BUTLER):
        by_pair = {line.result.ns: line.ns for line in imp_board(lines, rules)}
        assert {line.result.ns: line.ns for line in imp_board(mixed, rules)} == by_pair


@given(st.lists(scores, min_size=2, max_size=9))
def test_a_datum_of_either_side_is_the_same_whatever_the_tie(board_scores: list[int]) -> None:
    for tie in DatumTie:
        got = points(board(*board_scores), ImpRules(datum=Datum(tie=tie), butler=True))
        assert all(ns == -ew for ns, ew in got)


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


def test_an_artificial_score_is_given_and_not_compared_with() -> None:
    lines = board(420, 400, -50)
    lines[2] = replace(lines[2], adjusted=AdjustedScore(PLUS, MINUS))
    assert points(lines, CROSS) == [[1, -1], [-1, 1], [3, -3]]
    assert points(lines, replace(CROSS, average_plus=Fraction(2)))[2] == [2, -2]
    # Added up over two tables, 3 IMPs against each of them.
    assert points(lines, replace(CROSS, divisor=Divisor.NOTHING))[2] == [6, -6]
    assert points(lines, BUTLER)[:2] == [[0, 0], [0, 0]]


def test_a_split_weighted_score_counts_for_each_side_as_it_was_ruled() -> None:
    """NS 60% of 420 and 40% of −50; EW keep 420 against them."""
    lines = board(0, 420, -50)
    ruling = AssignedScore(((Fraction(3, 5), 420), (Fraction(2, 5), -50)))
    lines[0] = replace(
        lines[0], adjusted=AdjustedScore(ruling, AssignedScore(((Fraction(1), 420),)))
    )
    ns = [Fraction(3, 5) * 0 - Fraction(2, 5) * 10, Fraction(3, 5) * 10]
    got = points(lines, CROSS)
    assert got[0] == [sum(ns) / 2, Fraction(-10, 2)]
    # The others compare with their own side of it.
    assert got[1] == [(Fraction(2, 5) * 10 + 10) / 2, Fraction(-10, 2)]
    assert got[2] == [(-10 - Fraction(3, 5) * 10) / 2, Fraction(20, 2)]


def test_versions_of_a_fouled_board_are_compared_apart() -> None:
    lines = [replace(r, version="b" if i > 1 else "a") for i, r in enumerate(board(0, 90, 50, 400))]
    assert points(lines, CROSS) == [[-3, 3], [3, -3], [-8, 8], [8, -8]]
    alone = [replace(r, version="b" if i == 2 else "a") for i, r in enumerate(board(0, 90, 50))]
    scored = imp_board(alone, CROSS)
    assert [line.ns.how for line in scored if line.ns] == ["cross-imps", "cross-imps", "lone score"]
    assert points(alone, CROSS)[2] == [3, 3]
    ruled = [*alone[:2], replace(alone[2], adjusted=AdjustedScore(MINUS, PLUS))]
    assert points(ruled, CROSS)[2] == [-3, 3]


def test_a_version_that_has_no_score_at_all_fouls_nothing() -> None:
    """Its one table was ruled on, so the other has nobody to be compared with, and no ruling."""
    lines = [*board(90), Result(1, ("3",), ("4",), version="b", adjusted=AdjustedScore(PLUS, PLUS))]
    assert points(lines, CROSS) == [[0, 0], [3, 3]]


def test_where_imps_are_a_sum_a_lone_score_counts_against_the_other_tables() -> None:
    alone = [replace(r, version="b" if i == 2 else "a") for i, r in enumerate(board(0, 90, 50))]
    assert points(alone, ImpRules(divisor=Divisor.NOTHING))[2] == [6, 6]
    scored = imp_board([*alone[:2], replace(alone[2], adjusted=AdjustedScore(MINUS, PLUS))], CROSS)
    assert [side.how for _, _, side in scored[2].shares()] == ["artificial", "artificial"]


def test_sections_compared_apart() -> None:
    lines = [replace(r, section="AB"[i % 2]) for i, r in enumerate(board(0, 90, 50, 400))]
    together = score_imps(event("pairs", lines))
    apart = score_imps(event("pairs", lines), ImpRules(compared=SectionGroups(apart=True)))
    assert [[b.section for b in scored.boards] for scored in (together, apart)] == [
        [""],
        ["A", "B"],
    ]
    got = {t.id: t.points for t in apart.tallies}
    assert [got["1"], got["5"]] == [imps(-50), imps(50)]


# --- totals -----------------------------------------------------------------------------------


def an_evening() -> Event:
    lines = [*board(0, 90, 50), *board(100, 110, number=2)]
    whole = event("pairs", lines)
    fine = Penalty("1", Fraction(1, 2), "imps", "late")
    return replace(whole, sessions=(replace(whole.sessions[0], penalties=(fine,)),))


def points_of(scored: ImpScores) -> dict[str, Fraction]:
    return {tally.id: tally.points for tally in scored.tallies}


def test_penalties_and_boards() -> None:
    got = points_of(score_imps(an_evening()))
    assert got["1"] == Fraction(-3 - 2, 2) - Fraction(1, 2)
    assert sum(got.values()) == Fraction(-1, 2)
    boards = {tally.id: tally.boards for tally in score_imps(an_evening()).tallies}
    assert [boards[id] for id in ("1", "5")] == [2, 1]


def test_only_who_sat_out_is_raised_and_rounded_and_only_where_that_is_chosen() -> None:
    rough = ImpRules(prorated=True, total_unit=Fraction(1))
    assert points_of(score_imps(an_evening(), rough))["1"] == -3
    assert points_of(score_imps(an_evening(), rough))["5"] == 2 * 1
    assert points_of(score_imps(an_evening()))["5"] == Fraction(1, 2)


def test_sessions_add_up() -> None:
    one = an_evening()
    two = replace(one, sessions=(one.sessions[0], Session(2, one.sessions[0].results)))
    assert points_of(score_imps(two))["5"] == 2 * points_of(score_imps(one))["5"]
    step = explain_total(score_imps(two), "1")
    assert step.uses[0].name == "sessions"
    assert step.value == points_of(score_imps(two))["1"]


def test_a_session_somebody_missed_is_no_part_of_its_total() -> None:
    one = an_evening()
    two = replace(one, sessions=(one.sessions[0], Session(2, tuple(board(100, 110, number=2)))))
    assert explain_total(score_imps(two), "5").uses[0].name == "boards of session 1"


def test_a_session_of_penalties_alone() -> None:
    one = an_evening()
    late = replace(one, sessions=(one.sessions[0], Session(2, penalties=one.sessions[0].penalties)))
    assert points_of(score_imps(late))["1"] == points_of(score_imps(one))["1"] - (Fraction(1, 2))


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
