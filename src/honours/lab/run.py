"""Runs a job over the shards of a corpus: in order or in a pool, resumable, one file per shard.

A job is a function from a shard to a table, described by plain values so that it can be sent to
another process or machine. Each finished shard leaves a file; a run restarted with the same job
finds these and continues. A shard that cannot be read is reported and does not end the run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyarrow as pa

from honours.engine.columns.batch import spans
from honours.errors import HonoursError, InputError
from honours.lab import store
from honours.lab.shards import BadEvent, Shard, ranked, read_shard
from honours.lab.store import Columns, read_columns
from honours.lab.tables import SCORES, numbers, whole
from honours.model.message import Message
from honours.scoring.columns import ScoredColumns as Scored
from honours.scoring.columns import Totals, each_ranked, score_columns

if TYPE_CHECKING:
    from honours.scoring.profiles import Profile


# --- runs a job over the shards of a corpus -----------------------------------------------------

JOB = "job.json"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ShardJob:
    """The work on every shard: ``award`` by a rulebook, or ``score`` by a profile.

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
        """Return the settings that must be equal for a run to continue where another stopped."""
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
    """The outcome of a shard: rows written, events set aside, or the problem that stopped it."""

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
        job = replace(job, corpus=str(store.local_folder(job.corpus)))
        return _award(job, shard) if job.what == "award" else _score(job, shard)
    except HonoursError as error:
        return ShardOutcome(shard, problem=error.message)


def output_file(job: ShardJob, shard: int) -> Path:
    return store.shard_file(Path(job.output), f"{job.what}s", shard)


def _award(job: ShardJob, shard: int) -> ShardOutcome:
    from honours.lab.left_out import shard_table
    from honours.lab.shard_awards import award_shard
    from honours.lab.sides import specified
    from honours.rulebooks import load

    book = specified(load(job.named, job.rulebooks), dict(job.changes))
    if job.scored_by:
        read, aside = _placed(job, shard)
    else:
        read, aside = read_shard(Path(job.corpus), shard), ()
    awards = award_shard(book, read, aside)
    store.write_table(output_file(job, shard), shard_table(read, awards), coded=False)
    bad_events = tuple((b.event, b.why) for b in awards.bad)
    return ShardOutcome(
        shard, len(awards.amounts), int(awards.amounts.sum()), awards.derived, bad_events
    )


def _placed(job: ShardJob, shard: int) -> tuple[Shard, tuple[BadEvent, ...]]:
    """A shard with the places that its results give, if it has any. The results are read first,
    so that the other tables are still cached when they are awarded."""
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

    from honours.scoring.profiles import profile

    source = store.shard_file(Path(job.corpus), "results", shard)
    if not source.exists():
        missing = Message("{file}: missing; there are no results to score", file=source)
        return ShardOutcome(shard, problem=missing)
    target = output_file(job, shard)
    beside, rows = target.with_suffix(".part"), 0
    lines = lines_of(Path(job.corpus), shard)
    with pq.ParquetWriter(beside, SCORES, compression="lz4", use_dictionary=False) as writer:
        for table in score_file(source, profile(job.named), lines):
            writer.write_table(table)
            rows += table.num_rows
    beside.replace(target)
    return ShardOutcome(shard, rows)


def run(
    job: ShardJob,
    signature: Mapping[str, Any],
    progress: Progress | None = None,
    workers: int = 1,
    address: str = "",
) -> RunOutcome:
    """Process every shard that is not done yet."""
    folder = store.local_folder(job.corpus)
    shards = store.shard_numbers(folder)
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


# --- the same job on a Dask cluster, relying on Dask's own scheduler and retries ----------------

_RETRIES = 3
T = TypeVar("T")
A = TypeVar("A")


def seen_from_afar(address: str) -> str:
    """An address that means the same on another machine: a folder by its whole path."""
    return address if "://" in address else str(Path(address).resolve())


def spread_over(address: str, job: ShardJob, shards: list[int]) -> Iterator[ShardOutcome]:
    """Process the shards on the cluster at an address; if a worker dies, its shards are done
    again."""
    books = tuple(map(seen_from_afar, job.rulebooks))
    corpus, output = seen_from_afar(job.corpus), seen_from_afar(job.output)
    there = replace(job, corpus=corpus, output=output, rulebooks=books)
    yield from mapped(address, partial(process, there), shards)


