"""The tables of Honours 1.0.0.

They are written out here and not taken from ``schema``, which is what the newest version has: a
backup of 1.0.0 is restored into these, and brought up to date from there.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from honours.ledger import guards
from honours.ledger.sealing import NONE

revision = "0001"
down_revision = None

_tables = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
_SEALED = (
    *("people", "numbers", "names", "kinds", "rulebooks", "drafts", "releasers", "submissions"),
    *("requests", "assertions", "receipts"),
)
_NAMED = {
    "people": ("name", "sought", "number", "salt"),
    "numbers": ("number", "salt"),
    "names": ("name", "salt"),
    "receipts": ("said",),
}
"""Columns of whose values PostgreSQL is to keep no statistics, which an erasure does not reach."""


def _key(name: str = "id", of: Any = sa.BigInteger, to: str = "") -> sa.Column[Any]:
    links = [sa.ForeignKey(to)] if to else []
    return sa.Column(name, of, *links, primary_key=True, autoincrement=False)


def _texts(names: str, index: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False, index=index) for name in names.split()]


def _number(name: str, of: Any = sa.BigInteger, to: str = "", **more: Any) -> sa.Column[int]:
    links = [sa.ForeignKey(to)] if to else []
    return sa.Column(name, of, *links, **{"nullable": False, **more})


def _table(name: str, *parts: Any) -> None:
    sa.Table(name, _tables, *parts)


_table("members", _key())
_table(
    "people",
    _key("member", to="members.id"),
    sa.Column("number", sa.Text, unique=True),
    *_texts("name sought"),
    sa.Column("visitor", sa.Boolean, nullable=False),
    sa.Column("opted_out", sa.Boolean, nullable=False),
    *_texts("seal salt"),
    sa.Index("ix_people_sought", "sought", "member"),
)
_table(
    "numbers",
    _key("number", sa.Text),
    _number("member", to="members.id", index=True),
    *_texts("until salt seal"),
)
_table(
    "names", _key(), _number("member", to="members.id", index=True), *_texts("name until salt seal")
)
_table("aliases", _key("member", to="members.id"), _number("into", to="members.id", index=True))
_table(
    "kinds",
    _key(of=sa.Integer),
    *_texts("scheme name colour"),
    _number("decimals", sa.Integer),
    *_texts("seal"),
    sa.UniqueConstraint("scheme", "name"),
)
_table(
    "rulebooks",
    _key("hash", sa.Text),
    *_texts("rulebook edition"),
    _number("revision", sa.Integer),
    *_texts("body amended seal"),
)
_table(
    "records",
    _key(),
    *_texts("action", index=True),
    *_texts("at who why"),
    *_texts("event", index=True),
    *_texts("title"),
    *_texts("day", index=True),
    *_texts("club source"),
    *_texts("results entrants", index=True),
    sa.Column("rulebook", sa.Text, sa.ForeignKey("rulebooks.hash")),
    *_texts("facts explanation"),
    _number("reverses", to="records.id", nullable=True, unique=True),
    _number("first_posting"),
    _number("postings", sa.Integer),
    *_texts("digest previous hash"),
)
_table(
    "postings",
    _key(),
    _number("record", to="records.id"),
    _number("member", to="members.id"),
    _number("kind", sa.Integer, to="kinds.id"),
    _number("amount"),
    *_texts("entrant"),
    _number("reverses", nullable=True),
    sa.Index("ix_postings_member", "member", "id"),
)
_table("changes", _key(), _number("after"), *_texts("at who content previous hash"))
_table(
    "chain",
    _key(of=sa.Integer),
    *map(_number, ("records", "postings", "members")),
    *_texts("head"),
    _number("changes"),
)
_table(
    "drafts",
    _key(),
    *_texts("status", index=True),
    *_texts("at who content"),
    _number("record", to="records.id", nullable=True),
    *_texts("settled_by remark seal"),
)
_table("releasers", _key("name", sa.Text), *_texts("seal salt"))
_table("submissions", _key(), *_texts("since until status at who remark head records seal"))
_table("requests", _key("key", sa.Text), *_texts("digest at answer seal"))
_table(
    "receipts",
    _key(),
    *_texts("at who source digest title day club"),
    *_texts("identifier", index=True),
    *_texts("status said"),
    _number("record", to="records.id", nullable=True),
    _number("draft", to="drafts.id", nullable=True, index=True),
    *_texts("salt seal"),
    sa.Index("ix_receipts_status", "status", "id"),
)
_table(
    "assertions",
    _key(),
    *_texts("at who day"),
    _number("kind", sa.Integer, to="kinds.id"),
    *_texts("club"),
    _number("member", to="members.id", nullable=True),
    _number("amount"),
    *_texts("remark seal"),
)
_table(
    "balances",
    _key("member", to="members.id"),
    _key("kind", sa.Integer, to="kinds.id"),
    _number("amount"),
)
_table(
    "totals",
    _key("scheme", sa.Text),
    _key("member", to="members.id"),
    _number("total"),
    *_texts("held"),
    sa.Index("ix_totals_scheme", "scheme", "total", "member"),
)
_table("tallies", _key("name", sa.Text), _number("rows"), *_texts("digest"))


def upgrade() -> None:
    bind = op.get_bind()
    dialect = bind.dialect.name
    _tables.create_all(bind)
    empty = {"id": 1, "records": 0, "postings": 0, "members": 0, "head": "", "changes": 0}
    bind.execute(_tables.tables["chain"].insert(), [empty])
    none = [{"name": name, "rows": 0, "digest": NONE} for name in _SEALED]
    bind.execute(_tables.tables["tallies"].insert(), none)
    if dialect == "postgresql":
        op.execute(guards.FUNCTION)
        for table, columns in _NAMED.items():
            for column in columns:
                op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS 0")
    for table in ("records", "postings", "changes"):
        for statement in guards.create(table, dialect):
            op.execute(statement)
