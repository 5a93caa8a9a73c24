"""The tables, the same on SQLite and PostgreSQL.

``records`` and ``postings`` are only ever added to, and the database itself refuses anything
else. What may change (people, kinds of points, drafts, submissions) carries a ``seal``, a digest
of its row, so that a change made behind the ledger's back is found there too.
"""

from __future__ import annotations

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
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

members = Table(
    "members",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
)

people = Table(
    "people",
    metadata,
    Column("member", BigInteger, ForeignKey(members.c.id), primary_key=True, autoincrement=False),
    Column("number", Text, unique=True),
    Column("name", Text, nullable=False),
    Column("sought", Text, nullable=False, index=True),
    Column("visitor", Boolean, nullable=False),
    Column("opted_out", Boolean, nullable=False),
    Column("seal", Text, nullable=False),
)
"""The names: the only table that holds them, and what an erasure deletes from."""

aliases = Table(
    "aliases",
    metadata,
    Column("member", BigInteger, ForeignKey(members.c.id), primary_key=True, autoincrement=False),
    Column("into", BigInteger, ForeignKey(members.c.id), nullable=False, index=True),
)
"""Merged members, as the records of mergers say: kept for quick reading, checked by ``verify``."""

kinds = Table(
    "kinds",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("scheme", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("colour", Text, nullable=False),
    Column("decimals", Integer, nullable=False),
    Column("seal", Text, nullable=False),
    UniqueConstraint("scheme", "name"),
)

rulebooks = Table(
    "rulebooks",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("rulebook", Text, nullable=False),
    Column("edition", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("amended", Text, nullable=False),
    Column("seal", Text, nullable=False),
)

records = Table(
    "records",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("action", Text, nullable=False, index=True),
    Column("at", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("event", Text, nullable=False, index=True),
    Column("title", Text, nullable=False),
    Column("day", Text, nullable=False, index=True),
    Column("club", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("results", Text, nullable=False, index=True),
    Column("entrants", Text, nullable=False, index=True),
    Column("rulebook", Text, ForeignKey(rulebooks.c.hash)),
    Column("facts", Text, nullable=False),
    Column("explanation", Text, nullable=False),
    Column("reverses", BigInteger, ForeignKey("records.id"), unique=True),
    Column("first_posting", BigInteger, nullable=False),
    Column("postings", Integer, nullable=False),
    Column("digest", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
)

postings = Table(
    "postings",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("record", BigInteger, ForeignKey(records.c.id), nullable=False),
    Column("member", BigInteger, ForeignKey(members.c.id), nullable=False),
    Column("kind", Integer, ForeignKey(kinds.c.id), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("entrant", Text, nullable=False),
    Column("reverses", BigInteger),
    Index("ix_postings_member", "member", "id"),
)

chain = Table(
    "chain",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("records", BigInteger, nullable=False),
    Column("postings", BigInteger, nullable=False),
    Column("members", BigInteger, nullable=False),
    Column("head", Text, nullable=False),
)
"""One row: how long the chain is. It shows a missing end, and whoever appends holds it locked."""

drafts = Table(
    "drafts",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("status", Text, nullable=False, index=True),
    Column("at", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("record", BigInteger, ForeignKey(records.c.id)),
    Column("settled_by", Text, nullable=False),
    Column("remark", Text, nullable=False),
    Column("seal", Text, nullable=False),
)

releasers = Table(
    "releasers",
    metadata,
    Column("name", Text, primary_key=True),
    Column("seal", Text, nullable=False),
)
"""Who may release what others have drafted; while it is empty, anybody may."""

submissions = Table(
    "submissions",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("since", Text, nullable=False),
    Column("until", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("remark", Text, nullable=False),
    Column("head", Text, nullable=False),
    Column("records", Text, nullable=False),
    Column("seal", Text, nullable=False),
)

APPEND_ONLY = ("records", "postings")
SEALED = (people, kinds, rulebooks, drafts, releasers, submissions)
TABLES = tuple(metadata.sorted_tables)
