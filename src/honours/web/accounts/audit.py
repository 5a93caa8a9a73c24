"""The audit log: what was done and tried on a server, by whom, from where, a line each, in words.

A line is begun before the work and completed after it. One that was never completed was
interrupted: the work may have been done.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Engine, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from honours import clock
from honours.model.message import Message, mark, message_data, message_of
from honours.model.shape import Item, Shape, titled
from honours.model.table import Kind
from honours.web.accounts.database import audit
from honours.web.http.problems import OutOfReach

SHOWN = 500
BEGUN = 0
"""The answer of a line that was not completed."""
SIGN_IN, CODE, CONFIRM = "/sign-in", "/sign-in/code", "/account"
"""Where a password is asked: of somebody who signs in, with the code of a second factor, and again
of whoever has."""
_SIGNED_IN = 303
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class AuditLine:
    """``code`` is the status the request was answered with; ``what`` says what was done or
    tried."""

    at: str
    who: str
    address: str
    what: Message | str
    code: int
    line: int


def _answered(line: AuditLine) -> str:
    return str(line.code or "")


LINES: Shape[AuditLine] = Shape(
    "audit",
    (
        Item("at", title=Message("when"), kind=Kind.DATE),
        titled("who"),
        Item("address", title=Message("from where")),
        titled("what"),
        Item("code", title=Message("answer"), kind=Kind.NUMBER, type=int, cell=_answered),
        Item("line", type=int),
    ),
    Message("What was done"),
)


class AuditLog:
    """The lines of one server, in the database of its accounts."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @contextmanager
    def _open(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise OutOfReach(error) from error

    def begin(self, who: str, address: str, did: Message, path: str = "") -> int:
        """Write down that something begins; the line's number."""
        return self.note(who, address, did, BEGUN, path)

    def complete(self, line: int, status: int, did: Message) -> None:
        """Write down how it ended, and what it was now that more is known."""
        ended = {"status": status, "did": _written(did)}
        with self._open() as db:
            db.execute(update(audit).where(audit.c.id == line).values(ended))

    def note(self, who: str, address: str, did: Message, status: int, path: str = "") -> int:
        """Write a whole line."""
        row = {
            "at": _time(),
            "name": who[:100],
            "address": address[:100],
            "did": _written(did),
            "status": status,
            "path": path,
        }
        with self._open() as db:
            number = db.execute(insert(audit).values(row)).inserted_primary_key
        assert number is not None
        return int(number[0])

    def lines(self) -> list[AuditLine]:
        """Return the last lines of the log, the latest first."""
        with self._open() as db:
            rows = db.execute(select(audit).order_by(audit.c.id.desc()).limit(SHOWN)).all()
        return [
            AuditLine(row.at, row.name, row.address, _what(row), row.status, row.id) for row in rows
        ]

    # --- passwords ------------------------------------------------------------------------------

    def attempts(self, seconds: int, address: str) -> int:
        """Count the passwords given from an address lately, wherever they were asked for."""
        return self._count(seconds, (SIGN_IN, CONFIRM), audit.c.address == address)

    def failures(self, seconds: int, name: str, where: str) -> int:
        """Count the wrong passwords given for a name lately, from any address."""
        return self._count(seconds, (where,), audit.c.name == name, audit.c.status != _SIGNED_IN)

    def has_signed_in(self, seconds: int, name: str, address: str) -> bool:
        """Return whether somebody has signed in under a name from an address lately."""
        own = (audit.c.name == name, audit.c.address == address, audit.c.status == _SIGNED_IN)
        return bool(self._count(seconds, (SIGN_IN,), *own))

    def _count(self, seconds: int, where: Sequence[str], *conditions: Any) -> int:
        lately = audit.c.at > _time(timedelta(seconds=-seconds))
        chosen = select(func.count()).where(audit.c.path.in_(where), lately, *conditions)
        with self._open() as db:
            return db.scalar(chosen) or 0


def _time(shift: timedelta = timedelta()) -> str:
    return (clock.now() + shift).isoformat(" ", "seconds")


def _what(row: Any) -> Message | str:
    did = message_of(json.loads(row.did))
    if row.status == BEGUN:
        return Message(mark("began: {did}"), did=did)
    if row.status in (401, 403, 404, 429):
        return Message(mark("was refused: {did}"), did=did)
    return Message(mark("failed: {did}"), did=did) if row.status >= 400 else did


def _written(did: Message) -> str:
    return json.dumps(message_data(did, _LONGEST), ensure_ascii=False)
