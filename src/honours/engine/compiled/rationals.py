"""Fractions of two 64-bit numbers for the compiled way: either exact or unknown.

A fraction is ``(above, below)`` with ``below`` positive; ``(0, 0)`` is one whose numbers would not
fit, and everything computed from it is unknown too. A test gives 1, 0, or -1 if unknown. Unknown
values are left to the exact way, so nothing is ever wrong because of an overflow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

from honours.engine.compiled.rounding import BOUND

Pair = tuple[int, int]

_ROOM = 2.0**62
_F = TypeVar("_F", bound=Callable[..., Any])


def _njit(function: _F) -> _F:
    """The function compiled, but typed as the original."""
    return cast("_F", numba.njit(error_model="numpy", nogil=True)(function))


@_njit
def _fits(a: int, b: int) -> bool:
    return abs(float(a) * float(b)) < _ROOM


@_njit
def _divisor(a: int, b: int) -> int:
    a = abs(a)
    while b:
        a, b = b, a % b
    return max(a, 1)


@_njit
def _reduced(x: Pair) -> Pair:
    divisor = _divisor(x[0], x[1])
    return x[0] // divisor, x[1] // divisor


@_njit
def times(x: Pair, y: Pair) -> Pair:
    """The product."""
    if x[1] == 0 or y[1] == 0:
        return 0, 0
    if _fits(x[0], y[0]) and _fits(x[1], y[1]):
        return x[0] * y[0], x[1] * y[1]
    x, y = _reduced((x[0], y[1])), _reduced((y[0], x[1]))
    if _fits(x[0], y[0]) and _fits(x[1], y[1]):
        return x[0] * y[0], x[1] * y[1]
    return 0, 0


@_njit
def over(x: Pair, y: Pair) -> Pair:
    """The quotient; the exact way reports a division by 0."""
    if y[1] == 0 or y[0] == 0:
        return 0, 0
    return times(x, (y[1], y[0]) if y[0] > 0 else (-y[1], -y[0]))


@_njit
def plus(x: Pair, y: Pair) -> Pair:
    """The sum."""
    if x[1] == 0 or y[1] == 0:
        return 0, 0
    if x[1] == y[1] and abs(float(x[0]) + float(y[0])) < _ROOM:
        return x[0] + y[0], x[1]
    if not (_fits(x[0], y[1]) and _fits(y[0], x[1]) and _fits(x[1], y[1])):
        x, y = _reduced(x), _reduced(y)
    common = _divisor(x[1], y[1])
    left, right = y[1] // common, x[1] // common
    above = float(x[0]) * float(left) + float(y[0]) * float(right)
    if not (_fits(x[0], left) and _fits(y[0], right) and _fits(x[1], left)) or abs(above) >= _ROOM:
        return 0, 0
    return x[0] * left + y[0] * right, x[1] * left


@_njit
def minus(x: Pair, y: Pair) -> Pair:
    """The difference."""
    return plus(x, (-y[0], y[1]))


@_njit
def order(x: Pair, y: Pair) -> int:
    """-1, 0 or 1 as ``x`` is below, at or above ``y``; 2 if unknown."""
    if x[1] == 0 or y[1] == 0:
        return 2
    if not (_fits(x[0], y[1]) and _fits(y[0], x[1])):
        x, y = _reduced(x), _reduced(y)
        if not (_fits(x[0], y[1]) and _fits(y[0], x[1])):  # floats tell what is far apart
            one, other = x[0] / x[1], y[0] / y[1]
            if abs(one - other) <= BOUND * max(abs(one), abs(other)):
                return 2
            return -1 if one < other else 1
    left, right = x[0] * y[1], y[0] * x[1]
    return -1 if left < right else int(left > right)


@_njit
def below(x: Pair, y: Pair) -> int:
    """Whether ``x`` is less than ``y``."""
    sign = order(x, y)
    return -1 if sign == 2 else int(sign < 0)


@_njit
def at_most(x: Pair, y: Pair) -> int:
    """Whether ``x`` is at most ``y``."""
    sign = order(x, y)
    return -1 if sign == 2 else int(sign <= 0)


@_njit
def equal(x: Pair, y: Pair) -> int:
    """Whether the two are the same number."""
    sign = order(x, y)
    return -1 if sign == 2 else int(sign == 0)


@_njit
def negated(test: int) -> int:
    """The opposite of a test."""
    return test if test < 0 else 1 - test


@_njit
def both(one: int, other: int) -> int:
    """Whether two tests hold."""
    return -1 if one < 0 or other < 0 else one * other


@_njit
def either(one: int, other: int) -> int:
    """Whether one of two tests holds."""
    return -1 if one < 0 or other < 0 else max(one, other)


@_njit
def chosen(test: int, then: Pair, otherwise: Pair) -> Pair:
    """One or the other, depending on the test."""
    if test < 0:
        return 0, 0
    return then if test else otherwise


@_njit
def smaller(x: Pair, y: Pair) -> Pair:
    """The smaller of two."""
    return chosen(at_most(x, y), x, y)


@_njit
def larger(x: Pair, y: Pair) -> Pair:
    """The larger of two."""
    return chosen(at_most(y, x), x, y)


@_njit
def size(x: Pair) -> Pair:
    """The absolute value."""
    return abs(x[0]), x[1]


@_njit
def to_units(x: Pair, sign: int, halves: int, unit: Pair) -> Pair:
    """Rounded to a multiple of ``unit`` in the given way."""
    share = over((sign * x[0], x[1]), unit)
    if share[1] == 0 or not (_fits(share[0], 4) and _fits(share[1], 4)):
        return 0, 0
    whole = (2 * share[0] + halves * share[1]) // (2 * share[1])
    return times((sign * whole, 1), unit)


@_njit
def as_float(x: Pair) -> float:
    """The nearest float; NaN for an unknown value."""
    return x[0] / x[1]


@_njit
def whole(number: int) -> Pair:
    """A number written in a rule."""
    return number, 1


@_njit
def unknown() -> Pair:
    """The unknown value."""
    return 0, 0


_ALL = (times, over, plus, minus, order, below, at_most, equal, negated, both, either)
OPERATIONS = {
    f.__name__: f
    for f in (*_ALL, chosen, smaller, larger, size, to_units, as_float, whole, unknown)
}
"""The operations, by the names used in generated code."""
