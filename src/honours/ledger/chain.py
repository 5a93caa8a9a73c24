"""Adding to the ledger: the only place that writes records and postings, link by link.

A link is either a record, whose hash covers its own columns, a digest of its postings and the
previous hash, or a change in the tables with seals, hashed likewise. The hash of the last link is
the one head of everything. A writer locks the chain's single row, so that processes take turns and
numbers have no gaps.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, select, update

from honours import clock
from honours.ledger import schema
from honours.ledger.balances import credit
from honours.ledger.bulk import insert_rows
from honours.ledger.canonical import check_text, text_of


class NewPosting(NamedTuple):
    """A posting before it has a number: who is credited with how much of which kind."""

    member: int
    kind: int
    amount: int
    entrant: str = ""
    reverses: int | None = None


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record before it has its place in the chain."""

    action: str
    who: str
    why: str = ""
    event: str = ""
    title: str = ""
    day: str = ""
    club: str = ""
    source: str = ""
    results: str = ""
    entrants: str = ""
    rulebook: str | None = None
    facts: str = ""
    explanation: str = ""
    reverses: int | None = None
    lines: tuple[NewPosting, ...] = ()


class Change(NamedTuple):
    """A row of a table with seals that was added, removed or changed: its seals before and
    after."""

    table: str
    key: str
    before: str
    after: str


LINKED = tuple(c.name for c in schema.changes.c if c.name != "hash")
HASHED = tuple(c.name for c in schema.records.c if c.name != "hash")
_POSTED = tuple(c.name for c in schema.postings.c)
_RECORDED = tuple(c.name for c in schema.records.c)
_GIVEN = tuple(name for name in NewRecord.__slots__ if name != "lines")
BY = "by"
"""The key under which a connection stores in whose name it writes."""
_MANY = 20_000
"""Postings are handed to the database in lots of about this many."""


def now() -> str:
    return clock.now().isoformat(timespec="seconds")


def append(connection: Connection, record: NewRecord) -> int:
    """Add one record with its postings; returns its number."""
    return append_many(connection, [record])[0]


def append_many(connection: Connection, records: Iterable[NewRecord]) -> list[int]:
    """Add records in order, all or none with the transaction; returns their numbers."""
    end = locked(connection)
    count, posted, head, at = end["records"], end["postings"], end["head"], now()
    ids: list[int] = []
    rows: list[Any] = []
    lines: list[Any] = []
    credited: list[NewPosting] = []
    for record in records:
        count += 1
        numbered = [(posted + i, count, *line) for i, line in enumerate(record.lines, 1)]
        row = _row(record, count, at, posted + 1, numbered, head)
        head, posted = row["hash"], posted + len(numbered)
        ids.append(count)
        rows.append(tuple(row[name] for name in _RECORDED))
        lines += numbered
        credited += record.lines
        if len(lines) >= _MANY:
            _flush(connection, rows, lines)
    _flush(connection, rows, lines)
    credit(connection, credited)
    connection.execute(
        update(schema.chain)
        .values(records=count, postings=posted, head=head)
        .where(schema.chain.c.id == 1)
    )
    return ids


def signed_reason(by: str, why: str) -> str:
    """In whose name something is written, with the reason if there is one."""
    return f"{by}: {why}" if why else by


def link(connection: Connection, rows: Sequence[Change]) -> None:
    """Add the changes in the tables with seals to the chain."""
    end = locked(connection)
    row = changed(end, now(), rows, str(connection.info.get(BY, "")))
    names = [*LINKED, "hash"]
    insert_rows(connection, schema.changes, names, [tuple(row[name] for name in names)])
    connection.execute(update(schema.chain).values(changes=row["id"], head=row["hash"]))


def changed(
    end: Mapping[str, Any], at: str, rows: Sequence[Change], who: str = ""
) -> dict[str, Any]:
    """The link that follows the end of the chain."""
    row = {
        "id": end["changes"] + 1,
        "after": end["records"],
        "at": at,
        "who": who,
        "content": text_of([list(each) for each in rows]),
        "previous": end["head"],
    }
    return {**row, "hash": hash_of_change(row)}


def hash_of_change(row: Mapping[str, Any]) -> str:
    """The hash a link of changes must have, computed from its other columns."""
    return hashlib.sha256(text_of([row[name] for name in LINKED]).encode()).hexdigest()


def _flush(connection: Connection, rows: list[Any], lines: list[Any]) -> None:
    insert_rows(connection, schema.records, _RECORDED, rows)
    insert_rows(connection, schema.postings, _POSTED, lines)
    rows.clear()
    lines.clear()


def _row(
    record: NewRecord, number: int, at: str, first: int, lines: Sequence[Any], head: str
) -> dict[str, Any]:
    row = {name: getattr(record, name) for name in _GIVEN}
    check_text((*row.values(), *(line[-2] for line in lines)))
    row |= {
        "id": number,
        "at": at,
        "first_posting": first,
        "postings": len(lines),
        "digest": digest_of(lines),
        "previous": head,
    }
    row["hash"] = hash_of(row)
    return row


def digest_of(lines: Iterable[Sequence[Any]]) -> str:
    """A digest of whole rows of postings, in their order."""
    return hashlib.sha256(text_of([list(line) for line in lines]).encode()).hexdigest()


def hash_of(row: Mapping[str, Any]) -> str:
    """The hash a record must have, computed from its other columns."""
    return hashlib.sha256(text_of([row[name] for name in HASHED]).encode()).hexdigest()


def locked(connection: Connection) -> Mapping[str, Any]:
    """The end of the chain, locked until the transaction ends."""
    return dict(connection.execute(select(schema.chain).with_for_update()).mappings().one())


def new_members(connection: Connection, count: int) -> list[int]:
    """Fresh ids for people; an id is never used again."""
    last = int(locked(connection)["members"])
    ids = list(range(last + 1, last + count + 1))
    connection.execute(update(schema.chain).values(members=last + count))
    insert_rows(connection, schema.members, ("id",), [(number,) for number in ids])
    return ids
