"""Rounding of what is shown."""

from __future__ import annotations

from fractions import Fraction
from math import floor


def half_up(value: Fraction, unit: Fraction) -> Fraction:
    """The nearest multiple of ``unit``; a half goes away from zero, as printed results do."""
    steps = floor(abs(value) / unit + Fraction(1, 2))
    return (steps if value >= 0 else -steps) * unit


def decimals(value: Fraction, places: int = 2) -> str:
    """Half up to ``places`` decimals, all of them printed: 62.5 is ``62.50``."""
    units = int(half_up(value, Fraction(1, 10**places)) * 10**places)
    whole, part = divmod(abs(units), 10**places)
    sign = "-" if units < 0 else ""
    return f"{sign}{whole}.{part:0{places}d}" if places else f"{sign}{whole}"
