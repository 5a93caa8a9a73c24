"""Which parts of a graph can be worked out once per shape, looked up, remembered or skipped.

A quantity is *shared* if it depends only on facts of the field, numbers of the rulebook and the
place: then it is worked out once for all fields with the same facts. The others are each field's
*own*, in an order in which they can be worked out. All of this is read from the operations: speed
comes from the graph of a rule, not from a second copy of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from honours.engine.aggregates import aggregate
from honours.engine.compiled.batch import Batch
from honours.engine.compiled.emitting import is_rational
from honours.engine.graph import AWARD, PLACES, Graph, Operation, OperationKind
from honours.engine.rulebook import Input
from honours.engine.rules import Level, Rule
from honours.errors import HonoursError

_BY_PLAYERS: tuple[Level, ...] = ("entrant", "player")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity that a loop must work out for each field: an operation, and the level it is
    read at."""

    operation: Operation
    level: Level

    @property
    def name(self) -> str:
        return self.operation.name


@dataclass
class LoopPlan:
    """The graph below the award, for the words and facts of one batch."""

    graph: Graph
    facts: dict[Level, tuple[str, ...]]
    uniform: bool = False
    """Whether there are no lists of players: a fact of players is common to all, or unknown."""
    own: list[Quantity] = field(default_factory=list)
    judged: list[tuple[int, Rule]] = field(default_factory=list)
    """Refusals that a loop checks, each with how many of the own quantities come before it."""
    possible: bool = True
    _shared: dict[tuple[str, Level], bool] = field(default_factory=dict)
    _placed: set[tuple[str, Level]] = field(default_factory=set)

    # --- once per shape -------------------------------------------------------------------------

    def shared(self, name: str, level: Level) -> bool:
        """Whether this argument of a rule per ``level`` depends on the shape alone."""
        key = (name, level)
        if key not in self._shared:
            self._shared[key] = True  # a quantity per place may read its own value one place above
            self._shared[key] = self._is_shared(self.graph.operation(name, level), level)
        return self._shared[key]

    def _is_shared(self, operation: Operation, level: Level) -> bool:
        match operation.kind:
            case OperationKind.STANDING | OperationKind.ABOVE:
                return level == "place"
            case OperationKind.NUMBER:
                return True
            case OperationKind.GIVEN:
                return not any(operation.name in self.facts[lv] for lv in _BY_PLAYERS)
            case OperationKind.COVERED:
                return False
            case OperationKind.FOLD | OperationKind.RANK:
                (of,) = operation.reads
                return self.graph.level(of) == "place" and self.shared(of, "place")
        if operation.per in _BY_PLAYERS:
            return False
        return all(self.shared(read, operation.per) for read in operation.reads)

    # --- in which order -------------------------------------------------------------------------

    def order(self, name: str, level: Level) -> None:
        """Put everything a name needs, and then the name itself, into ``own``."""
        operation, key = self.graph.operation(name, level), (name, level)
        standing = operation.kind in (OperationKind.STANDING, OperationKind.ABOVE)
        if key in self._placed or standing or self.shared(name, level):
            return
        self._placed.add(key)
        if operation.aggregate:
            of = operation.aggregate.of
            if self.uniform and self.graph.level(of) == "player":
                self.possible = False
            self.order(of, self.graph.level(of))
            self.own.append(Quantity(operation, level))
        elif operation.rule:
            self._order_rule(operation)

    def _order_rule(self, operation: Operation) -> None:
        rule = operation.rule
        assert rule is not None
        looked_up = rule.tabulated and not is_rational(rule.function)
        if self.uniform and rule.per == "player":
            self.possible = False
        if looked_up or (rule.starts and rule.per != "place"):
            self.possible = False
        if rule.starts:
            self.order(rule.starts, "field")
        for argument in rule.arguments:
            self.order(argument, self.level_of(argument, rule.per))
        self.own.append(Quantity(operation, rule.per))

    def level_of(self, argument: str, level: Level) -> Level:
        """The level at which a rule per ``level`` looks an argument up."""
        operation = self.graph.operation(argument, level)
        if operation.kind in (OperationKind.STANDING, OperationKind.ABOVE) or operation.aggregate:
            return level
        own = operation.per
        return level if own == "field" and self.shared(argument, level) else own

    def judge(self, refusal: Rule) -> None:
        """Put everything a refusal of the field reads, and then the refusal itself, into
        ``own``."""
        for argument in refusal.arguments:
            self.order(argument, self.level_of(argument, "field"))
        self.judged.append((len(self.own), refusal))

    def speaks_of_words(self, refusal: Rule) -> bool:
        """Whether a refusal reads a word or a table, which a loop does not have."""
        sources = (self.graph.operation(a).source for a in refusal.arguments if not aggregate(a))
        return any(
            source.is_text if isinstance(source, Input) else not isinstance(source.value, Fraction)
            for source in sources
            if source
        )

    # --- what an award follows from exactly -----------------------------------------------------

    def exact_below(self, name: str, level: Level, seen: set[str]) -> bool:
        """Whether a quantity follows exactly from the facts of the field, its rounded
        quantities, the place and the ties; ``seen`` collects the rounded quantities that are the
        field's own."""
        operation = self.graph.operation(name, level)
        if operation.kind in (OperationKind.STANDING, OperationKind.ABOVE) or self.shared(
            name, level
        ):
            return True
        if operation.kind is OperationKind.COVERED:
            return self.exact_below(operation.reads[0], "place", seen)
        if operation.rule is None or operation.per == "player":
            return False
        if operation.per == "field" and operation.rounding:
            seen.add(name)
            return True
        return all(self.exact_below(read, operation.per, seen) for read in operation.reads)

    # --- what need not be worked out again ------------------------------------------------------

    def same_below_paid(self, name: str = AWARD, level: Level = "entrant") -> bool:
        """Whether all entrants below the paid places who are tied with equally many get the same
        award, because it depends only on the field, the size of the tie and paid places."""
        operation = self.graph.operation(name, level)
        if operation.kind is OperationKind.STANDING:
            return name == "tied"
        if self.shared(name, level):
            return operation.aggregate is not None or operation.per == "field"
        if operation.aggregate:
            return operation.kind is OperationKind.COVERED
        if operation.rule is None or operation.per not in ("field", "entrant"):
            return False
        if operation.per == "field":
            return True
        return all(self.same_below_paid(read, "entrant") for read in operation.reads)

    def remembered(self) -> str | None:
        """The fact of players from which rules make one sum over the field and nothing else:
        nothing that is read again, belongs to the field itself, or is rounded, which may be in
        doubt each time. The rules are then worked out once for each value of the fact."""
        made = {q.name: q.operation for q in self.own if q.level == "player"}
        facts: set[str] = set()
        for operation in made.values():
            if operation.rounding or operation.rule is None:
                return None
            for read in operation.reads:
                asked = self.graph.operation(read, "player")
                if asked.kind is OperationKind.GIVEN and read in self.facts["player"]:
                    facts.add(read)
                elif read not in made and not self.shared(read, "player"):
                    return None
        readers = [
            q
            for q in self.own
            if q.name not in made and not set(made).isdisjoint(q.operation.reads)
        ]
        if not made or len(facts) != 1 or len(readers) != 1:
            return None
        (reader,) = readers
        fold = reader.operation.aggregate.fold if reader.operation.aggregate else None
        sums = fold is not None and not fold.counts and not fold.best
        return facts.pop() if sums and reader.level == "field" else None


def make_plan(graph: Graph, batch: Batch) -> LoopPlan:
    """The graph for the words and facts of a batch, with nothing ordered yet."""
    facts: dict[Level, tuple[str, ...]] = {
        level: tuple(batch.facts[level]) for level in batch.facts
    }
    return LoopPlan(graph, facts, batch.uniform)


def can_fuse(plan: LoopPlan, refusals: Iterable[Rule]) -> bool:
    """Order the field's own quantities, starting with those that ``refusals`` read; returns whether
    all of them can run in one loop.

    Only for fields that are not refused by their shape: the others may lack rules.
    """
    if not plan.shared(PLACES, "field"):
        return False
    for refusal in refusals:
        plan.judge(refusal)
    plan.order(AWARD, "entrant")
    return plan.possible


def facts_used(plan: LoopPlan, asked: Iterable[str], batch: Batch) -> tuple[str, ...]:
    """The facts of the field on which the award, the places or what is ``asked`` depend."""
    given = tuple(batch.facts["field"])
    try:
        below = plan.graph.below((AWARD, PLACES, *asked))
    except HonoursError:
        return given  # a case without a rule is refused, or reported when it is worked out
    return tuple(name for name in given if name in below)
