"""A database's messages in our own words: what happened to which ledger, and what to do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from honours.errors import LedgerError
from honours.ledger.lock_holders import PATIENCE
from honours.model.message import Message

_WAITED = "another program is writing in it; nothing was written. Try again"
# What SQLite and PostgreSQL say → what it means to the user.
_MEANINGS = (
    (
        "readonly database",
        "it can only be read; nothing was written. Give yourself the right to "
        "write the file and its folder",
    ),
    ("read-only", "it can only be read; nothing was written"),
    ("disk is full", "the disk is full; nothing was written. Make room and do it again"),
    ("no space left", "the disk is full; nothing was written. Make room and do it again"),
    ("could not write init file", "the server has no room to let anybody in. Make room"),
    ("database is locked", _WAITED),
    ("lock timeout", _WAITED),
    ("locknotavailable", _WAITED),
    ("unable to open", "the file cannot be opened or its folder cannot be written"),
    ("not a database", "the file is not a ledger"),
    ("malformed", "the file is damaged: restore a backup with `honours ledger copies restore`"),
    ("disk i/o error", "the disk failed; nothing was written"),
    ("connection refused", "the server does not answer"),
    ("connection failed", "the server cannot be reached"),
    ("only ever added to", "the database refuses to change what was written"),
)


@contextmanager
def plain_problems(where: str, holder: Callable[[], str] = lambda: "") -> Iterator[None]:
    """Raise a database's error as a LedgerError that names the ledger and, after waiting in vain
    for a lock, its holder."""
    try:
        yield
    except Exception as error:
        message = _database_words(error)
        if message is None:
            raise
        meaning = next((m for sign, m in _MEANINGS if sign in message.lower()), "")
        if meaning == _WAITED and (who := holder()):
            meaning = Message(
                "{meaning}; waited {patience} seconds for {who}",
                meaning=meaning,
                patience=PATIENCE,
                who=who,
            )
        detail = f"{meaning} ({message})" if meaning else message
        raise LedgerError("the ledger {where}: {detail}", where=where, detail=detail) from error


def _database_words(error: Exception) -> str | None:
    """The database's message, from SQLAlchemy or, while copying rows, from psycopg itself."""
    psycopg = sys.modules.get("psycopg")
    if isinstance(error, DBAPIError):
        return " ".join(str(error.orig).split())
    if psycopg is not None and isinstance(error, psycopg.Error):
        return " ".join(str(error).split())
    return None
