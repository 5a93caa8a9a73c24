"""What matches add up to: byes, sessions, and what a ruling or a file makes of a match."""

from dataclasses import replace
from fractions import Fraction

import pytest

from honours.errors import InputError
from honours.model import (
    AdjustedScore,
    Entrant,
    EventEntrant,
    Match,
    Penalty,
    Result,
    Session,
    Source,
)
from honours.scoring import ScoringOptions, score
from honours.scoring.imps import score_imps
from honours.scoring.matches import MatchRules, score_board_a_match, score_swiss, score_teams
from honours.scoring.victory_points import Band, ScaleTable, TableScale
from tests.scoring.matches import IMPS_ONLY, MINUS, PLUS, WIN_OR_LOSE, board, by_id, teams

LEAGUE = MatchRules(WIN_OR_LOSE, bye=Fraction(3, 2))


def test_a_team_may_sit_out_twice_in_a_session_and_again_in_the_next() -> None:
    lines = [*board(1, 420, -50), *board(2, 0, 100, 2), *board(3, 0, 0, 3, "A", "C")]
    one = teams(lines)
    both = replace(one, sessions=(*one.sessions, Session(2, tuple(lines))))
    scored = score_teams(both, LEAGUE)
    assert [(bye.session, bye.round, bye.entrant) for bye in scored.byes] == [
        (1, 1, "C"),
        (1, 2, "C"),
        (1, 3, "B"),
        (2, 1, "C"),
        (2, 2, "C"),
        (2, 3, "B"),
    ]
    got = by_id(scored.tallies)
    assert [got["C"].facts[name] for name in ("byes", "matches_played", "drawn")] == [4, 2, 2]
    assert got["C"].points == 4 * Fraction(3, 2) + 2


def test_each_session_of_teams_has_a_list_of_its_own() -> None:
    first, second = board(1, 420, -50), board(1, 0, 420)
    one = teams(first)
    both = replace(one, sessions=(*one.sessions, Session(2, tuple(second))))
    options = ScoringOptions(sessions_ranked=True, matches=IMPS_ONLY)
    lists = score(both, options=options).rankings
    assert [ranking.session for ranking in lists] == ["", "1", "2"]
    scores = [[f"{s.entrant.id} {s.score}" for s in ranking.standings] for ranking in lists]
    assert scores == [["A 1", "B -1"], ["A 10", "B -10"], ["B 9", "A -9"]]
    assert len(score(both, options=ScoringOptions(matches=IMPS_ONLY)).rankings) == 1
    assert len(score(one, options=options).rankings) == 1
    assert {board.section for board in score(both).boards} == {""}
    assert [match.session for match in score_teams(both).matches] == [1, 2]


def test_a_ruling_in_a_swiss_is_told_of_its_board_alone() -> None:
    lines = [
        Result(1, ("A",), ("B",), 420, round=1),
        Result(1, ("C",), ("D",), -50, round=1),
        Result(2, ("A",), ("B",), 420, round=1, adjusted=AdjustedScore(PLUS, MINUS)),
        Result(2, ("C",), ("D",), 50, round=1),
    ]
    event = replace(teams(lines), kind="pairs", scoring="cross-imps", swiss=True)
    scored = score_swiss(event, score_imps(event).boards)
    boards = [board for match in scored.matches for board in match.boards]
    assert [(b.number, b.how) for b in boards] == [(1, ""), (2, "ruling"), (1, ""), (2, "")]
    assert [b.results for b in boards[:2]] == [(lines[0],), (lines[2],)]
    assert [match.home.lead for match in scored.matches] == [10 + 3, -10 + 0]


def test_the_lower_number_is_the_home_team() -> None:
    lines = board(1, 420, -50, home="10", away="2")
    event = replace(teams(lines), entrants=tuple(EventEntrant(Entrant(id)) for id in ("10", "2")))
    (match,) = score_teams(event, IMPS_ONLY).matches
    assert (match.home.entrant, match.home.lead) == ("2", Fraction(-10))
    pairs = replace(event, kind="pairs", scoring="cross-imps", swiss=True)
    (met,) = score_swiss(pairs, score_imps(pairs).boards).matches
    assert met.home.entrant == "2"


def test_a_board_of_one_table_is_told_where_it_was_read() -> None:
    here = Source("teams.csv", 7)
    lines = [*board(1, 420, -50), Result(2, ("A",), ("B",), 50, round=1, source=here)]
    (oddity,) = score(teams(lines)).oddities
    assert oddity.source == here


def test_boards_won_may_be_turned_into_victory_points() -> None:
    event = replace(teams([*board(1, 420, 400), *board(2, 100, 90)]), scoring="board-a-match")
    ranks = [
        [s.score for s in score(event, options=ScoringOptions(matches=rules)).rankings[0].standings]
        for rules in (None, MatchRules(WIN_OR_LOSE))
    ]
    assert ranks == [[100, 0], [2, 0]]


def test_in_what_a_match_of_boards_is_fined() -> None:
    def fined(unit: str, rules: MatchRules) -> Fraction:
        fine = Penalty("A", Fraction(1, 2), unit)
        event = teams(board(1, 420, 400), penalties=(fine,))
        return by_id(score_board_a_match(event, rules).tallies)["A"].points

    assert fined("matchpoints", IMPS_ONLY) == Fraction(1, 2)
    assert fined("percent", IMPS_ONLY) == Fraction(199, 200)
    assert fined("vps", MatchRules(WIN_OR_LOSE)) == Fraction(3, 2)
    with pytest.raises(InputError) as error:
        fined("imps", IMPS_ONLY)
    assert str(error.value) == (
        "a penalty of 1/2 imps for A: this event is scored in matchpoints and percent"
    )


def test_a_match_of_somebody_nobody_knows() -> None:
    given = Match(1, "A", "X", home_vps=Fraction(12), away_vps=Fraction(8))
    with pytest.raises(InputError, match=r"^a match of 'X', which is not an entrant of the event$"):
        score_teams(teams((), [given]))


def test_who_is_level_is_listed_by_the_margin() -> None:
    """Not ranked by it: the place is shared."""
    lines = [*board(1, 0, 0), *board(1, 10, -10, home="C", away="D")]
    (ranking,) = score(teams(lines), options=ScoringOptions(matches=LEAGUE)).rankings
    assert [(s.entrant.id, s.place) for s in ranking.standings] == [
        ("C", 1),
        ("A", 2),
        ("B", 2),
        ("D", 4),
    ]
    one = Fraction(1)
    narrow = TableScale("Ours", (ScaleTable((Band(one, one, one), Band(None, 2 * one, 0 * one))),))
    draws = [*board(1, 0, 0), *board(1, 10, -20, home="C", away="D")]
    (ranking,) = score(teams(draws), options=ScoringOptions(matches=MatchRules(narrow))).rankings
    assert [(s.entrant.id, s.place) for s in ranking.standings] == [
        ("C", 1),
        ("A", 1),
        ("B", 1),
        ("D", 1),
    ]


@pytest.mark.parametrize(("rules", "won"), [(IMPS_ONLY, 5), (MatchRules(WIN_OR_LOSE), 12)])
def test_without_a_scale_a_given_match_counts_its_imps(rules: MatchRules, won: int) -> None:
    both = Match(1, "A", "B", Fraction(25), Fraction(20), Fraction(12), Fraction(8), boards=8)
    assert by_id(score_teams(teams((), [both]), rules).tallies)["A"].points == won
    points = replace(both, home_imps=None, away_imps=None)
    assert by_id(score_teams(teams((), [points]), rules).tallies)["A"].points == 12
