"""Opening a ledger and working in it: which database, which version, one transaction at a time."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, func, inspect, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import NullPool

from honours.errors import InputError, LedgerError
from honours.ledger import versions
from honours.ledger.problems import said_plainly

DEFAULT = "honours.db"
_TURN = 0x484F4E52
"""PostgreSQL's writers take turns by this lock, as SQLite's do by its own: then whether an event,
a member or a kind is there already has one answer."""
_PATIENCE_MS = 60_000
"""How long one writer waits for another before giving up."""


class Ledger:
    """An open ledger. ``reading`` and ``writing`` give a connection in a transaction."""

    def __init__(self, engine: Engine, where: str) -> None:
        self.engine, self.where = engine, where
        # Connections that are kept for later are given back when nobody has the ledger any more.
        weakref.finalize(self, engine.dispose)

    @property
    def dialect(self) -> str:
        return self.engine.dialect.name

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the ledger throughout."""
        with said_plainly(self.where), self.engine.connect() as connection:
            if self.dialect != "sqlite":
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def writing(self, dry_run: bool = False) -> Iterator[Connection]:
        """A connection whose work is kept as a whole or not at all; a dry run keeps nothing."""
        with said_plainly(self.where), self.engine.connect() as plain:
            connection = plain.execution_options(writing=True)
            transaction = connection.begin()
            try:
                if self.dialect != "sqlite":
                    connection.execute(select(func.pg_advisory_xact_lock(_TURN)))
                yield connection
                if dry_run:
                    transaction.rollback()
                else:
                    transaction.commit()
            except BaseException:
                transaction.rollback()
                raise

    def close(self) -> None:
        self.engine.dispose()


def open_ledger(url: str = DEFAULT) -> Ledger:
    """The ledger at a path or a URL; one that is older, newer or none at all is refused."""
    ledger = _connect(url)
    if ledger.dialect == "sqlite" and not Path(ledger.where).is_file():
        raise LedgerError(f"no ledger at {ledger.where}: make one with `honours ledger init`")
    with ledger.reading() as connection:
        versions.check(connection, ledger.where)
    return ledger


def create_ledger(
    url: str = DEFAULT, fill: Callable[[Connection], None] | None = None, dry_run: bool = False
) -> Ledger:
    """A new ledger, empty or as ``fill`` makes it of an empty database; refused where there
    already is one."""
    ledger = _connect(url)
    try:
        with ledger.writing(dry_run) as connection:
            if inspect(connection).get_table_names():
                raise LedgerError(
                    f"there already is a database at {ledger.where}; another is named with --ledger"
                )
            (fill or versions.upgrade)(connection)
    finally:
        _tidy(ledger)
    return ledger


def _tidy(ledger: Ledger) -> None:
    """An attempt that came to nothing leaves SQLite's empty file behind: take it away."""
    file = Path(ledger.where)
    if ledger.dialect == "sqlite" and file.is_file() and file.stat().st_size == 0:
        file.unlink()


def upgrade_ledger(url: str = DEFAULT, dry_run: bool = False) -> tuple[str, str]:
    """Bring an older ledger to this version; says from which version to which."""
    ledger = _connect(url)
    with ledger.writing(dry_run) as connection:
        found = versions.check(connection, ledger.where, older_too=True)
        versions.upgrade(connection)
    ledger.close()
    return found, versions.NEWEST


def downgrade_ledger(url: str, version: str, dry_run: bool = False) -> tuple[str, str]:
    """Take a ledger back to an older version, for an older Honours; later tables go."""
    ledger = _connect(url)
    with ledger.writing(dry_run) as connection:
        found = versions.check(connection, ledger.where)
        versions.downgrade(connection, version)
    ledger.close()
    return found, version


def _connect(text: str) -> Ledger:
    url = _url(text)
    try:
        engine = create_engine(url, **_kept(url))
    except (ArgumentError, NoSuchModuleError) as error:
        raise InputError(f"{text}: not a file or a database URL ({error})") from error
    if engine.dialect.name == "sqlite":
        _prepare_sqlite(engine)
        return Ledger(engine, url.database or "")
    return Ledger(engine, url.render_as_string(hide_password=True))


def _kept(url: URL) -> dict[str, Any]:
    """How connections are kept: a file is opened anew each time, a server's are used again,
    because making one takes longer than most questions."""
    if url.get_backend_name() == "sqlite":
        return {"poolclass": NullPool}
    return {"pool_pre_ping": True}


def _url(text: str) -> URL:
    """A path is a file of SQLite; ``postgresql://…`` goes through psycopg 3."""
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise InputError(f"{text}: not a database URL") from error
    if url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() != "sqlite":
        raise InputError(f"{text}: a ledger is a file, or on PostgreSQL (postgresql://…)")
    return url


def _prepare_sqlite(engine: Engine) -> None:
    """Transactions that begin when we say so, links that hold, and erasures that erase."""

    @event.listens_for(engine, "connect")
    def connected(dbapi: Any, _record: object) -> None:
        dbapi.isolation_level = None
        for pragma in (
            f"busy_timeout = {_PATIENCE_MS}",
            "foreign_keys = on",
            "secure_delete = on",
            "synchronous = full",
        ):
            dbapi.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        # A writer that only became one halfway would find the ledger changed under it.
        writing = connection.get_execution_options().get("writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
