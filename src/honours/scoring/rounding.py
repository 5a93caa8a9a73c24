"""Rounding for display."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction


def half_up(value: Fraction, unit: Fraction) -> Fraction:
    """The nearest multiple of ``unit``; a half goes away from zero, as printed results do."""
    wholes, part = abs(value.numerator) * unit.denominator, value.denominator * unit.numerator
    steps = (2 * wholes + part) // (2 * part)
    return Fraction((steps if value >= 0 else -steps) * unit.numerator, unit.denominator)


def decimals_of(unit: Fraction) -> int:
    """How many decimals a multiple of ``unit`` is shown with, at the most two: 1 for tenths."""
    return next((n for n in (0, 1) if (unit * 10**n).denominator == 1), 2)


def column(values: Iterable[Fraction], least: int = 0) -> list[str]:
    """Figures that stand below each other, all with the decimals that the finest needs, up to
    two: ``196.0`` beside ``207.7``."""
    figures = list(values)
    places = max([least, *(decimals_of(value) for value in figures)])
    return [decimals(value, places) for value in figures]


def decimals(value: Fraction, places: int = 2) -> str:
    """Half up to ``places`` decimals, all of them printed: 62.5 is ``62.50``."""
    units = int(half_up(value, Fraction(1, 10**places)) * 10**places)
    whole, part = divmod(abs(units), 10**places)
    sign = "-" if units < 0 else ""
    return f"{sign}{whole}.{part:0{places}d}" if places else f"{sign}{whole}"
