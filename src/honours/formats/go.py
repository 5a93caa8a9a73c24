"""Go tournaments as their programs keep them: players, games, and places by their criteria.

Places are computed as OpenGotha computes them: a round without a game counts an opponent's McMahon
score as one's own starting score, and as no wins; handicap stones are added to White's and taken
from Black's opponent's McMahon score.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from fractions import Fraction
from functools import partial
from itertools import groupby

from honours.errors import FileProblem, InputError, UnknownName, raise_problems
from honours.formats.reading import Problems
from honours.model import Entrant, Field, Game, Player, Source, Standing, Value
from honours.model.message import Message, mark, plural
from honours.scoring.rulings import GoResult, Name, What

_RANK = re.compile(r"(\d{1,2}) ?([dkp]?)(?:an|yu|ro)?", re.IGNORECASE)


class Winner(StrEnum):
    """The winner of a game; ``UNKNOWN`` is a game without a result."""

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
        """The worth of the game to one of its players: 1, a half or nothing."""
        if self.winner is Winner.JIGO:
            return Fraction(1, 2)
        own = Winner.WHITE if key == self.white else Winner.BLACK
        return Fraction(int(self.winner in (own, Winner.BOTH)))

    def opponent(self, key: str) -> str:
        return self.black if key == self.white else self.white


@dataclass(frozen=True, slots=True)
class Placement:
    """An event's rules for placing its players: the criteria in order, and what they count with.

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
    assumed or left out in reading it, ``doubts`` why the file may not be whole. A wall list has
    ``listed`` its players already, each with the ``scores`` of the line."""

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
    listed: Field | None = None
    scores: tuple[tuple[Fraction, ...], ...] = ()

    @property
    def places(self) -> tuple[Standing, ...]:
        """The places that a wall list gives; none of a file that has no list."""
        return self.listed.standings if self.listed else ()

    def missing(self) -> Iterator[str]:
        """Everything an event lacks to be finished: results of games, and whole rounds."""
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
        if whole == self.rounds or self.listed:
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


# --- places ------------------------------------------------------------------------------------


_HALF = Fraction(1, 2)
WINS, MMS, GROUPS, STRASBOURG = "wins", "McMahon scores", "group scores", "Strasbourg scores"
"""What sums of opponents are made of."""
SUMS = {"SOSW": WINS, "SOSM": MMS, "SOSB": GROUPS, "SOSTS": STRASBOURG}
"""The criteria that are a sum of opponents' scores, and of which scores."""
_FACTS = {"Rank": "rank_criterion", "Rating": "rating_criterion"}
"""Criteria that have the name of a fact of a player."""
_Key = tuple[Fraction, ...]


def rank(tournament: GoTournament) -> Field:
    """The ranking list of a finished tournament; an unfinished one is refused."""
    tournament.require_finished()
    scores = GoScores(tournament)
    criteria = tournament.placement.criteria or ("NBW",)
    unknown = [name for name in criteria if name not in CRITERIA and name not in _DIRECT]
    place = tournament.placement
    if "CAT" in criteria and place.categories != len(place.category_ranks) + 1:
        unknown.append(Message("CAT with categories the file does not tell"))
    if unknown:
        path = tournament.source.path if tournament.source else tournament.title
        known = ", ".join((*CRITERIA, *_DIRECT))
        raise FileProblem(
            path, "placement by {unknown}", "one of {known}", unknown=tuple(unknown), known=known
        )
    ordered = _placed(scores, criteria)
    return Field(standings=tuple(ordered))


def _placed(scores: GoScores, criteria: Sequence[str]) -> list[Standing]:
    """Standings in the order of the criteria, equal ones sharing a place."""
    keys = criterion_values(scores, criteria)
    ordered = sorted(keys, key=lambda key: keys[key], reverse=True)
    standings: list[Standing] = []
    for values, group in groupby(ordered, key=lambda key: keys[key]):
        tied = list(group)
        place = len(standings) + 1
        standings += [_standing(scores, key, place, len(tied), criteria, values) for key in tied]
    return standings


