"""Every kind of event in IMPs through the one door, ``score``."""

from dataclasses import replace
from fractions import Fraction

import pytest

from honours.errors import FileProblems, InputError, UnknownName
from honours.model import Entrant, Event, EventEntrant, Penalty, Result, Session
from honours.scoring import ScoredEvent, ScoringOptions, score
from honours.scoring.imps import imp_convention
from honours.scoring.matches import MatchRules
from honours.scoring.standings import decimals
from honours.scoring.victory_points import WBF
from honours.scoring.why import explain
from tests.scoring.matches import WIN_OR_LOSE
from tests.support import cases

ROUND_ONE = [(1, "1", "2", 420), (1, "3", "4", -50), (2, "1", "2", 100), (2, "3", "4", 110)]
ROUND_TWO = [(3, "1", "3", 0), (3, "4", "2", 90), (4, "1", "3", -90), (4, "4", "2", 50)]


def an_event(kind: str, scoring: str, swiss: bool = False) -> Event:
    """Four pairs in two rounds; as teams they sit the other way at a second table."""
    lines = [
        Result(board, (ns,), (ew,), points, round=round)
        for round, played in enumerate((ROUND_ONE, ROUND_TWO), 1)
        for board, ns, ew, points in played
    ]
    if kind == "teams":
        lines += [replace(x, ns=x.ew, ew=x.ns, score=-(x.score or 0)) for x in lines]
    entrants = tuple(
        EventEntrant(Entrant(id), carried=Fraction(int(id == "4"))) for id in ("1", "2", "3", "4")
    )
    return Event("an evening", kind, scoring, entrants, (Session(1, tuple(lines)),), 1, swiss)


def points(scored: ScoredEvent) -> dict[str, Fraction]:
    (ranking,) = scored.rankings
    return {s.entrant.id: s.score for s in ranking.standings if s.score is not None}


def test_cross_imps_rank_and_carry_over() -> None:
    scored = score(an_event("pairs", "cross-imps"))
    got = points(scored)
    assert sum(got.values()) == 1
    assert scored.imps is not None
    assert got["4"] == 10 + 0 + 3 + 4 + 1
    assert score(an_event("pairs", "imps")).rankings == scored.rankings


def test_sessions_in_imps_may_be_ranked_by_themselves() -> None:
    one = an_event("pairs", "cross-imps")
    two = replace(one, sessions=(*one.sessions, replace(one.sessions[0], number=2)))
    lists = score(two, options=ScoringOptions(sessions_ranked=True)).rankings
    assert [ranking.session for ranking in lists] == ["", "1", "2"]


def test_butler_by_a_named_convention() -> None:
    got = points(score(an_event("pairs", "butler"), options=ScoringOptions(imps="compscore")))
    assert sum(got.values()) == 1
    given = score(
        an_event("pairs", "butler"), options=ScoringOptions(imps=imp_convention("compscore"))
    )
    assert points(given) == got
    with pytest.raises(UnknownName, match="pianolo"):
        score(an_event("pairs", "butler"), options=ScoringOptions(imps="pianolo"))


def test_swiss_pairs_in_imps_and_in_matchpoints() -> None:
    in_imps = score(an_event("pairs", "cross-imps", swiss=True))
    assert in_imps.matches is not None
    assert len(in_imps.matches.matches) == 4
    assert sum(points(in_imps).values()) == 4 * 20 + 1
    event = an_event("pairs", "matchpoints", swiss=True)
    assert score(event).matches is None
    in_points = score(event, options=ScoringOptions(matches=MatchRules(WIN_OR_LOSE)))
    assert sum(points(in_points).values()) == 4 * 2 + 1
    fined = replace(event.sessions[0], penalties=(Penalty("1", Fraction(1), "vps"),))
    less = score(
        replace(event, sessions=(fined,)), options=ScoringOptions(matches=MatchRules(WIN_OR_LOSE))
    )
    assert points(less)["1"] == points(in_points)["1"] - 1


@pytest.mark.parametrize("swiss", [False, True])
def test_teams_with_facts_for_a_rulebook(swiss: bool) -> None:
    scored = score(an_event("teams", "imps", swiss))
    (ranking,) = scored.rankings
    assert sum(points(scored).values()) == 4 * 20 + 1
    for standing in ranking.standings:
        facts = {name: standing.facts[name] for name in ("matches_played", "boards_played", "byes")}
        assert facts == {"matches_played": 2, "boards_played": 4, "byes": 0}
    won = sum(Fraction(s.facts["won"]) for s in ranking.standings)
    drawn = sum(Fraction(s.facts["drawn"]) for s in ranking.standings)
    assert won + drawn / 2 == 4
    assert scored.boards[0].lines[0].ns is None


def test_board_a_match_ranks_by_percentage() -> None:
    got = points(score(an_event("teams", "board-a-match")))
    # The team with a carry-over of one board has it on top of the four it played.
    assert sum(got.values()) == 4 * 50 + Fraction(100, 4)


def test_ties_parted_by_the_match_or_the_margin() -> None:
    event = an_event("teams", "imps")
    rules = MatchRules(WIN_OR_LOSE)
    plain = score(event, options=ScoringOptions(matches=rules))
    for name in ("margin", "head-to-head"):
        parted = score(event, options=ScoringOptions(matches=rules, tie_break=name))
        assert points(parted) == points(plain)
        assert all("tie_break_place" in s.facts for s in parted.rankings[0].standings)


@cases
def test_boards_and_totals_are_explained(kind: str, scoring: str, swiss: bool) -> None:
    """The explained total is the one that ranks, carry-over included; its parts add up to it."""
    scored = score(an_event(kind, scoring, swiss))
    assert explain(scored, "board 1")
    for tally in scored.tallies:
        (step,) = explain(scored, f"entrant {tally.id}")
        assert step.value == tally.points
        assert sum(Fraction(use.value) for use in step.uses) == tally.points
        assert step.about == (f"{decimals(tally.score)}% of 4" if tally.possible else "")


def test_what_cannot_be_scored_in_imps() -> None:
    with pytest.raises(InputError, match="teams cannot be scored in 'butler'"):
        score(an_event("teams", "butler"))
    with pytest.raises(InputError, match="pairs cannot be scored in 'board-a-match'"):
        score(an_event("pairs", "board-a-match"))


def test_teams_of_eight_are_no_duplicates_and_the_same_table_twice_is() -> None:
    event = an_event("teams", "imps")
    lines = event.sessions[0].results
    four = tuple(replace(x, table=t) for t in (1, 2) for x in lines)
    eight = replace(event, sessions=(Session(1, four),))
    assert (
        score(eight, options=ScoringOptions(matches=MatchRules(WBF, divided=True))).matches
        is not None
    )
    with pytest.raises(FileProblems, match="again"):
        score(replace(event, sessions=(Session(1, (*lines, lines[0])),)))
