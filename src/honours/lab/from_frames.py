"""A corpus from tables in memory: Arrow, pandas or Polars, with rows in any order."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from honours.errors import InputError, UnknownName, WrongValue
from honours.lab.corpus import MEMBERS, Corpus, write_shard
from honours.lab.tables import NEEDED, TABLES, UNITS
from honours.model.message import plural

_SORTED_BY = {"events": ("event",), "results": ("event", "board")}
_OTHERS = ("event", "entrant")
_MOST = 2**31 - 1
_INEXACT = 1e-4
"""What a float of a figure may be off, in the smallest fraction that is stored."""


def corpus_from(folder: str | Path, tables: Mapping[str, Any], unit: str = "") -> Corpus:
    """Write ``events``, ``entrants``, ``players`` and, for scoring, ``results`` as a corpus.
    ``unit`` says what figures are in that a corpus stores as fractions: ``points`` or
    ``corpus``."""
    for name in tables:
        if name not in TABLES:
            raise UnknownName("table", name, TABLES)
    missing = [name for name in NEEDED if name not in tables]
    if missing:
        raise InputError("a corpus needs a table of {missing}", missing=" and of ".join(missing))
    frames = {name: _stored(name, _arrow(frame), unit) for name, frame in tables.items()}
    given, members = _numbered(frames)
    made = {name: _as_table(name, table) for name, table in given.items()}
    about = {"made from": "tables"}
    if "id" in given["events"].column_names:
        about["ids"] = "theirs"
    writer = Corpus.create(folder, about)
    writer.add(write_shard(Path(folder), 0, made))
    if members is not None:
        pq.write_table(members, Path(folder) / MEMBERS)
    return writer.finish()


def _stored(name: str, table: Any, unit: str) -> Any:
    """The table with its figures in the fractions that a corpus stores: never guessed."""
    for column in (column for column in table.column_names if column in UNITS):
        own = table[column]
        if own.null_count == len(own) or unit == "corpus":
            continue
        if unit != "points":
            raise WrongValue(
                "unit",
                unit,
                "{table}: {column} may be in points or in the fractions of them that a corpus "
                "stores: say unit='points' or unit='corpus'",
                table=name,
                column=column,
            )
        scale = int(1 / UNITS[column])
        scaled = pc.multiply(own.cast(pa.float64()), scale)
        whole = pc.round(scaled)
        if pc.max(pc.abs(pc.subtract(scaled, whole))).as_py() > _INEXACT:
            raise InputError(
                "{table}: {column} has figures finer than 1/{scale}",
                table=name,
                column=column,
                scale=scale,
            )
        at = table.column_names.index(column)
        table = table.set_column(at, column, whole.cast(pa.int64()))
    return table


def _numbered(tables: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """The tables with ids that are texts or long numbers replaced by numbers that a corpus can
    keep. The original ids are kept too: those of events in ``id``, those of members in a
    separate table."""
    events = _ids(tables["events"], "event")
    if events is not None:
        if "id" not in tables["events"].column_names:
            named = tables["events"]["event"].cast(pa.string())
            tables["events"] = tables["events"].append_column("id", named)
        tables = {n: _renumbered(n, table, "event", events) for n, table in tables.items()}
    members = _ids(tables["players"], "player")
    if members is None:
        return tables, None
    tables["players"] = _renumbered("players", tables["players"], "player", members)
    numbers = pa.array(range(len(members)), pa.int32())
    return tables, pa.table({"player": numbers, "id": members.cast(pa.string())})


def _ids(table: Any, column: str) -> Any:
    """The distinct ids of a column, if a corpus cannot keep them as they are."""
    if column not in table.column_names:
        return None
    ids = table[column]
    if pa.types.is_dictionary(ids.type):
        ids = ids.cast(ids.type.value_type)
    if pa.types.is_integer(ids.type) and ids.null_count == 0:
        ends = pc.min_max(ids).as_py()
        if ends["min"] is None or (ends["min"] >= 0 and ends["max"] <= _MOST):
            return None
    return pc.unique(ids.drop_null())


def _renumbered(name: str, table: Any, column: str, ids: Any) -> Any:
    """A table with each id replaced by its position among all ids."""
    if column not in table.column_names:
        return table
    own = table[column].cast(ids.type)
    at = pc.index_in(own, value_set=ids)
    if at.null_count > own.null_count:
        strange = own.filter(pc.and_(at.is_null(), own.is_valid()))[0].as_py()
        raise InputError(
            "{table}: {column} {id!r} is not in events", table=name, column=column, id=strange
        )
    return table.set_column(table.column_names.index(column), column, at)


def _as_table(name: str, frame: Any) -> Any:
    """The frame converted to its table's types and sorted; values that do not fit raise an
    error."""
    given, schema = frame, TABLES[name]
    fields = [f for f in schema if not f.nullable or f.name in given.column_names]
    absent = [f.name for f in fields if f.name not in given.column_names]
    if absent:
        raise InputError(
            "{name}: column {absent!r} is missing; it has {column_names}",
            name=name,
            absent=absent[0],
            column_names=tuple(given.column_names),
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
        nulls = plural("{count:,} null", "{count:,} nulls", count=column.null_count)
        raise InputError(
            "{table}: column {name!r} has {nulls}; it must have none",
            table=table,
            name=field.name,
            nulls=nulls,
        )
    kind = column.type
    if pa.types.is_dictionary(field.type) and not pa.types.is_dictionary(kind):
        column = column.cast(pa.string()).dictionary_encode()
    try:
        return column.cast(field.type)
    except pa.ArrowException as error:
        brief = str(error).splitlines()[0]
        raise InputError(
            "{table}: column {name!r} is {kind}; expected {type} ({brief})",
            table=table,
            name=field.name,
            kind=kind,
            type=field.type,
            brief=brief,
        ) from error
