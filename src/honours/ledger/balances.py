"""Balances maintained as postings are made, so that a page of ranks reads only what it shows.

They follow from the postings, the mergers and who is a member, and from nothing else: ``verify``
adds everything up again and compares. A member without points has a total of zero too, and so a
place among the ranks; a visitor has one only with points.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby, repeat
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Text,
    case,
    delete,
    func,
    literal,
    select,
    true,
)

from honours.ledger.bulk import among, insert_rows
from honours.ledger.schema import (
    OF_RECORD,
    aliases,
    balances,
    kinds,
    people,
    postings,
    records,
    totals,
)
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.ledger.derive import PointsKind

_DECIMALS = 6
"""Totals of a scheme are in millionths: its kinds of points may have different smallest units."""


_OF_TOTALS = ("scheme", "member", "total", "held")
_LISTED = ~people.c.visitor & ~select(aliases).where(aliases.c.member == people.c.member).exists()
"""Members who have a place among the ranks even without points."""


class Credit(Protocol):
    """The amount a posting adds, and the member and kind whose balance it adds to."""

    @property
    def member(self) -> int: ...
    @property
    def kind(self) -> int: ...
    @property
    def amount(self) -> int: ...


class PointsWorth(NamedTuple):
    """The scheme of a kind of points, and how many millionths its smallest unit is worth."""

    scheme: str
    millionths: int


def worths(connection: Connection) -> dict[int, PointsWorth]:
    """Return the worth of one unit of each kind of points."""
    rows = connection.execute(select(kinds.c.id, kinds.c.scheme, kinds.c.decimals))
    return {row.id: PointsWorth(row.scheme, 10 ** (_DECIMALS - row.decimals)) for row in rows}


class Roots(dict[int, int]):
    """Merged members with the one each was finally merged into; anybody else is their own."""

    def __missing__(self, member: int) -> int:
        return member


def ends(connection: Connection, some: Iterable[int] | None = None) -> Roots:
    """For every merged member, or for the given ones, the member they were finally merged into."""
    links = _links(connection, some)

    def end(member: int) -> int:
        while member in links:
            member = links[member]
        return member

    return Roots((member, end(member)) for member in links)


def _links(connection: Connection, some: Iterable[int] | None) -> dict[int, int]:
    if some is None:
        return {row.member: row.into for row in connection.execute(select(aliases))}
    links: dict[int, int] = {}
    asked = set(some)
    while asked:
        chosen = select(aliases).where(among(connection, aliases.c.member, asked))
        links |= {row.member: row.into for row in connection.execute(chosen)}
        asked = {links[member] for member in asked & links.keys()} - links.keys()
    return links


def merged_into(connection: Connection, roots: Iterable[int]) -> dict[int, int]:
    """Everybody who was finally merged into one of these members, with that member."""
    merged: dict[int, int] = {}
    asked = {root: root for root in roots}
    while asked:
        chosen = select(aliases).where(among(connection, aliases.c.into, asked))
        asked = {row.member: asked[row.into] for row in connection.execute(chosen)}
        merged |= asked
    return merged


def credit(connection: Connection, lines: Iterable[Credit]) -> None:
    """Add new postings to the balances and totals of their members."""
    own: Counter[tuple[int, int]] = Counter()
    for line in lines:
        own[line.member, line.kind] += line.amount
    if not own:
        return
    _add(connection, own)
    members = {member for member, _ in own}
    roots = ends(connection, members)
    recount(connection, (roots[member] for member in members))


class MemberTotal(NamedTuple):
    """A member's points of a scheme: all of them in millionths, and the units of each kind."""

    total: int
    held: str


_NOTHING = MemberTotal(0, "")


def enter(connection: Connection, members: Collection[int]) -> None:
    """Give new members their places among the ranks; those just credited already have one."""
    if members:
        _place(connection, among(connection, people.c.member, members))


def open_scheme(connection: Connection, scheme: str) -> None:
    """Give everybody a place among the ranks of a new scheme."""
    _place(connection, kinds.c.scheme == scheme)


def _place(connection: Connection, where: Any) -> None:
    there = select(totals.c.member).where(
        totals.c.scheme == kinds.c.scheme, totals.c.member == people.c.member
    )
    without = (
        select(kinds.c.scheme, people.c.member, literal(0), literal(""))
        .distinct()
        .select_from(people.join(kinds, true()))
        .where(where, _LISTED, ~there.exists())
    )
    connection.execute(totals.insert().from_select(_OF_TOTALS, without))


def _listed(connection: Connection, some: Collection[int] | None = None) -> set[int]:
    chosen = select(people.c.member).where(_LISTED)
    if some is not None:
        chosen = chosen.where(among(connection, people.c.member, some))
    return set(connection.scalars(chosen))


