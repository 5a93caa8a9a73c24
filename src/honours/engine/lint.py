"""What a rulebook must be, checked: everything cited, everything used, no number but 0 and 1."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from string import Formatter

from honours.engine import formula
from honours.engine.case import aggregate
from honours.engine.examples import examples, run
from honours.engine.rulebook import Rulebook
from honours.engine.rules import ENGINE_WORDS, Rule
from honours.errors import HonoursError

_ALLOWED = (ast.If, ast.Return)


def lint(rulebook: Rulebook) -> list[str]:
    """Every fault of the rulebook, as sentences."""
    checks = (
        _uncited,
        _undefined,
        _messages,
        _unused,
        _numbers,
        _bodies,
        _comparisons,
        _unreached,
        _about,
    )
    return [fault for check in checks for fault in check(rulebook)]


def _uncited(book: Rulebook) -> Iterator[str]:
    for parameter in book.parameters.values():
        if not parameter.citation.clause.strip():
            yield f"parameter {parameter.name} cites no clause"
    for rule in book.rules:
        if not rule.clause.strip():
            yield f"rule {rule.name} cites no clause"


def _about(book: Rulebook) -> Iterator[str]:
    for rule in book.rules:
        if rule.kind == "rule" and not rule.about:
            yield f"rule {rule.function.__name__} says nothing about itself (docstring)"
    for required in ("award", "places"):
        if not list(book.rules_for(required)):
            yield f"no rule defines {required}"


def _names(rule: Rule) -> Iterator[str]:
    """Every quantity, parameter or input a rule depends on."""
    for name in rule.arguments:
        wanted = aggregate(name)
        if wanted:
            yield wanted.of
        elif name not in ENGINE_WORDS:
            yield name
    yield from rule.when or {}
    if rule.starts:
        yield rule.starts
    if rule.rounds:
        yield rule.rounds.unit
        yield rule.rounds.mode


def _undefined(book: Rulebook) -> Iterator[str]:
    rules = {r.name for r in book.rules}
    known = {*rules, *book.parameters, *book.inputs, *ENGINE_WORDS, "up", "down", "nearest"}
    for rule in book.rules:
        for name in _names(rule):
            if name not in known:
                yield f"rule {rule.name} asks for {name}, which nothing defines"
    for reading in book.readings:
        for name in reading.about:
            if name not in known:
                yield f"choice {reading.choice.name} is about {name}, which nothing defines"


def _messages(book: Rulebook) -> Iterator[str]:
    for rule in book.rules:
        for _, name, _, _ in Formatter().parse(rule.message):
            if name is not None and name not in rule.arguments:
                yield f"the message of {rule.name} speaks of {name}, which is no argument of it"


def _unused(book: Rulebook) -> Iterator[str]:
    used = {name for rule in book.rules for name in _names(rule)} | {"award", "places", "date"}
    used |= {name for names in book.extras.values() for name in names}
    used |= {*book.lists.line_when, *(("line",) if book.lists.line_words else ())}
    for name in [*book.parameters, *book.inputs]:
        if name not in used:
            yield f"{name} is declared and used by no rule"
    for rule in book.rules:
        if rule.kind == "rule" and rule.name not in used:
            yield f"rule {rule.name} is used by nothing"


def _numbers(book: Rulebook) -> Iterator[str]:
    for rule in book.rules:
        for node in _nodes(rule):
            if isinstance(node, ast.Constant) and _is_number(node.value):
                yield f"rule {rule.function.__name__} has the number {node.value!r}"


def _is_number(value: object) -> bool:
    """A number other than 0 and 1, which every rule may name."""
    plain = isinstance(value, int | float | complex) and not isinstance(value, bool)
    return plain and value not in (0, 1)


def _nodes(rule: Rule) -> Iterator[ast.AST]:
    for statement in formula.body(rule.function):
        yield from ast.walk(statement)


def _bodies(book: Rulebook) -> Iterator[str]:
    for rule in book.rules:
        for statement in formula.body(rule.function):
            if not isinstance(statement, _ALLOWED):
                yield f"rule {rule.function.__name__} has a {type(statement).__name__}"


def _comparisons(book: Rulebook) -> Iterator[str]:
    """``if`` compares only inputs, parameters and rounded or tabulated quantities."""
    for rule in book.rules:
        if rule.kind != "rule" or rule.tabulated:
            continue
        for node in _nodes(rule):
            if isinstance(node, ast.If | ast.IfExp):
                for name in _compared(node.test):
                    if _never_rounded(book, name):
                        yield f"rule {rule.function.__name__} compares {name}, never rounded"


def _compared(test: ast.expr) -> Iterator[str]:
    return (n.id for n in ast.walk(test) if isinstance(n, ast.Name))


def _never_rounded(book: Rulebook, name: str) -> bool:
    if name in ("previous",) or aggregate(name):
        return True
    return any(r.rounds is None and not r.tabulated for r in book.rules_for(name))


def _unreached(book: Rulebook) -> Iterator[str]:
    """Rules no example runs through. An example that fails is the example test's matter."""
    reached: set[int] = set()
    traced = _traced(book, reached)
    for example in examples(book):
        try:
            run(traced, example)
        except (HonoursError, TypeError) as error:
            yield f"example {example.name}: {error}"
    for rule in book.rules:
        if id(rule.function) not in reached:
            yield f"no example reaches {rule.function.__name__}"


def _traced(book: Rulebook, reached: set[int]) -> Rulebook:
    """The rulebook with each rule noting that it ran."""
    from dataclasses import replace
    from functools import wraps

    def noting(rule: Rule) -> Rule:
        @wraps(rule.function)
        def noted(*args: object, **kwargs: object) -> object:
            reached.add(id(rule.function))
            return rule.function(*args, **kwargs)

        return replace(rule, function=noted)

    return replace(book, rules=tuple(noting(r) for r in book.rules))
