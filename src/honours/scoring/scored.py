"""A scored event as plain data: what every line, board and entrant got, and how they stand.

A side's scores are seen from its own chair, so that more is better for either.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from honours.model import ArtificialScore, AssignedScore, Result
from honours.model.message import Message
from honours.scoring.contracts import ns_score

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from honours.model import ArtificialScore, Event, Result, Source
    from honours.scoring.imps import ImpScores
    from honours.scoring.matches import MatchScores
    from honours.scoring.profiles import Profile
    from honours.scoring.standings import Ranking, Tally


Weighted = tuple[tuple[Fraction, int], ...]
"""Scores with weights that add up to 1; a score at the table has weight 1."""


WHOLE = Fraction(1)


class Side(StrEnum):
    """A side of the table."""

    NS = "NS"
    EW = "EW"


def entrants(result: Result, side: Side) -> tuple[str, ...]:
    return result.ns if side is Side.NS else result.ew


def table_score(result: Result) -> int | None:
    """North-South's score at the table, however the line gives it; ``None`` if not played."""
    if result.score is not None:
        return result.score
    if result.passed_out:
        return 0
    if result.contract is None or result.tricks is None:
        return None
    return ns_score(result.contract, result.tricks, result.board)


def is_played(result: Result) -> bool:
    """True if the line has something to score: a result or a ruling."""
    if result.adjusted is not None or result.score is not None or result.passed_out:
        return True
    return result.contract is not None and result.tricks is not None


def artificial(result: Result, side: Side) -> ArtificialScore | None:
    """The artificial score a ruling gave the side, if it did."""
    ruling = _ruling(result, side)
    return ruling if isinstance(ruling, ArtificialScore) else None


def comparable(result: Result, side: Side) -> Weighted | None:
    """The side's score as others are compared with it: the ruling's, or the one at the table."""
    ruling = _ruling(result, side)
    sign = 1 if side is Side.NS else -1
    if isinstance(ruling, AssignedScore):
        return tuple((weight, sign * score) for weight, score in ruling.scores)
    score = table_score(result)
    if ruling is not None or score is None:
        return None
    return ((WHOLE, sign * score),)


def _ruling(result: Result, side: Side) -> ArtificialScore | AssignedScore | None:
    if result.adjusted is None:
        return None
    return result.adjusted.ns if side is Side.NS else result.adjusted.ew


# --- a scored event ----------------------------------------------------------------------------


NOUNS = {"pairs": "pair", "teams": "team", "individual": "player"}
"""What one entrant is called in an event of each kind."""

How = Literal[
    "matchpoints", "simplified", "small group", "cross-imps", "butler", "artificial", "lone score"
]
"""By what rule a side has its points."""


@dataclass(frozen=True, slots=True)
class SideScore:
    """The score of one side of a line: ``points`` out of ``top`` (0 for IMPs, which have none).
    ``how`` says by what rule; ``obtained`` scores were compared in the side's group, ``expected``
    is what the board was factored to and ``sign_sum`` how many it beat less how many beat it.
    ``own`` is set where Law 12C2 gives an entrant its session percentage instead."""

    points: Fraction
    top: Fraction
    how: How
    obtained: int = 0
    expected: int = 0
    sign_sum: Fraction = Fraction(0)
    session_rule: ArtificialScore | None = None
    own: Mapping[str, Fraction] = field(default_factory=dict)
    uncounted: frozenset[str] = frozenset()

    def points_of(self, entrant: str) -> Fraction:
        return self.own.get(entrant, self.points)


@dataclass(frozen=True, slots=True)
class ScoredLine:
    """A line of a traveller; a side without a score has ``None``."""

    result: Result
    ns: SideScore | None = None
    ew: SideScore | None = None

    def side(self, side: Side) -> SideScore | None:
        return self.ns if side is Side.NS else self.ew

    def shares(self) -> Iterator[tuple[str, Side, SideScore]]:
        """Every entrant with what its side got."""
        for side in Side:
            score = self.side(side)
            if score is not None:
                for entrant in entrants(self.result, side):
                    yield entrant, side, score


@dataclass(frozen=True, slots=True)
class ScoredBoard:
    """A board as one field met it: in a session, and in a section where they are scored apart."""

    number: int
    session: int
    section: str
    lines: tuple[ScoredLine, ...]


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something a scorer should look at; the event is scored all the same."""

    text: Message
    source: Source | None = None

    def __str__(self) -> str:
        return f"{self.source}: {self.text}" if self.source else self.text


@dataclass(frozen=True, slots=True)
class ScoredEvent:
    """An event and all that scoring made of it.

    ``imps`` and ``matches`` hold what only an event in IMPs or one of matches has; ``chosen``
    says in words how it was scored. ``one_winner`` are the sections that have one winner where
    ``winners`` is 2.
    """

    event: Event
    profile: Profile
    boards: tuple[ScoredBoard, ...]
    tallies: tuple[Tally, ...]
    rankings: tuple[Ranking, ...]
    session_tallies: tuple[tuple[Tally, ...], ...] = ()
    winners: int = 1
    oddities: tuple[Oddity, ...] = ()
    imps: ImpScores | None = None
    matches: MatchScores | None = None
    chosen: str = ""
    one_winner: tuple[str, ...] = ()

    def lines_of(self, entrant: str) -> Iterator[tuple[ScoredBoard, ScoredLine, Side, SideScore]]:
        """The lines of an entrant, board by board."""
        for board in self.boards:
            for line in board.lines:
                for who, side, score in line.shares():
                    if who == entrant:
                        yield board, line, side, score
