"""The tables a secretary asks for: points of a period, the honours board, promotions, the roll,
points on their way. Each is rendered alike by commands, pages, API and files; a long one is made
in parts, because a federation has more members than fit into memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Connection, distinct, func, select

from honours.engine.numbers import show
from honours.engine.ranks import Grade, LivingPoints, Rank, rank_reached
from honours.errors import HonoursError, InputError
from honours.files import kind_of, new_file
from honours.formats.entrants import sought
from honours.formats.reading import iso_day
from honours.ledger import facts as stored
from honours.ledger import kinds, members, ranks, release, submissions
from honours.ledger.balances import OWNED, OWNER, earned, ends, family
from honours.ledger.bulk import among, lots
from honours.ledger.checkpoint import line_of
from honours.ledger.derive import Points, PointsKind, awards_of, credit, lines_of
from honours.ledger.living import figures
from honours.ledger.ranks import Promotion, Rung, rung_of
from honours.ledger.schema import OF_RECORD, postings, records
from honours.ledger.shapes import PROMOTIONS, amount_cell, person, points_cell
from honours.ledger.years import counted, counted_day
from honours.model.member import Member
from honours.model.message import Message
from honours.model.shape import Item, Shape
from honours.model.table import Cell, Column, Kind, Table, table
from honours.reports.drawing import draw_arrow, draw_csv, rows_data
from honours.rings import require

QUALIFIES, TIED, OUT = Message("qualifies"), Message("tied for the last place"), Message("")
_T = TypeVar("_T")
_PART = 5_000
"""How many rows of a long list are made at once."""


@dataclass(frozen=True, slots=True)
class PointsQuery:
    """A choice of points: those of a scheme, between two days, of some kinds (all if none is named)
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

    def kinds_in(self, connection: Connection) -> dict[int, PointsKind]:
        """The kinds of points that are asked for."""
        wanted = [kinds.get(connection, self.scheme, name) for name in self.kinds]
        return {kind.id: kind for kind in wanted or kinds.all_kinds(connection, self.scheme)}

    def live_awards(self, connection: Connection) -> list[ColumnElement[bool]]:
        """The postings that count in the period, of these kinds."""
        of_kinds = postings.c.kind.in_(self.kinds_in(connection))
        conditions = [counted(connection, self.since, self.until), of_kinds]
        if self.club:
            spelt = connection.scalars(select(records.c.club).distinct())
            conditions.append(
                records.c.club.in_([one for one in spelt if sought(one) == sought(self.club)])
            )
        return conditions


_PLACE = Item("place", title=Message("place"), kind=Kind.PLACE)
_TOTAL = Item(
    "points", "total", Message("points"), Kind.NUMBER, cell=lambda one: points_cell(one.total)
)


def _kind_items(names: Iterable[str]) -> list[Item]:
    """A column for each kind of points."""

    def cell(name: str) -> Callable[[Any], Cell]:
        return lambda one: points_cell(one.points.get(name, Fraction(0)))

    return [Item(name, "", name, Kind.NUMBER, cell=cell(name), lang="en") for name in names]


# --- points of a period -----------------------------------------------------------------------


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
    club: str = ""


def points_of(connection: Connection, asked: PointsQuery, **how: Any) -> Iterator[PeriodLine]:
    """Everybody who earned something in the period, the most first, as
    :func:`~honours.ledger.balances.earned` has it. Opening balances were not earned in it, and
    reversed awards do not count."""
    known = asked.checked().kinds_in(connection)
    conditions = asked.live_awards(connection)
    rows = earned(connection, known.values(), *conditions, best=asked.best, **how)
    by_club = groupby(rows, lambda row: row.club)
    lines = chain.from_iterable(
        placed(own, lambda row: row.total, asked.places) for _, own in by_club
    )
    for some in lots(lines, _PART):
        who = members.get(connection, [row.member for _, row, _ in some])
        for place, row, verdict in some:
            points = {known[kind].name: known[kind].points(n) for kind, n in row.units.items()}
            total = sum(points.values(), Fraction(0))
            figures = (points, total, row.events, row.counted)
            yield PeriodLine(place, who[row.member], *figures, verdict, row.club)


def placed(
    ordered: Iterable[_T], total: Callable[[_T], Any], places: int
) -> Iterator[tuple[int, _T, Message]]:
    """Place, item and verdict of items that come in the order of their totals; if ``places`` is 0
    nobody qualifies. A tie across the cut line is not broken: that is up to those who drew it."""
    start = 0
    for _, run in groupby(ordered, total):
        tied = list(run)
        end = start + len(tied)
        verdict = QUALIFIES if end <= places else TIED if start < places else OUT
        yield from ((start + 1, one, verdict) for one in tied)
        start = end


