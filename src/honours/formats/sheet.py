"""A sheet of rows under a header: delimiter, decimal mark and columns found from its content.

This is what the plain tables stand on (:mod:`honours.formats.table_results` and
:mod:`honours.formats.table_standings`). Columns are recognised by their header in any order;
everything wrong in a file is gathered and raised at once. Free text that a spreadsheet would run as
a formula is made harmless on writing and restored on reading; figures and results of boards
(``-50``, ``+1``, ``=``) are data and left alone.
"""

from __future__ import annotations

import csv
import gc
import re
import tomllib
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from itertools import zip_longest
from typing import TypeVar

from honours.errors import FileProblem, FileProblems, message_of, raise_problems
from honours.formats.reading import Problems
from honours.model.message import Message, either
from honours.model.vocabulary import VOCABULARY

_SIGNS = r"[=+\-@\t\r＝＋－＠]"
_RISKY = re.compile(rf"'*{_SIGNS}")
_NEUTRALISED = re.compile(rf"'+{_SIGNS}")
_DATA = re.compile(r"=|[-+]?\d+([.,/]\d+)*%?")


def neutralise(text: str) -> str:
    """Put an apostrophe before a text a spreadsheet would take for a formula."""
    return f"'{text}" if _RISKY.match(text) else text


def neutralised(text: str) -> str:
    """The same for a cell that may be a figure, which stays as it is."""
    return text if _DATA.fullmatch(text) else neutralise(text)


def restore(text: str) -> str:
    """Take away the apostrophe that :func:`neutralise` put there."""
    return text[1:] if _NEUTRALISED.match(text) else text


# --- headers -----------------------------------------------------------------------------------


_MOST_LOOKED_AT = 50


def plain(header: str) -> str:
    """A header without case, accents, spaces and punctuation; ``%`` and ``#`` stay."""
    letters = unicodedata.normalize("NFKD", header).casefold()
    return "".join(c for c in letters if c.isalnum() or c in "%#")


def fact_name(header: str) -> str:
    """The fact that a header names: ``Boards per match`` is ``boards_per_match``, and
    ``eligible2`` of the second player is ``eligible``."""
    letters = unicodedata.normalize("NFKD", header).casefold()
    return re.sub(r"[^a-z]+", "_", letters).strip("_")


