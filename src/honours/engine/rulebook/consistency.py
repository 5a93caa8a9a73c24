"""What in a rulebook contradicts itself: a default out of range, a name declared twice."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Any

from honours.engine.aggregates import aggregate
from honours.engine.exact import formula
from honours.engine.rulebook import Input, Rulebook
from honours.engine.rulebook.source_lines import at_line, in_toml, short_path, where
from honours.engine.rules import Rule
from honours.errors import HonoursError
from honours.model.message import Message

_OF_ROWS = ("place", "tied")
"""What only an entrant or a place has."""


def values_of_inputs(book: Rulebook) -> Iterator[str]:
    """Defaults and examples of inputs that are themselves refused, and ranges that hold nothing."""
    for declared in book.inputs.values():
        at = in_toml(book.id, book.toml, "inputs", declared.name)
        if declared.type == "word" and not declared.words:
            yield Message(
                "{at}: {name} is a word, and words= must say which", at=at, name=declared.name
            )
        elif _holds_nothing(declared):
            yield Message("{at}: {name}: least is more than most", at=at, name=declared.name)
        else:
            yield from _refused_values(declared, at)


def _holds_nothing(declared: Input) -> bool:
    least, most = declared.least, declared.most
    return least is not None and most is not None and least > most


def _refused_values(declared: Input, at: str) -> Iterator[str]:
    for key, text in ((declared.unsaid, declared.default), ("example", declared.example)):
        try:
            if text:
                declared.read(text)
        except HonoursError as error:
            yield Message(
                "{at}: the {key} of {name} is refused: {error}",
                at=at,
                key=key,
                name=declared.name,
                error=error,
            )


def stand_ins(book: Rulebook) -> Iterator[str]:
    """Rules that presume what is no input, and limits on what players are not asked."""
    for rule in (r for r in book.rules if r.presumes and r.name not in book.inputs):
        at = where(rule)
        yield Message("{at}: {rule} presumes what is no input", at=at, rule=rule.name)
    for name, declared in book.inputs.items():
        held = book.inputs.get(declared.holds)
        if declared.holds and (held is None or held.per != "player"):
            at = in_toml(book.id, book.toml, "inputs", name)
            yield Message("{at}: {name}: holds is no input per player", at=at, name=name)


def dates(book: Rulebook) -> Iterator[str]:
    """Days of ``[effective]`` that are none, or in the wrong order."""
    days: list[date] = []
    for key in ("since", "until"):
        text = getattr(book.effective, key)
        at = in_toml(book.id, book.toml, "effective", key)
        try:
            days += [date.fromisoformat(text)] if text else []
        except ValueError:
            yield Message(
                "{at}: {key} = {text!r}: expected a day, as 2019-06-30", at=at, key=key, text=text
            )
    if len(days) == 2 and days[0] > days[1]:
        at = in_toml(book.id, book.toml, "effective", "until")
        yield Message("{at}: the edition ends before it begins", at=at)


def names_declared_twice(book: Rulebook) -> Iterator[str]:
    """A parameter that is an input or a rule too, and two rules of one quantity at once."""
    rules = {rule.name: rule for rule in book.rules if rule.kind == "rule"}
    for name in book.parameters:
        at = in_toml(book.id, book.toml, "parameters", name)
        if name in book.inputs:
            yield Message("{at}: {name} is a parameter and an input", at=at, name=name)
        if name in rules:
            yield Message(
                "{at}: rule {name} is a parameter too, in {other}",
                at=where(rules[name]),
                name=name,
                other=at,
            )
    for one, other in combinations([r for r in book.rules if r.kind == "rule"], 2):
        if one.name == other.name and not one.when and not other.when:
            yield Message(
                "{at}: {name} is defined twice, here and in {other}: when= says for which words "
                "each is",
                at=where(other),
                name=one.name,
                other=where(one),
            )


def functions_written_twice(book: Rulebook) -> Iterator[str]:
    """Functions of one file by the same name: Python keeps the last, silently."""
    for path in sorted({inspect.unwrap(rule.function).__code__.co_filename for rule in book.rules}):
        seen: dict[str, int] = {}
        for node in ast.parse(Path(path).read_text(encoding="utf-8-sig")).body:
            if isinstance(node, ast.FunctionDef):
                if node.name in seen:
                    yield Message(
                        "{at}: function {name} is in line {line} already: only the last counts",
                        at=at_line(short_path(path), node.lineno),
                        name=node.name,
                        line=seen[node.name],
                    )
                seen[node.name] = node.lineno


def circles(book: Rulebook) -> Iterator[str]:
    """Quantities that are worked out from themselves, where none of them can be given."""
    rules = {rule.name: rule for rule in book.rules if rule.kind == "rule"}
    reads = {
        name: [n for n in _read_by(rule) if n in rules and n not in book.inputs]
        for name, rule in rules.items()
        if name not in book.inputs
    }
    done: set[str] = set()
    for name in reads:
        circle = _circle(name, reads, [], done)
        if circle:
            yield Message(
                "{at}: {around} goes in a circle",
                at=where(rules[circle[0]]),
                around=" → ".join((*circle, circle[0])),
            )


def _read_by(rule: Rule) -> Iterator[str]:
    for name in rule.arguments:
        wanted = aggregate(name)
        yield wanted.of if wanted else name
    if rule.starts:
        yield rule.starts


def _circle(name: str, reads: dict[str, list[str]], path: list[str], done: set[str]) -> list[str]:
    if name in path:
        return path[path.index(name) :]
    if name in done:
        return []
    for read in reads.get(name, ()):
        if circle := _circle(read, reads, [*path, name], done):
            done |= set(circle)
            return circle
    done.add(name)
    return []


def places_of_a_field(book: Rulebook) -> Iterator[str]:
    """A rule of the whole list has no place."""
    for rule in book.rules:
        for name in _OF_ROWS:
            if rule.per == "field" and name in rule.arguments and name not in book.inputs:
                yield Message(
                    "{at}: rule {rule} asks for {name} and is per field, which has none: "
                    'per="entrant", or for place per="place"',
                    at=where(rule),
                    rule=rule.name,
                    name=name,
                )


def arguments_with_defaults(book: Rulebook) -> Iterator[str]:
    for rule in book.rules:
        for name, argument in inspect.signature(rule.function).parameters.items():
            if argument.default is not inspect.Parameter.empty:
                yield Message(
                    "{at}: rule {rule} gives {name} a value of its own: numbers are parameters, "
                    "each with the clause that states it",
                    at=where(rule),
                    rule=rule.name,
                    name=name,
                )


def ends_without_a_value(book: Rulebook) -> Iterator[str]:
    """Bodies of ``if`` and ``return`` that may come to their end without a ``return``."""
    for rule in book.rules:
        try:
            statements = formula.body(rule.function)
        except (HonoursError, OSError, TypeError, SyntaxError):
            continue
        plain = all(isinstance(one, ast.If | ast.Return) for one in statements)
        if plain and not _returns(statements):
            yield Message(
                "{at}: rule {rule} returns nothing on one of its ways: end it with a return",
                at=where(rule),
                rule=rule.name,
            )


def _returns(statements: tuple[ast.stmt, ...] | list[ast.stmt]) -> bool:
    last = statements[-1] if statements else None
    if isinstance(last, ast.If):
        return _returns(last.body) and _returns(last.orelse)
    return isinstance(last, ast.Return)


CHECKS: tuple[Callable[[Rulebook], Iterator[Any]], ...] = (
    values_of_inputs,
    stand_ins,
    dates,
    names_declared_twice,
    functions_written_twice,
    circles,
    places_of_a_field,
    arguments_with_defaults,
    ends_without_a_value,
)
"""Every check of this module, for the lint."""
