"""Rulebooks with quantities of every kind, fields for them, and what must agree."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from honours.engine.award import award
from honours.engine.columns.award import ColumnAwards, award_columns, award_fields
from honours.engine.columns.batch import Batch, FactColumn
from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.model import Entrant, Field, Player, Standing
from tests.engine.books import write_book

TOML = """
[inputs.entrants]
about = "entrants"
type = "count"
[inputs.sessions]
about = "sessions"
first = 1
[inputs.strength]
about = "a player's strength"
per = "player"
[inputs.seed]
about = "an entrant's seed"
per = "entrant"
first = 0
[inputs.mood]
about = "an entrant's mood"
type = "word"
per = "entrant"
words = ["good", "bad"]
first = "good"
[parameters]
cent = { value = "0.01", clause = "§1" }
whole = { value = 1, clause = "§1" }
third = { value = "1/3", clause = "§1" }
scale = { value = { good = 1, bad = 2 }, clause = "§1" }
"""
PLACES = '''
@rule("§1")
def places(entrants):
    """All."""
    return entrants
'''
AWARD = '''
@rule("§1", per="entrant", rounds=nearest("cent"))
def award(covered_worth, tied):
    """Shared."""
    return covered_worth / tied
'''
WEIGHED = (
    PLACES
    + AWARD
    + '''
@rule("§1", per="player")
def weight(strength, sessions, third):
    """What a player weighs."""
    return power(strength + sessions, third)

@rule("§1", rounds=nearest("cent"))
def factor(sum_of_weight, count_of_strength, count_of_average):
    """Of the field."""
    return sum_of_weight / count_of_strength + count_of_average

@rule("§1", per="entrant")
def average(mean_of_strength, count_of_strength, sum_of_strength):
    """Of an entrant."""
    return mean_of_strength * count_of_strength - sum_of_strength + 1

@rule("§1", per="place")
def base(place, entrants):
    """Of a place, whoever plays."""
    return (entrants + 1 - place) / entrants

@rule("§1", per="place")
def worth(base, factor):
    """Of a place."""
    return base * factor
'''
)


def field(
    strengths: list[tuple[int, ...]], ties: dict[int, int] | None = None, **facts: int
) -> Field:
    """Entrants in the order they came, with the strengths of their players in quarters."""
    standings: list[Standing] = []
    while len(standings) < len(strengths):
        place = len(standings) + 1
        for _ in range((ties or {}).get(place, 1)):
            own = strengths[len(standings)]
            players = tuple(Player("p", facts={"strength": Fraction(s, 4)}) for s in own)
            tied = (ties or {}).get(place, 1)
            standings.append(Standing(Entrant(str(len(standings)), players), place, tied))
    known = {"entrants": len(strengths), **facts}
    return Field({name: Fraction(n) for name, n in known.items()}, tuple(standings))


FIELDS = [
    field([(9, 3), (7, 7, 1), (5,), (1, 2)]),
    field([(9, 3), (7, 1), (5, 5)], {1: 2}),
    field([(40, 30), (2, 2)], {1: 2}),
]


def exactly(book: Rulebook, fields: list[Field]) -> list[list[Fraction] | None]:
    awards = [award(book, each) for each in fields]
    return [None if a.refusal else [x.amount for x in a.schedule] for a in awards]


def agree(book: Rulebook, fields: list[Field] = FIELDS) -> None:
    """Columns give what the exact way gives."""
    assert award_fields(book, fields) == exactly(book, fields)


def in_units(batch: Batch) -> Batch:
    """The batch as a corpus holds it: facts as whole multiples of a unit."""

    def whole(column: FactColumn) -> FactColumn:
        values = [v for v in column.values if isinstance(v, Fraction)]
        if len(values) < len(column.values):
            return column
        unit = Fraction(1, math.lcm(*(v.denominator for v in values)))
        steps = np.array([int(v / unit) for v in values], np.int64)
        return FactColumn.in_units(steps[column.keys], unit)

    facts = {level: {n: whole(c) for n, c in own.items()} for level, own in batch.facts.items()}
    return replace(batch, facts=facts)


def agree_in_units(book: Rulebook, fields: list[Field] = FIELDS) -> ColumnAwards:
    awards = award_columns(book, in_units(Batch.of(fields, [])))
    pairs = zip(exactly(book, fields), fields, strict=True)
    amounts = [a for each, one in pairs for a in each or [Fraction(0)] * len(one.standings)]
    assert [Fraction(int(n), SCALE) for n in awards.amounts] == amounts
    return awards


def made(folder: Path, rules: str, toml: str = TOML) -> Rulebook:
    return write_book(folder / "made_up", toml, rules)
