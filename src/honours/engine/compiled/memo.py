"""Assembles the loops over the entrants or players of a field, and decides what they may look up
instead of working out.

Holdings change over a year, not from event to event, so a loop over players looks up what its rules
gave for a fact before. It reads two players at a time, into two sums, and checks afterwards whether
one of them was unknown, so that nothing waits for a lookup. An entrant below the paid places gets
what the previous one there got.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from honours.engine.rules import Level

LARGEST_FACT = 2**22
"""Facts below this, in their units, are looked up: 42,000 masterpoints in hundredths."""
VALUES_A_ROW = LARGEST_FACT + 1
"""Values for each set of other arguments; the last stands for facts that are never remembered."""
MOST_ROWS = 8
"""Sets of other arguments that are remembered: a row may take 34 MB."""
NO_ROW = -1
LOOPS = {"entrant": "        for i in range(n):", "player": "        for j in range(m):"}


class FactMemory:
    """What some rules gave for each value of a fact, one row per set of other arguments; 0 if
    unknown. Of further sets of arguments nothing is remembered, so that memory stays bounded."""

    def __init__(self) -> None:
        self._rows: dict[tuple[float, ...], int] = {}
        self.values = np.zeros(4 * VALUES_A_ROW)

    def row(self, arguments: tuple[float, ...]) -> int:
        if arguments not in self._rows and len(self._rows) == MOST_ROWS:
            return NO_ROW
        number = self._rows.setdefault(arguments, len(self._rows))
        if (number + 1) * VALUES_A_ROW > len(self.values):  # emptied, and twice as large
            self.values = np.zeros(min(2 * (number + 1), MOST_ROWS) * VALUES_A_ROW)
        return number


@lru_cache(maxsize=4)
def memory(rules: tuple[Callable[..., Any], ...], numbers: Any) -> FactMemory:
    """The memory shared by all loops in which these rules have these numbers."""
    del rules, numbers
    return FactMemory()


@dataclass(frozen=True, slots=True)
class LoopStore:
    """A line that stores a value of a row for another loop; left out if none reads it."""

    name: str
    text: str


class LoopSum(NamedTuple):
    """An aggregate over the rows of a loop."""

    total: str
    value: str

    @property
    def begins(self) -> str:
        return f"{self.total} = 0.0"

    @property
    def goes_on(self) -> str:
        return f"{self.total} += {self.value}"


@dataclass
class FieldLoop:
    """One loop over the entrants or players of a field: its lines, the sums it makes, and what
    these read. A group per field is not a loop but the lines between loops."""

    level: Level
    lines: list[str | LoopStore] = field(default_factory=list)
    sums: list[LoopSum] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    local: set[str] = field(default_factory=set)
    wants: set[tuple[str, str]] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)
    covers: bool = False
    """Whether it begins with the range of an entrant's tie: ``a`` is its first place, or
    ``paid``."""
    skips: bool = False
    """Whether an entrant below the paid places gets what the previous one there got."""

    def text(self, read: Set[str], looking_up: bool) -> list[str]:
        """The text of the loop, keeping only what is in ``read``."""
        if looking_up:
            return [*self._looking_up(), *self.after]
        before = [f"        {s.begins}" for s in self.sums]
        lines = self._kept_lines(read)
        keeps = any(isinstance(x, LoopStore) and x.name in read for x in self.lines)
        if self.covers:
            skips = self.skips and not self.sums and not keeps
            before += ["        again, unpaid, near = 0, 0, 0"] if skips else []
            lines = [
                COVERED[0],
                *(_UNPAID if skips else ()),
                COVERED[1],
                *lines,
                *([_REMEMBER_UNPAID] if skips else []),
            ]
        lines += [s.goes_on for s in self.sums]
        return [*before, LOOPS[self.level], *(f"            {line}" for line in lines), *self.after]

    def _kept_lines(self, read: Set[str]) -> list[str]:
        kept = (line for line in self.lines if not isinstance(line, LoopStore) or line.name in read)
        return [line.text if isinstance(line, LoopStore) else line for line in kept]

    def names(self, kind: str) -> tuple[str, ...]:
        """The names of the given kind that the loop reads."""
        return tuple(sorted(name for of, name in self.wants if of == kind))

    def _looking_up(self) -> list[str]:
        """The loop that looks up known values, and runs again over a field with unknown ones to
        work these out."""
        (total, value), fact = self.sums[0], self.names("fact")[0]
        chain = self._kept_lines(frozenset())

        def known(player: str) -> str:
            units = f"np.uint64(fact_{fact}[p0 + {player}])"
            return f"memo[k + min(max({units}, least), np.uint64({LARGEST_FACT}))]"

        return [
            f"        k = np.uint64(max(memo_of[c], 0) * {VALUES_A_ROW})",
            # Where nothing is remembered, every fact is looked up where no value ever stands.
            f"        least = np.uint64(0 if memo_of[c] != {NO_ROW} else {LARGEST_FACT})",
            f"        {total}, odd, unknown = 0.0, 0.0, False",
            "        for j in range(np.uint64(0), m - m % two, two):",
            f"            x, y = {known('j')}, {known('j + one')}",
            "            unknown |= (x == 0.0) | (y == 0.0)",
            f"            {total} += x",
            "            odd += y",
            "        if m % two:",
            f"            x = {known('m - one')}",
            "            unknown |= x == 0.0",
            "            odd += x",
            f"        {total} += odd",
            "        if unknown:",
            f"            {total} = 0.0",
            f"    {LOOPS['player']}",
            f"                x = {known('j')}",
            "                if x == 0.0:",
            *(f"                    {line}" for line in chain),
            f"                    x = {value}",
            f"                    sure = {value} == {value}",  # a NaN is in doubt every time
            f"                    if sure and max(np.uint64(fact_{fact}[p0 + j]), least) < "
            f"np.uint64({LARGEST_FACT}):",
            f"                        {known('j')} = {value}",
            f"                {total} += x",
        ]


COVERED = (
    "a = min(np.int64(place[e0 + i]) - 1, paid)",
    "b = min(np.int64(place[e0 + i]) - 1 + np.int64(tied[e0 + i]), paid)",
)
"""The range of paid places that an entrant's tie covers."""
_UNPAID = (
    "if a == paid and tied[e0 + i] == again:",
    "    out[e0 + i] = unpaid",
    "    if near: flag[e0 + i] = 1",
    "    continue",
)
_REMEMBER_UNPAID = "if a == paid: again, unpaid, near = tied[e0 + i], out[e0 + i], flag[e0 + i]"
