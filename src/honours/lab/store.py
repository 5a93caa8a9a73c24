"""Writes and reads the Parquet files of a corpus; errors name the file and the row group."""

from __future__ import annotations

import hashlib
from bisect import bisect
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from honours.errors import FileProblem
from honours.lab.arrow import numbers, whole
from honours.lab.tables import ROWS_A_GROUP
from honours.model.message import Message

_SUFFIX = ".parquet"
Written = tuple[tuple[str, int, int], ...]
"""Of files: name, time and size."""


def shard_file(folder: Path, table: str, shard: int) -> Path:
    return folder / f"{table}-{shard:05d}{_SUFFIX}"


def shard_numbers(folder: Path) -> list[int]:
    """The shards a folder holds, by their files of events."""
    names = (p.name for p in folder.glob(f"events-*{_SUFFIX}"))
    return sorted(int(n.removeprefix("events-").removesuffix(_SUFFIX)) for n in names)


def written(folder: Path) -> Written:
    """The files of a folder, and when each was written."""
    files = sorted((path.name, path.stat()) for path in folder.glob(f"*{_SUFFIX}"))
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in files)


def write_table(path: Path, table: Any, rows: int = ROWS_A_GROUP, coded: bool = True) -> None:
    """Write a table sorted by event, with no event in two row groups.

    It is written to a temporary file and moved into place, so that an existing file is always
    whole. Values are ``coded`` by a dictionary, which is small and quick to read, but building it
    takes as long as everything else.
    """
    beside = path.with_suffix(".part")
    options = {"compression": "lz4", "write_page_checksum": True, "use_dictionary": coded}
    with pq.ParquetWriter(beside, table.schema, **options) as writer:
        for start, stop in row_groups(numbers(whole(table["event"])), rows):
            part = table.slice(start, stop - start)
            writer.write_table(part, row_group_size=max(1, stop - start))
    beside.replace(path)


def row_groups(events: NDArray[Any], rows: int) -> Iterator[tuple[int, int]]:
    """Spans of at most ``rows`` rows that end where an event ends; a larger event has its own
    span."""
    if 0 < len(events) <= rows:
        yield 0, len(events)
        return
    changes = np.flatnonzero(np.diff(events)) + 1
    ends = [*map(int, changes), len(events)] if len(events) else []
    start, last = 0, 0
    for end in ends:
        if end - start > rows and last > start:
            yield start, last
            start = last
        last = end
    if last > start or not len(events):
        yield start, last


def file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()[:32]


def open_file(path: Path) -> Any:
    """A Parquet file whose checksums are verified as it is read."""
    try:
        return pq.ParquetFile(path, page_checksum_verification=True)
    except (OSError, pa.ArrowException) as error:
        raise FileProblem(
            path, "not a Parquet file that can be read ({brief})", brief=_brief(error)
        ) from error


class CorruptGroup(FileProblem):
    """A row group that cannot be read; ``why`` says what is wrong with it, without the location."""

    def __init__(self, path: Path, group: int, error: Exception) -> None:
        self.why = Message("is corrupt ({brief})", brief=_brief(error))
        super().__init__(path, "row group {group} {why}", group=group, why=self.why)


def read_group(path: Path, file: Any, group: int, columns: list[str] | None = None) -> Any:
    """One row group as a table."""
    try:
        return file.read_row_group(group, columns=columns, use_threads=False)
    except (OSError, pa.ArrowException) as error:
        raise CorruptGroup(path, group, error) from error


def read_table(path: Path, columns: list[str] | None = None) -> Any:
    """All row groups of a file as one table."""
    file = open_file(path)
    groups = [read_group(path, file, i, columns) for i in range(file.num_row_groups)]
    return pa.concat_tables(groups) if groups else file.schema_arrow.empty_table()


def rows_of(path: Path) -> int:
    """How many rows a file has, according to its footer."""
    return int(open_file(path).metadata.num_rows)


def event_span(footer: Any, group: int) -> tuple[int, int] | None:
    """The first and the last event of a row group according to its statistics, if it has any."""
    names = [footer.schema.column(i).name for i in range(footer.num_columns)]
    if "event" not in names:
        return None
    figures = footer.row_group(group).column(names.index("event")).statistics
    return (figures.min, figures.max) if figures is not None and figures.has_min_max else None


def where_are(path: Path, events: Iterable[int]) -> dict[int, str]:
    """The file and row group each event is in, or would be in."""
    footer = open_file(path).metadata
    spans = [event_span(footer, group) for group in range(footer.num_row_groups)]
    firsts = [span[0] if span else 0 for span in spans]
    return {e: group_of(path, max(0, bisect(firsts, e) - 1)) for e in events}


def group_of(path: Path, group: int) -> Message:
    """How messages name a row group of a file."""
    return Message("{file}, row group {group}", file=path.name, group=group)


def _brief(error: Exception) -> str:
    return str(error).splitlines()[0][:120]
