"""A corpus from Parquet to scores and awards in Parquet, beside only decoding it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import data
from benchmarks.measure import Timed, best, figure, table
from honours.engine.columns.threads import on_all_cores, threads
from honours.lab import store
from honours.lab.run import ShardJob, process

TABLES = ("events", "entrants", "players", "results")
SHARDS = "most held while a shard a thread is done"
WHOLE = "most held while the whole corpus is done"
DECODED = "the corpus, decoded"
RULEBOOK, PROFILE = "acbl-sof-2020", "ebu"
BOTH = "award by the scores"
JOBS = {"score": TABLES[3:], "award": TABLES[:3], BOTH: TABLES}
"""What is done, and the tables that are read for it."""


@dataclass(frozen=True, slots=True)
class Streamed:
    """Seconds to decode the tables that a job reads, and to do the job; memory of doing all."""

    results: int
    entrants: int
    decoding: dict[str, Timed]
    working: dict[str, Timed]
    memory: dict[str, int]

    @property
    def ratio(self) -> float:
        """Scoring and awarding in one go, to only decoding what that reads."""
        return self.working[BOTH].seconds / self.decoding[BOTH].seconds

    def text(self) -> str:
        rows = []
        for job, took in self.working.items():
            alone = self.decoding[job]
            rows.append(
                (
                    job,
                    f"{alone.seconds:.2f}",
                    f"{took.seconds:.2f}",
                    figure(took.seconds / alone.seconds),
                    figure(took.of_cpus / alone.of_cpus),
                )
            )
        title = f"Parquet, {self.results:,} results, {self.entrants:,} entrants"
        return table(
            (title, "only decoding, s", "read, work and write, s", "÷ decoding", "CPU ÷ decoding"),
            rows,
        )

    def memory_text(self) -> str:
        parts = {name: f"{size / 2**20:,.0f} MB" for name, size in self.memory.items()}
        return table(("memory", ""), parts.items())


def streaming(count: int, times: int, held: int) -> Streamed:
    """Make a corpus of about so many results, decode it, score it and award it; and see what
    memory that takes for one of ``held`` results."""
    with TemporaryDirectory() as beside:
        folder = Path(beside, "corpus")
        made = data.corpus(folder, count)
        decoding: dict[str, Timed] = {}
        working: dict[str, Timed] = {}
        for _ in range(times):  # in turns, so that both find the machine as free as it gets
            for job, tables in JOBS.items():
                for took, work in (
                    (decoding, partial(_decode, folder, tables)),
                    (working, partial(_do, job, folder)),
                ):
                    once = best(job, work, 1)[0]
                    took[job] = took.get(job, once).or_better(once)
        entrants = _entrants(folder)
    return Streamed(made, entrants, decoding, working, _memory(held))


def _entrants(folder: Path) -> int:
    return sum(_rows(folder, "entrants", n) for n in store.shard_numbers(folder))


def _rows(folder: Path, name: str, shard: int) -> int:
    return int(store.open_file(store.shard_file(folder, name, shard)).metadata.num_rows)


def _decode(folder: Path, tables: tuple[str, ...]) -> None:
    """Read every row group as the jobs do, shards on all cores, and do nothing with it."""

    def read(shard: int) -> None:
        for name in tables:
            path = store.shard_file(folder, name, shard)
            file = store.open_file(path)
            for group in range(file.num_row_groups):
                store.read_group(path, file, group)

    on_all_cores(read, store.shard_numbers(folder))


def _do(what: str, folder: Path) -> None:
    """A job over all shards, on all cores, as ``honours lab`` does it."""
    with TemporaryDirectory() as output:
        job = _job(what, str(folder), output)
        done = on_all_cores(lambda shard: process(job, shard), store.shard_numbers(folder))
        problems = [d.problem for d in done if d.problem]
        if problems:
            raise SystemExit(problems[0])


def _job(what: str, folder: str, output: str) -> ShardJob:
    if what == "score":
        return ShardJob("score", folder, output, PROFILE)
    return ShardJob("award", folder, output, RULEBOOK, scored_by=PROFILE if what == BOTH else "")


def _memory(held: int) -> dict[str, int]:
    """What a process of its own held at most: doing a shard a thread, and a whole corpus."""
    with TemporaryDirectory() as beside:
        folder, small = Path(beside, "corpus"), Path(beside, "small")
        made = data.corpus(folder, held)
        data.corpus(small, threads() * data.SHARD)
        command = [sys.executable, "-m", "benchmarks.parquet", str(small), str(folder)]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        figures: dict[str, int] = json.loads(output)
        entrants = _entrants(folder)
    return {**figures, DECODED: made * 11 + entrants * 10 + 2 * entrants * 14}


def _peaks(small: Path, folder: Path) -> dict[str, int]:
    """The most memory held while each corpus is done, compiled code and tables being there.

    From the kernel's own mark, set anew before each: the figure that ``getrusage`` gives begins
    with what the process had that started this one.
    """
    for _ in range(4):  # until all that is remembered of it is there
        _most_while(small)
    return {SHARDS: _most_while(small), WHOLE: _most_while(folder)}


def _most_while(folder: Path) -> int:
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    for what in JOBS:
        _do(what, folder)
    status = Path("/proc/self/status").read_text(encoding="ascii")
    held = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(held.split()[1]) * 1024


if __name__ == "__main__":
    print(json.dumps(_peaks(*map(Path, sys.argv[1:]))))
