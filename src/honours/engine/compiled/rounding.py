"""Rounding of floats, and how near to a boundary they may come, for columns and loops alike."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from honours.engine.rounding import WAYS

# Errors of the float way stay some thousand times below this (a test measures them); what lies
# closer than this to a boundary is decided the exact way.
BOUND = 1e-11


def float_units(x: Any, sign: int, halves: int, above: float, below: float) -> Any:
    """How many units of ``above / below`` a float rounds to in the given way, and whether it is
    too near a boundary to be sure. Takes a number or a whole column."""
    share = sign * (x * below / above) + halves / 2
    near = np.abs(share - np.rint(share)) <= BOUND * np.maximum(1.0, np.abs(share))
    return sign * np.floor(share), near


def rounded_floats(values: Any, mode: str, unit: Fraction) -> tuple[Any, Any]:
    """The units of every float in a column, and which are in doubt: those near a boundary, and
    NaNs."""
    sign, halves, _ = WAYS[mode]
    with np.errstate(all="ignore"):
        units, near = float_units(
            values, sign, halves, float(unit.numerator), float(unit.denominator)
        )
        fits = np.abs(units) < 2.0**62  # false for a NaN
    return np.where(fits, units, 0).astype(np.int64), near | ~fits