def points_parts(
    connection: Connection, asked: PointsQuery, public: bool = False, most: int | None = None
) -> Iterator[Table]:
    """The list of a period, some thousands at a time, or the beginning of it; one empty part if
    nobody earned anything. Members who opted out keep their place but are not named in public."""
    live = asked.checked().live_awards(connection)
    paid = select(postings.c.kind).join(records, OF_RECORD).where(*live).distinct()
    there = set(connection.scalars(paid))
    names = [kind.name for kind in asked.kinds_in(connection).values() if kind.id in there]
    items = [
        _PLACE,
        *person("member."),
        *(_kind_items(names) if len(names) > 1 else ()),
        _TOTAL,
        Item("events", title=Message("events"), kind=Kind.NUMBER),
    ]
    if asked.best:
        items.append(Item("counted", title=Message("of which count"), kind=Kind.NUMBER))
    if asked.places:
        items.append(Item("verdict", title=Message("verdict"), kind=Kind.WORD))
    template = (
        Message(
            "points from {since} to {until}, the best {count} results of each", **_period(asked)
        )
        if asked.best
        else Message("points from {since} to {until}", **_period(asked))
    )
    shape: Shape[PeriodLine] = Shape("points", tuple(items), template)
    every = points_of(connection, asked)
    shown = (line for line in every if not (public and line.member.opted_out))
    parts = lots(islice(shown, most), _PART)
    yield shape.table(next(parts, []))
    yield from map(shape.table, parts)


def _period(asked: PointsQuery) -> dict[str, Any]:
    return {"since": asked.since, "until": asked.until, "count": asked.best}


def totals_table(connection: Connection, asked: PointsQuery) -> Table:
    """Return a table of what was awarded, by club and kind, and in total."""
    known = {kind.id: kind for kind in kinds.all_kinds(connection, asked.scheme)}
    live = asked.checked().live_awards(connection)
    events, amount = func.count(distinct(postings.c.record)), func.sum(postings.c.amount)
    people = func.count(distinct(postings.c.member))
    by_club = select(records.c.club, postings.c.kind, events, people, amount)
    grouped = by_club.join(records, OF_RECORD).where(*live).group_by(*by_club.selected_columns[:2])
    rows = connection.execute(grouped.order_by(*by_club.selected_columns[:2])).all()
    columns = [
        Column("club", Message("club")),
        Column("kind", Message("kind"), lang="en"),
        Column("events", Message("events"), Kind.NUMBER),
        Column("members", Message("members"), Kind.NUMBER),
        Column("points", Message("points"), Kind.NUMBER),
    ]
    points = [known[row.kind].points(int(row[4])) for row in rows]
    cells = [
        (row.club, known[row.kind].name, row[2], row[3], points_cell(one))
        for row, one in zip(rows, points, strict=True)
    ]
    every = connection.scalar(
        select(events).select_from(postings.join(records, OF_RECORD)).where(*live)
    )
    last = (Message("all"), "", every or 0, Cell(None, ""), points_cell(sum(points, Fraction(0))))
    caption = Message("awarded from {since} to {until}", **_period(asked))
    return table("totals", columns, [*cells, last], caption)


def honours_board(connection: Connection, asked: PointsQuery, public: bool = False) -> Table:
    """The first three of all and of each club; whoever ties with the third is there too. Members
    who opted out keep their place but are not named in public."""
    shape: Shape[PeriodLine] = Shape(
        "board",
        (
            Item("club", title=Message("club"), cell=lambda o: o.club or Cell(Message("all"))),
            _PLACE,
            *person("member."),
            Item(
                "points",
                "total",
                Message("points"),
                Kind.NUMBER,
                cell=lambda o: points_cell(o.total),
            ),
        ),
        Message("most points from {since} to {until}", **_period(asked)),
    )
    boards = (points_of(connection, asked, first=3, by_club=by_club) for by_club in (False, True))
    lines = chain.from_iterable(boards)
    return shape.table(line for line in lines if not (public and line.member.opted_out))


# --- promotions -------------------------------------------------------------------------------


