"""A rulebook's rules as one graph of operations, for the words and facts of one case.

An operation makes one quantity: it has a name and a level (event, entrant, player), and says what
it reads, how it is rounded and which clause states it. Both ways of running go through this graph
and through nothing else: :mod:`honours.engine.exact.working` works an operation out on fractions
and remembers how, :mod:`honours.engine.columns` for the rows of many fields at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction

from honours.engine.rulebook import Input, Parameter, Rulebook
from honours.engine.rules import (
    ENGINE_WORDS,
    OPPONENT,
    Aggregate,
    Level,
    Rule,
    aggregate,
    public,
    titled,
)
from honours.errors import HonoursError, InputError, MissingInput, RulebookError
from honours.model import Value
from honours.model.message import Message

Found = Input | Parameter | Rule


def opposed(name: str) -> str | None:
    """``rating`` for the argument ``opponent_rating`` of a rule per game."""
    return name.removeprefix(OPPONENT) if name.startswith(OPPONENT) else None


AWARD, PLACES = "award", "places"
"""The two quantities every rulebook defines: what an entrant gets, and how many places pay."""
_OF_PLACES = ("place", "entrant")
"""What is per place and asked of an entrant, who may cover several."""


@dataclass(frozen=True, slots=True)
class Operation:
    """The way one quantity is made: by a ``rule``, as it is told or stated (``source``), of many
    (``aggregate``), or of none of these for the engine's own words. ``reads`` names what it is
    made of."""

    name: str
    per: Level
    reads: tuple[str, ...] = ()
    rule: Rule | None = None
    source: Input | Parameter | None = None
    aggregate: Aggregate | None = None


BELOW_A_ROW: Mapping[Level, tuple[Level, ...]] = {
    "player": ("entrant",),
    "game": ("entrant", "player"),
}
"""What is per one of these may be read by a rule per the other: a player's entrant, and the one
player of an entrant in a game."""


class Graph:
    """The operations of one case: what is known of the field (``given``) and what its entrants,
    players and games carry (``carried``) choose among the rules."""

    def __init__(
        self, rulebook: Rulebook, given: Mapping[str, Value], carried: Set[str] = frozenset()
    ) -> None:
        self.rulebook, self.given, self.carried = rulebook, given, carried
        self.words: dict[str, str] = {}
        self._found: dict[str, Found] = {}
        self._operations: dict[tuple[str, Level], Operation] = {}

    # --- which rule, number or input a name stands for ------------------------------------------

    def word(self, name: str) -> str:
        """The word that an input, a parameter or a rule on words gives for ``name``."""
        if name not in self.words:
            self.words[name] = self._word(name)
        return self.words[name]

    def _word(self, name: str) -> str:
        value = self.find(name)
        if isinstance(value, Input):
            return str(self.given.get(name, value.default))
        if isinstance(value, Parameter):
            return str(value.value)
        try:
            arguments = [self.word_or_number(a) for a in value.arguments]
        except MissingInput as missing:
            raise self._either(name, missing) from None
        return str(value.function(*arguments))

    def _either(self, name: str, missing: MissingInput) -> MissingInput:
        """A word that may be given, or worked out from what is missing: name both."""
        declared = self.rulebook.inputs.get(name)
        if declared is None:
            return missing
        return MissingInput((public(name), *missing.names), declared.about)

    def word_or_number(self, name: str) -> object:
        """Return the argument of a rule on words: a word, or a number of the rulebook."""
        value = self.find(name)
        return value.value if isinstance(value, Parameter) else self.word(name)

    def find(self, name: str) -> Found:
        """Return what ``name`` stands for here."""
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    def _find(self, name: str) -> Found:
        book = self.rulebook
        declared = book.inputs.get(name)
        if declared and (name in self.given or name in self.carried):
            return declared
        if name in book.parameters:
            return book.parameters[name]
        active = self.active(name)
        if active:
            return active
        if declared and declared.default is not None:
            return declared
        if declared:
            raise MissingInput(public(name), declared.about)
        raise self._undefined(name)

    def active(self, name: str) -> Rule | None:
        """The one rule that defines ``name`` for the words of this case."""
        active = [r for r in self.rulebook.rules_for(name) if r.applies(self.word)]
        if len(active) > 1:
            raise RulebookError(
                "{id}: {name!r} is defined twice for these words", id=self.rulebook.id, name=name
            )
        return active[0] if active else None

    def _undefined(self, name: str) -> Exception:
        choices = [r.when for r in self.rulebook.rules_for(name) if r.when]
        if not choices and opposed(name) in self.rulebook.inputs:
            return InputError(
                "{id} counts games, and a calculation has no opponents: nothing says {name}. Award "
                "a file of games; or the rulebook declares an input {name} per game",
                id=self.rulebook.id,
                name=public(name),
            )
        if not choices:
            return RulebookError("{id}: nothing defines {name!r}", id=self.rulebook.id, name=name)
        keys = sorted({key for when in choices for key in when})
        case = ", ".join(f"{public(k)}={self.word(k)}" for k in keys)
        return InputError(
            "{id} has no {title} for {case}", id=self.rulebook.id, title=titled(name), case=case
        )

    # --- operations -----------------------------------------------------------------------------

    def operation(self, name: str, level: Level = "field") -> Operation:
        """Return the operation that makes the quantity a rule per ``level`` calls ``name``."""
        key = (name, level)
        if key not in self._operations:
            self._operations[key] = self._resolved(name, level)
        return self._operations[key]

    def _resolved(self, name: str, level: Level) -> Operation:
        if name in ENGINE_WORDS:
            return Operation(name, level)
        if wanted := aggregate(name):
            return Operation(name, level, (wanted.of,), aggregate=wanted)
        thing = self.find(name)
        if isinstance(thing, Rule):
            named = filter(None, (thing.starts, thing.best))
            return Operation(name, thing.per, (*thing.arguments, *named), rule=thing)
        return Operation(name, thing.per if isinstance(thing, Input) else "field", source=thing)

    def level(self, name: str) -> Level:
        """Return the level that a quantity is per, whoever asks."""
        if name in ENGINE_WORDS or aggregate(name):
            raise RulebookError("{name!r} has the level of the rule that asks", name=name)
        return self.operation(name).per

    def level_read(self, name: str, reader: Level) -> Level:
        """The level at which a rule per ``reader`` reads a quantity."""
        own = self.level(name)
        if own in ("field", reader) or own in BELOW_A_ROW.get(reader, ()):
            return own
        hint = (
            Message(": ask for covered_{name}, or for place", name=name)
            if (own, reader) == _OF_PLACES
            else ""
        )
        raise RulebookError(
            "{id}: {name!r} is per {own}, asked per {reader}{hint}",
            id=self.rulebook.id,
            name=name,
            own=own,
            reader=reader,
            hint=hint,
        )

    def verdicts(self, kind: str) -> list[Rule]:
        """The refusals, notices or sentences that are for the words of this case."""
        rules = (rule for rule in self.rulebook.rules if rule.kind == kind)
        return [rule for rule in rules if rule.applies(self.word)]

    def refusals(self, per: Level) -> list[Rule]:
        """The refusals of a level that are for the words of this case."""
        return [rule for rule in self.verdicts("refusal") if rule.per == per]

    def rounding(self, rule: Rule) -> tuple[str, Fraction] | None:
        """Return how a rule's quantity is rounded: the way and the unit; ``None`` if it is not."""
        if rule.rounds is None:
            return None
        unit = self.find(rule.rounds.unit)
        mode = rule.rounds.mode
        mode = self.word(mode) if mode in self.rulebook.parameters else mode
        if not isinstance(unit, Parameter) or not isinstance(unit.value, Fraction):
            raise RulebookError(
                "{id}: {unit!r} is not a number", id=self.rulebook.id, unit=rule.rounds.unit
            )
        return (mode, unit.value) if unit.value else None

    def below(self, names: Iterable[str]) -> dict[str, Operation]:
        """Return the operations for names and all they depend on; aggregates are looked through."""
        operations: dict[str, Operation] = {}
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name in operations or name in ENGINE_WORDS:
                continue
            wanted = aggregate(name)
            if wanted:
                waiting.append(wanted.of)
                continue
            if (other := opposed(name)) and name not in self.rulebook.inputs:
                waiting.append(other)
                continue
            operations[name] = operation = self.operation(name)
            waiting += operation.reads
            if operation.rule and (rounds := operation.rule.rounds):
                waiting += {rounds.unit, rounds.mode} & self.rulebook.parameters.keys()
        return operations


