"""The tables, the same on SQLite and PostgreSQL, as ``schema.toml`` declares them.

``records``, ``postings`` and ``changes`` are only ever added to, and the database itself refuses
anything else. What may change (people, kinds of points, drafts, submissions) carries a ``seal``, a
digest of its row, and every change of a seal is a link of the same chain as the records: see
``sealing``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    and_,
    select,
)

from honours.model.member import DETAILS

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


_DECLARED: dict[str, dict[str, str]] = tomllib.loads(
    (files(__package__) / "schema.toml").read_text(encoding="utf-8")
)
_TYPES = {"text": Text, "number": BigInteger, "small": Integer}


def _table(name: str, *more: Index | UniqueConstraint) -> Table:
    """A table as ``schema.toml`` declares it."""
    return Table(name, metadata, *_columns(_DECLARED[name]), *more)


def _columns(declared: Mapping[str, str]) -> Iterator[Column[Any]]:
    for name, about in declared.items():
        if name == "details":
            for one in DETAILS:
                yield Column(one.name, Boolean if one.is_yes_no else Text, nullable=False)
            continue
        words, _, target = about.partition(" -> ")
        kind, *said = words.split()
        yield Column(
            name,
            _TYPES[kind],
            *([ForeignKey(target)] if target else []),
            primary_key="key" in said,
            autoincrement=False,
            nullable="optional" in said,
            unique="unique" in said or None,
            index="indexed" in said or None,
        )


members = _table("members")
people = _table("people", Index("ix_people_sought", "sought", "member"))
numbers = _table("numbers")
names = _table("names")
aliases = _table("aliases")
kinds = _table("kinds", UniqueConstraint("scheme", "name"))
rulebooks = _table("rulebooks")
records = _table("records")
postings = _table("postings", Index("ix_postings_member", "member", "id"))
changes = _table("changes")
chain = _table("chain")
drafts = _table("drafts")
releasers = _table("releasers")
submissions = _table("submissions")
requests = _table("requests")
receipts = _table("receipts", Index("ix_receipts_status", "status", "id"))
assertions = _table("assertions")
balances = _table("balances")
totals = _table("totals", Index("ix_totals_scheme", "scheme", "total", "member"))
tallies = _table("tallies")

OF_RECORD = and_(
    postings.c.id >= records.c.first_posting,
    postings.c.id < records.c.first_posting + records.c.postings,
)
"""Which postings belong to a record: they are consecutive, so that the table's key finds them."""

_later = records.alias()
NOT_REVERSED = ~select(_later.c.id).where(_later.c.reverses == records.c.id).exists()
STANDS = and_(records.c.action == "award", NOT_REVERSED)
"""Which records are awards that have not been reversed."""


def end_of(connection: Connection) -> Any:
    """The chain's own row: how long it is, and its head."""
    return connection.execute(select(chain)).one()


APPEND_ONLY = ("records", "postings", "changes")
SEALED = (
    people,
    numbers,
    names,
    kinds,
    rulebooks,
    drafts,
    releasers,
    submissions,
    requests,
    assertions,
    receipts,
)
TABLES = tuple(metadata.sorted_tables)


SAYING = "the ledger is only ever added to: correct a posting by reversing it"


def create_guards(table: str, dialect: str) -> list[str]:
    """The statements that create the guards of a table."""
    return _sqlite(table) if dialect == "sqlite" else _postgresql(table)


def guard_names(table: str, dialect: str) -> list[str]:
    """The names of the triggers."""
    moments = ["update", "delete"] + (["truncate"] if dialect != "sqlite" else [])
    return [f"{table}_no_{moment}" for moment in moments]


BODY = f"BEGIN RAISE EXCEPTION '{SAYING}'; END"
FUNCTION = f"CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ {BODY} $$"
"""The function that PostgreSQL's triggers call; created once, before the first guard."""


def _sqlite(table: str) -> list[str]:
    return [
        f"CREATE TRIGGER {table}_no_{moment} BEFORE {moment.upper()} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{SAYING}'); END"
        for moment in ("update", "delete")
    ]


def _postgresql(table: str) -> list[str]:
    rows = [
        f"CREATE TRIGGER {table}_no_{moment} BEFORE {moment.upper()} ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION refuse_change()"
        for moment in ("update", "delete")
    ]
    whole = (
        f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    )
    return [*rows, whole]
