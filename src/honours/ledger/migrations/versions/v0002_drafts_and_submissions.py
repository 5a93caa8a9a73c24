"""Awards held for review, who may release them, and what was sent to the federation."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def _drafts() -> None:
    op.create_table(
        "drafts",
        sa.Column("id", sa.BigInteger, nullable=False),
        *(_text(name) for name in ("status", "at", "who", "content")),
        sa.Column("record", sa.BigInteger),
        *(_text(name) for name in ("settled_by", "remark", "seal")),
        sa.PrimaryKeyConstraint("id", name="pk_drafts"),
        sa.ForeignKeyConstraint(["record"], ["records.id"], name="fk_drafts_record_records"),
    )
    op.create_index("ix_drafts_status", "drafts", ["status"])
    op.create_table(
        "releasers",
        _text("name"),
        _text("seal"),
        sa.PrimaryKeyConstraint("name", name="pk_releasers"),
    )


def _submissions() -> None:
    names = ("since", "until", "status", "at", "who", "remark", "head", "records", "seal")
    op.create_table(
        "submissions",
        sa.Column("id", sa.BigInteger, nullable=False),
        *(_text(name) for name in names),
        sa.PrimaryKeyConstraint("id", name="pk_submissions"),
    )


def upgrade() -> None:
    _drafts()
    _submissions()


def downgrade() -> None:
    for table in ("submissions", "releasers", "drafts"):
        op.drop_table(table)
