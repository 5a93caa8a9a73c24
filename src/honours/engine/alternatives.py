"""Which values an unknown may have: all words of a choice, and of a number those where a rule
turns."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import ceil

from honours.engine.rulebook import Input, Parameter, Rulebook
from honours.engine.rulebook.bodies import nodes_of
from honours.errors import InputError
from honours.model import Value

MOST = 10
"""As many numbers are tried near the present one; of words all are."""


def alternatives(book: Rulebook, declared: Input, taken: str = "") -> list[Value]:
    """What an input may be besides what is taken for it. A number has a piece between each two
    turning points: both ends of every piece are tried, and the neighbours of the present value."""
    if declared.type == "word":
        return [word for word in declared.words if word != taken]
    if declared.is_text:
        return []
    turns = {*declared.named.values(), *turning_points(book, declared.name)}
    start = _number(declared, taken or declared.default or "", max(turns, default=Fraction(1)))
    near = {start + 1, start + 2, start - 1, start * 2, Fraction(ceil(start / 2))}
    tried = near | turns | {t + 1 for t in turns} | {t - 1 for t in turns}
    fit = [v for v in tried if v != start and _may_be(declared, v)]
    return sorted(sorted(fit, key=lambda v: (v not in near, abs(v - start)))[:MOST])


def far_alternatives(declared: Input) -> list[Value]:
    """Powers of ten, for a number that is compared with another quantity: there a rule turns where
    no number of the rulebook says."""
    if declared.is_text:
        return []
    return [v for k in range(1, 7) if _may_be(declared, v := Fraction(10**k))]


def spread(book: Rulebook, declared: Input) -> list[Value]:
    """A few values of something of which nothing is known: of a number where rules turn."""
    turns = sorted(turning_points(book, declared.name))
    fit = [v for v in turns if v > 0 and _may_be(declared, v)]
    return [*fit] if declared.type != "word" and len(fit) > 1 else alternatives(book, declared)


def turning_points(book: Rulebook, name: str) -> set[Fraction]:
    """The numbers that rules compare an input with or look up by it, also where a rule only passes
    it on under another name."""
    points: set[Fraction] = set()
    names, waiting = {name}, [name]
    while waiting:
        now = waiting.pop()
        for rule in (r for r in book.rules if now in r.arguments):
            returned = [r.value for r in nodes_of(rule, ast.Return)]
            if len(returned) == 1 and isinstance(returned[0], ast.Name) and rule.name not in names:
                names.add(rule.name)
                waiting.append(rule.name)
            for kind in (ast.Compare, ast.Call, ast.Subscript):
                for node in nodes_of(rule, kind):
                    points.update(_beside(book, node, now))
    return points


def _beside(book: Rulebook, node: ast.AST, name: str) -> Iterator[Fraction]:
    inside = list(ast.walk(node))
    names = {n.id for n in inside if isinstance(n, ast.Name)}
    if name in names:
        yield from (p for n in names for p in _numbers(book.parameters.get(n)))
        constants = (n.value for n in inside if isinstance(n, ast.Constant))
        yield from (Fraction(value) for value in constants if isinstance(value, int))


def _numbers(parameter: Parameter | None) -> Iterator[Fraction]:
    value = parameter.value if parameter else None
    if isinstance(value, Fraction):
        yield value
    elif isinstance(value, tuple):
        yield from (row[0] for row in value if row)
    elif isinstance(value, Mapping):
        yield from (Fraction(key) for key in value if str(key).isdecimal())


def _number(declared: Input, text: str, otherwise: Fraction) -> Fraction:
    number = Fraction(text) if re.fullmatch(r"\d+([./]\d+)?", text) else otherwise
    return declared.named.get(text, number)


def _may_be(declared: Input, value: Fraction) -> bool:
    try:
        declared.check(value)
    except InputError:
        return value in declared.named.values()
    return True
