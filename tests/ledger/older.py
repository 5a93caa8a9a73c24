"""A ledger as the Honours of version 0005 left it, made by that Honours: with an event without a
day, a merger, an erasure, a draft, a submission and an opening balance."""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path

from sqlalchemy import MetaData, Table

from honours.ledger import versions
from honours.ledger.exchange import fill_table
from honours.ledger.store import create_ledger

DUMP = Path(__file__).parent / "files" / "ledger-0005.sql"
HEAD = "cf0a329dbaabdcaa6ab077ece358bb26e3bfef310f1f67b5b514da31f19f845a"
"""What its ``verify`` said the head was."""
TABLES = (
    "members",
    "people",
    "aliases",
    "kinds",
    "rulebooks",
    "records",
    "postings",
    "chain",
    "drafts",
    "releasers",
    "submissions",
    "requests",
    "tallies",
)


def rows_of(table: str) -> list[dict[str, object]]:
    memory = sqlite3.connect(":memory:")
    memory.executescript(DUMP.read_text(encoding="utf-8"))
    memory.row_factory = sqlite3.Row
    rows = [dict(row) for row in memory.execute(f"SELECT * FROM {table}")]
    memory.close()
    yes_no = ("visitor", "opted_out")
    return [{k: bool(v) if k in yes_no else v for k, v in row.items()} for row in rows]


def older_ledger(url: str) -> str:
    """Put it at a place, on either database."""
    if "://" not in url:
        file = sqlite3.connect(url)
        file.executescript(DUMP.read_text(encoding="utf-8"))
        file.close()
        return url

    def fill(connection: object) -> None:
        from sqlalchemy import Connection

        assert isinstance(connection, Connection)
        versions.upgrade(connection, "0005")
        for name in TABLES:
            table = Table(name, MetaData(), autoload_with=connection)
            fill_table(connection, table, iter(rows_of(name)))

    create_ledger(url, fill).close()
    return url


def older_backup(file: Path) -> Path:
    """The backup that version made of it."""
    rows = [[name, list(row.values())] for name in TABLES for row in rows_of(name)]
    lines = [{"honours": "backup", "version": "0005", "head": HEAD}, *rows, {"rows": len(rows)}]
    file.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    return file
