"""The columns of one file of a corpus as arrays, and the parts that could not be read.

A corrupt row group, or a null where none is allowed, costs only the events it touches; the
statistics of the footer say which those are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from honours.errors import FileProblem
from honours.lab import store
from honours.lab.arrow import numbers, numbers_or, whole
from honours.lab.tables import ONCE, TABLES
from honours.lab.word_column import WordColumn
from honours.model.message import Message, mark

Columns = Mapping[str, Any]
"""An array, or words, for each name."""

NOT_SAID = -(2**31)
"""Stands for a null among whole numbers; no column can contain it."""
_NULL_IS_ZERO = ("line", "stratum")
_NEVER_NULL = {
    name: tuple(column.name for column in schema if not column.nullable)
    for name, schema in TABLES.items()
}


@dataclass(frozen=True, slots=True)
class LostEvents:
    """Events from ``first`` to ``last``, which a row group makes unusable in part."""

    where: str
    why: str
    first: int
    last: int

    @property
    def message(self) -> Message:
        """What is lost, where and why, as a message."""
        template = (
            mark("{where}: {why}: event {first} set aside")
            if self.first == self.last
            else mark("{where}: {why}: events {first} to {last} set aside")
        )
        return Message(template, where=self.where, why=self.why, first=self.first, last=self.last)

    def __str__(self) -> str:
        return str(self.message)


def read_columns(path: Path, table: str) -> tuple[Columns, list[LostEvents]]:
    """The columns of a table as far as they can be read; :func:`check_order` checks their order."""
    file = store.open_file(path)
    parts: list[Any] = []
    lost: list[LostEvents] = []
    for group in range(file.num_row_groups):
        try:
            part = store.read_group(path, file, group)
        except store.CorruptGroup as problem:
            lost.append(lost_group(path, file, group, problem))
            continue
        nulls = list(null_events(path, part, group, table))
        lost += nulls
        parts.append(part.filter(part["event"].is_valid()) if nulls else part)
    rows = _one_table(parts) if parts else file.schema_arrow.empty_table()
    there = {ONCE.get(name, name): k for k, name in enumerate(rows.column_names)}
    columns = {n: _array(rows.column(there[n]), n) for n in TABLES[table].names if n in there}
    return columns, lost


def check_order(path: Path, columns: Columns) -> None:
    """Refuse a table whose rows are not in ascending order of events."""
    if (columns["event"][1:] < columns["event"][:-1]).any():
        raise FileProblem(
            path, "not sorted by event", "events rising; `honours lab check` says where"
        )


def _one_table(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else pa.concat_tables(parts)


def lost_group(path: Path, file: Any, group: int, problem: store.CorruptGroup) -> LostEvents:
    """The events lost with an unreadable row group, according to its footer."""
    span = store.event_span(file.metadata, group)
    if span is None:
        raise problem
    return LostEvents(store.group_of(path, group), problem.why, *span)


def null_events(path: Path, part: Any, group: int, table: str) -> Iterator[LostEvents]:
    """The events with a null in a column that allows none."""
    if not any(column.null_count for column in part.itercolumns()):
        return
    for column in _NEVER_NULL[table]:
        if not part[column].null_count:
            continue
        where = store.group_of(path, group)
        rows = np.flatnonzero(part[column].is_null().to_numpy())
        events = part["event"].to_pylist()
        for row in map(int, rows):
            near = [e for e in _nearest(events, row) if e is not None]
            if near:
                why = Message("{column!r} is null in its row {row}", column=column, row=row)
                yield LostEvents(where, why, min(near), max(near))


def _nearest(events: list[int | None], row: int) -> tuple[int | None, int | None]:
    """The event of a row; if that itself is null, the events on either side of it."""
    if events[row] is not None:
        return events[row], events[row]
    before = next((e for e in reversed(events[:row]) if e is not None), None)
    return before, next((e for e in events[row:] if e is not None), None)


def _array(column: Any, name: str) -> Any:
    """An Arrow column as NumPy: words as codes, dates as days, numbers in their own type."""
    kind = str(column.type)
    if kind.startswith("dictionary") or kind == "string":
        return _words(column)
    values = whole(column)
    if kind.startswith("date32"):
        values = values.view("int32")
    elif kind.startswith("date"):
        values = values.cast("date32").view("int32")
    if not column.null_count:
        return numbers(values)
    return numbers_or(0 if name in _NULL_IS_ZERO else NOT_SAID, values)


def _words(column: Any) -> WordColumn:
    """Words by row, empty for a null; the codes are those of the file."""
    texts = whole(column)
    coded = texts if pa.types.is_dictionary(texts.type) else texts.dictionary_encode()
    words = coded.dictionary.to_pylist()
    empty = words.index("") if "" in words else len(words)
    codes = numbers_or(empty, coded.indices).astype(np.int64, copy=False)
    return WordColumn(codes, words if empty < len(words) else (*words, ""))