def criterion_values(scores: GoScores, criteria: Sequence[str]) -> dict[str, _Key]:
    """Every player's values in the order of the criteria. Direct comparison, in whichever form, is
    of those who are equal by all that comes before the first of its forms."""
    own = {
        key: {name: CRITERIA[name](scores, key) for name in criteria if name in CRITERIA}
        for key in scores.players
    }
    first = next((n for n, name in enumerate(criteria) if name in _DIRECT), len(criteria))
    groups: dict[_Key, list[str]] = {}
    for key, values in own.items():
        groups.setdefault(tuple(values[name] for name in criteria[:first]), []).append(key)
    for group in groups.values():
        for name in (name for name in _DIRECT if name in criteria):
            after = criteria[criteria.index(name) + 1 :]
            later = {k: tuple(own[k][other] for other in after if other in own[k]) for k in group}
            for key, value in _DIRECT[name](scores, group, later).items():
                own[key][name] = value
    return {key: tuple(values[name] for name in criteria) for key, values in own.items()}


def fact_of_criterion(name: str) -> str:
    """The fact of a standing that has what a criterion counts."""
    return _FACTS.get(name, name)


def _standing(
    scores: GoScores, key: str, place: int, tied: int, criteria: Sequence[str], values: _Key
) -> Standing:
    player = scores.players[key]
    facts: dict[str, Value] = {
        **{fact_of_criterion(name): v for name, v in zip(criteria, values, strict=True)},
        "won": scores.games_won(key),
        **_shown(scores, key),
    }
    if "CAT" in facts:
        facts["CAT"] = Fraction(scores.category(key))
    counted = [v for name, v in zip(criteria, values, strict=True) if name != "CAT"]
    score = counted[0] if counted else None
    entrant = Entrant(scores.number(key), (player.player,))
    return Standing(entrant, place, tied, score, facts, _games(scores, key))


def with_games(tournament: GoTournament) -> Field:
    """The places of a wall list with what games and players show, line by line."""
    scores = GoScores(tournament)
    standings = tuple(
        replace(
            standing,
            facts={**_shown(scores, player.key), **standing.facts},
            games=_games(scores, player.key),
        )
        for standing, player in zip(tournament.places, tournament.players, strict=True)
    )
    return replace(tournament.listed or Field(), standings=standings)


def _shown(scores: GoScores, key: str) -> dict[str, Value]:
    """Facts of a player besides the scores; 1 dan is grade 0 and rank 1."""
    player = scores.players[key]
    facts: dict[str, Value] = {"games_played": Fraction(len(scores.played[key]))}
    if player.gor is not None:
        facts["gor"] = player.gor
    if player.rank is not None:
        facts["grade"] = Fraction(player.rank)
        facts["rank"] = Fraction(player.rank + 1 if player.rank >= 0 else player.rank)
    return facts


def _games(scores: GoScores, key: str) -> tuple[Game, ...]:
    played = (game for game in scores.played[key] if game.winner is not Winner.UNKNOWN)
    return tuple(_game(scores, key, game) for game in played)


def _game(scores: GoScores, key: str, game: GoGame) -> Game:
    """A game as one of its players sees it; stones received, or negative for those given."""
    stones = game.handicap if key == game.black else -game.handicap
    facts: dict[str, Value] = {"result": game.points(key), "stones": Fraction(stones)}
    return Game(scores.number(game.opponent(key)), facts)


