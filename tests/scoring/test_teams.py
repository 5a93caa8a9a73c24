"""Matches of teams and pairs: from two to four tables, rulings, byes, penalties, and why."""

from dataclasses import replace
from fractions import Fraction

import pytest

from honours.errors import InputError, MissingInput
from honours.model import (
    Event,
    Match,
    Penalty,
    Result,
    Source,
)
from honours.scoring import score
from honours.scoring.matches import (
    MatchRules,
    MatchUnit,
    natural_order,
    score_swiss,
    score_teams,
    team_board,
)
from honours.scoring.victory_points import WBF
from tests.scoring.matches import (
    IMPS_ONLY,
    board,
    by_id,
    teams,
)

# --- rulings ----------------------------------------------------------------------------------


# --- board-a-match ------------------------------------------------------------------------------


# --- byes, penalties, carry-over ----------------------------------------------------------------


def two_rounds(**more: object) -> Event:
    lines = [*board(1, 420, -50), *board(2, 0, 100, round=2, home="A", away="C")]
    return teams(lines, **more)  # type: ignore[arg-type]


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
