"""Points earned in a period, by kind: all of them or each member's best results, and who is
above the cut line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from sqlalchemy import ColumnElement, Connection, distinct, func, select

from honours.errors import InputError
from honours.formats.entrants import sought
from honours.formats.reading import iso_day
from honours.ledger import kinds, members
from honours.ledger.balances import ends, summed
from honours.ledger.derive import PointsKind, credit
from honours.ledger.schema import OF_RECORD, postings, records
from honours.ledger.shapes import points_cell
from honours.ledger.years import counted
from honours.model.member import Member
from honours.model.message import Message
from honours.model.table import Cell, Column, Link, Table, table
from honours.model.table import Kind as Type

QUALIFIES, TIED, OUT = Message("qualifies"), Message("tied for the last place"), Message("")


@dataclass(frozen=True, slots=True)
class PointsQuery:
    """Which points: those of a scheme, between two days, of some kinds (all if none is named)
    and of one club; each member's ``best`` results count (all if 0), and ``places`` qualify; ``on``
    and ``member`` are for lists as of a day and of one member."""

    scheme: str
    since: str
    until: str
    kinds: tuple[str, ...] = ()
    club: str = ""
    best: int = 0
    places: int = 0
    on: str = ""
    member: str = ""

    def checked(self) -> PointsQuery:
        """The query itself; a period that ends before it begins is refused."""
        if iso_day("since", self.since) > iso_day("until", self.until):
            raise InputError(
                "the period begins on {since} and ends on {until}",
                since=self.since,
                until=self.until,
            )
        return self


@dataclass(frozen=True, slots=True)
class PeriodLine:
    """A member's earnings: points by kind, their sum, in how many events, how many of these
    counted, and whether that is enough."""

    place: int
    member: Member
    points: Mapping[str, Fraction]
    total: Fraction
    events: int
    counted: int
    verdict: str


@dataclass(slots=True)
class _Earned:
    points: dict[str, Fraction]
    events: int = 0
    counted: int = 0


def points_of(connection: Connection, asked: PointsQuery) -> list[PeriodLine]:
    """Everybody who earned something in the period, the most first. Opening balances were not
    earned in it, and reversed awards do not count."""
    chosen = _kinds(connection, asked.checked())
    of_best = _best_of if asked.best else _all_of
    earned = of_best(connection, asked, chosen, ends(connection))
    who = members.get(connection, earned)
    by_member = {who[member]: own for member, own in earned.items()}
    totals = {member: sum(own.points.values(), Fraction(0)) for member, own in by_member.items()}
    return [
        PeriodLine(place, member, own.points, totals[member], own.events, own.counted, verdict)
        for place, member, verdict in placed_members(totals, asked.places)
        for own in [by_member[member]]
    ]


def live_awards(asked: PointsQuery, connection: Connection) -> list[ColumnElement[bool]]:
    """The records that count in the period."""
    conditions = [counted(connection, asked.since, asked.until)]
    if asked.club:
        spelt = connection.scalars(select(records.c.club).distinct())
        conditions.append(
            records.c.club.in_([one for one in spelt if sought(one) == sought(asked.club)])
        )
    return conditions


def _kinds(connection: Connection, asked: PointsQuery) -> dict[int, PointsKind]:
    wanted = [kinds.get(connection, asked.scheme, name) for name in asked.kinds]
    return {kind.id: kind for kind in wanted or kinds.all_kinds(connection, asked.scheme)}


_Roots = Mapping[int, int]
_Kinds = Mapping[int, PointsKind]


def _all_of(
    connection: Connection, asked: PointsQuery, chosen: _Kinds, roots: _Roots
) -> dict[int, _Earned]:
    """Everybody's sums, added up by the database."""
    awarded = live_awards(asked, connection)
    lines = postings.join(records, OF_RECORD)
    of_kinds = postings.c.kind.in_(chosen)
    earned: dict[int, _Earned] = {}
    for (member, kind), units in summed(connection, of_kinds, *awarded).items():
        credit(earned.setdefault(member, _Earned({})).points, chosen[kind], units)
    counted = select(postings.c.member, func.count(distinct(postings.c.record)))
    counted = counted.select_from(lines).where(of_kinds, *awarded)
    for member, events in connection.execute(counted.group_by(postings.c.member)):
        own = earned[roots.get(member, member)]
        own.events = own.counted = own.events + int(events)
    return earned


