"""Tables as pages show them: every one of them sorts, filters and downloads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from honours.web.phrases import recognised
from honours.web.texts import Worded

if TYPE_CHECKING:
    from honours.reports.travellers import Sheet

_FIGURE = re.compile(r"[-−+]?\d[\d.,]*\s?[%=]?")


@dataclass(frozen=True, slots=True)
class Cell:
    """A text that may lead somewhere; with ``target`` the place comes to this page.

    ``word`` says that it is a word of ours, to be translated, and not somebody's name; ``lang`` is
    the language of a text that stays in the words of its source.
    """

    text: str
    href: str = ""
    target: str = ""
    note: str = ""
    word: bool = False
    lang: str = ""


@dataclass(frozen=True)
class Table:
    """Rows under a header; ``name`` is what a downloaded file is called."""

    name: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    foot: str = ""

    @cached_property
    def figures(self) -> tuple[bool, ...]:
        """Which columns hold figures, to stand to the right; asked for every cell."""
        columns = zip(*self.rows, strict=True) if self.rows else ((),) * len(self.header)
        return tuple(all(_is_figure(cell.text) for cell in column) for column in columns)


def table(
    name: str,
    caption: str,
    header: Sequence[str],
    rows: Iterable[Sequence[str | Cell]],
    foot: str = "",
    lang: str = "",
) -> Table:
    """A table of texts and cells; the texts are of the language ``lang``."""
    made = ((c if isinstance(c, Cell) else Cell(c, lang=lang) for c in row) for row in rows)
    cells = tuple(tuple(row) for row in made)
    return Table(name, caption, tuple(header), cells, foot)


def said(text: str) -> Cell:
    """What somebody wrote, or a sentence of the ledger's own in its place."""
    return Cell(text, word=isinstance(recognised(text), Worded))


def sheet_table(name: str, sheet: Sheet) -> Table:
    """A sheet of a report as a table, columns that say nothing left out."""
    used = [i for i, _ in enumerate(sheet.header) if any(row[i] for row in sheet.rows)]
    rows = [[said(row[i]) for i in used] for row in sheet.rows]
    return table(name, sheet.title, [sheet.header[i] for i in used], rows, sheet.foot)


def _is_figure(text: str) -> bool:
    return not text or text == "-" or _FIGURE.fullmatch(text) is not None
