"""Ranks a federation gives for points: a ladder with thresholds that may need several kinds.

::

    [[ranks]]
    name = "Scottish Master"
    needs = { total = 20000, national = 5000 }
    clause = "…"

``needs`` names kinds of points and how many of each, in the rulebook's unit; ``total`` is all kinds
together. The ladder runs from the lowest rank to the highest.
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


@dataclass(frozen=True, slots=True)
class Rank:
    """One rank, what it needs of each kind of points, and where that is stated."""

    name: str
    needs: Mapping[str, Fraction]
    citation: Citation

    def reached_with(self, points: Mapping[str, Fraction]) -> bool:
        """Whether these points, by kind, are enough."""
        held = {**points, TOTAL: sum(points.values(), Fraction(0))}
        return all(held.get(kind, Fraction(0)) >= least for kind, least in self.needs.items())


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
