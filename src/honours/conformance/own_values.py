"""What is ours: values taken from calculations of the rulebooks and the scorer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from honours.conformance import scorer
from honours.engine.award import calculated_fields, read_facts
from honours.engine.exact.working import Scope, SilentWorking, Working
from honours.engine.graph import AWARD
from honours.engine.numbers import exact
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.examples import Example, standings_field
from honours.errors import RulebookError
from honours.model import Field
from honours.rulebooks import load

Amendments = Mapping[str, Mapping[str, str]]
"""Parameters changed for a whole run: id of a rulebook or scoring profile → parameter → value."""

Calculation = Mapping[str, Any]
T = TypeVar("T")


class OwnValues:
    """Takes values from calculations; the same calculation is made once."""

    def __init__(self, amendments: Amendments | None = None) -> None:
        self.amendments = amendments or {}
        self._made: dict[str, Any] = {}

    def taken(self, calculation: Any) -> Fraction:
        """The value one calculation of a ``let`` gives."""
        if not isinstance(calculation, Mapping):
            raise RulebookError(
                "{calculation}: what is ours is worked out, not copied", calculation=calculation
            )
        take = str(calculation["take"])
        if "board" in calculation or "ranking" in calculation:
            return scorer.scored_value(self._once(calculation, self._scored), take)
        how, _, name = take.partition(":")
        match how:
            case "parameter":
                return _parameter(self._rulebook(calculation), name)
            case "rank":
                return _rank(self._rulebook(calculation), name)
            case "quantity" | "place" | "entrant" | "sum":
                return _worked(self._once(calculation, self._working), how, name)
            case _:
                return _awarded(self._once(calculation, self._ranked), how, name)

    def _once(self, calculation: Calculation, make: Callable[[Calculation], T]) -> T:
        parts = {k: v for k, v in calculation.items() if k != "take"}
        key = f"{make.__name__} {parts}"
        if key not in self._made:
            self._made[key] = make(calculation)
        value: T = self._made[key]
        return value

    def awarded(self) -> list[Working]:
        """Every calculation made so far of which somebody is awarded something, or refused it."""
        made = (working for working in self._made.values() if isinstance(working, Working))
        return [working for working in made if working.field.standings]

    def _rulebook(self, calculation: Calculation) -> Rulebook:
        book = load(calculation["rulebook"])
        changes = {**calculation.get("set", {}), **self.amendments.get(book.id, {})}
        return book.amend(changes) if changes else book

    def _working(self, calculation: Calculation) -> Working:
        book = self._rulebook(calculation)
        return SilentWorking(book, _field(book, calculation))

    def _ranked(self, calculation: Calculation) -> Working:
        """With standings from first to the last paid; with none where nothing is awarded."""
        book, line = self._rulebook(calculation), calculation.get("line", "")
        if "list" in calculation:
            return SilentWorking(book, _field(book, calculation))
        given, ties = calculation.get("given", {}), calculation.get("ties", "")
        fields = calculated_fields(book, given, ties)
        return SilentWorking(book, next(f for f in fields if not line or f.line == line))

    def _scored(self, calculation: Calculation) -> scorer.Scored:
        return scorer.score_calculation(calculation, self.amendments)


def _field(book: Rulebook, calculation: Calculation) -> Field:
    given, line = calculation.get("given", {}), calculation.get("line", "")
    if "list" in calculation:
        rows = tuple(calculation["list"])
        return standings_field(book, Example("", given, {}, entrants=rows))
    return Field(read_facts(book, {**given, "line": line} if line else given), line=line)


def _parameter(rulebook: Rulebook, name: str) -> Fraction:
    head, _, item = name.partition(".")
    if head not in rulebook.parameters:
        raise RulebookError("{id} has no parameter {head!r}", id=rulebook.id, head=head)
    value: Any = rulebook.parameters[head].value
    if isinstance(value, tuple):
        row, _, column = item.partition(".")
        return exact(value[int(row)][int(column)])
    return exact(value[item] if item else value)


def _rank(rulebook: Rulebook, name: str) -> Fraction:
    title, _, kind = name.rpartition(".")
    return next(rank.needs[kind] for rank in rulebook.ranks if rank.name == title)


def _worked(working: Working, how: str, name: str) -> Fraction:
    if how == "quantity":
        return working.number(name)
    if how == "sum":
        places = range(1, int(working.number("places")) + 1)
        return sum((working.number(name, Scope("place", p)) for p in places), Fraction(0))
    quantity, _, at = name.rpartition(".")
    scope = Scope("place", int(at)) if how == "place" else Scope("entrant", int(at) - 1)
    return working.number(quantity, scope)


def _awarded(working: Working, how: str, name: str) -> Fraction:
    standings = working.field.standings
    match how:
        case "at":
            return _award_of(working, int(name) - 1) if int(name) <= len(standings) else Fraction(0)
        case "first":
            return sum((_award_of(working, i) for i in range(int(name))), Fraction(0))
        case "total":
            return sum((_award_of(working, i) for i in range(len(standings))), Fraction(0))
        case "places":
            return Fraction(sum(1 for i in range(len(standings)) if _award_of(working, i)))
        case "extra":
            group, _, key = name.partition(".")
            if key not in working.rulebook.extras[group]:
                raise RulebookError("no such taking: {how}:{name}", how=how, name=name)
            return working.number(key)
        case "refused":
            return Fraction(not standings)
        case _:
            raise RulebookError("no such taking: {how}:{name}", how=how, name=name)


def _award_of(working: Working, entrant: int) -> Fraction:
    return working.number(AWARD, Scope("entrant", entrant))
