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
from functools import cache
from typing import Any

from honours.engine import numbers
from honours.engine.exact.expressions import Names, write, write_test
from honours.errors import RulebookError
from honours.model.message import joined

Test = tuple[ast.expr, bool]


@cache
def body(function: Callable[..., Any]) -> tuple[ast.stmt, ...]:
    """The statements of a rule function, without its docstring."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise RulebookError("{name}: a rule is a plain function", name=function.__name__)
    statements = definition.body
    return tuple(statements[1:] if ast.get_docstring(definition) else statements)


def arguments_of(function: Callable[..., Any]) -> list[str]:
    """What the function depends on, by name."""
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
        """What is returned, in values: the items of tables in place of the tables."""
        return write(_looked_up(self.expression, values), names)

    def because(self, values: Mapping[str, Any], names: Names) -> str:
        """Why this way was taken: the tests in words and, in brackets, in values."""
        reasons = []
        for test, held in self.tests:
            in_words = _test_in_words(test, held)
            in_values = write_test(_looked_up(test, values), held, names)
            plain = in_words == in_values or (held and _is_equality(test))
            reasons.append(in_words if plain else joined("", (in_words, " (", in_values, ")")))
        return joined("; ", reasons) if reasons else ""


@cache
def _test_in_words(test: ast.expr, held: bool) -> str:
    return write_test(test, held, {})


def _is_equality(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq)


def branch_for(function: Callable[..., Any], values: Mapping[str, Any]) -> RuleBranch:
    """The way the function goes for these values."""
    outcomes: list[bool] = []

    def decide(test: ast.expr) -> bool:
        outcomes.append(_holds(test, values))
        return outcomes[-1]

    _Branch(decide).follow(_statements(function))
    return _path(function, tuple(outcomes))


@cache
def _path(function: Callable[..., Any], outcomes: Sequence[bool]) -> RuleBranch:
    tests: list[Test] = []

    def decide(test: ast.expr) -> bool:
        tests.append((test, outcomes[len(tests)]))
        return tests[-1][1]

    taken = _Branch(decide).follow(_statements(function))
    if taken is None:
        raise RulebookError(
            "{name}: a rule returns a value on every branch", name=function.__name__
        )
    used = (node for part in (taken, *(t for t, _ in tests)) for node in ast.walk(part))
    names = frozenset(n.id for n in used if isinstance(n, ast.Name))
    return RuleBranch(taken, tuple(tests), names, write(taken, {}))


@cache
def _statements(function: Callable[..., Any]) -> tuple[ast.stmt, ...]:
    """The statements with ``up_to`` as the choice that it is."""
    return tuple(_Chosen().visit(deepcopy(statement)) for statement in body(function))


class _Chosen(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id != "up_to":
            return node
        x, limit, then, otherwise = node.args
        return ast.IfExp(ast.Compare(x, [ast.LtE()], [limit]), then, otherwise)


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


def _holds(test: ast.expr, values: Mapping[str, Any]) -> bool:
    return bool(_worked_out(test, values))


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
