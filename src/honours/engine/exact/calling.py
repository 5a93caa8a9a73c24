"""Calling a rule's function on exact values, and what is said where that cannot be done."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from textwrap import shorten
from typing import Any

from honours.engine.exact.steps import as_text
from honours.engine.numbers import trim
from honours.engine.rulebook.bodies import unknown_name
from honours.engine.rulebook.source_lines import where
from honours.engine.rules import Rule
from honours.engine.written_names import titled
from honours.errors import InputError, RulebookError
from honours.model import Value
from honours.model.message import Message, either, joined, mark

NOT_WORKED_OUT = mark("{what} cannot be worked out ({why}) from {given}")


def _impossible(error: Exception) -> Message:
    """What a rule did that cannot be done with the numbers and words it was given."""
    if isinstance(error, ArithmeticError):
        return Message("a division by zero")
    if isinstance(error, KeyError):
        return Message("the table has no item {item!r}", item=str(error.args[0]))
    return Message("no such item")


def _no_number(values: Mapping[str, Any]) -> Message | None:
    """Which arguments are words or tables, where a rule took one for a number."""
    names = [name for name, value in values.items() if not isinstance(value, int | Fraction)]
    if not names:
        return None
    return Message("{names} is a word or a table, and no number", names=either(names))


def called(rule: Rule, values: Mapping[str, Any]) -> Value:
    """What the function returns; a number it cannot work with is for whoever gave it to mend."""
    try:
        raw = rule.function(**values)
    except (InputError, ArithmeticError, LookupError) as error:
        why = error if isinstance(error, InputError) else _impossible(error)
        given = tuple(joined(" ", (titled(n), shorten(as_text(v), 60))) for n, v in values.items())
        what = titled(rule.name)
        raise InputError(NOT_WORKED_OUT, what=what, why=why, given=given) from error
    except NameError as error:
        raise RulebookError(
            "{where}: {unknown_name}",
            where=where(rule, error),
            unknown_name=unknown_name(rule, error.name or ""),
        ) from error
    except (TypeError, AttributeError, ValueError) as error:
        taken = _no_number(values) if isinstance(error, TypeError) else None
        raise RulebookError(
            "{where}: rule {name}: {error}",
            where=where(rule, error),
            name=rule.name,
            error=taken or error,
        ) from error
    if isinstance(raw, str):
        return raw
    if not isinstance(raw, int | Fraction):
        gives = Message(
            "rule {name} gives {raw!r}: neither an exact number nor a word", name=rule.name, raw=raw
        )
        raise RulebookError("{where}: {gives}", where=where(rule), gives=gives)
    return trim(Fraction(raw))
