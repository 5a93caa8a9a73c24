"""What the ACBL's programs say about a game, in the words that rulebooks ask for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from honours.formats.acblscore.codes import CLASSES, GAMES, NEAREST_CLASSES, PUPILS
from honours.model import Value

_OF_STRATA = ("limit", "limit_b", "limit_c")


def facts_of_rating(rating: int) -> dict[str, Value]:
    """The class, where the ACBL's lists of factors have the game's rating or one near it, and what
    is played for at a club."""
    facts: dict[str, Value] = {}
    rated = CLASSES.get(rating) or NEAREST_CLASSES.get(rating)
    if rated:
        facts["class"] = rated
    if rating in GAMES or rating == PUPILS:
        facts["game"] = GAMES.get(rating, "club")
    return facts


def facts_of_limits(strata: Sequence[tuple[str, Fraction]]) -> dict[str, Value]:
    """The upper limits of a game and of its strata, the top one first; nought is none."""
    limits = [limit for _, limit in strata]
    named = zip(_OF_STRATA, limits, strict=False)
    facts: dict[str, Value] = {name: limit for name, limit in named if limit}
    for name, limit in strata:
        if limit and len(limits) > 1:
            facts[f"stratum_limit.{name}"] = limit
    if len(limits) > 1 and all(limits[1:]):
        facts["lowest_limit"] = min(limits[1:])
    return facts
