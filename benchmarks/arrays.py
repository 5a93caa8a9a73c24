"""Scoring and awards on arrays: ours beside the others, and how the cost grows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks import data, others, ours
from benchmarks.measure import OURS, Timed, best, copying, figure, same, table

Others = tuple[tuple[str, Callable[[Any], Any]], ...]
SCORERS: Others = (
    ("Polars", others.polars_scores),
    ("DuckDB", others.duckdb_scores),
    ("pandas", others.pandas_scores),
)
AWARDERS: Others = (
    ("Polars", others.polars_awards),
    ("DuckDB", others.duckdb_awards),
    ("pandas", others.pandas_awards),
    ("NumPy", others.numpy_awards),
)
NOT_COUNTED = ("NumPy",)
"""Shown, but no program that people write such a query in."""


@dataclass(frozen=True, slots=True)
class Compared:
    """All contestants on the same ``rows``; ours first."""

    title: str
    rows: int
    copied: float
    found: tuple[Timed, ...]

    @property
    def times_copy(self) -> float:
        return self.found[0].seconds / self.copied

    @property
    def against_fastest(self) -> float:
        counted = [t.seconds for t in self.found[1:] if t.name not in NOT_COUNTED]
        return min(counted) / self.found[0].seconds

    def text(self) -> str:
        mine = self.found[0].seconds
        rows = [
            (t.name, f"{t.seconds:.3f}", figure(t.seconds / self.copied),
             figure(self.rows / t.seconds / 1e6),
             "" if t.name == OURS else f"{t.seconds / mine:.0f}× slower")
            for t in self.found
        ]  # fmt: skip
        head = (f"{self.title}, {self.rows:,}", "s", "× copy", "M/s", "than ours")
        return table(head, rows)


def scoring(count: int, times: int) -> Compared:
    """Scoring, full: matchpoints, totals, percentages and ranks."""
    columns = data.results(count)
    mine, answer = best(lambda: ours.score(columns), times)
    rows = [Timed(OURS, mine)]
    for name, work in SCORERS:
        took, found = best(lambda work=work: work(columns), 2)  # type: ignore[misc]
        for theirs, own in (("mp", "points"), ("place", "place"), ("percentage", "percentage")):
            same(name, found[theirs], getattr(answer, own))
        rows.append(Timed(name, took))
    return Compared("scoring, results", len(columns[0]), copying(columns), tuple(rows))


def awards(events: int, times: int, beside: Others = AWARDERS) -> Compared:
    """Awards of the 2020 proposal; alone where nobody is ``beside``."""
    found = data.fields(events)
    batch = ours.batch_of(found)
    ours.award(batch)
    mine, answer = best(lambda: ours.award(batch), times)
    rows = [Timed(OURS, mine)]
    for name, work in beside:
        took, other = best(lambda work=work: work(found), 2)  # type: ignore[misc]
        same(name, other["cents"], answer.amounts // 100)
        rows.append(Timed(name, took))
    return Compared("awards, entrants", len(found.place), copying(found.columns), tuple(rows))


def scoring_alone(sizes: list[int], times: int) -> list[tuple[int, float, float]]:
    """Results, time and time to copy for each size."""
    points = []
    for size in sizes:
        columns = data.results(size)
        took = best(lambda c=columns: ours.score(c), times)[0]  # type: ignore[misc]
        points.append((len(columns[0]), took, copying(columns)))
    return points
