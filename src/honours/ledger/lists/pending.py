"""Points that somebody misses: held for review, posted and not sent yet, sent and turned back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.ledger import kinds, members, release, submissions
from honours.ledger.balances import ends
from honours.ledger.bulk import lots
from honours.ledger.derive import PointsKind, awards_of, lines_of
from honours.ledger.lists.period import MEMBER_COLUMNS, member_cells
from honours.ledger.schema import OF_RECORD, postings, records
from honours.ledger.shapes import amount_cell
from honours.model.member import Member
from honours.model.message import Message
from honours.model.table import Column, Table, table
from honours.model.table import Kind as Type


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
        for one in (*_held(connection, known, newcomers), *_unsent(connection, known))
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


def _held(
    connection: Connection, known: Mapping[int, PointsKind], newcomers: dict[int, Member]
) -> Iterator[_Missing]:
    """What drafts would credit; those who are new in one have numbers of their own."""
    status = Message("held for review")
    for draft in release.all_drafts(connection, release.PENDING):
        try:
            event = release.event_of(draft)
            _, paid = kinds.payment_of(connection, event.rulebook, event.kind)
            lines = lines_of(_awards(event.rulebook, draft), paid)
        except HonoursError:
            continue
        for line in lines:
            if line.kind in known:
                member = line.member - 10**6 * draft.id if line.member < 0 else line.member
                if line.member < 0:
                    newcomers[member] = draft.newcomers[line.member]
                about = (draft.title, str(draft.content["day"]), known[line.kind], line.amount)
                yield _Missing(member, *about, status, draft.at[:10])


def _awards(book: Rulebook, draft: release.Draft) -> Any:
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
