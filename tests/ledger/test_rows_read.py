"""How many rows PostgreSQL reads for each it shows, by its own account (EXPLAIN ANALYZE)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from sqlalchemy import Connection, event, text

from honours.formats.members import ListedMember
from honours.ledger import members, ranks, receipts
from honours.ledger.chain import NewPosting, NewRecord, append_many
from honours.ledger.enrol import enrol
from honours.ledger.statement import statement
from honours.ledger.store import Ledger, create_ledger
from tests.ledger import postgres
from tests.ledger.material import BOOK

MEMBERS, EVENTS, SHOWN = 3_000, 400, 50
WITHOUT_POINTS = 200
MOST = 3
"""Rows read for each that is shown, whatever is read once for a page among them: kinds of points,
the place where it begins, whom members on it were merged with."""


@pytest.fixture(scope="module")
def federation(postgres_socket: str) -> Iterator[Ledger]:
    """Members with balances, events, mergers and receipts, as the server knows them."""
    ledger = create_ledger(postgres.another_database(postgres_socket))
    rows = [
        ListedMember(n, str(n), f"Member {n * 7 % MEMBERS:05d}", {}, (("local", Fraction(n % 97)),))
        for n in range(1, MEMBERS + 1)
    ]
    enrol(ledger, rows, "list.csv", "w", BOOK)
    with ledger.writing() as connection:
        members.add_many(
            connection, [{"name": f"New {n}", "number": f"N{n}"} for n in range(WITHOUT_POINTS)]
        )
        lines = tuple(NewPosting(member, 1, 6) for member in range(1, 61))
        append_many(connection, [NewRecord("award", "w", day="2017-01-14", lines=lines)] * EVENTS)
        several = [
            NewPosting(member, kind, 6) for member in range(1, MEMBERS + 1) for kind in (2, 3)
        ]
        append_many(connection, [NewRecord("award", "w", day="2017-01-15", lines=tuple(several))])
        for n in range(200):
            members.merge(connection, 1_000 + n, 2_000 + n, "w")
        for n in range(300):
            receipts.keep(connection, [(receipts.Receipt(f"{n}.xml", "refused"), "d")], "w")
    with ledger.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE"))
    yield ledger
    ledger.close()


def rows_read(ledger: Ledger, work: Callable[[Connection], object]) -> int:
    """What the server reads of tables and indices to answer everything the work asks."""
    asked: list[tuple[str, Any]] = []

    def heard(_c: Any, _cursor: Any, sql: str, given: Any, *_more: Any) -> None:
        asked.append((sql, given))

    with ledger.reading() as connection:
        # A small table is read whole because that is quicker; at a federation's size none is.
        connection.execute(text("SET LOCAL enable_seqscan = off"))
        event.listen(connection, "before_cursor_execute", heard)
        work(connection)
        event.remove(connection, "before_cursor_execute", heard)
        explained = [
            connection.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", given)
            for sql, given in asked
        ]
        return sum(_read(_plan(one)) for one in explained)


def _plan(answer: Any) -> dict[str, Any]:
    explained = answer.scalar()
    plan: dict[str, Any] = (explained if isinstance(explained, list) else json.loads(explained))[0][
        "Plan"
    ]
    return plan


def _read(node: dict[str, Any]) -> int:
    below: int = sum(_read(one) for one in node.get("Plans", ()))
    if "Scan" not in node["Node Type"] or "Bitmap Index" in node["Node Type"]:
        return below
    removed = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
    return below + int((node["Actual Rows"] + removed) * node["Actual Loops"])


STEPS = ranks.ladder(BOOK.body)
MIDDLE = 1_500


def _first(connection: Connection) -> int:
    return len(ranks.listed(connection, BOOK.body, STEPS, SHOWN))


def _later(connection: Connection) -> int:
    return len(ranks.listed(connection, BOOK.body, STEPS, SHOWN, MIDDLE))


def _without_points(connection: Connection) -> int:
    """The first page of those who have none: nearly everybody stands before it."""
    last = MEMBERS + WITHOUT_POINTS
    shown = ranks.listed(connection, BOOK.body, STEPS, SHOWN, last)
    assert not any(rung.points for rung in shown)
    return len(shown)


def _members(connection: Connection) -> int:
    return len(members.listed(connection, SHOWN, MIDDLE))


def _receipts(connection: Connection) -> int:
    return len(receipts.listed(connection, SHOWN, 200))


def _statement(connection: Connection) -> int:
    return len(statement(connection, members.find(connection, "7")).lines)


@pytest.mark.parametrize("work", [_first, _later, _without_points, _members, _receipts, _statement])
def test_no_more_is_read_than_three_rows_for_each_shown(
    federation: Ledger, work: Callable[[Connection], int]
) -> None:
    with federation.reading() as connection:
        shown = work(connection)
    assert shown >= SHOWN
    assert rows_read(federation, work) <= MOST * shown


def test_reading_everything_would_be_noticed(federation: Ledger) -> None:
    """So that the test above is of something."""
    assert rows_read(federation, lambda c: ranks.count(c, BOOK.body)) > MOST * SHOWN