class GoScores:
    """Every score of every player after the last round."""

    def __init__(self, tournament: GoTournament) -> None:
        self._t = tournament
        self.rounds = range(1, tournament.rounds + 1)
        self.players: dict[str, GoPlayer] = {p.key: p for p in tournament.players}
        self.games: dict[str, dict[int, GoGame]] = {key: {} for key in self.players}
        for game in tournament.games:
            for key in (game.white, game.black):
                self.games[key][game.round] = game
        self.played = {
            key: [g for g in games.values() if not g.by_default]
            for key, games in self.games.items()
        }
        self._memory: dict[tuple[str, str], Fraction] = {}

    def once(self, name: str, key: str, work: Callable[[], Fraction]) -> Fraction:
        """A score that others are summed from, computed once."""
        if (name, key) not in self._memory:
            self._memory[name, key] = work()
        return self._memory[name, key]

    def number(self, key: str) -> str:
        """The player's id in a ranking list."""
        player = self.players[key]
        return player.player.number or player.key

    def games_won(self, key: str) -> Fraction:
        return sum((g.points(key) for g in self.games[key].values()), Fraction(0))

    def starting(self, key: str, by: str = MMS) -> Fraction:
        """The score before the first round: by rank between floor and bar, by group, or nothing."""
        p, player = self._t.placement, self.players[key]
        if by == WINS:
            return Fraction(0)
        if by == GROUPS:
            below = sum((player.rank or 0) >= lowest for lowest in p.group_ranks)
            return Fraction(below + player.correction)
        level = max(min(player.rank or 0, p.bar), p.floor)
        return Fraction(level - p.zero + player.correction)

    def byes(self, key: str) -> Fraction:
        own = sum(who == key for _, who in self._t.byes)
        return own * self._t.placement.bye_mms

    def rating(self, key: str) -> Fraction:
        player = self.players[key]
        rating_given = player.player.facts.get("rating", 0)
        return player.strength if player.strength is not None else Fraction(rating_given)

    def category(self, key: str) -> int:
        """1 is the highest category."""
        rank = self.players[key].rank or 0
        return 1 + sum(rank < lowest for lowest in self._t.placement.category_ranks)

    def wins(self, key: str, after: int | None = None) -> Fraction:
        return self.score(key, WINS, after)

    def mms(self, key: str, after: int | None = None) -> Fraction:
        return self.score(key, MMS, after)

    def score(self, key: str, by: str, after: int | None = None) -> Fraction:
        """A player's score after a round: starting score, games won, and rounds without a game."""
        p = self._t.placement
        if by == STRASBOURG:
            return self.mms(key, after) + self._late_rounds_won(key)
        idle = (p.absent_wins, p.bye_wins) if by == WINS else (p.absent_mms, p.bye_mms)
        return self.starting(key, by) + self._gathered(key, after, *idle)

    def _late_rounds_won(self, key: str) -> int:
        """Strasbourg's two points more for each of quarter-final and semi-final that somebody of
        the top group reached without a loss."""
        p, rounds = self._t.placement, len(self.rounds)
        played = (number for number in (rounds - 2, rounds - 1) if number > 0)
        return sum(2 for r in played if self.mms(key, r) == p.bar - p.zero + r)

    def _gathered(self, key: str, after: int | None, absent: Fraction, bye: Fraction) -> Fraction:
        """Games won so far, and points for rounds without a game."""
        rounds = [r for r in self.rounds if after is None or r <= after]
        games = self.games[key]
        won = sum((games[r].points(key) for r in rounds if r in games), Fraction(0))
        idle = Fraction(0)
        for r in (r for r in rounds if r not in games):
            if (r, key) in self._t.byes:
                idle += bye
            elif not self.players[key].takes_part(r):
                idle += absent
        return won + (math.floor(idle) if self._t.placement.floored else idle)

    # --- scores of opponents ----------------------------------------------------------------

    def _as_opponent(self, key: str, by: str) -> Fraction:
        """A player's score as it counts in an opponent's sums, games not played as a half where so
        chosen."""
        if not self._t.placement.unplayed_as_half:
            return self.score(key, by)
        won = sum((g.points(key) for g in self.played[key]), Fraction(0))
        halves = _HALF * (len(self.rounds) - len(self.played[key]))
        return won + halves + self.starting(key, by)

    def opponents(self, key: str, by: str) -> dict[int, Fraction]:
        """Each round's opponent's score, handicap reckoned in unless it is wins."""
        scores = {}
        for r in self.rounds:
            game = self.games[key].get(r)
            if game is None:
                scores[r] = self.starting(key, by)
                continue
            other = game.opponent(key)
            score = self.once(f"opponent's {by}", other, partial(self._as_opponent, other, by))
            stones = game.handicap if key == game.white else -game.handicap
            reckoned = by != WINS and self._t.placement.handicap_in_sums
            scores[r] = score + (stones if reckoned else 0)
        return scores

    def sos(self, key: str, by: str, without: int = 0) -> Fraction:
        """The sum of opponents' scores, without the lowest one or two."""
        scores = sorted(self.opponents(key, by).values())
        if len(scores) <= without:
            return Fraction(0)
        return sum(scores[without:], Fraction(0))

    def sodos(self, key: str, by: str) -> Fraction:
        """The sum of defeated opponents' scores, half of a jigo's."""
        scores = self.opponents(key, by)
        return sum((scores[r] * g.points(key) for r, g in self.games[key].items()), Fraction(0))

    def sosos(self, key: str, by: str) -> Fraction:
        """The sum of opponents' sums; one's own starting score for every game of a missed round."""
        total = Fraction(0)
        for r in self.rounds:
            game = self.games[key].get(r)
            if game is None and self._t.placement.bye_has_own_sum and (r, key) in self._t.byes:
                total += self.sos(key, by)
            elif game is None:
                total += self.starting(key, by) * len(self.rounds)
            else:
                other = game.opponent(key)
                total += self.once(f"sum of {by}", other, partial(self.sos, other, by))
        return total

    def exploits(self, key: str, realised: bool) -> Fraction:
        """Opponents' wins weighed by how much stronger they were than the handicap allowed."""
        total = Fraction(0)
        for game in self.games[key].values():
            other = game.opponent(key)
            stones = game.handicap if key == game.white else -game.handicap
            due = (self.players[key].rank or 0) - (self.players[other].rank or 0)
            weight = max(0, min(3, stones - due + 1))
            if not realised or game.points(key) == 1:
                total += self.wins(other) * weight
        return total


