"""A rule's function in the operations of the compiled way, generated from its source.

The arithmetic is the rule's own and never written a second time. ``on_floats`` is its text
unchanged; ``in_operations`` turns every operation into a call (``plus(x, y)``), so that a way of
running it is a set of functions with those names: fractions of 64-bit numbers in a loop
(:mod:`honours.engine.compiled.rationals`), or fractions and floats of whole columns
(:mod:`honours.engine.compiled.column_arithmetic`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from typing import Any

from honours.engine import numbers
from honours.engine.compiled.column_arithmetic import FLOATS, FRACTIONS
from honours.engine.exact import formula
from honours.errors import HonoursError

_ARITHMETIC = {ast.Add: "plus", ast.Sub: "minus", ast.Mult: "times", ast.Div: "over"}
_IRRATIONAL = ("power", "log10", "ln", "exp")
_PLAIN = (*_IRRATIONAL, "up_to", "min", "max", "abs")
"""What a rule may call when it runs compiled; the others read tables or words."""


class _NoOperation(Exception):
    """Something in a rule is not an operation: it reads a table or uses words."""


@cache
def on_floats(function: Callable[..., Any], name: str) -> str | None:
    """The function under the name ``name``, for floats; None if it uses something else from its
    file."""
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
    """Whether a name means the same in the rule's file as in generated code."""
    known = function.__globals__.get(name)
    return known is None or known is getattr(numbers, name, known)


def _indented(text: str, pad: str = "    ") -> str:
    return "\n".join(pad + line for line in text.splitlines())


@cache
def in_operations(function: Callable[..., Any], name: str, rational: bool = True) -> str | None:
    """The function under the name ``name``, in operations; None if it has no such form, or if it
    takes a power or a logarithm although it must be ``rational``."""
    try:
        arguments = tuple(formula.arguments_of(function))
        value = _Operations(function, arguments, rational).returned(formula.body(function))
    except (_NoOperation, HonoursError, OSError, SyntaxError):
        return None
    named = ", ".join(map(_named, arguments))
    return f"def {name}({named}):\n    return {value}\n"


def _named(argument: str) -> str:
    """The generated name of an argument, which clashes with no operation."""
    return f"of_{argument}"


def is_rational(function: Callable[..., Any]) -> bool:
    """Whether a rule uses only sums, products, quotients and comparisons, and so is exact on
    fractions."""
    return in_operations(function, "rule") is not None


@cache
def on_columns(function: Callable[..., Any], fractions: bool) -> Callable[..., Any] | None:
    """The function for whole columns, of fractions or of floats; None if it has no such form."""
    text = in_operations(function, "rule", rational=fractions)
    if text is None:
        return None
    scope: dict[str, Any] = dict(FRACTIONS if fractions else FLOATS)
    exec(compile(text, "<rule>", "exec"), scope)
    made: Callable[..., Any] = scope["rule"]
    return made


class _Operations:
    """Writes statements and expressions as calls of operations."""

    def __init__(
        self, function: Callable[..., Any], arguments: Sequence[str], rational: bool
    ) -> None:
        self.function, self.arguments, self.rational = function, arguments, rational

    def returned(self, statements: Sequence[ast.stmt]) -> str:
        """What a list of statements returns."""
        match statements:
            case [ast.Return(value=ast.expr() as value), *_]:
                return self.value(value)
            case [ast.If(test=test, body=then, orelse=otherwise), *rest]:
                kept = self.returned([*then, *rest]), self.returned([*otherwise, *rest])
                return f"chosen({self.test(test)}, {kept[0]}, {kept[1]})"
            case []:
                return "unknown()"
        raise _NoOperation

    def value(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name) if name in self.arguments:
                return _named(name)
            case ast.Constant(value=int() as number) if not isinstance(number, bool):
                return f"whole({number})"
            case ast.BinOp(left, op, right) if type(op) in _ARITHMETIC:
                return f"{_ARITHMETIC[type(op)]}({self.value(left)}, {self.value(right)})"
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"minus(whole(0), {self.value(operand)})"
            case ast.IfExp(test, body, orelse):
                return f"chosen({self.test(test)}, {self.value(body)}, {self.value(orelse)})"
            case ast.Call(ast.Name(name), arguments) if _is_ours(self.function, name):
                return self._call(name, arguments)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return f"chosen({self.test(node)}, whole(1), whole(0))"
        raise _NoOperation

    def _call(self, name: str, arguments: list[ast.expr]) -> str:
        values = [self.value(argument) for argument in arguments]
        if name in ("min", "max") and len(values) > 1:
            called = "smaller" if name == "min" else "larger"
            return reduce(lambda one, other: f"{called}({one}, {other})", values)
        if name == "abs" and len(values) == 1:
            return f"size({values[0]})"
        if name == "up_to" and self.rational and len(values) == 4:
            x, limit, then, otherwise = values
            return f"chosen(at_most({x}, {limit}), {then}, {otherwise})"
        if name in (*_IRRATIONAL, "up_to") and not self.rational:
            return f"{name}({', '.join(values)})"
        raise _NoOperation

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
                return f"negated(equal({self.value(node)}, whole(0)))"

    def _compared(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        written = _COMPARED.get(type(op))
        if written is None:
            raise _NoOperation
        return written.format(x=self.value(left), y=self.value(right))


_COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "below({x}, {y})",
    ast.LtE: "at_most({x}, {y})",
    ast.Gt: "below({y}, {x})",
    ast.GtE: "at_most({y}, {x})",
    ast.Eq: "equal({x}, {y})",
    ast.NotEq: "negated(equal({x}, {y}))",
}
