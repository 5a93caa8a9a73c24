"""The exact way: every quantity of one field worked out on fractions, and remembered.

The memory is the explanation: each quantity is a :class:`~honours.model.Step` that holds the
steps it was made from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from textwrap import shorten
from typing import Any, NamedTuple

from honours.engine.exact.formula import branch_for, value_text
from honours.engine.graph import Graph, Operation, opposed
from honours.engine.numbers import WAYS, brief, decimals, round_to, show, trim
from honours.engine.rulebook import Input, Parameter, Rulebook
from honours.engine.rulebook.source import in_toml, unknown_name, where
from honours.engine.rules import (
    BEST,
    COUNT,
    COVERED,
    MEAN,
    RANK,
    SUM,
    Aggregate,
    Level,
    Rule,
    aggregate,
    public,
    titled,
)
from honours.errors import HonoursError, InputError, MissingInput, RulebookError
from honours.model import Citation, Field, Player, Standing, Step, Value
from honours.model.message import Message, either, joined, mark, word

# --- the small steps an explanation is made of, and how their values are written ----------------


def rank_step(name: str, count: int) -> Step:
    """A step for a place, a rank or the number of those who tie."""
    return Step(name, Fraction(count), str(count), "input")


def parameter_step(parameter: Parameter) -> Step:
    """A step for a number, word or table of the rulebook."""
    value: Any = parameter.value
    return Step(
        parameter.name,
        value,
        as_text(value),
        "parameter",
        parameter.about,
        citation=parameter.citation,
    )


def values_of(steps: Mapping[str, Step]) -> dict[str, Any]:
    """Return the values that a rule function is called with."""
    return {name: step.value for name, step in steps.items()}


def fraction(step: Step, graph: Graph) -> Fraction:
    """The step's value, which must be a number."""
    if not isinstance(step.value, Fraction):
        raise _no_number(step, graph)
    return step.value


def _no_number(step: Step, graph: Graph) -> RulebookError:
    """Says where the rulebook gives a word, or a table, instead of a number."""
    rule, book = graph.active(step.name), graph.rulebook
    if rule and rule.starts and rule.starts in [used.name for used in step.uses]:
        return _no_number(step.uses[0], graph)  # the first place has what another rule gives
    section = "parameters" if step.name in book.parameters else "inputs"
    return RulebookError(
        "{at}: {name!r} is not a number but {value!r}",
        at=where(rule) if rule else in_toml(book.id, book.toml, section, step.name),
        name=step.name,
        value=step.shown,
    )