@dataclass(frozen=True, slots=True)
class SheetColumns:
    """The meaning of a sheet's headers: meaning → position, and the headers nothing was made of."""

    positions: Mapping[str, int]
    headers: tuple[str, ...]
    ignored: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    """The numbers in ``player1``, ``player2`` …"""
    further: tuple[tuple[int, str, int], ...] = ()
    """Columns of no meaning to a reader: position, the fact they may be, and the player's number,
    0 where a header has none. A rulebook may ask for any of them."""

    def __contains__(self, meaning: str) -> bool:
        return meaning in self.positions

    def nearest(self, spellings: Sequence[str]) -> str:
        """The unrecognised header most like one of ``spellings``, or nothing."""
        for header in self.ignored[:_MOST_LOOKED_AT]:
            if get_close_matches(plain(header), spellings, n=1, cutoff=0.7):
                return header
        return ""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The columns a kind of table may have: meaning → spellings; ``numbered`` stems take a
    number (``player1``); ``numeric`` meanings decide the file's decimal mark; ``answers`` are
    headers of what was once made of such a table, which are no facts of anybody in it."""

    spellings: Mapping[str, Sequence[str]]
    numbered: Mapping[str, Sequence[str]] = field(default_factory=dict)
    numeric: frozenset[str] = frozenset()
    answers: frozenset[str] = frozenset()

    def meaning(self, header: str) -> str | None:
        """The meaning of a header, with its number where it has one; ``None`` if it is unknown."""
        name = plain(header)
        for meaning, spellings in self.spellings.items():
            if name == meaning or name in spellings:
                return meaning
        match = re.fullmatch(r"([^\d]+)(\d{1,2})([^\d]*)", name)
        for stem, spellings in self.numbered.items():
            if match and match[1] + match[3] in (stem, *spellings):
                return f"{stem}{int(match[2])}"
        return None

    def is_fact(self, header: str) -> bool:
        """True if a column that has no meaning here may still tell a rulebook something."""
        return plain(header) not in self.answers

    def is_numeric(self, meaning: str) -> bool:
        return meaning in self.numeric or meaning.rstrip("0123456789") in self.numeric


DECLARED = tomllib.loads(files(__package__).joinpath("columns.toml").read_text("utf-8"))


@cache
def vocabulary(kind: str) -> Vocabulary:
    """The columns of a kind of table, as ``columns.toml`` has them."""
    declared = DECLARED[kind]

    def spellings(part: str) -> dict[str, tuple[str, ...]]:
        return {
            name: tuple(spelling for word in words.split() for spelling in _spelled(word))
            for name, words in declared.get(part, {}).items()
        }

    numeric, answers = (
        frozenset(declared.get(part, "").split()) for part in ("numeric", "answers")
    )
    return Vocabulary(spellings("columns"), spellings("numbered"), numeric, answers)


def _spelled(word: str) -> tuple[str, ...]:
    return VOCABULARY[word[1:]].spellings if word.startswith("@") else (word,)


# --- sheets ------------------------------------------------------------------------------------


_DELIMITERS = (",", ";", "\t", "|")
_FIGURE = re.compile(r"(?=.*[.,])[\d.,]+")
_BETWEEN = re.compile(r"\s*[ &]\s*(?!%)")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)")
_LONGEST_NUMBER = 40
_LONGEST_SHOWN = 60
_LONGEST_HEADER = 100_000
_T = TypeVar("_T")
_K = TypeVar("_K", bound=Hashable)

Row = Sequence[str]


_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class Sheet:
    """A text of rows, its columns understood; go through it with :meth:`rows`."""

    def __init__(self, path: str, text: str, vocabulary: Vocabulary) -> None:
        self.path, self.vocabulary = path, vocabulary
        self.problems = Problems(path)
        self.followed = False
        self._rows: Sequence[tuple[int, Row]] | None = None
        self._text, separator = _without_separator_line(
            text.replace("\r\n", "\n").replace("\r", "\n")
        )
        self._skipped = 1 if separator else 0
        self.delimiter = separator or _delimiter(_first_row(self._text), vocabulary)
        self.columns = self._understand(self._header())
        self._positions = self.columns.positions
        self._numbers: dict[str, Fraction] = {}
        self.decimal = self._decimal_mark()

    def split(self, meaning: str) -> list[Sheet]:
        """One sheet for each value of a column, in the order they come; problems apart. Rows that
        another part follows are ``followed``: where they stop, the file was not cut off."""
        if meaning not in self.columns:
            return [self]
        rows = self._all_rows()
        header = next(rows)
        groups: dict[str, list[tuple[int, Row]]] = {}
        for line, row in rows:
            groups.setdefault(self.text(row, meaning), [header]).append((line, row))
        parts = []
        begins = [own[1][0] for own in groups.values()]
        for own in groups.values():
            part = copy(self)
            part._rows, part.problems = own, Problems(self.path)
            part.followed = any(own[-1][0] < begin for begin in begins)
            parts.append(part)
        return parts or [self]

    def _all_rows(self) -> Iterator[tuple[int, Row]]:
        """The rows that hold something, each with the number of its first line."""
        if self._rows is not None:
            yield from self._rows
            return
        lines = (
            found[0] for found in _LINE.finditer(self._text)
        )  # a StringIO has four bytes a sign
        reader = csv.reader(lines, delimiter=self.delimiter, strict=True)
        line = self._skipped
        try:
            for row in reader:
                line, first = reader.line_num + self._skipped, line + 1
                if row and (row[0].strip() or any(map(str.strip, row))):
                    yield first, row
        except csv.Error as error:
            raise FileProblem(
                self.path, "not a table: {error}", line=line + 1, error=error
            ) from error

    def _header(self) -> Row:
        for _, row in self._all_rows():
            return row
        raise FileProblem(self.path, "no rows", "a header and rows under it")

    def _understand(self, headers: Row) -> SheetColumns:
        """The meanings of the headers, each at one position."""
        positions: dict[str, int] = {}
        ignored: list[str] = []
        further: list[tuple[int, str, int]] = []
        for position, header in enumerate(headers):
            meaning = self.vocabulary.meaning(header)
            if meaning is None:
                ignored.extend([header.strip()] if header.strip() else [])
                further += _further(position, header) if self.vocabulary.is_fact(header) else []
            elif meaning in positions:
                first = headers[positions[meaning]].strip()
                self.problems.add(
                    "columns {first!r} and {header!r} both say {meaning}",
                    1,
                    first=first,
                    header=header.strip(),
                    meaning=meaning,
                )
            else:
                positions[meaning] = position
        seats = (meaning for meaning in positions if not meaning.startswith("round"))
        digits = (re.search(r"\d+$", meaning) for meaning in seats)
        numbers = sorted({int(match[0]) for match in digits if match})
        names = tuple(header.strip() for header in headers)
        return SheetColumns(positions, names, tuple(ignored), tuple(numbers), tuple(further))

    def require(self, *meanings: str) -> None:
        """Note a problem unless at least one of the columns is there."""
        if any(meaning in self.columns for meaning in meanings):
            return
        spellings = [s for m in meanings for s in (m, *self.vocabulary.spellings.get(m, ()))]
        near = self.columns.nearest(spellings)
        self.problems.add(
            "no column {column}; the columns found are {headers}; did you mean {near!r}?"
            if near
            else "no column {column}; the columns found are {headers}",
            1,
            column=either(repr(meaning) for meaning in meanings),
            headers=tuple(self.columns.headers),
            near=near,
        )

    def rows(self) -> Iterator[tuple[int, Row]]:
        """The rows under the header with their line numbers; blank ones are left out."""
        width = len(self.columns.headers)
        rows = self._all_rows()
        next(rows)
        for line, row in rows:
            if len(row) > width and any(map(str.strip, row[width:])):
                self.problems.add(
                    "{count} cells under {width} columns",
                    line,
                    "no more cells than columns; quote a cell with a {delimiter!r} in it",
                    count=len(row),
                    width=width,
                    delimiter=self.delimiter,
                )
            else:
                yield line, row

    def column(self, meaning: str) -> Iterator[tuple[int, str]]:
        """The cells of one column with their line numbers."""
        rows = self._all_rows()
        next(rows)
        for line, row in rows:
            yield line, self.text(row, meaning)

    def text(self, row: Row, meaning: str) -> str:
        """A cell, empty when its column or the cell is missing."""
        position = self._positions.get(meaning)
        return row[position].strip() if position is not None and position < len(row) else ""

    def words(self, row: Row, meaning: str) -> str:
        """A cell of free text, with a spreadsheet's apostrophe taken away."""
        text = self.text(row, meaning)
        return restore(text) if text.startswith("'") else text

    def further(self, row: Row, player: int = 0) -> Iterator[tuple[str, Fraction | str]]:
        """The facts in columns that no reader knows and a rulebook may, of an entrant or of a
        player."""
        for position, name, number in self.columns.further:
            text = row[position].strip() if number == player and position < len(row) else ""
            if text:
                yield name, self.figure_or_words(text)

    def figure_or_words(self, text: str) -> Fraction | str:
        """A number, where a text is one."""
        try:
            return parse_number(text, self.decimal)
        except ValueError:
            return restore(text) if text.startswith("'") else text

    def ends_short(self) -> Iterator[Message]:
        """A doubt where the last line has no end, and stops before its last cell or inside it: all
        others are alike there, or have more decimals."""
        last = self._text[self._text.rfind("\n") + 1 :]
        if not last or self.followed:
            return
        cells, width = _cells(last, self.delimiter), len(self.columns.headers)
        ends = [row[width - 1].strip() for _, row in self.rows() if len(row) >= width]
        *others, end = ends or [""]
        alike = len(set(others)) == 1 and end != others[0] and others[0].startswith(end)
        decimals = [len(cell.partition(self.decimal)[2]) for cell in (end, *others)]
        inside = len(others) > 1 and (alike or decimals[0] < min(decimals[1:]))
        if len(cells) < width or inside:
            yield Message("it ends in the middle of a line: {last!r}", last=last.strip()[-40:])

    def header(self, meaning: str) -> str:
        """The file's own name of a column."""
        return self.columns.headers[self._positions[meaning]]

    def number(self, line: int, row: Row, meaning: str) -> Fraction | None:
        """A number, ``None`` when empty; what is not one is noted as a problem."""
        text = self.text(row, meaning)
        return self.parse(line, text, meaning) if text else None

    def parse(self, line: int, text: str, meaning: str) -> Fraction | None:
        """One number of a cell that may hold several; equal cells give the same number."""
        known = self._numbers.get(text)
        if known is not None:
            return known
        try:
            number = self._numbers[text] = parse_number(text, self.decimal, meaning)
        except ValueError as error:
            self.problems.add(message_of(error), line)
            return None
        return number

    def _decimal_mark(self) -> str:
        """``,`` or ``.``, from the numeric cells of the whole file; both is a problem."""
        places = [p for m, p in self.columns.positions.items() if self.vocabulary.is_numeric(m)]
        seen: dict[str, tuple[int, str]] = {}
        unsure: tuple[int, str] | None = None
        marks: set[str] = set()
        for line, row in self._all_rows() if places else ():
            for cell in (row[p] for p in places if p < len(row)):
                if cell in marks or ("," not in cell and "." not in cell):
                    continue
                marks.add(cell)
                for figure in _BETWEEN.split(cell.strip()):
                    mark = mark_of(figure)
                    if mark == "?":
                        unsure = unsure or (line, figure)
                    elif mark:
                        seen.setdefault(mark, (line, figure))
        return self._settle_mark(seen, unsure)

    def _settle_mark(
        self, seen: Mapping[str, tuple[int, str]], unsure: tuple[int, str] | None
    ) -> str:
        """The decimal mark; one of each kind, or a figure that may be either, is a problem."""
        if len(seen) == 2:
            (line, cell), (other, point) = seen[","], seen["."]
            self.problems.add(
                "decimal comma in {cell!r}, decimal point in {point!r}",
                max(line, other),
                "one of them in the whole file",
                cell=cell,
                point=point,
            )
        elif not seen and unsure:
            line, cell = unsure
            self.problems.add(
                "{cell!r} may be {decimal} or {whole}",
                line,
                "one or the other",
                cell=cell,
                decimal=cell.replace(",", "."),
                whole=cell.replace(",", ""),
            )
        return "," if "," in seen and "." not in seen else "."


