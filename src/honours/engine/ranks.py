"""Ranks a federation gives for points: a ladder with thresholds that may need several kinds.

::

    [[ranks]]
    name = "Scottish Master"
    needs = { total = 20000, national = 5000 }
    clause = "…"

``needs`` names kinds of points, or their colours, and how many of each, in the rulebook's unit;
``total`` is all kinds together. The ladder runs from the lowest rank to the highest. A rank with
``stars = 50`` has a star for every 50 points of the total beyond what it needs. Points of one kind
may count as another's::

    [[converts]]
    from = "C"
    into = "B"
    each = 100
    clause = "…"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from honours.engine.numbers import exact
from honours.model import Citation
from honours.model.message import plural

TOTAL = "total"
"""The kind of points that is the sum of all kinds."""
USUAL_KINDS = {"local": "black", "national": "red", "qualification": "white"}
"""The kinds of points that every scheme begins with, and their colours: either is its name."""
_OTHER_NAMES = USUAL_KINDS | {colour: kind for kind, colour in USUAL_KINDS.items()}


@dataclass(frozen=True, slots=True)
class Conversion:
    """Points of one kind that count as points of another, in whole ones alone."""

    of: str
    into: str
    each: Fraction
    citation: Citation

    def applied(self, points: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """The points with what they count as; what is left over counts nothing."""
        whole = Fraction(_held(points, self.of) // self.each)
        others = {kind: amount for kind, amount in points.items() if kind != self.of}
        return others | {self.into: _held(others, self.into) + whole}


@dataclass(frozen=True, slots=True)
class Rank:
    """One rank, what it needs of each kind of points, and where that is stated."""

    name: str
    needs: Mapping[str, Fraction]
    citation: Citation
    stars: Fraction = Fraction(0)
    conversions: tuple[Conversion, ...] = ()

    def counted(self, points: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """What points of each kind count as, and their total."""
        held = dict(points)
        for conversion in self.conversions:
            held = conversion.applied(held)
        return held | {TOTAL: sum(held.values(), Fraction(0))}

    def stars_with(self, points: Mapping[str, Fraction]) -> int:
        """How many stars these points give it."""
        if not self.stars:
            return 0
        return int((self.counted(points)[TOTAL] - self.needs.get(TOTAL, 0)) // self.stars)

    def titled(self, points: Mapping[str, Fraction]) -> str:
        """The rank with the stars that these points give it."""
        count = self.stars_with(points)
        if not count:
            return self.name
        return plural("{rank}, {count} star", "{rank}, {count} stars", rank=self.name, count=count)

    def reached_with(self, points: Mapping[str, Fraction]) -> bool:
        """Whether these points, by kind, are enough."""
        return not self.still_needs(points)

    def still_needs(self, points: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """How many points of each kind are missing to it."""
        held = self.counted(points)
        missing = {kind: least - _held(held, kind) for kind, least in self.needs.items()}
        return {kind: points for kind, points in missing.items() if points > 0}


def _held(points: Mapping[str, Fraction], kind: str) -> Fraction:
    """The points of a kind, by its name or by its colour."""
    return points.get(kind, points.get(_OTHER_NAMES.get(kind, kind), Fraction(0)))


def citation_of(table: Mapping[str, Any]) -> Citation:
    """Where a table of ``rulebook.toml`` says it is stated."""
    return Citation(table["clause"], table.get("quote", ""))


def read_ranks(
    tables: Iterable[Mapping[str, Any]], converts: Iterable[Mapping[str, Any]] = ()
) -> tuple[Rank, ...]:
    """The ranks as ``rulebook.toml`` states them, from the lowest, with what points count as."""
    conversions = tuple(
        Conversion(table["from"], table["into"], exact(table["each"]), citation_of(table))
        for table in converts
    )
    return tuple(
        Rank(
            table["name"],
            {kind: exact(least) for kind, least in table["needs"].items()},
            citation_of(table),
            exact(table.get("stars", 0)),
            conversions,
        )
        for table in tables
    )


def rank_reached(ranks: Iterable[Rank], points: Mapping[str, Fraction]) -> Rank | None:
    """The highest rank these points (kind → how many, without a total) are enough for."""
    reached = [rank for rank in ranks if rank.reached_with(points)]
    return reached[-1] if reached else None
