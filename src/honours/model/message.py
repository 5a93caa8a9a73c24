"""Texts for a person, as values: a template and what is put into it.

    >>> str(Message("{who} is at tables {tables}", who="Pair 4", tables=(2, 3)))
    'Pair 4 is at tables 2, 3'
    >>> str(plural("{count} pair", "{count} pairs", count=1))
    '1 pair'

A message is made where something becomes known, carried as it is, and put into words of the
reader's language at the edge by :func:`honours.language.words`. It *is* its English text, so a log,
a program or a test reads it as such. Anything that is not a message, a title or a name say, is
somebody's own text and is never translated.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from numbers import Number
from string import Formatter
from types import MappingProxyType
from typing import Any, NoReturn

_FORMATTER = Formatter()
_CONTEXT = "\x04"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec")


class Message(str):
    """A template of ours and its values; a value may be a message again, or several in a tuple.

    Templates are written out where they are used (or marked with :func:`mark`), because that is
    where they are collected for translation: never an f-string.
    """

    template: str
    of_many: str
    """The template for more than one; empty where the words do not depend on a number."""
    values: Mapping[str, object]

    def __new__(cls, template: str, of_many: str = "", /, **values: object) -> Message:
        values = {name: _plain(value) for name, value in values.items()}
        english = of_many if of_many and values["count"] != 1 else template
        message = super().__new__(cls, fill(english, values, in_english))
        message.__dict__.update(template=template, of_many=of_many, values=MappingProxyType(values))
        return message

    def with_values(self, change: Callable[[str], str]) -> Message:
        """The same message, with the texts that are put into it changed."""

        def changed(value: object) -> object:
            if isinstance(value, tuple):
                return tuple(changed(one) for one in value)
            if isinstance(value, Message):
                return value.with_values(change)
            return change(value) if isinstance(value, str) else value

        values = {name: changed(value) for name, value in self.values.items()}
        return Message(self.template, self.of_many, **values)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a message is frozen: {name} stays as it is")

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, object]]:
        return (self.template, self.of_many), dict(self.values)

    def __getstate__(self) -> None:
        """Nothing beside what it is made of."""


class Remedy(Message):
    """A remedy, as a value of a message that each surface words: its text is what is typed in a
    command, ``field`` what a page calls the same; with none, pages say nothing."""


def by_option(name: str, value: str = "") -> Remedy:
    """The remedy of an option: ``--date 2017-01-14``."""
    typed = f"--{name.replace('_', '-')} {value}".rstrip()
    return Remedy("{typed}", typed=typed, field=word(name.replace("_", " ")))


def by_key(name: str, value: str) -> Remedy:
    """The remedy of something that is told by its name: ``club=Kelso``."""
    return Remedy("{typed}", typed=f"{name}={quoted(value)}", field=word(name.replace("_", " ")))


def by_command(command: str, page: Message) -> Remedy:
    """The remedy of another command, or of a page."""
    return Remedy("`honours {command}`", command=command, field=page)


def _plain(value: object) -> object:
    """A value as a message keeps it: errors become their text, enums and dates their names."""
    if isinstance(value, Exception):
        return value.args[0] if value.args and isinstance(value.args[0], Message) else str(value)
    return value if isinstance(value, str | Number | date | tuple | None) else str(value)


def plural(one: str, many: str, /, *, count: int, **values: object) -> Message:
    """A message about so many things, in words that agree with ``count`` in every language."""
    return Message(one, many, count=count, **values)


def mark(template: str) -> str:
    """A template to be translated that stands apart from where its message is made."""
    return template


def in_context(context: str, template: str) -> str:
    """A template for one of several meanings of its words: ``in_context("match", "final")``. The
    context is for whoever translates it and is never shown."""
    return f"{context}{_CONTEXT}{template}" if context else template


def without_context(template: str) -> str:
    """A template without what it says to translators."""
    return template.rpartition(_CONTEXT)[2]


def word(code: str) -> Message:
    """A word of a closed vocabulary (a status, a kind), which the catalogue knows, as a message."""
    return code if isinstance(code, Message) else Message(code)


def joined(separator: str, parts: Iterable[str]) -> Message:
    """Messages and texts one after another; what stands between them is no words."""
    values = {f"part{number}": part for number, part in enumerate(parts)}
    return Message(separator.join(f"{{{name}}}" for name in values), **values)


def either(parts: Iterable[str]) -> str:
    """One of several, in words: ``a or b``."""
    *others, last = parts
    return Message("{others} or {last}", others=tuple(others), last=last) if others else last


def every(parts: Iterable[str]) -> str:
    """All of several, in words: ``a and b``."""
    *others, last = parts
    return Message("{others} and {last}", others=tuple(others), last=last) if others else last


def fill(template: str, values: Mapping[str, object], worded: Callable[[object, str], str]) -> str:
    """The template with its values in words; one that takes no values is a text as it stands.
    ``{name!r}`` is a text in quotation marks, ``{name!q}`` one as a shell takes it for one word."""
    template = without_context(template)
    if not values:
        return template
    words = []
    for literal, name, spec, conversion in _FORMATTER.parse(template):
        words.append(literal)
        if name is not None:
            words.append(_converted(values[name], spec or "", conversion or "", worded))
    return "".join(words)


def quoted(text: str) -> str:
    """A text as this system's shell takes it for one word."""
    if os.name == "nt":
        from subprocess import list2cmdline

        return list2cmdline([text])
    return shlex.quote(text)


def _converted(
    value: object, spec: str, conversion: str, worded: Callable[[object, str], str]
) -> str:
    if conversion == "q" and isinstance(value, tuple):
        return ", ".join(quoted(worded(one, spec)) for one in value)
    text = worded(value, spec)
    if conversion == "q":
        return quoted(text)
    return repr(text) if conversion == "r" and isinstance(value, str) else text


def fields(template: str) -> frozenset[str]:
    """The names of the values that a template has places for."""
    return frozenset(name for _, name, _, _ in _FORMATTER.parse(template) if name is not None)


def in_english(value: object, spec: str) -> str:
    """A value of a message as English text."""
    if isinstance(value, tuple):
        return ", ".join(in_english(one, spec) for one in value)
    if isinstance(value, date):
        return f"{value.day} {_MONTHS[value.month - 1]} {value.year}"
    return format(value, spec) if spec else str(value)


def message_data(value: object, longest: int | None = None) -> Any:
    """A message as plain data, template and values apart, so that it can be put into another
    language years later. Numbers stay numbers, other values are texts; where texts may only be so
    long, everything is one."""
    if isinstance(value, tuple):
        return [message_data(one, longest) for one in value]
    if isinstance(value, Message):
        values = {name: message_data(one, longest) for name, one in value.values.items()}
        more = {"of_many": value.of_many, "values": values}
        return {"template": value.template, **{key: one for key, one in more.items() if one}}
    return value if longest is None and isinstance(value, int | float) else str(value)[:longest]


def message_of(data: Any) -> Any:
    """The message, text or number that :func:`message_data` wrote."""
    if isinstance(data, list):
        return tuple(message_of(one) for one in data)
    if not isinstance(data, Mapping):
        return data
    values = {name: message_of(one) for name, one in data.get("values", {}).items()}
    return Message(data["template"], data.get("of_many", ""), **values)