@dataclass(frozen=True, slots=True)
class Form:
    """The form that decides how a case is worked out: cases of the same ``key`` have the same
    operations.

    ``words`` are those that rules take as arguments; the others only chose among rules. Cases that
    their words alone refuse have one form where the same refusals are asked of them. ``graph`` is
    that of one such case.
    """

    key: object
    words: tuple[str, ...]
    graph: Graph
    refused: bool = False


def form_of(
    rulebook: Rulebook, given: Iterable[str], below: Iterable[str], words: Mapping[str, str]
) -> Form:
    """The form of a case: ``given`` and ``below`` name what is told of a field, and of its
    entrants and players."""
    known: dict[str, Value] = {**dict.fromkeys(given, Fraction(0)), **words}
    graph = Graph(rulebook, known, frozenset(below))
    try:
        refusals = [*graph.refusals("field"), *graph.refusals("player")]
        asked = [a for r in refusals for a in r.arguments]
        names = tuple(r.name for r in refusals)
        if any(_refuses_words(graph, rule) for rule in refusals if rule.per == "field"):
            own = tuple(w for w in words if w in asked)
            return Form(("refused", names), own, graph, refused=True)
        operations = graph.below((AWARD, PLACES, *asked))
    except HonoursError:  # these words lack something: by themselves they will be told what
        return Form(tuple(words.items()), tuple(words), graph)
    rules = {n: o.rule.function.__name__ for n, o in operations.items() if o.rule}
    key = (frozenset(rules.items()), frozenset(operations), names)
    return Form(key, tuple(w for w in words if w in operations), graph)


def _refuses_words(graph: Graph, rule: Rule) -> bool:
    """Return whether a refusal holds for the words of a case, whatever its numbers are."""
    if not all(_is_word_or_number(graph, argument) for argument in rule.arguments):
        return False
    return bool(rule.function(*map(graph.word_or_number, rule.arguments)))


def _is_word_or_number(graph: Graph, name: str) -> bool:
    """Return whether the words alone tell it: a word that is given, or one of the rulebook."""
    if name in ENGINE_WORDS or aggregate(name):
        return False
    source = graph.operation(name).source
    return isinstance(source, Parameter) or (isinstance(source, Input) and source.is_text)
