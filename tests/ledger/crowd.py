"""Real processes that post and reverse at once, or are killed while they do.

``python -m tests.ledger.crowd URL --kill 200`` is the long run of what the tests do a little of.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import select

from honours.ledger.enrol import import_members
from honours.ledger.events import EventToPost
from honours.ledger.post import ALREADY, POSTED, post, reverse
from honours.ledger.schema import people, records
from honours.ledger.store import (
    create_ledger,
    open_ledger,
)
from honours.ledger.verify import verify
from tests.ledger.material import BOOK, CUP, RULEBOOKS, ranked

PAIRS = 60
"""Everybody is paid: 120 postings an event."""


def big_event(title: str, first: int, pairs: int = PAIRS) -> EventToPost:
    order = [(first + i) % PAIRS + 1 for i in range(pairs)]
    return EventToPost(title, (ranked(order),), CUP, {}, "2017-01-14", "Club")


def work(url: str, worker: int, count: int, say: Callable[[str], None]) -> None:
    """Post events of one's own and of everybody's, and take every second one back."""
    ledger = open_ledger(url)
    for i in range(count):
        common = i % 3 == 0
        title = f"common {i}" if common else f"worker {worker} event {i}"
        outcome = post(ledger, big_event(title, i), f"worker {worker}", another=True)
        assert outcome.status in (POSTED, ALREADY), outcome.status
        say(f"{outcome.status}:{outcome.record}:{title}")
        if not common and i % 2:
            assert outcome.record is not None
            say(f"reversed:{reverse(ledger, outcome.record, f'worker {worker}', 'drill')}:{title}")


def start(job: Callable[[Callable[[str], None]], None], log: Path) -> int:
    """Another process that does the job and writes down what it was told is done."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        job(lambda line: (os.write(file, f"{line}\n".encode()), None)[1])
        status = 0
    except BaseException as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
    finally:
        os._exit(status)


def together(url: str, workers: int, count: int) -> list[list[str]]:
    """Let workers go at it at once; what each was told."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, str(n)) for n in range(workers)]
        jobs = [(n, file) for n, file in enumerate(files)]
        children = [
            start(lambda say, n=n: work(url, n, count, say), file)  # type: ignore[misc]
            for n, file in jobs
        ]
        for child in children:
            _, status = os.waitpid(child, 0)
            assert os.waitstatus_to_exitcode(status) == 0
        return [file.read_text().splitlines() for file in files]


# --- killing ----------------------------------------------------------------------------------


def posting(url: str, salt: int) -> Callable[[Callable[[str], None]], None]:
    def job(say: Callable[[str], None]) -> None:
        ledger = open_ledger(url)
        for i in range(1000):
            title = f"killed {salt} event {i}"
            say(f"event:{title}:{post(ledger, big_event(title, i, 12), 'w', another=True).record}")

    return job


def importing(url: str, salt: int) -> Callable[[Callable[[str], None]], None]:
    def job(say: Callable[[str], None]) -> None:
        ledger = open_ledger(url)
        for i in range(1000):
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder, "m.csv")
                lines = [f"k{salt}-{i}-{n},Member {n},5" for n in range(40)]
                file.write_text("\n".join(["number,name,local", *lines]), encoding="utf-8")
                import_members(ledger, file, "w", BOOK)
            say(f"member:k{salt}-{i}-39:")

    return job


def kill_often(url: str, times: int, seed: int = 1) -> int:
    """Kill a busy process again and again; returns how much was acknowledged, all of it there."""
    chance = random.Random(seed)
    acknowledged = 0
    jobs = (posting, importing)
    with tempfile.TemporaryDirectory() as folder:
        for n in range(times):
            log = Path(folder, str(n))
            child = start(jobs[n % len(jobs)](url, seed * 10_000 + n), log)
            if n % 4:  # busy for sure; the others may be killed as they begin
                _wait_for(child, log)
            time.sleep(chance.uniform(0, 0.3))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            lines = log.read_text().splitlines() if log.exists() else []
            check_after(url, lines)
            acknowledged += len(lines)
    return acknowledged


def _wait_for(child: int, log: Path) -> None:
    """Until the other process has got something done, however busy the machine is."""
    while not (log.exists() and log.stat().st_size):
        ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        assert ended is None, "it ended before it had done anything"
        time.sleep(0.01)


def check_after(url: str, lines: list[str]) -> None:
    """The ledger verifies and nothing acknowledged is missing."""
    ledger = open_ledger(url)
    verification = verify(ledger, [RULEBOOKS])
    assert verification.sound, (verification.findings, verification.counts)
    with ledger.reading() as connection:
        titles = set(connection.scalars(select(records.c.title)))
        numbers = set(connection.scalars(select(people.c.number)))
    for line in lines:
        what, name, _ = line.split(":")
        assert name in (titles if what == "event" else numbers), line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="where to make a ledger")
    parser.add_argument("--kill", type=int, default=200, metavar="TIMES")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    create_ledger(given.url).close()
    done = kill_often(given.url, given.kill, given.seed)
    print(f"killed {given.kill} times, {done} acknowledgements, all there; the ledger is sound")


if __name__ == "__main__":
    main()