def mapped(address: str, work: Callable[[A], T], given: list[A]) -> Iterator[T]:
    """Apply the work to each item on the cluster, giving results in the order of the items."""
    with _client(address) as client:
        # pure=False: a shard counts as done when its file exists, whatever the cluster remembers.
        futures = client.map(work, given, retries=_RETRIES, pure=False)
        for done, future in enumerate(futures):
            try:
                result = future.result()
            except (CancelledError, OSError) as error:  # the scheduler went away
                raise InputError(
                    "{address}: the scheduler is gone after {done} of {many}; finished files "
                    "are kept, and the same command continues from there",
                    address=address,
                    done=done,
                    many=len(given),
                ) from error
            yield result


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError("--on needs Dask: install honours[distributed]") from error
    try:
        return Client(address, timeout="10s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise InputError(
            "{address}: no Dask scheduler answers there ({error})", address=address, error=error
        ) from error


# --- scoring the results of a shard -------------------------------------------------------------

_COLUMNS = ("event", "board", "ns", "ew", "score")


def score_file(path: Path, profile: Profile, lines: Columns | None = None) -> Iterator[Any]:
    """The scores of a file of results: a table for every row group."""
    for table in results_of(path):
        yield score_table(table, profile, lines)
        del table


def results_of(path: Path) -> Iterator[Any]:
    """The results of a file by row group."""
    file = store.open_file(path)
    for group in range(file.num_row_groups):
        part = store.read_group(path, file, group, [*_COLUMNS])
        yield part
        del part  # before the next is read, which can then reuse cached memory


def score_table(table: Any, profile: Profile, lines: Columns | None = None) -> Any:
    """The scores of a table of results; ``lines`` are the entrants that are ranked by line."""
    event, board, ns, ew, score = _columns(table)
    scored = score_columns(event, board, ns, ew, score, profile, matchpoints=False)
    values = (
        scored.event,
        scored.entrant,
        scored.points,
        scored.possible,
        scored.percentage,
        *_ranks(scored, lines),
    )
    arrays = [pa.array(np.asarray(c)).cast(f.type) for c, f in zip(values, SCORES, strict=True)]
    return pa.Table.from_arrays(arrays, schema=SCORES)


def _columns(table: Any) -> tuple[Any, ...]:
    return tuple(numbers(whole(table[name])) for name in _COLUMNS)


def _ranks(scored: Scored, lines: Columns | None) -> tuple[Any, Any]:
    if lines is None:
        return scored.place, scored.tied
    return _by_line(scored.event, scored.entrant, scored.place, lines)


def rank_results(path: Path, profile: Profile) -> list[Totals]:
    """Event, number, place and ties of every entrant with results, some events at a time."""
    parts: list[Totals] = []
    for table in results_of(path):
        each_ranked(
            _columns(table),
            profile,
            lambda totals: parts.append([column.copy() for column in totals]),
        )
        del table
    return parts


def placed_by_score(
    shard: Shard, ranks: Sequence[Totals], lines: Columns | None = None
) -> tuple[Shard, tuple[BadEvent, ...]]:
    """The shard with the places that its results give; events without results keep theirs, and
    those whose results belong to other entrants are bad."""
    place, tied = shard.place.copy(), shard.tied.copy()
    wrong = np.zeros(len(shard.ids), np.bool_)
    for event, entrant, own, shared in ranks:
        scored = (own, shared) if lines is None else _by_line(event, entrant, own, lines)
        begins = np.searchsorted(event, shard.ids)
        many = np.searchsorted(event, shard.ids, "right") - begins
        wrong |= (many > 0) & (many != shard.sizes)
        whole = np.flatnonzero((many > 0) & (many == shard.sizes))
        source = spans(begins[whole], many[whole])
        target = spans(shard.entrant_offsets[whole], many[whole])
        other = entrant[source] != shard.entrant[target]
        wrong[np.repeat(whole, many[whole])[other]] = True
        place[target], tied[target] = (column[source] for column in scored)
    why = Message("its results are not of the entrants it has")
    bad = tuple(BadEvent(event, why) for event in shard.ids[wrong].tolist())
    return replace(shard, place=place, tied=tied), bad


def lines_of(folder: Path, shard: int) -> Columns | None:
    """The entrants of a shard with the line of each, or None if there are no lines."""
    path = store.shard_file(folder, "entrants", shard)
    if not path.exists() or "line" not in store.open_file(path).schema_arrow.names:
        return None
    return read_columns(path, "entrants")


def _by_line(event: Any, entrant: Any, place: Any, lines: Columns) -> tuple[Any, Any]:
    """Places within each line, from those in the whole field, whose order is the same."""
    known = lines["event"].astype(np.int64) << 16 | lines["entrant"]
    at = np.searchsorted(known, event.astype(np.int64) << 16 | entrant)
    line = lines["line"][np.minimum(at, len(known) - 1)]
    return ranked(event.astype(np.int64) * 4 + line, place)
