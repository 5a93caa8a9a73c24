"""A rule's formula as a reader would write it, from the source of its function.

A rule's body is only ``if`` and ``return`` (the lint says so), so the branch taken and the
expression it returns can be shown, once in names and once in their values.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from copy import deepcopy
from fractions import Fraction
from functools import cache
from typing import Any, cast

from honours.engine import numbers
from honours.errors import RulebookError

_SYMBOLS: dict[type[ast.AST], tuple[str, int]] = {
    ast.Add: ("+", 1),
    ast.Sub: ("−", 1),
    ast.Mult: ("×", 2),
    ast.Div: ("/", 2),
    ast.Lt: ("<", 0),
    ast.LtE: ("≤", 0),
    ast.Gt: (">", 0),
    ast.GtE: ("≥", 0),
    ast.Eq: ("=", 0),
    ast.NotEq: ("≠", 0),
}
_TITLES = {"min": "the smaller of", "max": "the larger of", "row_for": "the row for"}
_ATOM = 9


@cache
def body(function: Callable[..., Any]) -> tuple[ast.stmt, ...]:
    """The statements of a rule function, without its docstring."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise RulebookError(f"{function.__name__}: a rule is a plain function")
    statements = definition.body
    return tuple(statements[1:] if ast.get_docstring(definition) else statements)


def taken(function: Callable[..., Any], values: Mapping[str, Any]) -> ast.expr:
    """The expression the function returns for these values."""
    found = _returned(body(function), values)
    if found is None:
        raise RulebookError(f"{function.__name__}: a rule returns a value on every branch")
    return _resolved(found, values)


def _returned(statements: tuple[ast.stmt, ...], values: Mapping[str, Any]) -> ast.expr | None:
    for statement in statements:
        if isinstance(statement, ast.Return):
            return statement.value
        if isinstance(statement, ast.If):
            branch = statement.body if _holds(statement.test, values) else statement.orelse
            found = _returned(tuple(branch), values)
            if found is not None:
                return found
    return None


def _resolved(expression: ast.expr, values: Mapping[str, Any]) -> ast.expr:
    """Without the alternatives not taken: ``a if t else b`` and ``up_to`` become their branch."""
    if isinstance(expression, ast.IfExp):
        branch = expression.body if _holds(expression.test, values) else expression.orelse
        return _resolved(branch, values)
    if _called(expression) == "up_to" and isinstance(expression, ast.Call):
        x, limit, then, otherwise = expression.args
        test = ast.Compare(x, [ast.LtE()], [limit])
        return _resolved(then if _holds(test, values) else otherwise, values)
    return expression


def _holds(test: ast.expr, values: Mapping[str, Any]) -> bool:
    code = compile(ast.fix_missing_locations(ast.Expression(test)), "rule", "eval")
    return bool(eval(code, {**vars(numbers)}, dict(values)))


def _called(expression: ast.expr) -> str:
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Name):
        return expression.func.id
    return ""


def write(expression: ast.expr, names: Mapping[str, str]) -> str:
    """The expression as text, each name replaced by what ``names`` says of it."""
    return _written(expression, names)[0]


def _written(node: ast.expr, names: Mapping[str, str]) -> tuple[str, int]:
    match node:
        case ast.Name(id=name):
            return names.get(name, name.replace("_", " ")), _ATOM
        case ast.Constant(value=value):
            return str(value), _ATOM
        case ast.BinOp(left, op, right):
            return _binary(left, op, right, names)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return "−" + _within(operand, names, 2), 2
        case ast.Compare(left, [op], [right]):
            symbol, level = _SYMBOLS[type(op)]
            return f"{_within(left, names, 1)} {symbol} {_within(right, names, 1)}", level
        case ast.BoolOp(op, parts):
            joint = " and " if isinstance(op, ast.And) else " or "
            return joint.join(_within(p, names, 0) for p in parts), -1
        case ast.Subscript(table, index):
            return f"{_within(table, names, _ATOM)}[{write(index, names)}]", _ATOM
        case ast.Call():
            return _call(node, names)
        case _:
            return ast.unparse(node), 0


def _binary(
    left: ast.expr, op: ast.operator, right: ast.expr, names: Mapping[str, str]
) -> tuple[str, int]:
    symbol, level = _SYMBOLS[type(op)]
    # a − (b − c) and a / (b × c) need their brackets; a + (b + c) does not
    closer = level + 1 if isinstance(op, ast.Sub | ast.Div) else level
    return f"{_within(left, names, level)} {symbol} {_within(right, names, closer)}", level


def _within(node: ast.expr, names: Mapping[str, str], level: int) -> str:
    text, own = _written(node, names)
    return text if own >= level else f"({text})"


def _call(node: ast.Call, names: Mapping[str, str]) -> tuple[str, int]:
    name = _called(node) or ast.unparse(node.func)
    if name == "power":
        base, exponent = node.args
        return f"{_within(base, names, _ATOM)}^{_within(exponent, names, _ATOM)}", 3
    if name == "str":  # the item of a table that a number names
        return _written(node.args[0], names)
    title = _TITLES.get(name, name)
    return f"{title} ({', '.join(write(a, names) for a in node.args)})", _ATOM


def looked_up(expression: ast.expr, values: Mapping[str, Any]) -> ast.expr:
    """The expression with the items of tables in place of the tables: ``96`` for a whole row."""
    if not any(isinstance(value, Mapping) for value in values.values()):
        return expression
    return cast(ast.expr, _LookUp(values).visit(deepcopy(expression)))


class _LookUp(ast.NodeTransformer):
    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.value, ast.Name) or node.value.id not in self.values:
            return node
        code = compile(ast.fix_missing_locations(ast.Expression(node)), "rule", "eval")
        return ast.Constant(value_text(eval(code, {**vars(numbers)}, dict(self.values))))


def value_text(value: object) -> str:
    """A value as it stands in a working: short."""
    if isinstance(value, Fraction) and value.denominator in (3, 6, 7, 9):
        return f"{value.numerator}/{value.denominator}"  # 18 × 1/3 is 6, 18 × 0.3333 is not
    if isinstance(value, Fraction):
        text = numbers.show(value)
        return text if len(text) <= 9 else numbers.show(value, 4)
    return str(value)
