"""Ranks: where every member stands, what the next rank still needs, and who was promoted by
what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, not_, select, true, tuple_

from honours.engine.ranks import Rank, rank_reached
from honours.engine.rulebook import Rulebook
from honours.ledger import kinds, members
from honours.ledger.balances import summed, units_held
from honours.ledger.bulk import PageOf, among, lots
from honours.ledger.derive import Points, PointsKind, credit
from honours.ledger.schema import postings, records, totals
from honours.ledger.statement import postings_of, record_title
from honours.model.member import Member
from honours.rulebooks import ids, load


@dataclass(frozen=True, slots=True)
class Promotion:
    """A member who reached a rank, and the record whose postings achieved it."""

    member: Member
    rank: str
    record: int
    title: str
    day: str


@dataclass(frozen=True, slots=True)
class Rung:
    """A member on the ladder: points by kind, the rank, the next one and what it still needs."""

    member: Member
    points: Mapping[str, Fraction]
    rank: str
    next: str
    missing: Mapping[str, Fraction]


def declared(scheme: str, what: str, folders: Iterable[str | Path] = ()) -> tuple[Any, ...]:
    """Return the ranks, living figures, grades or snapshots that a scheme's rulebooks declare."""
    folders = tuple(folders)
    books = (load(each, folders) for each in ids(folders))
    found = (getattr(book, what) for book in books if book.body == scheme)
    return next(filter(None, found), ())


def ladder(scheme: str, folders: Iterable[str | Path] = ()) -> tuple[Rank, ...]:
    """The ranks of a scheme, from its rulebooks."""
    return declared(scheme, "ranks", folders)


def rungs_of(
    connection: Connection, scheme: str, ranks: Sequence[Rank], ids_: Sequence[int]
) -> list[Rung]:
    """These members on the ladder."""
    return _rungs(connection, ids_, _held(connection, scheme, ids_), ranks)


def _rungs(
    connection: Connection, ids_: Sequence[int], held: Mapping[int, Points], ranks: Sequence[Rank]
) -> list[Rung]:
    who = members.get(connection, ids_)
    return [rung_of(who[member], held.get(member, {}), ranks) for member in ids_]


def listed(
    connection: Connection,
    scheme: str,
    ranks: Sequence[Rank],
    limit: int | None = None,
    after: int | None = None,
    public: bool = False,
) -> PageOf[Rung]:
    """Every member with their points in the scheme, the highest first and following mergers, or a
    limited number of those who follow one, reading only their rows; visitors only if they have
    points. In public, members who opted out are left out."""
    chosen = select(totals.c.member, totals.c.held).where(_ranked(connection, scheme, public))
    if after is not None:
        # Both along the index: totals descend, and so do members with equal totals.
        own = totals.c.scheme == scheme, totals.c.member == after
        total = connection.scalar(select(totals.c.total).where(*own)) or 0
        chosen = chosen.where(tuple_(totals.c.total, totals.c.member) < tuple_(total, after))
    ordered = chosen.order_by(totals.c.total.desc(), totals.c.member.desc())
    most = ordered if limit is None else ordered.limit(limit + 1)
    known = kinds.by_id(connection, scheme)
    held = {int(row.member): _points(row.held, known) for row in connection.execute(most)}
    return PageOf(_rungs(connection, list(held), held, ranks), limit)


_PART = 5_000
"""How many are read at once: a federation has more than fit into memory."""


def parts(
    connection: Connection,
    scheme: str,
    ranks: Sequence[Rank],
    after: int | None = None,
    public: bool = False,
) -> Iterator[PageOf[Rung]]:
    """Everybody, or those who follow a member, some thousands at a time; one empty part if there is
    nobody."""
    while True:
        rungs = listed(connection, scheme, ranks, _PART, after, public)
        yield rungs
        if not rungs.more:
            return
        after = rungs[-1].member.id


def count(connection: Connection, scheme: str, public: bool = False) -> int:
    """Return how many members the ranks of a scheme have."""
    ranked = select(func.count()).select_from(totals).where(_ranked(connection, scheme, public))
    return int(connection.scalar(ranked) or 0)


