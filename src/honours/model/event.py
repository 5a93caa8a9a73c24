"""An event as it was played, before any scoring."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction

from honours.model.award import Entrant, Game
from honours.model.facts import Facts
from honours.model.message import Message


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
    """The file in which something was read, and the line (0 when a format has no lines)."""

    path: str
    line: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.path
        return Message("{file}, line {line}", file=self.path, line=self.line)


@dataclass(frozen=True, slots=True)
class ArtificialScore:
    """An artificial score for one side: a share of the board, 3/5 for average plus.

    With ``session_rule`` the side's own session percentage counts instead where it is more
    favourable in the ruling's direction (Law 12C2: above 60% for plus, below 40% for minus).
    """

    share: Fraction
    session_rule: bool = False


@dataclass(frozen=True, slots=True)
class AssignedScore:
    """An assigned score for one side: weights that add up to 1, each with a score for NS."""

    scores: tuple[tuple[Fraction, int], ...]


@dataclass(frozen=True, slots=True)
class AdjustedScore:
    """A ruling's score instead of that at the table; the sides may differ."""

    ns: ArtificialScore | AssignedScore
    ew: ArtificialScore | AssignedScore


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
    adjusted: AdjustedScore | None = None
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
    """An entrant as it took part: where it sat and what was said of it beforehand.

    ``games`` are those that a file of places tells, by the ids of entrants; of any other event they
    follow from its results.
    """

    entrant: Entrant
    number: str = ""
    line: str = ""
    section: str = ""
    stratum: str = ""
    handicap: Fraction = Fraction(0)
    carried: Fraction = Fraction(0)
    published: Facts = field(default_factory=dict)
    games: tuple[Game, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """An event as it was played, before any scoring.

    ``kind`` is pairs, individual or teams; ``scoring`` is matchpoints, cross-imps, butler, imps
    or board-a-match; ``winners`` is 1, 2 or 0 for not said. ``program`` wrote the file, and
    ``doubts`` are why it may not be the whole of it.
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
    doubts: tuple[str, ...] = ()
