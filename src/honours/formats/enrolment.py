"""A list of members for a ledger: numbers, names, wishes, and the balances they bring along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from honours.formats.file_bytes import read_text
from honours.formats.sheet import Row, Sheet
from honours.formats.vocabulary import Vocabulary, plain
from honours.model.member import DETAILS, Detail
from honours.processes.limits import bounded

_SPELLINGS = {
    "number": ("membernumber", "memberno", "sbunumber", "acblnumber", "ebunumber", "agaid", "no"),
    "name": ("fullname", "member", "player", "names"),
    "first": ("firstname", "forename", "givenname"),
    "last": ("lastname", "surname", "familyname"),
    **{one.name.replace("_", ""): one.spellings for one in DETAILS},
}
_YES = {"1", "yes", "y", "true", "x"}


@dataclass(frozen=True, slots=True)
class ListedMember:
    """A row of a list of members; details without a column are left open."""

    line: int
    number: str
    name: str
    details: Mapping[str, bool | str]
    balances: tuple[tuple[str, Fraction], ...]


@dataclass(frozen=True, slots=True)
class EnrolmentList:
    """The members of a list, and the columns that nothing was made of."""

    rows: tuple[ListedMember, ...]
    unread: tuple[str, ...] = ()


def read_enrolment(path: str | Path, kind_names: Sequence[str] = ()) -> EnrolmentList:
    """A CSV of members: number, name (or first and last), visitor, opted_out; a column called
    like a kind of points holds opening balances."""
    with bounded(str(path)):
        return _read_enrolment(path, kind_names)


def _read_enrolment(path: str | Path, kind_names: Sequence[str]) -> EnrolmentList:
    words = Vocabulary(
        {**_SPELLINGS, **{kind: (plain(kind),) for kind in kind_names}}, {}, frozenset(kind_names)
    )
    sheet = Sheet(str(path), read_text(path), words)
    sheet.require("name", "last")
    sheet.problems.settle()
    rows = tuple(_listed(sheet, line, row, kind_names) for line, row in sheet.rows())
    _check_numbers(sheet, rows)
    sheet.problems.settle()
    return EnrolmentList(rows, sheet.columns.ignored)


def _listed(sheet: Sheet, line: int, row: Row, kind_names: Sequence[str]) -> ListedMember:
    both = f"{sheet.words(row, 'first')} {sheet.words(row, 'last')}".strip()
    name = sheet.words(row, "name") or both
    if not name:
        sheet.problems.add("no name", line)
    held = ((kind, sheet.number(line, row, kind)) for kind in kind_names)
    return ListedMember(
        line,
        sheet.text(row, "number"),
        name,
        {one.name: _detail(sheet, row, one) for one in DETAILS if _column(one) in sheet.columns},
        balances=tuple((kind, amount) for kind, amount in held if amount is not None),
    )


def _column(detail: Detail) -> str:
    return detail.name.replace("_", "")


def _detail(sheet: Sheet, row: Row, detail: Detail) -> bool | str:
    column = _column(detail)
    return (
        sheet.text(row, column).casefold() in _YES if detail.is_yes_no else sheet.words(row, column)
    )


def _check_numbers(sheet: Sheet, rows: Sequence[ListedMember]) -> None:
    first: dict[str, int] = {}
    for row in rows:
        known = first.setdefault(row.number, row.line) if row.number else row.line
        if known != row.line:
            sheet.problems.add(
                "number {number} again, first on line {known}",
                row.line,
                number=row.number,
                known=known,
            )
