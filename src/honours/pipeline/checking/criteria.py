"""Columns of scores that lists print, and the criteria that they are taken for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from honours.model import Standing
from honours.model.message import Message
from honours.pipeline.checking.figures import PublishedFigure, decimals_in

_OWN = ("NBW", "MMS")
"""Scores of one's own; sums of opponents must agree on more lines to be taken for one."""
_MOST = Fraction(3, 4)


def why_placed(place: int, ours: int, level: int) -> Message:
    if level > 1 and ours <= place < ours + level:
        return Message(
            "ties: {tied} have the same score and share place {place}; the file parts them",
            tied=level,
            place=ours,
        )
    return Message("programme: the list is not in the order of the scores it shows")


def called(standing: Standing) -> str:
    players = standing.entrant.players
    return players[0].name if len(players) == 1 and players[0].name else standing.entrant.id


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A column of a list, and the criterion it is taken for."""

    criterion: str
    published: Sequence[Fraction | None]
    ours: Sequence[Fraction]


Values = Mapping[str, Sequence[Fraction]]


def columns_of(
    scores: Sequence[Sequence[Fraction]], values: Values, ranks: int = 0
) -> list[ScoreColumn]:
    """The columns that hold a criterion on most of their lines; one of nothing but noughts is
    not used. A McMahon score may begin anywhere for each of the ``ranks``, which speaks against
    taking a column for one."""
    width = max((len(row) for row in scores), default=0)
    columns: list[ScoreColumn] = []
    for at in range(width):
        published = [row[at] if at < len(row) else None for row in scores]
        sums = {column.criterion for column in columns} - {*_OWN}
        free = {
            name: agreeing(published, ours) - Fraction(ranks if name == "MMS" else 0, 2)
            for name, ours in values.items()
            if name not in sums
        }
        if not any(published) or not free:
            continue
        own = {name: free[name] for name in _OWN if name in free and not columns}
        for names in (own, free):
            best = max(names, key=lambda name: names[name], default="")
            enough = Fraction(1, 2) if best in _OWN else _MOST
            if best and agreeing(published, values[best]) > enough * len(published):
                columns.append(ScoreColumn(best, published, values[best]))
                break
    return columns


def agreeing(published: Sequence[Fraction | None], ours: Sequence[Fraction]) -> int:
    return sum(a == b for a, b in zip(published, ours, strict=True))


def figures_of(
    columns: Sequence[ScoreColumn], names: Sequence[str], cause: Callable[[str], Message]
) -> Iterator[PublishedFigure]:
    for column in columns:
        places = decimals_in(value for value in column.published if value is not None)
        for name, published, ours in zip(names, column.published, column.ours, strict=True):
            if published is not None:
                why = partial(cause, column.criterion)
                yield PublishedFigure(f"{name}, {column.criterion}", published, ours, places, why)
