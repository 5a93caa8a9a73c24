"""What an office waits for, at one size and at ten times that: ``python -m benchmarks.load``.

A ledger of so many members, with four postings for each, is imported and filled at both sizes, and
every command is run in a process of its own: CPU seconds, the most memory it held, and how both
grew. With it come the ratios that do not need a large ledger: starting, and a row of a results
file.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from benchmarks.federation import LOT, events
from benchmarks.measure import figure, table
from honours.ledger.chain import NewRecord, append_many
from honours.ledger.store import open_ledger

BOOK = "sbu-clubs-2016"
MOST_MEMORY, MEMORY_GROWTH, DUPLICATES_GROWTH = 300, 1.5, 15
TIMES_HELP, TIMES_CSV = 6, 15
FIRST = ("Ann", "Ben", "Carl", "Dora", "Eric", "Fay", "Gus", "Hal", "Ida", "Joan", "Kim", "Leo")
_RUN = """
import json, os, sys, time
from honours.cli import main
report = sys.argv.pop(1)
try:
    main()
finally:
    status = open("/proc/self/status").read().split("VmHWM:")[1]
    with open(report, "w") as file:
        json.dump([time.process_time(), int(status.split()[0]) / 1024], file)
"""
"""Runs a command, and says what it cost; of a process that was forked from a large one the system
would count the memory of that."""


class Cost(NamedTuple):
    """CPU seconds, and the most megabytes held."""

    seconds: float
    memory: float


def cost_of(*arguments: str, codes: Sequence[int] = (0,)) -> Cost:
    """What a command costs, in a process of its own."""
    with tempfile.NamedTemporaryFile() as report:
        done = subprocess.run(
            [sys.executable, "-c", _RUN, report.name, *arguments],
            stdout=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode not in codes:
            raise SystemExit(f"honours {' '.join(arguments)}: exit code {done.returncode}")
        return Cost(*json.load(report))


def write_members(path: Path, count: int) -> None:
    """A list of so many members with a balance each; of a hundred names one is another's with a
    letter changed, and hardly any are alike by chance."""
    chance, name = random.Random(1), ""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(("number", "name", "local"))
        for n in range(count):
            if n % 100 == 99:
                name = name[:-1] + ("a" if name[-1] != "a" else "e")
            else:
                sounds = ("bcdfghklmnprstvw", "aeiou")
                surname = "".join(chance.choice(sounds[i % 2]) for i in range(11))
                name = f"{chance.choice(FIRST)} {surname.title()}"
            out.writerow((10_000 + n, name, str(n % 900)))


def _earned(members: int, first: int) -> Iterator[NewRecord]:
    """Events whose points need no rulebook to be derived again."""
    for one in events(members, first, min(LOT, 4 * members // 60 + 1)):
        yield replace(one, action="adjustment")


def at_size(count: int, folder: Path, wanted: Sequence[str]) -> dict[str, Cost]:
    """What each command costs in a ledger of so many members."""
    where, listed = str(folder / f"{count}.db"), folder / f"{count}.csv"
    write_members(listed, count)
    ledger = ("--ledger", where)
    made = folder / str(count)
    made.mkdir()
    cost_of("ledger", "init", *ledger)
    costs = {
        "import": cost_of("ledger", "members", "import", str(listed), "--rulebook", BOOK, *ledger)
    }
    opened, done = open_ledger(where), 0
    while done * 60 < 4 * count:
        with opened.writing() as connection:
            append_many(connection, _earned(count, done))
        done += LOT
    opened.close()
    period = ("--since", "2005-01-01", "--until", "2005-12-31")
    commands: dict[str, tuple[str, ...]] = {
        "import again": ("members", "import", str(listed), "--rulebook", BOOK),
        "verify": ("audit", "verify"),
        "roll": ("lists", "roll", "--rulebook", BOOK, "--out", str(made / "roll.csv")),
        "ranks": ("lists", "ranks"),
        "points": ("lists", "points", *period, "--rulebook", BOOK),
        "statement": ("statement", "10001"),
        "year": ("lists", "year", "2005", str(made / "year"), "--rulebook", BOOK),
        "export": ("copies", "export", str(made / "export")),
        "duplicates": ("members", "duplicates"),
    }
    for name, command in commands.items():
        if not wanted or name in wanted:
            costs[name] = cost_of("ledger", *command, *ledger, codes=(0, 1, 2, 3))
            print(f"  {count:,} {name}: {costs[name]}", file=sys.stderr, flush=True)
    return costs


def starting() -> float:
    """How many times the help of the program a statement takes, by CPU."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = ("--ledger", f"{folder}/one.db")
        cost_of("ledger", "init", *ledger)
        (Path(folder) / "m.csv").write_text("number,name\n1,Ann Bell\n", encoding="utf-8")
        cost_of("ledger", "members", "import", f"{folder}/m.csv", *ledger)
        shown = min(cost_of("ledger", "statement", "1", *ledger).seconds for _ in range(3))
    return shown / min(cost_of("--help").seconds for _ in range(3))