def promotions(
    connection: Connection, scheme: str, steps: Sequence[Rank], since: str, until: str
) -> list[Promotion]:
    """Every promotion of the period, in the order of posting, dated by the event that caused it; a
    rank that came with an opening balance is not one. Points count in the order they were posted,
    as in a member's own history. Only the postings of those are read who were credited in the
    period, some hundred members at a time."""
    if not steps:
        return []
    known = {kind.id: kind for kind in kinds.all_kinds(connection, scheme)}
    inside = (
        records.c.postings > 0,
        records.c.action != "opening",
        counted_day(connection).between(since, until),
    )
    of_kinds = postings.c.kind.in_(known)
    credited = select(OWNER.label("owner")).select_from(OWNED).where(*inside, of_kinds).distinct()
    shown = (records.c.id, records.c.title, records.c.day)
    by = select(postings.c.id.label("posting"), *shown).join(records, OF_RECORD).where(*inside)
    roots = ends(connection)
    found: list[tuple[int, Promotion]] = []
    for some in lots(connection.scalars(credited.order_by("owner"))):
        reached = list(_replayed(connection, some, known, roots, steps))
        rows = {
            row.posting: row
            for few in lots(posting for posting, _, _ in reached)
            for row in connection.execute(by.where(postings.c.id.in_(few)))
        }
        who = members.get(connection, [one for posting, one, _ in reached if posting in rows])
        for posting, member, rank in reached:
            if row := rows.get(posting):
                found.append((posting, Promotion(who[member], rank, row.id, row.title, row.day)))
    return [one for _, one in sorted(found, key=lambda each: each[0])]


def _replayed(
    connection: Connection,
    some: Sequence[int],
    known: Mapping[int, PointsKind],
    roots: Mapping[int, int],
    steps: Sequence[Rank],
) -> Iterator[tuple[int, int, str]]:
    """By which posting, the first of its record, who of these reached which rank; all postings of
    a record count together."""
    places = {rank.name: place for place, rank in enumerate(steps)}
    held: dict[int, Points] = {}

    def rung(member: int) -> int:
        rank = rank_reached(steps, held[member])
        return places[rank.name] if rank else -1

    of_members = among(connection, postings.c.member, family(some, roots))
    lines = select(postings).where(of_members, postings.c.kind.in_(known)).order_by(postings.c.id)
    for _, own in groupby(connection.execute(lines), key=lambda line: line.record):
        touched: dict[int, tuple[int, int]] = {}
        for line in own:
            member = roots.get(line.member, line.member)
            points = held.setdefault(member, {})
            touched.setdefault(member, (line.id, rung(member)))
            credit(points, known[line.kind], int(line.amount))
        for member, (posting, before) in touched.items():
            if (now := rung(member)) > before:
                yield posting, member, steps[now].name


def promotions_table(
    connection: Connection,
    scheme: str,
    steps: Sequence[Rank],
    since: str,
    until: str,
    public: bool = False,
) -> Table:
    """Return a table of promotions, with numbers, as two members may have the same name."""
    every = promotions(connection, scheme, steps, since, until)
    caption = Message("promotions from {since} to {until}", since=since, until=until)
    return PROMOTIONS.table((p for p in every if not (public and p.member.opted_out)), caption)


# --- the roll ---------------------------------------------------------------------------------


def rungs_on(connection: Connection, scheme: str, steps: Sequence[Rank], on: str) -> Iterator[Rung]:
    """Everybody's points and rank as of a day, the highest first."""
    known = {kind.id: kind for kind in kinds.all_kinds(connection, scheme)}
    rows = earned(connection, known.values(), counted_day(connection) <= on)
    for some in lots(rows, _PART):
        who = members.get(connection, [row.member for row in some])
        for row in some:
            points = {known[kind].name: known[kind].points(n) for kind, n in row.units.items()}
            yield rung_of(who[row.member], points, steps)


def roll_part(
    connection: Connection,
    scheme: str,
    steps: Sequence[Rank],
    limit: int,
    after: int | None = None,
    public: bool = False,
    every_kind: bool = False,
) -> tuple[Table, int]:
    """A part of the roll, and the member behind whom it goes on; 0 at its end."""
    rungs = ranks.listed(connection, scheme, steps, limit, after, public)
    behind = rungs[-1].member.id if rungs.more else 0
    return _roll(connection, scheme, every_kind).table(rungs), behind


def roll_parts(
    connection: Connection,
    scheme: str,
    steps: Sequence[Rank],
    public: bool = False,
    every_kind: bool = False,
    on: str = "",
) -> Iterator[Table]:
    """Everybody, some thousands at a time, the highest first; one empty table if there is nobody.
    As of a day it names the head of the ledger it was made from: a list one can cite."""
    shape = _roll(connection, scheme, every_kind)
    if not on:
        yield from map(shape.table, ranks.parts(connection, scheme, steps, None, public))
        return
    caption = Message("balances and ranks on {day}; {line}", day=on, line=line_of(connection))
    every = rungs_on(connection, scheme, steps, on)
    parts = lots((rung for rung in every if not (public and rung.member.opted_out)), _PART)
    yield shape.table(next(parts, []), caption)
    yield from (shape.table(part, caption) for part in parts)


