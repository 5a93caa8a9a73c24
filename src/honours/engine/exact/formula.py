"""A rule's formula as a reader would write it, from the source of its function.

A rule's body is only ``if`` and ``return`` (the lint says so), so the branch taken, why it was
taken and the expression it returns can be shown, once in names and once in their values. Each
branch is read once; after that only the values are filled in.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from typing import Any

from honours.engine import numbers
from honours.engine.rules import titled
from honours.errors import RulebookError
from honours.model.message import Message, joined, mark

# --- an expression of a rule written as people write it -----------------------------------------

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
            symbol, level = _SYMBOLS.get(type(op)) or (
                ast.unparse(ast.BinOp(_X, op, _X))[1:-1].strip(),
                0,
            )
            # a − (b − c) and a / (b × c) need their brackets; a + (b + c) does not
            closer = level + 1 if isinstance(op, ast.Sub | ast.Div) else level
            return _run(
                _within(left, names, level), f" {symbol} ", _within(right, names, closer)
            ), level
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _run("−", _within(operand, names, 2)), 2
        case ast.Compare():
            return _comparison(node, names), 0
        case ast.BoolOp(op, parts):
            both, one = mark("{first} and {second}"), mark("{first} or {second}")
            template = both if isinstance(op, ast.And) else one
            tests = [_within(part, names, 0) for part in parts]
            return reduce(lambda x, y: Message(template, first=x, second=y), tests), -1
        case ast.Subscript(table, index):
            return _item(table, index, names)
        case ast.Call():
            return _call(node, names)
        case _:
            return ast.unparse(node), 0


def _run(*parts: str) -> str:
    """One after another; a message where one of them is."""
    return joined("", parts) if any(isinstance(p, Message) for p in parts) else "".join(parts)


def _atom(text: str) -> tuple[str, int]:
    """A name, or the value that stands for it: ``1/3`` needs brackets where a name does not."""
    if ", " in text:
        return text, 0
    return text, 2 if "/" in text or text.startswith("-") else _ATOM


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


# --- a rule's formula as a reader would write it, from the source of its function ---------------

Test = tuple[ast.expr, bool]


@cache
def body(function: Callable[..., Any]) -> tuple[ast.stmt, ...]:
    """The statements of a rule function, without its docstring."""
    if hasattr(function, "__body__"):  # a verdict of rulebook.toml
        return tuple(function.__body__)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise RulebookError("{name}: a rule is a plain function", name=function.__name__)
    statements = definition.body
    return tuple(statements[1:] if ast.get_docstring(definition) else statements)


def arguments_of(function: Callable[..., Any]) -> list[str]:
    """Return the names of what the function depends on."""
    return list(inspect.signature(function).parameters)


@dataclass(frozen=True, slots=True)
class RuleBranch:
    """One way through a rule: what it returns, the tests that led there, the names in both."""

    expression: ast.expr
    tests: tuple[Test, ...]
    names: frozenset[str]
    formula: str
    """What is returned, in words."""

    @property
    def item_of(self) -> str:
        """The table whose item is returned, by name; empty where it is anything else."""
        match self.expression:
            case ast.Subscript(value=ast.Name(id=table)):
                return table
        return ""

    def working(self, values: Mapping[str, Any], names: Names) -> str:
        """Return the returned expression in values: the items of tables in place of the tables."""
        return write(_looked_up(self.expression, values), names)

    def because(self, values: Mapping[str, Any], names: Names) -> str:
        """Return why this way was taken: the tests in words and, in brackets, in values."""
        reasons = []
        for test, held in self.tests:
            in_words = _test_in_words(test, held)
            in_values = write_test(_looked_up(test, values), held, names)
            plain = in_words == in_values or (
                held and (isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq))
            )
            reasons.append(in_words if plain else joined("", (in_words, " (", in_values, ")")))
        return joined("; ", reasons) if reasons else ""


@cache
def _test_in_words(test: ast.expr, held: bool) -> str:
    return write_test(test, held, {})


def branch_for(function: Callable[..., Any], values: Mapping[str, Any]) -> RuleBranch:
    """The way the function goes for these values."""
    outcomes: list[bool] = []

    def decide(test: ast.expr) -> bool:
        outcomes.append(bool(_worked_out(test, values)))
        return outcomes[-1]

    _Branch(decide).follow(body(function))
    return _path(function, tuple(outcomes))


@cache
def _path(function: Callable[..., Any], outcomes: Sequence[bool]) -> RuleBranch:
    tests: list[Test] = []

    def decide(test: ast.expr) -> bool:
        tests.append((test, outcomes[len(tests)]))
        return tests[-1][1]

    taken = _Branch(decide).follow(body(function))
    if taken is None:
        raise RulebookError(
            "{name}: a rule returns a value on every branch", name=function.__name__
        )
    used = (node for part in (taken, *(t for t, _ in tests)) for node in ast.walk(part))
    names = frozenset(n.id for n in used if isinstance(n, ast.Name))
    return RuleBranch(taken, tuple(tests), names, write(taken, {}))


class _Branch:
    """Goes through a rule as ``decide`` says, leaving out the alternatives not taken."""

    def __init__(self, decide: Callable[[ast.expr], bool]) -> None:
        self.decide = decide

    def follow(self, statements: Sequence[ast.stmt]) -> ast.expr | None:
        for statement in statements:
            if isinstance(statement, ast.Return) and statement.value:
                chosen: ast.expr = self._chosen(statement.value)
                return chosen
            if isinstance(statement, ast.If):
                branch = statement.body if self.decide(statement.test) else statement.orelse
                returned = self.follow(branch)
                if returned is not None:
                    return returned
        return None

    def _chosen(self, node: Any) -> Any:
        if isinstance(node, list):
            return [self._chosen(item) for item in node]
        if not isinstance(node, ast.AST) or not _has_choice(node):
            return node
        if isinstance(node, ast.IfExp):
            return self._chosen(node.body if self.decide(node.test) else node.orelse)
        return type(node)(**{k: self._chosen(v) for k, v in ast.iter_fields(node)})


@cache
def _has_choice(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.IfExp) for inner in ast.walk(node))


@cache
def _code(expression: ast.expr) -> Any:
    whole = ast.fix_missing_locations(ast.Expression(deepcopy(expression)))
    return compile(whole, "rule", "eval")


def _worked_out(expression: ast.expr, values: Mapping[str, Any]) -> Any:
    return eval(_code(expression), dict(vars(numbers)), dict(values))


def _looked_up(expression: ast.expr, values: Mapping[str, Any]) -> ast.expr:
    if not any(isinstance(value, Mapping) for value in values.values()):
        return expression
    substituted: ast.expr = _LookUp(values).visit(deepcopy(expression))
    return substituted


class _LookUp(ast.NodeTransformer):
    """Puts the item of a table in place of the table: ``96`` for a whole row."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return self._item(node, node.value)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            return self._item(node, node.func.value)
        self.generic_visit(node)
        return node

    def _item(self, node: ast.expr, table: ast.expr) -> ast.expr:
        if not isinstance(table, ast.Name) or table.id not in self.values:
            return node
        return ast.Constant(value_text(_worked_out(node, self.values)))


def value_text(value: object) -> str:
    """A value as it stands in a working: short."""
    if isinstance(value, Fraction):
        text = numbers.brief(value)
        return text if len(text) <= 9 else numbers.show(value, 4)
    return str(value)
