"""Scorecards and the matrix of an event of matches: what each board was worth to a team."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from honours.model import Result
from honours.model.message import Message
from honours.model.table import Column, Kind, Table, table
from honours.scoring.match_totals import MatchScores
from honours.scoring.matches import MatchBoard, MatchScore
from honours.scoring.rounding import column, decimals
from honours.scoring.sides import table_score
from honours.scoring.standings import Tally

_CARD = (
    Column("round", Message("round"), Kind.NUMBER),
    Column("against", Message("against"), Kind.CODE),
    Column("board", Message("board"), Kind.NUMBER),
    Column("scores", Message("scores"), Kind.CODE),
    Column("points", Message("points"), Kind.NUMBER),
    Column("match", Message("match"), Kind.NUMBER),
)


def board_points(scores: MatchScores) -> dict[int, tuple[Fraction, Fraction]]:
    """What the board of a result was worth to North-South's team and to East-West's, by the
    identity of the result: the same board is another one in another match."""
    return {
        id(result): (board.home, board.away)
        if result.ns == (match.home.entrant,)
        else (board.away, board.home)
        for match in scores.matches
        for board in match.boards
        for result in board.results
    }


def match_card(scores: MatchScores, tally: Tally, title: str) -> Table:
    """A team's matches, board by board, and what each was worth."""
    played = list(_boards_of(scores, tally.id))
    figures = column(points for _, _, _, points in played)
    rows: list[tuple[str, ...]] = []
    for (match, against, board, _), shown in zip(played, figures, strict=True):
        last = board is match.boards[-1]
        side = match.side_of(tally.id)
        worth = decimals(side.points) if last and side else ""
        scores_ = Message("{scores}", scores=tuple(_score(result) for result in board.results))
        rows.append((str(match.round), against, str(board.number), scores_, shown, worth))
    rows += _given(scores, tally.id)
    total = Message("Total {points}", points=Decimal(decimals(tally.points)))
    return table("scorecard", _CARD, rows, caption=title, foot=total)


def _boards_of(
    scores: MatchScores, team: str
) -> Iterator[tuple[MatchScore, str, MatchBoard, Fraction]]:
    for match in scores.matches:
        if match.side_of(team) is not None:
            home = match.home.entrant == team
            against = (match.away if home else match.home).entrant
            for board in match.boards:
                yield match, against, board, board.home if home else board.away


def _given(scores: MatchScores, team: str) -> list[tuple[str, ...]]:
    """Matches of which the boards are not known, and byes."""
    rows: list[tuple[str, ...]] = []
    for match in scores.matches:
        side = match.side_of(team)
        if side is not None and not match.boards:
            against = (match.away if side is match.home else match.home).entrant
            rows.append((str(match.round), against, "", "", "", decimals(side.points)))
    byes = [bye for bye in scores.byes if bye.entrant == team]
    return rows + [
        (str(bye.round), Message("bye"), "", "", "", decimals(bye.points)) for bye in byes
    ]


def _score(result: Result) -> str:
    score = table_score(result)
    return Message("ruling") if result.adjusted is not None or score is None else str(score)


def match_cells(scores: MatchScores, session: int) -> dict[tuple[str, int], str]:
    """Every team's points by board; a number it met in several rounds has them all."""
    shares_of: dict[int, list[tuple[str, Fraction]]] = {}
    for match in scores.matches:
        for board in match.boards if match.session == session else ():
            both = ((match.home.entrant, board.home), (match.away.entrant, board.away))
            shares_of.setdefault(board.number, []).extend(both)
    cells: dict[tuple[str, int], str] = {}
    for number, shares in shares_of.items():
        for (team, _), shown in zip(shares, column(x for _, x in shares), strict=True):
            before = cells.get((team, number))
            cells[team, number] = f"{before}/{shown}" if before else shown
    return cells
