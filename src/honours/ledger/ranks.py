"""Ranks: where every member stands, what is missing for the next, and who was promoted by what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select, true

from honours.engine.ranks import TOTAL, Rank, rank_reached
from honours.engine.rulebook import Rulebook
from honours.ledger import kinds, members
from honours.ledger.derive import Kind
from honours.ledger.members import Member
from honours.ledger.schema import postings, records
from honours.ledger.statement import postings_of
from honours.rulebooks import ids, load

Points = dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class Promotion:
    """A member who reached a rank, and the record whose postings did it."""

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


def ladder(scheme: str, folders: Iterable[str | Path] = ()) -> tuple[Rank, ...]:
    """The ranks of a scheme, from its rulebooks."""
    folders = tuple(folders)
    books = (load(each, folders) for each in ids(folders))
    return next((book.ranks for book in books if book.body == scheme and book.ranks), ())


def rungs(connection: Connection, scheme: str, ranks: Sequence[Rank]) -> list[Rung]:
    """Everybody with points of the scheme, the highest first."""
    held = _held(connection, scheme, true())
    who = members.get(connection, held)
    found = [_rung(who[member], points, ranks) for member, points in held.items()]
    return sorted(found, key=lambda r: (-sum(r.points.values()), r.member.title))


def _rung(member: Member, points: Points, ranks: Sequence[Rank]) -> Rung:
    reached = rank_reached(ranks, points)
    above = ranks[ranks.index(reached) + 1 :] if reached else ranks
    following = next(iter(above), None)
    held = {**points, TOTAL: sum(points.values(), Fraction(0))}
    missing = {
        kind: least - held.get(kind, Fraction(0))
        for kind, least in (following.needs.items() if following else ())
        if held.get(kind, Fraction(0)) < least
    }
    name = reached.name if reached else ""
    return Rung(member, points, name, following.name if following else "", missing)


def _credit(points: Points, kind: Kind, amount: int) -> None:
    worth = Fraction(amount, 10**kind.decimals)
    points[kind.name] = points.get(kind.name, Fraction(0)) + worth


def promotions_by(connection: Connection, rulebook: Rulebook, record: int) -> tuple[Promotion, ...]:
    """Who reached a rank with this record, among those it credits."""
    if not rulebook.ranks:
        return ()
    here = _held(connection, rulebook.body, postings.c.record == record)
    after = _held(connection, rulebook.body, postings.c.member.in_(_everyone_of(connection, here)))
    row = connection.execute(select(records).where(records.c.id == record)).one()
    found: dict[int, str] = {}
    for member, points in here.items():
        now = rank_reached(rulebook.ranks, after[member])
        earlier = {kind: after[member][kind] - points.get(kind, 0) for kind in after[member]}
        before = rank_reached(rulebook.ranks, earlier)
        if now and (before is None or rulebook.ranks.index(now) > rulebook.ranks.index(before)):
            found[member] = now.name
    who = members.get(connection, found)
    return tuple(Promotion(who[m], rank, record, row.title, row.day) for m, rank in found.items())


def _everyone_of(connection: Connection, roots_: Iterable[int]) -> list[int]:
    """These members and all who were merged into them."""
    wanted = set(roots_)
    return [*wanted, *(m for m, into in members.roots(connection).items() if into in wanted)]


def _held(connection: Connection, scheme: str, condition: Any) -> dict[int, Points]:
    """Points by member and kind over the postings that fulfil a condition."""
    known = {k.id: k for k in kinds.all_kinds(connection, scheme)}
    roots = members.roots(connection)
    held: dict[int, Points] = {}
    rows = connection.execute(
        select(postings.c.member, postings.c.kind, func.sum(postings.c.amount).label("amount"))
        .where(postings.c.kind.in_(known), condition)
        .group_by(postings.c.member, postings.c.kind)
    )
    for row in rows:
        own = held.setdefault(roots.get(row.member, row.member), {})
        _credit(own, known[row.kind], int(row.amount))
    return held


def history(
    connection: Connection, member: int, scheme: str, ranks: Sequence[Rank]
) -> list[Promotion]:
    """Every promotion of a member in the order of posting; a rank lost by a reversal and reached
    again is there again."""
    known = {k.id: k for k in kinds.all_kinds(connection, scheme)}
    who = members.get(connection, [member])[member]
    points: Points = {}
    promotions: list[Promotion] = []
    rank: Rank | None = None
    for record, lines in _by_record(connection, members.group(connection, member)):
        for line in lines:
            if line.kind in known:
                _credit(points, known[line.kind], line.amount)
        reached = rank_reached(ranks, points)
        if reached and (rank is None or ranks.index(reached) > ranks.index(rank)):
            promotions.append(Promotion(who, reached.name, record.id, record.title, record.day))
        rank = reached
    return promotions


def _by_record(connection: Connection, own: Sequence[int]) -> list[tuple[Any, list[Any]]]:
    """The records that credit these ids, each with the postings that do."""
    grouped: dict[int, tuple[Any, list[Any]]] = {}
    for line, record in postings_of(connection, own):
        grouped.setdefault(record.id, (record, []))[1].append(line)
    return list(grouped.values())
