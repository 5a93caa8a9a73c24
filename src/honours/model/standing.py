"""How they stand: the ranking lists of an event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from honours.model.facts import Facts, KnownFact, Origin
from honours.model.people import Entrant, Player


@dataclass(frozen=True, slots=True)
class Game:
    """One game or match of an entrant as it sees it: against whom, by entrant id, and what a rule
    may ask of it (``result``, ``handicap``, ``boards``)."""

    opponent: str
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Standing:
    """An entrant's line in one ranking list, ``tied`` entrants sharing ``place``."""

    entrant: Entrant
    place: int
    tied: int = 1
    score: Fraction | None = None
    facts: Facts = field(default_factory=dict)
    games: tuple[Game, ...] = ()

    @property
    def placing(self) -> str:
        """``3``, or ``3=`` for a tie."""
        return f"{self.place}=" if self.tied > 1 else str(self.place)


@dataclass(frozen=True, slots=True)
class Field:
    """All that a rulebook may know of an event: one ranking list and the facts about it.

    ``group`` is the flight or bracket that it is of, an event of its own beside others.
    ``section``, ``line``, ``stratum`` and ``session`` say which list of the event this is, where
    it has several.
    ``of_section`` is the section, or those ranked together, that a line is of, where others are
    ranked by themselves.
    ``sources`` says how facts came to be known, also those that a rulebook has no use for.
    """

    facts: Facts = field(default_factory=dict)
    standings: tuple[Standing, ...] = ()
    line: str = ""
    stratum: str = ""
    session: str = ""
    sources: Mapping[str, KnownFact] = field(default_factory=dict)
    section: str = ""
    of_section: str = ""
    group: str = ""

    def knowing(self, facts: Facts, origin: Origin, source: str = "") -> Field:
        """The list with more facts, which all came to be known in one way."""
        known = {name: KnownFact(name, value, origin, source) for name, value in facts.items()}
        return replace(self, facts={**self.facts, **facts}, sources={**self.sources, **known})

    def with_players(self, known: Callable[[Player], Player]) -> Field:
        """The list with every player as they are known now."""
        standings = (replace(s, entrant=s.entrant.with_players(known)) for s in self.standings)
        return replace(self, standings=tuple(standings))

    @property
    def label(self) -> dict[str, str]:
        """The parts of its name that are not empty, e.g. ``{"line": "NS"}``."""
        parts = {
            "group": self.group,
            "section": self.section,
            "line": self.line,
            "stratum": self.stratum,
            "session": self.session,
        }
        return {key: text for key, text in parts.items() if text}
