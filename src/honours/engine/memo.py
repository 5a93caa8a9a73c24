"""What rules make of a fact of players, worked out once for each distinct fact.

Holdings change over a year, not by the event: a loop over players looks up what it has worked out
before. It reads two players at a time, into two sums, and looks afterwards whether one of them was
unknown, so that nothing waits for what is looked up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

LARGEST_FACT = 2**22
"""Facts below this, in their units, are looked up: 42,000 masterpoints in hundredths."""
VALUES_A_ROW = LARGEST_FACT + 1
"""Of each set of other arguments; the last one is of what is never remembered."""
PLAYERS = "        for j in range(m):"
_MORE_THAN_THE_FACT = r"\[j\] =|\bv_|else: doubt"
"""What a loop does beside making something of a fact: it keeps a row, makes another sum or asks for
something of the field, or rounds, which may be in doubt each time."""


class Memory:
    """What some rules made of each value of a fact, a row for each set of other arguments; 0 where
    that is not known."""

    def __init__(self) -> None:
        self._rows: dict[tuple[float, ...], int] = {}
        self.values = np.zeros(4 * VALUES_A_ROW)

    def row(self, arguments: tuple[float, ...]) -> int:
        number = self._rows.setdefault(arguments, len(self._rows))
        if (number + 1) * VALUES_A_ROW > len(self.values):  # empty again, and twice as large
            self.values = np.zeros(2 * (number + 1) * VALUES_A_ROW)
        return number


@lru_cache(maxsize=4)
def memory(rules: tuple[Callable[..., Any], ...], numbers: Any) -> Memory:
    """One for all loops in which these rules have these numbers."""
    del rules, numbers
    return Memory()


@dataclass(frozen=True, slots=True)
class Memo:
    """A sum over players of something that ``rules`` make of one fact of theirs, of ``numbers``
    and of what depends on the shape."""

    shapes: tuple[str, ...]
    numbers: tuple[str, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayersLoop:
    """The one loop over players in the body of a generated function, from line to line: ``chain``
    makes ``value`` of ``fact``, the last line adds it to ``total``."""

    start: int
    stop: int
    chain: tuple[str, ...]
    fact: str
    value: str
    total: str

    @property
    def memo(self) -> Memo:
        patterns = (r"shape_(\w+)\[c\]", r"number_(\w+)", r"(r_\w+)\(")
        found = (sorted(set(re.findall(pattern, " ".join(self.chain)))) for pattern in patterns)
        return Memo(*map(tuple, found))

    @property
    def name(self) -> str:
        return self.fact.removeprefix("fact_")

    def looking_up(self) -> list[str]:
        """The loop, looking up what is known and working out a field in which something is not."""
        sums = [
            f"        k = np.uint64(memo_of[c] * {VALUES_A_ROW})",
            f"        {self.total}, odd, unknown = 0.0, 0.0, False",
            "        for j in range(np.uint64(0), m - m % two, two):",
            f"            x, y = {self._known('j')}, {self._known('j + one')}",
            "            unknown |= (x == 0.0) | (y == 0.0)",
            f"            {self.total} += x",
            "            odd += y",
            "        if m % two:",
            f"            x = {self._known('m - one')}",
            "            unknown |= x == 0.0",
            "            odd += x",
            f"        {self.total} += odd",
        ]
        work = [
            "        if unknown:",
            f"            {self.total} = 0.0",
            f"    {PLAYERS}",
            *(f"    {line}" for line in self.chain),
            f"                {self.total} += {self.value}",
            f"                sure = {self.value} == {self.value}",  # a NaN is in doubt each time
            f"                if sure and np.uint64({self.fact}[p0 + j]) < {LARGEST_FACT}:",
            f"                    {self._known('j')} = {self.value}",
        ]
        return [*sums, *work]

    def _known(self, player: str) -> str:
        return f"memo[k + min(np.uint64({self.fact}[p0 + {player}]), np.uint64({LARGEST_FACT}))]"


def players_loop(body: list[str]) -> PlayersLoop | None:
    """The loop over players, if there is one and it does nothing but add up."""
    if body.count(PLAYERS) != 1:
        return None
    start = body.index(PLAYERS)
    stop = start + 1
    while stop < len(body) and body[stop].startswith(" " * 12):
        stop += 1
    chain, last = body[start + 1 : stop - 1], body[stop - 1]
    added = re.fullmatch(r"\s+(v_\w+) \+= (l_\w+)", last)
    text = " ".join(chain)
    facts = set(re.findall(r"(fact_\w+)\[p0 \+ j\]", text))
    if not added or len(facts) != 1 or re.search(_MORE_THAN_THE_FACT, text):
        return None
    return PlayersLoop(start, stop, tuple(chain), facts.pop(), added[2], added[1])
