"""Points earned in a period, by kind: all of them or each member's best results, and who is
above the cut line."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from itertools import chain, groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, distinct, func, select

from honours.engine.numbers import show
from honours.engine.ranks import Rank, rank_reached
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, InputError
from honours.files import kind_of, new_file
from honours.formats.entrants import sought
from honours.formats.reading import iso_day
from honours.ledger import kinds, members, ranks, release, submissions
from honours.ledger.balances import ends, family, summed
from honours.ledger.bulk import among, lots
from honours.ledger.checkpoint import line_of
from honours.ledger.derive import Points, PointsKind, awards_of, credit, lines_of
from honours.ledger.living import rungs_on
from honours.ledger.ranks import Promotion, Rung
from honours.ledger.schema import OF_RECORD, postings, records
from honours.ledger.shapes import PROMOTIONS, amount_cell, points_cell
from honours.ledger.years import counted, counted_day
from honours.model.member import Member
from honours.model.message import Message
from honours.model.table import Cell, Column, Link, Table, table
from honours.model.table import Kind as Type
from honours.reports.drawing import draw_arrow, draw_csv, rows_data
from honours.rings import require

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


_PLACES = 3


def honours_board(connection: Connection, asked: PointsQuery, public: bool = False) -> Table:
    """The first three of all and of each club; whoever ties with the third is there too. Members
    who opted out keep their place but are not named in public."""
    wanted = [kinds.get(connection, asked.scheme, name) for name in asked.kinds]
    known = {kind.id: kind for kind in wanted or kinds.all_kinds(connection, asked.scheme)}
    roots = ends(connection)
    earned: dict[str, dict[int, Fraction]] = {"": {}}
    lines = (
        select(records.c.club, postings.c.member, postings.c.kind, func.sum(postings.c.amount))
        .join(records, OF_RECORD)
        .where(postings.c.kind.in_(known), *live_awards(asked.checked(), connection))
        .group_by(records.c.club, postings.c.member, postings.c.kind)
    )
    for club, member, kind, units in connection.execute(lines):
        for board in {"", club}:
            own = earned.setdefault(board, {})
            root = roots.get(member, member)
            own[root] = own.get(root, Fraction(0)) + known[kind].points(int(units))
    leading = {club: _leading(own) for club, own in sorted(earned.items())}
    who = members.get(connection, {one for lead in leading.values() for _, one, _ in lead})
    rows = [
        (club or Cell(Message("all")), place, *member_cells(who[member]), points_cell(points))
        for club, lead in leading.items()
        for place, member, points in lead
        if not (public and who[member].opted_out)
    ]
    columns = [
        Column("club", Message("club")),
        Column("place", Message("place"), Type.PLACE),
        *MEMBER_COLUMNS,
        Column("points", Message("points"), Type.NUMBER),
    ]
    caption = Message("most points from {since} to {until}", since=asked.since, until=asked.until)
    return table("board", columns, rows, caption)


def _leading(earned: dict[int, Fraction]) -> list[tuple[int, int, Fraction]]:
    """Place, member and points of those in front."""
    ordered = sorted(earned.items(), key=lambda one: (-one[1], one[0]))
    first = [points for _, points in ordered[:_PLACES]]
    return [
        (first.index(points) + 1, member, points)
        for member, points in ordered
        if points >= first[-1]
    ]


def promotions(
    connection: Connection, scheme: str, ranks: Sequence[Rank], since: str, until: str
) -> list[Promotion]:
    """Every promotion of the period, in the order of posting; a rank that came with an opening
    balance is not one. Only the postings of those are read who were credited in the period, some
    hundred members at a time."""
    if not ranks:
        return []
    inside = (
        records.c.postings > 0,
        records.c.action != "opening",
        counted_day(connection).between(since, until),
    )
    known = {kind.id: kind for kind in kinds.all_kinds(connection, scheme)}
    credited = select(postings.c.member).join(records, OF_RECORD).distinct()
    credited = credited.where(*inside, postings.c.kind.in_(known))
    roots = ends(connection)
    reached: list[tuple[int, int, str]] = []
    for some in lots(sorted({roots.get(one, one) for one in connection.scalars(credited)})):
        reached += _replayed(connection, some, known, roots, ranks)
    rows = _records(connection, {posting for posting, _, _ in reached}, inside)
    found = sorted(one for one in reached if one[0] in rows)
    who = members.get(connection, {member for _, member, _ in found})
    return [
        Promotion(who[member], rank, rows[posting].id, rows[posting].title, rows[posting].day)
        for posting, member, rank in found
    ]


def _records(
    connection: Connection, wanted: Collection[int], inside: Sequence[Any]
) -> dict[int, Any]:
    """The records of these postings that are in the period, by posting."""
    shown = (records.c.id, records.c.title, records.c.day)
    chosen = select(postings.c.id.label("posting"), *shown).join(records, OF_RECORD).where(*inside)
    return {
        row.posting: row
        for some in lots(wanted)
        for row in connection.execute(chosen.where(postings.c.id.in_(some)))
    }


def _replayed(
    connection: Connection,
    some: Sequence[int],
    known: Mapping[int, PointsKind],
    roots: Mapping[int, int],
    ranks: Sequence[Rank],
) -> Iterator[tuple[int, int, str]]:
    """By which posting, the first of its record, who of these reached which rank; all postings of
    a record count together."""
    places = {rank.name: place for place, rank in enumerate(ranks)}
    held: dict[int, Points] = {}
    lines = (
        select(
            postings.c.id, postings.c.record, postings.c.member, postings.c.kind, postings.c.amount
        )
        .where(among(connection, postings.c.member, family(some, roots)))
        .where(postings.c.kind.in_(known))
        .order_by(postings.c.id)
    )
    for _, own in groupby(connection.execute(lines), key=lambda line: line.record):
        touched: dict[int, tuple[int, int]] = {}
        for line in own:
            member = roots.get(line.member, line.member)
            points = held.setdefault(member, {})
            touched.setdefault(member, (line.id, _rung(ranks, points, places)))
            credit(points, known[line.kind], int(line.amount))
        for member, (posting, before) in touched.items():
            now = _rung(ranks, held[member], places)
            if now > before:
                yield posting, member, ranks[now].name


def _rung(ranks: Sequence[Rank], points: Points, places: Mapping[str, int]) -> int:
    rank = rank_reached(ranks, points)
    return places[rank.name] if rank else -1


def promotions_table(
    connection: Connection,
    scheme: str,
    ranks: Sequence[Rank],
    since: str,
    until: str,
    public: bool = False,
) -> Table:
    """Who was promoted, with numbers, because two members may have the same name."""
    rows = [
        one
        for one in promotions(connection, scheme, ranks, since, until)
        if not (public and one.member.opted_out)
    ]
    caption = Message("promotions from {since} to {until}", since=since, until=until)
    return PROMOTIONS.table(rows, caption)


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
    return _roll_table(_kind_names(connection, scheme, every_kind), rungs), behind


def roll_parts(
    connection: Connection,
    scheme: str,
    steps: Sequence[Rank],
    public: bool = False,
    every_kind: bool = False,
) -> Iterator[Table]:
    """Everybody, some thousands at a time in the same order; one empty table if there is nobody."""
    names = _kind_names(connection, scheme, every_kind)
    for rungs in ranks.parts(connection, scheme, steps, None, public):
        yield _roll_table(names, rungs)


def roll_on(
    connection: Connection,
    scheme: str,
    steps: Sequence[Rank],
    on: str,
    public: bool = False,
    every_kind: bool = False,
) -> Table:
    """The roll as of a day, with the head of the ledger it was made from: a list one can cite."""
    rungs = rungs_on(connection, scheme, steps, date.fromisoformat(on))
    shown = [rung for rung in rungs if not (public and rung.member.opted_out)]
    caption = Message("balances and ranks on {day}; {line}", day=on, line=line_of(connection))
    return replace(_roll_table(_kind_names(connection, scheme, every_kind), shown), caption=caption)


def _kind_names(connection: Connection, scheme: str, every_kind: bool) -> list[str]:
    of_scheme = kinds.all_kinds if every_kind else kinds.held_kinds
    return [kind.name for kind in of_scheme(connection, scheme)]


def _roll_table(names: Sequence[str], rungs: Sequence[Rung]) -> Table:
    columns = [
        *MEMBER_COLUMNS,
        *(Column(name, name, Type.NUMBER, lang="en") for name in names),
        Column("total", Message("total"), Type.NUMBER),
        Column("rank", Message("rank"), lang="en"),
        Column("next", Message("next"), lang="en"),
        Column("needs", Message("still needs"), lang="en"),
    ]
    rows = [_roll_row(rung, names) for rung in rungs]
    return table("roll", columns, rows, Message("balances and ranks"))


def _roll_row(rung: Rung, names: Sequence[str]) -> list[Cell]:
    held = [rung.points.get(name, Fraction(0)) for name in names]
    total = sum(held, Fraction(0))
    needs = ", ".join(f"{kind} {show(points)}" for kind, points in rung.missing.items())
    return [
        *member_cells(rung.member),
        *map(points_cell, held),
        points_cell(total),
        Cell(rung.rank),
        Cell(rung.next),
        Cell(needs),
    ]


class _Missing(NamedTuple):
    """Units of a kind that a member has not got everywhere, since when, and why."""

    member: int
    title: str
    day: str
    kind: PointsKind
    units: int
    status: Message
    since: str


def pending_table(
    connection: Connection, scheme: str, whose: Member | None = None, public: bool = False
) -> Table:
    """What is on its way, of everybody or of one member; members who opted out are not named in
    public."""
    roots = ends(connection)
    own = None if whose is None else {whose.id, *members.group(connection, whose.id)}
    known = {kind.id: kind for kind in kinds.all_kinds(connection, scheme)}
    newcomers: dict[int, Member] = {}
    found = [
        one
        for one in (*_drafted(connection, known, newcomers), *_unsent(connection, known))
        if own is None or one.member in own
    ]
    posted = {roots.get(one.member, one.member) for one in found if one.member > 0}
    who = members.get(connection, posted)
    rows = [
        (
            *(*member_cells(member), one.title, one.day, one.kind.name),
            *(amount_cell(one.kind, one.units), one.status, one.since),
        )
        for one in found
        for member in [newcomers.get(one.member) or who[roots.get(one.member, one.member)]]
        if not (public and member.opted_out)
    ]
    columns = [
        *MEMBER_COLUMNS,
        Column("event", Message("event")),
        Column("day", Message("date"), Type.DATE),
        Column("kind", Message("kind"), lang="en"),
        Column("points", Message("points"), Type.NUMBER),
        Column("status", Message("status")),
        Column("since", Message("since"), Type.DATE),
    ]
    return table("pending", columns, rows, Message("points on their way"))


def _drafted(
    connection: Connection, known: Mapping[int, PointsKind], newcomers: dict[int, Member]
) -> Iterator[_Missing]:
    """What drafts would credit; those who are new in one have numbers of their own."""
    status = Message("held for review")
    for draft in release.all_drafts(connection, release.PENDING):
        try:
            event = release.event_of(draft)
            _, paid = kinds.payment_of(connection, event.rulebook, event.kind)
            lines = lines_of(_draft_awards(event.rulebook, draft), paid)
        except HonoursError:
            continue
        for line in lines:
            if line.kind in known:
                member = line.member - 10**6 * draft.id if line.member < 0 else line.member
                if line.member < 0:
                    newcomers[member] = draft.newcomers[line.member]
                about = (draft.title, str(draft.content["day"]), known[line.kind], line.amount)
                yield _Missing(member, *about, status, draft.at[:10])


def _draft_awards(book: Rulebook, draft: release.Draft) -> Any:
    from honours.ledger import facts as stored

    return awards_of(book, stored.from_text(draft.content["facts"]), in_words=False)


def _unsent(connection: Connection, known: Mapping[int, PointsKind]) -> Iterator[_Missing]:
    """What was posted and has not gone out, if anything ever does."""
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
    chosen = chosen.join(records, OF_RECORD).order_by(postings.c.id)
    usual = Message("posted, not sent yet")
    for some in lots(numbers):
        for row in connection.execute(chosen.where(records.c.id.in_(some))):
            if row.kind in known:
                status = made_not_sent.get(row.record) or turned_back.get(row.record) or usual
                about = (row.title, row.day, known[row.kind], row.amount, status)
                yield _Missing(row.member, *about, row.at[:10])


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
    """Write a list part by part; returns the number of rows."""
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
    import pyarrow.parquet as pq

    first = next(parts)
    # A column that is empty in the first part may contain text in a later one.
    schema = _parquet_schema(draw_arrow(first).schema)
    count = 0
    with pq.ParquetWriter(file, schema) as out:
        for part in chain([first], parts):
            out.write_table(draw_arrow(part).cast(schema))
            count += len(part.rows)
    return count


def _parquet_schema(schema: Any) -> Any:
    import pyarrow

    fields = [
        pyarrow.field(one.name, pyarrow.string()) if pyarrow.types.is_null(one.type) else one
        for one in schema
    ]
    return pyarrow.schema(fields)


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
