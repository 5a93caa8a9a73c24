"""The honours board of a period: who earned most, of all and at each club."""

from __future__ import annotations

from fractions import Fraction

from sqlalchemy import Connection, func, select

from honours.ledger import kinds, members
from honours.ledger.balances import ends
from honours.ledger.lists.period import MEMBER_COLUMNS, PointsQuery, live_awards, member_cells
from honours.ledger.schema import OF_RECORD, postings, records
from honours.ledger.shapes import points_cell
from honours.model.message import Message
from honours.model.table import Cell, Column, Table, table
from honours.model.table import Kind as Type

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
