"""Follows the chain, link by link and record by record, and holds what ``verify`` knows there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from honours.ledger.canonical import data_of
from honours.ledger.chain import Change, hash_of_change, now
from honours.ledger.checkpoint import Checkpoint
from honours.ledger.links import Links
from honours.ledger.schema import changes, postings, records
from honours.model.message import Message

_LOT = 10
"""So many links are read at once: one may tell of thousands of rows."""
_RECORDS = 200
_DIGEST = 64
_CLOCKS = timedelta(minutes=5)
"""The clocks of two machines may differ by this much without a remark."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that differs from what was written: where, and what is wrong."""

    where: Message
    said: str
    asserted: bool = False
    """Whether this is a false assertion by somebody, while nothing was changed."""


Packed = int | bytes | str
"""A key or a seal in little memory: there are as many as a federation has members."""


def packed(text: str) -> Packed:
    """A number as one, a digest as its bytes, any other text as it is."""
    if text.isdecimal() and text.isascii() and not text.startswith("0") and len(text) < _DIGEST:
        return int(text)
    if len(text) == _DIGEST and not set(text) - set("0123456789abcdef"):
        return bytes.fromhex(text)
    return text


def unpacked(value: Packed) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)


class ChainWalk:
    """The chain's links up to a point: the head there, the seals that rows must have there, and
    anything odd about the times."""

    def __init__(
        self,
        connection: Connection,
        findings: list[Finding],
        after: Checkpoint | None = None,
    ) -> None:
        self._findings, self._whole = findings, after is None
        self.head, self.count = (after.head, after.changes) if after else ("", 0)
        self._changes = _all_changes(connection, self.count)
        self._following = next(self._changes, None)
        self._at, self._told = "", Message("the beginning")
        self.links = Links()
        self.seals: dict[str, dict[Packed, Packed]] = {}
        self.remarks: list[Message] = []

    def go_to(self, record: int | None) -> None:
        """Process the changes before a record, or all that remain."""
        while (row := self._following) is not None and (record is None or row.after < record):
            self._link(row)
            self._following = next(self._changes, None)

    def record(self, row: Any) -> None:
        """Take a record as the next link."""
        self._timed(row.at, Message("record {number}", number=row.id))
        self.links.add(row.id, row.hash)
        self.head = row.hash

    def _find(self, row: Any, message: Message) -> None:
        self._findings.append(Finding(Message("changes {number}", number=row.id), message))

    def _link(self, row: Any) -> None:
        self.count += 1
        if row.id != self.count:
            self._find(row, Message("changes {number} are missing", number=self.count))
            self.count = row.id
        if row.previous != self.head:
            self._find(row, Message("do not follow from the link before them"))
        try:
            if hash_of_change(row._mapping) != row.hash:
                self._find(row, Message("something in them was changed"))
            for each in data_of(row.content):
                self._apply(row, Change(*each))
        except (TypeError, ValueError) as error:
            self._find(row, Message("cannot be read ({error})", error=str(error)))
        self._timed(row.at, Message("changes {number}", number=row.id))
        self.links.add(-row.id, row.hash)
        self.head = row.hash

    def _apply(self, row: Any, change: Change) -> None:
        rows = self.seals.setdefault(change.table, {})
        key = packed(change.key or change.before)
        known = self._whole or key in rows
        if change.before and rows.pop(key, None) != packed(change.before) and known:
            took = Message(
                "took {table} {key} for what it was not", table=change.table, key=change.key
            )
            self._find(row, took)
        if change.after:
            rows[packed(change.key or change.after)] = packed(change.after)
        elif not self._whole:
            rows[key] = ""  # must no longer exist

    def _timed(self, at: str, what: Message) -> None:
        """Report a clock that was set back or is in the future; that alone is not a forgery."""
        try:
            before = datetime.fromisoformat(self._at or at)
            this = datetime.fromisoformat(at)
            if before - this > _CLOCKS:
                back = Message(
                    "{what} was written at {at}, before {other} at {then}: the clock was put back",
                    what=what,
                    at=at,
                    other=self._told,
                    then=self._at,
                )
                self.remarks.append(back)
            if this - datetime.fromisoformat(now()) > _CLOCKS:
                ahead = Message(
                    "{what} was written at {at}, which is in the future", what=what, at=at
                )
                self.remarks.append(ahead)
        except (TypeError, ValueError):
            return
        self._at, self._told = at, what


def _all_changes(connection: Connection, last: int) -> Iterator[Any]:
    """Every link of changes after the given one, fetched a few at a time."""
    while rows := connection.execute(
        select(changes).where(changes.c.id > last).order_by(changes.c.id).limit(_LOT)
    ).all():
        last = rows[-1].id
        yield from rows


# --- records with their postings ------------------------------------------------------------------


class Posting(NamedTuple):
    """A posting as it stands in its table."""

    id: int
    record: int
    member: int
    kind: int
    amount: int
    entrant: str
    reverses: int | None


def walk(
    connection: Connection, after: int, posted: int, strays: list[Any]
) -> Iterator[tuple[Any, list[Posting]]]:
    """Every record after a given one, with its postings, which are in the same order as the
    records. Postings far from their record are ``strays``."""
    waiting: dict[int, list[Posting]] = {}
    last = after
    chosen = select(records).order_by(records.c.id).limit(_RECORDS)
    while rows := connection.execute(chosen.where(records.c.id > last)).all():
        last = rows[-1].id
        until = max(row.first_posting + row.postings - 1 for row in rows)
        for line in _between(connection, posted, until):
            waiting.setdefault(line.record, []).append(line)
        posted = max(posted, until)
        yield from ((row, waiting.pop(row.id, [])) for row in rows)
    for line in _between(connection, posted, None):
        waiting.setdefault(line.record, []).append(line)
    strays += [line for lines in waiting.values() for line in lines]


def _between(connection: Connection, above: int, until: int | None) -> Iterator[Posting]:
    """The postings after one number, up to another."""
    chosen = select(postings).where(postings.c.id > above).order_by(postings.c.id)
    if until is not None:
        chosen = chosen.where(postings.c.id <= until)
    # Closed even if the reader stops in the middle, at a line that makes no sense.
    with connection.execute(chosen.execution_options(yield_per=5_000)) as rows:
        for row in rows:
            yield Posting(*row)