def _cumulated(score: Callable[[str, int | None], Fraction], rounds: range, key: str) -> Fraction:
    return sum((score(key, r) for r in rounds), Fraction(0))


CRITERIA: dict[str, Callable[[GoScores, str], Fraction]] = {
    "NBW": lambda s, k: s.wins(k),
    "MMS": lambda s, k: s.mms(k),
    "MMX": lambda s, k: s.starting(k) + s.games_won(k) + s.byes(k),
    "BZS": lambda s, k: s.score(k, GROUPS),
    "STS": lambda s, k: s.score(k, STRASBOURG),
    "CAT": lambda s, k: Fraction(-s.category(k)),
    "Rank": lambda s, k: Fraction(s.players[k].rank or 0),
    "Rating": lambda s, k: s.rating(k),
    "CUSSW": lambda s, k: _cumulated(s.wins, s.rounds, k),
    "CUSSM": lambda s, k: _cumulated(s.mms, s.rounds, k),
    "SOSTS": lambda s, k: s.sos(k, STRASBOURG),
    "EXT": lambda s, k: s.exploits(k, False),
    "EXR": lambda s, k: s.exploits(k, True),
}
"""The criteria that are a score of their own; OpenGotha's names."""
for _letter, _by in (("W", WINS), ("M", MMS), ("B", GROUPS)):
    CRITERIA |= {
        f"SOS{_letter}": partial(GoScores.sos, by=_by),
        f"SOS{_letter}-1": partial(GoScores.sos, by=_by, without=1),
        f"SOS{_letter}-2": partial(GoScores.sos, by=_by, without=2),
        f"SODOS{_letter}": partial(GoScores.sodos, by=_by),
        f"SOSOS{_letter}": partial(GoScores.sosos, by=_by),
    }


_Later = Mapping[str, _Key]
"""What the criteria after direct comparison say of each of a group."""


def _balance(scores: GoScores, group: Sequence[str]) -> dict[tuple[str, str], int]:
    """Games among the group as wins less losses; those by default, and those that both won or
    lost, are left out."""
    balance = {(a, b): 0 for a in group for b in group if a != b}
    for key in group:
        for game in scores.played[key]:
            other = game.opponent(key)
            if (key, other) in balance and game.winner in (Winner.WHITE, Winner.BLACK):
                balance[key, other] += 1 if game.points(key) else -1
    return balance


def _simplified_direct(scores: GoScores, group: Sequence[str], _: _Later) -> dict[str, Fraction]:
    """The number of others one has beaten, if all of them have met with a result."""
    balance = _balance(scores, group)
    if not all(balance.values()):
        return dict.fromkeys(group, Fraction(0))
    return {a: Fraction(sum(balance[a, b] > 0 for b in group if b != a)) for a in group}


