"""A backup is one compressed file from which either database can be restored.

It has one line for the ledger (version, head of the chain), one line per row, and a last line with
the count, so that an incomplete backup is recognised.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Connection, MetaData, Table, select
from sqlalchemy.exc import NoSuchTableError

from honours.errors import FileProblem
from honours.files import BACKUP, check_target, new_file
from honours.ledger import versions
from honours.ledger.checkpoint import line_of
from honours.ledger.exchange import copy_in, count_rows, fill_table, rows_of
from honours.ledger.schema import TABLES, chain
from honours.ledger.store import Ledger
from honours.ledger.verify import Verification
from honours.model.message import Message


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
    """What is wrong with the file's bytes, in plain words."""
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
