"""What a question about a federation's year takes, from the command to the answer.

    python -m benchmarks.questions             generates a year of 4,621 events first
    python -m benchmarks.questions --year DIR  asks of one that is there

CPU time of whole processes, start included, beside that of a process that imports Numba and pyarrow
and reads the same tables; of each the least of several. The first question is asked with nothing
kept from before, the second with what the first has left.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import figure, table

READING = """
import sys, numba, pyarrow.parquet as pq
from pathlib import Path
for path in sorted(Path(sys.argv[1]).glob("*.parquet")):
    if not path.name.startswith("results"):
        pq.read_table(path)
"""
BOOKS = ("acbl-sof-2020", "acbl-sof-2011", "acbl-general")
COMPARED = ("acbl-sof-2011", "acbl-sof-2020")


def cpu(arguments: list[str], kept: Path) -> float:
    """The CPU seconds of a process, its children's too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "XDG_CACHE_HOME": str(kept)}
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
        ("importing Numba and pyarrow, reading the tables", figure(reading), "1"),
        ("first question ever: compare", figure(first), figure(first / reading)),
        ("second question: compare", figure(second), figure(second / reading)),
    ]
    for book in BOOKS:
        award = min(cpu(awarding(year, book, folder), kept) for _ in range(times))
        rows.append((f"second question: award, {book}", figure(award), figure(award / reading)))
    return table(("a year of 4,621 events", "CPU, s", "÷ reading"), rows)


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--year", type=Path, help="a corpus that is there")
    parser.add_argument("--times", type=int, default=3, help="the least of how many runs")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        year = given.year or Path(folder) / "year"
        if given.year is None:
            options = ("--scale", "1", "--seed", "3", "--no-boards")
            cpu(honours("lab", "generate", str(year), *options), Path(folder) / "kept")
        print(asked(year, given.times, Path(folder)))


if __name__ == "__main__":
    main()
