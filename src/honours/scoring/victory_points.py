"""Victory points: what a match's margin is worth to either side.

A scale answers for one side at a time, from the margin as that side sees it, because after a
split ruling the two margins need not mirror each other. The WBF's continuous scale is a formula;
every other scale is a table the organiser gives in a file. TOML has each band as ``[largest
margin, winner, loser]`` and the last one open::

    title = "Tuesday league"
    [[tables]]
    boards = [6, 8]
    bands = [[1, 10, 10], [4, 11, 9], ["more", 12, 8]]

CSV has the columns ``boards,up_to,winner,loser``; ``boards`` may be ``6``, ``6-8`` or empty for
matches of any length, ``up_to`` is empty in the open band.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from io import StringIO
from itertools import groupby, pairwise
from pathlib import Path
from typing import Protocol

from honours.engine.numbers import DIGITS, exact
from honours.errors import FileProblem, FileProblems, InputError
from honours.files import toml_of
from honours.model import Citation, Step
from honours.model.message import Message, plural
from honours.scoring.standings import decimals, half_up

CENT = Fraction(1, 100)


class Scale(Protocol):
    """A scale of victory points."""

    @property
    def title(self) -> str: ...

    def victory_points(self, margin: Fraction, boards: int) -> Fraction:
        """The points of the side that is ``margin`` ahead (behind, if negative) after
        ``boards``."""

    def why(self, margin: Fraction, boards: int) -> Step:
        """The same as a step of an explanation."""


# --- the WBF's continuous scale ---------------------------------------------------------------


@lru_cache(maxsize=4096)
def _winner(margin: Fraction, boards: int) -> Fraction:
    """10 + 10·(1 − τ^(3m/b)) / (1 − τ³), b = 15√n, to 70 digits; 20 from m = b on.

    Whether m reaches b is decided on squares, exactly. The value is irrational but for
    m = 0, b/3 (15 exactly) and b, so it never lies on a boundary between two cents.
    """
    if margin**2 >= 225 * boards:
        return Fraction(20)
    with localcontext(prec=DIGITS + 10):
        tau = (Decimal(5).sqrt() - 1) / 2
        exponent = Decimal(margin.numerator) / margin.denominator / (5 * Decimal(boards).sqrt())
        share = (1 - (exponent * tau.ln()).exp()) / (1 - tau**3)
        return 10 + 10 * Fraction(share)


@dataclass(frozen=True, slots=True)
class WbfContinuous:
    """The WBF's continuous scale: 20 to share, two decimals, the loser 20 minus the winner."""

    title: str = "WBF continuous scale"

    def victory_points(self, margin: Fraction, boards: int) -> Fraction:
        """Rounded half up to two decimals on the winner's side, so that both add up to 20."""
        if boards < 1:
            raise InputError("a match of {boards} boards has no victory points", boards=boards)
        winner = half_up(_winner(abs(Fraction(margin)), boards), CENT)
        return winner if margin >= 0 else 20 - winner

    def why(self, margin: Fraction, boards: int) -> Step:
        """The formula with its figures."""
        points = self.victory_points(margin, boards)
        ahead = "10 + 10·(1 − τ^(3m/b)) / (1 − τ³), at most 20; b = 15√n, τ = (√5 − 1)/2"
        return Step(
            "victory points",
            points,
            decimals(points),
            "rule",
            about=self.title,
            formula=ahead if margin >= 0 else f"20 − ({ahead})",
            working=f"m = {abs(margin)}, n = {boards}",
            rounding=Message("the winner's to 0.01, half up"),
            citation=Citation("WBF continuous victory points"),
        )


WBF = WbfContinuous()
SCALES: Mapping[str, Scale | None] = {"wbf": WBF, "none": None}
"""The scales that are known by name; any other is a table in a file."""


# --- scales given as a table ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Band:
    """Margins up to ``up_to`` (``None``: all larger ones) and what winner and loser get."""

    up_to: Fraction | None
    winner: Fraction
    loser: Fraction


@dataclass(frozen=True, slots=True)
class ScaleTable:
    """The bands for matches of ``fewest`` to ``most`` boards (0: no limit), smallest first."""

    bands: tuple[Band, ...]
    fewest: int = 0
    most: int = 0

    def covers(self, boards: int) -> bool:
        """True if it scores matches of this many boards."""
        return self.fewest <= boards and (not self.most or boards <= self.most)

    def band(self, margin: Fraction) -> Band:
        """The band a margin falls in; the last one is open."""
        return next(b for b in self.bands if b.up_to is None or margin <= b.up_to)

    def problems(self) -> list[Message]:
        """Faults of the bands, in words; nothing if they make a scale."""
        limits = [b.up_to for b in self.bands]
        closed = [limit for limit in limits[:-1] if limit is not None]
        wrong = []
        if not limits or limits[-1] is not None or len(closed) != len(limits) - 1:
            wrong.append(Message("the last band, and only the last, must be open"))
        if any(a >= b for a, b in pairwise(closed)) or any(a < 0 for a in closed):
            wrong.append(Message("margins must rise from 0"))
        for before, after in pairwise(self.bands):
            if after.winner < before.winner or after.loser > before.loser:
                wrong.append(
                    Message(
                        "a larger margin than {up_to} must not be worth less", up_to=before.up_to
                    )
                )
        if any(b.winner < b.loser for b in self.bands):
            wrong.append(Message("the winner must not get less than the loser"))
        if self.bands and self.bands[0].winner != self.bands[0].loser:
            wrong.append(Message("a draw must be worth the same to both sides"))
        return wrong


@dataclass(frozen=True, slots=True)
class TableScale:
    """A scale as its organiser printed it.

    A margin that is no multiple of ``margin_unit`` (after a weighted score) is rounded to one,
    half away from zero, before it is looked up.
    """

    title: str
    tables: tuple[ScaleTable, ...]
    margin_unit: Fraction = Fraction(1)

    def victory_points(self, margin: Fraction, boards: int) -> Fraction:
        """The table's points for the winner of such a match, or for its loser."""
        band = self._table(boards).band(self._looked_up(margin))
        return band.winner if margin >= 0 else band.loser

    def why(self, margin: Fraction, boards: int) -> Step:
        """The band that was used."""
        band = self._table(boards).band(self._looked_up(margin))
        points = self.victory_points(margin, boards)
        limit = (
            Message("any larger margin")
            if band.up_to is None
            else Message("margins up to {most}", most=band.up_to)
        )
        return Step(
            Message("victory points"),
            points,
            decimals(points),
            "rule",
            about=self.title,
            formula=Message("the scale's band for the margin"),
            working=Message(
                "{limit} over {boards}: {winner} to {loser}",
                limit=limit,
                boards=plural("{count} board", "{count} boards", count=boards),
                winner=band.winner,
                loser=band.loser,
            ),
            rounding=Message("the margin to {unit}, half away from zero", unit=self.margin_unit),
            citation=Citation(self.title),
        )

    def _table(self, boards: int) -> ScaleTable:
        for table in self.tables:
            if table.covers(boards):
                return table
        raise InputError(
            "{title} has no table for matches of {boards} boards", title=self.title, boards=boards
        )

    def _looked_up(self, margin: Fraction) -> Fraction:
        return half_up(abs(Fraction(margin)), self.margin_unit)


# --- files -------------------------------------------------------------------------------------


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