def _roll(connection: Connection, scheme: str, every_kind: bool) -> Shape[Rung]:
    """Number, name, balance of each kind, total and rank. On a screen or a page a kind of points
    that nobody has gets no column; a file has ``every_kind`` of the scheme, so that a program that
    reads it finds the same columns whatever was posted meanwhile."""
    of_scheme = kinds.all_kinds if every_kind else kinds.held_kinds
    names = [kind.name for kind in of_scheme(connection, scheme)]

    def total(rung: Rung) -> Cell:
        return points_cell(sum((rung.points.get(name, Fraction(0)) for name in names), Fraction(0)))

    def needs(rung: Rung) -> str:
        return ", ".join(f"{kind} {show(points)}" for kind, points in rung.missing.items())

    items = (
        *person("member."),
        *_kind_items(names),
        Item("total", title=Message("total"), kind=Kind.NUMBER, cell=total),
        Item("rank", title=Message("rank"), lang="en"),
        Item("next", title=Message("next"), lang="en"),
        Item("needs", title=Message("still needs"), cell=needs, lang="en"),
    )
    return Shape("roll", items, Message("balances and ranks"))


# --- grades -----------------------------------------------------------------------------------


class _Graded(NamedTuple):
    """A member's rank, living figures and grade; no grade is printed for some."""

    member: Member
    rank: str
    figures: Mapping[str, Fraction]
    grade: Grade | None


def grades_parts(
    connection: Connection,
    scheme: str,
    steps: Sequence[Rank],
    grades: Sequence[Grade],
    living: Sequence[LivingPoints],
    on: date,
    public: bool = False,
) -> Iterator[Table]:
    """The grade of everybody on a day, some thousands at a time, with what it follows from."""

    def figure(name: str) -> Callable[[_Graded], Cell]:
        return lambda one: points_cell(one.figures[name])

    shape: Shape[_Graded] = Shape(
        "grades",
        (
            *person("member."),
            Item("rank", title=Message("rank"), lang="en"),
            *(
                Item(one.name, "", one.name, Kind.NUMBER, cell=figure(one.name), lang="en")
                for one in living
            ),
            Item(
                "grade",
                title=Message("grade"),
                cell=lambda one: one.grade.name if one.grade else "",
                lang="en",
            ),
        ),
        Message("grades on {day}; {line}", day=on.isoformat(), line=line_of(connection)),
    )
    every = rungs_on(connection, scheme, steps, on.isoformat())
    shown = (rung for rung in every if not (public and rung.member.opted_out))
    parts = lots(shown, _PART)
    for some in chain([next(parts, [])], parts):
        values: dict[int, dict[str, Fraction]] = {}
        whose = [rung.member for rung in some]
        for found in figures(connection, scheme, living, on, whose):
            values.setdefault(found.member.id, {})[found.points.name] = found.value
        yield shape.table(_graded(rung, steps, grades, values[rung.member.id]) for rung in some)


def _graded(
    rung: Rung, steps: Sequence[Rank], grades: Sequence[Grade], own: Mapping[str, Fraction]
) -> _Graded:
    rank = rank_reached(steps, rung.points)
    grade = next((one for one in grades if one.fits(rank, rung.points, own)), None)
    return _Graded(rung.member, rung.rank, own, grade)


# --- points on their way ----------------------------------------------------------------------


class _Missing(NamedTuple):
    """Units of a kind that a member has not got everywhere, since when, and why."""

    member: Member
    title: str
    day: str
    kind: PointsKind
    units: int
    status: Message
    since: str


_MISSING: Shape[_Missing] = Shape(
    "pending",
    (
        *person("member."),
        Item("event", "title", Message("event")),
        Item("day", title=Message("date"), kind=Kind.DATE),
        Item("kind", "kind.name", Message("kind"), lang="en"),
        Item(
            "points",
            title=Message("points"),
            kind=Kind.NUMBER,
            cell=lambda one: amount_cell(one.kind, one.units),
        ),
        Item("status", title=Message("status")),
        Item("since", title=Message("since"), kind=Kind.DATE),
    ),
    Message("points on their way"),
)


def pending_table(
    connection: Connection, scheme: str, whose: Member | None = None, public: bool = False
) -> Table:
    """Points that somebody misses, of everybody or of one member: held for review, posted and not
    sent yet, sent and turned back. Members who opted out are not named in public."""
    known = {kind.id: kind for kind in kinds.all_kinds(connection, scheme)}
    own = None if whose is None else members.root(connection, whose.id)
    found = (*_drafted(connection, known), *_unsent(connection, known))
    return _MISSING.table(
        one
        for one in found
        if own in (None, one.member.id) and not (public and one.member.opted_out)
    )


