"""A rule's function as the text of one that generated code can call: on floats, or on fractions.

The arithmetic is the rule's own, taken from its source and never written a second time. On
fractions every operation becomes a call of :mod:`honours.engine.rationals`; a rule that takes a
power or a logarithm, reads a table or speaks of words has no such form.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import cache, reduce
from typing import Any

from honours.engine import formula, numbers
from honours.errors import HonoursError

UNKNOWN = "(0, 0)"
_ARITHMETIC = {ast.Add: "plus", ast.Sub: "minus", ast.Mult: "times", ast.Div: "over"}
_PLAIN = ("power", "log10", "ln", "exp", "up_to", "min", "max", "abs")
"""What a rule may call when it runs on floats: these are in scope of all generated code."""


class _NotRational(Exception):
    """Something in a rule has no form on fractions."""


@cache
def on_floats(function: Callable[..., Any], name: str) -> str | None:
    """The function called ``name``, for floats; None where it speaks of something of its file."""
    try:
        statements = formula.body(function)
    except (HonoursError, OSError, SyntaxError):
        return None
    arguments = tuple(formula.arguments_of(function))
    for node in (n for statement in statements for n in ast.walk(statement)):
        if isinstance(node, ast.Name) and node.id not in (*arguments, *_PLAIN):
            return None
        if isinstance(node, ast.Name) and node.id in _PLAIN and not _is_ours(function, node.id):
            return None
    body = "\n".join(_indented(ast.unparse(statement)) for statement in statements)
    return f"def {name}({', '.join(arguments)}):\n{body}\n"


def _is_ours(function: Callable[..., Any], name: str) -> bool:
    """Whether a name means in the rule's file what it means in generated code."""
    known = function.__globals__.get(name)
    return known is None or known is getattr(numbers, name, known)


def _indented(text: str, pad: str = "    ") -> str:
    return "\n".join(pad + line for line in text.splitlines())


@cache
def on_fractions(function: Callable[..., Any], name: str) -> str | None:
    """The function called ``name``, for fractions; None where it has no such form."""
    try:
        statements = formula.body(function)
        arguments = tuple(formula.arguments_of(function))
        lines = _Rational(arguments).block(statements)
    except (_NotRational, HonoursError, OSError, SyntaxError):
        return None
    body = "\n".join(_indented(line) for line in [*lines, f"return {UNKNOWN}"])
    return f"def {name}({', '.join(arguments)}):\n{body}\n"


class _Rational:
    """Writes statements and expressions as operations on fractions."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.arguments = arguments

    def block(self, statements: Sequence[ast.stmt]) -> list[str]:
        lines: list[str] = []
        for statement in statements:
            if isinstance(statement, ast.Return) and statement.value is not None:
                lines.append(f"return {self.value(statement.value)}")
            elif isinstance(statement, ast.If):
                lines += [f"t = {self.test(statement.test)}", f"if t < 0: return {UNKNOWN}"]
                lines += ["if t:", *map(_indented, self.block(statement.body))]
                if statement.orelse:
                    lines += ["else:", *map(_indented, self.block(statement.orelse))]
            else:
                raise _NotRational
        return lines

    def value(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name) if name in self.arguments:
                return name
            case ast.Constant(value=int() as whole) if not isinstance(whole, bool):
                return f"({whole}, 1)"
            case ast.BinOp(left, op, right) if type(op) in _ARITHMETIC:
                return f"{_ARITHMETIC[type(op)]}({self.value(left)}, {self.value(right)})"
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"minus((0, 1), {self.value(operand)})"
            case ast.IfExp(test, body, orelse):
                return f"chosen({self.test(test)}, {self.value(body)}, {self.value(orelse)})"
            case ast.Call(ast.Name(name), arguments):
                return self._call(name, arguments)
        raise _NotRational

    def _call(self, name: str, arguments: list[ast.expr]) -> str:
        values = [self.value(argument) for argument in arguments]
        if name in ("min", "max") and len(values) > 1:
            called = "smaller" if name == "min" else "larger"
            return reduce(lambda one, other: f"{called}({one}, {other})", values)
        if name == "abs" and len(values) == 1:
            return f"size({values[0]})"
        if name == "up_to" and len(values) == 4:
            x, limit, then, otherwise = values
            return f"chosen(at_most({x}, {limit}), {then}, {otherwise})"
        raise _NotRational

    def test(self, node: ast.expr) -> str:
        match node:
            case ast.Compare(left, ops, comparators):
                sides = [left, *comparators]
                tests = [self._compared(*one) for one in zip(sides, ops, comparators, strict=False)]
                return reduce(lambda one, other: f"both({one}, {other})", tests)
            case ast.BoolOp(op, parts):
                joint = "both" if isinstance(op, ast.And) else "either"
                tests = [self.test(part) for part in parts]
                return reduce(lambda one, other: f"{joint}({one}, {other})", tests)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"negated({self.test(operand)})"
            case _:
                return f"negated(equal({self.value(node)}, (0, 1)))"

    def _compared(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        x, y = self.value(left), self.value(right)
        match op:
            case ast.Lt():
                return f"below({x}, {y})"
            case ast.LtE():
                return f"at_most({x}, {y})"
            case ast.Gt():
                return f"below({y}, {x})"
            case ast.GtE():
                return f"at_most({y}, {x})"
            case ast.Eq():
                return f"equal({x}, {y})"
            case ast.NotEq():
                return f"negated(equal({x}, {y}))"
        raise _NotRational
