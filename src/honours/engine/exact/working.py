"""The exact way: every quantity of one field worked out on fractions, and remembered.

The memory is the explanation: each quantity is a :class:`~honours.model.Step` that holds the
steps it was made from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from honours.engine.aggregates import Aggregate
from honours.engine.exact.calling import called
from honours.engine.exact.field_aggregates import FIELD, NO_GAME, FieldAggregates, Scope, player_of
from honours.engine.exact.formula import branch_for
from honours.engine.exact.steps import (
    as_text,
    fraction,
    in_a_working,
    parameter_step,
    rank_step,
)
from honours.engine.exact.steps import values as values_of
from honours.engine.graph import Graph, Operation, OperationKind
from honours.engine.numbers import decimals, round_to, show
from honours.engine.resolved_names import opposed
from honours.engine.rounding import WAYS
from honours.engine.rulebook import Input, Parameter, Rulebook
from honours.engine.rules import Rule
from honours.engine.written_names import public, titled
from honours.errors import HonoursError, MissingInput, RulebookError
from honours.model import Citation, Field, Standing, Step, Value
from honours.model.message import Message

_MANY = ("entrant", "player", "game")
"""The levels of which there are many: nobody reads how each of them came about."""


class Working:
    """One field, worked out by one rulebook."""

    in_words = True

    def __init__(self, rulebook: Rulebook, field: Field) -> None:
        self.rulebook, self.field = rulebook, field
        self.graph = Graph(rulebook, field.facts, _carried(field, rulebook.inputs))
        self.case = self.graph.case
        self._steps: dict[tuple[str, Scope], Step] = {}
        self._bare: dict[tuple[str, Scope], Step] = {}
        self._looked_at: dict[tuple[str, Scope], Step] = {}
        self._wordless = False
        self._open: list[str] = []
        self._members = FieldAggregates(self)
        self.used: dict[str, None] = {}

    def number(self, name: str, scope: Scope = FIELD) -> Fraction:
        return fraction(self.step(name, scope), self.case)

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

    def holds(self, rule: Rule, scope: Scope = FIELD) -> tuple[bool, dict[str, Step]]:
        """Whether a refusal or notice applies, and the arguments its message speaks of."""
        steps = {a: self._argument(a, rule, scope) for a in rule.arguments}
        return bool(called(rule, values_of(steps))), steps

    @contextmanager
    def aside(self) -> Iterator[None]:
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
        if operation.kind is OperationKind.DOWN:
            return self._down_the_places(operation.rule, scope)
        return self._members.called_by_game(self._rule(operation.rule, scope), scope)

    def _askable(self, name: str, scope: Scope, missing: MissingInput) -> MissingInput:
        """What a list of players would tell may also be given: name that first."""
        declared = self.rulebook.inputs.get(name)
        below = self.rulebook.inputs.get(missing.names[0])
        if declared is None or below is None or below.per == "field" or declared is below:
            return missing
        if declared.name in self.case.below:
            return self._not_given(declared, scope)
        if below.name in self.case.below:
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
        if value is None and (rule := self.case.active(declared.name)):
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
        """What is told of a game or player, of its entrant and of the field, in this order."""
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
        """Whether the entrant is one player: what it has is what that player has."""
        standing = self._standing(scope)
        return standing is not None and len(standing.entrant.players) == 1

    def _standing(self, scope: Scope) -> Standing | None:
        inside = scope.level in _MANY and self.field.standings
        return self.field.standings[scope.at] if inside else None

    def _not_given(self, declared: Input, scope: Scope) -> MissingInput:
        standing = self.field.standings[scope.at]
        player = player_of(standing, scope)
        title = self._members.title(scope if scope.level == "game" else Scope("entrant", scope.at))
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
        if self._wordless:
            return {}
        way = branch_for(rule.function, values)
        uses = {name: step for name, step in steps.items() if name in way.names}
        in_values = {name: in_a_working(step) for name, step in uses.items()}
        return {
            "formula": way.formula,
            "working": way.working(values, in_values),
            "because": way.because(values, in_values),
            "uses": tuple(uses.values()),
            "item_of": self._table(way.item_of),
        }

    def _table(self, name: str) -> str:
        """The name if it is that of a table the rulebook states, else nothing."""
        return name if name in self.rulebook.parameters else ""

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
        operation = self.graph.operation(name, scope.level)
        if operation.kind is OperationKind.ABOVE:
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
        if operation.aggregate:
            return self._aggregate(name, operation.aggregate, scope, rule)
        return self.step(name, self._scope_of(name, scope))

    def place(self, scope: Scope) -> int:
        """The place a rule is about."""
        standing = self._standing(scope)
        return standing.place if standing else scope.at

    def tied(self, scope: Scope) -> int:
        """How many share it."""
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
        best = wanted.fold is not None and wanted.fold.best
        key = (f"{name} {rule.best}" if best else name, scope)
        if key not in known:
            known[key] = self._members.aggregate(name, wanted, scope, rule)
        return known[key]

    def _opponent(self, name: str, scope: Scope) -> Step | None:
        """What the opponent of a game has, where that is asked for and not itself given."""
        of = opposed(name)
        declared = self.rulebook.inputs.get(name)
        if of is None or (declared and self._given(declared, scope) is not None):
            return None
        return None if scope.nth == NO_GAME else self._members.opponent(name, of, scope)


def _carried(field: Field, inputs: Mapping[str, Input]) -> set[str]:
    """The inputs that some entrant, player or game of the field carries."""
    names: set[str] = set()
    for standing in field.standings:
        names.update(standing.facts)
        names.update(name for player in standing.entrant.players for name in player.facts)
        names.update(name for game in standing.games for name in game.facts)
    return {n for n in names if n in inputs and inputs[n].per != "field"}
