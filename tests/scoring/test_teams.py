"""Matches of teams and pairs: from two to four tables, rulings, byes, penalties, and why."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honours.errors import InputError, MissingInput
from honours.model import (
    AdjustedScore,
    AssignedScore,
    Event,
    Match,
    Penalty,
    Result,
    Source,
)
from honours.scoring import score
from honours.scoring.imps import imps, score_imps
from honours.scoring.matches import (
    MatchRules,
    MatchUnit,
    natural_order,
    score_board_a_match,
    score_swiss,
    score_teams,
    team_board,
)
from honours.scoring.scored import ScoredBoard, ScoredLine, SideScore
from honours.scoring.victory_points import WBF
from tests.scoring.matches import (
    IMPS_ONLY,
    MINUS,
    PLUS,
    WIN_OR_LOSE,
    board,
    by_id,
    margins,
    only_match,
    teams,
)

scores = st.integers(-300, 300).map(lambda n: n * 10)


@given(st.lists(st.tuples(scores, scores), min_size=1, max_size=12))
def test_a_match_is_the_sum_of_its_swings(swings: list[tuple[int, int]]) -> None:
    lines = [line for i, pair in enumerate(swings, 1) for line in board(i, *pair)]
    scored = score_teams(teams(lines))
    match = only_match(scored)
    total = sum(imps(here - there) for here, there in swings)
    assert margins(scored) == [total, -total]
    assert match.home.points == WBF.victory_points(Fraction(total), len(swings))
    assert match.home.points + match.away.points == 20
    assert score_teams(teams(reversed(lines))).matches[0].sides == match.sides
    facts = by_id(scored.tallies)["A"].facts
    assert [facts["won"], facts["drawn"], facts["matches_played"]] == [total > 0, total == 0, 1]


def test_rounds_are_matches_unless_they_are_one() -> None:
    lines = [*board(1, 420, -50), *board(2, 0, 100, round=2)]
    assert [m.home.margin for m in score_teams(teams(lines)).matches] == [10, -3]
    assert margins(score_teams(teams(lines), MatchRules(rounds_apart=False))) == [7, -7]


def test_four_tables_are_compared_each_with_each() -> None:
    """A sits North-South at 420 and 400, East-West at −50 and 420."""
    lines = [
        *(Result(1, ("A",), ("B",), score, table=t) for t, score in enumerate((420, 400), 1)),
        *(Result(1, ("B",), ("A",), score, table=t) for t, score in enumerate((-50, 420), 3)),
    ]
    total = imps(470) + imps(0) + imps(450) + imps(-20)
    assert margins(score_teams(teams(lines))) == [total, -total]
    assert margins(score_teams(teams(lines), MatchRules(divided=True)))[0] == Fraction(total, 4)


def test_the_length_a_scale_is_asked_for() -> None:
    lines = board(1, 420, -50)
    assert only_match(score_teams(teams(lines))).home.points == WBF.victory_points(Fraction(10), 1)
    eight = score_teams(teams(lines), MatchRules(length=8))
    assert only_match(eight).home.points == WBF.victory_points(Fraction(10), 8)
    # What the scale is asked for is not what was played, nor what a total is out of.
    assert by_id(eight.tallies)["A"].boards == 1
    matched = score_board_a_match(teams(lines), MatchRules(scale=None, length=8))
    assert by_id(matched.tallies)["A"].score == 100


# --- rulings ----------------------------------------------------------------------------------


def test_an_artificial_board_gives_each_side_its_own() -> None:
    here, there = board(1, 420, -50)
    both_plus = [replace(here, adjusted=AdjustedScore(PLUS, PLUS)), there]
    assert margins(score_teams(teams(both_plus))) == [3, 3]
    # Ruled at both tables: North-South there is B, who is at fault at neither.
    twice = [
        replace(here, adjusted=AdjustedScore(MINUS, PLUS)),
        replace(there, adjusted=AdjustedScore(PLUS, PLUS)),
    ]
    assert margins(score_teams(teams(twice))) == [0, 3]
    unplayed = [replace(here, score=None, adjusted=AdjustedScore(PLUS, MINUS))]
    assert margins(score_teams(teams(unplayed))) == [3, -3]


def test_a_weighted_score_against_the_other_table() -> None:
    here, there = board(1, 0, -50)
    ruling = AssignedScore(((Fraction(1, 2), 420), (Fraction(1, 2), -50)))
    lines = [replace(here, adjusted=AdjustedScore(ruling, ruling)), there]
    scored = score_teams(teams(lines))
    assert margins(scored) == [Fraction(10, 2), Fraction(-10, 2)]
    assert only_match(scored).boards[0].how == "ruling"


def test_a_board_fouled_between_the_tables() -> None:
    here, there = board(1, 420, -50)
    lines = [replace(here, version="a"), replace(there, version="b")]
    assert margins(score_teams(teams(lines))) == [3, 3]
    assert only_match(score_teams(teams(lines))).boards[0].how == "fouled"


# --- board-a-match ------------------------------------------------------------------------------


def test_board_a_match() -> None:
    lines = [*board(1, 420, 400), *board(2, 100, 100), *board(3, -50, 50), *board(4, 10, 0)]
    scored = score_board_a_match(teams(lines))
    tally = by_id(scored.tallies)["A"]
    assert [tally.points, tally.possible, tally.score] == [Fraction(5, 2), 4, Fraction(125, 2)]
    assert margins(scored) == [Fraction(1, 2), Fraction(-1, 2)]
    ruled = [*lines[:6], replace(lines[6], adjusted=AdjustedScore(PLUS, MINUS)), lines[7]]
    assert (
        by_id(score_board_a_match(teams(ruled)).tallies)["A"].points == Fraction(3, 2) + PLUS.share
    )
    fine = Penalty("A", Fraction(10), "percent")
    fined = score_board_a_match(teams(lines, penalties=(fine,)))
    assert by_id(fined.tallies)["A"].points == Fraction(5, 2) - Fraction(1, 10)
    scaled = score_board_a_match(teams(lines), MatchRules(WIN_OR_LOSE))
    assert {id: t.score for id, t in by_id(scaled.tallies).items()} == {"A": 2, "B": 0}


# --- byes, penalties, carry-over ----------------------------------------------------------------


def two_rounds(**more: object) -> Event:
    lines = [*board(1, 420, -50), *board(2, 0, 100, round=2, home="A", away="C")]
    return teams(lines, **more)  # type: ignore[arg-type]


def test_a_round_without_a_match_is_worth_what_was_chosen() -> None:
    got = by_id(
        score_swiss(two_rounds(), rules=MatchRules(WIN_OR_LOSE, bye=Fraction(3, 2))).tallies
    )
    assert {id: tally.points for id, tally in got.items()} == {
        "A": 2,
        "B": Fraction(3, 2),
        "C": 2 + Fraction(3, 2),
    }
    assert [got["B"].facts[name] for name in ("matches_played", "byes")] == [1, 1]
    assert by_id(score_teams(two_rounds(), MatchRules(WIN_OR_LOSE)).tallies)["B"].points == 0


def test_penalties_in_victory_points_and_imps() -> None:
    fines = (Penalty("A", Fraction(1, 2), "vps"), Penalty("B", Fraction(3), "imps"))
    scored = score_teams(two_rounds(penalties=fines))
    plain = by_id(score_teams(two_rounds()).tallies)
    got = by_id(scored.tallies)
    assert got["A"].points == plain["A"].points - Fraction(1, 2)
    assert got["B"].points == WBF.victory_points(Fraction(-13), 1)
    assert got["B"].facts["margin"] == -10
    with pytest.raises(InputError, match="played 2 matches"):
        score_teams(two_rounds(penalties=(Penalty("A", Fraction(3), "imps"),)))
    with pytest.raises(InputError, match="scored in imps"):
        score_teams(two_rounds(penalties=fines), IMPS_ONLY)
    only = score_teams(two_rounds(penalties=fines[1:]), IMPS_ONLY)
    assert by_id(only.tallies)["B"].points == -13


# --- Swiss pairs --------------------------------------------------------------------------------


def swiss_pairs() -> Event:
    lines = [
        *(Result(1, (ns,), (ew,), s, round=1) for ns, ew, s in (("A", "B", 420), ("C", "D", -50))),
        *(Result(2, (ns,), (ew,), s, round=2) for ns, ew, s in (("A", "C", 0), ("D", "B", 100))),
    ]
    return replace(teams(lines), kind="pairs", scoring="cross-imps", swiss=True)


def test_swiss_pairs_play_matches_against_the_field() -> None:
    event = swiss_pairs()
    scored = score_swiss(event, score_imps(event).boards)
    met = [(m.round, m.home.entrant, m.away.entrant) for m in scored.matches]
    assert met == [(1, "A", "B"), (1, "C", "D"), (2, "A", "C"), (2, "B", "D")]
    assert [m.home.margin for m in scored.matches] == [10, -10, -3, -3]
    lost, won = (WBF.victory_points(Fraction(m), 1) for m in (-3, 10))
    assert by_id(scored.tallies)["A"].points == lost + won


def test_swiss_pairs_in_matchpoints_by_percentage() -> None:
    """60% against 40% on each of two boards is a margin of 10 for the one, −10 for the other."""
    result = Result(1, ("A",), ("B",), 100, round=1)
    sides = [SideScore(Fraction(p), Fraction(10), "matchpoints") for p in (6, 4)]
    boards = [ScoredBoard(n, 1, "", (ScoredLine(result, *sides),)) for n in (1, 2)]
    scored = score_swiss(swiss_pairs(), boards, MatchRules(WIN_OR_LOSE))
    assert margins(scored) == [10, -10]
    assert [side.points for side in only_match(scored).sides] == [2, 0]


def test_what_is_no_swiss() -> None:
    event = swiss_pairs()
    with pytest.raises(InputError, match="need a scale"):
        score_swiss(event, (), IMPS_ONLY)
    with pytest.raises(InputError, match="pairs or teams"):
        score_swiss(replace(event, kind="individual"))


# --- why ----------------------------------------------------------------------------------------


def test_what_was_not_played_is_no_part_of_a_match() -> None:
    """One table alone has nothing to be compared with, and a match of such boards is none."""
    lines = [
        *board(1, 420, -50),
        Result(2, ("A",), ("B",), round=1),
        Result(2, ("B",), ("A",), 50, round=1),
        Result(3, ("C",), ("D",), 50, round=1),
    ]
    scored = score_teams(teams(lines), IMPS_ONLY)
    assert [(m.home.entrant, len(m.boards)) for m in scored.matches] == [("A", 1)]
    assert [oddity.text for oddity in scored.oddities] == [
        "board 2 of A v B: nothing to compare with, not scored",
        "board 3 of C v D: nothing to compare with, not scored",
    ]
    assert team_board([lines[2], lines[3]], "A", "B", MatchUnit.IMPS, IMPS_ONLY) is None


def test_matches_are_listed_by_their_numbers() -> None:
    names = ["1000", "10", "b", "9", "a"]
    assert sorted(names, key=natural_order) == ["9", "10", "1000", "a", "b"]


def test_how_matches_are_scored_is_told() -> None:
    assert str(MatchRules()) == "by the WBF continuous scale"
    rules = MatchRules(None, 8, Fraction(2), True, Fraction(12), False)
    assert str(rules) == (
        "without victory points; as 8 boards; average plus 2; mean of tables; bye 12; rounds "
        "together"
    )


def test_what_a_given_match_lacks_is_asked_for() -> None:
    bye = Match(3, "A", "")
    with pytest.raises(MissingInput) as error:
        score_teams(teams([], [bye]), MatchRules())
    assert str(error.value) == "missing 'bye' (round 3), needed for what A gets without a match"
    short = Match(2, "A", "B", Fraction(30), Fraction(20))
    with pytest.raises(MissingInput) as error:
        score_teams(teams([], [short]), MatchRules())
    assert str(error.value) == (
        "missing 'boards' (the length of a match), needed for WBF continuous scale"
    )
    with pytest.raises(InputError, match=r"^round 1, A v B: no result$"):
        score_teams(teams([], [Match(1, "A", "B")]), MatchRules())
    read = Match(1, "A", "B", source=Source("league.csv", 3))
    with pytest.raises(InputError, match=r"no result \(league.csv, line 3\)$"):
        score_teams(teams([], [read]), MatchRules())


def test_a_line_of_a_swiss_that_was_not_played() -> None:
    lines = [
        *(Result(1, (a,), (b,), s, round=1) for a, b, s in (("A", "B", 50), ("C", "D", 90))),
        Result(2, ("A",), ("B",), round=1),
    ]
    event = replace(teams(lines), kind="pairs", scoring="cross-imps", swiss=True)
    scored = score(event).matches
    assert scored is not None
    assert [(m.home.entrant, len(m.boards)) for m in scored.matches] == [("A", 1), ("C", 1)]


def test_one_match_of_unknown_margin_makes_the_whole_margin_unknown() -> None:
    def vps(round: int, home: str, away: str) -> Match:
        return Match(round, home, away, home_vps=Fraction(12), away_vps=Fraction(8), boards=8)

    known = Match(3, "A", "B", Fraction(30), Fraction(20), boards=8)
    scored = score_teams(teams([], [vps(1, "A", "B"), vps(2, "A", "C"), known]), MatchRules())
    facts = {tally.id: tally.facts for tally in scored.tallies}
    assert isinstance(facts["A"]["margin"], str)
    assert facts["A"]["matches_played"] == 3
