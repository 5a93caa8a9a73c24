"""Rounding of exact numbers, each way named after what the rulebooks call it."""

from __future__ import annotations

from fractions import Fraction
from math import floor


def half_up(value: Fraction, unit: Fraction) -> Fraction:
    """The nearest multiple of ``unit``; a half goes away from zero, as printed results do."""
    steps = floor(abs(value) / unit + Fraction(1, 2))
    return (steps if value >= 0 else -steps) * unit


def half_towards(value: Fraction, unit: Fraction, average: Fraction) -> Fraction:
    """The nearest multiple of ``unit``; a half goes towards ``average`` (EBU)."""
    steps = value / unit
    below = Fraction(floor(steps))
    if steps - below == Fraction(1, 2):
        return (below + 1 if value < average else below) * unit
    return floor(steps + Fraction(1, 2)) * unit


def decimals(value: Fraction, places: int = 2) -> str:
    """Half up to ``places`` decimals, all of them printed: 62.5 is ``62.50``."""
    units = int(half_up(value, Fraction(1, 10**places)) * 10**places)
    whole, part = divmod(abs(units), 10**places)
    sign = "-" if units < 0 else ""
    return f"{sign}{whole}.{part:0{places}d}" if places else f"{sign}{whole}"
