"""Boards that look as if something is wrong with them, proposed for a director to look at.

The figures below are ours: they only decide what is proposed, never what anybody scores.
"""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from honours.model import Event, Result
from honours.model.message import Message
from honours.scoring.sides import table_score

# Scores of one deal seldom leave a hole this wide, unless a slam swings.
WIDE = 700
FEWEST = 4
TURNED = Message("perhaps entered in the wrong direction")
FOULED = Message("perhaps fouled: scores far from the rest")
FOULED_SINCE = Message("perhaps fouled: from one round on the scores are far from the rest")


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Lines of a board whose scores are far from the rest; ``what`` is the likely reason."""

    board: int
    lines: tuple[Result, ...]
    what: Message

    @property
    def pairs(self) -> tuple[str, ...]:
        return tuple("+".join(line.ns) for line in self.lines)

    @property
    def remedy(self) -> str:
        """The ruling that would put it right, as it is typed; empty where it is not clear which
        one."""
        if self.what == TURNED:
            return f"correct {self.board} --pair {shlex.quote(self.pairs[0])} --turned"
        fouled = self.what in (FOULED, FOULED_SINCE)
        pairs = shlex.quote(",".join(self.pairs))
        return f"fouled {self.board} --pairs {pairs}" if fouled else ""

    @property
    def message(self) -> Message:
        """Where it is, what it might be, and who got what."""
        return Message(
            "board {board}: {what} (NS {pairs}: {scores})",
            board=self.board,
            what=self.what,
            pairs=self.pairs,
            scores=tuple(table_score(line) for line in self.lines),
        )

    def __str__(self) -> str:
        return str(self.message)


def suspicions(event: Event) -> tuple[Suspicion, ...]:
    """Every board with a group of scores far from the others."""
    every: list[Suspicion] = []
    for session in event.sessions:
        travellers: dict[tuple[str, int, str], list[Result]] = {}
        for result in session.results:
            if table_score(result) is not None and result.adjusted is None:
                key = (result.section, result.board, result.version)
                travellers.setdefault(key, []).append(result)
        for results in travellers.values():
            every += _suspect(results)
    return tuple(every)


def _suspect(results: Sequence[Result]) -> Iterator[Suspicion]:
    if len(results) < FEWEST:
        return
    ordered = sorted(results, key=_score)
    gaps = [_score(b) - _score(a) for a, b in itertools.pairwise(ordered)]
    widest = max(gaps)
    if widest < WIDE or gaps.count(widest) > 1:
        return
    cut = gaps.index(widest) + 1
    apart, rest = sorted((ordered[:cut], ordered[cut:]), key=len)
    if 2 * len(apart) >= len(results) and not _in_sequence(apart, rest):
        return
    yield Suspicion(results[0].board, tuple(apart), _explanation(apart, rest))


def _score(result: Result) -> int:
    return table_score(result) or 0


def _explanation(apart: Sequence[Result], rest: Sequence[Result]) -> Message:
    low, high = _score(min(rest, key=_score)), _score(max(rest, key=_score))
    if all(low <= -_score(line) <= high for line in apart):
        return TURNED
    if len(apart) > 1 and _in_sequence(apart, rest):
        return FOULED_SINCE
    if len(apart) == 1 and not _in_sequence(apart, rest):
        return Message("far from the rest")
    return FOULED


def _in_sequence(apart: Sequence[Result], rest: Sequence[Result]) -> bool:
    """Whether rounds are known and all of one group were played before the other."""
    here, there = [x.round for x in apart], [x.round for x in rest]
    known = all(here) and all(there)
    return known and (min(here) > max(there) or max(here) < min(there))
