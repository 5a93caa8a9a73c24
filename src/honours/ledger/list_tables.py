"""A ledger's reports: points of a period, the honours board, promotions, the roll,
points on their way. Each is rendered alike by commands, pages, API and files; a long one is made
in parts, because a federation has more members than fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, groupby
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Connection, distinct, func, select

from honours.engine.numbers import show
from honours.engine.ranks import Grade, Rank, rank_reached
from honours.errors import HonoursError
from honours.formats.entrants import sought
from honours.ledger import facts as stored
from honours.ledger import kinds, members, ranks, release, submissions
from honours.ledger.balances import OWNED, OWNER, Earned, earned, ends, family
from honours.ledger.bulk import among, lots
from honours.ledger.checkpoint import line_of
from honours.ledger.derive import Points, PointsKind, awards_of, credit, lines_of
from honours.ledger.lists import Listed, ListQuery
from honours.ledger.living import figures
from honours.ledger.ranks import Promotion, Rung, rung_of
from honours.ledger.schema import OF_RECORD, postings, records
from honours.ledger.shapes import PROMOTIONS, RANKS, amount_cell, person, points_cell
from honours.ledger.years import counted, counted_day
from honours.model.member import Member
from honours.model.message import Message
from honours.model.shape import Item, Shape, titled
from honours.model.table import Cell, Kind, Table, headed, table

QUALIFIES, TIED, OUT = Message("qualifies"), Message("tied for the last place"), Message("")
_T = TypeVar("_T")
_PART = 5_000
"""How many rows of a long list are made at once."""


def kinds_in(connection: Connection, query: ListQuery) -> dict[int, PointsKind]:
    """The kinds of points that are asked for."""
    wanted = [kinds.get(connection, query.scheme, name) for name in query.kinds]
    return {kind.id: kind for kind in wanted or kinds.all_kinds(connection, query.scheme)}


def live_awards(connection: Connection, query: ListQuery) -> list[ColumnElement[bool]]:
    """The postings that count in the period, of the kinds that are asked for."""
    of_kinds = postings.c.kind.in_(kinds_in(connection, query))
    conditions = [counted(connection, query.since, query.until), of_kinds]
    if query.club:
        spelt = connection.scalars(select(records.c.club).distinct())
        conditions.append(
            records.c.club.in_([one for one in spelt if sought(one) == sought(query.club)])
        )
    return conditions


def _points(known: Mapping[int, PointsKind], row: Earned) -> dict[str, Fraction]:
    """What somebody earned, by kind."""
    return {known[kind].name: known[kind].points(n) for kind, n in row.units.items()}


def _in_parts(shape: Shape[_T], things: Iterable[_T], caption: Message | None = None) -> Listed:
    """Things some thousands at a time; one empty part if there are none."""
    parts = lots(things, _PART)
    return Listed(shape.table(some, caption) for some in chain([next(parts, [])], parts))


_PLACE = titled("place", kind=Kind.PLACE)
_TOTAL = titled("points", "total", Kind.NUMBER, cell=lambda one: points_cell(one.total))


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


def points_of(connection: Connection, query: ListQuery, **how: Any) -> Iterator[PeriodLine]:
    """Everybody who earned something in the period, the most first, as
    :func:`~honours.ledger.balances.earned` has it. Opening balances were not earned in it, and
    reversed awards do not count."""
    known = kinds_in(connection, query.checked())
    conditions = live_awards(connection, query)
    rows = earned(connection, known.values(), *conditions, best=query.best, **how)
    by_club = groupby(rows, lambda row: row.club)
    lines = chain.from_iterable(
        placed(own, lambda row: row.total, query.places) for _, own in by_club
    )
    for some in lots(lines, _PART):
        who = members.get(connection, [row.member for _, row, _ in some])
        for place, row, verdict in some:
            points = _points(known, row)
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


def points(connection: Connection, query: ListQuery) -> Listed:
    """The list of a period, some thousands at a time. Members who opted out keep their place but
    are not named in public."""
    live = live_awards(connection, query.checked())
    paid = select(postings.c.kind).join(records, OF_RECORD).where(*live).distinct()
    there = set(connection.scalars(paid))
    names = [kind.name for kind in kinds_in(connection, query).values() if kind.id in there]
    items = [
        _PLACE,
        *person("member."),
        *(_kind_items(names) if len(names) > 1 else ()),
        _TOTAL,
        titled("events", kind=Kind.NUMBER),
    ]
    if query.best:
        items.append(Item("counted", title=Message("of which count"), kind=Kind.NUMBER))
    if query.places:
        items.append(titled("verdict", kind=Kind.WORD))
    template = (
        Message(
            "points from {since} to {until}, the best {count} results of each", **_period(query)
        )
        if query.best
        else Message("points from {since} to {until}", **_period(query))
    )
    every = points_of(connection, query)
    shown = (line for line in every if query.shows(line.member))
    return _in_parts(Shape("points", tuple(items), template), shown)


def _period(query: ListQuery) -> dict[str, Any]:
    return {"since": query.since, "until": query.until, "count": query.best}


def totals(connection: Connection, query: ListQuery) -> Listed:
    """The points awarded, by club and kind, and in total."""
    known = kinds.by_id(connection, query.scheme)
    live = live_awards(connection, query.checked())
    events, amount = func.count(distinct(postings.c.record)), func.sum(postings.c.amount)
    people = func.count(distinct(postings.c.member))
    by_club = select(records.c.club, postings.c.kind, events, people, amount)
    grouped = by_club.join(records, OF_RECORD).where(*live).group_by(*by_club.selected_columns[:2])
    rows = connection.execute(grouped.order_by(*by_club.selected_columns[:2])).all()
    columns = [
        headed("club"),
        headed("kind", lang="en"),
        headed("events", Kind.NUMBER),
        headed("members", Kind.NUMBER),
        headed("points", Kind.NUMBER),
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
    caption = Message("awarded from {since} to {until}", **_period(query))
    return Listed([table("totals", columns, [*cells, last], caption)])


def board(connection: Connection, query: ListQuery) -> Listed:
    """The first three of all and of each club; whoever ties with the third is there too. Members
    who opted out keep their place but are not named in public."""
    shape: Shape[PeriodLine] = Shape(
        "board",
        (
            titled("club", cell=lambda o: o.club or Cell(Message("all"))),
            _PLACE,
            *person("member."),
            _TOTAL,
        ),
        Message("most points from {since} to {until}", **_period(query)),
    )
    boards = (points_of(connection, query, first=3, by_club=by_club) for by_club in (False, True))
    lines = chain.from_iterable(boards)
    return Listed([shape.table(line for line in lines if query.shows(line.member))])


# --- promotions -------------------------------------------------------------------------------


def promoted(connection: Connection, query: ListQuery) -> list[Promotion]:
    """Every promotion of the period, in the order of posting, dated by the event that caused it; a
    rank that came with an opening balance is not one. Points count in the order they were posted,
    as in a member's own history. Only the postings of those are read who were credited in the
    period, some hundred members at a time."""
    steps = query.steps
    if not steps:
        return []
    known = kinds.by_id(connection, query.scheme)
    inside = (
        records.c.postings > 0,
        records.c.action != "opening",
        counted_day(connection).between(query.since, query.until),
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
    in_order = [one for _, one in sorted(found, key=lambda each: each[0])]
    return [one for one in in_order if query.shows(one.member)]


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
            member = roots[line.member]
            points = held.setdefault(member, {})
            touched.setdefault(member, (line.id, rung(member)))
            credit(points, known[line.kind], int(line.amount))
        for member, (posting, before) in touched.items():
            if (now := rung(member)) > before:
                yield posting, member, steps[now].name


def promotions(connection: Connection, query: ListQuery) -> Listed:
    """The promoted members with their numbers, as two members may have the same name."""
    return Listed([promotions_table(query, promoted(connection, query))])


def promotions_table(query: ListQuery, reached: Iterable[Promotion]) -> Table:
    """The promotions of a period as a table."""
    return PROMOTIONS.table(
        reached, Message("promotions from {since} to {until}", **_period(query))
    )


# --- the roll ---------------------------------------------------------------------------------


def rungs_on(connection: Connection, scheme: str, steps: Sequence[Rank], on: str) -> Iterator[Rung]:
    """Everybody's points and rank as of a day, the highest first."""
    known = kinds.by_id(connection, scheme)
    rows = earned(connection, known.values(), counted_day(connection) <= on)
    for some in lots(rows, _PART):
        who = members.get(connection, [row.member for row in some])
        for row in some:
            points = _points(known, row)
            yield rung_of(who[row.member], points, steps)


