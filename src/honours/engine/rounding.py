"""The ways to round, each declared once: every number of the engine is rounded by these.

A multiple of a unit is ``sign × floor(sign × share + halves / 2)``, where the share is how many
units there are. Fractions and columns bring nothing but their own floor.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from honours.model.message import mark


class RoundingWay(NamedTuple):
    """How a share becomes whole, and what an explanation says of it."""

    sign: int
    halves: int
    wording: str


WAYS: Mapping[str, RoundingWay] = {
    "up": RoundingWay(-1, 0, mark("{value} rounded up, in steps of {unit}")),
    "down": RoundingWay(1, 0, mark("{value} rounded down, in steps of {unit}")),
    "nearest": RoundingWay(1, 1, mark("{value} rounded to the nearest, in steps of {unit}")),
}
"""By the names that rules and rulebooks use; of the nearest, a half goes up."""
