"""Rows that may change: each carries a digest of itself, and each of their tables a tally.

The tally is the number of rows and all their digests combined, so that a row removed or added
behind the ledger's back is found as surely as a changed one. Every change is a link of the chain
too, so that somebody who rewrites row, seal and tally still does not have the chain's head.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, bindparam, delete, func, select, update

from honours.ledger.bulk import insert_rows
from honours.ledger.canonical import check_text, digest, text_of
from honours.ledger.chain import Change, link
from honours.ledger.schema import numbers, releasers, tallies

NONE = "0" * 64
"""The combined digest of no rows."""
Row = Mapping[str, Any]


def salt() -> str:
    """A random text that makes the seal of a name impossible to guess."""
    return secrets.token_hex(32)


def seal(row: Row) -> str:
    """A digest of a row, stored in the row."""
    return digest(text_of({k: v for k, v in row.items() if k != "seal"}))


def sealed(row: Row) -> dict[str, Any]:
    check_text(row.values())
    return {**row, "seal": seal(row)}


def combined(one: str, other: str) -> str:
    """Two digests combined in any order; combining the same digest again removes it."""
    return f"{int(one, 16) ^ int(other, 16):064x}"


def key_of(table: Table, row: Row) -> str:
    """A row's key in the chain; empty for tables whose key is a name or a number of a person."""
    (key,) = table.primary_key
    return "" if table in (releasers, numbers) else str(row[key.name])


def next_number(connection: Connection, table: Table) -> int:
    """The number of the next row of a table."""
    return int(connection.scalar(select(func.coalesce(func.max(table.c.id), 0))) or 0) + 1


def put(connection: Connection, table: Table, *rows: Row) -> None:
    """Add rows, in a few statements however many they are."""
    new = [sealed(row) for row in rows]
    names = [column.name for column in table.columns]
    insert_rows(connection, table, names, [tuple(row[name] for name in names) for row in new])
    link(connection, [Change(table.name, key_of(table, row), "", row["seal"]) for row in new])
    _count(connection, table, len(new), [row["seal"] for row in new])


def change(connection: Connection, table: Table, *rows: Row) -> None:
    """Replace the content of the rows with the same keys, which still have their old seals, in a
    few statements; a salted row gets a new salt."""
    if not rows:
        return
    (key,) = table.primary_key
    salted = "salt" in table.columns
    new = [sealed({**row, "salt": salt()} if salted else row) for row in rows]
    others = [column.name for column in table.columns if column is not key]
    values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in others}
    asked = update(table).where(key == bindparam("which")).values(values)
    connection.execute(
        asked,
        [{"which": row[key.name], **{f"new_{n}": row[n] for n in others}} for row in new],
    )
    pairs = list(zip(rows, new, strict=True))
    link(connection, [Change(table.name, key_of(table, a), a["seal"], b["seal"]) for a, b in pairs])
    _count(connection, table, 0, [seal for a, b in pairs for seal in (a["seal"], b["seal"])])


def remove(connection: Connection, table: Table, chosen: ColumnElement[bool]) -> None:
    """Remove some rows."""
    rows = list(connection.execute(select(table).where(chosen)).mappings())
    if not rows:
        return
    connection.execute(delete(table).where(chosen))
    link(
        connection, [Change(table.name, key_of(table, dict(row)), row["seal"], "") for row in rows]
    )
    _count(connection, table, -len(rows), [row["seal"] for row in rows])


def _count(connection: Connection, table: Table, more: int, seals: Iterable[str]) -> None:
    own = tallies.c.name == table.name
    before = connection.execute(select(tallies).where(own)).one()
    total = before.digest
    for each in seals:
        total = combined(total, each)
    connection.execute(update(tallies).where(own).values(rows=before.rows + more, digest=total))
