"""The strength of a field, and doubts that its game is what it is called: limited, or open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from honours.model import Player
from honours.model.message import Message
from honours.pipeline.account import Account

_FIGURES = ("masterpoints", "rating")
_LIMITED = re.compile(
    r"\b(?:under|up to|0\s*[-–]|limit(?:ed)?(?: to)?)\s*(\d{2,5})\b", re.IGNORECASE
)
_OPEN = re.compile(r"\bopen\b", re.IGNORECASE)
_FEW, _LITTLE = 8, 500
"""An open game of fewer than so many players says nothing; one in which nobody has more than so
many masterpoints looks like a limited one."""


@dataclass(frozen=True, slots=True)
class FieldStrength:
    """The mean holding of an event's players, over those whose holding is known."""

    figure: str
    mean: Fraction
    known: int
    players: int
    doubts: tuple[Message, ...] = ()


def field_strength(account: Account) -> FieldStrength | None:
    """The strength of an event's field; ``None`` where nothing is known of anybody's."""
    people = [] if account.is_go else account.players
    players = [*{(p.number, p.name): p for p in people}.values()]
    for figure in _FIGURES:
        held = [(p, value) for p in players if isinstance(value := p.facts.get(figure), Fraction)]
        if held:
            mean = sum((value for _, value in held), Fraction(0)) / len(held)
            doubts = tuple(_doubts(account, held, len(players))) if figure == _FIGURES[0] else ()
            return FieldStrength(figure, mean, len(held), len(players), doubts)
    return None


def _doubts(
    account: Account, held: Sequence[tuple[Player, Fraction]], players: int
) -> Iterator[Message]:
    """Yield what speaks against the event being what its title calls it."""
    limited = _LIMITED.search(account.title)
    if limited:
        over = [player.name for player, points in held if points > int(limited[1])]
        if over:
            yield Message(
                "its title says limited to {limit}, but these have more: {names}",
                limit=limited[1],
                names=tuple(over),
            )
    elif (
        _OPEN.search(account.title)
        and len(held) == players >= _FEW
        and max(points for _, points in held) <= _LITTLE
    ):
        yield Message(
            "its title says open, but nobody has more than {most} masterpoints: was it limited?",
            most=_LITTLE,
        )
