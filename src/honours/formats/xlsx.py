"""A workbook (.xlsx) as the text of its first sheet.

It is a zip of XML. What it says of its sizes is looked at before anything is unpacked, and
unpacking stops at a limit whatever it says; a few bytes that ask for many cells are refused too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import PurePosixPath

from honours.errors import FileProblem
from honours.formats.grids import MOST_COLUMNS, Grid, ZipParts, number_text
from honours.formats.xml import Element, Watcher

_FURTHEST_ROW = 10_000
_DATES = {*range(14, 23), 27, 30, 36, 50, 57}
_DAY_ZERO = date(1899, 12, 30)
_DAY_ZERO_OF_1904 = date(1904, 1, 1)
"""The first day of workbooks that a Mac once made, which say so."""
_LAST_DAY = 2_958_465


PART = "xl/workbook.xml"
"""The part that every such workbook has."""


class Xlsx:
    def __init__(self, parts: ZipParts) -> None:
        self._path, self._parts = parts.path, parts
        self._sizes = parts.sizes

    def _part(self, name: str, watch: Watcher | None = None) -> Element:
        return self._parts.xml(name, watch)

    def text(self) -> str:
        """The first sheet as CSV, row for row, so that line numbers are row numbers."""
        grid = Grid(self._path)
        self._rows(grid, self._strings(), self._date_styles(), self._first_day())
        return grid.text()

    def _strings(self) -> list[str]:
        if "xl/sharedStrings.xml" not in self._sizes:
            return []
        strings: list[str] = []
        runs: list[str] = []

        def watch(opened: Sequence[Element], ended: Element) -> bool:
            # What a word sounds like is no part of it.
            if ended.tag == "t" and opened[-1].tag != "rPh":
                runs.append(ended.text)
            elif ended.tag == "si":
                strings.append("".join(runs))
                runs.clear()
            return True

        self._part("xl/sharedStrings.xml", watch)
        return strings

    def _date_styles(self) -> set[int]:
        """Which cell styles show a number as a day."""
        if "xl/styles.xml" not in self._sizes:
            return set()
        styles = self._part("xl/styles.xml")
        formats, cells = styles.first("numFmts"), styles.first("cellXfs")
        own = {
            _whole(e.get("numFmtId"))
            for e in (formats.all("numFmt") if formats else ())
            if re.search(r"[dy]", re.sub(r'"[^"]*"|\[[^\]]*\]', "", e.get("formatCode")).lower())
        }
        listed = enumerate(cells.all("xf")) if cells else ()
        return {n for n, e in listed if _whole(e.get("numFmtId")) in _DATES | own}

    def _first_day(self) -> date:
        """The day from which the workbook counts days."""
        told = self._part("xl/workbook.xml").first("workbookPr")
        of_1904 = told is not None and told.get("date1904") in ("1", "true")
        return _DAY_ZERO_OF_1904 if of_1904 else _DAY_ZERO

    def _first_sheet(self) -> str:
        """The part of the first sheet, by way of the workbook's list of relations."""
        sheets = self._part("xl/workbook.xml").first("sheets")
        first = next(sheets.all("sheet"), None) if sheets else None
        named = first.attributes if first else {}
        wanted = next((value for key, value in named.items() if key.endswith(":id")), "")
        if "xl/_rels/workbook.xml.rels" in self._sizes:
            for relation in self._part("xl/_rels/workbook.xml.rels").all("Relationship"):
                if relation.get("Id") == wanted:
                    target = relation.get("Target").lstrip("/")
                    name = target if target.startswith("xl/") else str(PurePosixPath("xl", target))
                    if name in self._sizes:
                        return name
        if "xl/worksheets/sheet1.xml" in self._sizes:
            return "xl/worksheets/sheet1.xml"
        raise FileProblem(self._path, "a workbook without a sheet")

    def _rows(self, grid: Grid, strings: Sequence[str], dates: set[int], first: date) -> None:
        """Puts the rows into the grid; every cell is let go as soon as it is read."""
        cells: list[str] = []
        last = 0

        def watch(_opened: Sequence[Element], ended: Element) -> bool:
            nonlocal last
            if ended.tag in ("v", "is", "t", "r"):
                return False
            if ended.tag == "c":
                self._place(cells, ended, _value(ended, strings, dates, first))
            elif ended.tag == "row":
                row_number = _whole(ended.get("r"))
                last = row_number if last < row_number <= last + _FURTHEST_ROW else last + 1
                grid.add(last, cells)
                cells.clear()
            return True

        self._part(self._first_sheet(), watch)

    def _place(self, cells: list[str], cell: Element, value: str) -> None:
        at = _column(cell.get("r"), len(cells))
        if at >= MOST_COLUMNS:
            raise FileProblem(
                self._path,
                "column {at}",
                "at most {most_columns}",
                at=at + 1,
                most_columns=MOST_COLUMNS,
            )
        cells += [""] * (at - len(cells))
        cells.append(value)


def _text(item: Element) -> str:
    """A string in the cell itself, in one piece or in runs of different looks."""
    return "".join([item.word("t"), *(run.word("t") for run in item.all("r"))])


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _column(reference: str, default: int) -> int:
    """``B7`` is the second column: 1."""
    match = re.match(r"[A-Z]{1,3}", reference)
    if not match:
        return default
    position = 0
    for letter in match[0]:
        position = position * 26 + ord(letter) - ord("A") + 1
    return max(position - 1, default)


def _value(cell: Element, strings: Sequence[str], dates: set[int], first: date) -> str:
    kind, raw = cell.get("t", "n"), cell.word("v")
    if kind == "s":
        at = _whole(raw)
        return strings[at] if raw.isdecimal() and at < len(strings) else ""
    if kind == "inlineStr":
        inline = cell.first("is")
        return _text(inline) if inline else ""
    if kind == "n" and raw:
        if cell.get("s").isdecimal() and _whole(cell.get("s")) in dates:
            return _day(raw, first)
        return number_text(raw)
    return raw


def _day(raw: str, first: date) -> str:
    try:
        days = int(float(raw))
    except (ValueError, OverflowError):
        return raw
    return (first + timedelta(days=days)).isoformat() if 0 < days < _LAST_DAY else raw
