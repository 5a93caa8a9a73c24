"""Exact numbers, and the few irrational functions rulebooks need.

On the exact way every number is a ``Fraction``. Roots and powers are exact where an exact one
exists and carry 70 digits otherwise; a float is refused wherever it turns up. Columns
(:mod:`honours.engine.columns`) have their own of the irrational ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from honours.errors import InputError
from honours.model.message import Message, mark

# --- the ways to round, each declared once ------------------------------------------------------


class RoundingWay(NamedTuple):
    """The way a share becomes whole, and what an explanation says of it."""

    sign: int
    halves: int
    wording: str


WAYS: Mapping[str, RoundingWay] = {
    "up": RoundingWay(-1, 0, mark("{value} rounded up, in steps of {unit}")),
    "down": RoundingWay(1, 0, mark("{value} rounded down, in steps of {unit}")),
    "nearest": RoundingWay(1, 1, mark("{value} rounded to the nearest, in steps of {unit}")),
}
"""By the names that rules and rulebooks use; of the nearest, a half goes up."""


# --- exact numbers, and the few irrational functions rulebooks need -----------------------------

DIGITS = 70
SCALE = 10_000
"""Many awards at once are whole ten-thousandths: finer than any unit in which a rulebook awards."""
# An irrational value that truly lies on a rounding boundary comes out some 10^-60 beside it;
# nothing printed anywhere is finer than 10^-40, so what is closer than this is on the boundary.
TINY = Fraction(1, 10**40)
_MORE = (TINY, Fraction(1, 2) + TINY)
"""What is added before the floor, by how many halves."""
# No rule takes a deeper root; looking for an exact one of 10^70 would never end.
_DEEPEST_ROOT = 1000
# Nor a higher power; 40^1000 has 1600 digits already.
_HIGHEST_POWER = 1000
# Products of 70-digit values would grow without end; beyond this many bits digits are noise.
_LONGEST = 600
# More decimals than this are not written out.
_FINEST = 12
# Denominators of fractions that people write as such, since no decimal ends.
_SMALL = (3, 6, 7, 9, 11, 12)
_HUGE = re.compile(r"[eE][+-]?[\d_]{4,}")


def exact(value: object) -> Fraction:
    """Read a number exactly: ``12``, ``"0.6"``, ``"2/3"``. Refuses floats, NaN and infinities."""
    if isinstance(value, bool | float):
        raise TypeError(Message("{value!r} is not an exact number", value=value))
    if isinstance(value, int | Fraction | Decimal):
        return Fraction(value)
    text = str(value).strip()
    if _HUGE.search(text):  # a power of ten that would take all memory to write out
        raise InputError("{text!r} is too large or too small a number", text=text)
    try:
        return Fraction(text.replace(" ", ""))
    except (ValueError, ZeroDivisionError) as error:
        raise InputError("{text!r} is not a number", text=text) from error


def _exact_root(n: int, degree: int) -> int | None:
    """The whole ``degree``-th root of ``n``, which is at least 1, if there is one."""
    if n > 1 and n.bit_length() <= degree:
        return None  # below 2^degree; trying would raise numbers to enormous powers
    low, high = 1, 1 << (n.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= n else (low, middle - 1)
    return low if low**degree == n else None


def _refuse_floats(*values: object) -> None:
    for value in values:
        if isinstance(value, float):
            raise TypeError("a float reached the exact way")


def power(base: Fraction, exponent: Fraction) -> Fraction:
    """``base`` to the ``exponent``: exact when it can be, else to 70 digits."""
    _refuse_floats(base, exponent)
    base, exponent = Fraction(base), Fraction(exponent)
    if base < 0 and exponent.denominator > 1:
        raise InputError("a root of a negative number")
    if base == 0 and exponent < 0:
        raise InputError("0 to a negative power")
    if abs(exponent) > _HIGHEST_POWER:
        raise InputError("a power too high to work out")
    if exponent.denominator == 1:
        return trim(base**exponent.numerator)
    if base == 0:
        return Fraction(0)
    if exponent.denominator <= _DEEPEST_ROOT:
        top = _exact_root(base.numerator, exponent.denominator)
        bottom = _exact_root(base.denominator, exponent.denominator)
        if top is not None and bottom is not None:
            return trim(Fraction(top, bottom) ** exponent.numerator)
    with localcontext(prec=DIGITS):
        logarithm = (Decimal(base.numerator) / base.denominator).ln()
        return Fraction((logarithm * exponent.numerator / exponent.denominator).exp())


def log10(x: Fraction) -> Fraction:
    """The decimal logarithm: exact for powers of ten, else to 70 digits."""
    _refuse_floats(x)
    if x <= 0:
        raise InputError("a logarithm of 0 or of a negative number")
    with localcontext(prec=DIGITS):
        return Fraction((Decimal(x.numerator) / x.denominator).log10())


def ln(x: Fraction) -> Fraction:
    """The natural logarithm, to 70 digits; ``ln(1)`` is 0."""
    _refuse_floats(x)
    if x <= 0:
        raise InputError("a logarithm of 0 or of a negative number")
    with localcontext(prec=DIGITS):
        return Fraction((Decimal(x.numerator) / x.denominator).ln())


def exp(x: Fraction) -> Fraction:
    """e to the ``x``, to 70 digits; ``exp(0)`` is 1."""
    _refuse_floats(x)
    if abs(x) > _HIGHEST_POWER:
        raise InputError("a power too high to work out")
    with localcontext(prec=DIGITS):
        return Fraction((Decimal(x.numerator) / x.denominator).exp())


def row_for(x: Fraction, table: tuple[tuple[Fraction, ...], ...]) -> Fraction:
    """The second figure of the last row that begins at or below ``x``; 0 below the first row."""
    _refuse_floats(x)
    begun = [row for row in table if row[0] <= x]
    return max(begun)[1] if begun else Fraction(0)


def how_many_counts(counts: str) -> Fraction:
    """Return how many numbers a text such as ``26+20`` has."""
    return Fraction(len(counts.split("+")))


def each_counted(counts: str, lines: tuple[tuple[Fraction, ...], ...]) -> Fraction:
    """Every number of ``26+20`` counted by the last row it reaches, so much a piece and so much
    besides, and added up."""
    total = Fraction(0)
    for count in counts.split("+"):
        _, each, besides = [row for row in lines if row[0] <= int(count)][-1]
        total += int(count) * each + besides
    return total


def trim(x: Fraction) -> Fraction:
    """Drop digits beyond any meaning, so that chains of irrational values stay short."""
    if x.denominator.bit_length() < _LONGEST:
        return x
    scale = 10**DIGITS
    return Fraction(round(x * scale), scale)


def round_to(x: Fraction, mode: str, unit: Fraction) -> Fraction:
    """Round to a multiple of ``unit``, in one of the :data:`honours.engine.numbers.WAYS`."""
    if unit == 0:
        return x
    sign, halves, _ = WAYS[mode]
    share = sign * x.numerator * unit.denominator
    return sign * _floor(share, x.denominator * unit.numerator, _MORE[halves]) * unit


def _floor(above: int, below: int, more: Fraction) -> int:
    """The whole number at or below ``above / below + more``; in whole numbers, because fractions
    would take half of the time that awards and their explanations take."""
    return (above * more.denominator + more.numerator * below) // (below * more.denominator)


def decimals(unit: Fraction) -> int:
    """Return how many decimals a multiple of ``unit`` needs: 2 for 1/100."""
    return _decimals_of(unit.denominator)


@lru_cache(maxsize=1024)
def _decimals_of(denominator: int) -> int:
    places = 0
    while places < _FINEST and 10**places % denominator:
        places += 1
    return places


def show(x: Fraction, places: int | None = None) -> str:
    """A number as text: with ``places`` decimals, or exactly if short, else 10 digits."""
    if x.denominator == 1 and not places:
        return str(x.numerator)
    if places is not None:
        return f"{_scaled(x, places)}"
    exactly = decimals(x)
    if exactly < _FINEST:
        return f"{_scaled(x, exactly)}"
    with localcontext(prec=10):
        return f"{(Decimal(x.numerator) / x.denominator).normalize():f}"


def short(x: Fraction) -> str:
    """A number with no more decimals than anybody would read out."""
    return show(x, min(decimals(x), 4))


def brief(x: Fraction) -> str:
    """As :func:`show`, but a third is ``1/3``: 18 × 1/3 is 6, 18 × 0.3333 is not."""
    as_written = x.denominator in _SMALL and abs(x) < 1
    return f"{x.numerator}/{x.denominator}" if as_written else show(x)


def _scaled(x: Fraction, places: int) -> Decimal:
    units = _floor(abs(x.numerator) * 10**places, x.denominator, _MORE[1])
    sign = "-" if x < 0 and units else ""
    return Decimal(f"{sign}{units}E-{places}")
