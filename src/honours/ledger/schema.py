"""The tables, the same on SQLite and PostgreSQL.

``records``, ``postings`` and ``changes`` are only ever added to, and the database itself refuses
anything else. What may change (people, kinds of points, drafts, submissions) carries a ``seal``, a
digest of its row, and every change of a seal is a link of the same chain as the records: see
``sealing``.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
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


def _key(name: str, *links: ForeignKey, of: type[Integer] | type[Text] = BigInteger) -> Column[Any]:
    """The key of a row; we assign the numbers ourselves."""
    return Column(name, of, *links, primary_key=True, autoincrement=False)


def _texts(*names: str) -> list[Column[str]]:
    """Texts that are never null."""
    return [Column(name, Text, nullable=False) for name in names]


def _searched(*names: str) -> list[Column[str]]:
    """Texts by which rows are searched."""
    return [Column(name, Text, nullable=False, index=True) for name in names]


def _numbers(*names: str, of: type[Integer] = BigInteger) -> list[Column[int]]:
    return [Column(name, of, nullable=False) for name in names]


def _member() -> ForeignKey:
    return ForeignKey("members.id")


def _record() -> ForeignKey:
    return ForeignKey("records.id")


members = Table("members", metadata, _key("id"))

people = Table(
    "people",
    metadata,
    _key("member", _member()),
    Column("number", Text, unique=True),
    *_texts("name", "sought"),
    *(Column(d.name, Boolean if d.is_yes_no else Text, nullable=False) for d in DETAILS),
    *_texts("seal", "salt"),
    Index("ix_people_sought", "sought", "member"),
)
"""Current names, which an erasure deletes here and in ``names``. The salt makes the seal a
commitment: with both gone, nobody can tell from the chain whose name it was."""

numbers = Table(
    "numbers",
    metadata,
    _key("number", of=Text),
    Column("member", BigInteger, _member(), nullable=False, index=True),
    *_texts("until", "salt", "seal"),
)
"""Membership numbers that a member had before."""

names = Table(
    "names",
    metadata,
    _key("id"),
    Column("member", BigInteger, _member(), nullable=False, index=True),
    *_texts("name", "until", "salt", "seal"),
)
"""Names that a member had before: files may still contain one, and an erasure searches for it."""

aliases = Table(
    "aliases",
    metadata,
    _key("member", _member()),
    Column("into", BigInteger, _member(), nullable=False, index=True),
)
"""Merged members, as the records of mergers say: kept for quick reading, checked by ``verify``."""

kinds = Table(
    "kinds",
    metadata,
    _key("id", of=Integer),
    *_texts("scheme", "name", "colour"),
    *_numbers("decimals", of=Integer),
    *_texts("seal"),
    UniqueConstraint("scheme", "name"),
)

rulebooks = Table(
    "rulebooks",
    metadata,
    _key("hash", of=Text),
    *_texts("rulebook", "edition"),
    *_numbers("revision", of=Integer),
    *_texts("body", "amended", "seal"),
)

records = Table(
    "records",
    metadata,
    _key("id"),
    *_searched("action"),
    *_texts("at", "who", "why"),
    *_searched("event"),
    *_texts("title"),
    *_searched("day"),
    *_texts("club", "source"),
    *_searched("results", "entrants"),
    Column("rulebook", Text, ForeignKey(rulebooks.c.hash)),
    *_texts("facts", "explanation"),
    Column("reverses", BigInteger, _record(), unique=True),
    *_numbers("first_posting"),
    *_numbers("postings", of=Integer),
    *_texts("digest", "previous", "hash"),
)

postings = Table(
    "postings",
    metadata,
    _key("id"),
    Column("record", BigInteger, _record(), nullable=False),
    Column("member", BigInteger, _member(), nullable=False),
    Column("kind", Integer, ForeignKey(kinds.c.id), nullable=False),
    *_numbers("amount"),
    *_texts("entrant"),
    Column("reverses", BigInteger),
    Index("ix_postings_member", "member", "id"),
)

OF_RECORD = and_(
    postings.c.id >= records.c.first_posting,
    postings.c.id < records.c.first_posting + records.c.postings,
)
"""Which postings belong to a record: they are consecutive, so that the table's key finds them."""