def _direct(scores: GoScores, group: Sequence[str], later: _Later) -> dict[str, Fraction]:
    """The number of places above the lowest when the group is placed from below, as OpenGotha does
    it: of those who beat nobody still to be placed, whoever the later criteria have lowest. Who
    beat each other in a ring count as one in games with the others, and are placed among themselves
    by the later criteria; two games between the same two are no game."""
    balance = _balance(scores, group)
    below = {a: {b for b in group if b != a and balance[a, b] == 1} for a in group}
    reach = {a: _reachable(below, a) for a in group}
    ring = {a: frozenset(b for b in group if b in reach[a] and a in reach[b]) | {a} for a in group}
    beaten = {a: {c for b in ring[a] for c in below[b]} - ring[a] for a in group}
    beaten = {a: {d for c in beaten[a] for d in ring[c]} for a in group}
    left, direct = set(group), dict[str, Fraction]()
    while left:
        free = [key for key in left if not beaten[key] & left]
        lowest = min(later[key] for key in free)
        placed = [key for key in free if later[key] == lowest]
        first = Fraction(len(group) - len(left) + len(placed))
        direct.update(dict.fromkeys(placed, first))
        left.difference_update(placed)
    least = min(direct.values())
    return {key: value - least for key, value in direct.items()}


def _reachable(below: Mapping[str, set[str]], start: str) -> set[str]:
    """Everybody that one beat, or that they beat, and so on."""
    seen: set[str] = set()
    waiting = list(below[start])
    while waiting:
        key = waiting.pop()
        if key not in seen:
            seen.add(key)
            waiting += below[key]
    return seen


_DIRECT: dict[str, Callable[[GoScores, Sequence[str], _Later], dict[str, Fraction]]] = {
    "SDC": _simplified_direct,
    "DC": _direct,
}


# --- who took part -----------------------------------------------------------------------------


_MANY = 5
_MOST_ROUNDS = 64


def who_came(
    players: Sequence[GoPlayer], games: Iterable[GoGame], byes: Iterable[tuple[int, str]]
) -> list[GoPlayer]:
    """The players with a game or a bye; everybody while there is none at all."""
    there = {k for g in games for k in (g.white, g.black)} | {key for _, key in byes}
    return [player for player in players if player.key in there] if there else list(players)


def of_who_came(listed: GoTournament, problems: Problems) -> GoTournament:
    """A tournament as its file lists it, once it is one that can have been played: without those
    who never came, and with each rating on the scale of its federation."""
    if not 1 <= listed.rounds <= _MOST_ROUNDS:
        problems.add("{rounds} rounds", rounds=listed.rounds)
    keys = Counter(player.key for player in listed.players)
    for player in listed.players:
        if keys[player.key] > 1:
            problems.add("player {name!r} twice", name=player.player.name)
    for game in listed.games:
        if not 1 <= game.round <= listed.rounds:
            line = game.source.line if game.source else 0
            problems.add(
                "a game in round {round} of {rounds}", line, round=game.round, rounds=listed.rounds
            )
    check_games(listed.games, keys, problems)
    problems.settle()
    there = who_came(listed.players, listed.games, listed.byes)
    rated, scales = on_their_scales(there)
    return replace(
        listed,
        players=tuple(rated),
        games=tuple(sorted(listed.games, key=lambda game: (game.round, game.table))),
        notices=(*never_came(listed.players, there), *scales),
    )


def check_games(games: Iterable[GoGame], known: Collection[str], problems: Problems) -> None:
    """Every game is of two players who are known, and nobody plays twice in a round."""
    seated: dict[tuple[int, str], int] = {}
    for game in games:
        line = game.source.line if game.source else 0
        if game.white == game.black:
            problems.add(
                "round {round}: a game of {key!r} against {key!r}",
                line,
                round=game.round,
                key=game.white,
            )
            continue
        for key in (game.white, game.black):
            if key not in known:
                problems.add(
                    "round {round}: a game of {key!r}, who is not a player",
                    line,
                    round=game.round,
                    key=key,
                )
            if (game.round, key) in seated:
                first = seated[game.round, key]
                problems.add(
                    "{key!r} plays twice in round {round}, first on line {first}"
                    if first
                    else "{key!r} plays twice in round {round}",
                    line,
                    key=key,
                    round=game.round,
                    first=first,
                )
            seated.setdefault((game.round, key), line)


def never_came(players: Sequence[GoPlayer], there: Sequence[GoPlayer]) -> list[str]:
    """A notice of those who registered and have neither a game nor a bye, and so are no
    entrants."""
    keys = {player.key for player in there}
    absent = [player.player.name for player in players if player.key not in keys]
    if not absent:
        return []
    named = ", ".join(absent[:_MANY]) + (" …" if len(absent) > _MANY else "")
    return [
        plural(
            "{count:,} player of the list has no game and no bye: {named}",
            "{count:,} players of the list have no game and no bye: {named}",
            count=len(absent),
            named=named,
        )
    ]


