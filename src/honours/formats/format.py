"""A kind of file: what it is called, how it is told from others, and how it is read.

Each is declared beside its reader, in ``FORMATS`` of its module, and :mod:`honours.formats.detect`
finds them there; an installed package adds its own by an entry point.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from honours.formats import html
from honours.formats.reading import decode, open_checked, read_bytes
from honours.formats.sheet import Vocabulary, columns_of
from honours.formats.workbooks import is_workbook, workbook_text
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.formats.go import GoTournament
    from honours.formats.members import MemberList
    from honours.formats.table_standings import StandingsFile, StandingsTable
    from honours.model import Event

Content: TypeAlias = (
    "tuple[Event, ...] | StandingsFile | StandingsTable | GoTournament | MemberList"
)
BRIDGE, GO = "bridge", "go"
"""The games whose events we read."""
UNSEEN = "no real file of this kind has been seen"
MADE = "only files made with the program for us have been seen"
_HEAD = 1 << 16
_ROOT = re.compile(r"\s*<([A-Za-z_][\w.:-]{0,100})")
_BEFORE_ROOT = (("<?", "?>"), ("<!--", "-->"), ("<!DOCTYPE", ">"), ("<!doctype", ">"))


class WrittenFile(NamedTuple):
    """A file's bytes, and what of the event its format could not say."""

    data: bytes
    lost: tuple[str, ...]


class Seen:
    """A file as formats look at it, each way worked out when it is first asked for."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        with open_checked(path) as file:
            self.head = file.read(_HEAD)

    @cached_property
    def text(self) -> str:
        """The beginning of a text, or the whole table of a workbook; empty for anything else."""
        if is_workbook(self.head):
            return workbook_text(self.path, read_bytes(self.path))
        if html.is_archive(self.head):
            return ""
        # A head may end inside a character: the last ones do not matter here.
        whole = len(self.head) < _HEAD
        return decode(self.path, self.head if whole else self.head[: _HEAD // 4 * 4])

    @cached_property
    def root(self) -> str:
        """The first element's name, after declarations, comments and a DOCTYPE, which may hold
        declarations of its own in brackets."""
        text = self.text
        at = len(text) - len(text.lstrip())
        while opening := next(
            (pair for pair in _BEFORE_ROOT if text.startswith(pair[0], at)), None
        ):
            end = text.find(opening[1], at)
            bracket = text.find("[", at, end)
            if opening[1] == ">" and bracket >= 0:
                end = text.find(">", max(text.find("]", bracket), at))
            if end < 0:
                return ""
            at = end + len(opening[1])
            at += len(text[at:]) - len(text[at:].lstrip())
        match = _ROOT.match(text, at)
        return match[1] if match else ""

    @cached_property
    def page(self) -> str:
        """The whole text of a web page, what tells it may stand anywhere in it; else empty."""
        is_page = html.is_archive(self.head) or self.root.lower() == "html"
        return html.page_text(self.path) if is_page else ""

    @cached_property
    def lines(self) -> list[str]:
        """The lines of a plain text that say something."""
        is_plain = not self.text.lstrip().startswith("<")
        return [line for line in self.text.splitlines() if line.strip()] if is_plain else []


class Told(IntEnum):
    """The strength of the evidence that a file is of a kind; kinds are tried in this order."""

    BY_BYTES = 0
    BY_MARK = 1
    """By what no other kind has."""
    BY_NAME = 2
    """By the name of an element, of a field or of a page."""
    BY_LINES = 3
    BY_COLUMNS = 4
    AT_LAST = 5


Teller = tuple[Told, Callable[[Seen], bool]]


def head(test: Callable[[bytes], bool]) -> Teller:
    """Told by its first bytes."""
    return Told.BY_BYTES, lambda seen: test(seen.head)


def root(*names: str) -> Teller:
    """Told by the name of its first element."""
    return Told.BY_NAME, lambda seen: seen.root in names


def page(test: Callable[[str], bool]) -> Teller:
    """Told by what a web page has in it."""
    return Told.BY_NAME, lambda seen: bool(seen.page) and test(seen.page)


def text(test: Callable[[str], bool], told: Told = Told.BY_NAME) -> Teller:
    """Told by what a plain text has in it."""
    return told, lambda seen: bool(seen.lines) and test(seen.text)


def lines(test: Callable[[Sequence[str]], bool]) -> Teller:
    """Told by what its first lines are like."""
    return Told.BY_LINES, lambda seen: bool(seen.lines) and test(seen.lines)


def columns(vocabulary: Vocabulary, telling: Collection[str] = ()) -> Teller:
    """Told by two of the columns of its header, or two of those that tell: the reader says best
    which one is missing."""

    def test(seen: Seen) -> bool:
        named = columns_of(seen.text, vocabulary) if seen.lines else set()
        return len(named.intersection(telling) if telling else named) > 1

    return Told.BY_COLUMNS, test


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: its name for a program and for a person, how it is told, and its reader.
    ``experimental`` says why a reading is, or is asked what was read; ``game`` is what is played
    wherever it has lists alone."""

    name: str
    title: str
    told: Teller
    read: Callable[[str | Path], Content | Event]
    experimental: str | Callable[[Content], str] = ""
    game: str = ""

    def __reduce__(self) -> tuple[object, ...]:
        """Sent from one process to another it is named: both know how it is read."""
        from honours.formats.detect import format_called

        return format_called, (self.name,)


def rarely_seen(content: Content) -> str:
    """The reason a reading of USEBIO or a .bws is experimental: kinds of events no real file
    had."""
    for event in content if isinstance(content, tuple) else ():
        if event.swiss:
            return Message("no real USEBIO file of a Swiss event has been seen")
        if event.kind == "individual":
            return Message("no real file of an individual has been seen")
        if any(entrant.stratum for entrant in event.entrants):
            return Message("no real USEBIO file with strata has been seen")
    return ""
