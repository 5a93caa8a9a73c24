"""An expression of a rule written as people write it: ``a × (b + c)``, ``the larger of (a, b)``."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from honours.engine.names import public

Names = Mapping[str, str]

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
_OPPOSITE: dict[type[ast.AST], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
_TITLES = {"min": "the smaller of", "max": "the larger of"}
_ATOM = 9
_X = ast.Name("x")


def write(expression: ast.expr, names: Names) -> str:
    """The expression as text, each name as words or replaced by what ``names`` says of it."""
    return _written(expression, names)[0]


def write_test(test: ast.expr, held: bool, names: Names) -> str:
    """A comparison as it turned out: ``place ≠ places`` where ``place == places`` did not hold."""
    if held:
        return write(test, names)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        opposite = _OPPOSITE[type(test.ops[0])]()
        return write(ast.Compare(test.left, [opposite], test.comparators), names)
    return f"not ({write(test, names)})"


def _written(node: ast.expr, names: Names) -> tuple[str, int]:
    match node:
        case ast.Name(id=name):
            return _atom(names.get(name) or public(name).replace("_", " "))
        case ast.Constant(value=value):
            return _atom(str(value))
        case ast.BinOp(left, op, right):
            return _binary(left, op, right, names)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return "−" + _within(operand, names, 2), 2
        case ast.Compare():
            return _comparison(node, names), 0
        case ast.BoolOp(op, parts):
            joint = " and " if isinstance(op, ast.And) else " or "
            return joint.join(_within(p, names, 0) for p in parts), -1
        case ast.Subscript(table, index):
            return _item(table, index, names)
        case ast.Call():
            return _call(node, names)
        case _:
            return ast.unparse(node), 0


def _atom(text: str) -> tuple[str, int]:
    """A name, or the value that stands for it: ``1/3`` needs brackets where a name does not."""
    if ", " in text:
        return text, 0
    return text, 2 if "/" in text or text.startswith("-") else _ATOM


def _binary(left: ast.expr, op: ast.operator, right: ast.expr, names: Names) -> tuple[str, int]:
    symbol, level = _SYMBOLS.get(type(op)) or (ast.unparse(ast.BinOp(_X, op, _X))[1:-1].strip(), 0)
    # a − (b − c) and a / (b × c) need their brackets; a + (b + c) does not
    closer = level + 1 if isinstance(op, ast.Sub | ast.Div) else level
    return f"{_within(left, names, level)} {symbol} {_within(right, names, closer)}", level


def _comparison(node: ast.Compare, names: Names) -> str:
    symbols = (_SYMBOLS[type(op)][0] for op in node.ops)
    sides = (_within(side, names, 1) for side in node.comparators)
    rest = (f" {symbol} {side}" for symbol, side in zip(symbols, sides, strict=True))
    return _within(node.left, names, 1) + "".join(rest)


def _within(node: ast.expr, names: Names, level: int) -> str:
    text, own = _written(node, names)
    return text if own >= level else f"({text})"


def _item(table: ast.expr, index: ast.expr, names: Names) -> tuple[str, int]:
    return f"{_within(table, names, _ATOM)}[{write(index, names)}]", _ATOM


def _call(node: ast.Call, names: Names) -> tuple[str, int]:
    match node:
        case ast.Call(ast.Name("power"), [base, exponent]):
            return f"{_within(base, names, _ATOM)}^{_within(exponent, names, _ATOM)}", 3
        case ast.Call(ast.Name("str"), [inner]):  # the item of a table that a number names
            return _written(inner, names)
        case ast.Call(ast.Attribute(table, "get"), [index, *_]):
            return _item(table, index, names)
        case ast.Call(ast.Name("row_for"), [x, table]):
            return f"the row of {_within(table, names, 1)} for {write(x, names)}", 0
    name = ast.unparse(node.func)
    title = _TITLES.get(name, name)
    return f"{title} ({', '.join(write(a, names) for a in node.args)})", _ATOM
