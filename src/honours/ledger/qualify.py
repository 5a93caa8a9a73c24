"""Who qualifies for an invitational tournament: a list made from a register of its own.

A register is a TOML file, one for each invitational, since each defines for itself how points are
obtained and used::

    title = "World Mind Sports Games 2026"
    rulebook = "aga-category"
    since = "2025-01-01"
    until = "2025-12-31"
    best = 3                     # how many results count; all unless said
    places = 8                   # how many qualify
    minimum_category = 10        # what a tournament must reach to count; any unless said

    [[tournaments]]              # those that were designated, and no others
    title = "River Town Open"
    day = "2025-03-15"
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from honours.engine.numbers import show
from honours.errors import FileProblem
from honours.files import toml_of
from honours.formats.names import sought
from honours.ledger import facts as stored
from honours.ledger import kinds, members
from honours.ledger.canonical import data_of
from honours.ledger.derive import Rulebooks, awards_of
from honours.ledger.schema import OF_RECORD, postings, records, rulebooks
from honours.model.member import Member
from honours.model.message import Message, plural
from honours.model.table import Cell, Column, Kind, Link, Table, table

QUALIFIES, TIED, OUT = Message("qualifies"), Message("tied for the last place"), ""
_KEYS = {"title", "rulebook", "since", "until", "best", "places", "minimum_category", "tournaments"}


@dataclass(frozen=True, slots=True)
class Register:
    """What an invitational says of how one qualifies; tournaments as (day, title)."""

    title: str
    rulebook: str
    since: str
    until: str
    places: int
    best: int = 0
    minimum_category: int = 0
    tournaments: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Tournament:
    """A posted tournament, and why it does not count where it does not."""

    record: int
    title: str
    day: str
    category: str
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What a player earned at one tournament; only the best of them count."""

    tournament: Tournament
    points: Fraction
    counts: bool


@dataclass(frozen=True, slots=True)
class QualifyingLine:
    """A player on the list: place, points that count, and whether that is enough."""

    place: int
    member: Member
    points: Fraction
    results: tuple[Result, ...]
    verdict: str


@dataclass(frozen=True, slots=True)
class Qualification:
    """The list, the tournaments it was made from, those left out and those not posted yet."""

    register: Register
    lines: tuple[QualifyingLine, ...]
    tournaments: tuple[Tournament, ...]
    not_posted: tuple[tuple[str, str], ...]


# --- the register ---------------------------------------------------------------------------------


