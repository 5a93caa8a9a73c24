"""A statement asks for what is the member's own, however long the ledger has become."""

from __future__ import annotations

from typing import Any

from sqlalchemy import event

from honours.ledger import kinds, members
from honours.ledger.chain import NewPosting, NewRecord, append, append_many
from honours.ledger.statement import statement
from honours.ledger.store import Ledger
from tests.ledger.material import BOOK

EVENTS, PEOPLE = 300, 40


def long_ledger(ledger: Ledger) -> None:
    """12,000 postings, before a database has gathered any statistics, and one who has three."""
    with ledger.writing() as connection:
        kinds.ensure_scheme(connection, BOOK)
        everybody = [members.add(connection, f"Member {n}") for n in range(PEOPLE)]
        rare = members.add(connection, "Rare", "rare")
        lines = tuple(NewPosting(member, 1, 6) for member in everybody)
        text = "w" * 2_000
        append_many(connection, [NewRecord("award", "w", facts=text, lines=lines)] * EVENTS)
        append(connection, NewRecord("award", "w", lines=(NewPosting(rare, 1, 6),) * 3))


def plans(ledger: Ledger) -> list[str]:
    """How the database goes about each question of a statement."""
    asked: list[tuple[str, Any]] = []
    with ledger.reading() as connection:

        def heard(_c: Any, _cursor: Any, sql: str, given: Any, *_more: Any) -> None:
            asked.append((sql, given))

        event.listen(connection, "before_cursor_execute", heard)
        assert len(statement(connection, members.find(connection, "rare")).lines) == 3
        event.remove(connection, "before_cursor_execute", heard)
        explain = "EXPLAIN QUERY PLAN " if ledger.dialect == "sqlite" else "EXPLAIN "
        return [
            "\n".join(str(tuple(row)) for row in connection.exec_driver_sql(explain + sql, given))
            for sql, given in asked
        ]


def test_a_statement_goes_along_indices(ledger: Ledger) -> None:
    long_ledger(ledger)
    plan = "\n".join(plans(ledger))
    assert "ix_postings_member" in plan
    for table in ("postings", "records"):
        assert f"SCAN {table}" not in plan
        assert f"Seq Scan on {table}" not in plan
