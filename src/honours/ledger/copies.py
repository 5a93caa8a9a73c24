"""Everything in the ledger as files and back: CSV, JSON or Parquet, one per table.

A copy for others leaves out the people who do not want to be published: their rows lose name and
number and keep the points. Only a full copy can be read back.
"""

from __future__ import annotations

import csv
import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import IO, Any, TextIO

from sqlalchemy import Boolean, Connection, MetaData, Table, Text, delete, func, select
from sqlalchemy.exc import NoSuchTableError

from honours.errors import FileProblem, UnknownName
from honours.files import BACKUP, JSON, check_target, kind_of, new_file
from honours.formats.sheet import neutralise
from honours.formats.sheet import restore as restored
from honours.ledger import members, versions
from honours.ledger.bulk import insert_rows
from honours.ledger.checkpoint import checkpoint, line_of, read_checkpoint
from honours.ledger.schema import TABLES, chain, changes, tallies
from honours.ledger.store import Ledger, create_ledger
from honours.ledger.verify import Verification, verify_in
from honours.model.message import Message
from honours.rings import require

CHECKPOINT = "checkpoint.json"
"""The file of an export that identifies the state of the ledger."""
FORMATS = ("csv", "json", "parquet")
_LOT = 500
"""How many rows are in memory at once; a record has some ten thousand characters."""
_BEGUN = (chain.name, tallies.name)
"""Tables that have rows as soon as they are created."""
_CALLED = {
    "people": ("name", "number", "sought", "salt"),
    "numbers": ("number", "salt"),
    "names": ("name", "salt"),
}
"""The columns of each table that identify people."""
_WRITTEN = ("said", "remark")
"""Columns with texts that somebody wrote, which may name anybody."""
Rows = Iterator[Mapping[str, Any]]


def rows_of(connection: Connection, table: Table) -> Iterator[dict[str, Any]]:
    """A table's rows in the order of its key, never all in memory at once."""
    key = list(table.primary_key)
    lot = 10 if table is changes else _LOT  # one may tell of thousands of rows
    every = select(table).order_by(*key).execution_options(yield_per=lot)
    with connection.execute(every) as rows:
        for row in rows.mappings():
            yield dict(row)


def count_rows(connection: Connection) -> dict[str, int]:
    counted = {t.name: connection.scalar(select(func.count()).select_from(t)) for t in TABLES}
    return {name: int(count or 0) for name, count in counted.items()}


def export(
    ledger: Ledger,
    folder: str | Path,
    form: str,
    public: bool = False,
    dry_run: bool = False,
    replace: bool = False,
) -> dict[str, int]:
    """Write every table into a folder; returns how many rows each has."""
    if form not in FORMATS:
        raise UnknownName("format", form, FORMATS)
    targets = {table: Path(folder) / f"{table.name}.{form}" for table in TABLES}
    kept = Path(folder) / CHECKPOINT
    with ledger.reading() as connection:
        if Path(folder).exists():
            for target in (kept, *targets.values()):
                check_target(target, kind_of(target), replace)
        if dry_run:
            return count_rows(connection)
        Path(folder).mkdir(parents=True, exist_ok=True)
        with new_file(kept, JSON, replace) as beside:
            beside.write_text(checkpoint(connection).text(), encoding="utf-8")
        hidden = members.hidden(connection) if public else None
        return {
            table.name: _export(connection, table, target, hidden, replace)
            for table, target in targets.items()
        }


def _export(
    connection: Connection, table: Table, target: Path, hidden: set[int] | None, replace: bool
) -> int:
    write = _WRITERS[target.suffix[1:]]
    with new_file(target, kind_of(target), replace, private=hidden is None) as beside:
        return write(beside, table, _shown(rows_of(connection, table), table, hidden))


def _shown(
    rows: Iterator[dict[str, Any]], table: Table, hidden: set[int] | None
) -> Iterator[dict[str, Any]]:
    """The rows, or the part of them that others may see: with its salt a name could be guessed,
    and the texts of receipts and remarks may contain one."""
    for row in rows:
        if hidden is None:
            yield row
        elif table.name in _CALLED:
            gone = _CALLED[table.name] if row["member"] in hidden else ()
            yield row | {name: None if table.c[name].nullable else "" for name in gone}
        else:
            yield row | {name: "" for name in _WRITTEN if name in row}


