"""An expression of a rule written as people write it: ``a × (b + c)``, ``the larger of (a, b)``.

Names and the words between them are messages, so that a formula is in the reader's language; the
values that stand for names in a working are texts.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import reduce

from honours.engine.written_names import titled
from honours.model.message import Message, joined

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
_CALLS = {
    "min": lambda items: Message("the smaller of ({items})", items=items),
    "max": lambda items: Message("the larger of ({items})", items=items),
}
_ATOM = 9
_X = ast.Name("x")


def write(expression: ast.expr, names: Names) -> str:
    """The expression as text, each name as words or replaced by what ``names`` says of it."""
    return _written(expression, names)[0]


def write_test(test: ast.expr, held: bool, names: Names) -> str:
    """A comparison as it turned out: ``place ≠ places`` where ``place == places`` did not hold."""
    if held:
        return write(test, names)
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITE:
        opposite = _OPPOSITE[type(test.ops[0])]()
        return write(ast.Compare(test.left, [opposite], test.comparators), names)
    return Message("not ({test})", test=write(test, names))


def _written(node: ast.expr, names: Names) -> tuple[str, int]:
    match node:
        case ast.Name(id=name):
            return _atom(names.get(name) or titled(name))
        case ast.Constant(value=value):
            return _atom(str(value))
        case ast.BinOp(left, op, right):
            return _binary(left, op, right, names)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _run("−", _within(operand, names, 2)), 2
        case ast.Compare():
            return _comparison(node, names), 0
        case ast.BoolOp(op, parts):
            tests = [_within(part, names, 0) for part in parts]
            return reduce(_both if isinstance(op, ast.And) else _one_of, tests), -1
        case ast.Subscript(table, index):
            return _item(table, index, names)
        case ast.Call():
            return _call(node, names)
        case _:
            return ast.unparse(node), 0


def _run(*parts: str) -> str:
    """One after another; a message where one of them is."""
    return joined("", parts) if any(isinstance(p, Message) for p in parts) else "".join(parts)


def _both(first: str, second: str) -> str:
    return Message("{first} and {second}", first=first, second=second)


def _one_of(first: str, second: str) -> str:
    return Message("{first} or {second}", first=first, second=second)


def _atom(text: str) -> tuple[str, int]:
    """A name, or the value that stands for it: ``1/3`` needs brackets where a name does not."""
    if ", " in text:
        return text, 0
    return text, 2 if "/" in text or text.startswith("-") else _ATOM


def _binary(left: ast.expr, op: ast.operator, right: ast.expr, names: Names) -> tuple[str, int]:
    symbol, level = _SYMBOLS.get(type(op)) or (ast.unparse(ast.BinOp(_X, op, _X))[1:-1].strip(), 0)
    # a − (b − c) and a / (b × c) need their brackets; a + (b + c) does not
    closer = level + 1 if isinstance(op, ast.Sub | ast.Div) else level
    return _run(_within(left, names, level), f" {symbol} ", _within(right, names, closer)), level


def _comparison(node: ast.Compare, names: Names) -> str:
    if not all(type(op) in _SYMBOLS for op in node.ops):
        return ast.unparse(node)  # a rule may not have it, which the check says
    parts = [_within(node.left, names, 1)]
    for op, side in zip(node.ops, node.comparators, strict=True):
        parts += [f" {_SYMBOLS[type(op)][0]} ", _within(side, names, 1)]
    return _run(*parts)


def _within(node: ast.expr, names: Names, level: int) -> str:
    text, own = _written(node, names)
    return text if own >= level else _run("(", text, ")")


def _item(table: ast.expr, index: ast.expr, names: Names) -> tuple[str, int]:
    return _run(_within(table, names, _ATOM), "[", write(index, names), "]"), _ATOM


def _call(node: ast.Call, names: Names) -> tuple[str, int]:
    match node:
        case ast.Call(ast.Name("power"), [base, exponent]):
            return _run(_within(base, names, _ATOM), "^", _within(exponent, names, _ATOM)), 3
        case ast.Call(ast.Name("str"), [inner]):  # the item of a table that a number names
            return _written(inner, names)
        case ast.Call(ast.Attribute(table, "get"), [index, *_]):
            return _item(table, index, names)
        case ast.Call(ast.Name("row_for"), [x, table]):
            row, key = _within(table, names, 1), write(x, names)
            return Message("the row of {table} for {key}", table=row, key=key), 0
    name, items = ast.unparse(node.func), tuple(write(a, names) for a in node.args)
    if name in _CALLS:
        return _CALLS[name](items), _ATOM
    return Message("{function} ({items})", function=name, items=items), _ATOM
