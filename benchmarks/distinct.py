"""Awards on events that are all different, by each rulebook, and where the two ways differ.

    python -m benchmarks.distinct                      what an entrant costs, by rulebook
    python -m benchmarks.distinct --grow               from 10^5 to 10^7 entrants
    python -m benchmarks.distinct --agree --entrants 1000000   compares the ways, numbers amended

What is remembered per shape or per case is remembered only where a federation's own year would meet
it again. Cost is the slope b of a + b·n between two sizes, so that neither starting nor compiling
counts, in CPU time, which others on the machine disturb least.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.measure import best, table
from honours.engine.columns.award import ColumnAwards, award_columns
from honours.engine.columns.batch import Batch, FactColumn
from honours.engine.exact.working import Scope, Working
from honours.engine.graph import AWARD, PLACES
from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.load import starting_files
from honours.errors import HonoursError, InputError
from honours.model import Entrant, Field, Player, Standing
from honours.rulebooks import load

WORDS = {
    "acbl-sof-2020": {"kind": "pairs", "class_": "regional"},
    "acbl-sof-2011": {"kind": "pairs", "class_": "regional"},
    "acbl-general": {"kind": "pairs", "class_": "regional"},
    "sbu-clubs-2016": {"kind": "pairs", "winners": "1"},
    "aga-category": {"section": "open", "qualifier": "yes"},
    "a user's own": {},
}
HELD = {"acbl-sof-2020": "masterpoints", "acbl-sof-2011": "masterpoints", "aga-category": "rating"}
"""The fact of players that a rulebook asks for."""


def book_of(name: str) -> Rulebook:
    """A rulebook by its name; the user's own from a folder outside the project."""
    if name in WORDS and name != "a user's own":
        return load(name)
    os.environ["HONOURS_TRUST"] = "1"  # it is ours
    folder = Path(tempfile.gettempdir()) / "honours-own-rulebook" / "our_club"
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in starting_files("our-club", 2026).items():
        (folder / file).write_text(text, encoding="utf-8")
    return load("our-club", [folder])