class SheetCells:
    """All rows of a sheet by column. A text that many cells have is read once; what is wrong with
    it is a problem of each of their lines, which are then ``faulty``."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet, self.problems = sheet, sheet.problems
        numbered = list(sheet.rows())
        self.lines = [line for line, _ in numbered]
        self.faulty: set[int] = set()
        self._columns = list(zip_longest(*(row for _, row in numbered), fillvalue=""))

    def at(self, position: int) -> list[str]:
        """The cells at a position."""
        there = position < len(self._columns)
        return [*map(str.strip, self._columns[position])] if there else [""] * len(self.lines)

    def texts(self, meaning: str) -> list[str]:
        """The cells of a column, empty where there is none."""
        return self.at(self._sheet.columns.positions.get(meaning, len(self._columns)))

    def words(self, meaning: str) -> list[str]:
        """The same of free text, with a spreadsheet's apostrophes taken away."""
        return self.each(self.texts(meaning), restore, "")

    def each(self, values: Sequence[_K], read: Callable[[_K], _T], unread: _T) -> list[_T]:
        """Each value as it is read, ``unread`` where it cannot be."""
        known: dict[_K, _T] = {}
        alike = values.count(values[0]) == len(values) if values else True
        for value in values[:1] if alike else dict.fromkeys(values):
            try:
                known[value] = read(value)
            except ValueError as error:
                known[value] = unread
                self.refuse(values, value, message_of(error))
        if len(known) == 1:
            return [*known.values()] * len(values)
        return [known[value] for value in values]

    def refuse(self, values: Sequence[_K], value: _K, found: str, **named: object) -> None:
        """Note a problem of every line that has a value."""
        if value in values:
            for line, one in zip(self.lines, values, strict=True):
                if one == value:
                    self.faulty.add(line)
                    self.problems.add(found, line, "", **named)

    def numbers(self, meaning: str) -> list[Fraction | None]:
        """The numbers of a column; nothing where a cell is empty."""
        decimal = self._sheet.decimal
        return self.each(
            self.texts(meaning),
            lambda text: parse_number(text, decimal, meaning) if text else None,
            None,
        )

    def whole(self, meaning: str, least: int = 0, empty: int = 0) -> list[int]:
        """Whole numbers of at least ``least``; ``empty`` where a cell is."""

        def read(text: str) -> int:
            number = parse_number(text, self._sheet.decimal, meaning) if text else Fraction(empty)
            if text and (number.denominator != 1 or number < least):
                raise ValueError(
                    Message(
                        "{meaning} {text!r} is not a whole number from {least} on",
                        meaning=meaning,
                        text=text,
                        least=least,
                    )
                )
            return int(number)

        return self.each(self.texts(meaning), read, 1)


