"""The server's own tables: in a file of the data folder, or on PostgreSQL beside the ledger's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    create_engine,
    event,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.schema import CreateSchema

from honours.errors import InputError
from honours.ledger.store import shown_address

SCHEMA = "honours_web"
"""A schema of its own on PostgreSQL, so that a ledger's tables are a ledger's only."""
_metadata = MetaData(schema=SCHEMA)


def _blank(name: str) -> Column[str]:
    """A text that is empty until there is something to say."""
    return Column(name, Text, nullable=False, server_default="")


accounts = Table(
    "accounts",
    _metadata,
    Column("name", Text, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("active", Boolean, nullable=False),
    _blank("mail"),
    _blank("second_factor"),
    _blank("offered_factor"),
    Column("code_step", Integer, nullable=False, server_default="0"),
)
grants = Table(
    "grants",
    _metadata,
    Column("name", Text, primary_key=True),
    Column("club", Text, primary_key=True),
    Column("role", Text, nullable=False),
)
roles = Table(
    "roles",
    _metadata,
    Column("name", Text, primary_key=True),
    Column("actions", Text, nullable=False),
)
keys = Table(
    "keys",
    _metadata,
    Column("digest", Text, primary_key=True),
    Column("name", Text, nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("ends", Float, nullable=False),
    _blank("label"),
    _blank("scope_role"),
    _blank("scope_club"),
)
audit = Table(
    "audit",
    _metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("status", Integer, nullable=False),
    Column("address", Text, nullable=False),
    Column("did", Text, nullable=False),
)
Index("audit_sign_ins", audit.c.path, audit.c.at)
_TABLES = [accounts, grants, roles, keys, audit]
_WAIT_SECONDS = 5
"""Whoever waits longer for the accounts is told so, and nothing is begun."""


def connect(where: str) -> Engine:
    """The accounts' tables at a path or a PostgreSQL URL, made where they are missing."""
    url = _url(where)
    engine = create_engine(url, pool_pre_ping=True, connect_args=_patience(url))
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare)
    engine = engine.execution_options(schema_translate_map=translated(engine.dialect.name))
    try:
        with engine.begin() as connection:
            prepare(connection, _TABLES)
    except DBAPIError as error:
        engine.dispose()
        reason = " ".join(str(error.orig).split())
        raise InputError(
            "{shown_address}: accounts cannot be kept there: {reason}",
            shown_address=shown_address(url),
            reason=reason,
        ) from error
    if engine.dialect.name == "sqlite":
        Path(where).chmod(0o600)
    return engine


def _prepare(dbapi: Any, _record: object) -> None:
    """Let those who read not wait for those who write: everybody who asks for anything reads."""
    for pragma in ("journal_mode = wal", "synchronous = full"):
        dbapi.execute(f"PRAGMA {pragma}")


def _patience(url: URL) -> dict[str, object]:
    if url.get_backend_name() == "sqlite":
        return {"timeout": _WAIT_SECONDS}
    wait = f"-c lock_timeout={_WAIT_SECONDS}s -c statement_timeout={2 * _WAIT_SECONDS}s"
    return {"connect_timeout": _WAIT_SECONDS, "options": wait}


def _url(where: str) -> URL:
    if "://" not in where:
        Path(where).parent.mkdir(parents=True, exist_ok=True)
        return URL.create("sqlite", database=where)
    try:
        url = make_url(where)
    except (ArgumentError, ValueError) as error:
        raise InputError("a database is given as postgresql://…, and this is no address") from error
    if url.get_backend_name() != "postgresql":
        raise InputError(
            "{drivername}://…: a database is given as postgresql://…", drivername=url.drivername
        )
    return url.set(drivername="postgresql+psycopg")


def translated(dialect: str) -> dict[str | None, str | None]:
    """SQLite knows no schemas."""
    return {SCHEMA: None} if dialect == "sqlite" else {}


def prepare(connection: Connection, tables: list[Table]) -> None:
    """Make the tables that are missing."""
    if connection.dialect.name != "sqlite":
        connection.execute(CreateSchema(SCHEMA, if_not_exists=True))
    _metadata.create_all(connection, tables=tables)