def _by_scheme(
    own: Mapping[tuple[int, int], int],
    worth: Mapping[int, PointsWorth],
    roots: Mapping[int, int],
    listed: Collection[int],
) -> dict[tuple[str, int], MemberTotal]:
    units: dict[tuple[str, int], dict[int, int]] = {}
    for (member, kind), amount in own.items():
        held = units.setdefault((worth[kind].scheme, roots[member]), {})
        held[kind] = held.get(kind, 0) + amount
    schemes = {each.scheme for each in worth.values()}
    total = {(scheme, member): _NOTHING for scheme in schemes for member in listed}
    for key, held in units.items():
        total[key] = MemberTotal(
            sum(amount * worth[kind].millionths for kind, amount in held.items()),
            " ".join([f"{kind}:{held[kind]}" for kind in sorted(held)]),
        )
    return total


def units_held(held: str) -> dict[int, int]:
    """The units of each kind, in the form in which a total stores them."""
    pairs = (each.split(":") for each in held.split())
    return {int(kind): int(amount) for kind, amount in pairs}


def _add(connection: Connection, amounts: Mapping[tuple[int, int], int]) -> None:
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    sql = (
        f"INSERT INTO balances (member, kind, amount) VALUES ({mark}, {mark}, {mark}) "
        "ON CONFLICT (member, kind) DO UPDATE SET amount = balances.amount + excluded.amount"
    )
    connection.exec_driver_sql(sql, [(*key, amount) for key, amount in sorted(amounts.items())])


def recount(connection: Connection, changed: Iterable[int]) -> None:
    """Recompute the totals of members whose points or mergers changed."""
    wanted = set(changed)
    group = sorted({*wanted, *merged_into(connection, wanted)})
    roots, worth = ends(connection, group), worths(connection)
    chosen = select(balances).where(among(connection, balances.c.member, group))
    own = {(row.member, row.kind): int(row.amount) for row in connection.execute(chosen)}
    schemes = {each.scheme for each in worth.values()}
    before = totals.c.scheme.in_(schemes) & among(connection, totals.c.member, group)
    connection.execute(delete(totals).where(before))
    listed = _listed(connection, {roots[member] for member in group})
    _fill_totals(connection, _by_scheme(own, worth, roots, listed))


def _fill_totals(connection: Connection, total: Mapping[tuple[str, int], MemberTotal]) -> None:
    rows = [(*key, *amounts) for key, amounts in sorted(total.items())]
    insert_rows(connection, totals, _OF_TOTALS, rows)


def summed(connection: Connection, *conditions: ColumnElement[bool]) -> dict[tuple[int, int], int]:
    """The sum of the postings of some records, or of all: units by member and kind, with merged
    members counted as the member they were merged into."""
    chosen = select(postings.c.member, postings.c.kind, func.sum(postings.c.amount))
    chosen = chosen.join(records, OF_RECORD).where(*conditions)
    rows = connection.execute(chosen.group_by(postings.c.member, postings.c.kind)).all()
    roots = ends(connection, {row.member for row in rows})
    units: Counter[tuple[int, int]] = Counter()
    for member, kind, amount in rows:
        units[roots[member], kind] += int(amount)
    return dict(units)


_steps = select(aliases.c.member, aliases.c.into).cte("steps", recursive=True)
_steps = _steps.union_all(
    select(_steps.c.member, aliases.c.into).join(aliases, aliases.c.member == _steps.c.into)
)
_further = select(aliases).where(aliases.c.member == _steps.c.into)
_roots = select(_steps.c.member, _steps.c.into).where(~_further.exists()).subquery("roots")
_of_roots = _roots.c.member == postings.c.member
OWNED = postings.join(records, OF_RECORD).outerjoin(_roots, _of_roots)
OWNER = func.coalesce(_roots.c.into, postings.c.member)
"""Whose a posting is, following mergers: a column of ``OWNED``, every posting with its record."""


class Earned(NamedTuple):
    """The earnings of a member, at a club or in all: the total in millionths, in how many events,
    how many of these counted, and the units of each kind."""

    club: str
    member: int
    total: int
    events: int
    counted: int
    units: dict[int, int]


