"""Scales of victory points from a file the organiser gives, TOML or CSV.

TOML, each band as ``[largest margin, winner, loser]`` and the last one open::

    title = "Tuesday league"
    [[tables]]
    boards = [6, 8]
    bands = [[1, 10, 10], [4, 11, 9], ["more", 12, 8]]

CSV, with the same columns; ``boards`` may be ``6``, ``6-8`` or empty for matches of any length,
``up_to`` is empty in the open band::

    boards,up_to,winner,loser
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from io import StringIO
from itertools import groupby
from pathlib import Path

from honours.engine.numbers import exact
from honours.errors import FileProblem, FileProblems, InputError
from honours.files import toml_of
from honours.model.message import Message
from honours.scoring.victory_points import Band, ScaleTable, TableScale

COLUMNS = ("boards", "up_to", "winner", "loser")
OPEN = ("", "more")


def read_scale(path: Path) -> TableScale:
    """The scale in a ``.toml`` or ``.csv`` file; all that is wrong with it is said at once."""
    reader = _ScaleReader(path)
    scale = reader.from_csv() if path.suffix.lower() == ".csv" else reader.from_toml()
    if not scale.tables:
        reader.wrong(Message("no tables"), Message("at least one, with bands"))
    for number, table in enumerate(scale.tables, 1):
        for text in () if reader.problems else table.problems():
            reader.wrong(Message("table {number}: {text}", number=number, text=text))
    if reader.problems:
        raise FileProblems(reader.problems)
    return scale


class _ScaleReader:
    """Reads one file and gathers what is wrong in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[FileProblem] = []

    def wrong(self, found: str, expected: str = "", line: int | None = None) -> None:
        self.problems.append(FileProblem(self.path, found, expected, line))

    def from_toml(self) -> TableScale:
        data = self._toml()
        tables = data.get("tables", [])
        if not isinstance(tables, list):
            self.wrong(Message("'tables' is not a list"), Message("[[tables]]"))
            tables = []
        read = tuple(self._table(number, table) for number, table in enumerate(tables, 1))
        unit = self._number(data.get("margin_unit", 1), "margin_unit", None)
        if unit <= 0:
            self.wrong(Message("margin_unit is {unit}", unit=unit), Message("more than 0"))
        return TableScale(str(data.get("title", self.path.stem)), read, unit)

    def _toml(self) -> dict[str, object]:
        try:
            return toml_of(self._text(), exact)
        except (tomllib.TOMLDecodeError, InputError) as error:
            raise FileProblem(self.path, str(error), "a TOML file") from error

    def _text(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8-sig")
        except (UnicodeDecodeError, OSError) as error:
            raise FileProblem(self.path, str(error), "a text file in UTF-8") from error

    def _table(self, number: int, table: object) -> ScaleTable:
        where = Message("table {number}", number=number)
        fields = table if isinstance(table, dict) else {}
        bands = fields.get("bands", [])
        if not isinstance(bands, list) or not all(isinstance(b, list) for b in bands):
            self.wrong(
                Message("{where}: 'bands' is not a list of lists", where=where), "[[0, 10, 10], …]"
            )
            bands = []
        read = tuple(self._band(where, band, None) for band in bands)
        return ScaleTable(read, *self._boards(fields.get("boards", ""), where, None))

    def from_csv(self) -> TableScale:
        rows = csv.DictReader(StringIO(self._text()))
        missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
        if missing:
            raise FileProblem(self.path, "no column {missing}", line=1, missing=tuple(missing))
        read = [(row["boards"] or "", rows.line_num, self._row(row, rows)) for row in rows]
        tables = []
        for boards, group in groupby(read, key=lambda line: line[0]):
            lines = list(group)
            bands = tuple(band for _, _, band in lines)
            tables.append(ScaleTable(bands, *self._boards(boards, "boards", lines[0][1])))
        return TableScale(self.path.stem, tuple(tables))

    def _row(self, row: Mapping[str, str | None], rows: csv.DictReader[str]) -> Band:
        return self._band("", [row[name] or "" for name in COLUMNS[1:]], rows.line_num)

    def _band(self, where: str, cells: list[object], line: int | None) -> Band:
        if len(cells) != 3:
            self.wrong(
                Message("{where}: a band of {count}", where=where, count=len(cells)),
                Message("margin, winner, loser"),
            )
            cells = ["", 0, 0]
        unlimited = str(cells[0]).strip().lower() in OPEN
        limit = None if unlimited else self._number(cells[0], f"{where} up_to", line)
        winner, loser = (
            self._number(cell, f"{where} {name}", line)
            for cell, name in zip(cells[1:], COLUMNS[2:], strict=True)
        )
        return Band(limit, winner, loser)

    def _number(self, value: object, where: str, line: int | None) -> Fraction:
        try:
            return exact(value)
        except (InputError, TypeError) as error:
            self.wrong(f"{where.strip()}: {error}", Message("a number"), line)
            return Fraction(0)

    def _boards(self, boards: object, where: str, line: int | None) -> tuple[int, int]:
        """``8``, ``"6-8"`` or ``[6, 8]`` as the fewest and the most; empty for any number."""
        ends = boards if isinstance(boards, list) else str(boards).split("-")
        if ends == [""]:
            return 0, 0
        try:
            numbers = [int(str(end)) for end in ends]
        except ValueError:
            numbers = []
        if len(numbers) not in (1, 2) or not 0 < numbers[0] <= numbers[-1]:
            self.wrong(
                Message("{where}: boards {boards}", where=where, boards=repr(boards)),
                Message("a number, or the first and the last"),
                line,
            )
            return 0, 0
        return numbers[0], numbers[-1]
