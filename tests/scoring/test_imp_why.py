"""Why pairs have their IMPs and teams their victory points, word for word."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from honours.engine.exact.explanation import render_text
from honours.errors import UnknownName
from honours.model import (
    AdjustedScore,
    Entrant,
    Event,
    EventEntrant,
    Match,
    Penalty,
    Result,
    Session,
    Step,
)
from honours.scoring import ScoredEvent, ScoringOptions, score, why
from honours.scoring.imps import imp_convention
from honours.scoring.matches import MatchRules
from honours.scoring.switches import amend
from honours.scoring.why import explain
from tests.scoring.events import AVERAGE_MINUS, AVERAGE_PLUS, event, line, ruled, weighted
from tests.scoring.test_why import PAIRS, carrying, told

# --- pairs in IMPs ------------------------------------------------------------------------------

IMPS = carrying(
    replace(
        event(
            [
                line(1, "1", "2", 420),
                line(1, "3", "4", -50),
                line(1, "5", "6", 450),
                line(1, "7", "8", 430),
                ruled(2, "1", "4", AdjustedScore(AVERAGE_PLUS, AVERAGE_MINUS)),
                line(2, "3", "2", 100),
                line(2, "5", "8", 110, "b"),
                line(2, "7", "6", -90),
                ruled(3, "1", "6", weighted(("3/5", 420), ("2/5", -50))),
                line(3, "3", "8", 420),
            ],
            (Penalty("1", Fraction(2), "imps", "late"),),
            1,
        ),
        scoring="cross-imps",
    ),
    -3,
)


def of(scored: ScoredEvent, what: str, name: str) -> list[str]:
    chosen = next(step for step in explain(scored, what) if step.name == name)
    return render_text(chosen).splitlines()


def test_imps_against_every_other_table() -> None:
    scored = score(IMPS)
    assert of(scored, "1", "board 1, NS 3") == [
        "board 1, NS 3 = -10.33",
        "    = the IMPs against every other table ÷ (scores − 1)",
        "    = -31 ÷ 3",
        "    -50 against 420 -10, -50 against 450 -11, -50 against 430 -10",
        "    [IMP scale]",
    ]
    assert of(scored, "3", "board 3, EW 8") == [
        "board 3, EW 8 = -4.00",
        "    = the IMPs against every other table ÷ (scores − 1)",
        "    = -4 ÷ 1",
        "    -420 against 60% of -420 and 40% of 50 -4",
        "    [IMP scale]",
    ]


def test_artificial_scores_in_imps() -> None:
    worth = "    = an artificial score: 3 IMPs for 60%, in proportion to the distance from 50%"
    scored = score(IMPS)
    assert of(scored, "2", "board 2, EW 4") == [
        "board 2, EW 4 = -3.00",
        worth,
        "    = ruling: 40%",
        "    [IMP scale]",
    ]
    assert of(scored, "2", "board 2, NS 5") == [
        "board 2, NS 5 = 3.00",
        worth,
        "    = this version of the board has no other score: 60%",
        "    [IMP scale]",
    ]
    added = score(IMPS, options=ScoringOptions(imps=amend(imp_convention(), {"divisor": "sum"})))
    assert of(added, "2", "board 2, EW 4") == [
        "board 2, EW 4 = -9.00",
        worth + ", for each other table",
        "    = ruling: 40% × 3",
        "    [IMP scale]",
    ]
    assert (
        of(added, "2", "board 2, NS 3")[1] == "    = the IMPs against every other table, added up"
    )


def test_imps_divided_by_the_scores_and_rounded() -> None:
    convention = amend(imp_convention(), {"divisor": "n", "line_unit": "0.1"})
    scored = score(IMPS, options=ScoringOptions(imps=convention))
    assert of(scored, "1", "board 1, NS 3")[:4] == [
        "board 1, NS 3 = -7.80",
        "    = the IMPs against every other table ÷ scores",
        "    = -31 ÷ 4",
        "    to 0.1, half away from zero",
    ]


def test_imps_against_a_datum() -> None:
    """The mean of 420 and 430 is 425: 430 away from zero."""
    scored = score(replace(IMPS, scoring="butler"))
    assert of(scored, "1", "board 1, EW 4") == [
        "board 1, EW 4 = 10.00",
        "    = IMPs for score − datum",
        "    = 50 − (-430)",
        "    [IMP scale]",
        "  datum of board 1, EW = -430",
        "      = the mean of the scores without the 1 highest and 1 lowest",
        "      to 10, a tie away from zero",
        "      left out -450, counted -430, counted -420, left out 50",
    ]
    exactly = amend(imp_convention(), {"datum.unit": "0", "datum.trim": "0"})
    plain = score(replace(IMPS, scoring="butler"), options=ScoringOptions(imps=exactly))
    assert of(plain, "1", "board 1, EW 4")[4:] == [
        "  datum of board 1, EW = -312.5",
        "      = the mean of the scores without the 0 highest and 0 lowest",
        "      counted -450, counted -430, counted -420, counted 50",
    ]


def test_a_total_in_imps() -> None:
    assert render_text(explain(score(IMPS), "pair 1")[0]).splitlines() == [
        "total of 1 = -3.00",
        "    = its boards, less penalties",
        "    = 2.00 + (-2.00) + (-3.00)",
        "  boards of session 1 = 2.00",
        "      = their sum",
        "      = 2.00 on 3",
        "    board 1 = 3.00   NS against 2",
        "    board 2 = 3.00   NS against 4",
        "    board 3 = -4.00   NS against 6",
        "  penalty = -2.00   late",
        "  carried over = -3.00   from an earlier stage",
    ]
    assert explain(score(IMPS), "pair 1")[0].uses[1].value == -2
    assert "    board 1 = -3.00   EW against 1" in told(score(IMPS), "pair 2")


def test_individuals_are_named_together() -> None:
    lines = [Result(1, (f"{n}n", f"{n}s"), (f"{n}e", f"{n}w"), 50 * n) for n in (1, 2)]
    made = replace(event(lines), kind="individual", scoring="cross-imps")
    assert [step.name for step in explain(score(made), "board 1")] == [
        "board 1, NS 1n & 1s",
        "board 1, EW 1e & 1w",
        "board 1, NS 2n & 2s",
        "board 1, EW 2e & 2w",
    ]
    assert {step.kind for step in explain(score(made), "board 1")} == {"aggregate"}
    (session,) = explain(score(made), "player 1n")[0].uses
    assert [step.about for step in session.uses] == ["NS against 1e & 1w"]


def test_a_total_that_is_raised_to_the_boards_of_others() -> None:
    """4.3 + 3 on two of three boards: 7, raised by a half, twice."""
    [first] = IMPS.sessions
    two = replace(IMPS, sessions=(first, replace(first, number=2, penalties=())))
    convention = amend(
        imp_convention(), {"prorated": "true", "line_unit": "0.1", "total_unit": "1"}
    )
    scored = score(two, options=ScoringOptions(imps=convention))
    lines = render_text(explain(scored, "pair 5")[0]).splitlines()
    assert lines[:8] == [
        "total of 5 = 21.00",
        "    = its boards, less penalties",
        "  sessions = 21.00",
        "      = 10.50 + 10.50",
        "    boards of session 1 = 10.50",
        "        = their sum × most boards ÷ boards",
        "        = 7.30 × 3 ÷ 2",
        "        their sum to 1, a half up",
    ]
    assert "      board 2 = 3.00   NS against 8" in lines
    assert lines.count("    boards of session 2 = 10.50") == 1
    assert not any("half up" in text for text in told(scored, "pair 1"))


def test_a_board_or_entrant_nobody_has() -> None:
    scored = score(IMPS)
    assert scored.imps is not None
    with pytest.raises(UnknownName, match=r"^unknown board '9'\. Known: 1, 2, 3$"):
        why.explain_imp_board(scored.imps, 9)
    with pytest.raises(UnknownName, match=r"^unknown entrant '9'\. Known: 1, 2, 3"):
        why.explain_total(scored.imps, "9")


# --- matches ------------------------------------------------------------------------------------


def board(number: int, here: int, there: int, round: int = 1, teams: str = "AB") -> list[Result]:
    home, away = tuple(teams)
    return [
        Result(number, (home,), (away,), here, round=round),
        Result(number, (away,), (home,), there, round=round),
    ]


TEAMS = Event(
    "teams",
    "teams",
    "imps",
    tuple(EventEntrant(Entrant(id)) for id in "ABC"),
    (
        Session(
            1,
            (
                *board(1, 420, -50),
                *board(2, 100, 100),
                Result(
                    3, ("A",), ("B",), adjusted=AdjustedScore(AVERAGE_PLUS, AVERAGE_PLUS), round=1
                ),
                Result(3, ("B",), ("A",), 50, round=1),
                *board(4, 50, 50, 2, "BC"),
            ),
            penalties=(
                Penalty("B", Fraction(1), "vps", "late"),
                Penalty("A", Fraction(2), "imps", "slow"),
            ),
        ),
    ),
)
WBF = "10 + 10·(1 − τ^(3m/b)) / (1 − τ³), at most 20; b = 15√n, τ = (√5 − 1)/2"


def test_a_board_of_teams() -> None:
    scored = score(TEAMS)
    assert told(scored, "3") == [
        "board 3, round 1, A v B = 3   ruling",
        "    = IMPs for what a team scored at its tables together",
        "    = A 3, B 3",
        "    A North-South, B East-West ruling, B North-South, A East-West 50",
        "    [IMP scale]",
    ]
    assert told(scored, "1")[2:4] == [
        "    = A 10, B -10",
        "    A North-South, B East-West 420, B North-South, A East-West -50",
    ]


def test_a_total_of_matches() -> None:
    scored = score(TEAMS)
    assert told(scored, "team B") == [
        "total of B = 14.78",
        "    = its matches and byes, less penalties",
        "    = 5.78 + 10.00 + (-1.00)",
        "  round 1, B v A = 5.78",
        "      = the margin on the scale",
        "      = -7",
        "    margin = -7",
        "        = the IMPs of its boards, added up",
        "        [IMP scale]",
        "      board 1 = -10   scores 420, -50",
        "      board 2 = 0   scores 100, 100",
        "      board 3 = 3   scores ruling, 50 (ruling)",
        "    victory points = 5.78   WBF continuous scale",
        f"        = 20 − ({WBF})",
        "        = m = 7, n = 3",
        "        the winner's to 0.01, half up",
        "        [WBF continuous victory points]",
        "  round 2, B v C = 10.00",
        "      = the margin on the scale",
        "      = 0",
        "    margin = 0",
        "        = the IMPs of its boards, added up",
        "        [IMP scale]",
        "      board 4 = 0   scores 50, 50",
        "    victory points = 10.00   WBF continuous scale",
        f"        = {WBF}",
        "        = m = 0, n = 1",
        "        the winner's to 0.01, half up",
        "        [WBF continuous victory points]",
        "  penalty = -1.00   late",
    ]
    assert "      = 13 − 2" in told(scored, "A")


def unfined() -> Event:
    return replace(TEAMS, sessions=(replace(TEAMS.sessions[0], penalties=()),))


def test_boards_won_and_tied() -> None:
    """Board-a-match: A wins the first, ties the second, and has 60% of the third."""
    scored = score(replace(unfined(), scoring="board-a-match"))
    assert told(scored, "1") == [
        "board 1, round 1, A v B = 1",
        "    = the board for what a team scored at its tables together",
        "    = A 1, B 0",
        "    A North-South, B East-West 420, B North-South, A East-West -50",
    ]
    assert told(scored, "team A")[2:8] == [
        "  round 1, A v B = 2.10",
        "      = what its boards add up to",
        "      = 0.6",
        "    margin = 0.6",
        "        = boards won and half of those tied, above half of all",
        "      board 1 = 1   scores 420, -50",
    ]


def test_matches_as_a_file_gives_them_and_byes() -> None:
    given = Match(1, "A", "B", Fraction(30), Fraction(20), boards=8)
    bye = Match(1, "C", "", home_vps=Fraction(12))
    made = replace(TEAMS, sessions=(Session(1, (), (given, bye)),))
    lines = told(score(made), "team A")
    assert lines[2:7] == [
        "  round 1, A v B = 13.78",
        "      = the margin on the scale",
        "      = 10",
        "    margin = 10",
        "        = as the file gives it",
    ]
    points = replace(
        given, home_imps=None, away_imps=None, home_vps=Fraction(12), away_vps=Fraction(8)
    )
    only = replace(TEAMS, sessions=(Session(1, (), (points,)),))
    assert "    difference in victory points = 4" in told(score(only), "team A")
    margins = [explain(score(x), "team A")[0].uses[0].uses[0] for x in (made, TEAMS)]
    assert [(margin.name, margin.kind) for margin in margins] == [
        ("margin", "input"),
        ("margin", "aggregate"),
    ]
    step: Step = explain(score(made), "team C")[0]
    assert [(s.name, s.shown, s.kind) for s in step.uses] == [
        ("round 1, bye", "12.00", "parameter")
    ]


def test_matches_without_a_scale() -> None:
    scored = score(unfined(), options=ScoringOptions(matches=MatchRules(scale=None)))
    assert told(scored, "team A")[:6] == [
        "total of A = 13.00",
        "    = its matches and byes, less penalties",
        "  round 1, A v B = 13.00",
        "      = what its boards add up to",
        "      = 13",
        "    margin = 13",
    ]


def test_pairs_that_meet_in_a_swiss_have_the_percentage_as_their_margin() -> None:
    made = replace(PAIRS, swiss=True, sessions=(replace(PAIRS.sessions[0], penalties=()),))
    scored = score(made, options=ScoringOptions(matches=MatchRules()))
    lines = told(scored, "pair 7")
    assert "        = the mean percentage of its boards, above 50" in lines
    assert not any("[IMP scale]" in text for text in lines)


def test_each_session_tells_its_own_boards() -> None:
    [first] = PAIRS.sessions
    two = replace(PAIRS, sessions=(first, replace(first, number=2, penalties=())))
    (total,) = explain(score(two), "pair 1")
    assert [(step.name, [s.name for s in step.uses]) for step in total.uses] == [
        ("points of session 1", ["board 1", "board 2", "board 3", "penalty", "penalty"]),
        ("points of session 2", ["board 1", "board 2", "board 3"]),
        ("carried_over", []),
    ]


def kinds(step: Step) -> set[str]:
    return {step.kind}.union(*(kinds(used) for used in step.uses))


def test_every_step_is_of_a_kind_that_pages_know() -> None:
    for made in (PAIRS, IMPS, replace(IMPS, scoring="butler"), TEAMS):
        scored = score(made)
        for what in ("1", "2", "3", f"entrant {made.entrants[0].entrant.id}"):
            kinds_seen = set().union(*(kinds(step) for step in explain(scored, what)))
            assert kinds_seen <= {"rule", "aggregate", "input", "parameter"}