def a_row(rows: int = 20_000) -> float:
    """How many times a row of ``csv.reader`` a row of a results file takes, by CPU."""
    from honours.formats.detect import read

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.csv"
        boards = 30
        with path.open("w", encoding="utf-8", newline="") as file:
            out = csv.writer(file)
            out.writerow(("board", "ns", "ew", "contract", "by", "result"))
            for n in range(rows):
                out.writerow(
                    (
                        n % boards + 1,
                        n // boards + 1,
                        100_000 + n // boards,
                        "3NT",
                        "NSEW"[n % 4],
                        "=",
                    )
                )
        plain = _cpu(lambda: list(csv.reader(path.open(encoding="utf-8"))))
        return _cpu(lambda: read(path)) / plain


def _cpu(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(3):
        before = time.process_time()
        work()
        taken.append(time.process_time() - before)
    return min(taken)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.load")
    parser.add_argument("--members", type=int, default=50_000, help="the smaller of both sizes")
    parser.add_argument("--times", type=int, default=10, help="how many times as many then")
    parser.add_argument("--only", default="", help="some commands, with commas")
    parser.add_argument("--no-ledger", action="store_true", help="only what needs no large ledger")
    given = parser.parse_args()
    rows, kept = [], True
    if not given.no_ledger:
        wanted = [name for name in given.only.split(",") if name]
        with tempfile.TemporaryDirectory() as folder:
            small, large = (
                at_size(count, Path(folder), wanted)
                for count in (given.members, given.times * given.members)
            )
        for name, cost in large.items():
            was = small[name]
            memory, cpu = cost.memory / was.memory, cost.seconds / was.seconds
            most = DUPLICATES_GROWTH if name == "duplicates" else None
            fits = cost.memory <= MOST_MEMORY and memory <= MEMORY_GROWTH
            fits = fits and (most is None or cpu <= most)
            kept &= fits
            rows.append(
                (
                    name,
                    *(
                        figure(one)
                        for one in (was.seconds, cost.seconds, cpu, was.memory, cost.memory)
                    ),
                    figure(memory),
                    "kept" if fits else "NOT KEPT",
                )
            )
        head = (
            "",
            "CPU s",
            f"× {given.times}: s",
            "growth",
            "MB",
            f"× {given.times}: MB",
            "growth",
            "",
        )
        print(table(head, rows))
    others = [
        ("ledger statement ÷ --help", TIMES_HELP, starting()),
        ("a row ÷ csv.reader", TIMES_CSV, a_row()),
    ]
    print(
        table(
            ("", "at most", "measured"), [(name, most, figure(was)) for name, most, was in others]
        )
    )
    return 0 if kept and all(was <= most for _, most, was in others) else 1


if __name__ == "__main__":
    sys.exit(main())
