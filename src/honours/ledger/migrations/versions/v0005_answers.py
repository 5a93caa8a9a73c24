"""What callers asked for under a key of their own, with the whole answer instead of its record.

The server kept answers in a table of its own beside the ledger's, with names in them; it goes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

from honours.ledger.sealing import NONE, combined, sealed

revision = "0005"
down_revision = "0004"


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def upgrade() -> None:
    before = _rows()
    op.drop_table("requests")
    made = op.create_table(
        "requests",
        *(_text(name) for name in ("key", "digest", "at", "answer", "seal")),
        sa.PrimaryKeyConstraint("key", name="pk_requests"),
    )
    _fill(made, (_given(row, answer=json.dumps(_answer(row["record"]))) for row in before))
    here = op.get_bind().dialect.name == "sqlite"
    op.execute(f"DROP TABLE IF EXISTS {'answers' if here else 'honours_web.answers'}")


def downgrade() -> None:
    """Answers that are about no record have no place in the older table."""
    before = [(row, json.loads(row["answer"])) for row in _rows()]
    op.drop_table("requests")
    made = op.create_table(
        "requests",
        *(_text(name) for name in ("key", "digest", "at")),
        sa.Column("record", sa.BigInteger, nullable=False),
        _text("seal"),
        sa.PrimaryKeyConstraint("key", name="pk_requests"),
        sa.ForeignKeyConstraint(["record"], ["records.id"], name="fk_requests_record_records"),
    )
    kept = (
        (row, answer["record"])
        for row, answer in before
        if answer.get("status") != "held" and answer.get("record")
    )
    _fill(made, (_given(row, record=record) for row, record in kept))


def _rows() -> list[Mapping[str, Any]]:
    rows = op.get_bind().execute(sa.text("SELECT * FROM requests"))
    return [dict(row) for row in rows.mappings()]


def _answer(record: int) -> dict[str, Any]:
    """What is still known of the answer: of an award that it is there, of a reversal its number."""
    query = sa.text(
        "SELECT action, title, day, rulebooks.rulebook FROM records LEFT JOIN rulebooks "
        "ON rulebooks.hash = records.rulebook WHERE id = :id"
    )
    row = op.get_bind().execute(query, {"id": record}).one()
    if row.action != "award":
        return {"record": record}
    lists = dict.fromkeys(("postings", "difference", "newcomers", "promotions", "remarks"), ())
    return {
        "status": "already posted",
        "event": row.title,
        "day": row.day,
        "record": record,
        "rulebook": row.rulebook,
        "like": "",
        **lists,
    }


def _given(row: Mapping[str, Any], **more: object) -> dict[str, Any]:
    return sealed({**{name: row[name] for name in ("key", "digest", "at")}, **more})


def _fill(table: sa.Table, rows: Iterable[dict[str, Any]]) -> None:
    kept, total = list(rows), NONE
    op.bulk_insert(table, kept)
    for row in kept:
        total = combined(total, row["seal"])
    tally = sa.text("UPDATE tallies SET rows = :rows, digest = :digest WHERE name = 'requests'")
    op.get_bind().execute(tally, {"rows": len(kept), "digest": total})
