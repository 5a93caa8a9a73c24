"""Totals with the units of each kind of points; what was kept is added up anew."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from honours.ledger import balances

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("totals", sa.Column("held", sa.Text, nullable=False, server_default=""))
    balances.rebuild(op.get_bind())


def downgrade() -> None:
    op.drop_column("totals", "held")
