"""A ledger made by what was said to the database when the first like it was made: hundreds of tests
begin with one, and to go through all versions of the tables, or to work out the same awards, takes
most of their time. tests/ledger/test_store.py goes through the versions themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, inspect

from honours.ledger import versions
from honours.ledger.schema import TABLES, guard_names
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
    """Have the work done on a new ledger; from the second time, on SQLite by the same statements,
    on PostgreSQL (to which rows are copied, which nobody hears) by copying what was there then."""
    made = f"{work.__module__}.{work.__qualname__}", ledger.dialect
    if made in _filled:
        _copy_in(ledger, *_filled[made])
    elif made in _made:
        with ledger.writing() as connection:
            _repeat(connection, _made[made])
    elif ledger.dialect == "sqlite":
        with _listening(ledger.engine) as statements:
            work(ledger)
        _made[made] = statements
    else:
        work(ledger)
        _filled[made] = _copy_out(ledger)


Rows = dict[str, bytes]
"""Those of each table, as PostgreSQL copies them."""
_filled: dict[tuple[str, str], tuple[Rows, dict[str, int]]] = {}
"""With how far the numbers of its sequences are."""


def _copy_out(ledger: Ledger) -> tuple[Rows, dict[str, int]]:
    rows: Rows = {}
    with ledger.reading() as connection:
        cursor = connection.connection.cursor()
        for table in TABLES:
            with cursor.copy(f'COPY "{table.name}" TO STDOUT') as copy:
                rows[table.name] = b"".join(copy)
        cursor.execute("SELECT sequencename, last_value FROM pg_sequences")
        sequences = {name: last for name, last in cursor.fetchall() if last is not None}
        cursor.close()
    return rows, sequences


def _copy_in(ledger: Ledger, rows: Rows, sequences: dict[str, int]) -> None:
    connection = ledger.engine.raw_connection()
    cursor = connection.cursor()
    cursor.execute("SET LOCAL session_replication_role = replica")  # nothing guards the tables
    cursor.execute(f"TRUNCATE {', '.join(rows)}")
    for name, content in rows.items():
        if content:
            with cursor.copy(f'COPY "{name}" FROM STDIN') as copy:
                copy.write(content)
    for name, last in sequences.items():
        cursor.execute("SELECT setval(%s, %s)", (name, last))
    connection.commit()
    connection.close()


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


def drop_guards(table: str, dialect: str) -> list[str]:
    """The statements by which a forger removes the guards of a table."""
    on = "" if dialect == "sqlite" else f" ON {table}"
    return [f"DROP TRIGGER {name}{on}" for name in guard_names(table, dialect)]
