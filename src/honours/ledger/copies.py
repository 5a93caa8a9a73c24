"""Everything in the ledger as files: one that is read back, and one per table to be looked at.

A backup is whole, and a ledger on either database is made of it again. An export is for others, as
CSV, JSON or Parquet; one for everybody leaves out the people who do not want to be published: their
rows lose name and number and keep the points.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain as joined
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Connection, MetaData, Table, Text, delete, func, select
from sqlalchemy.exc import NoSuchTableError

from honours.errors import FileProblem, UnknownName
from honours.files import BACKUP, JSON, check_target, kind_of, new_file
from honours.ledger import members, versions
from honours.ledger.bulk import insert_rows, lots
from honours.ledger.checkpoint import checkpoint, line_of, read_checkpoint
from honours.ledger.list_files import FORMATS, write_list
from honours.ledger.schema import TABLES, chain, changes, end_of, tallies
from honours.ledger.store import Ledger, create_ledger
from honours.ledger.verify import Verification, verify_in
from honours.model.message import Message
from honours.model.table import Column
from honours.model.table import table as made_table

CHECKPOINT = "checkpoint.json"
"""The file of an export that identifies the state of the ledger."""
_LOT = 200
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
    columns = [Column(one.name, one.name) for one in table.columns]
    numbers = {one.name for one in table.columns if not isinstance(one.type, Text)}
    rows = lots(_shown(rows_of(connection, table), table, hidden), _LOT)
    parts = (
        made_table(table.name, columns, ([*row.values()] for row in some))
        for some in joined([next(rows, [])], rows)
    )
    return write_list(parts, target, replace, private=hidden is None, numbers=numbers)


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
        head = end_of(connection).head
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
    verifying it before it is kept; refused if there already is a ledger."""
    verifications: list[Verification] = []
    with _plain_problems(path), gzip.open(path, "rt", encoding="utf-8") as source:
        kept = _Kept(path, source)
        before = read_checkpoint(kept.head) if kept.head else None

        def fill(connection: Connection) -> None:
            versions.upgrade(connection, kept.version)
            for name, rows in groupby(kept.rows(), key=itemgetter(0)):
                table = Table(name, MetaData(), autoload_with=connection)
                if name in _BEGUN:
                    connection.execute(delete(table))
                names = [column.name for column in table.columns]
                for some in lots(rows, _LOT):
                    whole = [dict(zip(names, row, strict=True)) for _, row in some]
                    insert_rows(connection, table, names, [tuple(row.values()) for row in whole])
            versions.upgrade(connection)
            verifications.append(verify_in(connection, head=before))

        create_ledger(url, fill, dry_run).close()
    return verifications[0]


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
