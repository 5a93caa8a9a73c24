"""Rows that may change: each carries a digest of itself, and each of their tables a tally.

The tally is how many rows there are and all their digests combined, so that a row taken away or put
in behind the ledger's back is found as surely as one that was changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, insert, select, update

from honours.ledger.canonical import digest, text_of
from honours.ledger.schema import tallies

NONE = "0" * 64
"""The combined digest of no rows."""
Row = Mapping[str, Any]


def seal(row: Row) -> str:
    """A digest of a row, to be kept in the row."""
    return digest(text_of({k: v for k, v in row.items() if k != "seal"}))


def sealed(row: Row) -> dict[str, Any]:
    return {**row, "seal": seal(row)}


def combined(one: str, other: str) -> str:
    """Two digests in one, whatever their order; combined with itself a digest is gone again."""
    return f"{int(one, 16) ^ int(other, 16):064x}"


def put(connection: Connection, table: Table, row: Row) -> None:
    """A new row."""
    new = sealed(row)
    connection.execute(insert(table).values(new))
    _count(connection, table, 1, [new["seal"]])


def change(connection: Connection, table: Table, row: Row) -> None:
    """Another content of the row with the same key."""
    (key,) = table.primary_key
    same = key == row[key.name]
    new, old = sealed(row), connection.scalar(select(table.c.seal).where(same))
    connection.execute(update(table).where(same).values(new))
    _count(connection, table, 0, [str(old), new["seal"]])


def remove(connection: Connection, table: Table, chosen: ColumnElement[bool]) -> None:
    """Some rows less."""
    seals = list(connection.scalars(select(table.c.seal).where(chosen)))
    connection.execute(delete(table).where(chosen))
    _count(connection, table, -len(seals), seals)


def _count(connection: Connection, table: Table, more: int, seals: Iterable[str]) -> None:
    own = tallies.c.name == table.name
    before = connection.execute(select(tallies).where(own)).one()
    total = before.digest
    for each in seals:
        total = combined(total, each)
    connection.execute(update(tallies).where(own).values(rows=before.rows + more, digest=total))
