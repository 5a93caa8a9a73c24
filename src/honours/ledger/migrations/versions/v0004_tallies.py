"""How many rows the tables with seals have, and their seals combined."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from honours.ledger.sealing import NONE, combined

revision = "0004"
down_revision = "0003"
_SEALED = ("people", "kinds", "rulebooks", "drafts", "releasers", "submissions", "requests")


def upgrade() -> None:
    made = op.create_table(
        "tallies",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("rows", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_tallies"),
    )
    op.bulk_insert(made, [_tally(name) for name in _SEALED])


def _tally(name: str) -> dict[str, object]:
    """What is there is taken for what was written."""
    count, total = 0, NONE
    for row in op.get_bind().execute(sa.text(f"SELECT seal FROM {name}")):
        count, total = count + 1, combined(total, row.seal)
    return {"name": name, "rows": count, "digest": total}


def downgrade() -> None:
    op.drop_table("tallies")
