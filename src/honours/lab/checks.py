"""What can be wrong with the files of a corpus, found before anything runs.

Columns, types, the order of events within and between files and row groups, and an event split over
two of them all show in the statistics of the footers. Some problems show only when the data is
read: rows out of order, which spoil a file, and corrupt row groups and nulls, which cost the events
they touch. These are looked for in the files that have changed since the corpus was made, and in
all files by ``honours lab check``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from honours.errors import FileProblem, FileProblems
from honours.lab import store
from honours.lab.column_reading import null_events
from honours.lab.tables import NEEDED, TABLES
from honours.model.message import Message


@dataclass
class FileFaults:
    """``fatal`` problems spoil a file; ``costly`` ones cost some of its events."""

    fatal: list[FileProblem] = field(default_factory=list)
    costly: list[FileProblem] = field(default_factory=list)


def check_files(folder: Path) -> None:
    """Raise one error that lists every problem the footers show; otherwise do nothing."""
    problems = list(_problems(folder))
    if problems:
        raise FileProblems(problems)


def read_through(paths: Iterable[Path]) -> list[FileProblem]:
    """Read files completely: raises for problems that spoil a file, returns those that cost
    events."""
    faults = FileFaults()
    for path in paths:
        table = path.name.rpartition("-")[0]
        if table in TABLES:
            _read_file(path, table, faults)
    if faults.fatal:
        raise FileProblems([*faults.fatal, *faults.costly])
    return faults.costly


def _problems(folder: Path) -> Iterator[FileProblem]:
    shards = store.shard_numbers(folder)
    if not shards:
        yield FileProblem(folder, "no events-*.parquet", "a folder made by `honours lab generate`")
    for table in TABLES:
        last: tuple[int, str] | None = None
        for shard in shards:
            path = store.shard_file(folder, table, shard)
            if not path.exists():
                if table in NEEDED:
                    yield FileProblem(path, "missing", "a file of this table for every shard")
                continue
            problems = list(_file_problems(path, table))
            yield from problems
            if not problems:
                last, problem = _in_order(path, last)
                yield from problem


def _file_problems(path: Path, table: str) -> Iterator[FileProblem]:
    try:
        file = store.open_file(path)
    except FileProblem as problem:
        yield problem
        return
    yield from column_problems(path, file.schema_arrow, TABLES[table])


def column_problems(path: Path, schema: Any, wanted: Any) -> Iterator[FileProblem]:
    """Required columns that are missing, and columns of the wrong type."""
    for column in wanted:
        if column.name not in schema.names:
            if not column.nullable:
                yield FileProblem(
                    path, "column {name!r} is missing", str(column.type), name=column.name
                )
            continue
        kind = schema.field(column.name).type
        if _plain(kind) != _plain(column.type):
            wanted_type = str(_plain(column.type))
            yield FileProblem(
                path, "column {name!r} is {kind}", wanted_type, name=column.name, kind=kind
            )


def _plain(kind: Any) -> Any:
    """The type of the values, whether or not they are dictionary-encoded."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _read_file(path: Path, table: str, faults: FileFaults) -> None:
    file = store.open_file(path)
    for group in range(file.num_row_groups):
        try:
            part = store.read_group(path, file, group)
        except FileProblem as problem:
            faults.costly.append(problem)
            continue
        for lost in null_events(path, part, group, table):
            faults.costly.append(
                FileProblem(path, "row group {group}: {why}", group=group, why=lost.why)
            )
        events = part["event"].drop_null().to_numpy()
        falls = np.flatnonzero(np.diff(events) < 0)
        if len(falls):
            where = Message(
                "row group {group} is not sorted by event at its row {falls}",
                group=group,
                falls=int(falls[0]) + 1,
            )
            faults.fatal.append(FileProblem(path, where, "events rising"))


def _in_order(
    path: Path, last: tuple[int, str] | None
) -> tuple[tuple[int, str] | None, list[FileProblem]]:
    """Whether the row groups follow each other and the previous file, by their statistics."""
    problems: list[FileProblem] = []
    footer = store.open_file(path).metadata
    for group in range(footer.num_row_groups):
        span = store.event_span(footer, group)
        if span is None:
            continue
        first, final = span
        where = store.group_of(path, group)
        if last and first == last[0]:
            problems.append(
                FileProblem(
                    path,
                    "event {event} is split: {before} and {where}",
                    event=last[0],
                    before=last[1],
                    where=where,
                )
            )
        elif last and first < last[0]:
            fault = Message(
                "row group {group} begins at event {first}, after {event} in {before}",
                group=group,
                first=first,
                event=last[0],
                before=last[1],
            )
            problems.append(FileProblem(path, fault, "events rising and each in one place"))
        last = (final, where)
    return last, problems
