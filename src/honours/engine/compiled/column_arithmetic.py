"""The arithmetic of rules on columns: of fractions of 64-bit numbers, and of floats.

These are the same operations, under the same names, as those that
:mod:`honours.engine.compiled.rationals` has for the single numbers of a loop: a rule's body is
written in these names once (:mod:`.emitting`), and each way of running it supplies functions with
those names.

A column of fractions is two arrays ``(above, below)``; where ``below`` is 0 the value is not known
as a fraction. A test of fractions is 1, 0, or -1 if unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.compiled.rounding import BOUND

Ints = NDArray[np.int64]
Pairs = tuple[Any, Any]
"""Two arrays of whole numbers, or two whole numbers that hold for all rows."""
_ROOM = 2.0**62


def _product(a: Any, b: Any) -> tuple[Any, Any]:
    """The product, and where it fits into 64 bits."""
    return np.multiply(a, b), np.abs(np.multiply(a, b, dtype=np.float64)) < _ROOM


def _reduced(x: Pairs) -> Pairs:
    divisor = np.maximum(np.gcd(x[0], x[1]), 1)
    return x[0] // divisor, x[1] // divisor


def _known(above: Any, below: Any, where: Any) -> Pairs:
    if np.all(where):
        return above, below
    return np.where(where, above, 0), np.where(where, below, 0)


def times(x: Pairs, y: Pairs) -> Pairs:
    """The product; 0 / 0 if a factor is unknown, without a special case."""
    above, fits_above = _product(x[0], y[0])
    below, fits_below = _product(x[1], y[1])
    fits = fits_above & fits_below
    if not np.all(fits):
        x, y = _reduced((x[0], y[1])), _reduced((y[0], x[1]))
        above, fits_above = _product(x[0], y[0])
        below, fits_below = _product(y[1], x[1])
        fits = fits_above & fits_below
    return _known(above, below, fits & (below != 0))


def over(x: Pairs, y: Pairs) -> Pairs:
    """The quotient; the exact way reports a division by 0."""
    sign = np.sign(y[0])  # a divisor of 0 makes it 0 / 0
    return times(x, (y[1] * sign * (y[1] != 0), np.abs(y[0]) * (y[1] != 0)))


def plus(x: Pairs, y: Pairs) -> Pairs:
    """The sum."""
    if x[1] is not y[1] and not np.array_equal(x[1], y[1]):
        return _plus_unlike(x, y)
    above = np.add(x[0], y[0])
    fits = np.abs(np.add(x[0], y[0], dtype=np.float64)) < _ROOM
    return _known(above, np.broadcast_to(x[1], np.shape(above)), fits)


def _plus_unlike(x: Pairs, y: Pairs) -> Pairs:
    known = (np.asarray(x[1]) != 0) & (np.asarray(y[1]) != 0)
    for attempt in range(2):
        common = np.maximum(np.gcd(x[1], y[1]), 1)
        one, fits_one = _product(x[0], y[1] // common)
        other, fits_other = _product(y[0], x[1] // common)
        below, fits = _product(x[1], y[1] // common)
        fits = fits & fits_one & fits_other
        fits = fits & (np.abs(np.add(one, other, dtype=np.float64)) < _ROOM)
        if attempt or np.all(fits | ~known):
            break
        x, y = _reduced(x), _reduced(y)
    return _known(one + other, below, fits & known)


def minus(x: Pairs, y: Pairs) -> Pairs:
    """The difference."""
    return plus(x, (np.negative(y[0]), y[1]))


def _order(x: Pairs, y: Pairs) -> Any:
    """-1, 0 or 1 as ``x`` is below, at or above ``y``; 2 if unknown."""
    known = (np.asarray(x[1]) != 0) & (np.asarray(y[1]) != 0)
    for attempt in range(2):
        left, fits_left = _product(x[0], y[1])
        right, fits_right = _product(y[0], x[1])
        fits = fits_left & fits_right
        if attempt or np.all(fits | ~known):
            break
        x, y = _reduced(x), _reduced(y)
    order = np.where(known & fits, np.sign(np.subtract(left, right)), 2)
    return order if np.all(fits | ~known) else np.where(known & ~fits, _apart(x, y), order)


def _apart(x: Pairs, y: Pairs) -> Any:
    """The order of fractions whose products do not fit, if floats can tell."""
    one, other = as_floats(x), as_floats(y)
    sure = np.abs(one - other) > BOUND * np.maximum(np.abs(one), np.abs(other))
    return np.where(sure, np.sign(one - other), 2).astype(np.int64)


def _test(order: Any, holds: Any) -> Any:
    return np.where(order == 2, -1, holds)


def below(x: Pairs, y: Pairs) -> Any:
    """Where ``x`` is less than ``y``."""
    order = _order(x, y)
    return _test(order, order < 0)


def at_most(x: Pairs, y: Pairs) -> Any:
    """Where ``x`` is at most ``y``."""
    order = _order(x, y)
    return _test(order, order <= 0)


def equal(x: Pairs, y: Pairs) -> Any:
    """Where the two are the same number."""
    order = _order(x, y)
    return _test(order, order == 0)


def negated(test: Any) -> Any:
    """The opposite of a test."""
    return np.where(test < 0, -1, 1 - test)


def both(one: Any, other: Any) -> Any:
    """Where two tests hold."""
    return np.where((one < 0) | (other < 0), -1, one * other)


def either(one: Any, other: Any) -> Any:
    """Where one of two tests holds."""
    return np.where((one < 0) | (other < 0), -1, np.maximum(one, other))


def chosen(test: Any, then: Pairs, otherwise: Pairs) -> Pairs:
    """One or the other, depending on the test, row by row."""
    above = np.where(test == 1, then[0], otherwise[0])
    under = np.where(test == 1, then[1], otherwise[1])
    return _known(above, under, test >= 0)


def smaller(x: Pairs, y: Pairs) -> Pairs:
    """The smaller of two."""
    return chosen(at_most(x, y), x, y)


def larger(x: Pairs, y: Pairs) -> Pairs:
    """The larger of two."""
    return chosen(at_most(y, x), x, y)


def size(x: Pairs) -> Pairs:
    """The absolute value."""
    return np.abs(x[0]), x[1]


def to_units(x: Pairs, sign: int, halves: int, unit: tuple[int, int]) -> Pairs:
    """Rounded to a multiple of ``unit`` in the given way."""
    above, below = over((sign * x[0], x[1]), unit)
    room = (np.abs(above) < _ROOM / 4) & (np.abs(below) < _ROOM / 4) & (np.asarray(below) != 0)
    above, below = _known(above, below, room)
    whole = sign * ((2 * above + halves * below) // np.maximum(2 * below, 1))
    return times((whole, np.minimum(below, 1)), unit)


def as_floats(x: Pairs) -> Any:
    """The nearest floats; NaN for an unknown value."""
    with np.errstate(all="ignore"):
        return np.true_divide(x[0], x[1])


def whole(number: int) -> Pairs:
    """A number written in a rule."""
    return number, 1


def unknown() -> Pairs:
    """The unknown value."""
    return 0, 0


_SHARED = (times, over, plus, minus, below, at_most, equal, negated, both, either, chosen)
FRACTIONS: dict[str, Callable[..., Any]] = {
    f.__name__: f for f in (*_SHARED, smaller, larger, size, whole, unknown)
}
"""The operations on fractions, by the names in which rules are written."""


def _float_up_to(x: Any, limit: Any, then: Any, otherwise: Any) -> Any:
    """NaN, which is always in doubt, if the two are too close to call."""
    close = np.abs(x - limit) <= BOUND * np.maximum(1.0, np.abs(limit))
    return np.where(close, np.nan, np.where(x <= limit, then, otherwise))


def _power(base: Any, exponent: Any) -> Any:
    return np.power(np.asarray(base, np.float64), exponent)


FLOATS: dict[str, Callable[..., Any]] = {
    "plus": np.add,
    "minus": np.subtract,
    "times": np.multiply,
    "over": np.true_divide,
    "below": np.less,
    "at_most": np.less_equal,
    "equal": np.equal,
    "negated": np.logical_not,
    "both": np.logical_and,
    "either": np.logical_or,
    "chosen": np.where,
    "smaller": np.minimum,
    "larger": np.maximum,
    "size": np.abs,
    "up_to": _float_up_to,
    "whole": float,
    "unknown": lambda: np.nan,
    "power": _power,
    "log10": np.log10,
    "ln": np.log,
    "exp": np.exp,
}
"""The same for floats, and what only floats can do."""
