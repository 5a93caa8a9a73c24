"""Runs a job over the shards of a corpus: in order or in a pool, resumable, one file per shard.

A job is a function from a shard to a table, described by plain values so that it can be sent to
another process or machine. Each finished shard leaves a file; a run restarted with the same job
finds these and continues. A shard that cannot be read is reported and does not end the run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honours.errors import HonoursError, InputError
from honours.lab import store
from honours.lab.checks import check_files
from honours.model.message import Message, joined

if TYPE_CHECKING:
    from honours.lab.shards import BadEvent, Shard

JOB = "job.json"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ShardJob:
    """What to do with every shard: ``award`` by a rulebook, or ``score`` by a profile.

    Awards use the places given in the corpus or, with ``scored_by``, those that the profile gives
    the results.
    """

    what: str
    corpus: str
    output: str
    named: str
    changes: tuple[tuple[str, str], ...] = ()
    rulebooks: tuple[str, ...] = ()
    scored_by: str = ""

    def signature(self, corpus_hash: str, rule_hash: str) -> dict[str, Any]:
        """What must be equal for a run to continue where another stopped."""
        return {
            "what": self.what,
            "named": self.named,
            "changes": dict(self.changes),
            "corpus": corpus_hash,
            "rule": rule_hash,
            **({"scored_by": self.scored_by} if self.scored_by else {}),
        }


@dataclass(frozen=True, slots=True)
class ShardOutcome:
    """What became of a shard: rows written, events set aside, or the problem that stopped it."""

    shard: int
    rows: int = 0
    total: int = 0
    derived: int = 0
    aside: tuple[tuple[int, str], ...] = ()
    problem: str = ""
    again: bool = False


@dataclass
class RunOutcome:
    """A whole run."""

    done: list[ShardOutcome] = field(default_factory=list)

    @property
    def problems(self) -> list[ShardOutcome]:
        return [d for d in self.done if d.problem]

    def data(self) -> dict[str, Any]:
        """The data for ``--json``: totals, and everything that was set aside."""
        aside = [{"event": e, "why": w} for d in self.done for e, w in d.aside]
        return {
            "shards": len(self.done),
            "resumed": sum(d.again for d in self.done),
            "rows": sum(d.rows for d in self.done),
            "total": sum(d.total for d in self.done) / 10_000,
            "derived_exactly": sum(d.derived for d in self.done),
            "set_aside": aside,
            "problems": [{"shard": d.shard, "problem": d.problem} for d in self.problems],
        }


def process(job: ShardJob, shard: int) -> ShardOutcome:
    """Process one shard: read, work, write. The bytes are the same wherever it runs."""
    try:
        return _award(job, shard) if job.what == "award" else _score(job, shard)
    except HonoursError as error:
        return ShardOutcome(shard, problem=error.message)


def output_file(job: ShardJob, shard: int) -> Path:
    return store.shard_file(Path(job.output), f"{job.what}s", shard)


def _award(job: ShardJob, shard: int) -> ShardOutcome:
    from honours.lab.answers import shard_table
    from honours.lab.compared_sides import specified
    from honours.lab.shard_awards import award_shard
    from honours.lab.shards import read_shard
    from honours.rulebooks import load

    book = specified(load(job.named, job.rulebooks), dict(job.changes))
    if job.scored_by:
        read, aside = _placed(job, shard)
    else:
        read, aside = read_shard(Path(job.corpus), shard), ()
    awards = award_shard(book, read, aside)
    store.write_table(output_file(job, shard), shard_table(read, awards), coded=False)
    bad_events = tuple((b.event, b.message) for b in (*read.bad, *awards.bad))
    return ShardOutcome(
        shard, len(awards.amounts), int(awards.amounts.sum()), awards.derived, bad_events
    )


def _placed(job: ShardJob, shard: int) -> tuple[Shard, tuple[BadEvent, ...]]:
    """A shard with the places that its results give, if it has any. The results are read first,
    so that the other tables are still cached when they are awarded."""
    from honours.lab.score import lines_of, placed_by_score, rank_results
    from honours.lab.shards import read_shard
    from honours.scoring.profiles import profile

    folder = Path(job.corpus)
    results = store.shard_file(folder, "results", shard)
    if not results.exists():
        return read_shard(folder, shard), ()
    ranks = rank_results(results, profile(job.scored_by))
    read = read_shard(folder, shard)
    return placed_by_score(read, ranks, None if read.line is None else lines_of(folder, shard))


def _score(job: ShardJob, shard: int) -> ShardOutcome:
    import pyarrow.parquet as pq

    from honours.lab.column_reading import LostEvents
    from honours.lab.score import lines_of, score_file
    from honours.lab.tables import SCORES
    from honours.scoring.profiles import profile

    source = store.shard_file(Path(job.corpus), "results", shard)
    if not source.exists():
        missing = Message("{file}: missing; there are no results to score", file=source)
        return ShardOutcome(shard, problem=missing)
    target = output_file(job, shard)
    beside, rows = target.with_suffix(".part"), 0
    lost: list[LostEvents] = []
    lines = lines_of(Path(job.corpus), shard)
    with pq.ParquetWriter(beside, SCORES, compression="lz4", use_dictionary=False) as writer:
        for table in score_file(source, profile(job.named), lines):
            if isinstance(table, LostEvents):
                lost.append(table)
                continue
            writer.write_table(table)
            rows += table.num_rows
    beside.replace(target)
    return ShardOutcome(
        shard, rows, problem=joined("; ", [one.message for one in lost]) if lost else ""
    )


def run(
    job: ShardJob,
    signature: Mapping[str, Any],
    progress: Progress | None = None,
    workers: int = 1,
    address: str = "",
) -> RunOutcome:
    """Process every shard that is not done yet."""
    check_files(Path(job.corpus))
    shards = store.shard_numbers(Path(job.corpus))
    _begin(Path(job.output), signature)
    finished = [n for n in shards if output_file(job, n).exists()]
    outcome = RunOutcome([_finished(job, n) for n in finished])
    left = [n for n in shards if n not in finished]
    for done in _spread(job, left, workers, address):
        outcome.done.append(done)
        if progress:
            progress(len(outcome.done), len(shards))
    outcome.done.sort(key=lambda d: d.shard)
    return outcome


def _begin(output: Path, signature: Mapping[str, Any]) -> None:
    """Make the folder, or check that its content came from the same job."""
    output.mkdir(parents=True, exist_ok=True)
    path = output / JOB
    if path.exists():
        before = json.loads(path.read_text(encoding="utf-8"))
        if before != json.loads(json.dumps(signature)):
            raise InputError(
                "{output}: holds the output of another job; choose another folder", output=output
            )
    elif any(output.iterdir()):
        raise InputError(
            "{output}: not empty, and not the output of a run; choose another folder", output=output
        )
    path.write_text(json.dumps(signature, indent=1) + "\n", encoding="utf-8")


def _finished(job: ShardJob, shard: int) -> ShardOutcome:
    table = store.read_table(output_file(job, shard))
    total = sum(table["amount"].to_pylist()) if job.what == "award" else 0
    return ShardOutcome(shard, table.num_rows, total, again=True)


def _spread(job: ShardJob, shards: list[int], workers: int, address: str) -> Iterator[ShardOutcome]:
    if address:
        from honours.lab.distributed import spread_over

        yield from spread_over(address, job, shards)
    elif workers > 1:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            yield from pool.map(partial(process, job), shards)
    elif job.what == "award" and not job.scored_by:
        # each shard is awarded on all cores
        yield from map(partial(process, job), shards)
    else:
        from honours.engine.columns.threads import each_on_all_cores

        yield from each_on_all_cores(partial(process, job), shards)
