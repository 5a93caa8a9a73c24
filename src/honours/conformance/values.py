"""What is ours: calculations taken from the rulebooks and the scorer, and expressions on them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from honours.engine.award import calculate, read_facts
from honours.engine.numbers import exact, log10, power
from honours.engine.rulebook import Rulebook
from honours.engine.working import Scope, Working
from honours.errors import RulebookError
from honours.model import Awards, Field
from honours.rulebooks import load

Amendments = Mapping[str, Mapping[str, str]]
"""Parameters changed for a whole run: rulebook id → parameter → value."""

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "power": power,
    "log10": log10,
    "min": min,
    "max": max,
    "abs": abs,
}


def evaluate(expression: str, names: Mapping[str, Fraction]) -> Fraction:
    """The value of an arithmetic expression, exactly."""
    try:
        return _value(ast.parse(expression, mode="eval").body, names)
    except (SyntaxError, KeyError, ZeroDivisionError) as error:
        raise RulebookError(f"cannot work out {expression!r}: {error}") from error


def _value(node: ast.expr, names: Mapping[str, Fraction]) -> Fraction:
    match node:
        case ast.Constant(value=int() as whole):
            return Fraction(whole)
        case ast.Constant(value=float()):
            return exact(ast.unparse(node))
        case ast.Name(id=name):
            return names[name]
        case ast.BinOp(left, op, right):
            return Fraction(_OPERATORS[type(op)](_value(left, names), _value(right, names)))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return Fraction(_FUNCTIONS[name](*(_value(a, names) for a in arguments)))
        case _:
            raise RulebookError(f"{ast.unparse(node)!r} is no arithmetic")


def taken(calculation: Any, amendments: Amendments) -> Fraction:
    """The value one calculation of a ``let`` gives."""
    if not isinstance(calculation, Mapping):
        return exact(calculation)
    rulebook = _rulebook(calculation, amendments)
    how, _, name = str(calculation["take"]).partition(":")
    if how == "parameter":
        return _parameter(rulebook, name)
    given = calculation.get("given", {})
    if how in ("quantity", "sum"):
        return _worked(rulebook, given, how, name)
    lists = calculate(rulebook, given, calculation.get("ties", ""))
    return _of(_chosen(lists, calculation.get("line", "")), how, name)


def _rulebook(calculation: Mapping[str, Any], amendments: Amendments) -> Rulebook:
    book = load(calculation["rulebook"])
    return book.amend({**calculation.get("set", {}), **amendments.get(book.id, {})})


def _parameter(rulebook: Rulebook, name: str) -> Fraction:
    head, _, item = name.partition(".")
    value: Any = rulebook.parameters[head].value
    if isinstance(value, tuple):
        row, _, column = item.partition(".")
        return exact(value[int(row)][int(column)])
    return exact(value[item] if item else value)


def _worked(rulebook: Rulebook, given: Mapping[str, Any], how: str, name: str) -> Fraction:
    working = Working(rulebook, Field(read_facts(rulebook, given)))
    if how == "quantity":
        return working.number(name)
    places = int(working.number("places"))
    amounts = (working.number(name, Scope("place", p)) for p in range(1, places + 1))
    return sum(amounts, Fraction(0))


def _chosen(lists: list[Awards], line: str) -> Awards:
    return next((a for a in lists if not line or a.field.line == line))


def _of(awards: Awards, how: str, name: str) -> Fraction:
    match how:
        case "at":
            place = int(name)
            paid = awards.schedule
            return paid[place - 1].amount if place <= len(paid) else Fraction(0)
        case "total":
            return sum((a.amount for a in awards.schedule), Fraction(0))
        case "places":
            return Fraction(len(awards.schedule))
        case "extra":
            group, _, key = name.partition(".")
            return exact(awards.extras[group][key])
        case "refused":
            return Fraction(awards.refusal is not None)
        case _:
            raise RulebookError(f"no such taking: {how}:{name}")
