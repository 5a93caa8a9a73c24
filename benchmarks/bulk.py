"""Many at once: members imported, a folder of events posted, all of it verified; as ratios.

``python -m benchmarks.bulk`` does each in a new file and then lets the driver alone insert the very
same rows into the same tables of another (``executemany``; COPY on PostgreSQL with ``--server``).
Computing time is compared, so that what else the machine does counts little; on a server, whose
time is not ours, the clock. Of a folder reading the files is left out: working the awards out and
writing them are told apart. Verifying by two processes is compared with one by the clock.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from fractions import Fraction
from functools import partial
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

from sqlalchemy import event as database_event
from sqlalchemy import select

from honours.formats.members import ListedMember
from honours.ledger import post
from honours.ledger.bulk import insert_rows
from honours.ledger.enrol import enrol
from honours.ledger.events import EventToPost
from honours.ledger.intake import LOT
from honours.ledger.receipts import Receipt, keep
from honours.ledger.schema import TABLES
from honours.ledger.store import Ledger, create_ledger
from honours.ledger.verify import verify
from honours.model import Entrant, Field, Player, Standing
from honours.rulebooks import load
from tests.ledger import postgres

BOOK = load("sbu-clubs-2016")
PAIRS = 12
_BEGUN = ("chain", "tallies")
"""Tables that have rows from the beginning."""


def members_of(count: int) -> list[ListedMember]:
    return [
        ListedMember(
            n, str(n), f"Member {n * 7919 % count:07d}", {}, (("local", Fraction(n % 9_973)),)
        )
        for n in range(1, count + 1)
    ]


def nights(listed: list[ListedMember], count: int) -> Iterator[EventToPost]:
    """Club nights of twelve pairs drawn from all members, no two alike."""
    chance = random.Random(18)
    for n in range(count):
        players = [Player(one.name, one.number) for one in chance.sample(listed, 2 * PAIRS)]
        standings = tuple(
            Standing(
                Entrant(str(place), (players[2 * place - 2], players[2 * place - 1])),
                place,
                1,
                Fraction(7000 - 200 * place - chance.randrange(100), 100),
            )
            for place in range(1, PAIRS + 1)
        )
        given = {"kind": "pairs", "winners": "1"}
        day = f"2017-{n % 12 + 1:02d}-{n % 28 + 1:02d}"
        yield EventToPost(
            f"Night {n}", (Field(standings=standings),), BOOK, given, day, f"Club {n}"
        )


class Clock:
    """Computing time of ours, or the clock where a server works for us."""

    def __init__(self, ledger: Ledger) -> None:
        self._now = time.process_time if ledger.dialect == "sqlite" else time.perf_counter

    def __call__(self, work: Callable[[], Any]) -> tuple[float, Any]:
        started = self._now()
        answer = work()
        return self._now() - started, answer


def rows_there(ledger: Ledger) -> dict[str, int]:
    with ledger.reading() as connection:
        return {t.name: len(connection.execute(select(t)).all()) for t in TABLES}


def driver_alone(ledger: Ledger, beside: Ledger, before: dict[str, int]) -> float:
    """The rows that were added since, inserted by the driver into the other ledger's tables."""
    with ledger.reading() as connection:
        rows = {
            table: [tuple(row) for row in connection.execute(select(table))]
            for table in TABLES
            if table.name not in _BEGUN
        }
    old = {t: [] if not before.get(t.name) else some[: before[t.name]] for t, some in rows.items()}
    new = {t: some[before.get(t.name, 0) :] for t, some in rows.items()}

    def write(all_rows: dict[Any, Any]) -> None:
        with beside.writing() as connection:
            for table, some in all_rows.items():
                insert_rows(connection, table, [c.name for c in table.columns], some)

    write(old)
    return Clock(ledger)(lambda: write(new))[0]


def told(what: str, took: float, alone: float) -> None:
    ratio = f"{took / alone:.1f} ×"
    print(f"{what}: {took:.2f} s, the driver alone {alone:.2f} s, {ratio}", flush=True)


def importing(new: Callable[[], str], count: int) -> tuple[Ledger, list[ListedMember]]:
    ledger, beside, listed = create_ledger(new()), create_ledger(new()), members_of(count)
    took, _ = Clock(ledger)(lambda: enrol(ledger, listed, "list.csv", "w", BOOK))
    told(f"{count:,} members with balances", took, driver_alone(ledger, beside, {}))
    return ledger, listed


def posting(new: Callable[[], str], ledger: Ledger, listed: list[ListedMember], count: int) -> None:
    made, before, asked = list(nights(listed, count)), rows_there(ledger), [0]

    def heard(*_about: Any) -> None:
        asked[0] += 1

    database_event.listen(ledger.engine, "before_cursor_execute", heard)
    worked_out = written = 0.0
    for start in range(0, count, LOT):
        lot = made[start : start + LOT]
        took, foreseen = Clock(ledger)(partial(post.foresee_all, ledger, lot))
        worked_out += took
        written += Clock(ledger)(partial(write, ledger, foreseen))[0]
    database_event.remove(ledger.engine, "before_cursor_execute", heard)
    print(
        f"{count:,} events worked out: {worked_out:.2f} s; {asked[0] / count:.2f} statements each"
    )
    told(f"{count:,} events written", written, driver_alone(ledger, create_ledger(new()), before))


def write(ledger: Ledger, foreseen: list[Any]) -> None:
    """As taking in a folder does."""
    with ledger.writing() as connection:
        lot = post.PostingLot(connection, foreseen)
        plain = [prepared for prepared in foreseen if lot.is_plain(prepared)]
        assert len(plain) == len(foreseen)
        numbers = post.post_plain(connection, plain, "w")
        receipts = [Receipt("x", "posted", record=number) for number in numbers]
        keep(connection, [(receipt, "d") for receipt in receipts], "w")


def verifying(ledger: Ledger) -> None:
    """By one process and by two; of two, what the first one computes itself is what cannot be
    shared, and the clock on cores that nobody else uses cannot fall below it."""

    def timed(processes: int) -> tuple[float, float, float]:
        started, own, others = time.perf_counter(), _computed(), _computed(RUSAGE_CHILDREN)
        assert verify(ledger, processes=processes).sound
        clock = time.perf_counter() - started
        return clock, _computed() - own, _computed(RUSAGE_CHILDREN) - others

    alone, alone_cpu, _ = timed(1)
    both, first, others = timed(2)
    print(f"verify by one process: {alone_cpu:.1f} s of CPU, {alone:.1f} s by the clock")
    print(
        f"  by two beside the first: {first:.1f} s of CPU in the first, {others:.1f} s in the "
        f"others, {both:.1f} s by the clock; {alone_cpu / max(first, others / 2):.1f} × as fast "
        "where two cores are free"
    )


def _computed(whose: int = RUSAGE_SELF) -> float:
    used = getrusage(whose)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", action="store_true", help="On a PostgreSQL of its own.")
    parser.add_argument("--members", type=int, default=50_000)
    parser.add_argument("--events", type=int, default=2_000)
    given = parser.parse_args()
    with ExitStack() as stack:
        if given.server:
            socket = stack.enter_context(postgres.server())

            def new() -> str:
                return postgres.another_database(socket)
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            count = iter(range(100))

            def new() -> str:
                return f"{folder}/{next(count)}.db"

        ledger, listed = importing(new, given.members)
        posting(new, ledger, listed, given.events)
        verifying(ledger)


if __name__ == "__main__":
    main()