def import_all(url: str, folder: str | Path, dry_run: bool = False) -> Verification:
    """A new ledger from a folder that :func:`export` wrote, and the findings of verifying it."""
    source = Path(folder)
    forms = [form for form in FORMATS if (source / f"chain.{form}").is_file()]
    if not forms:
        raise FileProblem(folder, "no exported ledger in it", "chain.csv, .json or .parquet")
    reader = _READERS[forms[0]]
    files = {table.name: source / f"{table.name}.{forms[0]}" for table in TABLES}
    for file in files.values():
        if not file.is_file():
            raise FileProblem(file, "no such file", "a file for every table")

    def fill(connection: Connection) -> None:
        versions.upgrade(connection)
        for table in TABLES:
            fill_table(connection, table, reader(files[table.name], table))

    return copy_in(url, fill, dry_run)


def copy_in(
    url: str, fill: Callable[[Connection], None], dry_run: bool, head: str = ""
) -> Verification:
    """A new ledger as made by ``fill``, or none at all if its rows do not fit together. It is
    verified before it is kept, and must have the head that the copy states."""
    before = read_checkpoint(head) if head else None
    verifications: list[Verification] = []

    def filled(connection: Connection) -> None:
        fill(connection)
        verifications.append(verify_in(connection, head=before))

    create_ledger(url, filled, dry_run).close()
    return verifications[0]


def fill_table(connection: Connection, table: Table, rows: Rows) -> None:
    """Put rows into a table of a newly made ledger."""
    if table.name in _BEGUN:
        connection.execute(delete(table))
    names = [column.name for column in table.columns]
    while lot := [tuple(row[name] for name in names) for row in islice(rows, _LOT)]:
        insert_rows(connection, table, names, lot)


# --- each format ------------------------------------------------------------------------------


def _write_csv(file: Path, table: Table, rows: Rows) -> int:
    count = 0
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow([column.name for column in table.columns])
        for row in rows:
            writer.writerow([_plain(value) for value in row.values()])
            count += 1
    return count


def _read_csv(file: Path, table: Table) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8", newline="") as source:
        for row in csv.DictReader(source):
            yield {c.name: _cell(row[c.name], c.type) for c in table.columns}


def _plain(value: Any) -> Any:
    """A cell: nothing is ``\\N``, and no text is taken for that or, by a spreadsheet, a formula."""
    if isinstance(value, str):
        return f"\\{value}" if value.startswith("\\") else neutralise(value)
    return "\\N" if value is None else value


def _cell(text: str, kind: Any) -> Any:
    if text == "\\N":
        return None
    if isinstance(kind, Text):
        return text[1:] if text.startswith("\\") else restored(text)
    return text == "True" if isinstance(kind, Boolean) else int(text)


def _write_json(file: Path, table: Table, rows: Rows) -> int:  # noqa: ARG001
    count = 0
    with file.open("w", encoding="utf-8") as out:
        out.write("[")
        for row in rows:
            out.write((",\n" if count else "\n") + json.dumps(dict(row), ensure_ascii=False))
            count += 1
        out.write("\n]\n")
    return count


def _read_json(file: Path, table: Table) -> Iterator[dict[str, Any]]:  # noqa: ARG001
    with file.open(encoding="utf-8") as source:
        yield from json_rows(source, file)


def _schema(table: Table) -> Any:
    require("pyarrow")
    import pyarrow as pa

    kinds = {Text: pa.string(), Boolean: pa.bool_()}
    return pa.schema([(c.name, kinds.get(type(c.type), pa.int64())) for c in table.columns])


def _write_parquet(file: Path, table: Table, rows: Rows) -> int:
    schema = _schema(table)
    import pyarrow as pa
    import pyarrow.parquet as pq

    count = 0
    with pq.ParquetWriter(file, schema) as out:
        while lot := [dict(row) for row in islice(rows, _LOT)]:
            out.write_table(pa.Table.from_pylist(lot, schema=schema))
            count += len(lot)
    return count


