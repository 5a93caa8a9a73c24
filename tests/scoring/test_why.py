"""Why a side has its points and an entrant its total, word for word."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from honours.engine.exact.explanation import render_text
from honours.errors import UnknownName
from honours.model import (
    AdjustedScore,
    Event,
    Penalty,
    Result,
)
from honours.scoring import ScoredEvent, ScoringOptions, score
from honours.scoring.profiles import profile
from honours.scoring.switches import amend
from honours.scoring.why import explain, explain_entrant
from tests.scoring.events import AVERAGE_MINUS, AVERAGE_PLUS, event, line, ruled, weighted

EBU = "[EBU, Scoring of fouled boards: “(M x E) + (E - A) / A”]"


def carrying(made: Event, points: int) -> Event:
    """The event with points carried over by entrant 1."""
    first, *others = made.entrants
    return replace(made, entrants=(replace(first, carried=Fraction(points)), *others))


PAIRS = carrying(
    event(
        [
            line(1, "1", "2", 50),
            line(1, "3", "4", 60),
            line(1, "5", "6", 60),
            ruled(1, "7", "8", AdjustedScore(AVERAGE_PLUS, AVERAGE_MINUS)),
            line(2, "1", "4", 50),
            line(2, "3", "6", 60, "b"),
            line(2, "5", "8", 70),
            line(2, "7", "2", -100),
            ruled(3, "1", "6", weighted(("3/5", 420), ("2/5", -50))),
            line(3, "3", "8", 420),
            line(3, "5", "2", 400),
            line(3, "7", "4", 0),
        ],
        (
            Penalty("1", Fraction(10), "percent", "late"),
            Penalty("1", Fraction(1), "matchpoints"),
            Penalty("3", Fraction(1, 2), "matchpoints", "slow"),
        ),
        1,
    ),
    3,
)


def told(scored: ScoredEvent, what: str, name: str = "") -> list[str]:
    """The one step of an explanation, or of the steps it uses, that has this name; as lines."""
    steps = explain(scored, what)
    chosen = [s for step in steps for s in (step, *step.uses) if not name or s.name == name]
    return render_text(chosen[0]).splitlines()


def test_a_short_board_is_factored() -> None:
    scored = score(PAIRS)
    board = explain(scored, "1")[0]
    assert render_text(replace(board, uses=())).splitlines() == [
        "board 1 = 6   its top",
        "    = points per score beaten × (scores − 1)",
        f"    {EBU}",
    ]
    assert [step.name for step in board.uses] == [
        "board 1, NS 1",
        "board 1, EW 2",
        "board 1, NS 3",
        "board 1, EW 4",
        "board 1, NS 5",
        "board 1, EW 6",
        "board 1, NS 7",
        "board 1, EW 8",
    ]
    assert told(scored, "1", "board 1, NS 3") == [
        "board 1, NS 3 = 4.3   score 60",
        "    = (M × E + (E − A)) ÷ A",
        "    = (3 × 4 + (4 − 3)) ÷ 3",
        "    to 0.1, a half towards average",
        f"    {EBU}",
        "  scores beaten = 1.5   one equalled counts half",
        "      1 score 50, beaten, 5 score 60, equalled",
        "  obtained = 3   A",
        "  expected = 4   E",
    ]


def test_an_artificial_score_and_a_session_that_is_worse() -> None:
    """Pair 8 has (0.3 + 0.6) of 12 elsewhere: 7.5% of 6 is 0.45, 0.5 towards average."""
    assert told(score(PAIRS), "1", "board 1, EW 8") == [
        "board 1, EW 8 = 0.5",
        "    = a share of the top",
        "    = 40% × 6",
        "    to 0.1, a half towards average",
        "    [Laws of Duplicate Bridge, Law 12C2]",
        "  session percentage = 0.5   8 had 7.50% on its other boards, "
        "which is worse, as the law wants, and counts",
        "      [Laws of Duplicate Bridge, Law 12C2]",
    ]


def test_a_fouled_board_and_its_lone_score() -> None:
    scored = score(PAIRS)
    assert told(scored, "2", "board 2, EW 4") == [
        "board 2, EW 4 = 3   score -50",
        "    = (M × E + (E − A)) ÷ A",
        "    = (2 × 4 + (4 − 3)) ÷ 3",
        "    to 0.1, a half towards average",
        f"    {EBU}",
        "  version = as dealt   the board is fouled",
        "      [Laws of Duplicate Bridge, Law 87B]",
        "  scores beaten = 1   one equalled counts half",
        "      8 score -70, beaten, 2 score 100, not beaten",
        "  obtained = 3   A",
        "  expected = 4   E",
    ]
    assert told(scored, "2", "board 2, EW 6") == [
        "board 2, EW 6 = 3.6   score -60",
        "    = nothing to compare with, so unplayable: average plus to a side not at fault",
        "    = 60% × 6",
        "    to 0.1, a half towards average",
        "    [Laws of Duplicate Bridge, Law 12C2]",
    ]


def test_a_weighted_score_beats_part_of_what_it_is_compared_with() -> None:
    """60% of 420 equals 420, beats 400 and 0; 40% of -50 beats nothing: 0.3 + 0.6 + 0.6."""
    assert told(score(PAIRS), "board 3", "board 3, NS 1") == [
        "board 3, NS 1 = 3   score 60% of 420 and 40% of -50",
        "    = 2 for each score beaten, 1 for each equalled",
        "    to 0.1, a half towards average",
        f"    {EBU}",
        "  scores beaten = 1.5   one equalled counts half",
        "      3 score 420, 5 score 400, 7 score 0",
        "  obtained = 4   A",
        "  expected = 4   E",
    ]


def test_a_total_in_matchpoints() -> None:
    """0.3 + 3 + 3 less a tenth of a top of 6 and 1, and 3 carried over: 7.7 of 18."""
    assert told(score(PAIRS), "pair 1") == [
        "percentage of 1 = 42.78",
        "    = 100 × points ÷ possible points",
        "    = 100 × 7.7 ÷ 18",
        "    to 0.01, a half up, for show; the exact one ranks",
        "  points of session 1 = 4.7   of 18 on 3 boards",
        "      = the sum of its boards, less penalties",
        "    board 1 = 0.3   of 6, NS against 2",
        "    board 2 = 3   of 6, NS against 4",
        "    board 3 = 3   of 6, NS against 6",
        "    penalty = -0.6   10 percent late",
        "    penalty = -1   1 matchpoints",
        "  carried over = 3   from an earlier stage",
    ]
    assert [step.name for step in explain_entrant(score(PAIRS), "8").uses] == [
        "points of session 1"
    ]


def acbl(**switches: str) -> ScoredEvent:
    return score(PAIRS, amend(profile("acbl"), switches))


def test_the_scale_of_one_for_each_score_beaten() -> None:
    """(2 + ½) × 4 ÷ 3 − ½ = 2.83; a group of three may be too small for the formula."""
    clause = "[ACBLscore manual, Fouled/Adjusted board formula: “N x S / n + (N - n) / 2n”]"
    assert told(acbl(), "2", "board 2, NS 5")[:5] == [
        "board 2, NS 5 = 2.83   score 70",
        "    = (m + ½) × E ÷ A − ½",
        "    = (2 + ½) × 4 ÷ 3 − ½",
        "    to 0.01, a half up",
        f"    {clause}",
    ]
    assert told(acbl(larger_exempt="[]"), "2", "board 2, NS 5")[:4] == [
        "board 2, NS 5 = 2.1   score 70",
        "    = a share of the top by place in a group of 3: 70% / 60% / 50%",
        "    to 0.01, a half up",
        f"    {clause}",
    ]


def test_one_for_the_missing_score() -> None:
    """Simplified: M and 1 on the scale of 2 for each score beaten."""
    simplified = amend(profile("ebu"), {"simplified": "true", "half": "even", "unit": "0"})
    assert told(score(PAIRS, simplified), "1", "board 1, NS 3")[:4] == [
        "board 1, NS 3 = 4   score 60",
        "    = M and one for the missing score",
        "    = 3 + 1",
        "    [EBU, Scoring of fouled boards, one result missing: "
        "“reduce the top by one, increase the bottom by one”]",
    ]
    even = amend(profile("ebu"), {"half": "even"})
    assert "    to 0.1, a half to the even one" in told(score(PAIRS, even), "1", "board 1, NS 3")


def test_sections_and_individuals_are_named() -> None:
    lines = [
        replace(Result(1, (f"{s}a{t}", f"{s}b{t}"), (f"{s}c{t}", f"{s}d{t}"), 50 * t), section=s)
        for s in "AB"
        for t in range(2)
    ]
    made = replace(event(lines), kind="individual")
    first, second = explain(score(made, options=ScoringOptions(sections_apart=True)), "1")
    assert (first.name, second.name) == ("board 1, section A", "board 1, section B")
    assert first.uses[0].name == "board 1, NS Aa0 & Ab0"
    assert first.uses[0].uses[0].parts == (("Aa1 & Ab1", "score 50, not beaten"),)


def test_the_line_of_two_individuals_shows_what_their_side_was_given() -> None:
    """Each of the two has its own session percentage instead, which is told below it."""
    best, others = ("a", "b"), [("c", "d"), ("e", "f"), ("g", "h")]
    lines = [
        *(Result(n, best, others[0], 100) for n in (1, 2)),
        *(Result(n, others[1], others[2], 50) for n in (1, 2, 3)),
        Result(3, best, others[0], adjusted=AdjustedScore(AVERAGE_PLUS, AVERAGE_MINUS)),
    ]
    scored = score(replace(event(lines), kind="individual"))
    (board,) = explain(scored, "board 3")
    side = next(step for step in board.uses if step.name == "board 3, NS a & b")
    assert side.value == Fraction(6, 5)
    assert [step.value for step in side.uses] == [2, 2]
    (session,) = explain(scored, "player a")[0].uses
    assert [step.about for step in session.uses] == ["of 2, NS against c & d"] * 3


def test_a_board_on_which_all_was_ruled_has_no_top_to_share() -> None:
    rulings = AdjustedScore(AVERAGE_PLUS, AVERAGE_MINUS)
    made = event([ruled(1, "a", "b", rulings), ruled(1, "c", "d", rulings)])
    (board,) = explain(score(made, "unfactored"), "board 1")
    assert [(step.value, step.working) for step in board.uses] == [(Fraction(0), "50% × 0")] * 4


def test_a_board_that_was_met_before_is_not_counted() -> None:
    twice = [*PAIRS.sessions[0].results, line(1, "9", "2", 90), line(3, "9", "10", 0)]
    made = event(twice, winners=1)
    (total,) = explain(score(made, amend(profile("ebu"), {"repeated_board": "first"})), "pair 2")
    (session,) = total.uses
    assert "of 8, EW against 9 (met before: not counted)" in [s.about for s in session.uses]
    north = event([*PAIRS.sessions[0].results, line(1, "1", "9", 90)], winners=1)
    scored = score(north, amend(profile("ebu"), {"repeated_board": "first"}))
    (session,) = explain(scored, "pair 1")[0].uses
    assert "of 8, NS against 9 (met before: not counted)" in [s.about for s in session.uses]


def test_what_there_is_to_explain() -> None:
    scored = score(PAIRS)
    assert explain(scored, "board 2") == explain(scored, "2")
    assert explain(scored, "entrant 2") == explain(scored, "pair 2") == explain(scored, "PAIR 2")
    with pytest.raises(UnknownName) as error:
        explain(scored, "board 7x")
    assert str(error.value) == (
        "unknown board or entrant 'board 7x'; did you mean 'board 3'? Known: board 1, board 2, "
        "board 3, pair 1, pair 2, pair 3, pair 4, pair 5, pair 6, pair 7, pair 8"
    )
    with pytest.raises(UnknownName, match=r"^unknown entrant 'x'\. Known: 1, 2, 3"):
        explain_entrant(scored, "x")


def test_boards_to_explain_are_listed_by_number() -> None:
    made = event([line(board, ns, ew, 50) for board in (10, 9) for ns, ew in ("ab", "cd")])
    with pytest.raises(UnknownName, match=r"Known: board 9, board 10, pair a, "):
        explain(score(made), "?")


def test_an_entrant_is_found_by_its_number() -> None:
    made = replace(
        PAIRS, entrants=tuple(replace(e, number=f"10{e.entrant.id}") for e in PAIRS.entrants)
    )
    assert explain(score(made), "103")[0].name == "percentage of 3"
