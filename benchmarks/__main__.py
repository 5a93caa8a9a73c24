"""Runs every contestant in one run, checks that they agree, and prints a page of figures."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from benchmarks import arrays, parquet, start
from benchmarks.arrays import Compared, Size
from benchmarks.measure import figure, fit, table
from benchmarks.parquet import DECODED, SHARDS, WHOLE, Streamed
from honours.engine.columns.threads import threads

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
QUIET = 0.5
"""A load below this, before anything is measured, is that of a machine nobody else uses."""
BUSY = """\
Other programs were running (load {load:.1f} before the first of ours): what is said to be reached,
or not, has to be measured again on a quiet machine. A short run finds a free moment more easily
than a long one, which flatters ours beside the others; the ratios of CPU time do not have that
fault, but do not see that two threads share the work."""
LIMITS = {start.WHOLE: (250, 200), start.OURS: (50, 50)}
"""What must be reached, and the aim, in milliseconds."""
PROGRAMS = ("numpy", "numba", "pyarrow", "polars", "duckdb", "pandas")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of each work; the others are slow, and some of them want much memory."""

    results: int
    events: int
    beside_results: int
    beside_events: int
    held_results: int
    """In the corpus that memory is measured on."""


MODEST = Sizes(10_000_000, 100_000, 4_000_000, 50_000, 20_000_000)
FULL = Sizes(100_000_000, 1_000_000, 20_000_000, 1_000_000, 480_000_000)


def page(sizes: Sizes, times: int) -> str:
    """All figures."""
    started, load = time.time(), os.getloadavg()[0]
    starting = start.starting()
    _say(start.text(starting))
    beside = arrays.scoring(sizes.beside_results, times)
    _say(beside.text())
    awards_beside = arrays.awards(sizes.beside_events, times)
    _say(awards_beside.text())
    awards = arrays.awards(sizes.events, times, ())
    grown = arrays.scoring_alone(_decades(sizes.results), times)
    _say(_growth(grown))
    streamed = parquet.streaming(sizes.results, max(2, times - 2), sizes.held_results)
    _say(streamed.text())
    loads = f"{load:.1f} at the beginning, {os.getloadavg()[0]:.1f} at the end"
    about = (
        f"{threads()} threads on {os.cpu_count()} cores; load {loads}; "
        f"{time.time() - started:.0f} s in all. Python {platform.python_version()}, "
        + ", ".join(f"{name} {version(name)}" for name in PROGRAMS)
        + f". Best of {times} for ours, before and after each of the others; of 2 for those."
    )
    reached = _reached(beside, awards_beside, awards, grown, streamed, starting)
    if load > QUIET:
        reached += "\n\n" + BUSY.format(load=load)
    parts = (
        about,
        beside.text(),
        awards_beside.text(),
        awards.text(),
        _growth(grown),
        streamed.text(),
        streamed.memory_text(),
        start.text(starting),
        reached,
    )
    return "\n\n".join(parts)


def _decades(most: int) -> list[int]:
    sizes = [10**k for k in range(6, 12) if 10**k < most]
    return [*sizes, most]


def _growth(grown: list[Size]) -> str:
    a, slopes = fit([(size.rows, size.took.seconds) for size in grown])
    _, of_cpus = fit([(size.rows, size.took.of_cpus) for size in grown])
    rows = [
        (
            f"{size.rows:,}",
            f"{1000 * size.took.seconds:.1f}",
            figure(1e9 * size.took.seconds / size.rows),
            figure(size.took.seconds / size.copied),
            f"{1e9 * b:.2f}" if b else "",
            f"{1e9 * c:.2f}" if c else "",
        )
        for size, b, c in zip(grown, [0.0, *slopes], [0.0, *of_cpus], strict=True)
    ]
    head = (
        "scoring grows: results",
        "ms",
        "ns each",
        "× copy",
        "b since the last, ns",
        "b of CPUs, ns",
    )
    return table(head, rows) + f"\n\na = {1000 * a:.2f} ms in a + b·n."


