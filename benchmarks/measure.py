"""Times, always against something timed in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

OURS = "ours"


@dataclass(frozen=True, slots=True)
class Timed:
    """Who did some work, and the shortest time it took; by the CPUs' clocks too, which other
    programs on the machine disturb less."""

    name: str
    seconds: float
    of_cpus: float

    def or_better(self, other: Timed) -> Timed:
        """The shorter of two times of the same work."""
        return Timed(self.name, min(self.seconds, other.seconds), min(self.of_cpus, other.of_cpus))


def best(name: str, work: Callable[[], Any], times: int) -> tuple[Timed, Any]:
    """The shortest times, and the answer."""
    seconds, of_cpus, answer = float("inf"), float("inf"), None
    for _ in range(times):
        answer = None  # what the last one held is not in the way of the next
        start, used = time.perf_counter(), time.process_time()
        answer = work()
        seconds = min(seconds, time.perf_counter() - start)
        of_cpus = min(of_cpus, time.process_time() - used)
    return Timed(name, seconds, of_cpus), answer


def copying(arrays: Sequence[Any]) -> float:
    """The time to copy the same bytes, into memory that was used before."""
    room = [np.ones_like(a) for a in arrays]

    def copy() -> None:
        for to, source in zip(room, arrays, strict=True):
            np.copyto(to, source)

    return best("copy", copy, 5)[0].seconds


def differences(theirs: Any, mine: Any) -> int:
    """In how many rows another program gives something else than ours."""
    return int((np.asarray(theirs).astype(np.int64) != np.asarray(mine)).sum())


def fit(points: Sequence[tuple[int, float]]) -> tuple[float, list[float]]:
    """a, and b between each size and the next, of a + b·n."""
    slopes = [(t1 - t0) / (n1 - n0) for (n0, t0), (n1, t1) in pairwise(points)]
    return points[0][1] - slopes[0] * points[0][0], slopes


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def figure(value: float) -> str:
    """Two or three digits that mean something."""
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"
