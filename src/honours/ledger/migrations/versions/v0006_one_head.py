"""Everything under one head: changes of people, drafts and so on become links of the chain.

Names get salts, so that their seals tell nothing once they are erased. What is there is linked to
the chain after its last record: the head of before is a link of the new chain, and still provable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

from honours.errors import LedgerError
from honours.ledger import guards
from honours.ledger.chain import Change, changed, now
from honours.ledger.sealing import NONE, combined, salt, seal

revision = "0006"
down_revision = "0005"
_SALTED = {"people": "member", "releasers": "name"}
_KEYS = {
    "people": "member",
    "kinds": "id",
    "rulebooks": "hash",
    "drafts": "id",
    "releasers": "",
    "submissions": "id",
    "requests": "key",
}
_NEW = ("numbers", "assertions")
_LOT = 5_000
"""So many rows are told in one link."""


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=False)


def upgrade() -> None:
    _columns()
    _tables()
    _kept_balances()
    bind = op.get_bind()
    for name in _NEW:
        _say(
            "INSERT INTO tallies (name, rows, digest) VALUES (:name, 0, :none)",
            name=name,
            none=NONE,
        )
    for table, key in _SALTED.items():
        _salt(table, key)
    _link(list(_everything()))
    for statement in guards.create("changes", bind.dialect.name):
        op.execute(statement)


def _columns() -> None:
    for table in _SALTED:
        op.add_column(table, sa.Column("salt", sa.Text, nullable=False, server_default=""))
    op.add_column("chain", sa.Column("changes", sa.BigInteger, nullable=False, server_default="0"))


def _tables() -> None:
    op.create_table(
        "changes",
        sa.Column("id", sa.BigInteger, nullable=False),
        _number("after"),
        *(_text(name) for name in ("at", "who", "content", "previous", "hash")),
        sa.PrimaryKeyConstraint("id", name="pk_changes"),
    )
    op.create_table(
        "numbers",
        _text("number"),
        _number("member"),
        *(_text(name) for name in ("until", "salt", "seal")),
        sa.PrimaryKeyConstraint("number", name="pk_numbers"),
        sa.ForeignKeyConstraint(["member"], ["members.id"], name="fk_numbers_member_members"),
    )
    op.create_index("ix_numbers_member", "numbers", ["member"])
    op.create_table(
        "assertions",
        sa.Column("id", sa.BigInteger, nullable=False),
        *(_text(name) for name in ("at", "who", "day")),
        sa.Column("kind", sa.Integer, nullable=False),
        _text("club"),
        sa.Column("member", sa.BigInteger),
        _number("amount"),
        *(_text(name) for name in ("remark", "seal")),
        sa.PrimaryKeyConstraint("id", name="pk_assertions"),
        sa.ForeignKeyConstraint(["kind"], ["kinds.id"], name="fk_assertions_kind_kinds"),
        sa.ForeignKeyConstraint(["member"], ["members.id"], name="fk_assertions_member_members"),
    )


def _kept_balances() -> None:
    op.create_table(
        "balances",
        _number("member"),
        sa.Column("kind", sa.Integer, nullable=False),
        _number("amount"),
        sa.PrimaryKeyConstraint("member", "kind", name="pk_balances"),
        sa.ForeignKeyConstraint(["member"], ["members.id"], name="fk_balances_member_members"),
        sa.ForeignKeyConstraint(["kind"], ["kinds.id"], name="fk_balances_kind_kinds"),
    )
    op.create_table(
        "totals",
        _text("scheme"),
        _number("member"),
        _number("total"),
        sa.PrimaryKeyConstraint("scheme", "member", name="pk_totals"),
        sa.ForeignKeyConstraint(["member"], ["members.id"], name="fk_totals_member_members"),
    )
    op.create_index("ix_totals_scheme", "totals", ["scheme", "total", "member"])


def _salt(table: str, key: str) -> None:
    """Seal what is there anew; what does not fit its seal keeps it, to be found by ``verify``."""
    for row in _rows(table):
        plain = {name: value for name, value in row.items() if name != "salt"}
        if seal(_typed(plain)) != row["seal"]:
            continue
        salted = {**plain, "salt": salt()}
        _reseal(table, key, salted, row["seal"], seal(_typed(salted)))


def _reseal(table: str, key: str, row: Mapping[str, Any], old: str, new: str) -> None:
    sql = f"UPDATE {table} SET salt = :salt, seal = :seal WHERE {key} = :key"
    _say(sql, salt=row.get("salt", ""), seal=new, key=row[key])
    total = op.get_bind().scalar(sa.text(f"SELECT digest FROM tallies WHERE name = '{table}'"))
    both = combined(combined(str(total), old), new)
    _say("UPDATE tallies SET digest = :digest WHERE name = :name", digest=both, name=table)


def _typed(row: Mapping[str, Any]) -> dict[str, Any]:
    """SQLite has no truth values of its own."""
    yes_no = ("visitor", "opted_out")
    return {name: bool(value) if name in yes_no else value for name, value in row.items()}


def _everything() -> Iterable[Change]:
    for table, key in _KEYS.items():
        for row in _rows(table):
            yield Change(table, str(row[key]) if key else "", "", row["seal"])


def _link(rows: list[Change]) -> None:
    for start in range(0, len(rows), _LOT):
        end = op.get_bind().execute(sa.text("SELECT * FROM chain")).mappings().one()
        link = changed(dict(end), now(), rows[start : start + _LOT])
        names = ", ".join(link)
        _say(f"INSERT INTO changes ({names}) VALUES (:{', :'.join(link)})", **link)
        _say("UPDATE chain SET changes = :id, head = :hash", id=link["id"], hash=link["hash"])


def _rows(table: str) -> list[Mapping[str, Any]]:
    return [
        dict(row) for row in op.get_bind().execute(sa.text(f"SELECT * FROM {table}")).mappings()
    ]


def _say(sql: str, **values: Any) -> None:
    op.get_bind().execute(sa.text(sql), values)


def downgrade() -> None:
    """Only as long as no record follows a link that an older Honours does not know."""
    _check_plain_chain()
    bind = op.get_bind()
    for table, key in _SALTED.items():
        for row in _rows(table):
            if seal(_typed(row)) == row["seal"]:
                plain = {name: value for name, value in row.items() if name != "salt"}
                _reseal(table, key, plain, row["seal"], seal(_typed(plain)))
        op.drop_column(table, "salt")
    for table in ("totals", "balances", "assertions", "numbers", "changes"):
        op.drop_table(table)
    for name in _NEW:
        _say("DELETE FROM tallies WHERE name = :name", name=name)
    head = bind.scalar(sa.text("SELECT hash FROM records ORDER BY id DESC LIMIT 1")) or ""
    _say("UPDATE chain SET head = :head", head=head)
    op.drop_column("chain", "changes")


def _check_plain_chain() -> None:
    rows = sa.text(
        "SELECT r.id FROM records r LEFT JOIN records b ON b.id = r.id - 1 "
        "WHERE r.previous <> COALESCE(b.hash, '') ORDER BY r.id LIMIT 1"
    )
    first = op.get_bind().scalar(rows)
    if first is not None:
        raise LedgerError(
            "record {first} was added since everything is under one head: an older "
            "Honours would find the chain broken there. Restore a backup made before "
            "instead",
            first=first,
        )
