"""The tables of a corpus as Arrow schemas: what a file must hold and what it may hold.

A corpus is a folder of Parquet files in *shards*: ``events-00003.parquet`` and the entrants,
players and results of the same number hold the same events. Every table is sorted by event, an
event is in one shard and in one row group, and a row group has about a million rows at most, so
that any of it can be streamed. Small types keep a year of results in the memory of a laptop.

A column that may be null may also be left out; what a null means is said of each.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from honours.engine.rules import public

# --- the tables of a corpus as Arrow schemas ----------------------------------------------------

WORD = pa.dictionary(pa.int8(), pa.string())
LINES = {1: "NS", 2: "EW"}
"""The lines that the numbers stand for."""
LIMITS = ("limit", "limit_b", "limit_c", "limit_d", "limit_e")
"""The columns of an event with the upper limits of its strata, the highest first."""
UNITS = {
    "holding": Fraction(1, 100),
    "rating": Fraction(1, 100_000),
    "gor": Fraction(1, 1_000),
    "ifpa_rating": Fraction(1, 100),
    "paid": Fraction(1, 10_000),
    "score": Fraction(1, 10_000),
    "skill": Fraction(1, 100),
    "match_score": Fraction(1, 10_000),
    "match_margin": Fraction(1, 10_000),
}
"""The value of one unit in a column that does not count in ones."""


_DEFAULT = "not said: a rulebook takes its own default, or sets the event aside"


def _schema(columns: Mapping[str, Mapping[str, str]]) -> Any:
    """The schema of one table of ``tables.toml``."""
    fields = []
    for name, column in columns.items():
        kind = WORD if column["type"] == "word" else pa.type_for_alias(column["type"])
        null = column.get("null", "")
        about = {"about": column["about"], "unit": column.get("unit", "")}
        about["null"] = _DEFAULT if null == "default" else null
        fields.append(pa.field(name, kind, nullable=bool(null), metadata=about))
    return pa.schema(fields)


SCHEMAS = {
    table: _schema(columns)
    for table, columns in tomllib.loads(
        (files(__package__) / "tables.toml").read_text("utf-8")
    ).items()
}
EVENTS, ENTRANTS, PLAYERS, RESULTS, GAMES, SCORES, AWARDS = SCHEMAS.values()
_OTHER_NAMES = {"masterpoints": "holding", "section": "section_kind"}
"""Inputs of rulebooks that are columns by another name."""
OUTPUTS = ("scores", "awards")
"""What ``honours lab score`` and ``honours lab award`` write."""
TABLES = {table: schema for table, schema in SCHEMAS.items() if table not in OUTPUTS}
NEEDED = ("events", "entrants", "players")
"""Results are needed only to score, games only to rate; a corpus of standings has neither."""

ROWS_A_GROUP = 1_000_000


def table_of(columns: Mapping[str, Any], schema: Any) -> Any:
    """A table from plain columns; nullable ones may be missing."""
    fields = [f for f in schema if not f.nullable or f.name in columns]
    arrays = [pa.array(columns[f.name]).cast(f.type) for f in fields]
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def describe() -> list[dict[str, str]]:
    """Every column of every table, for people and for ``--json``."""
    return [
        {
            "table": table,
            "column": field.name,
            "type": _type(field.type),
            "unit": _note(field, "unit"),
            "about": _note(field, "about"),
            "null": _note(field, "null") or "never",
        }
        for table, schema in SCHEMAS.items()
        for field in schema
    ]


def _type(kind: Any) -> str:
    return "word (dictionary)" if pa.types.is_dictionary(kind) else str(kind)


def _note(field: Any, key: str) -> str:
    return str((field.metadata or {}).get(key.encode(), b"").decode())


def column_name(name: str) -> str:
    """The column that holds an input of a rulebook."""
    return _OTHER_NAMES.get(public(name), public(name))


# --- whole numbers between Arrow and NumPy, as they lie in memory -------------------------------


def whole(column: Any) -> Any:
    """A chunked column as one array, without copying if it has only one chunk."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def numbers_or(empty: int, array: Any) -> NDArray[Any]:
    """The column's whole numbers, with the given number in place of nulls."""
    if not array.null_count:
        return numbers(array)
    values = numbers(array)
    wide = values if empty == 0 else values.astype(np.int64)
    return np.where(_valid(array), wide, np.array(empty, wide.dtype))


def _valid(array: Any) -> NDArray[np.bool_]:
    """Return which items of an array are not null."""
    bits = np.frombuffer(array.buffers()[0], np.uint8)
    first, last = array.offset, array.offset + len(array)
    return np.unpackbits(bits, count=last, bitorder="little")[first:].astype(np.bool_)


def numbers(array: Any) -> NDArray[Any]:
    """The column's whole numbers; the value in place of a null is arbitrary. (Arrow's own way
    imports pandas.)"""
    _, values = array.buffers()
    kind = _kind(array.type)
    if values is None:
        return np.empty(0, kind)
    return np.frombuffer(values, kind)[array.offset : array.offset + len(array)]


@cache
def _kind(arrow_type: Any) -> np.dtype[Any]:
    return np.dtype(str(arrow_type))


def arrow_of(values: NDArray[Any], kind: Any) -> Any:
    """The reverse: an Arrow array of whole numbers of the given type."""
    narrow = np.ascontiguousarray(values, np.dtype(str(kind)))
    return pa.Array.from_buffers(kind, len(narrow), [None, pa.py_buffer(narrow)])
