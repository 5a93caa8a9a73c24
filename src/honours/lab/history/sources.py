"""Tables from wherever a federation keeps them: text, Parquet, workbooks and databases."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from honours.errors import FileProblem, InputError
from honours.model.message import Message

_AT_ONCE = 50_000
_TEXT = (".csv", ".tsv", ".txt")
_WORKBOOKS = (".xlsx", ".xls", ".ods")
_PARQUET = (".parquet", ".pq")
_SQLITE = (".sqlite", ".sqlite3", ".db")
_DUCKDB = (".duckdb", ".ddb")
_POSTGRESQL = ("postgresql://", "postgres://")
NEVER_ONE_EVENT = (*_PARQUET, *_SQLITE, *_DUCKDB)
SUFFIXES = (*_TEXT, *_WORKBOOKS, *NEVER_ONE_EVENT)


@dataclass(frozen=True, slots=True)
class SourceTable:
    """One table: what it is called, where it comes from, its columns, and its rows as Arrow
    tables."""

    name: str
    origin: str
    columns: tuple[str, ...]
    rows: Callable[[], Iterator[Any]] = field(repr=False)


def open_tables(sources: Sequence[str], query: str = "") -> list[SourceTable]:
    """The tables in files, in folders of files and in databases."""
    tables: list[SourceTable] = []
    for source in sources:
        path = Path(source)
        if not is_address(source) and path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES)
            tables += [table for p in inside for table in open_source(str(p))]
        else:
            tables += open_source(source, query)
    return tables


def open_source(address: str, query: str = "") -> list[SourceTable]:
    """The tables of a file, or the result of a query to a database."""
    path, query = Path(address), query.strip().rstrip(";")
    suffix = path.suffix.lower()
    if is_address(address):
        return [_postgresql(address, query)]
    if suffix in (*_SQLITE, *_DUCKDB):
        return _database(path, query, _sqlite if suffix in _SQLITE else _duckdb)
    if query:
        raise InputError("{path}: a query is asked of a database only", path=address)
    if suffix in _PARQUET:
        return [_parquet(path)]
    return _workbook(path) if suffix in _WORKBOOKS else [_csv(path)]


def is_address(text: str) -> bool:
    """Return whether it names a database server rather than a file."""
    return text.startswith(_POSTGRESQL)


def shown_address(text: str) -> str:
    """The name of a file, or an address without its user name and password."""
    scheme, server, rest = text.partition("://")
    if not server:
        return Path(text).name
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"


# --- files --------------------------------------------------------------------------------------


def _csv(path: Path) -> SourceTable:
    header, delimiter, encoding = _header(path)
    repeated = {name for name in header if header.count(name) > 1}
    if repeated:
        raise FileProblem(
            path, "two columns are called {repeated!r}", line=1, repeated=min(repeated)
        )

    def rows() -> Iterator[Any]:
        try:
            reader = pa_csv.open_csv(
                path,
                pa_csv.ReadOptions(encoding=encoding),
                pa_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
                pa_csv.ConvertOptions(column_types=dict.fromkeys(header, pa.string())),
            )
            yield from (pa.Table.from_batches([batch]) for batch in reader)
        except (pa.ArrowException, UnicodeDecodeError) as error:
            raise FileProblem(path, "not a table: {why}", why=_brief(error)) from error

    return SourceTable(path.stem, path.name, header, rows)


def _header(path: Path) -> tuple[tuple[str, ...], str, str]:
    """The columns of a text table, their separator and the text encoding."""
    try:
        with path.open("rb") as file:
            start = file.read(2**20)
    except OSError as error:
        raise FileProblem(path, "cannot be read ({strerror})", strerror=error.strerror) from error
    encoding = "utf8"
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf16"
    else:
        try:
            start.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            encoding = "utf8" if error.start > len(start) - 4 else "cp1252"
    text = start.decode("utf-8-sig" if encoding == "utf8" else encoding, errors="replace")
    line = next((line for line in text.splitlines() if line.strip()), "")
    if not line:
        raise FileProblem(path, "no rows", "a header and rows under it")
    delimiter = max((",", ";", "\t", "|"), key=line.count)
    return tuple(next(csv.reader([line], delimiter=delimiter))), delimiter, encoding


def _parquet(path: Path) -> SourceTable:
    try:
        columns = tuple(pq.read_schema(path).names)
    except (OSError, pa.ArrowException) as error:
        raise FileProblem(
            path, "not a Parquet file that can be read ({brief})", brief=_brief(error)
        ) from error

    def rows() -> Iterator[Any]:
        with pq.ParquetFile(path) as file:
            yield from (pa.Table.from_batches([batch]) for batch in file.iter_batches(250_000))

    return SourceTable(path.stem, path.name, columns, rows)


def _workbook(path: Path) -> list[SourceTable]:
    """Every sheet of a workbook that has a header and rows."""
    from python_calamine import CalamineError, load_workbook

    try:
        book = load_workbook(str(path))
        sheets = {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}
    except (OSError, CalamineError, ValueError) as error:
        raise FileProblem(path, "not a workbook that can be read ({error})", error=error) from error
    made = []
    for name, (head, *body) in ((name, rows) for name, rows in sheets.items() if len(rows) > 1):
        columns = tuple(_cell(cell) or f"column {k + 1}" for k, cell in enumerate(head))
        cells = [
            [_cell(row[k]) if k < len(row) else None for row in body] for k in range(len(head))
        ]
        table = pa.table([pa.array(column, pa.string()) for column in cells], columns)
        called = f"{path.stem}-{name}" if len(sheets) > 1 else path.stem
        origin = Message("{file}, sheet {sheet}", file=path.name, sheet=name)
        made.append(in_memory(called, origin, table))
    if not made:
        raise FileProblem(path, "no sheet with rows", "a header and rows under it")
    return made


def in_memory(name: str, origin: str, table: Any) -> SourceTable:
    """An Arrow table as a source."""
    return SourceTable(name, origin, tuple(table.column_names), lambda: iter([table]))


def _cell(value: object) -> str:
    """A cell as people see it: a whole number without a point, a day without its time."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.date().isoformat() if isinstance(value, datetime) else str(value).strip()


