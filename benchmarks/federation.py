"""A federation's ledger: how it takes to a million members and twenty million postings.

``python -m benchmarks.federation WHERE`` makes a ledger of that size (less with ``--members`` and
``--postings``) and tells, as ratios where that means something:

- importing members with balances ÷ the driver inserting the same rows;
- rows PostgreSQL reads for each it shows: pages of ranks and of members, a statement;
- a page and a statement in the large ledger ÷ in one of a hundredth of its size;
- ``verify`` from a checkpoint, and of the whole.

WHERE is a file or the PostgreSQL URL of an empty database; ``--server`` starts one of its own.
With ``--minutes`` no more postings are made after so long, and it is said how many there are.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection

from honours.formats.enrolment import Listed
from honours.ledger import members, ranks
from honours.ledger.bulk import insert_rows
from honours.ledger.chain import Line, NewRecord, append_many
from honours.ledger.checkpoint import checkpoint
from honours.ledger.enrol import enrol
from honours.ledger.schema import people
from honours.ledger.statement import statement
from honours.ledger.store import Ledger, create_ledger
from honours.ledger.verify import verify
from honours.rulebooks import load
from tests.ledger import postgres

BOOK = load("sbu-clubs-2016")
AN_EVENT, SHOWN = 60, 100
LOT, ACTIVE = 5_000, 60_000
"""So many events are added in one transaction, and so many people play in them."""
STEPS = ranks.ladder(BOOK.body)


def rows(count: int) -> list[Listed]:
    return [
        Listed(n, str(n), f"Member {n * 7919 % count:07d}", {}, (("local", Fraction(n % 9_973)),))
        for n in range(1, count + 1)
    ]


def events(people_: int, first: int, count: int) -> Iterator[NewRecord]:
    """Events of sixty players each. In a lot a part of everybody plays several times, as in a
    month; over all lots everybody as often as everybody else."""
    active = min(people_, ACTIVE)
    for n in range(first, first + count):
        begin = n // LOT * active
        own = ((begin + (n * AN_EVENT + i) % active) % people_ + 1 for i in range(AN_EVENT))
        lines = tuple(Line(member, 1, 6 * i + 6, f"{i}") for i, member in enumerate(own))
        yield NewRecord(
            "opening",
            "w",
            event=f"e{n}",
            title=f"Event {n}",
            day=f"20{n % 20:02d}-01-14",
            club=f"Club {n % 500}",
            facts=_facts(lines),
            lines=lines,
        )


def _facts(lines: tuple[Line, ...]) -> str:
    from honours.ledger.canonical import text_of

    return text_of({"balances": [[line.member, line.kind, line.amount] for line in lines]})


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def fill(ledger: Ledger, people_: int, postings_: int, until: float = math.inf) -> None:
    listed = rows(people_)
    took = timed(lambda: enrol(ledger, listed, "list.csv", "w", BOOK))
    print(f"{people_:,} members with balances: {took:.0f} s", flush=True)
    done, before = 0, time.process_time()
    while done * AN_EVENT < postings_ and time.monotonic() < until:
        with ledger.writing() as connection:
            plain = (_plain(one) for one in events(people_, done, LOT))
            append_many(connection, plain)
        done += LOT
        if done % 50_000 == 0:
            print(f"  {done * AN_EVENT:,} postings", flush=True)
    took = time.process_time() - before
    print(f"{done * AN_EVENT:,} postings: {took:.0f} s of CPU beside the database's", flush=True)


def _plain(record: NewRecord) -> NewRecord:
    from dataclasses import replace

    return replace(record, lines=tuple(line._replace(entrant="") for line in record.lines))


def driver_alone(ledger: Ledger, people_: int) -> float:
    """The same people, by the driver into the same table, and taken out again."""
    names = [column.name for column in people.columns]
    made = [
        tuple(_value(name, n) for name in names) for n in range(10_000_000, 10_000_000 + people_)
    ]
    ids = [(n,) for n in range(10_000_000, 10_000_000 + people_)]

    class Stop(Exception):
        pass

    def work() -> None:
        try:
            with ledger.writing() as connection:
                insert_rows(connection, people.metadata.tables["members"], ["id"], ids)
                insert_rows(connection, people, names, made)
                raise Stop
        except Stop:
            pass

    return timed(work)


def _value(name: str, n: int) -> Any:
    column = people.columns[name]
    if name == "member":
        return n
    return False if column.type.python_type is bool else f"{name} {n}"


def pages(connection: Connection, people_: int) -> dict[str, Callable[[], int]]:
    middle = people_ // 2

    def own() -> int:
        return len(statement(connection, members.find(connection, str(middle))).lines)

    return {
        "a page of ranks": lambda: len(ranks.listed(connection, BOOK.body, STEPS, SHOWN, middle)),
        "a page of members": lambda: len(members.listed(connection, SHOWN, middle)),
        "a statement": own,
    }


def reading(ledger: Ledger, people_: int) -> dict[str, float]:
    """Milliseconds of each, the median of some."""
    with ledger.reading() as connection:
        return {
            name: 1000 * statistics.median(timed(work) for _ in range(21))
            for name, work in pages(connection, people_).items()
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("where", nargs="?")
    parser.add_argument("--server", action="store_true", help="Start a PostgreSQL of its own.")
    parser.add_argument("--members", type=int, default=1_000_000)
    parser.add_argument("--postings", type=int, default=20_000_000)
    parser.add_argument("--minutes", type=float, default=math.inf)
    given = parser.parse_args()
    with postgres.server() if given.server else nullcontext("") as socket:
        place = postgres.another_database(socket) if given.server else given.where
        small = postgres.another_database(socket) if given.server else f"{given.where}.small"
        until = time.monotonic() + 60 * given.minutes
        run(place, small, given.members, given.postings, until)


def run(place: str, small: str, people_: int, postings_: int, until: float) -> None:
    little = create_ledger(small)
    fill(little, max(people_ // 100, 200), postings_ // 100)
    alone = driver_alone(little, people_)
    ledger = create_ledger(place)
    fill(ledger, people_, postings_, until)
    print(f"the driver alone, as many people: {alone:.0f} s", flush=True)
    if ledger.dialect != "sqlite":
        with ledger.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as plain:
            plain.exec_driver_sql("VACUUM ANALYZE")
        _tell_rows(ledger, people_)
    here, there = reading(ledger, people_), reading(little, max(people_ // 100, 200))
    for name, took in here.items():
        print(f"{name}: {took:.1f} ms, among a hundredth {there[name]:.1f} ms", flush=True)
    with ledger.reading() as connection:
        kept = checkpoint(connection)
    with ledger.writing() as connection:
        append_many(connection, events(people_, 10_000_000, 100))
    since = timed(lambda: verify(ledger, after=kept))
    print(f"verify of 6,000 postings since a checkpoint: {since:.1f} s", flush=True)
    whole = timed(lambda: verify(ledger))
    print(f"verify of all, nothing to be derived: {whole:.0f} s", flush=True)


def _tell_rows(ledger: Ledger, people_: int) -> None:
    from tests.ledger.test_rows_read import rows_read

    with ledger.reading() as connection:
        shown = {name: work() for name, work in pages(connection, people_).items()}
    for name, count in shown.items():

        def work(connection: Connection, name: str = name) -> object:
            return pages(connection, people_)[name]()

        print(f"{name}: {rows_read(ledger, work) / count:.2f} rows read for each shown", flush=True)


if __name__ == "__main__":
    main()
