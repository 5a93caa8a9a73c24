"""Everything in the ledger as files and back: CSV, JSON or Parquet, a table each.

A copy for others leaves out the people who do not want to be published: their rows lose name and
number and keep the points. Only a full copy can be read back.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Boolean, Connection, Table, Text, select, update

from honours.errors import FileProblem, UnknownName
from honours.formats.formulas import neutralise, restore
from honours.ledger.bulk import insert_rows
from honours.ledger.schema import TABLES, chain
from honours.ledger.store import Ledger, create_ledger

FORMATS = ("csv", "json", "parquet")
_LOT = 20_000


def rows_of(connection: Connection, table: Table) -> Iterator[dict[str, Any]]:
    """A table's rows in the order of its key, never all in memory at once."""
    key = list(table.primary_key)
    with connection.execution_options(yield_per=_LOT).execute(select(table).order_by(*key)) as rows:
        for row in rows.mappings():
            yield dict(row)


def export(ledger: Ledger, folder: str | Path, form: str, public: bool = False) -> dict[str, int]:
    """Write every table into a folder; returns how many rows each has."""
    if form not in FORMATS:
        raise UnknownName("format", form, FORMATS)
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    writer = _WRITERS[form]
    with ledger.reading() as connection:
        return {
            table.name: writer(target / f"{table.name}.{form}", table,
                               _shown(rows_of(connection, table), table, public))
            for table in TABLES
        }  # fmt: skip


def _shown(rows: Iterator[dict[str, Any]], table: Table, public: bool) -> Iterator[dict[str, Any]]:
    for row in rows:
        hidden = public and table.name == "people" and row["opted_out"]
        yield {**row, "name": "", "number": None, "sought": ""} if hidden else row


def import_all(url: str, folder: str | Path) -> Ledger:
    """A new ledger from a folder that :func:`export` wrote; verify it afterwards."""
    source = Path(folder)
    forms = [form for form in FORMATS if (source / f"chain.{form}").is_file()]
    if not forms:
        raise FileProblem(folder, "no exported ledger in it", "chain.csv, .json or .parquet")
    reader = _READERS[forms[0]]
    files = {table.name: source / f"{table.name}.{forms[0]}" for table in TABLES}
    for file in files.values():
        if not file.is_file():
            raise FileProblem(file, "no such file", "a file for every table")
    return fill(url, lambda table: reader(files[table.name], table))


def fill(url: str, rows: Callable[[Table], Iterator[Mapping[str, Any]]]) -> Ledger:
    """A new ledger with these rows, or none at all if they do not fit together."""

    def filled(connection: Connection) -> None:
        for table in TABLES:
            _fill_table(connection, table, rows(table))

    return create_ledger(url, filled)


def _fill_table(connection: Connection, table: Table, rows: Iterator[Mapping[str, Any]]) -> None:
    if table is chain:
        for row in rows:
            connection.execute(update(chain).values(dict(row)))
        return
    names = [column.name for column in table.columns]
    lot: list[tuple[Any, ...]] = []
    for row in rows:
        lot.append(tuple(row[name] for name in names))
        if len(lot) == _LOT:
            insert_rows(connection, table, names, lot)
            lot.clear()
    insert_rows(connection, table, names, lot)


# --- each format ------------------------------------------------------------------------------


def _write_csv(file: Path, table: Table, rows: Iterator[Mapping[str, Any]]) -> int:
    count = 0
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow([column.name for column in table.columns])
        for row in rows:
            writer.writerow([_told(value) for value in row.values()])
            count += 1
    return count


def _read_csv(file: Path, table: Table) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8", newline="") as source:
        for row in csv.DictReader(source):
            yield {c.name: _cell(row[c.name], c.type) for c in table.columns}


def _told(value: Any) -> Any:
    """A cell: nothing is ``\\N``, and no text is taken for that or, by a spreadsheet, a formula."""
    if isinstance(value, str):
        return f"\\{value}" if value.startswith("\\") else neutralise(value)
    return "\\N" if value is None else value


def _cell(text: str, kind: Any) -> Any:
    if text == "\\N":
        return None
    if isinstance(kind, Text):
        return text[1:] if text.startswith("\\") else restore(text)
    return text == "True" if isinstance(kind, Boolean) else int(text)


def _write_json(file: Path, table: Table, rows: Iterator[Mapping[str, Any]]) -> int:  # noqa: ARG001
    count = 0
    with file.open("w", encoding="utf-8") as out:
        out.write("[")
        for row in rows:
            out.write((",\n" if count else "\n") + json.dumps(dict(row), ensure_ascii=False))
            count += 1
        out.write("\n]\n")
    return count


def _read_json(file: Path, table: Table) -> Iterator[dict[str, Any]]:  # noqa: ARG001
    try:
        yield from json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise FileProblem(file, f"not JSON: {error.msg}", line=error.lineno) from error


def _write_parquet(file: Path, table: Table, rows: Iterator[Mapping[str, Any]]) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {Text: pa.string(), Boolean: pa.bool_()}
    fields = [(c.name, kinds.get(type(c.type), pa.int64())) for c in table.columns]
    everything: Sequence[dict[str, Any]] = [dict(row) for row in rows]
    pq.write_table(pa.Table.from_pylist(list(everything), schema=pa.schema(fields)), file)
    return len(everything)


def _read_parquet(file: Path, table: Table) -> Iterator[dict[str, Any]]:  # noqa: ARG001
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        yield from pq.read_table(file).to_pylist()
    except pa.ArrowInvalid as error:
        raise FileProblem(file, "not a Parquet file") from error


_WRITERS = {"csv": _write_csv, "json": _write_json, "parquet": _write_parquet}
_READERS = {"csv": _read_csv, "json": _read_json, "parquet": _read_parquet}