def _ladder(
    connection: Connection, query: ListQuery, shape: Shape[Rung], caption: Message | None = None
) -> Listed:
    """Everybody in a shape, the highest first: as of a day, or all, or a part."""
    whose = (connection, query.scheme, query.steps)
    if query.on:
        every = rungs_on(*whose, query.on)
        return _in_parts(shape, (rung for rung in every if query.shows(rung.member)), caption)
    if query.limit is None:
        return Listed(map(shape.table, ranks.parts(*whose, None, query.public)))
    rungs = ranks.listed(*whose, query.limit, query.after, query.public)
    return Listed([shape.table(rungs)], rungs[-1].member.id if rungs.more else 0)


def ranking(connection: Connection, query: ListQuery) -> Listed:
    """Everybody's rank and what the next one needs, as of a day with the head it stands on; of one
    member, also by which events each was reached."""
    cited = {"scheme": query.scheme, "day": query.on, "line": line_of(connection)}
    caption = Message("{scheme}, ranks on {day}; {line}", **cited) if query.on else query.scheme
    shape = replace(RANKS, caption=caption)
    if not query.member:
        return _ladder(connection, query, shape)
    who, whose = members.find(connection, query.member), (query.scheme, query.steps)
    if not query.shows(who):
        return Listed([shape.table(())])
    if query.on:
        every = rungs_on(connection, *whose, query.on)
        return Listed([shape.table(rung for rung in every if rung.member == who)])
    made = [shape.table(ranks.rungs_of(connection, *whose, [who.id]))]
    if not query.for_programs:
        made.append(PROMOTIONS.table(ranks.history(connection, who.id, *whose)))
    return Listed(made)