def distinct(name: str, events: int, seed: int = 1) -> Batch:
    """So many events, no two alike: sizes, lengths, ties and holdings drawn at random."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(8, 80, events)
    offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    entrants = int(offsets[-1])
    rank = np.arange(entrants) - np.repeat(offsets[:-1], sizes)
    begins = (rng.random(entrants) > 0.15) | (rank == 0)  # the others tie with the one above
    group = np.cumsum(begins) - 1
    place = rank[begins][group] + 1
    tied = np.bincount(group)[group]
    people = 1 if name == "aga-category" else 2
    held = rng.integers(100, 900, entrants * people) if people == 1 else _holdings(rng, entrants)
    player = {HELD[name]: FactColumn.in_units(held, Fraction(1, 100))} if name in HELD else {}
    facts: Any = {"field": _of_fields(name, sizes, rng), "entrant": {}, "player": player}
    made = Batch(
        words=WORDS[name],
        facts=facts,
        place=place.astype(np.uint16),
        tied=tied.astype(np.uint16),
        entrant_offsets=offsets,
        player_offsets=np.arange(0, people * entrants + 1, people),
        exact=lambda i: exact_field(made, i),
        uniform=False,
    )
    return made


def _holdings(rng: np.random.Generator, entrants: int) -> Any:
    return np.minimum(rng.lognormal(10.5, 1.5, 2 * entrants), 4e6).astype(np.int32)


def _of_fields(name: str, sizes: Any, rng: np.random.Generator) -> dict[str, FactColumn]:
    count = {"entrants": FactColumn.in_units(sizes, Fraction(1))}
    if name.startswith("acbl"):
        sessions = rng.integers(1, 4, len(sizes))
        return {**count, "sessions": FactColumn.in_units(sessions, Fraction(1))}
    if name.startswith("sbu"):
        boards = rng.integers(18, 32, len(sizes))
        return {**count, "boards": FactColumn.in_units(boards, Fraction(1))}
    return count


def exact_field(batch: Batch, i: int) -> Field:
    """One of the events, as the exact way takes it."""
    first, last = int(batch.entrant_offsets[i]), int(batch.entrant_offsets[i + 1])
    standings = []
    for row in range(first, last):
        rows = range(int(batch.player_offsets[row]), int(batch.player_offsets[row + 1]))
        held = batch.facts["player"].items()
        players = tuple(Player("", facts={n: c.at(p) for n, c in held}) for p in rows)
        standing = Standing(Entrant(str(row), players), int(batch.place[row]), int(batch.tied[row]))
        standings.append(standing)
    return Field(batch.facts_of(i), tuple(standings))


def cost(name: str, sizes: tuple[int, int], times: int) -> tuple[float, float, int]:
    """CPU seconds an entrant between two sizes, those of a copy, and how many were derived."""
    book, taken = book_of(name), []
    for events in sizes:
        batch = distinct(name, events)
        timed, awards = best(name, lambda one=batch: award_columns(book, one), times)  # type: ignore[misc]
        holdings = np.zeros(2 * batch.count("entrant"), np.int32)  # 12 bytes an entrant for all
        arrays = [batch.place, batch.tied, holdings]
        copied, _ = best("copy", _copying(arrays), 5)
        taken.append((batch.count("entrant"), timed.of_cpus, copied.of_cpus, awards.derived))
    (few, short, quick, _), (many, long, slow, derived) = taken
    return (long - short) / (many - few), (slow - quick) / (many - few), derived


def growing(name: str, times: int) -> tuple[float, float, float]:
    """CPU seconds an entrant from 10^5 to 10^6 entrants and from there to 10^7, and of a copy
    there, where no cache holds it."""
    book = book_of(name)
    (few, short, _), (more, long, quick), (most, longest, slow) = (
        _of_size(name, book, events, batches, times)
        for events, batches in ((2_300, 11), (23_000, 5), (230_000, 1))
    )
    far = most - more
    return (long - short) / (more - few), (longest - long) / far, (slow - quick) / far


def _of_size(
    name: str, book: Rulebook, events: int, batches: int, times: int
) -> tuple[float, float, float]:
    """Entrants of a batch, and the CPU seconds of awarding and of copying one: the median of
    several in turn, so that a field that is decided the exact way, one in a hundred thousand,
    makes no slope."""
    drawn = [distinct(name, events, seed) for seed in range(batches)]
    held = [[b.place, b.tied, np.zeros(2 * b.count("entrant"), np.int32)] for b in drawn]
    awarding = [partial(award_columns, book, batch) for batch in drawn]
    seconds = _in_turn(awarding, times), _in_turn([_copying(a) for a in held], times)
    entrants = sum(batch.count("entrant") for batch in drawn) / batches
    return entrants, *seconds


def _in_turn(work: Sequence[Callable[[], Any]], times: int) -> float:
    """The CPU seconds of doing one of them, the median of the least of each; the first time does
    not count. Before each, memory that no cache holds is gone through, so that a small one finds
    as little in the caches as a large one leaves there."""
    least, elsewhere = [float("inf")] * len(work), np.zeros(2**25, np.int32)
    for nth in range(times + 1):
        for k, one in enumerate(work):
            elsewhere += 1
            timed, _ = best("", one, 1)
            least[k] = min(least[k], timed.of_cpus) if nth else least[k]
    return median(least)


def _copying(arrays: list[Any]) -> Callable[[], None]:
    room = [np.ones_like(a) for a in arrays]

    def copy() -> None:
        for to, source in zip(room, arrays, strict=True):
            np.copyto(to, source)

    return copy


def amended(book: Rulebook, draw: random.Random) -> Rulebook:
    """The rulebook with some of its numbers changed, as a committee might; drawn until they are
    within the bounds that an amendment has."""
    numbers = [n for n, p in book.parameters.items() if isinstance(p.value, Fraction)]
    while True:
        changes = {}
        for name in draw.sample(numbers, min(3, len(numbers))):
            value = book.parameters[name].value
            assert isinstance(value, Fraction)
            changes[name] = str(value * Fraction(draw.randint(80, 120), 100))
        with suppress(InputError):
            return book.amend(changes)


@dataclass
class Agreement:
    """How far the ways were compared by a rulebook, and for how many entrants they differ; amended
    numbers by which the exact way cannot award either were ``drawn_again``."""

    name: str
    events: int = 0
    entrants: int = 0
    different: int = 0
    drawn_again: int = 0

    def __str__(self) -> str:
        return (
            f"{self.name}: {self.events} events, {self.entrants} entrants, {self.different} differ,"
            f" numbers drawn again {self.drawn_again} times"
        )


def differing(name: str, events: int, seed: int, entrants: int = 0) -> Agreement:
    """Compare the two ways on so many events and entrants at least."""
    draw, so_far, book = random.Random(seed), Agreement(name), book_of(name)
    published = book
    while so_far.events < events or so_far.entrants < entrants:
        left = max(events - so_far.events, (entrants - so_far.entrants) // _EACH + 1)
        batch = distinct(name, min(_AT_ONCE, left), seed + so_far.events)
        while not _compared(book, batch, so_far):
            so_far.drawn_again += 1
            book = amended(published, draw)
        print(so_far, file=sys.stderr, flush=True)
        book = amended(published, draw)
    return so_far


_AT_ONCE = 500
"""Events that are awarded by the same numbers."""
_EACH = 40
"""Entrants of an event, nearly as many as they have on average."""


def _compared(book: Rulebook, batch: Batch, so_far: Agreement) -> bool:
    """Compare the ways on a batch; False where its numbers are such that none can award it."""
    try:
        ours: ColumnAwards | None = award_columns(book, batch)
    except (HonoursError, ArithmeticError) as error:
        print(f"{so_far.name}: {dict(book.amended)}: {error}", file=sys.stderr, flush=True)
        if _raises(book, batch):
            return False
        ours = None
    for i in range(batch.count("field")):
        rows = slice(int(batch.entrant_offsets[i]), int(batch.entrant_offsets[i + 1]))
        exactly = exact_amounts(book, exact_field(batch, i))
        paid = np.array([int(amount * SCALE) for amount in exactly or [Fraction(0)]])
        wrong = np.full(rows.stop - rows.start, ours is None)
        if ours is not None:
            wrong |= ours.amounts[rows] != paid
            wrong |= ours.refused[i] != (exactly is None)
        so_far.different += int(wrong.sum())
        so_far.entrants += len(wrong)
    so_far.events += batch.count("field")
    return True


def _raises(book: Rulebook, batch: Batch) -> bool:
    """Whether the exact way cannot award some event of the batch either."""
    for i in range(batch.count("field")):
        try:
            exact_amounts(book, exact_field(batch, i))
        except (HonoursError, ArithmeticError):
            return True
    return False


def exact_amounts(book: Rulebook, field: Field) -> list[Fraction] | None:
    """What the exact way awards, without the words of an explanation; None where it refuses."""
    working = Working(book, field, in_words=False)
    for rule in working.graph.refusals("field"):
        if working.is_true(rule)[0]:
            return None
    working.number(PLACES)
    return [working.number(AWARD, Scope("entrant", i)) for i in range(len(field.standings))]


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agree", action="store_true", help="compare both ways instead")
    parser.add_argument("--grow", action="store_true", help="how the cost grows instead")
    parser.add_argument("--events", type=int, default=20_000, help="of each rulebook")
    parser.add_argument("--entrants", type=int, default=0, help="to compare at least, with --agree")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rulebook", choices=tuple(WORDS), action="append")
    asked = parser.parse_args()
    names = asked.rulebook or list(WORDS)
    if asked.agree:
        compared = [differing(name, asked.events, asked.seed, asked.entrants) for name in names]
        rows = [(a.name, a.events, a.entrants, a.different, a.drawn_again) for a in compared]
        print(table(("rulebook", "events", "entrants", "differ", "numbers drawn again"), rows))
        return
    if asked.grow:
        slopes = {name: growing(name, 3) for name in names}
        grown = [
            (n, f"{a * 1e9:.1f}", f"{b * 1e9:.1f}", f"{(b / a - 1) * 100:+.0f}", f"{b / c / 2:.0f}")
            for n, (a, b, c) in slopes.items()
        ]
        head = ("rulebook", "b to 10^6, ns", "b to 10^7, ns", "change, %", "× copy on 2 threads")
        print(table(head, grown))
        return
    sizes = (max(asked.events // 10, 100), asked.events)
    costs = {name: cost(name, sizes, 3) for name in names}
    lines = [
        (name, f"{ours * 1e9:.1f}", f"{ours / copied:.0f}", f"{ours / copied / 2:.0f}", derived)
        for name, (ours, copied, derived) in costs.items()
    ]
    print(table(("rulebook", "CPU ns an entrant", "× copy, CPU", "on 2 threads", "derived"), lines))


if __name__ == "__main__":
    main()