def _further(position: int, header: str) -> list[tuple[int, str, int]]:
    name, digits = fact_name(header), re.search(r"\d{1,2}$", header.strip())
    return [(position, name, int(digits[0]) if digits else 0)] if name else []


def each_part(sheet: Sheet, meaning: str, read: Callable[[Sheet], _T]) -> tuple[_T, ...]:
    """The content read for each value of a column; all that is wrong in any of them is told at
    once."""
    parts: list[_T] = []
    problems: list[FileProblem] = []
    with _no_collections():
        for part in sheet.split(meaning):
            try:
                parts.append(read(part))
            except FileProblem as problem:
                problems.append(problem)
            except FileProblems as several:
                problems += several.problems
    raise_problems(problems)
    return tuple(parts)


@contextmanager
def _no_collections() -> Iterator[None]:
    """Rows make no cycles: a collector that walks a growing heap of them takes time for nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _first_row(text: str) -> str:
    """The first line that is not blank."""
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    return text[text.rfind("\n", 0, start) + 1 : end if end >= 0 else len(text)]


def columns_of(text: str, vocabulary: Vocabulary) -> set[str]:
    """The meanings understood in a text's first row, taken as a header; none if it isn't one."""
    body, delimiter = _without_separator_line(text.replace("\r\n", "\n").replace("\r", "\n"))
    row = _first_row(body)
    cells = _cells(row, delimiter or _delimiter(row, vocabulary))
    return {meaning for cell in cells if (meaning := vocabulary.meaning(cell)) is not None}


def mark_of(cell: str) -> str:
    """The decimal mark a cell gives away: ``,`` or ``.``, ``?`` for ``1,234``, else nothing."""
    digits = cell.strip("%+- ")
    if not _FIGURE.fullmatch(digits):
        return ""
    comma, point = digits.rfind(","), digits.rfind(".")
    if comma >= 0 and point >= 0:
        return "," if comma > point else "."
    if point >= 0:
        thousands = digits.count(".") > 1
        return "," if thousands else "" if re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", digits) else "."
    if digits.count(",") > 1:
        return "."
    return "?" if re.fullmatch(r"[1-9]\d{0,2},\d{3}", digits) else ","


@lru_cache(1 << 16)
def parse_number(text: str, decimal: str = ".", name: str = "") -> Fraction:
    """An exact number from a cell; ValueError names what it was to be."""
    digits = text.replace("−", "-").replace("\u00a0", "").replace("\u202f", "").strip("% ")
    if decimal == ",":
        digits = digits.replace(".", "").replace(",", ".")
    else:
        digits = digits.replace(",", "")
    if len(digits) > _LONGEST_NUMBER or not _NUMBER.fullmatch(digits):
        shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]} …"
        raise ValueError(
            Message("{name} {shown!r} is not a number", name=name, shown=shown)
            if name
            else Message("{text!r} is not a number", text=shown)
        )
    whole, _, part = digits.partition(".")
    return Fraction(int(whole + part), 10 ** len(part))


def figures(
    problems: Problems, texts: Iterable[tuple[str, str]], line: int = 0
) -> dict[str, Fraction | str]:
    """The figures of those texts that are there, by their names; the first of a name counts."""
    numbers: dict[str, Fraction | str] = {}
    for name, text in texts:
        number = problems.attempt(line, parse_number, text) if text else None
        if number is not None:
            numbers.setdefault(name, number)
    return numbers


def _without_separator_line(text: str) -> tuple[str, str]:
    """A spreadsheet's own first line ``sep=;`` says the delimiter."""
    first, _, rest = text.partition("\n")
    match = re.fullmatch(r'"?sep=(.)"?', first, re.IGNORECASE)
    return (rest, match[1]) if match else (text, "")


def _cells(row: str, delimiter: str) -> list[str]:
    """The cells of a row, none where it is no row of a table."""
    try:
        return next(csv.reader([row[:_LONGEST_HEADER]], delimiter=delimiter), [])
    except csv.Error:
        return []


def _delimiter(header: str, vocabulary: Vocabulary) -> str:
    """The one under which most of the header is understood, then the one it has most of."""

    def understood(delimiter: str) -> tuple[int, int]:
        cells = _cells(header, delimiter)
        return sum(vocabulary.meaning(cell) is not None for cell in cells), len(cells)

    return max(_DELIMITERS, key=understood)