def read_register(path: str | Path) -> Register:
    """The register in a file; whatever is wrong in it is named."""
    try:
        declared = toml_of(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FileProblem(str(path), str(error), "a register of tournaments in TOML") from error
    unknown = sorted(set(declared) - _KEYS)
    if unknown:
        raise FileProblem(
            str(path), "unknown key {unknown!r}", ", ".join(sorted(_KEYS)), unknown=unknown[0]
        )
    tournaments = tuple(_tournament(path, row) for row in declared.get("tournaments", ()))
    if not tournaments:
        raise FileProblem(str(path), "no [[tournaments]]", "those that were designated")
    return Register(
        title=_text(path, declared, "title"),
        rulebook=str(declared.get("rulebook", "aga-category")),
        since=_day(path, declared, "since"),
        until=_day(path, declared, "until"),
        places=_count(path, declared, "places"),
        best=_count(path, declared, "best", 0),
        minimum_category=_count(path, declared, "minimum_category", 0),
        tournaments=tournaments,
    )


def _tournament(path: str | Path, row: object) -> tuple[str, str]:
    if not isinstance(row, Mapping):
        raise FileProblem(str(path), repr(row), "[[tournaments]] with title and day")
    return _day(path, row, "day"), _text(path, row, "title")


def _text(path: str | Path, table: Mapping[str, Any], key: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise FileProblem(str(path), "{key} = {value!r}", '{key} = "…"', key=key, value=value)
    return value


def _day(path: str | Path, table: Mapping[str, Any], key: str) -> str:
    try:
        return date.fromisoformat(str(table[key])).isoformat()
    except (KeyError, ValueError) as error:
        raise FileProblem(
            str(path), "{key} = {get!r}", "e.g. 2025-03-15", key=key, get=table.get(key)
        ) from error


def _count(path: str | Path, table: Mapping[str, Any], key: str, default: int | None = None) -> int:
    value = table.get(key, default)
    least = 1 if default is None else 0
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise FileProblem(
            str(path),
            "{key} = {value!r}",
            "a whole number from {least} on",
            key=key,
            value=value,
            least=least,
        )
    return value


# --- the list -------------------------------------------------------------------------------------


def qualification(
    connection: Connection, register: Register, folders: Iterable[str | Path] = ()
) -> Qualification:
    """The list of a register from what the ledger holds."""
    books = Rulebooks(folders)
    posted = [(row, _judged(row, register, books)) for row in _awards(connection, register)]
    counting = {row.id: tournament for row, tournament in posted if not tournament.left_out}
    earned = _earned(connection, counting)
    who = members.get(connection, earned)
    totals = {m: _best(results, register.best) for m, results in earned.items()}
    lines = _placed({who[m]: results for m, results in totals.items()}, register.places)
    there = {(t.day, sought(t.title)) for _, t in posted}
    missing = tuple(t for t in register.tournaments if (t[0], sought(t[1])) not in there)
    return Qualification(register, lines, tuple(t for _, t in posted), missing)


def _awards(connection: Connection, register: Register) -> Sequence[Any]:
    """The awards of the period by any revision of the rulebook, without those taken back."""
    undone = select(records.c.reverses).where(records.c.reverses.is_not(None))
    return connection.execute(
        select(records, rulebooks.c.amended)
        .join(rulebooks, records.c.rulebook == rulebooks.c.hash)
        .where(
            records.c.action == "award",
            rulebooks.c.rulebook == register.rulebook,
            records.c.day >= register.since,
            records.c.day <= register.until,
            records.c.id.not_in(undone),
        )
        .order_by(records.c.day, records.c.id)
    ).all()


def _judged(row: Any, register: Register, books: Rulebooks) -> Tournament:
    designated = {(day, sought(title)) for day, title in register.tournaments}
    if (row.day, sought(row.title)) not in designated:
        return Tournament(row.id, row.title, row.day, "", "not designated for this list")
    category = _category(row, books)
    least = register.minimum_category
    if least and not category:
        why = "its category cannot be derived: the revision it was posted by is not at hand"
        return Tournament(row.id, row.title, row.day, "", why)
    low = least and Fraction(category) < least
    why = (
        Message(
            "category {category}; this list asks for {least} at least",
            category=category,
            least=least,
        )
        if low
        else ""
    )
    return Tournament(row.id, row.title, row.day, category, why)


def _category(row: Any, books: Rulebooks) -> str:
    book = books.with_hash(row.rulebook, data_of(row.amended))
    if book is None:
        return ""
    awards = awards_of(book, stored.from_text(row.facts))
    return awards.lists[0].quantities.get("category", "")


def _earned(
    connection: Connection, counting: Mapping[int, Tournament]
) -> dict[int, list[tuple[Fraction, Tournament]]]:
    known = {kind.id: kind for kind in kinds.all_kinds(connection)}
    roots = members.roots(connection)
    earned: dict[int, list[tuple[Fraction, Tournament]]] = {}
    for line in connection.execute(
        select(postings)
        .join(records, OF_RECORD)
        .where(records.c.id.in_(counting))
        .order_by(postings.c.id)
    ):
        points = Fraction(line.amount, 10 ** known[line.kind].decimals)
        own = earned.setdefault(roots.get(line.member, line.member), [])
        own.append((points, counting[line.record]))
    return earned


def _best(results: list[tuple[Fraction, Tournament]], best: int) -> tuple[Result, ...]:
    ordered = sorted(results, key=lambda result: -result[0])
    most = best or len(ordered)
    return tuple(Result(t, points, n < most) for n, (points, t) in enumerate(ordered))


def _placed(totals: Mapping[Member, tuple[Result, ...]], places: int) -> tuple[QualifyingLine, ...]:
    """By points, the most first. Those who tie across the cut line are not parted: the source
    does not say how, so it is the invitational's to decide."""
    sums = {
        m: sum((r.points for r in results if r.counts), Fraction(0))
        for m, results in totals.items()
    }
    ordered = sorted(sums, key=lambda m: (-sums[m], m.title))
    points = [sums[m] for m in ordered]
    lines = []
    for member in ordered:
        own = sums[member]
        place = 1 + sum(other > own for other in points)
        last = place + points.count(own) - 1
        verdict = QUALIFIES if last <= places else TIED if place <= places else OUT
        lines.append(QualifyingLine(place, member, own, totals[member], verdict))
    return tuple(lines)


# --- shown ----------------------------------------------------------------------------------------


def qualification_data(qualification: Qualification) -> dict[str, Any]:
    """The list as plain data."""
    register = qualification.register
    return {
        "title": register.title,
        "rulebook": register.rulebook,
        "since": register.since,
        "until": register.until,
        "best": register.best or None,
        "places": register.places,
        "minimum_category": register.minimum_category or None,
        "list": [
            {
                "place": line.place,
                "member": line.member.number or f"#{line.member.id}",
                "name": line.member.title,
                "points": points_text(line.points),
                "verdict": line.verdict,
                "results": [
                    {
                        "tournament": result.tournament.title,
                        "day": result.tournament.day,
                        "points": points_text(result.points),
                        "counts": result.counts,
                    }
                    for result in line.results
                ],
            }
            for line in qualification.lines
        ],
        "tournaments": [
            {
                "record": t.record,
                "title": t.title,
                "day": t.day,
                "category": t.category,
                "left_out": t.left_out,
            }
            for t in qualification.tournaments
        ],
        "not_posted": [{"day": day, "title": title} for day, title in qualification.not_posted],
    }


def points_text(points: Fraction) -> str:
    """Points as they are read, with the decimals they need."""
    return show(points)


def qualification_table(qualification: Qualification) -> Table:
    """Who qualifies, and by what."""
    columns = (
        Column("place", Message("place"), Kind.PLACE),
        Column("name", Message("name")),
        Column("points", Message("points"), Kind.NUMBER),
        Column("results", Message("results that count")),
        Column("verdict", Message("verdict"), Kind.WORD),
    )
    rows = [
        (
            line.place,
            Cell(line.member.title, link=Link("member", str(line.member.id))),
            Cell(line.points, points_text(line.points)),
            ", ".join(points_text(result.points) for result in line.results if result.counts),
            line.verdict,
        )
        for line in qualification.lines
    ]
    return table("qualification", columns, rows, caption=_title(qualification.register))


def _title(register: Register) -> Message:
    period = {"since": register.since, "until": register.until}
    counted = (
        plural(
            "the best result from {since} to {until}",
            "the best {count} results from {since} to {until}",
            count=register.best,
            **period,
        )
        if register.best
        else Message("all results from {since} to {until}", **period)
    )
    places = plural("{count:,} place", "{count:,} places", count=register.places)
    return Message(
        "{title}: {places}, {counted}", title=register.title, places=places, counted=counted
    )


def qualification_answer(qualification: Qualification) -> list[str | Table]:
    """The list, what was left out and what is not posted yet."""
    left_out = [
        Message("Left out: {title}, {day}: {reason}", title=t.title, day=t.day, reason=t.left_out)
        for t in qualification.tournaments
        if t.left_out
    ]
    not_posted = [
        Message("Not posted yet: {title}, {day}", title=title, day=day)
        for day, title in qualification.not_posted
    ]
    return [qualification_table(qualification), *left_out, *not_posted]