def earned(
    connection: Connection,
    known: Collection[PointsKind],
    *conditions: ColumnElement[bool],
    best: int = 0,
    by_club: bool = False,
    first: int = 0,
) -> Iterator[Earned]:
    """Yield what everybody earned of these kinds by records that meet the conditions, the most
    first: all of it or the ``best`` results of each, of everybody or of those in the ``first``
    places. The database adds up, and sorts what does not fit into memory."""
    ids = [kind.id for kind in known]
    units = [
        func.sum(case((postings.c.kind == each, postings.c.amount), else_=0)).label(f"kind_{each}")
        for each in ids
    ]
    where = (records.c.club if by_club else literal("", Text)).label("where_")
    events = (
        select(where, OWNER.label("owner"), postings.c.record, *units)
        .select_from(OWNED)
        .where(postings.c.kind.in_(ids), *conditions)
        .group_by("where_", "owner", postings.c.record)
        .subquery()
    )
    worth = literal(0) + sum(
        events.c[f"kind_{kind.id}"] * 10 ** (_DECIMALS - kind.decimals) for kind in known
    )
    whose = (events.c.where_, events.c.owner)
    nth = func.row_number().over(partition_by=whose, order_by=(worth.desc(), events.c.record))
    results = select(events, worth.label("worth"), nth.label("nth")).subquery()

    def added(column: Any) -> Any:
        return func.sum(case((results.c.nth <= best, column), else_=0) if best else column)

    total = added(results.c.worth)
    place = func.rank().over(partition_by=results.c.where_, order_by=total.desc())
    sums = (
        select(
            results.c.where_,
            results.c.owner,
            total.label("total"),
            func.count().label("events"),
            added(1).label("counted"),
            place.label("place"),
            *(added(results.c[f"kind_{each}"]).label(f"kind_{each}") for each in ids),
        )
        .group_by(results.c.where_, results.c.owner)
        .subquery()
    )
    chosen = select(sums).outerjoin(people, people.c.member == sums.c.owner)
    if first:
        chosen = chosen.where(sums.c.place <= first)
    ordered = chosen.order_by(
        sums.c.where_, sums.c.total.desc(), people.c.sought, sums.c.owner
    ).execution_options(yield_per=1_000)
    with connection.execute(ordered) as rows:
        for row in rows:
            held = {each: int(n) for each, n in zip(ids, row[6:], strict=True) if n}
            total_, events_, counted = map(int, row[2:5])
            yield Earned(row.where_, int(row.owner), total_, events_, counted, held)


def wrong(
    connection: Connection, credited: Collection[int] | None = None
) -> Iterator[tuple[Message, Message]]:
    """Every balance or total that differs from the sum of the postings: where, and what is
    wrong; for everybody, or for those credited and everybody merged with them. Both are read side
    by side in the order of the members, and never all at once."""
    some = None if credited is None else family(credited, ends(connection))

    def rows(chosen: Select[Any], column: Any, order: Any) -> Iterator[Any]:
        of_some = chosen if some is None else chosen.where(among(connection, column, some))
        ordered = of_some.order_by(order).execution_options(yield_per=5_000)
        with connection.execute(ordered) as found:
            yield from found

    whose, amount = (postings.c.member, postings.c.kind), func.sum(postings.c.amount)
    posted = rows(select(*whose, amount).group_by(*whose), whose[0], whose[0])
    kept = rows(select(balances), balances.c.member, balances.c.member)
    for member, own, there in _side_by_side(posted, kept):
        units = {kind: int(n) for _, kind, n in own}
        yield from _unlike("balances", member, {k: int(n) for _, k, n in there}, units)
    owned = select(OWNER.label("owner"), postings.c.kind, amount)
    owned = owned.select_from(postings.outerjoin(_roots, _of_roots)).group_by("owner", whose[1])
    listed = select(people.c.member, literal(0), literal(0)).where(_LISTED)
    expected = heapq.merge(
        rows(owned, postings.c.member, "owner"),
        rows(listed, people.c.member, people.c.member),
        key=itemgetter(0),
    )
    held = select(totals.c.member, totals.c.scheme, totals.c.total, totals.c.held)
    worth = worths(connection)
    for member, own, there in _side_by_side(expected, rows(held, totals.c.member, totals.c.member)):
        units = {(member, kind): int(n) for _, kind, n in own if kind}
        place = [member] if any(not kind for _, kind, _ in own) else []
        found = {scheme: f"{total} ({text})" for _, scheme, total, text in there}
        total_of = _by_scheme(units, worth, Roots(), place)
        right = {scheme: f"{one.total} ({one.held})" for (scheme, _), one in total_of.items()}
        yield from _unlike("totals", member, found, right)


def _unlike(
    table: str, member: int, kept: Mapping[Any, Any], posted: Mapping[Any, Any]
) -> Iterator[tuple[Message, Message]]:
    """Yield where what is kept of a member differs from what was posted."""
    for key in sorted({*kept, *posted}):
        if kept.get(key) != posted.get(key):
            difference = Message(
                "{kept} kept, {posted} posted", kept=kept.get(key, 0), posted=posted.get(key, 0)
            )
            yield Message("{table} {key}", table=table, key=member), difference


def _side_by_side(
    one: Iterable[Any], other: Iterable[Any]
) -> Iterator[tuple[int, list[Any], list[Any]]]:
    """Each member of either, with their rows of both; rows begin with the member and are in the
    order of the members."""
    marked = [zip(rows, repeat(side)) for side, rows in enumerate((one, other))]
    by_member = groupby(heapq.merge(*marked, key=lambda each: each[0][0]), lambda each: each[0][0])
    for member, rows in by_member:
        both: tuple[list[Any], list[Any]] = ([], [])
        for row, side in rows:
            both[side].append(row)
        yield int(member), *both


def family(some: Collection[int], roots: Mapping[int, int]) -> list[int]:
    """These members, those they were finally merged into, and all others merged into the same."""
    last = {roots[member] for member in some}
    return sorted({*some, *last, *(member for member, root in roots.items() if root in last)})
