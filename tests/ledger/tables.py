"""A ledger made by what was said to the database when the first like it was made: hundreds of tests
begin with one, and to go through all versions of the tables, or to work out the same awards, takes
most of their time. tests/ledger/test_older.py goes through the versions themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, inspect

from honours.ledger import versions
from honours.ledger.store import Ledger

Statements = list[tuple[str, Any, bool]]
"""With their values, and whether these are of many rows at once."""

_STEPS = versions.upgrade
_PASSING = ("BEGIN", "PRAGMA", "ROLLBACK", "SELECT", "SET", "VACUUM")
"""How statements begin that leave nothing behind."""
_made: dict[tuple[str, str], Statements] = {}
"""By what was made, and by the kind of the database."""


@contextmanager
def remembered() -> Iterator[None]:
    """For as long as it lasts, only the first ledger of a kind is made step by step."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(versions, "upgrade", _upgrade)
        yield


def _upgrade(connection: Connection, to: str = "head") -> None:
    made = "tables", connection.dialect.name
    if to != "head" or inspect(connection).get_table_names():
        _STEPS(connection, to)
    elif made in _made:
        _repeat(connection, _made[made])
    else:
        with _listening(connection) as statements:
            _STEPS(connection)
        _made[made] = statements


def fill_as_before(ledger: Ledger, work: Callable[[Ledger], None]) -> None:
    """Have the work done on a new ledger; on SQLite, from the second time, by the same statements.
    (To PostgreSQL rows are copied, which nobody hears.)"""
    made = work.__qualname__, ledger.dialect
    if ledger.dialect != "sqlite":
        work(ledger)
        return
    if made in _made:
        with ledger.writing() as connection:
            _repeat(connection, _made[made])
        return
    with _listening(ledger.engine) as statements:
        work(ledger)
    _made[made] = statements


@contextmanager
def _listening(to: Connection | Engine) -> Iterator[Statements]:
    statements: Statements = []

    def hear(*heard: Any) -> None:
        _, _, statement, values, _, many = heard
        if not statement.startswith(_PASSING):
            statements.append((statement, values, many))

    event.listen(to, "before_cursor_execute", hear)
    try:
        yield statements
    finally:
        event.remove(to, "before_cursor_execute", hear)


def _repeat(connection: Connection, statements: Statements) -> None:
    cursor = connection.connection.cursor()
    for statement, values, many in statements:
        (cursor.executemany if many else cursor.execute)(statement, values)
    cursor.close()
