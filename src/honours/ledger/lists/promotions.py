"""Who was promoted in a period, with numbers, and by which event.

Points count in the order they were posted, as in a member's own history; a promotion is dated by
the event that caused it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, select

from honours.engine.ranks import Rank, rank_reached
from honours.ledger import kinds, members
from honours.ledger.balances import ends, family
from honours.ledger.bulk import among, lots
from honours.ledger.derive import Points, PointsKind, credit
from honours.ledger.ranks import Promotion
from honours.ledger.schema import OF_RECORD, postings, records
from honours.ledger.shapes import PROMOTIONS
from honours.ledger.years import counted_day
from honours.model.message import Message
from honours.model.table import Table


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
            touched.setdefault(member, (line.id, _place(ranks, points, places)))
            credit(points, known[line.kind], int(line.amount))
        for member, (posting, before) in touched.items():
            now = _place(ranks, held[member], places)
            if now > before:
                yield posting, member, ranks[now].name


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
    return PROMOTIONS.table(rows, caption)