def on_their_scales(players: Sequence[GoPlayer]) -> tuple[list[GoPlayer], list[str]]:
    """Ratings on the scale of the federation they came from; one typed by hand or of no known
    origin is the AGA's where the other ratings of the event are."""
    american = _is_american(players)
    rated: list[GoPlayer] = []
    typed = 0
    off = [p for p in players if p.strength is not None and p.gor is None]
    for player in players:
        if player.strength is None or player.gor is None:
            rated.append(player)
            continue
        origin = str(player.player.facts.get("rating_origin", "")).upper()
        by_hand = not origin.startswith(("AGA", "EGF", "FFG"))
        typed += by_hand
        aga = origin.startswith("AGA") or (by_hand and american)
        facts = {**player.player.facts, **_rating(player.strength, aga)}
        rated.append(replace(player, player=replace(player.player, facts=facts)))
    notes: list[str] = [
        Message(
            "{name} has the rating {rating}, which is off the scale and is ignored",
            name=p.player.name,
            rating=str(p.strength),
        )
        for p in off
    ]
    if not typed:
        return rated, notes
    scale = Message("the AGA's, as the others are") if american else Message("the EGF's")
    note = plural(
        "{count:,} rating typed in by hand: taken to be on {scale}",
        "{count:,} ratings typed in by hand: taken to be on {scale}",
        count=typed,
        scale=scale,
    )
    return rated, [*notes, note]


def _is_american(players: Sequence[GoPlayer]) -> bool:
    """True if an event is one of the AGA's, by where its ratings and numbers come from."""
    facts = [player.player.facts for player in players]
    origins = [str(one.get("rating_origin", "")).upper()[:3] for one in facts]
    european = origins.count("EGF") + origins.count("FFG")
    american = sum("aga_id" in one or o == "AGA" for one, o in zip(facts, origins, strict=True))
    return american > european and 2 * american > len(players)


def _rating(rating: Fraction, american: bool) -> dict[str, Value]:
    """The AGA's scale has no ratings between -1 and 1: 2050 is where 1 dan and 1 kyu touch."""
    if not american:
        return {"rating": rating, "rating_scale": "EGF"}
    own = (rating - 1950 if rating >= 2050 else rating - 2150) / 100
    return {"rating": own, "rating_scale": "AGA"}


def numbered(name: str, numbers: Mapping[str, str], origin: str) -> Player:
    """A player with the numbers that federations gave, by the facts they are, and where the rating
    comes from; the first number there is is the member's."""
    facts: dict[str, Value] = {fact: number for fact, number in numbers.items() if number}
    member = next(filter(None, numbers.values()), "")
    return Player(name, member, {**facts, **({"rating_origin": origin} if origin else {})})


# --- rulings ------------------------------------------------------------------------------------


def change_tournament(tournament: GoTournament, what: What) -> GoTournament:
    """The tournament with one ruling applied: who a player is, or who won a game."""
    if tournament.listed:
        raise InputError("a wall list has its places: rule on the file of the event's program")
    if isinstance(what, Name):
        key = _key(tournament, what.entrant)
        [called, *more] = what.players
        if more:
            raise InputError("a player of a go tournament is one person")
        players = tuple(
            replace(one, player=replace(one.player, name=called.name, number=called.number))
            if one.key == key
            else one
            for one in tournament.players
        )
        return replace(tournament, players=players)
    if isinstance(what, GoResult):
        key = _key(tournament, what.player)
        own = [g for g in tournament.games if g.round == what.round and key in (g.white, g.black)]
        if not own:
            raise InputError(
                "{player} has no game in round {round}", player=what.player, round=what.round
            )
        if what.winner not in set(Winner) - {Winner.UNKNOWN}:
            raise UnknownName("winner", what.winner, [one for one in Winner if one != "unknown"])
        decided = replace(own[0], winner=Winner(what.winner))
        games = tuple(decided if game is own[0] else game for game in tournament.games)
        return replace(tournament, games=games)
    raise InputError("in a go tournament only names and results of games can be corrected")


def _key(tournament: GoTournament, named: str) -> str:
    """The key of a player by key or number."""
    for one in tournament.players:
        if named in (one.key, one.player.number):
            return one.key
    raise UnknownName("entrant", named, [one.key for one in tournament.players])
