"""Members without points have their places among the ranks, so that a page of them is one too."""

from __future__ import annotations

from alembic import op

from honours.ledger import balances

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    balances.rebuild(op.get_bind())


def downgrade() -> None:
    op.execute("DELETE FROM totals WHERE held = ''")
