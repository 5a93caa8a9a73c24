"""Event after event, by door after door, with whatever happens on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.adversary.doors import NOT_TYPED, RESULTS, STANDINGS, Drawn, table
from tests.adversary.events import draw
from tests.adversary.judging import Verdict, judged
from tests.adversary.mishaps import MISHAPS, nothing


@dataclass(slots=True)
class Found:
    """What came of all of them, which facts were asked of those nothing had happened to, and all
    that was wrong without a word."""

    events: int = 0
    plain: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    doors: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    """Of those that nothing had happened to."""
    wrong: list[str] = field(default_factory=list)

    @property
    def told(self) -> str:
        shares = (
            f"{fact} {count / max(self.plain, 1):.0%}" for fact, count in self.asked.most_common()
        )
        return "\n".join(
            (
                f"{self.events:,} events: {_counts(self.verdicts)}",
                f"by door: {_counts(self.doors)}",
                f"asked of {self.plain:,} to which nothing had happened: {', '.join(shares)}",
                *(f"REFUSED {one}" for one in self.refused),
                *(f"WRONG {one}" for one in self.wrong),
            )
        )


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counted.most_common())


def assail(events: int, seed: int = 1, every_door: bool = False, only: str = "") -> Found:
    """Take so many events through the doors."""
    found = Found()
    with TemporaryDirectory() as folder:
        for number in range(events):
            for what, door, drawn, verdict in _event(number, seed, every_door, Path(folder), only):
                found.events += 1
                found.doors[door] += 1
                found.verdicts[verdict.what] += 1
                said = f"{seed}:{number} {what}, by {door}: {_about(drawn)}: {verdict.why[:200]}"
                if verdict.what == "wrong":
                    found.wrong.append(said)
                if what == nothing.__name__:
                    found.plain += 1
                    found.asked.update(verdict.asked)
                    if verdict.what == "refused":
                        found.refused.append(said)
    return found


def _event(
    number: int, seed: int, every_door: bool, folder: Path, only: str = ""
) -> Iterator[tuple[str, str, Drawn, Verdict]]:
    chance = Random(f"{seed}:{number}")
    contest, results = draw(chance)
    few = [one for one in MISHAPS if only in ("", one.__name__)]
    mishap = few[number % len(few)]
    doors = RESULTS if results else STANDINGS
    if any(row.get("version") or row["session"] != "1" for row in results):  # it has neither
        doors = {name: door for name, door in doors.items() if name != "USEBIO"}
    plain = mishap is nothing
    names = [name for name in doors if plain or name not in NOT_TYPED]
    if not (plain and every_door):
        names = [chance.choice(names)]
    for name in names:
        drawn = Drawn(contest, table(contest), [dict(row) for row in results])
        if results and contest.source.startswith("acbl-sof"):
            drawn.members = [
                {"number": f"{w.id}{k}", "name": p.name, "masterpoints": str(float(p.holding))}
                for w in contest.who
                for k, p in enumerate(w.people)
            ]
        if what := mishap(drawn, chance):
            verdict = judged(drawn, partial(doors[name], drawn, folder))
            yield mishap.__name__ if plain else what, name, drawn, verdict


def _about(drawn: Drawn) -> str:
    one = drawn.contest
    return f"{one.kind} of {len(one.who)} by {one.source}"