def _reached(
    scoring: Compared,
    awards_beside: Compared,
    awards: Compared,
    grown: list[Size],
    streamed: Streamed,
    starting: Mapping[str, float],
) -> str:
    """What we set out to reach beside what was measured."""
    memory = streamed.memory
    beyond = 100 * (memory[WHOLE] - memory[SHARDS]) / memory[SHARDS]
    rows = [
        _row("scoring, full, × copy", 5.5, 3.5, grown[-1].took.seconds / grown[-1].copied),
        _row("scoring against the fastest of the three", 50, 100, scoring.against_fastest, "×"),
        _row("awards, × copy", 10, 5, awards.times_copy),
        _row("awards against the fastest of the three", 40, 80, awards_beside.against_fastest, "×"),
        _row("Parquet → scores, awards → Parquet ÷ decoding", 2.2, 1.9, streamed.ratio),
        _row("memory for the whole corpus beyond a shard a thread, %", 10, 10, beyond),
        _row("corpus, decoded, to memory held", 10, 10, memory[DECODED] / memory[WHOLE], "×"),
        _row(
            "rows in which one of the others differs", 0, 0, scoring.differ + awards_beside.differ
        ),
        _steadiness(grown),
        _row(f"{start.HELP} ÷ {start.BARE}", 5, 4, starting[start.HELP] / starting[start.BARE]),
        *(
            _row(f"{name}, ms", *LIMITS[name], ms)
            for name, ms in starting.items()
            if name in LIMITS
        ),
    ]
    return table(("", "must", "aim", "measured", ""), rows)


def _steadiness(grown: list[Size]) -> tuple[str, str, str, str, str]:
    """How far b is from constant between 10^6 and 10^8; fewer results show nothing of that."""
    _, slopes = fit([(size.rows, size.took.seconds) for size in grown])
    what = "growth, 10^6 to 10^8 results, change of b, %"
    if grown[-1].rows < 0.9e8:
        return what, "20", "20", "", f"not measured: {grown[-1].rows:,} results at most"
    return _row(what, 20, 20, 100 * (max(slopes) / min(slopes) - 1))


def _row(
    what: str, must: float, aim: float, measured: float, unit: str = ""
) -> tuple[str, str, str, str, str]:
    sign = -1 if unit == "×" else 1  # of these more is better
    found_, must_, aim_ = sign * measured, sign * must, sign * aim
    verdict = "aim reached" if found_ <= aim_ else "reached" if found_ <= must_ else "not reached"
    return what, f"{must:g}{unit}", f"{aim:g}{unit}", f"{figure(measured)}{unit}", verdict


def _say(text: str) -> None:
    print(text, end="\n\n", file=sys.stderr, flush=True)


def _write(path: Path, text: str) -> None:
    """Put the figures between the two marks of a page."""
    before, begins, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begins or not end:
        raise SystemExit(f"{path}: found no {BEGIN} … {END} to put the figures between")
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="./check bench", description=__doc__)
    parser.add_argument("--full", action="store_true", help="100 M results and 1 M events")
    parser.add_argument("--results", type=int, help="results to score")
    parser.add_argument("--events", type=int, help="events to award")
    parser.add_argument("--beside-results", type=int, help="results to score beside the others")
    parser.add_argument("--beside-events", type=int, help="events to award beside the others")
    parser.add_argument("--held-results", type=int, help="results in the corpus memory is held for")
    parser.add_argument("--times", type=int, default=5, help="the best of how many runs of ours")
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FILE",
        help="put the figures into a page, between its two marks",
    )
    given = parser.parse_args()
    base = FULL if given.full else MODEST
    names = ("results", "events", "beside_results", "beside_events", "held_results")
    sizes = Sizes(*(getattr(given, n) or getattr(base, n) for n in names))
    text = page(sizes, given.times)
    print(text)
    if given.write:
        _write(given.write, text)


if __name__ == "__main__":
    main()
