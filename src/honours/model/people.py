"""Who competes: players and the entrants they make up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from honours.model.facts import Facts


@dataclass(frozen=True, slots=True)
class Player:
    """A person. ``facts`` holds what a rule may ask of one: ``masterpoints``, ``rating``."""

    name: str
    number: str = ""
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who competes: a pair, a team or a single player. ``id`` is unique in its event."""

    id: str
    players: tuple[Player, ...] = ()
    name: str = ""

    def with_players(self, known: Callable[[Player], Player]) -> Entrant:
        """The entrant with every player as they are known now."""
        return replace(self, players=tuple(map(known, self.players)))

    @property
    def is_barred(self) -> bool:
        """Whether none of its players may be given points: it plays and is shown."""
        return bool(self.players) and all(p.facts.get("eligible") == "no" for p in self.players)

    @property
    def title(self) -> str:
        """What to call it: its name, its players' names, or its number."""
        return self.name or " & ".join(p.name for p in self.players if p.name) or self.id
