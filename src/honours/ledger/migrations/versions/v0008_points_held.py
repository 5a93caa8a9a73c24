"""Totals with the units of each kind of points, added up anew; names that members had before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from honours.ledger import balances
from honours.ledger.sealing import NONE

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("totals", sa.Column("held", sa.Text, nullable=False, server_default=""))
    balances.rebuild(op.get_bind())
    op.create_table(
        "names",
        sa.Column("id", sa.BigInteger, nullable=False),
        sa.Column("member", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("name", "until", "salt", "seal")),
        sa.PrimaryKeyConstraint("id", name="pk_names"),
        sa.ForeignKeyConstraint(["member"], ["members.id"], name="fk_names_member_members"),
    )
    op.create_index("ix_names_member", "names", ["member"])
    op.execute(f"INSERT INTO tallies (name, rows, digest) VALUES ('names', 0, '{NONE}')")
    if op.get_bind().dialect.name == "postgresql":
        for column in ("name", "salt"):
            op.execute(f"ALTER TABLE names ALTER COLUMN {column} SET STATISTICS 0")
        op.execute("ALTER TABLE receipts ALTER COLUMN said SET STATISTICS 0")


def downgrade() -> None:
    op.drop_table("names")
    op.execute("DELETE FROM tallies WHERE name = 'names'")
    op.drop_column("totals", "held")
