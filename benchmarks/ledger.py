"""How fast the ledger is, as ratios.

``python -m benchmarks.ledger WHERE BESIDE`` posts awards in bulk and compares with the driver alone
inserting the same rows into the same tables (COPY on PostgreSQL); then it asks for one member's
statement while the ledger grows, and in turn for the same one in the ledger of the driver alone,
which does not. WHERE and BESIDE are files or PostgreSQL URLs of empty databases.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from honours.ledger import kinds, members
from honours.ledger.bulk import insert_rows
from honours.ledger.chain import NewPosting, NewRecord, append_many, digest_of
from honours.ledger.schema import postings, records
from honours.ledger.statement import statement
from honours.ledger.store import Ledger, create_ledger
from honours.rulebooks import load

AN_EVENT = 60
PEOPLE = 5_000
FACTS, WHY = "f" * 2_000, "w" * 8_000
"""As long as those of a real club night."""


def prepare(url: str) -> Ledger:
    """A ledger with members and kinds and no postings."""
    ledger = create_ledger(url)
    with ledger.writing() as connection:
        kinds.ensure_scheme(connection, load("sbu-clubs-2016"))
        for n in range(PEOPLE):
            members.add(connection, f"Member {n}", str(n))
        members.add(connection, "Rare", "rare")
    return ledger


def new_records(first: int, count: int) -> Iterator[NewRecord]:
    for n in range(first, first + count // AN_EVENT):
        lines = tuple(
            NewPosting((n * 7 + i) % PEOPLE + 1, 1, 6 * i + 6, f"{i}") for i in range(AN_EVENT)
        )
        yield NewRecord(
            "award",
            "w",
            "",
            f"event {n}",
            f"Event {n}",
            "2017-01-14",
            "Club",
            "x",
            f"r{n}",
            f"e{n}",
            None,
            FACTS,
            WHY,
            None,
            lines,
        )


def as_rows(count: int) -> tuple[list[Any], list[Any]]:
    """The same rows, ready for the driver."""
    heads, lines = [], []
    posted = 0
    for n, record in enumerate(new_records(1, count), 1):
        own = [(posted + i, n, *line) for i, line in enumerate(record.lines, 1)]
        values = (
            n,
            "award",
            "2017-01-14",
            "w",
            "",
            record.event,
            record.title,
            record.day,
            record.club,
            record.source,
            record.results,
            record.entrants,
            None,
            record.facts,
            record.explanation,
            None,
            posted + 1,
            len(own),
            digest_of(own),
            "p" * 64,
            "h" * 64,
        )
        posted += len(own)
        heads.append(values)
        lines += own
    return heads, lines


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def driver_alone(ledger: Ledger, count: int) -> float:
    heads, lines = as_rows(count)

    def work() -> None:
        with ledger.writing() as connection:
            raw: Any = connection.connection
            for table, rows in ((records, heads), (postings, lines)):
                if ledger.dialect == "sqlite":
                    marks = ", ".join("?" for _ in table.columns)
                    raw.executemany(f"INSERT INTO {table.name} VALUES ({marks})", rows)
                else:
                    with (
                        raw.cursor() as cursor,
                        cursor.copy(f"COPY {table.name} FROM STDIN") as copy,
                    ):
                        for row in rows:
                            copy.write_row(row)

    return timed(work)


def in_bulk(ledger: Ledger, count: int) -> float:
    prepared = list(new_records(1, count))

    def work() -> None:
        with ledger.writing() as connection:
            append_many(connection, prepared)

    return timed(work)


def statements(ledger: Ledger, beside: Ledger) -> tuple[float, float]:
    """Milliseconds for the statement of somebody with few postings, in the ledger that grows and
    in the one beside it that does not: medians of many, asked in turn, so that whatever else the
    machine does weighs on both."""

    def ask(where: Ledger) -> None:
        with where.reading() as connection:
            assert len(statement(connection, members.find(connection, "rare")).lines) == 20

    both = [(timed(lambda: ask(ledger)), timed(lambda: ask(beside))) for _ in range(101)]
    growing, fixed = zip(*both[1:], strict=True)
    return 1000 * statistics.median(growing), 1000 * statistics.median(fixed)


def rare_postings(ledger: Ledger) -> None:
    lines = tuple(NewPosting(PEOPLE + 1, 1, 6, "x") for _ in range(20))
    with ledger.writing() as connection:
        append_many(connection, [NewRecord("award", "w", lines=lines)])


def rare_rows(ledger: Ledger, count: int) -> None:
    """The same twenty where the driver alone wrote, past the chain."""
    names = [column.name for column in postings.columns]
    rows = [(count + n, 1, PEOPLE + 1, 1, 6, "x", None) for n in range(1, 21)]
    with ledger.writing() as connection:
        insert_rows(connection, postings, names, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("where")
    parser.add_argument("beside")
    parser.add_argument("--postings", type=int, default=1_000_000)
    parser.add_argument("--grow-to", type=int, default=10_000_000)
    given = parser.parse_args()
    ledger, beside = prepare(given.where), prepare(given.beside)
    alone, bulk = driver_alone(beside, given.postings), in_bulk(ledger, given.postings)
    print(
        f"{given.postings} postings: {bulk:.1f} s, the driver alone {alone:.1f} s, "
        f"ratio {bulk / alone:.2f}",
        flush=True,
    )
    rare_postings(ledger)
    rare_rows(beside, given.postings)
    grow(ledger, beside, given.postings, given.grow_to)


def grow(ledger: Ledger, beside: Ledger, size: int, largest: int) -> None:
    """Ask for the statement each time the ledger has doubled, and when it is full."""
    reached = 0
    while True:
        if size in (2 * reached, largest) or not reached:
            reached, (growing, fixed) = size, statements(ledger, beside)
            print(
                f"statement among {size}: {growing:.2f} ms, beside it {fixed:.2f} ms, "
                f"ratio {growing / fixed:.2f}",
                flush=True,
            )
        if size >= largest:
            return
        step = min(1_000_000, largest - size)
        with ledger.writing() as connection:
            append_many(connection, new_records(size, step))
        size += step


if __name__ == "__main__":
    main()
