"""A scored event as plain data: what every line, board and entrant got, and how they stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from honours.model.message import Message
from honours.scoring.sides import Side, entrants

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from honours.model import ArtificialScore, Event, Result, Source
    from honours.scoring.imp_pairs import ImpScores
    from honours.scoring.match_totals import MatchScores
    from honours.scoring.profiles import Profile
    from honours.scoring.standings import Ranking, Tally

NOUNS = {"pairs": "pair", "teams": "team", "individual": "player"}
"""What one entrant is called in an event of each kind."""

How = Literal[
    "matchpoints", "simplified", "small group", "cross-imps", "butler", "artificial", "lone score"
]
"""By what rule a side has its points."""


@dataclass(frozen=True, slots=True)
class SideScore:
    """What one side of a line got: ``points`` out of ``top`` (0 for IMPs, which have none). ``how``
    says by what rule; ``obtained`` scores were compared in the side's group, ``expected`` is what
    the board was factored to and ``sign_sum`` how many it beat less how many beat it. ``own`` is
    set where Law 12C2 gives an entrant its session percentage instead.

    ``how`` says by what rule; ``obtained`` scores were compared in the side's group, ``expected``
    is what the board was factored to and ``sign_sum`` how many it beat less how many beat it.
    ``own`` is there where Law 12C2 gives an entrant its session percentage instead.
    """

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
        """Where an entrant played, board by board."""
        for board in self.boards:
            for line in board.lines:
                for who, side, score in line.shares():
                    if who == entrant:
                        yield board, line, side, score