def _drafted(connection: Connection, known: Mapping[int, PointsKind]) -> Iterator[_Missing]:
    """Yield what drafts would credit, to members and to those who would become some."""
    for draft in release.all_drafts(connection, release.PENDING):
        try:
            event = release.event_of(draft)
            _, paid = kinds.payment_of(connection, event.rulebook, event.kind)
            facts = stored.from_text(draft.content["facts"])
            lines = lines_of(awards_of(event.rulebook, facts, in_words=False), paid)
        except HonoursError:
            continue
        who = members.last_of(connection, {line.member for line in lines}) | draft.newcomers
        for line in lines:
            if line.kind in known:
                about = (draft.title, str(draft.content["day"]), known[line.kind], line.amount)
                status = Message("held for review")
                yield _Missing(who[line.member], *about, status, draft.at[:10])


def _unsent(connection: Connection, known: Mapping[int, PointsKind]) -> Iterator[_Missing]:
    """Yield what was posted and has not gone out, if anything ever does."""
    waiting, made = submissions.overview(connection)
    if not made:
        return
    turned_back = {
        number: Message("turned back: {remark}", remark=one.remark)
        for one in made
        if one.status == submissions.REJECTED
        for number in one.records
    }
    made_not_sent = {
        number: Message("in submission {number}, not sent", number=one.id)
        for one in made
        if one.status == submissions.PENDING
        for number in one.records
    }
    numbers = [*(row.id for row in waiting if row.action == "award"), *made_not_sent]
    chosen = select(postings, records.c.title, records.c.day, records.c.at)
    chosen = chosen.join(records, OF_RECORD).where(postings.c.kind.in_(known))
    statuses = {number: Message("posted, not sent yet") for number in numbers}
    statuses |= turned_back | made_not_sent
    for some in lots(numbers):
        of_records = chosen.where(records.c.id.in_(some)).order_by(postings.c.id)
        rows = connection.execute(of_records).all()
        who = members.last_of(connection, {row.member for row in rows})
        for row in rows:
            about = (row.title, row.day, known[row.kind], row.amount, statuses[row.record])
            yield _Missing(who[row.member], *about, row.at[:10])


# --- as files ---------------------------------------------------------------------------------

FORMATS = ("csv", "parquet", "json")
MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "json": "application/json",
}


def form_of(path: str | Path) -> str:
    """The format implied by a file's name."""
    form = Path(path).suffix.lower().lstrip(".")
    if form not in FORMATS:
        raise InputError(
            "{path}: expected a name that ends in one of {endings}",
            path=str(path),
            endings=tuple(f".{one}" for one in FORMATS),
        )
    return form


def write_list(parts: Iterable[Table], path: str | Path, replace: bool = False) -> int:
    """Write a list part by part, in the format that the file's name implies; returns the number of
    rows."""
    form = form_of(path)
    with new_file(path, kind_of(path), replace) as beside:
        return _WRITERS[form](iter(parts), beside)


def _csv(parts: Iterator[Table], file: Path) -> int:
    count = 0
    with file.open("w", encoding="utf-8", newline="") as out:
        for nth, part in enumerate(parts):
            text = draw_csv(part)
            out.write(text if nth == 0 else text.partition("\n")[2])
            count += len(part.rows)
    return count


def _parquet(parts: Iterator[Table], file: Path) -> int:
    require("pyarrow")
    import pyarrow
    import pyarrow.parquet as pq

    first = next(parts)
    # A column that is empty in the first part may contain text in a later one.
    schema = pyarrow.schema(
        pyarrow.field(one.name, pyarrow.string()) if pyarrow.types.is_null(one.type) else one
        for one in draw_arrow(first).schema
    )
    count = 0
    with pq.ParquetWriter(file, schema) as out:
        for part in chain([first], parts):
            out.write_table(draw_arrow(part).cast(schema))
            count += len(part.rows)
    return count


def _json(parts: Iterator[Table], file: Path) -> int:
    count = 0
    with file.open("w", encoding="utf-8") as out:
        out.write("[")
        for part in parts:
            for row in rows_data(part):
                out.write(("\n" if count == 0 else ",\n") + json.dumps(row, ensure_ascii=False))
                count += 1
        out.write("\n]\n")
    return count


_WRITERS = {"csv": _csv, "parquet": _parquet, "json": _json}
