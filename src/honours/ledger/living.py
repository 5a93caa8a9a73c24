"""Living points in the ledger: what time and acts have made of members' points by a day.

Figures are derived from the postings and from recorded acts, as the body's rulebook declares them
(:mod:`honours.engine.ranks`); none is ever stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from sqlalchemy import Connection, select

from honours.engine.numbers import show
from honours.engine.ranks import Act, EarnedPoints, LivingPoints, LivingStep
from honours.errors import UnknownName
from honours.formats.reading import iso_day
from honours.ledger import kinds, members
from honours.ledger.balances import ends
from honours.ledger.canonical import data_of, text_of
from honours.ledger.chain import NewRecord, append
from honours.ledger.lists import Listed, ListQuery
from honours.ledger.schema import OF_RECORD, postings, records
from honours.ledger.shapes import person, points_cell
from honours.ledger.statement import record_title
from honours.model.member import Member
from honours.model.message import Message
from honours.model.shape import Item, Shape, titled
from honours.model.table import Column, Kind, Table, headed, table

ACT = "act"


@dataclass(frozen=True, slots=True)
class LivingFigure:
    """A member's figure on a day, and how it came about."""

    member: Member
    points: LivingPoints
    in_force: date
    steps: tuple[LivingStep, ...]

    @property
    def value(self) -> Fraction:
        return self.steps[-1].value if self.steps else Fraction(0)


def record_act(
    connection: Connection,
    member: Member,
    name: str,
    known: Iterable[LivingPoints],
    *,
    title: str,
    day: str,
    who: str,
    why: str = "",
) -> int:
    """Write down that a member did something by which a body lets points change."""
    names = sorted({act for points in known for act in points.acts})
    if name not in names:
        raise UnknownName("act", name, names)
    facts = text_of({"act": name, "member": member.id})
    return append(
        connection,
        NewRecord(ACT, who, why, title=title, day=iso_day("day", day), facts=facts),
    )


def figures(
    connection: Connection,
    scheme: str,
    wanted: Sequence[LivingPoints],
    on: date,
    whose: Sequence[Member] | None = None,
) -> list[LivingFigure]:
    """The living points of members on a day: of these, or of all who earned any, the most first."""
    roots = ends(connection)
    earned = _earned(connection, scheme, on, roots, whose)
    acts = _acts(connection, on, roots)
    who = (
        {member.id: member for member in whose}
        if whose is not None
        else members.get(connection, earned)
    )
    found = [
        LivingFigure(
            one,
            points,
            points.in_force(on),
            points.steps(earned.get(member, ()), acts.get(member, ()), on),
        )
        for member, one in who.items()
        for points in wanted
    ]
    return sorted(found, key=lambda f: (f.points.name, -f.value, f.member.title))


def _earned(
    connection: Connection,
    scheme: str,
    on: date,
    roots: Mapping[int, int],
    whose: Sequence[Member] | None,
) -> dict[int, list[EarnedPoints]]:
    """Return each member's earnings up to a day; an award and its reversal cancel out."""
    known = kinds.by_id(connection, scheme)
    reversed_ = select(records.c.reverses).where(records.c.reverses.is_not(None))
    chosen = (
        select(postings.c.member, postings.c.kind, postings.c.amount, records)
        .join(records, OF_RECORD)
        .where(
            postings.c.kind.in_(known),
            records.c.day <= on.isoformat(),
            records.c.reverses.is_(None),
            records.c.id.not_in(reversed_),
        )
    )
    if whose is not None:
        own = {member.id for member in whose}
        chosen = chosen.where(
            postings.c.member.in_([*own, *(m for m, root in roots.items() if root in own)])
        )
    earned: dict[int, list[EarnedPoints]] = {}
    for row in connection.execute(chosen.order_by(postings.c.id)):
        kind = known[row.kind]
        earned.setdefault(roots[row.member], []).append(
            EarnedPoints(
                date.fromisoformat(row.day),
                kind.name,
                kind.points(row.amount),
                record_title(row),
            )
        )
    return earned


def _acts(connection: Connection, on: date, roots: Mapping[int, int]) -> dict[int, list[Act]]:
    acts: dict[int, list[Act]] = {}
    chosen = select(records).where(records.c.action == ACT, records.c.day <= on.isoformat())
    for row in connection.execute(chosen.order_by(records.c.id)):
        facts = data_of(row.facts)
        member = int(facts["member"])
        acts.setdefault(roots[member], []).append(
            Act(date.fromisoformat(row.day), str(facts["act"]), row.title)
        )
    return acts


FIGURES: Shape[LivingFigure] = Shape(
    "living",
    (
        *person("member."),
        titled("figure", "points.name", lang="en"),
        Item(
            "value",
            title=Message("points"),
            kind=Kind.NUMBER,
            cell=lambda one: points_cell(one.value),
        ),
        Item("in_force", lambda one: one.in_force.isoformat(), Message("as of"), Kind.DATE),
    ),
)


def living(connection: Connection, query: ListQuery) -> Listed:
    """Everybody's living points, or how those of one member came about."""
    known = query.declared("living")
    whose = [members.find(connection, query.member)] if query.member else None
    every = figures(connection, query.scheme, known, query.day, whose)
    shown = [one for one in every if query.shows(one.member)]
    return Listed(map(_steps, shown) if whose and shown else [FIGURES.table(shown)])


def _steps(figure: LivingFigure) -> Table:
    """Return a table of how a figure came about, with the clause it rests on."""
    columns = (
        headed("figure", lang="en"),
        Column("day", Message("date"), Kind.DATE),
        headed("what"),
        Column("value", Message("then"), Kind.NUMBER),
    )
    name = figure.points.name
    rows = [(name, s.day.isoformat(), s.what, points_cell(s.value)) for s in figure.steps]
    caption = Message(
        "{figure} of {day}: {value} [{clause}]",
        figure=name,
        day=figure.in_force,
        value=show(figure.value),
        clause=figure.points.citation.clause,
    )
    return table("living-steps", columns, rows, caption=caption)
