"""What callers asked for under a key of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "requests",
        *(sa.Column(name, sa.Text, nullable=False) for name in ("key", "digest", "at")),
        sa.Column("record", sa.BigInteger, nullable=False),
        sa.Column("seal", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_requests"),
        sa.ForeignKeyConstraint(["record"], ["records.id"], name="fk_requests_record_records"),
    )


def downgrade() -> None:
    op.drop_table("requests")
