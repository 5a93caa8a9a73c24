"""A federation's history made up for tests: events, who came where, and what each was paid."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from honours.cli import cli
from honours.lab.history.importing import ImportRequest, ImportResult, bring

HEADER = ("Event ID", "Date", "Class", "Kind", "Sessions", "Place", "Points won")


def history(events: int, seed: int = 5, pairs: int = 0) -> Iterator[dict[str, Any]]:
    """A row a pair: ids are text and long numbers, and empty where nothing was won."""
    draw = random.Random(seed)
    members = [
        (f"M{n:07d}" if n % 3 else str(10_000_000_000 + n), round(draw.lognormvariate(6.3, 1.4), 2))
        for n in range(400)
    ]
    for event in range(events):
        many = pairs or draw.randint(8, 20)
        people = draw.sample(members, 2 * many)
        for k in range(many):
            (one, held), (other, held_too) = people[2 * k : 2 * k + 2]
            won = round(many * 0.75**k / 4, 2) if k < many // 3 else None
            yield {
                "Event ID": f"2019-{event:05d}",
                "Date": (date(2019, 1, 1) + timedelta(event % 365)).isoformat(),
                "Class": "Regional" if event % 2 else "Sectional",
                "Kind": "Pairs",
                "Sessions": 1 + event % 2,
                "Place": k + 1,
                "Member 1": one,
                "Holding 1": held,
                "Member 2": other,
                "Holding 2": held_too,
                "Points won": won,
            }


def by_player(rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The same, a row a player."""
    for row in rows:
        for seat in ("1", "2"):
            yield {name: row[name] for name in HEADER} | {
                "Member": row[f"Member {seat}"],
                "Holding": row[f"Holding {seat}"],
            }


def import_tables(
    sources: Sequence[str],
    folder: Path,
    given: Mapping[str, str] | None = None,
    plan: Path | None = None,
    query: str = "",
) -> ImportResult:
    """A corpus from tables, with what was noticed on the way."""
    return bring(ImportRequest(sources, given or {}, {}, plan, query), folder)


def write_csv(path: Path, rows: Iterable[dict[str, Any]], delimiter: str = ",") -> Path:
    listed = list(rows)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, listed[0], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(listed)
    return path


def imported(folder: Path, rows: Iterable[dict[str, Any]], name: str = "corpus") -> ImportResult:
    """The corpus of a table with these rows, which is written beside it."""
    return import_tables([str(write_csv(folder / f"{name}.csv", rows))], folder / name)


def lab(*arguments: object) -> Result:
    """A command of the lab."""
    return CliRunner().invoke(cli, ["lab", *map(str, arguments)])
