"""The first sheet of a workbook (.xlsx, .ods, .xls) as the text of a plain table.

A few bytes may ask for more cells than a machine has room for, by a far-away column, a repetition
or an archive that unpacks without end: the limits here hold whatever a file says of itself.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
import zlib
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from io import BytesIO
from pathlib import Path, PurePosixPath

from honours.errors import FileProblem
from honours.formats.reading import MEGABYTE, decode, read_bytes
from honours.formats.xml import Element, Watcher, parse_xml
from honours.model.message import Message
from honours.rings import require

LARGEST_PART = 64 * MEGABYTE
_MOST_PARTS = 2000
MOST_COLUMNS = 1000
_MOST_ROWS = 1_048_576
_MOST_CELLS = 5_000_000
_SMALLER = "a smaller workbook; save the sheet as CSV"


def number_text(raw: str) -> str:
    """A number as a person would have typed it: a spreadsheet stores 52.3 as 52.299999999999997."""
    try:
        value = float(raw)
    except ValueError:
        return raw
    if not abs(value) < 1e15:
        return raw
    return str(int(value)) if value.is_integer() else f"{value:.12f}".rstrip("0")


class Grid:
    """Rows of cells by their numbers, written as CSV: line numbers are row numbers."""

    def __init__(self, path: str | Path) -> None:
        self._path, self._cells, self._written = path, 0, 0
        self._out = io.StringIO()
        self._writer = csv.writer(self._out, lineterminator="\n")

    def add(self, number: int, cells: Sequence[str]) -> None:
        """The next row that has a cell; rows left out before it are counted."""
        if number > _MOST_ROWS:
            raise FileProblem(
                self._path,
                "row {number}",
                "at most {most_rows}; {smaller}",
                number=number,
                most_rows=_MOST_ROWS,
                smaller=_SMALLER,
            )
        self._cells += len(cells)
        if self._cells > _MOST_CELLS:
            raise FileProblem(
                self._path, "more than {most_cells} cells", _SMALLER, most_cells=_MOST_CELLS
            )
        if number > self._written + 1:
            self._out.write("\n" * (number - self._written - 1))
        self._writer.writerow(cells)
        self._written = number

    def text(self) -> str:
        return self._out.getvalue()


class ZipParts:
    """The parts of a zip archive, each read up to a limit."""

    def __init__(self, path: str | Path, archive: zipfile.ZipFile) -> None:
        self.path, self._archive = path, archive
        self.sizes = {info.filename: info.file_size for info in archive.infolist()}
        if len(self.sizes) > _MOST_PARTS:
            raise FileProblem(
                path,
                "{count} parts in a workbook",
                "{most_parts}",
                count=len(self.sizes),
                most_parts=_MOST_PARTS,
            )

    def xml(self, name: str, watch: Watcher | None = None) -> Element:
        """One part, parsed; never more of it than the limit."""
        if self.sizes[name] > LARGEST_PART:
            self._refuse(name)
        with self._archive.open(name) as part:
            data = part.read(LARGEST_PART + 1)
        if len(data) > LARGEST_PART:
            self._refuse(name)
        return parse_xml(f"{self.path}: {name}", data, watch)

    def _refuse(self, name: str) -> None:
        limit = LARGEST_PART // MEGABYTE
        raise FileProblem(
            self.path, "{name} unpacks to more than {limit} MB", _SMALLER, name=name, limit=limit
        )


# --- .xlsx -------------------------------------------------------------------------------------


_FURTHEST_ROW = 10_000
_DATES = {*range(14, 23), 27, 30, 36, 50, 57}
_DAY_ZERO = date(1899, 12, 30)
_DAY_ZERO_OF_1904 = date(1904, 1, 1)
"""The first day of workbooks that a Mac once made, which say so."""
_LAST_DAY = 2_958_465


XLSX_PART = "xl/workbook.xml"
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
        """The shared strings, without what tells how they sound."""
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
        """The cell styles that show a number as a day."""
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


def _inline_text(item: Element) -> str:
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
    """The text of a cell: shared, inline, a day or a number."""
    kind, raw = cell.get("t", "n"), cell.word("v")
    if kind == "s":
        at = _whole(raw)
        return strings[at] if raw.isdecimal() and at < len(strings) else ""
    if kind == "inlineStr":
        inline = cell.first("is")
        return _inline_text(inline) if inline else ""
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


# --- .xls --------------------------------------------------------------------------------------


MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
LARGEST_XLS = 32 * MEGABYTE


def xls_text(path: str | Path, data: bytes) -> str:
    """The first sheet as CSV, row for row; any other Office document is refused."""
    if len(data) > LARGEST_XLS:
        fault = Message("{count} MB of an old workbook", count=len(data) // MEGABYTE)
        raise FileProblem(
            path, fault, "at most {largest} MB; save it as CSV", largest=LARGEST_XLS // MEGABYTE
        )
    require("python_calamine")
    from python_calamine import CalamineWorkbook

    grid = Grid(path)
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        for number, row in enumerate(book.get_sheet_by_index(0).iter_rows(), start=1):
            cells = [_xls_cell(cell) for cell in row]
            if any(cells):
                grid.add(number, cells)
    except (FileProblem, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # what goes wrong inside calamine is no Exception
        raise FileProblem(
            path,
            "an old Office document that cannot be read as a workbook: {why}",
            "an .xls; save it as .xlsx or CSV",
            why=str(error)[:150],
        ) from error
    return grid.text()


def _xls_cell(cell: object) -> str:
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    return number_text(repr(cell)) if isinstance(cell, float) else str(cell)


# --- .ods --------------------------------------------------------------------------------------


ODS_PART = "content.xml"
"""The part that the sheets are in."""


def ods_text(parts: ZipParts) -> str:
    """The first sheet as CSV, row for row."""
    reading = _OdsSheet(parts.path)
    parts.xml(ODS_PART, reading.watch)
    return reading.grid.text()


class _OdsSheet:
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
        text, times = _ods_value(cell), _times(cell, "number-columns-repeated")
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


def _ods_value(cell: Element) -> str:
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


# --- any table ---------------------------------------------------------------------------------


_DAMAGE = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    OSError,
    EOFError,
    zlib.error,
    ValueError,
)


def is_workbook(data: bytes) -> bool:
    """True if a file is a zip archive or an old Office document, which may be a workbook."""
    return data.startswith((b"PK\x03\x04", MAGIC))


def read_table(path: str | Path) -> str:
    """The text of a plain table, from a text file or from the first sheet of a workbook."""
    data = read_bytes(path)
    return workbook_text(path, data) if is_workbook(data) else decode(path, data)


def workbook_text(path: str | Path, data: bytes) -> str:
    """The first sheet as CSV, row for row, so that line numbers are row numbers."""
    if data.startswith(MAGIC):
        return xls_text(path, data)
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            parts = ZipParts(path, archive)
            if XLSX_PART in parts.sizes:
                return Xlsx(parts).text()
            if ODS_PART in parts.sizes:
                return ods_text(parts)
    except _DAMAGE as error:
        raise FileProblem(
            path, "a damaged or encrypted zip archive: {error}", error=error
        ) from error
    raise FileProblem(path, "a zip archive that is not a workbook", "an .xlsx or .ods")
