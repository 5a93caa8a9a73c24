"""Fractions of 64-bit numbers: equal to Python's where they fit, not known where they do not."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from honours.engine.compiled import rationals
from honours.engine.compiled.emitting import in_operations, on_floats
from honours.engine.numbers import power, round_to, up_to
from honours.engine.rounding import WAYS
from honours.engine.rules import Number

DRAW = random.Random(7)
PAIRS = [
    (DRAW.randint(-(10**size), 10**size), DRAW.randint(1, 10**size))
    for size in (1, 3, 6, 9, 12, 17)
    for _ in range(6)
]


def number(pair: tuple[int, int]) -> Fraction | None:
    return Fraction(*pair) if pair[1] else None


@pytest.mark.parametrize("x", PAIRS)
def test_arithmetic_is_that_of_fractions_or_not_known(x: tuple[int, int]) -> None:
    for y in PAIRS:
        a, b = Fraction(*x), Fraction(*y)
        assert number(rationals.times(x, y)) in (None, a * b)
        assert number(rationals.plus(x, y)) in (None, a + b)
        assert number(rationals.minus(x, y)) in (None, a - b)
        assert number(rationals.over(x, y)) in (None, a / b if b else None)
        assert rationals.below(x, y) in (-1, int(a < b))
        assert rationals.equal(x, y) in (-1, int(a == b))
        assert number(rationals.larger(x, y)) in (None, max(a, b))


def test_what_is_small_is_always_known() -> None:
    small = [pair for pair in PAIRS if max(map(abs, pair)) <= 10**6]
    for x in small:
        for y in small:
            assert number(rationals.times(x, y)) == Fraction(*x) * Fraction(*y)
            assert number(rationals.plus(x, y)) == Fraction(*x) + Fraction(*y)
            assert rationals.at_most(x, y) == int(Fraction(*x) <= Fraction(*y))


def test_what_does_not_fit_is_not_known_and_stays_so() -> None:
    large = (2**61 - 1, 1)
    lost = rationals.times(large, large)
    assert lost == (0, 0)
    assert rationals.plus(lost, (1, 1)) == (0, 0)
    assert rationals.below(lost, (1, 1)) == -1
    assert rationals.chosen(-1, (1, 1), (2, 1)) == (0, 0)
    assert rationals.over((1, 1), (0, 1)) == (0, 0)
    assert rationals.to_units(lost, -1, 0, (1, 100)) == (0, 0)


@pytest.mark.parametrize("mode", ["nearest", "up", "down"])
def test_rounding_is_the_exact_ways(mode: str) -> None:
    for x in [*PAIRS[:24], (5, 1000), (-5, 1000), (15, 1000), (7, 1)]:
        for unit in ((1, 100), (1, 1), (5, 2)):
            rounded = number(rationals.to_units(x, *WAYS[mode][:2], unit))
            assert rounded in (None, round_to(Fraction(*x), mode, Fraction(*unit)))


def share(place: Number, above: Number, limit: Number, half: Number) -> Number:
    if place <= limit and half != 0:
        return max(above * half, 1) - 1
    return up_to(above, limit, abs(above), -above / place) if place else Fraction(0)


def root(x: Number, half: Number) -> Number:
    return power(x, half)


def test_a_rule_becomes_operations_in_operations() -> None:
    text = in_operations(share, "q_share")
    assert text is None  # it names Fraction, which is something of its file
    assert in_operations(root, "q_root") is None
    assert on_floats(root, "r_root") == "def r_root(x, half):\n    return power(x, half)\n"


def rational(place: Number, above: Number, limit: Number, half: Number) -> Number:
    if 0 < place <= limit and half != 0:
        return max(above * half, 1) - 1
    return up_to(above, limit, abs(above), -above / place)


def test_it_gives_what_the_rule_gives() -> None:
    text = in_operations(rational, "q_rational")
    assert text is not None
    scope: dict[str, object] = dict(rationals.OPERATIONS)
    exec(text, scope)
    made = scope["q_rational"]
    assert callable(made)
    small = [pair for pair in PAIRS if max(map(abs, pair)) <= 1000]
    for k in range(200):
        given = [small[(k * step) % len(small)] for step in (1, 3, 5, 7)]
        given[0] = (k % 9 + 1, 1)
        exactly = rational(*(Fraction(*pair) for pair in given))
        assert number(made(*given)) == exactly
