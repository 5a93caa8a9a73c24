"""Who was promoted in a period, with numbers, and by which event.

Points count in the order they were posted, as in a member's own history; a promotion is dated by
the event that caused it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from honours.engine.ranks import Rank, rank_reached
from honours.ledger import kinds, members, tables
from honours.ledger.balances import ends, family
from honours.ledger.bulk import lots
from honours.ledger.derive import Points, PointsKind, credit
from honours.ledger.ranks import Promotion
from honours.ledger.schema import postings, records
from honours.ledger.years import counted_day
from honours.model.message import Message
from honours.model.table import Table


def promotions(
    connection: Connection, scheme: str, ranks: Sequence[Rank], since: str, until: str
) -> list[Promotion]:
    """Every promotion of the period, in the order of posting; a rank that came with an opening
    balance is not one. Only the postings from the first record of the period to its last are
    read; earlier ones are added up by the database."""
    inside = _records(connection, since, until)
    if not inside or not ranks:
        return []
    known = {kind.id: kind for kind in kinds.all_kinds(connection, scheme)}
    first = min(row.first_posting for row in inside.values())
    last = max(row.first_posting + row.postings for row in inside.values())
    roots = ends(connection)
    lines = connection.execute(
        select(postings.c.record, postings.c.member, postings.c.kind, postings.c.amount)
        .where(postings.c.id >= first, postings.c.id < last, postings.c.kind.in_(known))
        .order_by(postings.c.id)
    ).all()
    group = family({line.member for line in lines}, roots)
    held = _before(connection, group, first, known, roots)
    reached = _replayed(lines, held, known, roots, ranks, inside)
    who = members.get(connection, [member for member, _, _ in reached])
    return [
        Promotion(who[member], rank, row.id, row.title, row.day) for member, rank, row in reached
    ]


def _records(connection: Connection, since: str, until: str) -> dict[int, Any]:
    chosen = select(
        records.c.id,
        records.c.title,
        records.c.day,
        records.c.first_posting,
        records.c.postings,
    ).where(
        records.c.postings > 0,
        records.c.action != "opening",
        counted_day(connection).between(since, until),
    )
    return {row.id: row for row in connection.execute(chosen)}


def _before(
    connection: Connection,
    group: Sequence[int],
    first: int,
    known: Mapping[int, PointsKind],
    roots: Mapping[int, int],
) -> dict[int, Points]:
    """What members held before the first posting."""
    held: dict[int, Points] = {}
    for some in lots(group):
        summed = (
            select(postings.c.member, postings.c.kind, func.sum(postings.c.amount))
            .where(postings.c.member.in_(some), postings.c.id < first, postings.c.kind.in_(known))
            .group_by(postings.c.member, postings.c.kind)
        )
        for member, kind, amount in connection.execute(summed):
            own = held.setdefault(roots.get(member, member), {})
            credit(own, known[kind], int(amount))
    return held


def _replayed(
    lines: Sequence[Any],
    held: dict[int, Points],
    known: Mapping[int, PointsKind],
    roots: Mapping[int, int],
    ranks: Sequence[Rank],
    inside: Mapping[int, Any],
) -> list[tuple[int, str, Any]]:
    """Who reached which rank by which record; all postings of a record count together."""
    places = {rank.name: place for place, rank in enumerate(ranks)}
    reached: list[tuple[int, str, Any]] = []
    start = 0
    while start < len(lines):
        number = lines[start].record
        touched: dict[int, int] = {}
        while start < len(lines) and lines[start].record == number:
            line = lines[start]
            member = roots.get(line.member, line.member)
            own = held.setdefault(member, {})
            if member not in touched:
                touched[member] = _place(ranks, own, places)
            credit(own, known[line.kind], int(line.amount))
            start += 1
        for member, before in touched.items():
            now = _place(ranks, held[member], places)
            if now > before and number in inside:
                reached.append((member, ranks[now].name, inside[number]))
    return reached


def _place(ranks: Sequence[Rank], points: Points, places: Mapping[str, int]) -> int:
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
    return tables.promotions_table(rows, caption)
