"""The tables of the first version: those that ``schema`` declares.

When a released version is to be followed by one with other tables, they are written out here as
they were: a backup of the first is restored into these, and brought up to date from there.
"""

from __future__ import annotations

from alembic import op

from honours.ledger import schema
from honours.ledger.sealing import NONE

revision = "0001"
down_revision = None

_NAMED = {
    "people": ("name", "sought", "number", "salt"),
    "numbers": ("number", "salt"),
    "names": ("name", "salt"),
    "receipts": ("said",),
}
"""Columns of whose values PostgreSQL is to keep no statistics, which an erasure does not reach."""


def upgrade() -> None:
    bind = op.get_bind()
    dialect = bind.dialect.name
    schema.metadata.create_all(bind)
    empty = {"id": 1, "records": 0, "postings": 0, "members": 0, "head": "", "changes": 0}
    bind.execute(schema.chain.insert(), [empty])
    none = [{"name": table.name, "rows": 0, "digest": NONE} for table in schema.SEALED]
    bind.execute(schema.tallies.insert(), none)
    if dialect == "postgresql":
        op.execute(schema.FUNCTION)
        for table, columns in _NAMED.items():
            for column in columns:
                op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS 0")
    for table in schema.APPEND_ONLY:
        for statement in schema.create_guards(table, dialect):
            op.execute(statement)
