"""What every kind of ruling is declared with: its fields, how words are read, how it reads in a
sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from honours.engine.numbers import exact
from honours.errors import InputError, MissingInput
from honours.model.message import Message, joined
from honours.scoring.ruling_kinds import What, Where

Words = Mapping[str, Any]
Names = Mapping[str, str]
"""What entrants are called, by their numbers."""


@dataclass(frozen=True, slots=True)
class RulingField:
    """One thing a ruling asks. ``about`` explains it or shows what may be entered. ``type`` is
    text, number, yes (said or not), yes or no, many (with commas between them), pairs (``3=yes,
    4=no``) or result (a contract or a score, in the letters of the language of whoever types it).
    An ``argument`` of the command needs no name there; ``rare`` fields are folded away in a form;
    ``usual`` is what is meant where nothing is entered."""

    name: str
    label: Message
    about: str = ""
    required: bool = False
    type: str = "text"
    words: tuple[str, ...] = ()
    argument: bool = False
    rare: bool = False
    usual: str = ""


@dataclass(frozen=True, slots=True)
class RulingKind:
    """A kind of ruling: what it is for, what it asks, what its words mean, and its sentence; the
    ``example`` is of its command."""

    kind: str
    title: Message
    about: Message
    fields: tuple[RulingField, ...]
    read: Callable[[Words], What]
    sentence: Callable[[Any, Names], Message]
    example: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)


_IN_SEVERAL = Message("where a board is in several")
BOARD = RulingField("board", Message("board"), required=True, type="number", argument=True)
PAIR = RulingField("pair", Message("pair"), Message("either pair at the table"), required=True)
WHO = RulingField("pair", Message("pair"), required=True, argument=True)
WHERE = (
    RulingField("section", Message("section"), _IN_SEVERAL, rare=True),
    RulingField("session", Message("session"), _IN_SEVERAL, type="number", rare=True),
)
"""Fields that several kinds ask."""


def need(words: Words, key: str) -> Any:
    """A field that a ruling cannot do without."""
    if words.get(key) in (None, "", []):
        raise MissingInput(key, needed_for=Message("the ruling {kind!r}", kind=words["kind"]))
    return words[key]


def whole(words: Words, key: str) -> int:
    """A whole number; 0 if the field is empty."""
    value = words.get(key) or 0
    if not str(value).lstrip("-").isdigit():
        raise InputError("{key} {value!r} is not a whole number", key=key, value=value)
    return int(value)


def number(words: Words, key: str) -> Fraction | None:
    """``10``, ``2.5`` or ``1/2``; ``None`` if the field is empty."""
    if words.get(key) in (None, ""):
        return None
    try:
        return exact(str(words[key]))
    except InputError as error:
        raise InputError("{key} {error}", key=key, error=error) from error


def read_where(words: Words) -> Where:
    """The traveller line that a ruling means."""
    need(words, "board")
    return Where(
        whole(words, "board"),
        str(need(words, "pair")),
        str(words.get("section", "")),
        whole(words, "session"),
    )


def who_is(entrant: str, names: Names) -> str:
    """An entrant by number, and by name where it is known."""
    name = names.get(entrant, "")
    return f"{entrant} ({name})" if name and name != entrant else entrant


def several(entrants: Sequence[str], names: Names) -> str:
    """Entrants by number and name, with commas between them."""
    return ", ".join(who_is(one, names) for one in entrants)


def where_in_words(where: Where, names: Names) -> Message:
    """Which line is meant, in words."""
    board = Message("board {board}", board=where.board)
    parts: list[str] = [board]
    parts += [Message("section {section}", section=where.section)] if where.section else []
    parts += [Message("session {session}", session=where.session)] if where.session else []
    return joined(", ", [*parts, who_is(where.entrant, names)])
