"""A sheet's cells on their way to the text of a table, and the zip archives that hold sheets.

A few bytes may ask for more cells than a machine has room for, by a far-away column, a repetition
or an archive that unpacks without end: the limits here hold whatever a file says of itself.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Sequence
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.file_bytes import MEGABYTE
from honours.formats.xml import Element, Watcher, parse_xml

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
