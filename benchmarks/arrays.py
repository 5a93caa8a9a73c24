"""Scoring and awards on arrays: ours beside the others, and how the cost grows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks import data, others, ours
from benchmarks.measure import OURS, Timed, best, copying, differences, figure, table

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
COLUMNS = {"mp": "points", "place": "place", "tied": "tied", "percentage": "percentage"}
"""What the others call what ours have of every entrant."""
NOT_COUNTED = ("NumPy",)
"""Shown, but no program that people write such a query in."""


@dataclass(frozen=True, slots=True)
class Compared:
    """All contestants on the same ``rows``; ours first."""

    title: str
    rows: int
    copied: float
    found: tuple[Timed, ...]
    differ: int
    """Rows of any of the others that are not as ours."""

    @property
    def times_copy(self) -> float:
        return self.found[0].seconds / self.copied

    @property
    def against_fastest(self) -> float:
        counted = [t.seconds for t in self.found[1:] if t.name not in NOT_COUNTED]
        return min(counted) / self.found[0].seconds

    def text(self) -> str:
        ours = self.found[0]
        rows = [
            (
                t.name,
                f"{t.seconds:.3f}",
                figure(t.seconds / self.copied),
                figure(self.rows / t.seconds / 1e6),
                f"{t.seconds / ours.seconds:.0f}×",
                figure(1e9 * t.of_cpus / self.rows),
                f"{t.of_cpus / ours.of_cpus:.0f}×",
            )
            for t in self.found
        ]
        head = (
            f"{self.title}, {self.rows:,}",
            "s",
            "× copy",
            "M/s",
            "time of ours",
            "CPU ns each",
            "CPU of ours",
        )
        return table(head, rows)


def scoring(count: int, times: int) -> Compared:
    """Scoring, full: matchpoints, totals, percentages and ranks."""
    columns = data.results(count)

    def differ(theirs: Any, mine: Any) -> int:
        unlike = differences(theirs.matchpoints, mine.ns_matchpoints)
        return unlike + sum(
            differences(theirs.entrants[name], getattr(mine, own)) for name, own in COLUMNS.items()
        )

    took, differing = _in_turns(lambda: ours.score(columns), columns, SCORERS, times, differ)
    return Compared("scoring, results", len(columns[0]), copying(columns), took, differing)


def awards(events: int, times: int, beside: Others = AWARDERS) -> Compared:
    """Awards of the 2020 proposal; alone where nobody is ``beside``."""
    fields = data.fields(events)
    batch = ours.batch_of(fields)
    ours.award(batch)

    def differ(theirs: Any, mine: Any) -> int:
        return differences(theirs["cents"], mine.amounts // 100)

    took, differing = _in_turns(lambda: ours.award(batch), fields, beside, times, differ)
    copied = copying(fields.columns)
    return Compared("awards, entrants", len(fields.place), copied, took, differing)


def _in_turns(
    mine: Callable[[], Any],
    rows: Any,
    beside: Others,
    times: int,
    differ: Callable[[Any, Any], int],
) -> tuple[tuple[Timed, ...], int]:
    """What everybody took, ours first, and in how many rows the others differ.

    Ours runs before, between and after the others, some times each: a run of it is so short that
    one moment in which another program is busy would spoil all of them.
    """
    own, answer = best(OURS, mine, times)
    took, differing = [], 0
    for name, work in beside:
        theirs, other = best(name, lambda work=work: work(rows), 2)  # type: ignore[misc]
        differing += differ(other, answer)
        took.append(theirs)
        del other
        own = own.or_better(best(OURS, mine, times)[0])
    return (own, *took), differing


@dataclass(frozen=True, slots=True)
class Size:
    """So many rows, what they took, and what copying them took."""

    rows: int
    took: Timed
    copied: float


def scoring_alone(sizes: list[int], times: int) -> list[Size]:
    """Scoring without anybody beside, for each size."""
    points = []
    for size in sizes:
        columns = data.results(size)
        took, _ = best(OURS, lambda c=columns: ours.score(c), times)  # type: ignore[misc]
        points.append(Size(len(columns[0]), took, copying(columns)))
    return points
