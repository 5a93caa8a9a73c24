"""Matches given without their boards."""

from dataclasses import replace
from fractions import Fraction

import pytest

from honours.errors import InputError, MissingInput
from honours.model import (
    Match,
    Result,
    Session,
)
from honours.scoring import ScoringOptions, score
from honours.scoring.award_lists import award_lists
from honours.scoring.matches import MatchRules, score_teams
from honours.scoring.victory_points import WBF
from tests.scoring.matches import IMPS_ONLY, board, by_id, margins, teams


def test_matches_given_without_boards() -> None:
    given = [
        Match(1, "A", "B", Fraction(30), Fraction(10), boards=16),
        Match(2, "A", "C", home_vps=Fraction(8), away_vps=Fraction(12)),
        Match(2, "B", ""),
        Match(3, "D", "", home_vps=Fraction(12)),
    ]
    scored = score_teams(teams((), given), MatchRules(bye=Fraction(11)))
    got = {id: tally.points for id, tally in by_id(scored.tallies).items()}
    won = WBF.victory_points(Fraction(20), 16)
    # C sat out the first round; D has no match at all, so only the bye the file gives it.
    assert got["A"] == won + 8
    assert got["B"] == 20 - won + 11
    assert got["C"] == 12 + 11
    assert got["D"] == 12
    assert by_id(score_teams(teams((), given[:1]), IMPS_ONLY).tallies)["A"].points == 20


def test_victory_points_are_no_margin() -> None:
    """Where a file gives only victory points, who won is known and by how much is not."""
    given = [
        Match(1, "A", "B", Fraction(30), Fraction(10), boards=16),
        Match(2, "A", "C", home_vps=Fraction(8), away_vps=Fraction(12)),
    ]
    event = replace(teams((), given), title="league")
    got = by_id(score_teams(event).tallies)
    assert [got[id].facts["margin"] for id in "ABC"] == ["not known", -20, "not known"]
    assert [got[id].facts["won"] for id in "ABC"] == [1, 0, 1]
    with pytest.raises(MissingInput, match="every match of A"):
        score(event, options=ScoringOptions(tie_break="margin"))
    assert score(event, options=ScoringOptions(tie_break="head-to-head")).rankings[0].standings


def test_a_margin_unknown_in_one_session_is_unknown_in_all() -> None:
    imps = Match(1, "A", "B", Fraction(30), Fraction(10), boards=16)
    vps = Match(1, "A", "B", home_vps=Fraction(8), away_vps=Fraction(12))
    for order in ((imps, vps), (vps, imps)):
        sittings = tuple(Session(n, matches=(m,)) for n, m in enumerate(order, 1))
        event = replace(teams(()), sessions=sittings)
        assert by_id(score_teams(event).tallies)["A"].facts["margin"] == "not known"


def test_a_match_with_boards_is_scored_from_them() -> None:
    given = [Match(1, "B", "A", Fraction(99), Fraction(0))]
    assert margins(score_teams(teams(board(1, 420, -50), given))) == [10, -10]


def test_two_entrants_on_a_side_are_no_match() -> None:
    with pytest.raises(InputError, match="one entrant a side"):
        score_teams(teams([Result(1, ("A", "B"), ("C",), 100)]))


def test_boards_that_nobody_tells_are_not_none() -> None:
    given = Match(1, "A", "B", home_vps=Fraction(12), away_vps=Fraction(8))
    lists = award_lists(score(teams((), [given])))
    assert not any("boards" in name for field in lists for name in field.facts)
    assert not any("boards_played" in s.facts for field in lists for s in field.standings)
