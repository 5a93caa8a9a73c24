"""Places in a go tournament by its own placement criteria, as OpenGotha computes them.

A round without a game counts an opponent's McMahon score as one's own starting score, and as no
wins. Handicap stones are added to White's and taken from Black's opponent's McMahon score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import groupby

from honours.errors import FileProblem
from honours.formats.go import GoGame, GoPlayer, GoTournament, Winner
from honours.model import Entrant, Field, Game, Standing, Value
from honours.model.message import Message

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


def with_games(field: Field, tournament: GoTournament) -> Field:
    """A published list with what the games and players of its tournament show, line by line."""
    scores = GoScores(tournament)
    standings = tuple(
        replace(
            standing,
            facts={**_shown(scores, player.key), **standing.facts},
            games=_games(scores, player.key),
        )
        for standing, player in zip(field.standings, tournament.players, strict=True)
    )
    return replace(field, standings=standings)


def _shown(scores: GoScores, key: str) -> dict[str, Value]:
    """What is known of a player besides the scores; 1 dan is grade 0 and rank 1."""
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
        """What the player is called by in a ranking list."""
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
        """What one has after a round: starting score, games won, and rounds without a game."""
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
        """What one counts in an opponent's sums, games not played as a half where so chosen."""
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
    "SOSW": lambda s, k: s.sos(k, WINS),
    "SOSW-1": lambda s, k: s.sos(k, WINS, 1),
    "SOSW-2": lambda s, k: s.sos(k, WINS, 2),
    "SOSM": lambda s, k: s.sos(k, MMS),
    "SOSM-1": lambda s, k: s.sos(k, MMS, 1),
    "SOSM-2": lambda s, k: s.sos(k, MMS, 2),
    "SOSB": lambda s, k: s.sos(k, GROUPS),
    "SOSB-1": lambda s, k: s.sos(k, GROUPS, 1),
    "SOSB-2": lambda s, k: s.sos(k, GROUPS, 2),
    "SOSTS": lambda s, k: s.sos(k, STRASBOURG),
    "SODOSW": lambda s, k: s.sodos(k, WINS),
    "SODOSM": lambda s, k: s.sodos(k, MMS),
    "SODOSB": lambda s, k: s.sodos(k, GROUPS),
    "SOSOSW": lambda s, k: s.sosos(k, WINS),
    "SOSOSM": lambda s, k: s.sosos(k, MMS),
    "SOSOSB": lambda s, k: s.sosos(k, GROUPS),
    "EXT": lambda s, k: s.exploits(k, False),
    "EXR": lambda s, k: s.exploits(k, True),
}
"""The criteria that are a score of their own; OpenGotha's names."""


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
    """How many of the others one has beaten, if all of them have met with a result."""
    balance = _balance(scores, group)
    if not all(balance.values()):
        return dict.fromkeys(group, Fraction(0))
    return {a: Fraction(sum(balance[a, b] > 0 for b in group if b != a)) for a in group}


def _direct(scores: GoScores, group: Sequence[str], later: _Later) -> dict[str, Fraction]:
    """How many places above the lowest one comes when the group is placed from below, as OpenGotha
    does it: of those who beat nobody still to be placed, whoever the later criteria have lowest.
    Who beat each other in a ring count as one in games with the others, and are placed among
    themselves by the later criteria; two games between the same two are no game."""
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
