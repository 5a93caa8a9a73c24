"""What is ours: values taken from calculations of the rulebooks and the scorer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from honours.conformance import scorer
from honours.engine.award import award, calculate, read_facts
from honours.engine.examples import Example, standings_field
from honours.engine.numbers import exact
from honours.engine.rulebook import Rulebook
from honours.engine.working import Scope, Working
from honours.errors import RulebookError
from honours.model import Awards, Field
from honours.rulebooks import load

Amendments = Mapping[str, Mapping[str, str]]
"""Parameters changed for a whole run: id of a rulebook or scoring profile → parameter → value."""

Calculation = Mapping[str, Any]


class Ours:
    """Takes values from calculations; the same calculation is made once."""

    def __init__(self, amendments: Amendments | None = None) -> None:
        self.amendments = amendments or {}
        self._made: dict[tuple[str, str], Any] = {}

    def taken(self, calculation: Any) -> Fraction:
        """The value one calculation of a ``let`` gives; a plain number is itself."""
        if not isinstance(calculation, Mapping):
            return exact(calculation)
        if "board" in calculation or "ranking" in calculation:
            return self._scored(calculation)
        how, _, name = str(calculation["take"]).partition(":")
        match how:
            case "parameter":
                return _parameter(self._rulebook(calculation), name)
            case "quantity" | "place" | "entrant" | "sum":
                working = self._once("working", calculation, self._working)
                return _worked(working, how, name)
            case _:
                lists = self._once("awards", calculation, self._awards)
                return _of(_chosen(lists, calculation.get("line", "")), how, name)

    def _once(self, kind: str, calculation: Calculation, make: Callable[[Calculation], Any]) -> Any:
        whole = ("take", "line") if kind == "awards" else ("take",)
        parts = {k: v for k, v in calculation.items() if k not in whole}
        key = (kind, repr(parts))
        if key not in self._made:
            self._made[key] = make(calculation)
        return self._made[key]

    def _rulebook(self, calculation: Calculation) -> Rulebook:
        book = load(calculation["rulebook"])
        changes = {**calculation.get("set", {}), **self.amendments.get(book.id, {})}
        return book.amend(changes) if changes else book

    def _working(self, calculation: Calculation) -> Working:
        book = self._rulebook(calculation)
        return Working(book, _field(book, calculation))

    def _awards(self, calculation: Calculation) -> list[Awards]:
        book = self._rulebook(calculation)
        if "list" in calculation:
            return [award(book, _field(book, calculation))]
        return calculate(book, calculation.get("given", {}), calculation.get("ties", ""))

    def _scored(self, calculation: Calculation) -> Fraction:
        def made(_: Calculation) -> scorer.Scored:
            return scorer.scored(calculation, self.amendments)

        return scorer.taken(self._once("scored", calculation, made), calculation["take"])


def _field(book: Rulebook, calculation: Calculation) -> Field:
    given, line = calculation.get("given", {}), calculation.get("line", "")
    if "list" in calculation:
        rows = tuple(calculation["list"])
        return standings_field(book, Example("", given, {}, entrants=rows))
    return Field(read_facts(book, {**given, "line": line} if line else given), line=line)


def _parameter(rulebook: Rulebook, name: str) -> Fraction:
    head, _, item = name.partition(".")
    if head not in rulebook.parameters:
        raise RulebookError(f"{rulebook.id} has no parameter {head!r}")
    value: Any = rulebook.parameters[head].value
    if isinstance(value, tuple):
        row, _, column = item.partition(".")
        return exact(value[int(row)][int(column)])
    return exact(value[item] if item else value)


def _worked(working: Working, how: str, name: str) -> Fraction:
    if how == "quantity":
        return working.number(name)
    if how == "sum":
        places = range(1, int(working.number("places")) + 1)
        return sum((working.number(name, Scope("place", p)) for p in places), Fraction(0))
    quantity, _, at = name.rpartition(".")
    scope = Scope("place", int(at)) if how == "place" else Scope("entrant", int(at) - 1)
    return working.number(quantity, scope)


def _chosen(lists: list[Awards], line: str) -> Awards:
    return next(a for a in lists if not line or a.field.line == line)


def _of(awards: Awards, how: str, name: str) -> Fraction:
    match how:
        case "at":
            place, paid = int(name), awards.schedule
            return paid[place - 1].amount if place <= len(paid) else Fraction(0)
        case "total":
            return sum((a.amount for a in awards.schedule), Fraction(0))
        case "places":
            return Fraction(sum(1 for a in awards.schedule if a.amount))
        case "extra":
            group, _, key = name.partition(".")
            return exact(awards.extras[group][key])
        case "refused":
            return Fraction(awards.refusal is not None)
        case _:
            raise RulebookError(f"no such taking: {how}:{name}")
