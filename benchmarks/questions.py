"""What a question about a federation's year takes, from the command to the answer.

    python -m benchmarks.questions             generates a year of 4,621 events first
    python -m benchmarks.questions --year DIR  asks of one that is there

CPU time of whole processes, start included, beside that of a process that imports Numba and pyarrow
and reads the same tables; of each the least of several. The first question is asked with nothing
kept from before, the second with what the first has left. Then, with the tables in memory, a
comparison beside the slower of its two awards.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import Timed, best, figure, table
from honours.engine.rulebook import Rulebook
from honours.lab.corpus import Corpus, each_shard
from honours.lab.shard_awards import award_shard
from honours.lab.shards import Shard
from honours.lab.tallies import ComparedSums, tally_shard
from honours.rulebooks import load

READING = """
import sys, numba, pyarrow.parquet as pq
from pathlib import Path
for path in sorted(Path(sys.argv[1]).glob("*.parquet")):
    if not path.name.startswith("results"):
        pq.read_table(path)
"""
BOOKS = ("acbl-sof-2020", "acbl-sof-2011", "acbl-general")
COMPARED = ("acbl-sof-2011", "acbl-sof-2020")


class Goal(NamedTuple):
    """At most so many times what reading takes: what must be, and what is aimed at."""

    must: float
    aim: float


FIRST, SECOND = Goal(6, 3), Goal(2, 1.3)
"""Of the first question ever on a machine, and of the next."""


def cpu(arguments: list[str], kept: Path) -> float:
    """The CPU seconds of a process, its children's too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "XDG_CACHE_HOME": str(kept)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program has its bytecode
    subprocess.run(arguments, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def honours(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "honours", *arguments]


def awarding(year: Path, book: str, folder: Path) -> list[str]:
    """A job into a folder that is not there yet."""
    out = tempfile.mkdtemp(dir=folder)
    return honours("lab", "award", str(year), "--rulebook", book, "--out", out)


def asked(year: Path, times: int, folder: Path) -> str:
    """The figures, as a table."""
    kept = folder / "kept"
    reading = min(cpu([sys.executable, "-c", READING, str(year)], kept) for _ in range(times))
    compare = honours("lab", "compare", str(year), *COMPARED)
    first = min(cpu(compare, folder / f"new{n}") for n in range(min(times, 2)))
    cpu(compare, kept)
    second = min(cpu(compare, kept) for _ in range(times))
    rows = [
        ("importing Numba and pyarrow, reading the tables", f"{reading:.2f}", "1.00", "", ""),
        _held_to("first question ever: compare", first, reading, FIRST),
        _held_to("second question: compare", second, reading, SECOND),
    ]
    for book in BOOKS:
        award = min(cpu(awarding(year, book, folder), kept) for _ in range(times))
        rows.append(_held_to(f"second question: award, {book}", award, reading, SECOND))
    return table(("a year of 4,621 events", "CPU, s", "÷ reading", "must", ""), rows)


def _held_to(question: str, seconds: float, reading: float, goal: Goal) -> tuple[str, ...]:
    """A line of the table, to the second digit: a ratio of 1.95 is not 2."""
    ratio = seconds / reading
    verdict = "not reached"
    if ratio <= goal.must:
        verdict = "aim reached" if ratio <= goal.aim else "reached"
    return question, f"{seconds:.2f}", f"{ratio:.2f}", f"{goal.must:g}", verdict


def in_memory(year: Path, times: int) -> str:
    """A comparison beside its awards: the same tables, nothing started or compiled."""
    corpus = Corpus.open(year)
    shards = list(each_shard(corpus, lambda shard: shard))
    sides = [load(book) for book in COMPARED]
    awards = [_awards(side, shards, times) for side in sides]
    compared, _ = best("compare", lambda: _compared(sides, shards), times)
    slower = max(timed.of_cpus for timed in awards)
    rows = [
        (f"award, {book}", figure(timed.of_cpus), figure(timed.of_cpus / slower))
        for book, timed in zip(COMPARED, awards, strict=True)
    ]
    rows.append(("compare", figure(compared.of_cpus), figure(compared.of_cpus / slower)))
    return table(("tables in memory", "CPU, s", "÷ the slower award"), rows)


def _awards(side: Rulebook, shards: list[Shard], times: int) -> Timed:
    return best("award", lambda: [award_shard(side, shard) for shard in shards], times)[0]


def _compared(sides: list[Rulebook], shards: list[Shard]) -> ComparedSums:
    return ComparedSums([tally_shard(sides[0], sides[1], 20, shard) for shard in shards])


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--year", type=Path, help="a corpus that is there")
    parser.add_argument("--times", type=int, default=3, help="the least of how many runs")
    parser.add_argument("--memory", action="store_true", help="only with the tables in memory")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        year = given.year or Path(folder) / "year"
        if given.year is None:
            options = ("--scale", "1", "--seed", "3", "--no-boards")
            cpu(honours("lab", "generate", str(year), *options), Path(folder) / "kept")
        if not given.memory:
            print(asked(year, given.times, Path(folder)))
        print(in_memory(year, given.times))


if __name__ == "__main__":
    main()
