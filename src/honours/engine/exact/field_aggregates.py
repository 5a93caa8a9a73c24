"""Aggregates the exact way: means, sums, ranks and the best of players, entrants, games or
places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from honours.engine.aggregates import COVERED, RANK, Aggregate
from honours.engine.exact.steps import fraction, rank_step
from honours.engine.numbers import show, trim
from honours.engine.rules import Level, Rule
from honours.engine.written_names import public, titled
from honours.errors import InputError, MissingInput
from honours.model import Player, Standing, Step
from honours.model.message import Message, word

if TYPE_CHECKING:
    from honours.engine.exact.working import Working

_SHOWN_PARTS = 1000
_WORDS = {
    "mean_of_": Message("mean"),
    "count_of_": Message("number"),
    "sum_of_": Message("sum"),
    "sum_of_best_": Message("sum"),
}
_MEMBERS = {
    "player": Message("players"),
    "entrant": Message("entrants"),
    "game": Message("games"),
}


class Scope(NamedTuple):
    """Where a quantity is worked out: the field, a place, an entrant (``at``), or a player or game
    of one (``nth``)."""

    level: Level
    at: int = 0
    nth: int = 0


FIELD = Scope("field")
NO_GAME = -1
"""The ``nth`` of the one game of a bare calculation: what it is about is told of the field."""


def player_of(standing: Standing, scope: Scope) -> Player | None:
    """The player a scope is about; a game of a single player is about that one too."""
    players = standing.entrant.players
    return players[scope.nth] if scope.level == "player" and players else None


def _here_of(about: str, who: str) -> str:
    """What a quantity is about, and of whom it is shown, where they have a name."""
    if not who:
        return about
    if about.endswith("."):
        return Message("{about} Here of {who}.", about=about, who=who)
    return Message("{about}, here of {who}", about=about, who=who)


class FieldAggregates:
    """The aggregates of one field, for the working it belongs to."""

    def __init__(self, working: Working) -> None:
        self.working = working
        self._ranks: dict[str, dict[Scope, int]] = {}
        self._entrants: dict[str, int] = {}

    def aggregate(self, name: str, wanted: Aggregate, scope: Scope, rule: Rule) -> Step:
        """What the argument ``name`` of a rule is at ``scope``."""
        if wanted.how == COVERED:
            return self._covered(name, wanted, scope)
        if wanted.how == RANK:
            return self._rank(name, wanted, scope)
        fold, level = wanted.fold, self.working.graph.level(wanted.of)
        assert fold is not None
        members = list(self._members(level, scope))
        if not members:
            return self._without_members(name, wanted, level, scope)
        first, *others = members
        bare = self.working.bare_step
        steps = [self.working.step(wanted.of, first), *(bare(wanted.of, m) for m in others)]
        if fold.best:
            chosen = self._best(steps, rule)
            steps, members = [steps[i] for i in chosen], [members[i] for i in chosen]
            steps[0] = self.working.step(wanted.of, members[0])
        titles = [self.title(m) for m in members[:_SHOWN_PARTS]]
        result = trim(fold.of([fraction(s, self.working.case) for s in steps]))
        parts = tuple((t, s.shown) for t, s in zip(titles, steps, strict=False))
        shown_one = steps[0]
        if not shown_one.called:
            shown_one = replace(shown_one, about=_here_of(word(shown_one.about), titles[0]))
        best = Message("the best {count}", count=len(steps))
        which = best if fold.best else str(len(steps))
        about = Message(
            "{how} of {quantity} over {which} {members}",
            how=_WORDS[wanted.how],
            quantity=titled(wanted.of),
            which=which,
            members=_MEMBERS.get(level, f"{level}s"),
        )
        return Step(name, result, show(result), "aggregate", about, uses=(shown_one,), parts=parts)

    def _best(self, steps: list[Step], rule: Rule) -> list[int]:
        """The indices of the largest of them, as many as the rule counts."""
        many = int(self.working.number(rule.best))
        order = sorted(range(len(steps)), key=lambda i: (-fraction(steps[i], self.working.case), i))
        return order[: max(many, 1)]

    def _covered(self, name: str, wanted: Aggregate, scope: Scope) -> Step:
        working = self.working
        first = working.place(scope)
        last = min(first + working.tied(scope) - 1, int(working.number("places")))
        steps = [working.step(wanted.of, Scope("place", p)) for p in range(first, last + 1)]
        total = sum((fraction(s, self.working.case) for s in steps), Fraction(0))
        named = titled(wanted.of)
        parts = tuple((_place(first + i), s.shown) for i, s in enumerate(steps))
        about = Message("{quantity} summed over the paid places this tie covers", quantity=named)
        uses = tuple(steps[:1])  # the others come about in the same way
        return Step(name, total, show(total), "aggregate", about, uses=uses, parts=parts)

    def _without_members(self, name: str, wanted: Aggregate, level: Level, scope: Scope) -> Step:
        """Without a list of players a mean is everyone's common value; a sum cannot be had. Who
        played no game has a sum of 0."""
        needs_members = wanted.fold is None or wanted.fold.needs_members
        if level == "game":
            if not needs_members:
                raise InputError(
                    "{value} played no game: no {public}",
                    value=self.title(scope),
                    public=public(name),
                )
            return Step(name, Fraction(0), "0", "aggregate", "no game was played")
        if not needs_members:
            own = scope.at if scope.level == "entrant" else 0
            one = self.working.step(wanted.of, Scope(level, own))
            about = Message("the same for every {level}", level=level)
            return Step(name, one.value, one.shown, "aggregate", about, uses=(one,))
        raise self._no_list()

    def _no_list(self) -> MissingInput:
        """What is to be said where a list of players would be needed."""
        keys = self.working.asked_for()
        return MissingInput([*keys[:1], Message("the list of entrants with their players")])

    def _rank(self, name: str, wanted: Aggregate, scope: Scope) -> Step:
        """By value, the largest first; of equals who has fewer players, so that it does not
        matter in which order they are listed."""
        if wanted.of not in self._ranks:
            standings = self.working.field.standings
            level = self.working.graph.level(wanted.of)
            members = list(self._members(level, FIELD))
            bare, case = self.working.bare_step, self.working.case
            values = {m: fraction(bare(wanted.of, m), case) for m in members}
            sizes = [len(s.entrant.players) for s in standings]
            ordered = sorted(members, key=lambda m: (-values[m], sizes[m.at], m.at, m.nth))
            self._ranks[wanted.of] = {member: rank for rank, member in enumerate(ordered, 1)}
        if scope not in self._ranks[wanted.of]:
            raise self._no_list()
        return rank_step(name, self._ranks[wanted.of][scope])

    def _members(self, level: Level, scope: Scope) -> Iterator[Scope]:
        if level == "place":
            paid = int(self.working.number("places"))
            yield from (Scope("place", p) for p in range(1, paid + 1))
            return
        standings = self.working.field.standings
        one = scope.level in ("entrant", "game") or (level == "game" and scope.level == "player")
        for i in [scope.at] if one and standings else range(len(standings)):
            if level == "entrant":
                yield Scope("entrant", i)
            elif level == "game":
                yield from self._games(i)
            else:
                players = range(len(standings[i].entrant.players))
                yield from (Scope("player", i, j) for j in players)

    def _games(self, i: int) -> Iterator[Scope]:
        standings = self.working.field.standings
        if not any(s.games for s in standings):  # a bare calculation is about one game
            yield Scope("game", i, NO_GAME)
        yield from (Scope("game", i, k) for k in range(len(standings[i].games)))

    # --- games ------------------------------------------------------------------------------

    def opponent(self, name: str, of: str, scope: Scope) -> Step:
        """What the opponent of a game has of a quantity of entrants or players."""
        standing = self.working.field.standings[scope.at]
        game = standing.games[scope.nth]
        other = self._index(standing, game.opponent)
        level, entrant = self.working.graph.level(of), self.working.field.standings[other].entrant
        if level == "player" and len(entrant.players) != 1:
            raise InputError(
                "{title} is not one player: no {public} can be said",
                title=entrant.title,
                public=public(name),
            )
        step = self.working.bare_step(of, FIELD if level == "field" else Scope(level, other))
        title = entrant.title
        about = Message("{quantity} of {who}", quantity=titled(of), who=title)
        return Step(name, step.value, step.shown, "aggregate", about, uses=(step,))

    def _index(self, standing: Standing, entrant: str) -> int:
        places = self._places_of_entrants()
        if entrant not in places:
            raise InputError(
                "{title} has a game against {entrant!r}, who is not in the list",
                title=standing.entrant.title,
                entrant=entrant,
            )
        return places[entrant]

    def _places_of_entrants(self) -> dict[str, int]:
        """Where in the list each entrant stands, by its id."""
        if not self._entrants:
            standings = self.working.field.standings
            self._entrants = {s.entrant.id: i for i, s in enumerate(standings)}
        return self._entrants

    def title(self, scope: Scope) -> str:
        """Who or what a scope is about, for a reader."""
        if scope.level == "place":
            return _place(scope.at)
        if scope.level == "field":
            return Message("the field")
        standing = self.working.field.standings[scope.at]
        if scope.level == "game" and scope.nth != NO_GAME:
            return self._game(standing, scope.nth)
        player = player_of(standing, scope)
        return (player.name or player.number) if player else standing.entrant.title

    def _game(self, standing: Standing, nth: int) -> Message:
        """Which game of an entrant it is, by its number and against whom; an opponent whom the
        list leaves out, because nothing may be awarded to them, has no name here."""
        standings, opponent = self.working.field.standings, standing.games[nth].opponent
        other = self._places_of_entrants().get(opponent)
        who = standing.entrant.title
        if other is None:
            return Message("game {number} of {who}", number=nth + 1, who=who)
        return Message(
            "game {number} of {who}, against {opponent}",
            number=nth + 1,
            who=who,
            opponent=standings[other].entrant.title,
        )

    def called_by_game(self, step: Step, scope: Scope) -> Step:
        """The step with its game in its name, where it is one's: a figure of one game must not be
        read as one of all."""
        if scope.level != "game" or scope.nth == NO_GAME or not step.formula:
            return step
        game = self.title(scope)
        called = Message("{quantity} in {game}", quantity=titled(step.name), game=game)
        return replace(step, called=called)


def _place(number: int) -> Message:
    return Message("place {place}", place=number)
