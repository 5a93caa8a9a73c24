"""Facts that can be known of an event, and how they came to be known.

A fact has one name wherever it appears: a column of a file, ``key=value``, a field of the API, an
input of a rulebook. :mod:`honours.model.vocabulary` declares those that every part of the house
shares; a rulebook may declare more, which can then be given in the same ways.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Literal

from honours.model.message import in_context

Value = Fraction | str
"""A fact's value: an exact number, or a word such as ``"regional"``."""

Facts = Mapping[str, Value]


class Subject(StrEnum):
    """The kinds of things that a fact can be about."""

    EVENT = "event"
    SESSION = "session or stage"
    MATCH = "match"
    LIST = "ranking list"
    ENTRANT = "entrant"
    PLAYER = "player"
    GAME = "game"
    PUBLISHED = "file's own reckoning"
    FILE = "file"


class Supplier(StrEnum):
    """The suppliers that a fact may have."""

    FILE = "a file"
    SCORER = "the scorer, from the results"
    MEMBERS = "a member list"
    PERSON = "a person"


FactType = Literal["number", "count", "word", "date", "text"]
"""``count`` is a whole number that is not negative; ``word`` is one of a few."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that can be known: its name, what it means in a sentence, and who may supply it.

    ``unit`` is what a number counts; ``spellings`` are other headers a table may have for it,
    written without capitals, spaces and signs. Where there is one for ``each`` of something (a
    stratum, say), its name goes on with a full stop and what it is of: ``stratum_limit.B``.
    """

    name: str
    meaning: str
    of: Subject
    type: FactType
    suppliers: tuple[Supplier, ...]
    unit: str = ""
    words: tuple[str, ...] = ()
    spellings: tuple[str, ...] = ()
    each: str = ""


class Origin(StrEnum):
    """The ways a value came to be known."""

    DERIVED = "derived"
    TOLD = "told"
    ASSUMED = "assumed"
    IMMATERIAL = "immaterial"
    """Not known, and whatever it is, nobody's award changes."""


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact with its value, how it came to be known, and where it comes from.

    ``source`` names it for the reader (the results, a file's column, ``key=value``, the clause
    of a default); ``instead`` is the value that it overrules, where something else was derived;
    ``follows_from`` names the facts that a rulebook made its word of; ``lists`` the ranking lists
    of which it is known, where others of the event have another value.
    """

    name: str
    value: Value
    origin: Origin
    source: str = ""
    used: bool = True
    instead: Value | None = None
    follows_from: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()


def label_of(name: str) -> str:
    """A fact's name as people read it."""
    return name.rstrip("_").replace("_", " ")


def label_of_word(word: str) -> str:
    """A rulebook's word as people read it, for a message; "final" is also a state of standings."""
    return in_context("competition", "final") if word == "final" else word.replace("-", " ")
