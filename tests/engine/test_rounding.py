"""A way to round is declared once: fractions, columns, loops and explanations follow."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from honours.engine.award import award
from honours.engine.numbers import WAYS, RoundingWay
from tests.engine.column_books import PLACES, TOML, agree, field, made

RULES = (
    PLACES
    + '''
from honours.engine.rules import rounding


@rule("§1", per="place")
def worth(place, entrants, whole):
    """Of a place: halves of a cent."""
    return (entrants - place + whole) / 200


@rule("§1", rounds=rounding("half-down", "cent"))
def best(sum_of_strength, third):
    """A root."""
    return power(sum_of_strength, third)


@rule("§1", per="entrant", rounds=rounding("half-down", "cent"))
def award(covered_worth, tied, best):
    """Shared."""
    return covered_worth / tied + best
'''
)


def test_a_way_more_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    half_down = RoundingWay(
        -1, 1, "{value} rounded to the nearest, a half down, in steps of {unit}"
    )
    monkeypatch.setitem(WAYS, "half-down", half_down)
    book = made(tmp_path, RULES, TOML)
    strengths: list[tuple[int, ...]] = [(4, 4), (8, 16), (1, 1)]
    agree(book, [field(strengths[:n], {1: n} if n == 2 else {}) for n in (1, 2, 3)])
    alone = award(book, field([(16, 16)])).schedule[0]  # a root of 8 is 2, and half a cent
    assert alone.amount == Fraction(2)
    assert "a half down" in str(alone.why.rounding)