def _brief(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or "no answer"


# --- databases ----------------------------------------------------------------------------------

_TABLES = """select table_name from information_schema.tables"""
_TABLES_OF_SQLITE = """
    select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%'
    order by name"""


def _sqlite(path: Path) -> Any:
    return sqlite3.connect(f"file:{path.resolve().as_posix()}?mode=ro", uri=True)


def _duckdb(path: Path) -> Any:
    return duckdb.connect(str(path), read_only=True)


def _database(path: Path, query: str, connect: Callable[[Path], Any]) -> list[SourceTable]:
    """The answer to a query, or every table of a database that is a file."""
    try:
        with connect(path) as db:
            named = db.execute(_TABLES if connect is _duckdb else _TABLES_OF_SQLITE).fetchall()
            every = {
                name: 'select * from "{}"'.format(name.replace('"', '""')) for (name,) in named
            }
            asked = {"query": query} if query else every
            columns = {
                name: tuple(d[0] for d in db.execute(f"select * from ({text}) limit 0").description)
                for name, text in asked.items()
            }
    except (sqlite3.Error, duckdb.Error) as error:
        if query:
            raise _fails(path, error) from error
        raise FileProblem(
            path, "not a database that can be read ({error})", error=_brief(error)
        ) from error

    def reader(name: str) -> Callable[[], Iterator[Any]]:
        def rows() -> Iterator[Any]:
            with connect(path) as db:
                yield from _fetched(db.execute(asked[name]), columns[name])

        return rows

    return [SourceTable(n, f"{path.name}, {n}", columns[n], reader(n)) for n in asked]


def _postgresql(address: str, query: str) -> SourceTable:
    import psycopg

    name = shown_address(address)
    if not query:
        raise InputError(
            "{address}: say with a query what to read, e.g. --query 'select * from results'",
            address=name,
        )
    asked = f"select * from ({query}) asked"
    try:
        with psycopg.connect(address) as db:
            made = db.execute(f"{asked} limit 0")
            columns = tuple(d.name for d in made.description or ())
    except psycopg.Error as error:
        raise _fails(name, error) from error

    def rows() -> Iterator[Any]:
        with psycopg.connect(address) as db, db.cursor(name="honours_import") as cursor:
            yield from _fetched(cursor.execute(asked), columns)

    return SourceTable("query", name, columns, rows)


def _fails(address: str | Path, error: Exception) -> InputError:
    return InputError("{address}: the query fails: {why}", address=str(address), why=_brief(error))


def _fetched(cursor: Any, columns: Sequence[str]) -> Iterator[Any]:
    """The rows of a cursor, as text: a database may have several types in a column."""
    while rows := cursor.fetchmany(_AT_ONCE):
        cells = ([None if c is None else str(c) for c in own] for own in zip(*rows, strict=True))
        yield pa.table([pa.array(own, pa.string()) for own in cells], columns)
