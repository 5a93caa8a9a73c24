"""A corpus from tables somebody has in memory: Arrow, pandas or Polars, in any order of rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from honours.errors import InputError, UnknownName, how_many
from honours.lab.corpus import Corpus, write_shard
from honours.lab.tables import NEEDED, TABLES

_SORTED_BY = {"events": ("event",), "results": ("event", "board")}
_OTHERS = ("event", "entrant")


def corpus_from(folder: str | Path, tables: Mapping[str, Any]) -> Corpus:
    """Write ``events``, ``entrants``, ``players`` and, to score, ``results`` as a corpus."""
    for name in tables:
        if name not in TABLES:
            raise UnknownName("table", name, TABLES)
    missing = [name for name in NEEDED if name not in tables]
    if missing:
        raise InputError(f"a corpus needs a table of {' and of '.join(missing)}")
    made = {name: _as_table(name, frame) for name, frame in tables.items()}
    writer = Corpus.create(folder, {"made from": "tables"})
    writer.add(write_shard(Path(folder), 0, made))
    return writer.finish()


def _as_table(name: str, frame: Any) -> Any:
    """The frame in the types of its table, sorted; what does not fit is named."""
    given, schema = _arrow(frame), TABLES[name]
    fields = [f for f in schema if not f.nullable or f.name in given.column_names]
    absent = [f.name for f in fields if f.name not in given.column_names]
    if absent:
        raise InputError(
            f"{name}: column {absent[0]!r} is missing; it has {', '.join(given.column_names)}"
        )
    columns = [_column(name, given[field.name], field) for field in fields]
    order = [(key, "ascending") for key in _SORTED_BY.get(name, _OTHERS)]
    return pa.Table.from_arrays(columns, schema=pa.schema(fields)).sort_by(order)


def _arrow(frame: Any) -> Any:
    if isinstance(frame, pa.Table):
        return frame
    if hasattr(frame, "to_arrow"):
        return frame.to_arrow()
    if hasattr(frame, "iloc"):
        return pa.Table.from_pandas(frame, preserve_index=False)
    return pa.table(frame)


def _column(table: str, column: Any, field: Any) -> Any:
    if column.null_count and not field.nullable:
        nulls = how_many(column.null_count, "null")
        raise InputError(f"{table}: column {field.name!r} has {nulls}; it must have none")
    kind = column.type
    if pa.types.is_dictionary(field.type) and not pa.types.is_dictionary(kind):
        column = column.cast(pa.string()).dictionary_encode()
    try:
        return column.cast(field.type)
    except pa.ArrowException as error:
        brief = str(error).splitlines()[0]
        raise InputError(
            f"{table}: column {field.name!r} is {kind}; expected {field.type} ({brief})"
        ) from error
