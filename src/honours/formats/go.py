"""Go tournaments as they were played: players, games, byes, and how the event places them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from fractions import Fraction

from honours.errors import FileProblem, raise_problems
from honours.model import Player, Source
from honours.model.message import Message, mark

_RANK = re.compile(r"(\d{1,2}) ?([dkp]?)(?:an|yu|ro)?", re.IGNORECASE)


class Winner(StrEnum):
    """Who won a game; ``UNKNOWN`` is a game without a result."""

    WHITE = "white"
    BLACK = "black"
    JIGO = "jigo"
    BOTH = "both"
    NEITHER = "neither"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class GoPlayer:
    """A player in a tournament. ``rank`` counts from 0 for 1 dan, 1 kyu is -1.

    ``present`` says for each round whether the player took part; the rest of the rounds count as
    present. ``correction`` is added to the starting McMahon score. ``strength`` is the rating on
    the scale of the program that ran the event, which is the one it places by.
    """

    key: str
    player: Player
    rank: int | None = None
    country: str = ""
    club: str = ""
    present: tuple[bool, ...] = ()
    correction: int = 0
    strength: Fraction | None = None

    @property
    def gor(self) -> Fraction | None:
        """The strength where it can be a rating: programs keep -9999 and the like for none."""
        on_scale = self.strength is not None and -2900 <= self.strength < 3300
        return self.strength if on_scale else None

    def takes_part(self, round_: int) -> bool:
        return round_ > len(self.present) or self.present[round_ - 1]


@dataclass(frozen=True, slots=True)
class GoGame:
    """A game between two players' keys; ``by_default`` was won without being played."""

    round: int
    white: str
    black: str
    winner: Winner
    handicap: int = 0
    komi: Fraction | None = None
    by_default: bool = False
    table: int = 0
    source: Source | None = None

    def points(self, key: str) -> Fraction:
        """What the game is worth to one of its players: 1, a half or nothing."""
        if self.winner is Winner.JIGO:
            return Fraction(1, 2)
        own = Winner.WHITE if key == self.white else Winner.BLACK
        return Fraction(int(self.winner in (own, Winner.BOTH)))

    def opponent(self, key: str) -> str:
        return self.black if key == self.white else self.white


@dataclass(frozen=True, slots=True)
class Placement:
    """How an event places its players: the criteria in order, and what they count with.

    McMahon starting scores run from ``floor`` to ``bar``, counted from ``zero``; points for a
    round without a game are in halves already, rounded down together when ``floored``.
    ``category_ranks`` are the lowest ranks of all categories but the last, ``group_ranks`` of all
    groups of starting scores but the last (OpenGotha's BZS), the highest first. Where
    ``bye_has_own_sum`` a bye counts in the sum of opponents' sums as one's own sum; unless
    ``handicap_in_sums`` stones are not reckoned into an opponent's score.
    """

    criteria: tuple[str, ...]
    bar: int = 9
    floor: int = -30
    zero: int = -30
    absent_wins: Fraction = Fraction(0)
    absent_mms: Fraction = Fraction(0)
    bye_wins: Fraction = Fraction(1)
    bye_mms: Fraction = Fraction(1)
    floored: bool = True
    unplayed_as_half: bool = False
    categories: int = 1
    category_ranks: tuple[int, ...] = ()
    group_ranks: tuple[int, ...] = ()
    bye_has_own_sum: bool = False
    handicap_in_sums: bool = True


@dataclass(frozen=True, slots=True)
class GoTournament:
    """A go event before any placing. ``byes`` are (round, player key); ``notices`` say what was
    assumed or left out in reading it, ``doubts`` why the file may not be whole."""

    title: str
    players: tuple[GoPlayer, ...]
    games: tuple[GoGame, ...]
    rounds: int
    placement: Placement
    byes: frozenset[tuple[int, str]] = frozenset()
    date: date | None = None
    place: str = ""
    program: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    source: Source | None = None
    doubts: tuple[str, ...] = ()

    def missing(self) -> Iterator[str]:
        """What an event lacks to be finished: results of games, and whole rounds."""
        names = {player.key: player.player.name for player in self.players}
        for game in self.games:
            if game.winner is Winner.UNKNOWN:
                who = f"{names.get(game.white, game.white)} – {names.get(game.black, game.black)}"
                yield Message(
                    mark("round {round}, table {table}: {who} has no result")
                    if game.table
                    else mark("round {round}: {who} has no result"),
                    round=game.round,
                    table=game.table,
                    who=who,
                )
        played = {game.round for game in self.games}
        for number in range(1, self.rounds + 1):
            if number not in played:
                yield Message("round {number} has no games", number=number)

    def so_far(self) -> GoTournament:
        """The tournament after its last whole round: as it stands while the next is played."""
        whole = 0
        for number in range(1, self.rounds + 1):
            games = [game for game in self.games if game.round == number]
            if not games or any(game.winner is Winner.UNKNOWN for game in games):
                break
            whole = number
        if whole == self.rounds:
            return self
        after = Message("after {rounds} of {all} rounds", rounds=whole, all=self.rounds)
        return replace(
            self,
            games=tuple(game for game in self.games if game.round <= whole),
            byes=frozenset(bye for bye in self.byes if bye[0] <= whole),
            rounds=whole,
            notices=(*self.notices, after),
        )

    def require_finished(self) -> None:
        """Refuse an unfinished event, with everything that is missing."""
        path = self.source.path if self.source else self.title
        raise_problems(
            [FileProblem(path, "unfinished: {what}", what=what) for what in self.missing()]
        )


def parse_rank(text: str) -> int | None:
    """``3D`` is 2, ``1k`` -1, ``8 kyu`` -8, a pro counts as 9 dan; no letter is kyu."""
    match = _RANK.fullmatch(text.strip())
    if not match:
        return None
    number, kind = int(match[1]), match[2].lower()
    if kind == "p":
        return 8
    return number - 1 if kind == "d" else -number
