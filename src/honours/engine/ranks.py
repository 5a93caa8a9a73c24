"""Ranks a federation gives for points: a ladder with thresholds that may need several kinds.

::

    [[ranks]]
    name = "Scottish Master"
    needs = { total = 20000, national = 5000 }
    clause = "…"

``needs`` names kinds of points, or their colours, and how many of each, in the rulebook's unit;
``total`` is all kinds together. The ladder runs from the lowest rank to the highest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from honours.engine.numbers import exact
from honours.model import Citation

TOTAL = "total"
"""The kind of points that is the sum of all kinds."""
USUAL_KINDS = {"local": "black", "national": "red", "qualification": "white"}
"""The kinds of points that every scheme begins with, and their colours: either is its name."""
_OTHER_NAMES = USUAL_KINDS | {colour: kind for kind, colour in USUAL_KINDS.items()}


@dataclass(frozen=True, slots=True)
class Rank:
    """One rank, what it needs of each kind of points, and where that is stated."""

    name: str
    needs: Mapping[str, Fraction]
    citation: Citation

    def reached_with(self, points: Mapping[str, Fraction]) -> bool:
        """Whether these points, by kind, are enough."""
        return not self.still_needs(points)

    def still_needs(self, points: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """How many points of each kind are missing to it."""
        held = {**points, TOTAL: sum(points.values(), Fraction(0))}
        missing = {kind: least - _held(held, kind) for kind, least in self.needs.items()}
        return {kind: points for kind, points in missing.items() if points > 0}


def _held(points: Mapping[str, Fraction], kind: str) -> Fraction:
    """The points of a kind, by its name or by its colour."""
    return points.get(kind, points.get(_OTHER_NAMES.get(kind, kind), Fraction(0)))


def read_ranks(tables: Iterable[Mapping[str, Any]]) -> tuple[Rank, ...]:
    """The ranks as ``rulebook.toml`` states them, from the lowest."""
    return tuple(
        Rank(
            table["name"],
            {kind: exact(least) for kind, least in table["needs"].items()},
            Citation(table["clause"], table.get("quote", "")),
        )
        for table in tables
    )


def rank_reached(ranks: Iterable[Rank], points: Mapping[str, Fraction]) -> Rank | None:
    """The highest rank these points (kind → how many, without a total) are enough for."""
    reached = [rank for rank in ranks if rank.reached_with(points)]
    return reached[-1] if reached else None
