"""Small events to post, without a file."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from honours.ledger.events import EventToPost
from honours.model import Entrant, Field, Player, Standing
from honours.rulebooks import load

BOOK = load("sbu-clubs-2016")
RULEBOOKS = Path(__file__).parent / "rulebooks"
CUP = load("cup", [RULEBOOKS])
"""Five points for everybody."""
GIVEN = {"kind": "pairs", "winners": "1"}


def pair(n: int) -> tuple[Player, Player]:
    return (Player(f"Ann {n}", f"{100 + n}a"), Player(f"Bob {n}", f"{100 + n}b"))


def ranked(order: list[int], players: dict[int, tuple[Player, ...]] | None = None) -> Field:
    """One ranking list: pairs from the first to the last, no ties."""
    known = players or {}
    return Field(
        standings=tuple(
            Standing(Entrant(str(n), known.get(n, pair(n))), place, 1, Fraction(70 - place))
            for place, n in enumerate(order, 1)
        )
    )


def event(
    title: str = "Club night",
    day: str = "2017-01-14",
    order: list[int] | None = None,
    points: str = "local",
    source: str = "night.csv",
    **given: str,
) -> EventToPost:
    """Six pairs and a Howell: 12 points for the first pair's players, 6 for the second's."""
    field = ranked(order or [1, 2, 3, 4, 5, 6])
    return EventToPost(title, (field,), BOOK, {**GIVEN, **given}, day, "Club", source, points)
