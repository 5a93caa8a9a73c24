"""Tables from wherever a federation keeps them: text, Parquet, workbooks, SQLite, DuckDB,
PostgreSQL.

A source yields its rows in batches and is never loaded whole, except for workbooks, which are
small.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from honours.errors import FileProblem, InputError
from honours.model.message import Message

ROWS_AT_ONCE = 250_000
_BLOCK = 16 * 2**20
_TEXT = (".csv", ".tsv", ".txt")
_WORKBOOKS = (".xlsx", ".xls", ".ods")
_PARQUET = (".parquet", ".pq")
_SQLITE = (".sqlite", ".sqlite3", ".db")
_DUCKDB = (".duckdb", ".ddb")
_POSTGRESQL = ("postgresql://", "postgres://")
SUFFIXES = (*_TEXT, *_WORKBOOKS, *_PARQUET, *_SQLITE, *_DUCKDB)
_DELIMITERS = (",", ";", "\t", "|")
_PASSWORD_AT = "@"


@dataclass(frozen=True, slots=True)
class SourceTable:
    """One table: its name, its columns, its approximate number of rows, and a way to read them.

    ``batches`` takes the wanted columns and yields Arrow tables; ``first`` is the number of the
    first row as people count them, with a header being row 1.
    """

    name: str
    origin: str
    columns: tuple[str, ...]
    batches: Callable[[Sequence[str]], Iterator[Any]] = field(repr=False)
    rows: int | None = None
    first: int = 1
    mark: str = ""
    """A value that changes when the table does: its size and time."""


def open_source(address: str, query: str = "") -> list[SourceTable]:
    """The tables of a file, or the result of a query to a database."""
    if address.startswith(_POSTGRESQL):
        return [_postgresql(address, query)]
    path, query = Path(address), query.strip().rstrip(";")
    suffix = path.suffix.lower()
    if suffix in _SQLITE:
        return _sqlite(path, query)
    if suffix in _DUCKDB:
        return _duckdb(path, query)
    if query:
        raise InputError("{path}: a query is asked of a database only", path=address)
    if suffix in _PARQUET:
        return [_parquet(path)]
    return _workbook(path) if suffix in _WORKBOOKS else [_csv(path)]


def is_address(text: str) -> bool:
    """Whether it names a database server rather than a file."""
    return text.startswith(_POSTGRESQL)


def shown_address(text: str) -> str:
    """An address without its user name and password."""
    if not is_address(text):
        return text
    scheme, _, rest = text.partition("://")
    return f"{scheme}://{rest.rpartition(_PASSWORD_AT)[2].partition('?')[0]}"


def _mark(path: Path) -> str:
    about = path.stat()
    return f"{about.st_size} {about.st_mtime_ns}"


# --- files ----------------------------------------------------------------------------------------


def _csv(path: Path) -> SourceTable:
    header, delimiter, encoding = _header(path)
    repeated = {name for name in header if header.count(name) > 1}
    if repeated:
        raise FileProblem(
            path, "two columns are called {repeated!r}", line=1, repeated=min(repeated)
        )

    def batches(wanted: Sequence[str]) -> Iterator[Any]:
        types = {name: pa.string() for name in header}
        try:
            reader = pa_csv.open_csv(
                path,
                pa_csv.ReadOptions(block_size=_BLOCK, encoding=encoding),
                pa_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
                pa_csv.ConvertOptions(
                    include_columns=list(wanted), column_types=types, strings_can_be_null=True
                ),
            )
            for batch in reader:
                yield pa.Table.from_batches([batch])
        except (pa.ArrowException, UnicodeDecodeError) as error:
            raise FileProblem(path, "not a table: {why}", why=str(error).splitlines()[0]) from error

    return SourceTable(path.stem, path.name, header, batches, _lines(path), 2, _mark(path))


def _header(path: Path) -> tuple[tuple[str, ...], str, str]:
    """The columns of a text table, their separator and the text encoding."""
    import csv

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
    delimiter = max(_DELIMITERS, key=line.count)
    columns = tuple(next(csv.reader([line], delimiter=delimiter)))
    return columns, delimiter, encoding


def _lines(path: Path) -> int:
    """Roughly how many rows a text has, judging by the length of the first ones."""
    with path.open("rb") as file:
        start = file.read(2**16)
    return int(path.stat().st_size / max(1, len(start)) * max(1, start.count(b"\n")))


def _parquet(path: Path) -> SourceTable:
    try:
        footer = pq.read_metadata(path)
        columns = tuple(pq.read_schema(path).names)
    except (OSError, pa.ArrowException) as error:
        brief = str(error).splitlines()[0]
        raise FileProblem(
            path, "not a Parquet file that can be read ({brief})", brief=brief
        ) from error

    def batches(wanted: Sequence[str]) -> Iterator[Any]:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(ROWS_AT_ONCE, columns=list(wanted)):
                yield pa.Table.from_batches([batch])

    return SourceTable(path.stem, path.name, columns, batches, footer.num_rows, 1, _mark(path))


def _workbook(path: Path) -> list[SourceTable]:
    """Every sheet of a workbook that has a header and rows."""
    from python_calamine import CalamineError, load_workbook

    try:
        book = load_workbook(str(path))
        sheets = {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}
    except (OSError, CalamineError, ValueError) as error:
        raise FileProblem(path, "not a workbook that can be read ({error})", error=error) from error
    made = []
    for name, rows in sheets.items():
        if len(rows) < 2:
            continue
        columns = tuple(_cell(cell) or f"column {k + 1}" for k, cell in enumerate(rows[0]))
        called = f"{path.stem}-{name}" if len(sheets) > 1 else path.stem
        batches = _kept(columns, rows[1:])
        origin = Message("{file}, sheet {sheet}", file=path.name, sheet=name)
        made.append(SourceTable(called, origin, columns, batches, len(rows) - 1, 2, _mark(path)))
    if not made:
        raise FileProblem(path, "no sheet with rows", "a header and rows under it")
    return made


def _kept(
    columns: tuple[str, ...], rows: Sequence[Sequence[object]]
) -> Callable[[Sequence[str]], Iterator[Any]]:
    def batches(wanted: Sequence[str]) -> Iterator[Any]:
        at = [columns.index(name) for name in wanted]
        cells = [[_cell(row[k]) or None if k < len(row) else None for row in rows] for k in at]
        yield pa.table({n: pa.array(c, pa.string()) for n, c in zip(wanted, cells, strict=True)})

    return batches


def _cell(value: object) -> str:
    """A cell as people see it: a whole number without a point, a day without its time."""
    from datetime import datetime

    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat()
    return str(value).strip()


# --- databases ------------------------------------------------------------------------------------


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _fails(address: str | Path, error: Exception) -> InputError:
    brief = str(error).strip().splitlines()[0] if str(error).strip() else "no answer"
    return InputError("{address}: the query fails: {why}", address=str(address), why=brief)


def _sqlite(path: Path, query: str) -> list[SourceTable]:
    def connect() -> sqlite3.Connection:
        return sqlite3.connect(f"file:{path.resolve().as_posix()}?mode=ro", uri=True)

    try:
        with connect() as db:
            names = db.execute(
                "select name from sqlite_master where type in ('table', 'view') "
                "and name not like 'sqlite_%' order by name"
            )
            asked = (
                {"query": query} if query else {n: f"select * from {_quoted(n)}" for (n,) in names}
            )
            columns = {
                name: tuple(d[0] for d in db.execute(f"select * from ({text}) limit 0").description)
                for name, text in asked.items()
            }
    except sqlite3.Error as error:
        if query:
            raise _fails(path, error) from error
        raise FileProblem(
            path, "not a SQLite database that can be read ({error})", error=error
        ) from error

    def reader(text: str) -> Callable[[Sequence[str]], Iterator[Any]]:
        def batches(wanted: Sequence[str]) -> Iterator[Any]:
            chosen = ", ".join(map(_quoted, wanted))
            with connect() as db:
                yield from _fetched(db.execute(f"select {chosen} from ({text})"), wanted)

        return batches

    return [
        SourceTable(name, f"{path.name}, {name}", columns[name], reader(text), None, 1, _mark(path))
        for name, text in asked.items()
    ]


def _fetched(cursor: Any, wanted: Sequence[str]) -> Iterator[Any]:
    """The rows of a cursor in batches, as text if a column has more than one type."""
    while rows := cursor.fetchmany(50_000):
        cells = zip(*rows, strict=True)
        yield pa.table({n: _column(c) for n, c in zip(wanted, cells, strict=True)})


def _column(cells: Sequence[object]) -> Any:
    try:
        return pa.array(cells)
    except (pa.ArrowException, TypeError):
        return pa.array([None if c is None else str(c) for c in cells], pa.string())


def _duckdb(path: Path, query: str) -> list[SourceTable]:
    try:
        import duckdb
    except ImportError as error:
        raise InputError(
            "{path}: reading it needs DuckDB: pip install duckdb", path=str(path)
        ) from error
    try:
        with duckdb.connect(str(path), read_only=True) as db:
            tables: list[tuple[str]] = db.execute(
                "select table_name from information_schema.tables"
            ).fetchall()
            names = [name for (name,) in tables]
            asked = {"query": query} if query else {n: f"select * from {_quoted(n)}" for n in names}
            columns = {
                name: tuple(
                    d[0] for d in db.execute(f"select * from ({text}) limit 0").description or ()
                )
                for name, text in asked.items()
            }
    except duckdb.Error as error:
        if query:
            raise _fails(path, error) from error
        raise FileProblem(
            path, "not a DuckDB file that can be read ({error})", error=error
        ) from error

    def reader(text: str) -> Callable[[Sequence[str]], Iterator[Any]]:
        def batches(wanted: Sequence[str]) -> Iterator[Any]:
            chosen = ", ".join(map(_quoted, wanted))
            with duckdb.connect(str(path), read_only=True) as db:
                made = db.sql(f"select {chosen} from ({text})")
                for batch in made.to_arrow_reader(ROWS_AT_ONCE):
                    yield pa.Table.from_batches([batch])

        return batches

    return [
        SourceTable(name, f"{path.name}, {name}", columns[name], reader(text), None, 1, _mark(path))
        for name, text in asked.items()
    ]


def _postgresql(address: str, query: str) -> SourceTable:
    import psycopg

    if not query:
        raise InputError(
            "{address}: say with a query what to read, e.g. --query 'select * from results'",
            address=shown_address(address),
        )
    text, name = query.strip().rstrip(";"), shown_address(address)
    try:
        with psycopg.connect(address) as db:
            made = db.execute(f"select * from ({text}) asked limit 0")
            columns = tuple(d.name for d in made.description or ())
    except psycopg.Error as error:
        raise _fails(name, error) from error

    def batches(wanted: Sequence[str]) -> Iterator[Any]:
        chosen = ", ".join(map(_quoted, wanted))
        with psycopg.connect(address) as db, db.cursor(name="honours_import") as cursor:
            cursor.itersize = 50_000
            asked = f"select {chosen} from ({text}) asked"
            cursor.execute(asked)
            yield from _fetched(cursor, wanted)

    return SourceTable("query", name, columns, batches)