def _ranked(connection: Connection, scheme: str, public: bool) -> ColumnElement[bool]:
    """Return the condition for those whose totals of a scheme are told."""
    hidden = members.hidden(connection) if public else ()
    shown = not_(among(connection, totals.c.member, hidden)) if hidden else true()
    return and_(totals.c.scheme == scheme, shown)


def _points(held: str, known: Mapping[int, PointsKind]) -> Points:
    points: Points = {}
    for kind, amount in units_held(held).items():
        credit(points, known[kind], amount)
    return points


def _held(connection: Connection, scheme: str, ids_: Sequence[int]) -> dict[int, Points]:
    """The points of these members, and of those merged into them."""
    known = kinds.by_id(connection, scheme)
    held: dict[int, Points] = {}
    for some in lots(ids_):
        chosen = select(totals).where(totals.c.scheme == scheme, totals.c.member.in_(some))
        held |= {row.member: _points(row.held, known) for row in connection.execute(chosen)}
    return held


def rung_of(member: Member, points: Points, ranks: Sequence[Rank]) -> Rung:
    reached = rank_reached(ranks, points)
    above = ranks[ranks.index(reached) + 1 :] if reached else ranks
    following = next(iter(above), None)
    missing = following.still_needs(points) if following else {}
    name = reached.titled(points) if reached else ""
    return Rung(member, points, name, following.name if following else "", missing)


def promotions_by(connection: Connection, rulebook: Rulebook, record: int) -> tuple[Promotion, ...]:
    """Return who reached a rank with this record, among those it credits."""
    if not rulebook.ranks:
        return ()
    here = _posted(connection, rulebook.body, record)
    after = _held(connection, rulebook.body, list(here))
    row = connection.execute(select(records).where(records.c.id == record)).one()
    ranks: dict[int, str] = {}
    for member, points in here.items():
        now = rank_reached(rulebook.ranks, after[member])
        if now is None:
            continue
        earlier = {kind: after[member][kind] - points.get(kind, 0) for kind in after[member]}
        before = rank_reached(rulebook.ranks, earlier)
        if before is None or rulebook.ranks.index(now) > rulebook.ranks.index(before):
            ranks[member] = now.name
    who = members.get(connection, ranks)
    return tuple(Promotion(who[m], rank, record, row.title, row.day) for m, rank in ranks.items())


def _posted(connection: Connection, scheme: str, record: int) -> dict[int, Points]:
    """Points by member and kind of one record."""
    known = kinds.by_id(connection, scheme)
    held: dict[int, Points] = {}
    of_record = summed(connection, postings.c.kind.in_(known), records.c.id == record)
    for (member, kind), units in of_record.items():
        credit(held.setdefault(member, {}), known[kind], units)
    return held


def history(
    connection: Connection, member: int, scheme: str, ranks: Sequence[Rank]
) -> list[Promotion]:
    """Every promotion of a member in the order of posting; a rank lost by a reversal and reached
    again is listed again."""
    known = kinds.by_id(connection, scheme)
    who = members.get(connection, [member])[member]
    points: Points = {}
    promotions: list[Promotion] = []
    rank: Rank | None = None
    for record, lines in _by_record(connection, members.group(connection, member)):
        for line in lines:
            if line.kind in known:
                credit(points, known[line.kind], line.amount)
        reached = rank_reached(ranks, points)
        if reached and (rank is None or ranks.index(reached) > ranks.index(rank)):
            promotions.append(
                Promotion(who, reached.name, record.id, record_title(record), record.day)
            )
        rank = reached
    return promotions


def _by_record(connection: Connection, own: Sequence[int]) -> list[tuple[Any, list[Any]]]:
    """The records that credit these ids, each with the postings that do."""
    grouped: dict[int, tuple[Any, list[Any]]] = {}
    for line, record in postings_of(connection, own):
        grouped.setdefault(record.id, (record, []))[1].append(line)
    return list(grouped.values())
