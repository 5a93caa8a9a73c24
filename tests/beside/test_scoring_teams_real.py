"""Compared with real files beside the repository: scoring teams real."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from honours.model import Event, Match, Result
from honours.scoring.matches import MatchRules, MatchScores, score_teams
from honours.scoring.standings import RankingRules, rank_event, shown_place
from honours.scoring.victory_points import Band, ScaleTable, TableScale
from tests.beside.usebio_lines import event, number, results, root, text

SEEN = {0: 10, 1: 11, 2: 12, 4: 13, 6: 14, 8: 15, 10: 16, 13: 17, 16: 18, 20: 19}


THREE_BOARDS = TableScale(
    "seen in a TeamsScorer file",
    (
        ScaleTable(
            (
                *(Band(Fraction(m), Fraction(vp), Fraction(20 - vp)) for m, vp in SEEN.items()),
                Band(None, Fraction(20), Fraction(0)),
            )
        ),
    ),
)


def matches(top: ET.Element) -> Iterator[tuple[Match, ET.Element]]:
    for node in top.iter("MATCH"):
        match = Match(
            int(text(node, "ROUND_NUMBER")),
            text(node, "TEAM"),
            text(node, "OPPOSING_TEAM"),
            home_vps=number(node, "TEAM_SCORE"),
            away_vps=number(node, "OPPOSING_TEAM_SCORE"),
            boards=len(node.findall("BOARD")),
        )
        yield match, node


def played(top: ET.Element) -> Iterator[Result]:
    """The lines with teams in place of their pairs, and the round of their match."""
    for match, node in matches(top):
        for result, _ in results(node):
            ns, ew = (id[0].split("-")[0] for id in (result.ns, result.ew))
            yield replace(result, ns=(ns,), ew=(ew,), round=match.round)


def scored(top: ET.Element) -> MatchScores:
    return score_teams(event("teams", played(top)), MatchRules(THREE_BOARDS))


def test_imps_of_every_board_and_victory_points_of_every_match() -> None:
    top = root("multiple-teams.xml")
    ours = {(m.round, m.home.entrant, m.away.entrant): m for m in scored(top).matches}
    boards = 0
    for match, node in matches(top):
        got = ours.pop((match.round, match.home, match.away))
        imps = [number(board, "IMPS") for board in node.findall("BOARD")]
        assert [board.home for board in got.boards] == imps
        assert [board.away for board in got.boards] == [-value for value in imps]
        assert (got.home.points, got.away.points) == (match.home_vps, match.away_vps)
        boards += len(imps)
    assert (boards, ours) == (120, {})


def test_totals_wins_and_places() -> None:
    top = root("multiple-teams.xml")
    (ranking,) = rank_event(scored(top).tallies, RankingRules())
    published = {node.get("TEAM_ID"): node for node in top.iter("TEAM") if node.get("TEAM_ID")}
    assert len(ranking.standings) == len(published) == 10
    for standing in ranking.standings:
        node = published[standing.entrant.id]
        assert standing.score == number(node, "TOTAL_SCORE")
        assert shown_place(standing) == text(node, "PLACE")
        won, drawn = (Fraction(standing.facts[name]) for name in ("won", "drawn"))
        assert won + drawn == number(node, "WINS_OR_DRAWS")
        assert [standing.facts[name] for name in ("matches_played", "boards_played")] == [8, 24]


def test_the_same_from_the_matches_alone() -> None:
    """Victory points as given need no boards and no scale."""
    top = root("multiple-teams.xml")
    whole = event("teams", played(top))
    alone = replace(whole.sessions[0], results=(), matches=tuple(m for m, _ in matches(top)))
    given: Event = replace(whole, sessions=(alone,))
    totals = {
        t.id: (t.points, t.facts["won"], t.facts["drawn"]) for t in score_teams(given).tallies
    }
    assert totals == {
        t.id: (t.points, t.facts["won"], t.facts["drawn"]) for t in scored(top).tallies
    }
