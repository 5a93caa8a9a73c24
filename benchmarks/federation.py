"""A federation's ledger: how it takes to a million members and twenty million postings.

``python -m benchmarks.federation WHERE`` makes a ledger of that size (less with ``--members`` and
``--postings``) and tells, as ratios where that means something:

- importing members with balances ÷ the driver inserting the same rows;
- rows PostgreSQL reads for each it shows: pages of ranks and of members, a statement;
- a page and a statement in the large ledger ÷ in one of a hundredth of its size;
- ``verify`` from a checkpoint, and of the whole.

WHERE is a file or the PostgreSQL URL of an empty database; ``--server`` starts one of its own.
With ``--minutes`` no more postings are made after so long, and it is said how many there are.
``--rows-only`` lets PostgreSQL itself make rows as a ledger of that size has them, without its
chain: many times as fast, and enough to see what pages read.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from fractions import Fraction
from functools import partial
from typing import Any

from sqlalchemy import Connection, Table

from honours.formats.members import ListedMember
from honours.ledger import kinds, members, ranks
from honours.ledger.bulk import insert_rows
from honours.ledger.chain import NewPosting, NewRecord, append_many
from honours.ledger.checkpoint import checkpoint
from honours.ledger.derive import smallest_decimals
from honours.ledger.enrol import enrol
from honours.ledger.schema import people, records
from honours.ledger.statement import statement
from honours.ledger.store import Ledger, create_ledger
from honours.ledger.verify import Verification, processes_for, verify
from honours.rulebooks import load
from tests.ledger import postgres

BOOK = load("sbu-clubs-2016")
AN_EVENT, SHOWN = 60, 100
LOT, ACTIVE = 5_000, 60_000
"""So many events are added in one transaction, and so many people play in them."""
STEPS = ranks.ladder(BOOK.body)


def rows(count: int) -> list[ListedMember]:
    return [
        ListedMember(
            n, str(n), f"Member {n * 7919 % count:07d}", {}, (("local", Fraction(n % 9_973)),)
        )
        for n in range(1, count + 1)
    ]


def events(people_: int, first: int, count: int) -> Iterator[NewRecord]:
    """Events of sixty players each. In a lot a part of everybody plays several times, as in a
    month; over all lots everybody as often as everybody else."""
    active = min(people_, ACTIVE)
    for n in range(first, first + count):
        begin = n // LOT * active
        own = ((begin + (n * AN_EVENT + i) % active) % people_ + 1 for i in range(AN_EVENT))
        lines = tuple(NewPosting(member, 1, 6 * i + 6) for i, member in enumerate(own))
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


def _facts(lines: tuple[NewPosting, ...]) -> str:
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
            append_many(connection, events(people_, done, LOT))
        done += LOT
        if done % 50_000 == 0:
            print(f"  {done * AN_EVENT:,} postings", flush=True)
    took = time.process_time() - before
    print(f"{done * AN_EVENT:,} postings: {took:.0f} s of CPU beside the database's", flush=True)


def fill_rows(ledger: Ledger, people_: int, postings_: int) -> None:
    """The rows of such a ledger, made by PostgreSQL, without links between them."""
    active = min(people_, ACTIVE)
    member = f"((p / {AN_EVENT * LOT} * {active} + p % {active}) % {people_}) + 1"
    millionths = 10 ** (6 - smallest_decimals(BOOK))
    with ledger.writing() as connection:
        kinds.ensure_scheme(connection, BOOK)
    asked = (
        "SET LOCAL session_replication_role = replica",
        "SET LOCAL maintenance_work_mem = '512MB'",
        "DROP INDEX ix_postings_member",
        f"INSERT INTO members SELECT generate_series(1, {people_})",
        _made(people, f"generate_series(1, {people_}) AS g", _person("g")),
        _made(records, f"generate_series(1, {postings_ // AN_EVENT}) AS g", _event("g")),
        f"INSERT INTO postings SELECT p + 1, p / {AN_EVENT} + 1, {member}, 1, "
        f"6 * (p % {AN_EVENT}) + 6, '', NULL FROM generate_series(0, {postings_ - 1}) AS p",
        "CREATE INDEX ix_postings_member ON postings (member, id)",
        "INSERT INTO balances SELECT member, kind, sum(amount) FROM postings GROUP BY 1, 2",
        f"INSERT INTO totals SELECT '{BOOK.body}', member, amount * {millionths}, '1:' || amount "
        "FROM balances",
    )
    with ledger.writing() as connection:
        for sql in asked:
            took = timed(partial(connection.exec_driver_sql, sql.replace("%", "%%")))
            print(f"  {sql.split(' FROM ')[0][:40]}: {took:.0f} s", flush=True)


def _made(table: Table, source: str, columns_given: Mapping[str, str]) -> str:
    """Rows of a table: what is told of each, nothing where nothing is."""
    empty = {bool: "false", int: "0", str: "''"}
    values = [
        columns_given.get(c.name, "NULL" if c.nullable else empty[c.type.python_type])
        for c in table.columns
    ]
    return f"INSERT INTO {table.name} SELECT {', '.join(values)} FROM {source}"


def _person(n: str) -> dict[str, str]:
    name = f"lpad(({n}::bigint * 7919 % 10000019)::text, 8, '0')"
    return {
        "member": n,
        "number": f"{n}::text",
        "name": f"'Member ' || {name}",
        "sought": f"'member ' || {name}",
    }


def _event(n: str) -> dict[str, str]:
    return {
        "id": n,
        "action": "'award'",
        "event": f"'e' || {n}",
        "title": f"'Event ' || {n}",
        "day": f"'20' || lpad(({n} % 20)::text, 2, '0') || '-01-14'",
        "first_posting": f"({n} - 1) * {AN_EVENT} + 1",
        "postings": str(AN_EVENT),
    }


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
    parser.add_argument("--rows-only", action="store_true", help="No chain: what pages read.")
    given = parser.parse_args()
    with postgres.server() if given.server else nullcontext("") as socket:
        place = postgres.another_database(socket) if given.server else given.where
        small = postgres.another_database(socket) if given.server else f"{given.where}.small"
        if given.rows_only:
            _rows_only(place, small, given.members, given.postings)
            return
        until = time.monotonic() + 60 * given.minutes
        run(place, small, given.members, given.postings, until)


def _rows_only(place: str, small: str, people_: int, postings_: int) -> None:
    few = max(people_ // 100, 200)
    large, little = create_ledger(place), create_ledger(small)
    for ledger, members_, lines in ((little, few, postings_ // 100), (large, people_, postings_)):
        print(f"{members_:,} members, {lines:,} postings", flush=True)
        fill_rows(ledger, members_, lines)
        _tidy(ledger)
    _tell_rows(large, people_)
    _tell_reading(large, people_, little, few)


def _tidy(ledger: Ledger) -> None:
    with ledger.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as plain:
        plain.exec_driver_sql("VACUUM ANALYZE")


def _tell_reading(ledger: Ledger, people_: int, little: Ledger, few: int) -> None:
    here, there = reading(ledger, people_), reading(little, few)
    for name, took in here.items():
        print(f"{name}: {took:.1f} ms, among a hundredth {there[name]:.1f} ms", flush=True)


def run(place: str, small: str, people_: int, postings_: int, until: float) -> None:
    little = create_ledger(small)
    fill(little, max(people_ // 100, 200), postings_ // 100)
    alone = driver_alone(little, people_)
    ledger = create_ledger(place)
    fill(ledger, people_, postings_, until)
    print(f"the driver alone, as many people: {alone:.0f} s", flush=True)
    if ledger.dialect != "sqlite":
        _tidy(ledger)
        _tell_rows(ledger, people_)
    _tell_reading(ledger, people_, little, max(people_ // 100, 200))
    with ledger.reading() as connection:
        kept = checkpoint(connection)
    with ledger.writing() as connection:
        append_many(connection, events(people_, 10_000_000, 100))
    since = timed(lambda: _sound(verify(ledger, after=kept)))
    print(f"verify of 6,000 postings since a checkpoint: {since:.1f} s", flush=True)
    processes = processes_for(ledger)
    whole = timed(lambda: _sound(verify(ledger, processes=processes)))
    print(
        f"verify of all by {processes} processes, nothing to be derived: {whole:.0f} s", flush=True
    )


def _sound(verification: Verification) -> None:
    assert verification.sound, (
        verification.findings[:3],
        verification.verdicts[:3],
        verification.since,
    )


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
