"""What was asked for under a caller's own key is done once, even if the answer never arrived.

An event is posted once without that; but one that was posted, then taken back by somebody, would be
posted again by a program that only repeats a request it had no answer to.
"""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

from sqlalchemy import Connection, select

from honours.errors import InputError
from honours.ledger import sealing
from honours.ledger.canonical import digest, text_of
from honours.ledger.chain import now
from honours.ledger.events import EventToPost
from honours.ledger.schema import requests


def digest_of(event: EventToPost, *asked: object) -> str:
    """What is asked of an event, so that one key cannot stand for two wishes."""
    lists = [astuple(each) for each in event.lists]
    said = (event.key, event.rulebook.hash, dict(event.given), event.kind, lists, asked)
    return digest(text_of(_plain(said)))


def _plain(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return str(data)


def done(connection: Connection, key: str, asked: str) -> int | None:
    """The record a key was given for, if it was; another wish under the same key is refused."""
    found = connection.execute(select(requests).where(requests.c.key == key)).first()
    if found is None:
        return None
    if found.digest != asked:
        raise InputError(
            f"the key {key!r} was used for another request, done as record {found.record}: "
            "give each request a key of its own"
        )
    return int(found.record)


def remember(connection: Connection, key: str, asked: str, record: int) -> None:
    row = {"key": key, "digest": asked, "at": now(), "record": record}
    sealing.put(connection, requests, row)
