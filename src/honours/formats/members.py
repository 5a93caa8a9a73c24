"""Member lists: who has which number, and what each held or was rated on which day.

A list is a CSV with ``number`` and ``name``, or one of a go federation. With a ``date`` column a
member may have several lines, each saying what held from that day on. Any further column is a fact
of the members that a rulebook may ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import partial
from pathlib import Path

from honours.errors import InputError
from honours.formats.dates import parse_day
from honours.formats.file_bytes import MEGABYTE, read_text
from honours.formats.format import UNSEEN, Format, Seen, lines
from honours.formats.problems import Problems
from honours.formats.rating_lists import (
    RatedPlayer,
    is_list_of,
    of_the_aga,
    of_the_egf,
    of_the_ffg,
    rated_players,
)
from honours.formats.sheet import Row, Sheet
from honours.formats.vocabulary import Vocabulary
from honours.model import Facts, Value
from honours.model.vocabulary import VOCABULARY
from honours.processes.limits import bounded
from honours.rings import added

_FIGURES = ("masterpoints", "rating", "gor", "grade")
COLUMNS = Vocabulary(
    spellings={
        "number": (
            "no",
            "nr",
            "id",
            "membernumber",
            "memberno",
            "memberid",
            "playernumber",
            "agaid",
            "egfpin",
            "acblnumber",
            "ebunumber",
            "sbunumber",
            "licence",
        ),
        "name": ("player", "member", "fullname", "playername", "membername"),
        "first": ("firstname", "givenname", "forename"),
        "last": ("lastname", "surname", "familyname"),
        **{name: VOCABULARY[name].spellings for name in (*_FIGURES, "eligible")},
        "date": ("asof", "asat", "since", "from", "day"),
        "expires": ("expiration", "expiry", "until"),
    },
    numeric=frozenset(_FIGURES),
)
LARGEST = 64 * MEGABYTE
_YES = {
    "yes": "yes",
    "y": "yes",
    "true": "yes",
    "1": "yes",
    "no": "no",
    "n": "no",
    "false": "no",
    "0": "no",
}


@dataclass(frozen=True, slots=True)
class MemberLine:
    """What a list says of a member from a day on; ``since`` is ``None`` where it has no dates."""

    number: str
    name: str
    facts: Facts = field(default_factory=dict)
    since: date | None = None
    expires: date | None = None


@dataclass(frozen=True, slots=True)
class MemberList:
    """Members by number, the lines of each from the earliest; ``unnumbered`` are how many the list
    has without a number, by which nobody can be found in it."""

    path: str
    members: Mapping[str, tuple[MemberLine, ...]]
    ignored: tuple[str, ...] = ()
    unnumbered: int = 0

    @property
    def dated(self) -> bool:
        return any(line.since for lines in self.members.values() for line in lines)

    @property
    def figures(self) -> frozenset[str]:
        """What the list tells of its members' strength, of some at least."""
        named = {f for lines in self.members.values() for line in lines for f in line.facts}
        return frozenset(named.intersection(_FIGURES))

    def latest(self, number: str) -> MemberLine:
        return self.members[number][-1]

    def on(self, number: str, day: date | None) -> MemberLine | None:
        """What held on a day: the last line not after it; ``None`` if all came later."""
        lines = self.members[number]
        if day is None:
            if len(lines) > 1:
                raise InputError(
                    "{path} has dates, and the event has none: say --date", path=self.path
                )
            return lines[0]
        return next((e for e in reversed(lines) if e.since is None or e.since <= day), None)


def read_members(path: str | Path) -> MemberList:
    """Read a member list; FileProblems lists all that is wrong in it."""
    with bounded(str(path)):
        return _read_members(path)


def _read_members(path: str | Path) -> MemberList:
    seen = Seen(path)
    for form in added("formats"):
        if form.told[1](seen) and isinstance(listed := form.read(path), MemberList):
            return listed
    text = read_text(path, LARGEST)
    told = [line for line in text.splitlines() if line.strip()]
    for parse in (of_the_egf, of_the_ffg, of_the_aga):
        if is_list_of(parse, told):
            return _of_a_federation(parse, path)
    sheet = Sheet(str(path), text, COLUMNS)
    sheet.require("number")
    sheet.require("name", "last")
    sheet.problems.settle()
    members: dict[str, list[MemberLine]] = {}
    for line, row in sheet.rows():
        member = _member_line(sheet, line, row)
        earlier = members.setdefault(member.number, [])
        if any(e.since == member.since for e in earlier):
            sheet.problems.add(
                "member {number} again", line, "another date, or one line", number=member.number
            )
        earlier.append(member)
    if not members:
        sheet.problems.add("a header and no members")
    sheet.problems.settle()
    ordered = {n: tuple(sorted(es, key=lambda e: e.since or date.min)) for n, es in members.items()}
    return MemberList(str(path), ordered, sheet.columns.ignored)


def _member_line(sheet: Sheet, line: int, row: Row) -> MemberLine:
    number = sheet.words(row, "number")
    full = f"{sheet.words(row, 'first')} {sheet.words(row, 'last')}".strip()
    name = sheet.words(row, "name") or full
    if not number or not name:
        sheet.problems.add("a member without a number or a name", line)
    return MemberLine(
        number,
        name,
        _facts(sheet, line, row),
        _day(sheet, line, row, "date"),
        _day(sheet, line, row, "expires"),
    )


def _facts(sheet: Sheet, line: int, row: Row) -> dict[str, Value]:
    facts: dict[str, Value] = dict(sheet.further(row))
    for name in _FIGURES:
        value = sheet.number(line, row, name)
        if value is not None:
            facts[name] = value
    eligible = sheet.text(row, "eligible")
    if eligible and eligible.casefold() not in _YES:
        sheet.problems.add("eligible {eligible!r}", line, "yes or no", eligible=eligible)
    elif eligible:
        facts["eligible"] = _YES[eligible.casefold()]
    return facts


def _day(sheet: Sheet, line: int, row: Row, column: str) -> date | None:
    text = sheet.text(row, column)
    return sheet.problems.attempt(line, parse_day, text) if text else None


def _of_a_federation(parse: Callable[[str], RatedPlayer | None], path: str | Path) -> MemberList:
    problems = Problems(str(path))
    listed = list(rated_players(parse, read_text(path, LARGEST).splitlines(), problems))
    for one in listed:
        rating = one.facts.get("rating")
        if parse is of_the_aga and isinstance(rating, Fraction) and abs(rating) < 1:
            problems.add(
                "rating {rating} of {number}",
                expected="none between -1 and 1",
                rating=str(float(rating)),
                number=one.number,
            )
    numbered = [one for one in listed if one.number]
    if not numbered:
        problems.add("no members in it", expected="a line for each member")
    problems.settle()
    members = {
        one.number: (MemberLine(one.number, one.name, one.facts, expires=one.expires),)
        for one in numbered
    }
    return MemberList(str(path), members, unnumbered=len(listed) - len(numbered))


FORMATS = tuple(
    Format(name, title, lines(partial(is_list_of, parse)), partial(_of_a_federation, parse), UNSEEN)
    for name, title, parse in (
        ("egf-members", "EGF rating list", of_the_egf),
        ("ffg-members", "FFG rating list", of_the_ffg),
        ("aga-members", "AGA member list", of_the_aga),
    )
)
