"""Receipts of what came in; members by name in pages; no statistics of names on PostgreSQL.

PostgreSQL keeps the most frequent values of a column for its planner, where an erasure does not
reach them: of names and numbers it is to keep none.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from honours.ledger.sealing import NONE

revision = "0007"
down_revision = "0006"
_NAMES = {"people": ("name", "sought", "number", "salt"), "numbers": ("number", "salt")}
_TEXTS = ("at", "who", "source", "digest", "title", "day", "club", "identifier", "status", "said")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def upgrade() -> None:
    op.create_table(
        "receipts",
        sa.Column("id", sa.BigInteger, nullable=False),
        *(_text(name) for name in _TEXTS),
        sa.Column("record", sa.BigInteger),
        sa.Column("draft", sa.BigInteger),
        *(_text(name) for name in ("salt", "seal")),
        sa.PrimaryKeyConstraint("id", name="pk_receipts"),
        sa.ForeignKeyConstraint(["record"], ["records.id"], name="fk_receipts_record_records"),
        sa.ForeignKeyConstraint(["draft"], ["drafts.id"], name="fk_receipts_draft_drafts"),
    )
    op.create_index("ix_receipts_status", "receipts", ["status", "id"])
    op.create_index("ix_receipts_identifier", "receipts", ["identifier"])
    op.create_index("ix_receipts_draft", "receipts", ["draft"])
    op.execute(f"INSERT INTO tallies (name, rows, digest) VALUES ('receipts', 0, '{NONE}')")
    op.drop_index("ix_people_sought", "people")
    op.create_index("ix_people_sought", "people", ["sought", "member"])
    _statistics(0)


def _statistics(kept: int) -> None:
    if op.get_bind().dialect.name == "postgresql":
        for table, columns in _NAMES.items():
            for column in columns:
                op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS {kept}")


def downgrade() -> None:
    _statistics(-1)
    op.drop_index("ix_people_sought", "people")
    op.create_index("ix_people_sought", "people", ["sought"])
    op.drop_table("receipts")
    op.execute("DELETE FROM tallies WHERE name = 'receipts'")