def as_text(value: object) -> str:
    """A number, word or table as text."""
    if isinstance(value, Fraction):
        return show(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {brief(v)}" for k, v in value.items())
    if isinstance(value, tuple):
        return ", ".join(":".join(brief(x) for x in row) for row in value)
    return str(value)


def in_a_working(step: Step) -> str:
    """The step's value as it stands in a formula with the values filled in."""
    if step.kind == "rule" and step.rounding:
        return step.shown
    return value_text(step.value) if isinstance(step.value, Fraction) else step.shown


def renamed(step: Step, rename: Callable[[str], str]) -> Step:
    """The step with other names for the people its texts speak of."""

    def changed(text: str) -> str:
        return text.with_values(rename) if isinstance(text, Message) else rename(text)

    return replace(
        step,
        shown=changed(step.shown),
        about=changed(step.about),
        formula=changed(step.formula),
        working=changed(step.working),
        because=changed(step.because),
        called=changed(step.called),
        uses=tuple(renamed(used, rename) for used in step.uses),
        parts=tuple((changed(who), value) for who, value in step.parts),
    )


# --- calling a rule's function on exact values --------------------------------------------------

NOT_WORKED_OUT = mark("{what} cannot be worked out ({why}) from {given}")


def called(rule: Rule, values: Mapping[str, Any]) -> Value:
    """Call the function; a number it cannot work with is for whoever gave it to mend."""
    try:
        raw = rule.function(**values)
    except (InputError, ArithmeticError, LookupError) as error:
        why = error if isinstance(error, InputError) else Message("no such item")
        if isinstance(error, ArithmeticError):
            why = Message("a division by zero")
        elif isinstance(error, KeyError):
            why = Message("the table has no item {item!r}", item=str(error.args[0]))
        given = tuple(joined(" ", (titled(n), shorten(as_text(v), 60))) for n, v in values.items())
        what = titled(rule.name)
        raise InputError(NOT_WORKED_OUT, what=what, why=why, given=given) from error
    except NameError as error:
        raise RulebookError(
            "{where}: {unknown_name}",
            where=where(rule, error),
            unknown_name=unknown_name(rule, error.name or ""),
        ) from error
    except (TypeError, AttributeError, ValueError) as error:
        fault: object = error
        names = [name for name, value in values.items() if not isinstance(value, int | Fraction)]
        if isinstance(error, TypeError) and names:
            fault = Message("{names} is a word or a table, and no number", names=either(names))
        raise RulebookError(
            "{where}: rule {name}: {error}", where=where(rule, error), name=rule.name, error=fault
        ) from error
    if isinstance(raw, str):
        return raw
    if not isinstance(raw, int | Fraction):
        gives = Message(
            "rule {name} gives {raw!r}: neither an exact number nor a word", name=rule.name, raw=raw
        )
        raise RulebookError("{where}: {gives}", where=where(rule), gives=gives)
    return trim(Fraction(raw))


# --- aggregates the exact way -------------------------------------------------------------------

_SHOWN_PARTS = 1000
_WORDS = {
    MEAN: Message("mean"),
    COUNT: Message("number"),
    SUM: Message("sum"),
    BEST: Message("sum"),
}
_MEMBERS = {
    "player": Message("players"),
    "entrant": Message("entrants"),
    "game": Message("games"),
}


class Scope(NamedTuple):
    """The scope in which a quantity is worked out: the field, a place, an entrant (``at``), or a
    player or game of one (``nth``)."""

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
    """Return the words on a quantity, with the name of whom it is shown for, if there is one."""
    if not who:
        return about
    if about.endswith("."):
        return Message("{about} Here of {who}.", about=about, who=who)
    return Message("{about}, here of {who}", about=about, who=who)


def _place(number: int) -> Message:
    return Message("place {place}", place=number)


# --- the exact way ------------------------------------------------------------------------------

_MANY = ("entrant", "player", "game")
"""The levels of which there are many: nobody reads how each of them came about."""


class Working:
    """One field, worked out by one rulebook; without the words of an explanation where nobody
    reads them."""

    def __init__(self, rulebook: Rulebook, field: Field, in_words: bool = True) -> None:
        self.rulebook, self.field, self.in_words = rulebook, field, in_words
        self.graph = Graph(rulebook, field.facts, _carried(field, rulebook.inputs))
        self._steps: dict[tuple[str, Scope], Step] = {}
        self._bare: dict[tuple[str, Scope], Step] = {}
        self._looked_at: dict[tuple[str, Scope], Step] = {}
        self._wordless = False
        self._open: list[str] = []
        self._ranks: dict[str, dict[Scope, int]] = {}
        self._entrants: dict[str, int] = {}
        self.used: dict[str, None] = {}

    def number(self, name: str, scope: Scope = FIELD) -> Fraction:
        return fraction(self.step(name, scope), self.graph)

    def step(self, name: str, scope: Scope = FIELD) -> Step:
        """The quantity and how it was got; worked out once."""
        key, wordless = (name, scope), self._wordless and scope.level in _MANY
        known = self._bare if wordless else self._steps
        if key not in known:
            before, self._wordless = self._wordless, wordless
            try:
                known[key] = self._work(name, scope)
            finally:
                self._wordless = before
        return known[key]

    def bare_step(self, name: str, scope: Scope) -> Step:
        """One of many quantities without the words of its explanation: nobody reads those, and
        finding them takes longer than all the rest."""
        before, self._wordless = self._wordless, True
        try:
            return self._steps.get((name, scope)) or self.step(name, scope)
        finally:
            self._wordless = before

    def field_steps(self) -> Iterator[Step]:
        """Every quantity of the field that was worked out by a rule, in the order of working."""
        for (_, scope), step in self._steps.items():
            if scope == FIELD and step.kind == "rule":
                yield step

    def is_true(self, rule: Rule, scope: Scope = FIELD) -> tuple[bool, dict[str, Step]]:
        """Return whether a refusal or notice applies, and the arguments its message speaks of."""
        steps = {a: self._argument(a, rule, scope) for a in rule.arguments}
        return bool(called(rule, values_of(steps))), steps

    @contextmanager
    def untracked(self) -> Iterator[None]:
        """Look at quantities without counting them among those the awards were made from. Those of
        the field are remembered for the next look."""
        used, worked = len(self.used), len(self._steps)
        for key, step in self._looked_at.items():
            self._steps.setdefault(key, step)
        try:
            yield
        finally:
            while len(self.used) > used:
                self.used.popitem()
            while len(self._steps) > worked:
                key, step = self._steps.popitem()
                if key[1] == FIELD:
                    self._looked_at[key] = step

    # --- one quantity -----------------------------------------------------------------------

    def _work(self, name: str, scope: Scope) -> Step:
        if name in self._open:
            raise self._circle(name)
        self._open.append(name)
        try:
            step = self._made(self.graph.operation(name, scope.level), scope)
            self.used[name] = None
            return step
        except MissingInput as missing:
            raise self._askable(name, scope, missing) from None
        finally:
            self._open.pop()

    def _made(self, operation: Operation, scope: Scope) -> Step:
        if isinstance(operation.source, Parameter):
            return parameter_step(operation.source)
        if isinstance(operation.source, Input):
            return self._input(operation.source, scope)
        assert operation.rule is not None
        if "previous" in operation.rule.arguments:
            return self._down_the_places(operation.rule, scope)
        return self._called_by_game(self._rule(operation.rule, scope), scope)

    def _askable(self, name: str, scope: Scope, missing: MissingInput) -> MissingInput:
        """Ask first for the input itself, if it may be given instead of a list of players."""
        declared = self.rulebook.inputs.get(name)
        below = self.rulebook.inputs.get(missing.names[0])
        if declared is None or below is None or below.per == "field" or declared is below:
            return missing
        if declared.name in self.graph.carried:
            return self._not_given(declared, scope)
        if below.name in self.graph.carried:
            return missing  # the list has it for others: say whose is missing
        return MissingInput((public(name), *missing.names), declared.about)

    def _circle(self, name: str) -> HonoursError:
        around = self._open[self._open.index(name) :]
        askable = [public(n) for n in around if n in self.rulebook.inputs]
        if not askable:
            return RulebookError(
                "{id}: {around} goes in a circle", id=self.rulebook.id, around=" → ".join(around)
            )
        about = self.rulebook.input(askable[0]).about
        return MissingInput(dict.fromkeys(askable), about)

    def _input(self, declared: Input, scope: Scope) -> Step:
        value = self._given(declared, scope)
        if value is None and (rule := self.graph.active(declared.name)):
            return self._rule(rule, scope)  # known of others, worked out of this one
        if value is None:
            raise self._not_given(declared, scope)
        shown = declared.shown(value)
        return Step(public(declared.name), value, shown, "input", declared.about)

    def _given(self, declared: Input, scope: Scope) -> Value | None:
        for known in self._facts(scope):
            if declared.name in known:
                return known[declared.name]
        if declared.default is not None:
            return declared.read(declared.default)
        if self.rulebook.plays_games and self._single(scope) and declared.per == "entrant":
            return self.field.standings[scope.at].entrant.players[0].facts.get(declared.name)
        return None

    def _facts(self, scope: Scope) -> Iterator[Mapping[str, Value]]:
        """Yield the facts of a game or player, of its entrant and of the field, in this order."""
        standing = self._standing(scope)
        if standing is not None:
            player = player_of(standing, scope)
            if player is not None:
                yield player.facts
            if scope.level == "game" and scope.nth != NO_GAME:
                yield standing.games[scope.nth].facts
            yield standing.facts
        yield self.field.facts

    def _single(self, scope: Scope) -> bool:
        """Return whether the entrant is one player: what it has is what that player has."""
        standing = self._standing(scope)
        return standing is not None and len(standing.entrant.players) == 1

    def _standing(self, scope: Scope) -> Standing | None:
        inside = scope.level in _MANY and self.field.standings
        return self.field.standings[scope.at] if inside else None

    def _not_given(self, declared: Input, scope: Scope) -> MissingInput:
        standing = self.field.standings[scope.at]
        player = player_of(standing, scope)
        title = self.title(scope if scope.level == "game" else Scope("entrant", scope.at))
        who = f"{player.name or player.number} ({title})" if player else title
        return MissingInput(
            public(declared.name), Message("{about}, of {who}", about=declared.about, who=who)
        )

    def _rule(self, rule: Rule, scope: Scope) -> Step:
        steps = {a: self._argument(a, rule, scope) for a in rule.arguments}
        return self._applied(rule, steps)

    def _applied(self, rule: Rule, steps: Mapping[str, Step]) -> Step:
        values = values_of(steps)
        rounded, text, how = self._rounded(rule, called(rule, values))
        declared = self.rulebook.inputs.get(rule.name)
        if declared and declared.must_agree and isinstance(rounded, Fraction):
            declared.check(rounded)  # 9.3 tables make no number of pairs
        return Step(
            name=rule.name,
            value=rounded,
            shown=declared.shown(rounded) if declared and declared.named else text,
            kind="rule",
            about=rule.about,
            rounding=how,
            citation=Citation(rule.clause),
            **self._in_words(rule, values, steps),
        )

    def _in_words(
        self, rule: Rule, values: Mapping[str, Any], steps: Mapping[str, Step]
    ) -> dict[str, Any]:
        """The words of a step, and what it uses: nothing that only another branch would need."""
        if self._wordless or not self.in_words:
            return {}
        way = branch_for(rule.function, values)
        uses = {name: step for name, step in steps.items() if name in way.names}
        in_values = {name: in_a_working(step) for name, step in uses.items()}
        return {
            "formula": way.formula,
            "working": way.working(values, in_values),
            "because": way.because(values, in_values),
            "uses": tuple(uses.values()),
            "item_of": way.item_of if way.item_of in self.rulebook.parameters else "",
        }

    def _rounded(self, rule: Rule, value: Value) -> tuple[Value, str, str]:
        if rule.rounds is None or isinstance(value, str):
            return value, as_text(value), ""
        self.number(rule.rounds.unit)  # a choice may be about it
        declared = self.graph.rounding(rule)
        if declared is None:
            return value, as_text(value), ""
        mode, unit = declared
        rounded = round_to(value, mode, unit)
        places = decimals(unit)
        how = Message(WAYS[mode].wording, value=show(value), unit=show(unit))
        return rounded, show(rounded, places), how

    def _down_the_places(self, rule: Rule, scope: Scope) -> Step:
        """Place by place from the top, so that a long list does not recurse."""
        place = scope.at
        while place > 1 and (rule.name, Scope("place", place - 1)) not in self._steps:
            place -= 1
        for below in range(place, scope.at + 1):
            self._steps[rule.name, Scope("place", below)] = self._at_place(rule, below)
        return self._steps[rule.name, scope]

    def _at_place(self, rule: Rule, place: int) -> Step:
        scope = Scope("place", place)
        if place > 1:
            return self._rule(rule, scope)
        first = self.step(rule.starts)
        return Step(
            name=rule.name,
            value=first.value,
            shown=first.shown,
            kind="rule",
            about=rule.about,
            formula=titled(rule.starts),
            working=in_a_working(first),
            citation=Citation(rule.clause),
            uses=(first,),
        )

    def asked_for(self) -> list[str]:
        """The inputs that are being worked out, the innermost first, as people write them."""
        return [public(n) for n in reversed(self._open) if n in self.rulebook.inputs]

    # --- arguments --------------------------------------------------------------------------

    def _argument(self, name: str, rule: Rule, scope: Scope) -> Step:
        if scope.level == "game" and (opponent := self._opponent(name, scope)):
            return opponent
        if name == "previous":
            above = self._steps[rule.name, Scope("place", scope.at - 1)]
            about = Message(
                "{quantity} at place {place}, the place above",
                quantity=titled(rule.name),
                place=scope.at - 1,
            )
            first = self._steps[rule.name, Scope("place", 1)]
            return Step("previous", above.value, above.shown, "place", about, uses=first.uses)
        if name == "place":
            return rank_step("place", self.place(scope))
        if name == "tied":
            tied = self.tied(scope)
            if tied > 1:  # so that a reading about ties is shown only where there is one
                self.used["tied"] = None
            return rank_step("tied", tied)
        if wanted := aggregate(name):
            return self._aggregate(name, wanted, scope, rule)
        return self.step(name, self._scope_of(name, scope))

    def place(self, scope: Scope) -> int:
        """The place a rule is about."""
        standing = self._standing(scope)
        return standing.place if standing else scope.at

    def tied(self, scope: Scope) -> int:
        """Return the number of entrants that share its place."""
        standing = self._standing(scope)
        return standing.tied if standing else 1

    def _scope_of(self, name: str, scope: Scope) -> Scope:
        level = self.graph.level_read(name, scope.level)
        if level == "field":
            return FIELD
        if level == scope.level:
            return scope
        if level == "player" and not self._single(scope):
            raise RulebookError(
                "{id}: {name!r} is per player, asked per game", id=self.rulebook.id, name=name
            )
        return Scope(level, scope.at)

    def _aggregate(self, name: str, wanted: Aggregate, scope: Scope, rule: Rule) -> Step:
        known = self._bare if self._wordless else self._steps
        key = (f"{name} {rule.best}" if wanted.how == BEST else name, scope)
        if key not in known:
            known[key] = self._aggregated(name, wanted, scope, rule)
        return known[key]

    def _opponent(self, name: str, scope: Scope) -> Step | None:
        """Return the opponent's quantity in a game, if that is asked for and not itself given."""
        of = opposed(name)
        declared = self.rulebook.inputs.get(name)
        if of is None or (declared and self._given(declared, scope) is not None):
            return None
        return None if scope.nth == NO_GAME else self._of_opponent(name, of, scope)

    # --- aggregates and games ---------------------------------------------------------------

    def _aggregated(self, name: str, wanted: Aggregate, scope: Scope, rule: Rule) -> Step:
        """Return the value of a rule's argument ``name``, an aggregate, at ``scope``."""
        if wanted.how == COVERED:
            return self._covered(name, wanted, scope)
        if wanted.how == RANK:
            return self._rank(name, wanted, scope)
        level = self.graph.level(wanted.of)
        members = list(self._members(level, scope))
        if not members:
            return self._without_members(name, wanted, level, scope)
        if level == "player" and scope == FIELD:
            self._require_players()
        first, *others = members
        bare = self.bare_step
        steps = [self.step(wanted.of, first), *(bare(wanted.of, m) for m in others)]
        if wanted.how == BEST:
            chosen = self._best(steps, rule)
            steps, members = [steps[i] for i in chosen], [members[i] for i in chosen]
            steps[0] = self.step(wanted.of, members[0])
        titles = [self.title(m) for m in members[:_SHOWN_PARTS]]
        result = Fraction(len(steps))
        if wanted.how != COUNT:
            whole = sum((fraction(s, self.graph) for s in steps), Fraction(0))
            result = trim(whole / len(steps) if wanted.how == MEAN else whole)
        parts = tuple((t, s.shown) for t, s in zip(titles, steps, strict=False))
        shown_one = steps[0]
        if not shown_one.called:
            shown_one = replace(shown_one, about=_here_of(word(shown_one.about), titles[0]))
        best = Message("the best {count}", count=len(steps))
        which = best if wanted.how == BEST else str(len(steps))
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
        many = int(self.number(rule.best))
        order = sorted(range(len(steps)), key=lambda i: (-fraction(steps[i], self.graph), i))
        return order[: max(many, 1)]

    def _covered(self, name: str, wanted: Aggregate, scope: Scope) -> Step:
        first = self.place(scope)
        last = min(first + self.tied(scope) - 1, int(self.number("places")))
        steps = [self.step(wanted.of, Scope("place", p)) for p in range(first, last + 1)]
        total = sum((fraction(s, self.graph) for s in steps), Fraction(0))
        named = titled(wanted.of)
        parts = tuple((_place(first + i), s.shown) for i, s in enumerate(steps))
        about = Message("{quantity} summed over the paid places this tie covers", quantity=named)
        uses = tuple(steps[:1])  # the others come about in the same way
        return Step(name, total, show(total), "aggregate", about, uses=uses, parts=parts)

    def _without_members(self, name: str, wanted: Aggregate, level: Level, scope: Scope) -> Step:
        """Without a list of players a mean is everyone's common value; a sum cannot be had. Who
        played no game has a sum of 0."""
        if level == "game":
            if wanted.how == MEAN:
                raise InputError(
                    "{value} played no game: no {public}",
                    value=self.title(scope),
                    public=public(name),
                )
            return Step(name, Fraction(0), "0", "aggregate", "no game was played")
        if wanted.how == MEAN:
            own = scope.at if scope.level == "entrant" else 0
            one = self.step(wanted.of, Scope(level, own))
            about = Message("the same for every {level}", level=level)
            return Step(name, one.value, one.shown, "aggregate", about, uses=(one,))
        raise self._no_list()

    def _require_players(self) -> None:
        """Raise ``MissingInput`` if an entrant has no players."""
        for standing in self.field.standings:
            if not standing.entrant.players:
                who = Message("the players of {who}", who=standing.entrant.title)
                raise MissingInput([*self.asked_for()[:1], who])

    def _no_list(self) -> MissingInput:
        """Return the error to raise if a list of players would be needed."""
        keys = self.asked_for()
        return MissingInput([*keys[:1], Message("the list of entrants with their players")])

    def _rank(self, name: str, wanted: Aggregate, scope: Scope) -> Step:
        """By value, the largest first; of equals who has fewer players, so that it does not
        matter in which order they are listed."""
        if wanted.of not in self._ranks:
            standings = self.field.standings
            level = self.graph.level(wanted.of)
            members = list(self._members(level, FIELD))
            bare, graph = self.bare_step, self.graph
            values = {m: fraction(bare(wanted.of, m), graph) for m in members}
            sizes = [len(s.entrant.players) for s in standings]
            ordered = sorted(members, key=lambda m: (-values[m], sizes[m.at], m.at, m.nth))
            self._ranks[wanted.of] = {member: rank for rank, member in enumerate(ordered, 1)}
        if scope not in self._ranks[wanted.of]:
            raise self._no_list()
        return rank_step(name, self._ranks[wanted.of][scope])

    def _members(self, level: Level, scope: Scope) -> Iterator[Scope]:
        if level == "place":
            paid = int(self.number("places"))
            yield from (Scope("place", p) for p in range(1, paid + 1))
            return
        standings = self.field.standings
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
        standings = self.field.standings
        if not any(s.games for s in standings):  # a bare calculation is about one game
            yield Scope("game", i, NO_GAME)
        yield from (Scope("game", i, k) for k in range(len(standings[i].games)))

    def _of_opponent(self, name: str, of: str, scope: Scope) -> Step:
        """Return the value of a quantity of entrants or players for the opponent of a game."""
        standing = self.field.standings[scope.at]
        game = standing.games[scope.nth]
        other = self._index(standing, game.opponent)
        level, entrant = self.graph.level(of), self.field.standings[other].entrant
        if level == "player" and len(entrant.players) != 1:
            raise InputError(
                "{title} is not one player: no {public} can be said",
                title=entrant.title,
                public=public(name),
            )
        step = self.bare_step(of, FIELD if level == "field" else Scope(level, other))
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
        """Return where in the list each entrant stands, by its id."""
        if not self._entrants:
            standings = self.field.standings
            self._entrants = {s.entrant.id: i for i, s in enumerate(standings)}
        return self._entrants

    def title(self, scope: Scope) -> str:
        """Say who or what a scope is about, for a reader."""
        if scope.level == "place":
            return _place(scope.at)
        if scope.level == "field":
            return Message("the field")
        standing = self.field.standings[scope.at]
        if scope.level == "game" and scope.nth != NO_GAME:
            return self._game(standing, scope.nth)
        player = player_of(standing, scope)
        return (player.name or player.number) if player else standing.entrant.title

    def _game(self, standing: Standing, nth: int) -> Message:
        """Say which game of an entrant it is, by its number and against whom; an opponent whom the
        list leaves out, because nothing may be awarded to them, has no name here."""
        standings, opponent = self.field.standings, standing.games[nth].opponent
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

    def _called_by_game(self, step: Step, scope: Scope) -> Step:
        """The step with its game in its name, where it is one's: a figure of one game must not be
        read as one of all."""
        if scope.level != "game" or scope.nth == NO_GAME or not step.formula:
            return step
        game = self.title(scope)
        called = Message("{quantity} in {game}", quantity=titled(step.name), game=game)
        return replace(step, called=called)


def _carried(field: Field, inputs: Mapping[str, Input]) -> set[str]:
    """The inputs that some entrant, player or game of the field carries."""
    names: set[str] = set()
    for standing in field.standings:
        names.update(standing.facts)
        names.update(name for player in standing.entrant.players for name in player.facts)
        names.update(name for game in standing.games for name in game.facts)
    return {n for n in names if n in inputs and inputs[n].per != "field"}
