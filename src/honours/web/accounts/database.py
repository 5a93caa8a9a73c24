"""The server's own tables: in a file of the data folder, or on PostgreSQL beside the ledger's."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
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

SCHEMA = "honours_web"
"""A schema of its own on PostgreSQL, so that a ledger's tables are a ledger's only."""
_metadata = MetaData(schema=SCHEMA)

accounts = Table(
    "accounts",
    _metadata,
    Column("name", Text, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("active", Boolean, nullable=False),
)
grants = Table(
    "grants",
    _metadata,
    Column("name", Text, primary_key=True),
    Column("club", Text, primary_key=True),
    Column("role", Text, nullable=False),
)
keys = Table(
    "keys",
    _metadata,
    Column("digest", Text, primary_key=True),
    Column("name", Text, nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("ends", Float, nullable=False),
)
audit = Table(
    "audit",
    _metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("method", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("status", Integer, nullable=False),
)


def connect(where: str) -> Engine:
    """The accounts' tables at a path or a PostgreSQL URL, made if they are not there."""
    url = _url(where)
    engine = create_engine(url, pool_pre_ping=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", lambda dbapi, _: dbapi.execute(_PATIENTLY))
    engine = engine.execution_options(schema_translate_map=translated(engine.dialect.name))
    try:
        with engine.begin() as connection:
            prepare(connection, [accounts, grants, keys, audit])
    except DBAPIError as error:
        said = " ".join(str(error.orig).split())
        raise InputError(
            f"{url.render_as_string()}: accounts cannot be kept there: {said}"
        ) from error
    if engine.dialect.name == "sqlite":
        Path(where).chmod(0o600)
    return engine


_PATIENTLY = "PRAGMA busy_timeout = 60000"


def _url(where: str) -> URL:
    if "://" not in where:
        Path(where).parent.mkdir(parents=True, exist_ok=True)
        return URL.create("sqlite", database=where)
    try:
        url = make_url(where)
    except (ArgumentError, ValueError) as error:
        raise InputError(f"{where}: not a database URL") from error
    if url.get_backend_name() != "postgresql":
        raise InputError(f"{where}: a database is given as postgresql://…")
    return url.set(drivername="postgresql+psycopg")


def translated(dialect: str) -> dict[str | None, str | None]:
    """SQLite knows no schemas."""
    return {SCHEMA: None} if dialect == "sqlite" else {}


def prepare(connection: Connection, tables: list[Table]) -> None:
    """Make the tables that are missing."""
    if connection.dialect.name != "sqlite":
        connection.execute(CreateSchema(SCHEMA, if_not_exists=True))
    _metadata.create_all(connection, tables=tables)
