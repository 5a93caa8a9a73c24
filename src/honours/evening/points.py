"""The score of every line so far: matchpoints or IMPs and, for teams, how their match stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from honours.evening.board_lines import BoardPlace
from honours.evening.evening import Evening
from honours.model import Result
from honours.scoring.scored import ScoredEvent

_Line = tuple[int, int, frozenset[str]]
"""Table, board and who sat there; no round, because the rounds of one match may count as one."""


@dataclass(frozen=True, slots=True)
class LinePoints:
    """The score of each side for a line, and what its match is worth to each so far."""

    ns: Fraction | None = None
    ew: Fraction | None = None
    match: tuple[Fraction, Fraction] | None = None


def line_points(evening: Evening, scored: ScoredEvent) -> dict[BoardPlace, LinePoints]:
    """The points of every line that has any."""
    places = {
        (place.table, place.board, frozenset((*line.ns, *line.ew))): place
        for place, line in evening.lines.items()
        if line.is_there
    }
    return {
        places[key]: points
        for key, points in (*_of_boards(scored), *_of_matches(scored))
        if key in places
    }


def _line(result: Result) -> _Line:
    return result.table, result.board, frozenset((*result.ns, *result.ew))


def _of_boards(scored: ScoredEvent) -> Iterator[tuple[_Line, LinePoints]]:
    for board in scored.boards:
        for line in board.lines:
            ns, ew = (side.points if side else None for side in (line.ns, line.ew))
            yield _line(line.result), LinePoints(ns, ew)


def _of_matches(scored: ScoredEvent) -> Iterator[tuple[_Line, LinePoints]]:
    """The points of lines in team matches; a board is worth the same to a team at either table."""
    for match in scored.matches.matches if scored.event.kind == "teams" and scored.matches else ():
        for board in match.boards:
            worth = {match.home.entrant: board.home, match.away.entrant: board.away}
            value = {side.entrant: side.points for side in match.sides}
            for result in board.results:
                ns, ew = result.ns[0], result.ew[0]
                yield _line(result), LinePoints(worth[ns], worth[ew], (value[ns], value[ew]))
