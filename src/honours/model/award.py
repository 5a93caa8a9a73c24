"""Entrants, their standings in the ranking lists of an event, their awards, and the reasons."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from honours.model.facts import Facts, KnownFact, Origin, Value


@dataclass(frozen=True, slots=True)
class Player:
    """A person. ``facts`` holds what a rule may ask of one: ``masterpoints``, ``rating``."""

    name: str
    number: str = ""
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A pair, a team or a single player that competes. ``id`` is unique in its event."""

    id: str
    players: tuple[Player, ...] = ()
    name: str = ""

    def with_players(self, known: Callable[[Player], Player]) -> Entrant:
        """The entrant with every player as they are known now."""
        return replace(self, players=tuple(map(known, self.players)))

    @property
    def is_barred(self) -> bool:
        """True if none of its players may be given points: it plays and is shown."""
        return bool(self.players) and all(p.facts.get("eligible") == "no" for p in self.players)

    @property
    def title(self) -> str:
        """The name it goes by: its own, its players' names, or its number."""
        return self.name or " & ".join(p.name for p in self.players if p.name) or self.id


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


@dataclass(frozen=True, slots=True)
class Citation:
    """The place where a rule or a number is stated, and the few words that state it."""

    clause: str
    words: str = ""

    def __str__(self) -> str:
        return f"{self.clause}: “{self.words}”" if self.words else self.clause


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that says in plain words how an award came about, and the clause behind it."""

    text: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Step:
    """One quantity on the way to an award: a node of the explanation's tree.

    ``kind`` ``aggregate`` is a mean or a sum over many, ``place`` what the place above got.
    ``formula`` is in names, ``working`` the same with their values; ``because`` says why this
    formula and no other of the rule; ``rounding`` how the value was rounded. An aggregate's members
    are in ``parts``. ``short`` is on the award itself: what one would say of it to a member.
    ``called`` is what readers call it, where that is more than the name with spaces; ``item_of``
    names the table whose item it is, where the rule takes one and nothing else.
    """

    name: str
    value: Value
    shown: str
    kind: Literal["input", "parameter", "rule", "aggregate", "place"]
    about: str = ""
    formula: str = ""
    working: str = ""
    rounding: str = ""
    citation: Citation | None = None
    uses: tuple[Step, ...] = ()
    parts: tuple[tuple[str, str], ...] = ()
    because: str = ""
    short: tuple[Sentence, ...] = ()
    called: str = ""
    item_of: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why nothing is awarded. An answer, not an error."""

    reason: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader must know beside the figures: a warning or a flagged reading."""

    text: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Choice:
    """A reading the source does not settle, and which one we took."""

    name: str
    reading: str
    parameter: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """Something a rulebook gives an entrant, or one ``player`` of it, besides points: a new rating,
    a norm, a title."""

    name: str
    value: Value
    shown: str
    why: Step
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class Award:
    """The award of each player of a standing, with its explanation.

    ``refusal`` says why nobody of the entrant gets anything, ``withheld`` why some players do not.
    Where players of one entrant get different amounts, ``shares`` has each in the order of the
    players and ``amount`` is the largest. ``colours`` says of which kinds of points it is made;
    where ``one_kind`` is, the rulebook has no other, and nobody has to be told.
    """

    standing: Standing
    amount: Fraction
    shown: str
    why: Step
    refusal: Refusal | None = None
    withheld: tuple[tuple[Player, Refusal], ...] = ()
    shares: tuple[Fraction, ...] = ()
    colours: Mapping[str, Fraction] = dataclasses.field(default_factory=dict)
    one_kind: bool = False
    figures: tuple[Figure, ...] = ()

    def amount_of(self, player: int) -> Fraction:
        """Return the award of the player at this index of the entrant."""
        return self.shares[player] if self.shares else self.amount


@dataclass(frozen=True, slots=True)
class Awards:
    """The awards of a rulebook for one ranking list. ``unused`` are facts that played no part;
    ``known`` is everything it was told, derived or assumed, each with its source."""

    rulebook: str
    revision: int
    amended: Mapping[str, str]
    unit: str
    field: Field
    quantities: Mapping[str, str]
    schedule: tuple[Award, ...]
    why: tuple[Step, ...] = ()
    refusal: Refusal | None = None
    notices: tuple[Notice, ...] = ()
    choices: tuple[Choice, ...] = ()
    extras: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)
    unused: frozenset[str] = frozenset()
    known: tuple[KnownFact, ...] = ()
