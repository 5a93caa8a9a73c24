"""The nouns of the house: who competed, what happened, how they stand, what they are awarded.

Everything here is frozen. Numbers that decide anything are ``Fraction``; a float never appears.
An entrant is who competes (a pair, a team, one player); a place is a rank counted from 1.
In order: people · what happened at the tables · how they stand · what they are awarded.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Literal

Value = Fraction | str
"""A fact: an exact number, or a word such as ``"regional"``."""

Facts = Mapping[str, Value]


# --- people -----------------------------------------------------------------------------------


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

    @property
    def title(self) -> str:
        """What to call it: its name, its players' names, or its number."""
        return self.name or " & ".join(p.name for p in self.players if p.name) or self.id


# --- what happened at the tables ------------------------------------------------------------


class Seat(StrEnum):
    """A seat at the table, clockwise."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"


class Denomination(StrEnum):
    """A suit or no trumps, from the lowest."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"
    NO_TRUMPS = "N"


@dataclass(frozen=True, slots=True)
class Contract:
    """A final contract. ``doubled`` is 0, 1 (doubled) or 2 (redoubled)."""

    level: int
    denomination: Denomination
    declarer: Seat
    doubled: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """Where something was read: a file and the line in it (0 when a format has no lines)."""

    path: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}, line {self.line}" if self.line else self.path


@dataclass(frozen=True, slots=True)
class Artificial:
    """An artificial score for one side: a share of the board, 3/5 for average plus.

    With ``session_rule`` the side's own session percentage counts instead where it is more
    favourable in the ruling's direction (Law 12C2: above 60% for plus, below 40% for minus).
    """

    share: Fraction
    session_rule: bool = False


@dataclass(frozen=True, slots=True)
class Assigned:
    """An assigned score for one side: weights that add up to 1, each with a score for NS."""

    scores: tuple[tuple[Fraction, int], ...]


@dataclass(frozen=True, slots=True)
class Adjusted:
    """What a ruling gives instead of the score at the table; the sides may differ."""

    ns: Artificial | Assigned
    ew: Artificial | Assigned


@dataclass(frozen=True, slots=True)
class Result:
    """One line of a traveller.

    ``ns`` and ``ew`` are the ids of the entrants that share the side's score: one for pairs and
    teams, two for individuals. ``score`` is North-South's; ``None`` with neither contract nor
    ``adjusted`` means the board was not played. ``version`` names the form of a fouled board.
    ``published`` is what the file itself says of the line (``ns_matchpoints`` …), to compare with.
    """

    board: int
    ns: tuple[str, ...]
    ew: tuple[str, ...]
    score: int | None = None
    contract: Contract | None = None
    tricks: int | None = None
    passed_out: bool = False
    adjusted: Adjusted | None = None
    version: str = ""
    lead: str = ""
    section: str = ""
    round: int = 0
    table: int = 0
    remark: str = ""
    published: Facts = field(default_factory=dict)
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """A board as dealt. ``deal`` is PBN's deal string, empty when unknown."""

    number: int
    deal: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """A match between two entrants of a teams or Swiss event, as a file that has no boards
    gives it: IMPs or victory points of either side, ``None`` where not given."""

    round: int
    home: str
    away: str
    home_imps: Fraction | None = None
    away_imps: Fraction | None = None
    home_vps: Fraction | None = None
    away_vps: Fraction | None = None
    boards: int = 0
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points taken from (or, negative, given to) an entrant; ``unit`` is matchpoints, percent
    (of a board's top: a tenth of a top is 10), imps or vps."""

    entrant: str
    amount: Fraction
    unit: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """One sitting: its results, and its matches where they are given rather than played out."""

    number: int = 1
    results: tuple[Result, ...] = ()
    matches: tuple[Match, ...] = ()
    boards: tuple[Board, ...] = ()
    penalties: tuple[Penalty, ...] = ()


@dataclass(frozen=True, slots=True)
class EventEntrant:
    """An entrant as it took part: where it sat and what was said of it beforehand."""

    entrant: Entrant
    number: str = ""
    line: str = ""
    section: str = ""
    stratum: str = ""
    handicap: Fraction = Fraction(0)
    carried: Fraction = Fraction(0)
    published: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Event:
    """An event as it was played, before any scoring.

    ``kind`` is pairs, individual or teams; ``scoring`` is matchpoints, cross-imps, butler, imps
    or board-a-match; ``winners`` is 1, 2 or 0 for not said. ``program`` wrote the file.
    """

    title: str
    kind: str
    scoring: str
    entrants: tuple[EventEntrant, ...]
    sessions: tuple[Session, ...]
    winners: int = 0
    swiss: bool = False
    date: date | None = None
    club: str = ""
    program: str = ""
    facts: Facts = field(default_factory=dict)
    source: Source | None = None


# --- how they stand --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Standing:
    """An entrant's line in one ranking list, ``tied`` entrants sharing ``place``."""

    entrant: Entrant
    place: int
    tied: int = 1
    score: Fraction | None = None
    facts: Facts = field(default_factory=dict)

    @property
    def placing(self) -> str:
        """``3``, or ``3=`` for a tie."""
        return f"{self.place}=" if self.tied > 1 else str(self.place)


@dataclass(frozen=True, slots=True)
class Field:
    """All that a rulebook may know of an event: one ranking list and the facts about it.

    ``line``, ``stratum`` and ``session`` say which list of the event this is, where it has several.
    """

    facts: Facts = field(default_factory=dict)
    standings: tuple[Standing, ...] = ()
    line: str = ""
    stratum: str = ""
    session: str = ""

    @property
    def label(self) -> dict[str, str]:
        """The parts of its name that are not empty, e.g. ``{"line": "NS"}``."""
        parts = {"line": self.line, "stratum": self.stratum, "session": self.session}
        return {key: text for key, text in parts.items() if text}


# --- what they are awarded -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a rule or a number is stated, and the few words that state it."""

    clause: str
    words: str = ""

    def __str__(self) -> str:
        return f"{self.clause}: “{self.words}”" if self.words else self.clause


@dataclass(frozen=True, slots=True)
class Step:
    """One quantity on the way to an award: a node of the explanation's tree.

    ``kind`` ``aggregate`` is a mean or a sum over many, ``place`` what the place above got.
    ``formula`` is in names, ``working`` the same with their values; ``because`` says why this
    formula and no other of the rule; ``rounding`` how the value was rounded. An aggregate's members
    are in ``parts``.
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


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing is awarded. An answer, not an error."""

    reason: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader must know beside the figures: a warning or a flagged reading."""

    text: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Choice:
    """A reading the source does not settle, and the one taken."""

    name: str
    reading: str
    parameter: str = ""


@dataclass(frozen=True, slots=True)
class Award:
    """What each player of a standing is awarded, and why.

    ``refusal`` says why nobody of the entrant gets anything, ``withheld`` why some players do not.
    """

    standing: Standing
    amount: Fraction
    shown: str
    why: Step
    refusal: Refusal | None = None
    withheld: tuple[tuple[Player, Refusal], ...] = ()


@dataclass(frozen=True, slots=True)
class Awards:
    """What a rulebook says of one ranking list. ``unused`` are facts that played no part."""

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
