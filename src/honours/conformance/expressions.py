"""Arithmetic on what was taken from the rulebooks, exactly."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from honours.engine.numbers import WAYS, exact, log10, power, round_to
from honours.errors import RulebookError

_OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def _rounding(mode: str) -> Callable[[Fraction], Fraction]:
    return lambda x: round_to(x, mode, Fraction(1))


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "power": power,
    "log10": log10,
    "min": min,
    "max": max,
    "abs": abs,
    **{mode: _rounding(mode) for mode in WAYS},
}


def evaluate(expression: str, names: Mapping[str, Fraction]) -> Fraction:
    """The value of an arithmetic expression; a comparison is 1 where it holds, else 0."""
    try:
        return _value(ast.parse(expression, mode="eval").body, names)
    except (SyntaxError, KeyError, ZeroDivisionError) as error:
        raise RulebookError(
            "cannot work out {expression!r}: {error}", expression=expression, error=error
        ) from error


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
        case ast.Compare(left, ops, comparators):
            return _compared(ops, [left, *comparators], names)
        case ast.BoolOp(op=ast.And(), values=values):
            return min(_value(v, names) for v in values)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return Fraction(_FUNCTIONS[name](*(_value(a, names) for a in arguments)))
        case _:
            raise RulebookError("{unparse!r} is no arithmetic", unparse=ast.unparse(node))


def _compared(
    ops: list[ast.cmpop], nodes: list[ast.expr], names: Mapping[str, Fraction]
) -> Fraction:
    values = [_value(node, names) for node in nodes]
    steps = zip(ops, values, values[1:], strict=False)
    return Fraction(all(_OPERATORS[type(op)](a, b) for op, a, b in steps))


def names_in(expression: str) -> frozenset[str]:
    """The names an expression uses, functions apart."""
    tree = ast.walk(ast.parse(expression, mode="eval"))
    return frozenset(n.id for n in tree if isinstance(n, ast.Name)) - _FUNCTIONS.keys()