def roll(connection: Connection, query: ListQuery) -> Listed:
    """Everybody, with balances, the highest first; as of a day it names the head of the ledger it
    was made from: a list one can cite."""
    caption = Message("balances and ranks on {day}; {line}", day=query.on, line=line_of(connection))
    return _ladder(connection, query, _roll(connection, query), caption)


def snapshot(connection: Connection, query: ListQuery) -> Listed:
    """The roll of the last day that decides who may enter."""
    [known, *_] = query.declared("snapshots")
    return roll(connection, replace(query, on=known.last(query.day).isoformat()))


def _roll(connection: Connection, query: ListQuery) -> Shape[Rung]:
    """Number, name, balance of each kind, total and rank. On a screen or a page a kind of points
    that nobody has gets no column; a file has every kind of the scheme, so that a program that
    reads it finds the same columns whatever was posted meanwhile."""
    of_scheme = kinds.all_kinds if query.for_programs else kinds.held_kinds
    names = [kind.name for kind in of_scheme(connection, query.scheme)]

    def total(rung: Rung) -> Cell:
        return points_cell(sum((rung.points.get(name, Fraction(0)) for name in names), Fraction(0)))

    def needs(rung: Rung) -> str:
        return ", ".join(f"{kind} {show(points)}" for kind, points in rung.missing.items())

    items = (
        *person("member."),
        *_kind_items(names),
        titled("total", kind=Kind.NUMBER, cell=total),
        titled("rank", lang="en"),
        titled("next", lang="en"),
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


def grades(connection: Connection, query: ListQuery) -> Listed:
    """The grade of everybody on a day, some thousands at a time, with what it follows from."""
    declared, steps, on = query.declared("grades"), query.steps, query.day
    living = ranks.declared(query.scheme, "living", query.folders)

    def figure(name: str) -> Callable[[_Graded], Cell]:
        return lambda one: points_cell(one.figures[name])

    shape: Shape[_Graded] = Shape(
        "grades",
        (
            *person("member."),
            titled("rank", lang="en"),
            *(
                Item(one.name, "", one.name, Kind.NUMBER, cell=figure(one.name), lang="en")
                for one in living
            ),
            titled(
                "grade",
                cell=lambda one: one.grade.name if one.grade else "",
                lang="en",
            ),
        ),
        Message("grades on {day}; {line}", day=on.isoformat(), line=line_of(connection)),
    )

    def graded() -> Iterator[_Graded]:
        every = rungs_on(connection, query.scheme, steps, on.isoformat())
        for some in lots((rung for rung in every if query.shows(rung.member)), _PART):
            values: dict[int, dict[str, Fraction]] = {}
            whose = [rung.member for rung in some]
            for found in figures(connection, query.scheme, living, on, whose):
                values.setdefault(found.member.id, {})[found.points.name] = found.value
            for rung in some:
                rank, own = rank_reached(steps, rung.points), values[rung.member.id]
                grade = next((one for one in declared if one.fits(rank, rung.points, own)), None)
                yield _Graded(rung.member, rung.rank, own, grade)

    return _in_parts(shape, graded())


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
        titled("event", "title"),
        Item("day", title=Message("date"), kind=Kind.DATE),
        titled("kind", "kind.name", lang="en"),
        titled(
            "points",
            kind=Kind.NUMBER,
            cell=lambda one: amount_cell(one.kind, one.units),
        ),
        titled("status"),
        titled("since", kind=Kind.DATE),
    ),
    Message("points on their way"),
)


def pending(connection: Connection, query: ListQuery) -> Listed:
    """Points that somebody misses, of everybody or of one member: held for review, posted and not
    sent yet, sent and turned back. Members who opted out are not named in public."""
    known = kinds.by_id(connection, query.scheme)
    own = members.find(connection, query.member).id if query.member else None
    found = (*_drafted(connection, known), *_unsent(connection, known))
    shown = (one for one in found if own in (None, one.member.id) and query.shows(one.member))
    return Listed([_MISSING.table(shown)])


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
