"""Tries to refute what an inquiry called immaterial.

Events of every kind are drawn, everything that is asked is answered, and random values are told for
what is left as *of no consequence*, singly and all together. None may change an award.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import honours
from honours.engine.rulebook import Input, Rulebook
from honours.engine.unsaid import turning_points
from honours.errors import HonoursError
from honours.model import Field
from honours.pipeline.evidence import ruled_out
from honours.pipeline.inquiry import AwardTrial, Inquiry, inquire
from honours.rulebooks import load
from tests.pipeline.thirty import SBU, cases, standings

BOOKS = (
    *(SBU, "sbu-clubs-2024", "ebu-clubs", "abf-sessions", "vbl-2017"),
    *("acbl-general", "acbl-sof-2011", "acbl-sof-2020", "acbl-clubs-2017"),
)
MOST_ROUNDS = 6
DRAWS_OF_AN_EVENT = 25


@dataclass(frozen=True, slots=True)
class Drawn:
    """An event: its lists, the rulebook, and answers to all that it asks."""

    name: str
    book: Rulebook
    lists: tuple[Field, ...]
    given: dict[str, str]
    found: Inquiry


@dataclass(slots=True)
class Tally:
    """How many values were told, how many events asked for which facts, and what was refuted."""

    draws: int = 0
    events: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    refuted: list[str] = field(default_factory=list)


def attack(draws: int, seed: int = 1) -> Tally:
    """Tell so many random values of what was called immaterial."""
    chance, tally = random.Random(seed), Tally()
    with TemporaryDirectory() as folder:
        for drawn in _events(chance, Path(folder), tally):
            names = [name for q in drawn.found.immaterial if q.of == "event" for name in q.facts]
            for number in range(DRAWS_OF_AN_EVENT if names else 0):
                told = [chance.choice(names)] if number % 2 else names
                tally.draws += _draw(drawn, told, chance, tally)
            if tally.draws >= draws:
                return tally
    raise AssertionError("events never end")


def _draw(drawn: Drawn, names: list[str], chance: random.Random, tally: Tally) -> int:
    """Tell a random value of each; 1 where the event may be so."""
    values = {name: _value(drawn.book, drawn.book.input(name), chance) for name in names}
    if any(ruled_out(drawn.lists, drawn.book.input(n), v) for n, v in values.items()):
        return 0
    texts = {name: drawn.book.input(name).shown(value) for name, value in values.items()}
    outcome = AwardTrial(drawn.book, drawn.lists).outcome({**drawn.given, **texts})
    if outcome.impossible or outcome.asks:
        return 0
    if outcome.differs(drawn.found.base):
        tally.refuted.append(f"{drawn.name} by {drawn.book.id}, {drawn.given}: {texts}")
    return 1


def _value(book: Rulebook, declared: Input, chance: random.Random) -> Fraction | str:
    if declared.type == "word":
        return chance.choice(declared.words)
    turns = [Fraction(t) for t in turning_points(book, declared.name)] or [Fraction(1)]
    least = declared.smallest or Fraction(0)
    most = declared.most or Fraction(10**6)
    near = chance.choice(turns) + chance.randint(-2, 2)
    far = Fraction(chance.randint(0, 10 ** chance.randint(1, 6)))
    value = min(max(chance.choice((near, far)), least), most)
    return value if declared.is_text is False else str(value)


def _events(chance: random.Random, folder: Path, tally: Tally) -> Iterator[Drawn]:
    """Events without end, each with answers until nothing is asked."""
    made = list(cases())
    while True:
        if chance.random() < 0.5:
            case = chance.choice(made)
            text, suffix, options, given = case.text, case.suffix, case.options, dict(case.given)
            name, books = case.name, [case.rulebook, chance.choice(BOOKS)]
        else:
            many, players = chance.randint(2, 40), chance.choice((1, 2, 2, 2, 4, 5))
            columns = chance.choice((("", ""), (",won,drawn", ",{n},0"), (",section", ",A")))
            text, suffix, options, given = standings(many, players, *columns), ".csv", {}, {}
            name, books = f"standings of {many} with {players}{columns[0]}", [chance.choice(BOOKS)]
        path = folder / f"event{suffix}"
        path.write_text(text, encoding="utf-8")
        try:
            lists = honours.score(honours.read(path), **options).lists
        except HonoursError:
            continue
        for rulebook in books:
            book = load(rulebook)
            known = {key: value for key, value in given.items() if book.takes(key)}
            try:
                if drawn := _answered(name, book, lists, known, tally):
                    tally.events += 1
                    yield drawn
            except HonoursError:
                continue


def _answered(
    name: str, book: Rulebook, lists: tuple[Field, ...], given: dict[str, str], tally: Tally
) -> Drawn | None:
    """The event with the first answer to everything that is asked; none where it has no end."""
    for _ in range(MOST_ROUNDS):
        found = inquire(book, lists, given)
        if not found.questions:
            return Drawn(name, book, found.settled(lists), given, found)
        tally.asked.update(fact for question in found.questions for fact in question.facts)
        answers: dict[str, str] = {}
        for question in found.questions:
            if question.of == "usual":
                answers |= {n: book.input(n).default or "" for n in question.facts}
            else:
                possible = [a for a in question.alternatives if not a.against]
                answers |= dict(possible[0].given) if possible else {}
        usual = {n: v for n, v in answers.items() if v and book.input(n).per == "field"}
        if usual.keys() <= given.keys():
            return None
        given = {**usual, **given}
    return None
