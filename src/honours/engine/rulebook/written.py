"""What an author wrote that cannot be meant: names that are the engine's, tables out of order,
messages with an odd brace."""

from __future__ import annotations

import ast
import inspect
import keyword
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from string import Formatter
from typing import Any

from honours.engine.aggregates import aggregate
from honours.engine.graph import AWARD
from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.bodies import node_line, nodes_of
from honours.engine.rulebook.source_lines import in_toml, where
from honours.engine.rulebook.vocabulary import BUILTINS, FUNCTIONS
from honours.engine.rules import ENGINE_WORDS
from honours.model.message import Message, mark


def names(book: Rulebook) -> Iterator[str]:
    """Inputs, parameters and rules by a name that the engine or Python has for something else."""
    declared = [
        *((in_toml(book.id, book.toml, "inputs", n), n) for n in book.inputs),
        *((in_toml(book.id, book.toml, "parameters", n), n) for n in book.parameters),
        *((where(rule), rule.name) for rule in book.rules if rule.kind == "rule"),
    ]
    for at, name in declared:
        why = _not_a_name(name)
        if why:
            yield Message("{at}: {name} cannot be called so: {why}", at=at, name=name, why=why)
    if AWARD in book.inputs:
        at = in_toml(book.id, book.toml, "inputs", AWARD)
        yield Message("{at}: award is what the rules work out, and no input", at=at)


def _not_a_name(name: str) -> Message | None:
    """Why nothing of a rulebook can have this name; None where it can."""
    if keyword.iskeyword(name):
        return Message("Python has the word; as {name}_ it is {name} to people", name=name)
    if not name.isidentifier():
        return Message("no argument of a rule could be; use letters, digits and _")
    if name in ENGINE_WORDS:
        return Message("the engine has the word")
    if name in BUILTINS or name in {function.__name__ for function in FUNCTIONS}:
        return Message("it is a function that rules may use")
    if aggregate(name):
        return Message("an argument that begins so is an aggregate")
    return None


def arguments(book: Rulebook) -> Iterator[str]:
    """``*args`` and ``**kwargs``: a rule names all that it depends on."""
    for rule in book.rules:
        for name, argument in inspect.signature(rule.function).parameters.items():
            if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
                yield Message(
                    "{at}: rule {rule} has *{name}: a rule names each of its arguments",
                    at=where(rule),
                    rule=rule.name,
                    name=name,
                )


def calls(book: Rulebook) -> Iterator[str]:
    """Functions called with too few or too many arguments."""
    signatures = {f.__name__: inspect.signature(f) for f in FUNCTIONS}
    for rule in book.rules:
        for call in nodes_of(rule, ast.Call):
            name = call.func.id if isinstance(call.func, ast.Name) else ""
            if name not in signatures or name in rule.arguments:
                continue
            try:
                signatures[name].bind(*call.args, **{str(k.arg): k.value for k in call.keywords})
            except TypeError:
                right = ", ".join(signatures[name].parameters)
                yield Message(
                    "{at}: rule {rule} calls {written}: it is {right}",
                    at=node_line(rule, call),
                    rule=rule.function.__name__,
                    written=ast.unparse(call),
                    right=f"{name}({right})",
                )


_OF_ROWS = {
    "empty": mark("{at}: table {name} has no rows"),
    "ragged": mark("{at}: the rows of table {name} are not equally long"),
    "order": mark(
        "{at}: the rows of table {name} do not rise: each holds from its first figure on"
    ),
}


def rows(book: Rulebook) -> Iterator[str]:
    """Tables whose rows are not in order: the last row that begins at or below a figure counts."""
    for name, parameter in book.parameters.items():
        if not isinstance(parameter.value, tuple):
            continue
        wrong = _wrong_rows(parameter.value)
        if wrong:
            yield Message(
                _OF_ROWS[wrong], at=in_toml(book.id, book.toml, "parameters", name), name=name
            )


def _wrong_rows(table: tuple[tuple[Fraction, ...], ...]) -> str:
    if not table or not all(table):
        return "empty"
    if len({len(row) for row in table}) > 1 or len(table[0]) < 2:
        return "ragged"
    firsts = [row[0] for row in table]
    return "" if all(a < b for a, b in pairwise(firsts)) else "order"


def messages(book: Rulebook) -> Iterator[str]:
    """Messages that say nothing, and braces that do not close."""
    for rule in book.rules:
        if rule.kind == "rule":
            continue
        if not rule.message.strip():
            yield Message("{at}: {rule} has no message", at=where(rule), rule=rule.name)
        try:
            list(Formatter().parse(rule.message))
        except ValueError:
            yield Message(
                "{at}: the message of {rule} has a brace too many or too few",
                at=where(rule),
                rule=rule.name,
            )


def units(book: Rulebook) -> Iterator[str]:
    """Awards rounded to what no decimals hold, and units that are less than nothing."""
    for rule in book.rules:
        name = rule.rounds.unit if rule.rounds else ""
        unit = book.parameters[name].value if name in book.parameters else None
        if not isinstance(unit, Fraction):
            continue
        if unit < 0:
            yield Message(
                "{at}: {unit} is what {rule} is rounded to, and cannot be negative",
                at=in_toml(book.id, book.toml, "parameters", name),
                unit=name,
                rule=rule.name,
            )
        elif rule.name == AWARD and (unit * SCALE).denominator != 1:
            yield Message(
                "{at}: an award is rounded in steps of {unit}: points are kept to four decimals",
                at=where(rule),
                unit=str(unit),
            )


CHECKS: tuple[Callable[[Rulebook], Iterator[Any]], ...] = (
    names,
    arguments,
    calls,
    rows,
    messages,
    units,
)
"""Every check of this module, for the lint."""