def _best_of(
    connection: Connection, asked: PointsQuery, chosen: _Kinds, roots: _Roots
) -> dict[int, _Earned]:
    """Each member's best results; an event's points of all chosen kinds are one result."""
    lines = (
        select(postings.c.member, postings.c.record, postings.c.kind, postings.c.amount)
        .join(records, OF_RECORD)
        .where(postings.c.kind.in_(chosen), *live_awards(asked, connection))
    )
    results: dict[int, dict[int, dict[str, Fraction]]] = {}
    for member, record, kind, amount in connection.execute(lines):
        own = results.setdefault(roots.get(member, member), {})
        credit(own.setdefault(record, {}), chosen[kind], int(amount))
    return {member: _best(own, asked.best) for member, own in results.items()}


def _best(results: Mapping[int, Mapping[str, Fraction]], best: int) -> _Earned:
    ordered = sorted(results.values(), key=lambda points: -sum(points.values()))
    counting = ordered[:best]
    names = dict.fromkeys(name for points in counting for name in points)
    points = {
        name: sum((p.get(name, Fraction(0)) for p in counting), Fraction(0)) for name in names
    }
    return _Earned(points, len(ordered), len(counting))


def placed_members(totals: Mapping[Member, Any], places: int) -> list[tuple[int, Member, Message]]:
    """Place, member and verdict by points, the most first; if ``places`` is 0 nobody qualifies.
    A tie across the cut line is not broken: that is up to those who drew the line."""
    named = sorted(totals, key=lambda member: (member.title, member.id))
    ordered = sorted(named, key=totals.__getitem__, reverse=True)
    lines: list[tuple[int, Member, Message]] = []
    for start, end in _runs([totals[member] for member in ordered]):
        verdict = QUALIFIES if end <= places else TIED if start < places else OUT
        lines += [(start + 1, member, verdict) for member in ordered[start:end]]
    return lines


def _runs(totals: Sequence[Any]) -> list[tuple[int, int]]:
    """Where runs of equal totals begin and end, one after the other."""
    starts = [i for i, total in enumerate(totals) if i == 0 or totals[i - 1] != total]
    return list(pairwise([*starts, len(totals)]))


# --- as a table -----------------------------------------------------------------------------------


def member_cells(member: Member) -> tuple[Cell, Cell]:
    """Number and name, with which every list begins."""
    return Cell(member.number), Cell(member.title, link=Link("member", str(member.id)))


MEMBER_COLUMNS = (
    Column("number", Message("number"), Type.CODE),
    Column("name", Message("name")),
)


def points_table(connection: Connection, asked: PointsQuery, public: bool = False) -> Table:
    """The list of a period; members who opted out keep their place but are not named in public."""
    lines = points_of(connection, asked)
    names = list(dict.fromkeys(name for line in lines for name in line.points))
    columns = [
        Column("place", Message("place"), Type.PLACE),
        *MEMBER_COLUMNS,
        *(Column(name, name, Type.NUMBER, lang="en") for name in names if len(names) > 1),
        Column("points", Message("points"), Type.NUMBER),
        Column("events", Message("events"), Type.NUMBER),
    ]
    if asked.best:
        columns.append(Column("counted", Message("of which count"), Type.NUMBER))
    if asked.places:
        columns.append(Column("verdict", Message("verdict"), Type.WORD))
    rows = [_row(line, names, asked) for line in lines if not (public and line.member.opted_out)]
    return table("points", columns, rows, _caption(asked))


def _row(line: PeriodLine, names: Sequence[str], asked: PointsQuery) -> list[Any]:
    row: list[Any] = [line.place, *member_cells(line.member)]
    if len(names) > 1:
        row += [points_cell(line.points.get(name, Fraction(0))) for name in names]
    row += [points_cell(line.total), line.events]
    if asked.best:
        row.append(line.counted)
    if asked.places:
        row.append(line.verdict)
    return row


def _caption(asked: PointsQuery) -> Message:
    if asked.best:
        return Message(
            "points from {since} to {until}, the best {count} results of each",
            since=asked.since,
            until=asked.until,
            count=asked.best,
        )
    return Message("points from {since} to {until}", since=asked.since, until=asked.until)
