"""A list of members for a ledger: numbers, names, wishes, and the balances they bring along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from honours.formats.opening import read_text
from honours.formats.sheet import Row, Sheet
from honours.formats.vocabulary import Vocabulary

_SPELLINGS = {
    "number": ("membernumber", "memberno", "sbunumber", "acblnumber", "ebunumber", "agaid", "no"),
    "name": ("fullname", "member", "player", "names"),
    "first": ("firstname", "forename", "givenname"),
    "last": ("lastname", "surname", "familyname"),
    "visitor": ("guest",),
    "optedout": ("optout", "unpublished", "private"),
}
_YES = {"1", "yes", "y", "true", "x"}


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of a list of members."""

    line: int
    number: str
    name: str
    visitor: bool
    opted_out: bool
    balances: tuple[tuple[str, Fraction], ...]


def read_enrolment(path: str | Path, kind_names: Sequence[str] = ()) -> list[Listed]:
    """A CSV of members: number, name (or first and last), visitor, opted_out; a column called
    like a kind of points holds opening balances."""
    words = Vocabulary({**_SPELLINGS, **dict.fromkeys(kind_names, ())}, {}, frozenset(kind_names))
    sheet = Sheet(str(path), read_text(path), words)
    sheet.require("name", "last")
    sheet.problems.settle()
    rows = [_listed(sheet, line, row, kind_names) for line, row in sheet.rows()]
    _check_numbers(sheet, rows)
    sheet.problems.settle()
    return rows


def _listed(sheet: Sheet, line: int, row: Row, kind_names: Sequence[str]) -> Listed:
    both = f"{sheet.words(row, 'first')} {sheet.words(row, 'last')}".strip()
    name = sheet.words(row, "name") or both
    if not name:
        sheet.problems.add("no name", line)
    held = ((kind, sheet.number(line, row, kind)) for kind in kind_names)
    return Listed(
        line,
        sheet.text(row, "number"),
        name,
        visitor=sheet.text(row, "visitor").casefold() in _YES,
        opted_out=sheet.text(row, "optedout").casefold() in _YES,
        balances=tuple((kind, amount) for kind, amount in held if amount is not None),
    )


def _check_numbers(sheet: Sheet, rows: Sequence[Listed]) -> None:
    first: dict[str, int] = {}
    for row in rows:
        known = first.setdefault(row.number, row.line) if row.number else row.line
        if known != row.line:
            sheet.problems.add(f"number {row.number} again, first on line {known}", row.line)
