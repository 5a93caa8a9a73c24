"""What of a rule's graph depends on the players, and what only on the shape of the field.

A quantity is *shared* where it depends on nothing but facts of the field, numbers of the rulebook
and the place: then it is worked out once for all fields of the same facts. The others are *own* to
each field, in the order in which they can be worked out. Speed comes from here, not from a second
copy of any rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from honours.engine.award import AWARD, PLACES
from honours.engine.batch import Batch
from honours.engine.case import Case, aggregate
from honours.engine.rulebook import Input, Parameter, Rulebook
from honours.engine.rules import ENGINE_WORDS, Level, Rule
from honours.errors import HonoursError
from honours.model import Value

OVER_MEMBERS = ("mean_of_", "sum_of_", "count_of_", "rank_of_")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A rule's quantity, or an aggregate of one (without ``rule``), and the level it is per."""

    name: str
    level: Level
    rule: Rule | None = None


@dataclass
class Plan:
    """The graph below the award, for the words and facts of one batch."""

    case: Case
    facts: dict[Level, tuple[str, ...]]
    own: list[Quantity] = field(default_factory=list)
    possible: bool = True
    _shared: dict[tuple[str, Level], bool] = field(default_factory=dict)
    _placed: set[tuple[str, Level]] = field(default_factory=set)

    def shared(self, name: str, level: Level) -> bool:
        """Whether an argument named so, of a rule per ``level``, depends on the shape alone."""
        key = (name, level)
        if key not in self._shared:
            self._shared[key] = True  # a place's quantity may look at itself one place above
            self._shared[key] = self._is_shared(name, level)
        return self._shared[key]

    def _is_shared(self, name: str, level: Level) -> bool:
        if name in ENGINE_WORDS:
            return level == "place"
        wanted = aggregate(name)
        if wanted:
            of = self.case.level(wanted.of)
            return wanted.how in OVER_MEMBERS and of == "place" and self.shared(wanted.of, of)
        found = self.case.find(name)
        if isinstance(found, Parameter):
            return True
        if isinstance(found, Input):
            return not any(name in self.facts[lv] for lv in ("entrant", "player"))
        if found.per in ("entrant", "player"):
            return False
        above = (found.starts,) if found.starts else ()
        return all(self.shared(a, found.per) for a in (*found.arguments, *above))

    def order(self, name: str, level: Level) -> None:
        """Put what a name needs, and then itself, into ``own``."""
        key = (name, level)
        if key in self._placed or name in ENGINE_WORDS or self.shared(name, level):
            return
        self._placed.add(key)
        wanted = aggregate(name)
        if wanted:
            self.order(wanted.of, self.case.level(wanted.of))
            self.own.append(Quantity(name, level))
            return
        found = self.case.find(name)
        if isinstance(found, Rule):
            self._order_rule(found)

    def _order_rule(self, rule: Rule) -> None:
        if rule.tabulated or (rule.starts and rule.per != "place"):
            self.possible = False
        if rule.starts:
            self.order(rule.starts, "field")
        for argument in rule.arguments:
            self.order(argument, self._level_of(argument, rule.per))
        self.own.append(Quantity(rule.name, rule.per, rule))

    def _level_of(self, argument: str, level: Level) -> Level:
        if argument in ENGINE_WORDS or aggregate(argument):
            return level
        own = self.case.level(argument)
        return level if own == "field" and self.shared(argument, level) else own

    def exact_below(self, name: str, level: Level, seen: set[str]) -> bool:
        """Whether a quantity follows exactly from the facts of the field, what was rounded of it,
        the place and the ties; ``seen`` collects the rounded quantities that are own."""
        if name in ENGINE_WORDS or self.shared(name, level):
            return True
        wanted = aggregate(name)
        if wanted:
            return wanted.how == "covered_" and self.exact_below(wanted.of, "place", seen)
        found = self.case.find(name)
        if not isinstance(found, Rule) or found.per == "player":
            return False
        if found.per == "field" and found.rounds:
            seen.add(name)
            return True
        above = (found.starts,) if found.starts else ()
        return all(self.exact_below(a, found.per, seen) for a in (*above, *found.arguments))


def make_plan(rulebook: Rulebook, batch: Batch) -> Plan:
    """The graph for the words and facts of a batch, nothing ordered yet."""
    facts: dict[Level, tuple[str, ...]] = {
        level: tuple(batch.facts[level]) for level in batch.facts
    }
    return Plan(Case(rulebook, batch.given(), batch.below), facts)


def can_fuse(plan: Plan, rulebook: Rulebook) -> bool:
    """Order the own quantities; say whether all of them can run in one loop.

    Only for fields that are not refused: the others may lack rules.
    """
    if not plan.shared(PLACES, "field"):
        return False
    plan.order(AWARD, "entrant")
    by_player = (r for r in rulebook.rules if r.kind == "refusal" and r.per == "player")
    return plan.possible and not any(r.applies(plan.case.word) for r in by_player)


def facts_used(plan: Plan, asked: Iterable[str], batch: Batch) -> tuple[str, ...]:
    """The facts of the field that the award, the places or what is ``asked`` depend on."""
    given = tuple(batch.facts["field"])
    try:
        below = everything_below(plan.case, (AWARD, PLACES, *asked))
    except HonoursError:
        return given  # a case that lacks a rule is refused, or says so where it is worked out
    return tuple(name for name in given if name in below)


@dataclass(frozen=True, slots=True)
class Graph:
    """What decides how a case is worked out: cases of the same ``key`` have the same rules.

    ``words`` are those that rules take as arguments; the others only chose among rules.
    """

    key: Any
    words: tuple[str, ...]


def graph_of(
    rulebook: Rulebook, given: Iterable[str], below: Iterable[str], words: Mapping[str, str]
) -> Graph:
    """The graph of a case: ``given`` and ``below`` name what is told of a field, and of its
    entrants and players."""
    known: dict[str, Value] = {**dict.fromkeys(given, Fraction(0)), **words}
    case = Case(rulebook, known, frozenset(below))
    try:
        refusals = [r for r in rulebook.rules if r.kind == "refusal" and r.applies(case.word)]
        asked = [a for r in refusals for a in r.arguments]
        found = everything_below(case, (AWARD, PLACES, *asked))
    except HonoursError:  # these words lack something: by themselves they will be told what
        return Graph(tuple(words.items()), tuple(words))
    rules = {n: f.function.__name__ for n, f in found.items() if isinstance(f, Rule)}
    key = (frozenset(rules.items()), frozenset(found), tuple(r.name for r in refusals))
    return Graph(key, tuple(w for w in words if w in found))


def everything_below(case: Case, names: Iterable[str]) -> dict[str, Input | Parameter | Rule]:
    """What the names, and all they depend on, stand for."""
    found: dict[str, Input | Parameter | Rule] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        wanted = aggregate(name)
        if wanted:
            waiting.append(wanted.of)
        elif name not in found and name not in ENGINE_WORDS:
            found[name] = here = case.find(name)
            if isinstance(here, Rule):
                waiting += [*here.arguments, *([here.starts] if here.starts else [])]
                if here.rounds:
                    waiting += [
                        n
                        for n in (here.rounds.unit, here.rounds.mode)
                        if n in case.rulebook.parameters
                    ]
    return found
