"""Runs every contestant on the same arrays, checks that they agree, and prints the ratios."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import data, others, ours


def best(work: Callable[[], Any], times: int) -> tuple[float, Any]:
    """The shortest time and the answer."""
    shortest, answer = float("inf"), None
    for _ in range(times):
        start = time.perf_counter()
        answer = work()
        shortest = min(shortest, time.perf_counter() - start)
    return shortest, answer


def copying(arrays: tuple[Any, ...]) -> float:
    """The time to copy the same bytes."""
    room = [np.empty_like(a) for a in arrays]
    for to, source in zip(room, arrays, strict=True):
        np.copyto(to, source)

    def copy() -> None:
        for to, source in zip(room, arrays, strict=True):
            np.copyto(to, source)

    return best(copy, 5)[0]


def scoring(count: int) -> None:
    """Scoring, full, against the others."""
    columns = data.results(count)
    n = len(columns[0])
    ours.score(data.results(2000))
    mine, answer = best(lambda: ours.score(columns), 5)
    copied = copying(columns)
    rows = [("ours", mine)]
    for name, work in (
        ("Polars", others.polars_scores),
        ("DuckDB", others.duckdb_scores),
        ("pandas", others.pandas_scores),
    ):
        took, found = best(lambda work=work: work(columns), 2)  # type: ignore[misc]
        _same(name, np.asarray(found["mp"]), answer.points)
        _same(name, np.asarray(found["place"]).astype(np.int64), answer.place)
        rows.append((name, took))
    _print(f"scoring, {n:,} results", "M results/s", n, copied, rows)


def awards(events: int) -> None:
    """Awards of the 2020 proposal, against the others."""
    found = data.fields(events)
    n = len(found.place)
    curve = others.curve_table(int(found.sizes.max()))
    batch = ours.batch_of(found)
    ours.award(batch)
    mine, answer = best(lambda: ours.award(batch), 5)
    copied = copying((found.place, found.tied, found.holding))
    rows = [("ours", mine)]
    for name, work in (
        ("Polars", others.polars_awards),
        ("DuckDB", others.duckdb_awards),
        ("pandas", others.pandas_awards),
    ):
        took, other = best(lambda work=work: work(found, curve), 2)  # type: ignore[misc]
        _same(name, np.asarray(other["cents"]).astype(np.int64), answer.amounts // 100)
        rows.append((name, took))
    print(f"derived the exact way: {answer.derived} of {events:,} events")
    _print(f"awards, {n:,} entrants", "M entrants/s", n, copied, rows)


def _same(name: str, theirs: Any, mine: Any) -> None:
    differ = int((theirs != mine).sum())
    if differ:
        print(f"{name} differs from ours in {differ:,} of {len(mine):,} rows")


def _print(title: str, unit: str, n: int, copied: float, rows: list[tuple[str, float]]) -> None:
    print(f"\n| {title} | s | × copy | {unit} | ours is faster |\n|---|---|---|---|---|")
    mine = rows[0][1]
    for name, took in rows:
        print(
            f"| {name} | {took:.3f} | {took / copied:.1f} | {n / took / 1e6:.1f} "
            f"| {took / mine:.0f}× |"
        )


def growth(most: int) -> None:
    """How the cost of scoring grows: a + b·n."""
    sizes = [most // 100, most // 10, most]
    times = []
    for count in sizes:
        columns = data.results(count)
        times.append((len(columns[0]), best(lambda c=columns: ours.score(c), 3)[0]))  # type: ignore[misc]
    b = [(times[k + 1][1] - times[k][1]) / (times[k + 1][0] - times[k][0]) for k in range(2)]
    a = times[0][1] - b[0] * times[0][0]
    steps = ", ".join(f"{n:,}: {t * 1000:.1f} ms" for n, t in times)
    print(f"\ngrowth: {steps}; a = {a * 1000:.2f} ms, b = {b[0] * 1e9:.2f} and {b[1] * 1e9:.2f} ns")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--results", type=int, default=5_000_000)
    parser.add_argument("--events", type=int, default=50_000)
    given = parser.parse_args()
    print(f"{os.cpu_count()} cores; load {os.getloadavg()[0]:.1f}")
    scoring(given.results)
    awards(given.events)
    growth(given.results)


if __name__ == "__main__":
    main()
