"""A table as a value: typed columns, and cells that know where they lead and what marks them.

Whoever knows the figures builds the table, once; :mod:`honours.reports.drawing` draws it as text,
HTML, CSV, JSON, Arrow or for a PDF. Titles and words of ours are messages, so that every drawing is
in its reader's language; a name or a title of somebody's is a text and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from honours.model.message import Message

Content = Fraction | int | float | str | date | None
"""What a cell holds; a float only where figures are estimates, as in answers of the lab."""


class Kind(StrEnum):
    """The kinds of cells that a column has."""

    TEXT = "text"
    """Free text, of whoever wrote it: a name, a remark."""
    WORD = "word"
    """A word or a sentence of ours."""
    CODE = "code"
    """What something is called by: a pair's number, a member's, an id."""
    NUMBER = "number"
    SHARE = "share"
    """A percentage, of which half is par: drawn with a bar."""
    PLACE = "place"
    DATE = "date"
    CARDS = "cards"
    """A contract or a card led: shown with the signs of the suits."""


FIGURES = frozenset({Kind.NUMBER, Kind.SHARE, Kind.PLACE})
"""Kinds that stand to the right, under one another."""


class Link(NamedTuple):
    """The target of a cell: a kind of thing and which one, and the anchor of a cell ``at`` which it
    is looked at. Each drawing knows its own address for it; ``kind`` is empty where ``name`` is the
    address itself."""

    kind: str
    name: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: ``key`` in files and for programs, ``title`` for readers.

    ``unit`` is what its figures count, ``lang`` the language its texts are in where that is not the
    reader's, ``right`` whether it stands to the right where its kind does not say.
    """

    key: str
    title: str
    kind: Kind = Kind.TEXT
    unit: str = ""
    lang: str = ""
    right: bool | None = None


def headed(
    key: str, kind: Kind = Kind.TEXT, unit: str = "", lang: str = "", right: bool | None = None
) -> Column:
    """A column whose title for readers is its key, in their language."""
    return Column(key, Message(key), kind, unit, lang, right)


@dataclass(frozen=True, slots=True)
class Cell:
    """A value: exact, and as ``shown`` where that is not simply how it is written.

    ``note`` is a remark beside it, ``marks`` say what is special about it (``adjusted``),
    ``part`` is the part of the page that what it links to goes into, and ``anchor`` is what its
    row is found by.
    """

    value: Content = None
    shown: str = ""
    link: Link | None = None
    note: str = ""
    marks: frozenset[str] = frozenset()
    lang: str = ""
    part: str = ""
    anchor: str = ""

    @property
    def text(self) -> str:
        """The text that a reader sees: a message, if it is one of ours."""
        if self.shown or self.value is None:
            return self.shown
        return self.value if isinstance(self.value, str) else str(self.value)


Row = tuple[Cell, ...]
_FIGURE = re.compile(r"[-−+]?[\d.,]*[%=]?")
_MOST_ON_A_CARD = 10


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under typed columns. ``name`` is what a file of it is called; ``caption`` says what it
    shows and ``foot`` what stands below it."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    caption: str = ""
    foot: str = ""

    @property
    def right(self) -> tuple[bool, ...]:
        """Right-aligned columns: figures, and codes that look like them."""
        texts = zip(*self.rows, strict=True) if self.rows else ((),) * len(self.columns)
        return tuple(_is_right(*one) for one in zip(self.columns, texts, strict=True))

    @property
    def naming(self) -> int | None:
        """The index of the column among the first that names what a row is about."""
        right = self.right
        texts = (i for i in self._places[:3] if self.columns[i].kind is Kind.TEXT and not right[i])
        return next(texts, None)

    @property
    def carded(self) -> bool:
        """True if a row reads well as a card where there is no room for columns."""
        return self.naming is not None and 4 <= len(self.columns) <= _MOST_ON_A_CARD

    def used(self) -> Table:
        """The table without its empty columns."""
        return self._only([i for i in self._places if any(row[i].text for row in self.rows)])

    def without(self, *keys: str) -> Table:
        """The table without these columns."""
        return self._only([i for i in self._places if self.columns[i].key not in keys])

    @property
    def _places(self) -> range:
        return range(len(self.columns))

    def _only(self, kept: Sequence[int]) -> Table:
        rows = tuple(tuple(row[i] for i in kept) for row in self.rows)
        return replace(self, columns=tuple(self.columns[i] for i in kept), rows=rows)

    def beside(self, column: Column, cells: Iterable[Cell | Content]) -> Table:
        """The table with one more column."""
        added = (one if isinstance(one, Cell) else Cell(one) for one in cells)
        rows = tuple((*row, cell) for row, cell in zip(self.rows, added, strict=True))
        return replace(self, columns=(*self.columns, column), rows=rows)

    def linked(self, address: Callable[[Link], str]) -> Table:
        """The table with every link replaced by the address it has in one place."""
        return replace(self, rows=tuple(tuple(_linked(c, address) for c in r) for r in self.rows))


def table(
    name: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Cell | Content]],
    caption: str = "",
    foot: str = "",
) -> Table:
    """A table of cells and bare values."""
    cells = (tuple(one if isinstance(one, Cell) else Cell(one) for one in row) for row in rows)
    made = Table(name, tuple(columns), tuple(cells), caption, foot)
    if uneven := [row for row in made.rows if len(row) != len(made.columns)]:
        raise ValueError(f"{name}: {len(made.columns)} columns, a row of {len(uneven[0])}")
    return made


def _linked(cell: Cell, address: Callable[[Link], str]) -> Cell:
    if cell.link is None:
        return cell
    href = address(cell.link)
    return replace(cell, link=Link("", href) if href else None)


def _is_right(column: Column, cells: Sequence[Cell]) -> bool:
    if column.right is not None:
        return column.right
    if column.kind is Kind.CODE:
        return mostly_figures([cell.text for cell in cells])
    return column.kind in FIGURES


def mostly_figures(texts: Sequence[str]) -> bool:
    """Return whether these are mostly figures; a word or two (``ruling``, ``-``) does no harm."""
    figures = [_FIGURE.fullmatch(text) is not None for text in texts if text]
    return 2 * sum(figures) > len(figures) or not figures
