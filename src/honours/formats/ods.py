"""An OpenDocument spreadsheet (.ods) as the text of its first sheet."""

from __future__ import annotations

from collections.abc import Sequence

from honours.errors import FileProblem
from honours.formats.grids import MOST_COLUMNS, Grid, ZipParts, number_text
from honours.formats.xml import Element

PART = "content.xml"
"""The part that the sheets are in."""


def ods_text(parts: ZipParts) -> str:
    """The first sheet as CSV, row for row."""
    reading = _Sheet(parts.path)
    parts.xml(PART, reading.watch)
    return reading.grid.text()


class _Sheet:
    """Takes rows as they end; a repeated empty row or cell is only counted."""

    def __init__(self, path: object) -> None:
        self.grid = Grid(str(path))
        self._path = str(path)
        self._cells: list[str] = []
        self._empty = self._row = self._tables = 0

    def watch(self, opened: Sequence[Element], ended: Element) -> bool:
        if ended.tag == "table":
            self._tables += 1
            return True
        if self._tables or ended.tag in ("p", "span", "s", "a"):
            return bool(self._tables)
        if ended.tag in ("table-cell", "covered-table-cell"):
            self._cell(ended)
        elif ended.tag == "table-row":
            self._end_row(_times(ended, "number-rows-repeated"))
        return opened[-1].tag in ("table", "table-row", "table-header-rows")

    def _cell(self, cell: Element) -> None:
        text, times = _value(cell), _times(cell, "number-columns-repeated")
        if not text:
            self._empty += times
            return
        wide = len(self._cells) + self._empty + times
        if wide > MOST_COLUMNS:
            raise FileProblem(
                self._path,
                "column {wide}",
                "at most {most_columns}",
                wide=wide,
                most_columns=MOST_COLUMNS,
            )
        self._cells += [""] * self._empty + [text] * times
        self._empty = 0

    def _end_row(self, times: int) -> None:
        if self._cells:
            for _ in range(times):
                self._row += 1
                self.grid.add(self._row, self._cells)
        else:
            self._row += times
        self._cells, self._empty = [], 0


def _times(element: Element, name: str) -> int:
    text = next((v for k, v in element.attributes.items() if k.endswith(f":{name}")), "1")
    return int(text) if text.isdecimal() and len(text) < 8 and int(text) else 1


def _value(cell: Element) -> str:
    """A day or a number as it is kept, else the words shown."""
    attributes = {key.rpartition(":")[2]: value for key, value in cell.attributes.items()}
    kind = attributes.get("value-type", "")
    if kind == "date":
        return attributes.get("date-value", "")[:10]
    if kind in ("float", "currency"):
        return number_text(attributes.get("value", ""))
    return _words(cell)


def _words(element: Element) -> str:
    """The text in an element and in all that stands in it; a new paragraph is a space."""
    inner = [_words(child) for child in element.children]
    return " ".join(" ".join([element.text, *inner]).split())
