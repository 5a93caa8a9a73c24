"""Requests under a caller's own key, done once even if the answer never arrived.

An event is posted only once anyway; but if it was posted and then reversed by somebody, a program
that merely repeats a request it had no answer to would post it again. The answer is stored with the
key and refers to members by their ids, so that an erasure need not search it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple
from typing import Any

from sqlalchemy import Connection, select

from honours.errors import InputError
from honours.ledger import sealing
from honours.ledger.canonical import data_of, digest, text_of
from honours.ledger.chain import BY, now, signed_reason
from honours.ledger.events import EventToPost
from honours.ledger.schema import requests
from honours.ledger.store import Ledger
from honours.model.message import Message

Answer = dict[str, Any]


class KeyAlreadyUsed(InputError):
    """A key that was already used for another request."""


def digest_of(event: EventToPost, *asked: object) -> str:
    """A digest of a request about an event."""
    lists = [astuple(each) for each in event.lists]
    content = (event.key, event.rulebook.hash, dict(event.given), event.kind, lists, asked)
    return digest(text_of(_plain(content)))


def _plain(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return str(data)


def once(ledger: Ledger, key: str, asked: str, work: Callable[[Ledger], Answer]) -> Answer:
    """Do the work and store its answer under the key, both or neither: a repeated request under
    that key gets the same answer and does nothing. ``asked`` is a digest of the request, so that
    one key cannot stand for two. Work that changed nothing leaves the key free."""
    if not key:
        return work(ledger)
    with ledger.writing() as connection:
        before = _answered(connection, key, asked)
        if before is not None:
            return before
        joined = _Joined(ledger, connection)
        answer = work(joined)
        if joined.wrote:
            row = {"key": key, "digest": asked, "at": now(), "answer": text_of(answer)}
            sealing.put(connection, requests, row)
        return answer


def _answered(connection: Connection, key: str, asked: str) -> Answer | None:
    request = connection.execute(select(requests).where(requests.c.key == key)).first()
    if request is None:
        return None
    answer: Answer = data_of(request.answer)
    if request.digest != asked:
        done = (
            Message(", done as record {record}", record=answer["record"])
            if answer.get("record")
            else ""
        )
        raise KeyAlreadyUsed(
            Message(
                "this key was used for another request{done}: every request needs its own key",
                done=done,
            )
        )
    return answer


def within_transaction(ledger: Ledger, connection: Connection) -> Ledger:
    """The ledger as part of an open transaction; a failure in it is undone separately."""
    return _Joined(ledger, connection)


class _Joined(Ledger):
    """A ledger whose writing is part of a larger transaction: a failure in it is undone
    separately, a success is committed with the rest."""

    def __init__(self, ledger: Ledger, connection: Connection) -> None:
        self.engine, self.where, self._connection = ledger.engine, ledger.where, connection
        self.wrote = False

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        yield self._connection

    @contextmanager
    def writing(self, dry_run: bool = False, by: str = "", why: str = "") -> Iterator[Connection]:
        self._connection.info[BY] = signed_reason(by, why) or self._connection.info.get(BY, "")
        with self._connection.begin_nested() as part:
            yield self._connection
            if dry_run:
                part.rollback()
        self.wrote = self.wrote or not dry_run