_later = records.alias()
NOT_REVERSED = ~select(_later.c.id).where(_later.c.reverses == records.c.id).exists()
STANDS = and_(records.c.action == "award", NOT_REVERSED)
"""Which records are awards that have not been reversed."""

changes = Table(
    "changes",
    metadata,
    _key("id"),
    *_numbers("after"),
    *_texts("at", "who", "content", "previous", "hash"),
)
"""Changes in the tables with seals: links of the chain that follow the record ``after``. Each
has who made it (and why, if that was asked) and the seals removed and added, never the data they
seal."""

chain = Table(
    "chain",
    metadata,
    _key("id", of=Integer),
    *_numbers("records", "postings", "members"),
    *_texts("head"),
    *_numbers("changes"),
)
"""One row: how long the chain is. It reveals a missing end, and a writer keeps it locked."""

drafts = Table(
    "drafts",
    metadata,
    _key("id"),
    *_searched("status"),
    *_texts("at", "who", "content"),
    Column("record", BigInteger, _record()),
    *_texts("settled_by", "remark", "seal"),
)

releasers = Table("releasers", metadata, _key("name", of=Text), *_texts("seal", "salt"))
"""Who may release what others have drafted; while it is empty, anybody may."""

submissions = Table(
    "submissions",
    metadata,
    _key("id"),
    *_texts("since", "until", "status", "at", "who", "remark", "head", "records", "seal"),
)

requests = Table(
    "requests",
    metadata,
    _key("key", of=Text),
    *_texts("digest", "at", "answer", "seal"),
)
"""What callers requested under a key of their own, and the answer: see ``requests``."""

receipts = Table(
    "receipts",
    metadata,
    _key("id"),
    *_texts("at", "who", "source"),
    *_searched("digest"),
    *_texts("title", "day", "club"),
    *_searched("identifier"),
    *_texts("status", "said"),
    Column("record", BigInteger, _record()),
    Column("draft", BigInteger, ForeignKey("drafts.id"), index=True),
    *_texts("salt", "seal"),
    Index("ix_receipts_status", "status", "id"),
)
"""The outcome of each event that was sent in. Its texts may name people, as its file does: an
erasure removes them, and because of the salt nobody can guess them from the seal."""

assertions = Table(
    "assertions",
    metadata,
    _key("id"),
    *_texts("at", "who", "day"),
    Column("kind", Integer, ForeignKey(kinds.c.id), nullable=False),
    *_texts("club"),
    Column("member", BigInteger, _member()),
    *_numbers("amount"),
    *_texts("remark", "seal"),
)
"""What people assert a balance was on a day; ``verify`` says whether it is true."""

balances = Table(
    "balances",
    metadata,
    Column("member", BigInteger, _member(), primary_key=True, autoincrement=False),
    Column("kind", Integer, ForeignKey(kinds.c.id), primary_key=True, autoincrement=False),
    *_numbers("amount"),
)
"""The sum of each member's own postings: kept for quick reading, checked by ``verify``."""

totals = Table(
    "totals",
    metadata,
    Column("scheme", Text, primary_key=True),
    Column("member", BigInteger, _member(), primary_key=True, autoincrement=False),
    *_numbers("total"),
    *_texts("held"),
    Index("ix_totals_scheme", "scheme", "total", "member"),
)
"""All points of a scheme by member, following mergers, in millionths: the order of ranks. With
the units of each kind in ``held``, a page of ranks needs one row per member shown, and the name."""

tallies = Table("tallies", metadata, _key("name", of=Text), *_numbers("rows"), *_texts("digest"))
"""For each table with seals: how many rows it has, and their seals combined."""

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