def _read_parquet(file: Path, table: Table) -> Iterator[dict[str, Any]]:  # noqa: ARG001
    require("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as source:
            for batch in source.iter_batches(_LOT):
                yield from batch.to_pylist()
    except pa.ArrowInvalid as error:
        raise FileProblem(file, "not a Parquet file") from error


_WRITERS = {"csv": _write_csv, "json": _write_json, "parquet": _write_parquet}
_READERS = {"csv": _read_csv, "json": _read_json, "parquet": _read_parquet}


def backup(ledger: Ledger, path: str | Path, dry_run: bool = False, replace: bool = False) -> int:
    """Write a backup; returns the number of rows."""
    if dry_run:
        check_target(path, BACKUP, replace)
        with ledger.reading() as connection:
            return sum(count_rows(connection).values())
    with new_file(path, BACKUP, replace, private=True) as beside:
        return _write(ledger, beside)


def _write(ledger: Ledger, file: Path) -> int:
    count = 0
    with ledger.reading() as connection, gzip.open(file, "wt", encoding="utf-8") as out:
        head = connection.scalar(select(chain.c.head))
        first = {
            "honours": "backup",
            "version": versions.NEWEST,
            "head": head,
            "checkpoint": line_of(connection),
            "note": "has the names of its time: who is erased later is still in it",
        }
        out.write(_line(first))
        for table in TABLES:
            for row in rows_of(connection, table):
                out.write(_line([table.name, list(row.values())]))
                count += 1
        out.write(_line({"rows": count}))
    return count


def _line(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"


def restore(path: str | Path, url: str, dry_run: bool = False) -> Verification:
    """A new ledger from a backup, which may come from an older Honours, and the findings of
    verifying it; refused if there already is a ledger."""
    with _plain_problems(path), gzip.open(path, "rt", encoding="utf-8") as source:
        kept = _Kept(path, source)

        def fill(connection: Connection) -> None:
            versions.upgrade(connection, kept.version)
            for name, rows in groupby(kept.rows(), key=itemgetter(0)):
                table = Table(name, MetaData(), autoload_with=connection)
                names = [column.name for column in table.columns]
                fill_table(connection, table, (dict(zip(names, r, strict=True)) for _, r in rows))
            versions.upgrade(connection)

        return copy_in(url, fill, dry_run, kept.head)


@contextmanager
def _plain_problems(path: str | Path) -> Iterator[None]:
    """Raise what is wrong with the file's bytes in plain words."""
    try:
        yield
    except (OSError, EOFError, UnicodeDecodeError, zlib.error, ValueError) as error:
        raise FileProblem(
            path, "cannot be read whole ({error})", "a backup", error=error
        ) from error
    except NoSuchTableError as error:
        raise FileProblem(
            path, "rows of a table {error} that no ledger has", error=error
        ) from error


class _Kept:
    """A backup being read line by line."""

    def __init__(self, path: str | Path, source: IO[str]) -> None:
        self._path, self._source = path, source
        first = json.loads(source.readline() or "{}")
        if not isinstance(first, dict) or first.get("honours") != "backup":
            raise FileProblem(path, "not a backup of a ledger")
        self.version = str(first.get("version"))
        self.head = str(first.get("checkpoint") or first.get("head") or "")
        if self.version not in versions.known():
            fault = Message(
                "a backup of version {version}, made by a newer Honours", version=self.version
            )
            raise FileProblem(
                path, fault, "{newest} at most: install the newer Honours", newest=versions.NEWEST
            )

    def rows(self) -> Iterator[tuple[str, list[Any]]]:
        """Every row with its table; the last line says how many there should have been."""
        count, last = 0, {}
        for line in self._source:
            data = json.loads(line)
            if isinstance(data, list):
                yield data[0], data[1]
                count += 1
            else:
                last = data
        if last.get("rows") != count:
            raise FileProblem(self._path, "the backup breaks off", "all its rows")


_CHUNK = 1 << 16
_decode = json.JSONDecoder().raw_decode


def json_rows(source: TextIO, file: Path) -> Iterator[dict[str, Any]]:
    """The objects of the array in a file."""
    text = _Text(source)
    if not text.starts_with("["):
        raise FileProblem(file, "not JSON: no array of rows", line=text.line)
    text.drop(1)
    while not text.starts_with("]"):
        try:
            row, end = text.value()
        except json.JSONDecodeError as error:
            line = text.line + error.lineno - 1
            raise FileProblem(file, "not JSON: {msg}", line=line, msg=error.msg) from error
        if not isinstance(row, dict):
            raise FileProblem(file, "not JSON: a row that is no object", line=text.line)
        yield row
        text.drop(end)
        if text.starts_with(","):
            text.drop(1)


class _Text:
    """The part of a file needed so far, and the line where it begins."""

    def __init__(self, source: TextIO) -> None:
        self._source, self._text, self.line = source, "", 1

    def starts_with(self, sign: str) -> bool:
        """Return whether a sign comes next, ignoring white space."""
        while True:
            self.drop(len(self._text) - len(self._text.lstrip()))
            if self._text or not self._more():
                return self._text.startswith(sign)

    def drop(self, count: int) -> None:
        self.line += self._text.count("\n", 0, count)
        self._text = self._text[count:]

    def value(self) -> tuple[Any, int]:
        """The next value and where it ends; reads on until the value is complete."""
        while True:
            try:
                parsed, end = _decode(self._text)
            except json.JSONDecodeError:
                if not self._more():
                    raise
                continue
            if end < len(self._text) or not self._more():
                return parsed, end

    def _more(self) -> bool:
        piece = self._source.read(max(_CHUNK, len(self._text)))
        self._text += piece
        return bool(piece)
