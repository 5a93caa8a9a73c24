"""Members, kinds of points, records and their postings, guarded."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from honours.ledger import guards

revision = "0001"
down_revision = None


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=nullable)


def _people() -> None:
    op.create_table(
        "members",
        sa.Column("id", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_members"),
    )
    op.create_table(
        "people",
        sa.Column("member", sa.BigInteger, nullable=False),
        _text("number", nullable=True),
        _text("name"),
        _text("sought"),
        sa.Column("visitor", sa.Boolean, nullable=False),
        sa.Column("opted_out", sa.Boolean, nullable=False),
        _text("seal"),
        sa.PrimaryKeyConstraint("member", name="pk_people"),
        sa.UniqueConstraint("number", name="uq_people_number"),
        sa.ForeignKeyConstraint(["member"], ["members.id"], name="fk_people_member_members"),
    )
    op.create_index("ix_people_sought", "people", ["sought"])
    op.create_table(
        "aliases",
        sa.Column("member", sa.BigInteger, nullable=False),
        sa.Column("into", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("member", name="pk_aliases"),
        sa.ForeignKeyConstraint(["member"], ["members.id"], name="fk_aliases_member_members"),
        sa.ForeignKeyConstraint(["into"], ["members.id"], name="fk_aliases_into_members"),
    )
    op.create_index("ix_aliases_into", "aliases", ["into"])


def _rules() -> None:
    op.create_table(
        "kinds",
        sa.Column("id", sa.Integer, nullable=False),
        _text("scheme"),
        _text("name"),
        _text("colour"),
        sa.Column("decimals", sa.Integer, nullable=False),
        _text("seal"),
        sa.PrimaryKeyConstraint("id", name="pk_kinds"),
        sa.UniqueConstraint("scheme", "name", name="uq_kinds_scheme"),
    )
    op.create_table(
        "rulebooks",
        _text("hash"),
        _text("rulebook"),
        _text("edition"),
        sa.Column("revision", sa.Integer, nullable=False),
        _text("body"),
        _text("amended"),
        _text("seal"),
        sa.PrimaryKeyConstraint("hash", name="pk_rulebooks"),
    )


_WORDS = (
    "action",
    "at",
    "who",
    "why",
    "event",
    "title",
    "day",
    "club",
    "source",
    "results",
    "entrants",
)
_SEARCHED = ("action", "event", "day", "results", "entrants")


def _records() -> None:
    op.create_table(
        "records",
        sa.Column("id", sa.BigInteger, nullable=False),
        *(_text(name) for name in _WORDS),
        _text("rulebook", nullable=True),
        _text("facts"),
        _text("explanation"),
        sa.Column("reverses", sa.BigInteger),
        sa.Column("first_posting", sa.BigInteger, nullable=False),
        sa.Column("postings", sa.Integer, nullable=False),
        _text("digest"),
        _text("previous"),
        _text("hash"),
        sa.PrimaryKeyConstraint("id", name="pk_records"),
        sa.UniqueConstraint("reverses", name="uq_records_reverses"),
        sa.ForeignKeyConstraint(
            ["rulebook"], ["rulebooks.hash"], name="fk_records_rulebook_rulebooks"
        ),
        sa.ForeignKeyConstraint(["reverses"], ["records.id"], name="fk_records_reverses_records"),
    )
    for column in _SEARCHED:
        op.create_index(f"ix_records_{column}", "records", [column])


def _postings() -> None:
    op.create_table(
        "postings",
        sa.Column("id", sa.BigInteger, nullable=False),
        sa.Column("record", sa.BigInteger, nullable=False),
        sa.Column("member", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Integer, nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        _text("entrant"),
        sa.Column("reverses", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_postings"),
        sa.ForeignKeyConstraint(["record"], ["records.id"], name="fk_postings_record_records"),
        sa.ForeignKeyConstraint(["member"], ["members.id"], name="fk_postings_member_members"),
        sa.ForeignKeyConstraint(["kind"], ["kinds.id"], name="fk_postings_kind_kinds"),
    )
    op.create_index("ix_postings_member", "postings", ["member", "id"])


def _chain() -> None:
    made = op.create_table(
        "chain",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("records", sa.BigInteger, nullable=False),
        sa.Column("postings", sa.BigInteger, nullable=False),
        sa.Column("members", sa.BigInteger, nullable=False),
        _text("head"),
        sa.PrimaryKeyConstraint("id", name="pk_chain"),
    )
    empty = {"id": 1, "records": 0, "postings": 0, "members": 0, "head": ""}
    op.bulk_insert(made, [empty])


def upgrade() -> None:
    _people()
    _rules()
    _records()
    _postings()
    _chain()
    dialect = op.get_bind().dialect.name
    if dialect != "sqlite":
        op.execute(guards.FUNCTION)
    for table in ("records", "postings"):
        for statement in guards.create(table, dialect):
            op.execute(statement)


def downgrade() -> None:
    for table in (
        "chain",
        "postings",
        "records",
        "rulebooks",
        "kinds",
        "aliases",
        "people",
        "members",
    ):
        op.drop_table(table)
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION refuse_change()")
