"""What can be wrong with the files of a corpus, found from their footers before anything runs.

Columns, types, the order of events within and between files and row groups, and an event split
over two of them all show in the statistics of the footers. Nulls and corrupt pages show when a
row group is read: ``thorough`` reads them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from honours.errors import FileProblem, FileProblems
from honours.lab import store
from honours.lab.tables import NEEDED, TABLES


def check_files(folder: Path, thorough: bool = False) -> None:
    """Raise one error that lists every problem of the corpus, or return in silence."""
    problems = list(_problems(folder, thorough))
    if problems:
        raise FileProblems(problems)


def _problems(folder: Path, thorough: bool) -> Iterator[FileProblem]:
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
            found = list(_file_problems(path, table, thorough))
            yield from found
            if not any("column" in p.found or "not a Parquet" in p.found for p in found):
                last, problem = _in_order(path, last)
                yield from problem


def _file_problems(path: Path, table: str, thorough: bool) -> Iterator[FileProblem]:
    try:
        file = store.open_file(path)
    except FileProblem as problem:
        yield problem
        return
    yield from column_problems(path, file.schema_arrow, TABLES[table])
    if thorough:
        for group in range(file.num_row_groups):
            yield from _group_problems(path, file, group)


def column_problems(path: Path, found: Any, wanted: Any) -> Iterator[FileProblem]:
    """Columns that are missing or of another type."""
    for column in wanted:
        if column.name not in found.names:
            yield FileProblem(path, f"column {column.name!r} is missing", str(column.type))
            continue
        kind = found.field(column.name).type
        if plain(kind) != plain(column.type):
            yield FileProblem(path, f"column {column.name!r} is {kind}", str(column.type))


def plain(kind: Any) -> Any:
    """The type of the values, whether or not they are coded."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _group_problems(path: Path, file: Any, group: int) -> Iterator[FileProblem]:
    try:
        table = store.read_group(path, file, group)
    except FileProblem as problem:
        yield problem
        return
    for name in table.column_names:
        if table[name].null_count:
            where = int(np.flatnonzero(table[name].is_null().to_numpy())[0])
            yield FileProblem(path, f"row group {group}: {name!r} is null in its row {where}")
    events = table["event"].to_numpy()
    if (np.diff(events) < 0).any():
        where = int(np.flatnonzero(np.diff(events) < 0)[0]) + 1
        yield FileProblem(path, f"row group {group} is not sorted by event at its row {where}")


def _in_order(
    path: Path, last: tuple[int, str] | None
) -> tuple[tuple[int, str] | None, list[FileProblem]]:
    """Whether the row groups follow each other and what came before, by their statistics."""
    problems: list[FileProblem] = []
    footer = store.open_file(path).metadata
    at = next((i for i in range(footer.num_columns) if _name(footer, i) == "event"), None)
    for group in range(footer.num_row_groups):
        figures = None if at is None else footer.row_group(group).column(at).statistics
        if figures is None or not figures.has_min_max:
            continue
        where = f"{path.name}, row group {group}"
        if last and figures.min == last[0]:
            problems.append(FileProblem(path, f"event {last[0]} is split: {last[1]} and {where}"))
        elif last and figures.min < last[0]:
            found = f"row group {group} begins at event {figures.min}, after {last[0]} in {last[1]}"
            problems.append(FileProblem(path, found, "events rising and each in one place"))
        last = (figures.max, where)
    return last, problems


def _name(footer: Any, column: int) -> str:
    return str(footer.schema.column(column).name)
