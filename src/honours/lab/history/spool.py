"""Rows on their way, divided by event into buckets on disk, so that no table is ever held whole.

A bucket becomes a shard. An event's bucket is determined by its id alone, so every shard is a
random sample of the events, and all rows of an event are in one shard.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from honours.lab.history.rows import Rows

_ROWS_A_BUCKET = 500_000
_UNKNOWN = 16
_MOST = 4096


def buckets_for(rows: int | None) -> int:
    """How many buckets are needed for that many rows."""
    return _UNKNOWN if rows is None else min(_MOST, 1 + rows // _ROWS_A_BUCKET)


def bucket_of(event: NDArray[np.int64], buckets: int) -> NDArray[np.int64]:
    """The bucket of every event, from the well-mixed bits of its id."""
    mixed = event.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    return (mixed % np.uint64(buckets)).astype(np.int64)


class Spool:
    """The buckets of one table, written batch by batch."""

    def __init__(self, folder: Path, table: int, buckets: int) -> None:
        self._folder, self._table, self._buckets = folder, table, buckets
        self._writers: dict[int, Any] = {}

    def add(self, rows: Rows) -> None:
        """Put every row into the bucket of its event."""
        if self._buckets == 1:
            self._write(0, pa.table(rows))
            return
        of = bucket_of(rows["event"], self._buckets).astype(np.uint16)
        order = np.argsort(of, kind="stable")
        starts = np.searchsorted(of[order], np.arange(self._buckets + 1))
        parted = pa.table({name: column[order] for name, column in rows.items()})
        for bucket in range(self._buckets):
            first, last = int(starts[bucket]), int(starts[bucket + 1])
            if last > first:
                self._write(bucket, parted.slice(first, last - first))

    def _write(self, bucket: int, part: Any) -> None:
        if bucket not in self._writers:
            path = spool_file(self._folder, self._table, bucket)
            self._writers[bucket] = pa.ipc.new_stream(str(path), part.schema)
        self._writers[bucket].write_table(part)

    def close(self) -> None:
        for writer in self._writers.values():
            writer.close()


def spool_file(folder: Path, table: int, bucket: int) -> Path:
    return folder / f"table-{table:03d}-{bucket:04d}.arrow"


def read_bucket(folder: Path, table: int, bucket: int) -> Rows:
    """The rows of a table in one bucket; nothing if there are none."""
    path = spool_file(folder, table, bucket)
    if not path.exists():
        return {}
    with pa.memory_map(str(path)) as file, pa.ipc.open_stream(file) as reader:
        content = reader.read_all().combine_chunks()
        return {name: content[name].to_numpy().copy() for name in content.column_names}
