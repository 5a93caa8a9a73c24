"""A backup is one compressed file that either database can be restored from.

It is a line for the ledger (version, head of the chain), a line for each row, and a last line with
the count, so that half a backup is seen to be one.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Table, select

from honours.errors import FileProblem, LedgerError
from honours.ledger import versions
from honours.ledger.exchange import fill, rows_of
from honours.ledger.schema import TABLES, chain
from honours.ledger.store import Ledger


def backup(ledger: Ledger, path: str | Path) -> int:
    """Write a backup beside its final name and rename it when it is whole; returns its rows."""
    target = Path(path)
    partial = target.with_name(target.name + ".partial")
    count = 0
    try:
        with ledger.reading() as connection, gzip.open(partial, "wt", encoding="utf-8") as out:
            head = connection.scalar(select(chain.c.head))
            out.write(_line({"honours": "backup", "version": versions.NEWEST, "head": head}))
            for table in TABLES:
                for row in rows_of(connection, table):
                    out.write(_line([table.name, list(row.values())]))
                    count += 1
            out.write(_line({"rows": count}))
        with partial.open("rb+") as written:
            os.fsync(written.fileno())
        partial.replace(target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise LedgerError(
            f"{target}: the backup could not be written ({error.strerror})"
        ) from error
    return count


def _line(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"


def restore(path: str | Path, url: str) -> Ledger:
    """A new ledger from a backup; refused where there is one already."""
    rows = _read(path)
    return fill(url, lambda table: _of_table(rows, table))


def _of_table(rows: Mapping[str, list[list[Any]]], table: Table) -> Iterator[Mapping[str, Any]]:
    names = [column.name for column in table.columns]
    for values in rows[table.name]:
        yield dict(zip(names, values, strict=True))


def _read(path: str | Path) -> dict[str, list[list[Any]]]:
    rows: dict[str, list[list[Any]]] = {table.name: [] for table in TABLES}
    try:
        with gzip.open(path, "rt", encoding="utf-8") as source:
            first = json.loads(source.readline() or "{}")
            if not isinstance(first, dict) or first.get("honours") != "backup":
                raise FileProblem(path, "not a backup of a ledger")
            if first["version"] != versions.NEWEST:
                found = f"a backup of version {first['version']}"
                raise FileProblem(path, found, f"version {versions.NEWEST}: use that Honours")
            last = _gather(source, rows)
    except (OSError, EOFError, UnicodeDecodeError, zlib.error, json.JSONDecodeError) as error:
        raise FileProblem(path, f"cannot be read whole ({error})", "a backup") from error
    if last.get("rows") != sum(len(each) for each in rows.values()):
        raise FileProblem(path, "the backup breaks off", "all its rows")
    return rows


def _gather(lines: Any, rows: dict[str, list[list[Any]]]) -> dict[str, Any]:
    last: dict[str, Any] = {}
    for line in lines:
        data = json.loads(line)
        if isinstance(data, list):
            rows[data[0]].append(data[1])
        else:
            last = data
    return last
