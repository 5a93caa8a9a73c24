"""The year's report: what was awarded where, who earned what, who was promoted, and a statement
for every member."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection, distinct, func, select

from honours.engine.ranks import Rank
from honours.language import DEFAULT, words
from honours.ledger import kinds, members
from honours.ledger.checkpoint import line_of
from honours.ledger.derive import PointsKind
from honours.ledger.lists.period import PointsQuery, live_awards, points_of, points_table
from honours.ledger.lists.promotions import promotions_table
from honours.ledger.schema import OF_RECORD, postings, records
from honours.ledger.shapes import POSTINGS, amount_cell, points_cell
from honours.ledger.statement import Statement, StatementLine, added_up, statement
from honours.model.member import Member
from honours.model.message import Message
from honours.model.table import Cell, Column, Table, table
from honours.model.table import Kind as Type
from honours.reports.drawing import draw_for_pdf
from honours.reports.pdf import PAPERS, typeset

_PRINTED = 300
"""So many rows of a table are printed."""


@dataclass(frozen=True, slots=True)
class YearTables:
    """The tables of a period, and the checkpoint of the ledger from which they were made."""

    asked: PointsQuery
    totals: Table
    promotions: Table
    points: Table
    checkpoint: str

    @property
    def tables(self) -> tuple[Table, ...]:
        return (self.totals, self.promotions, self.points)


def year_of(
    connection: Connection, asked: PointsQuery, ranks: Sequence[Rank], public: bool = False
) -> YearTables:
    """The report of a period, from a single state of the ledger."""
    period = (asked.since, asked.until)
    return YearTables(
        asked,
        totals_table(connection, asked),
        promotions_table(connection, asked.scheme, ranks, *period, public),
        points_table(connection, asked, public),
        line_of(connection),
    )


def totals_table(connection: Connection, asked: PointsQuery) -> Table:
    """What was awarded, by club and kind, and in total."""
    known = {kind.id: kind for kind in kinds.all_kinds(connection, asked.scheme)}
    awarded = live_awards(asked.checked(), connection)
    rows = connection.execute(
        select(
            records.c.club,
            postings.c.kind,
            func.count(distinct(postings.c.record)),
            func.count(distinct(postings.c.member)),
            func.sum(postings.c.amount),
        )
        .join(records, OF_RECORD)
        .where(postings.c.kind.in_(known), *awarded)
        .group_by(records.c.club, postings.c.kind)
        .order_by(records.c.club, postings.c.kind)
    ).all()
    columns = [
        Column("club", Message("club")),
        Column("kind", Message("kind"), lang="en"),
        Column("events", Message("events"), Type.NUMBER),
        Column("members", Message("members"), Type.NUMBER),
        Column("points", Message("points"), Type.NUMBER),
    ]
    cells = [
        (club, known[kind].name, events, people, points_cell(known[kind].points(int(amount))))
        for club, kind, events, people, amount in rows
    ]
    caption = Message("awarded from {since} to {until}", since=asked.since, until=asked.until)
    together = select(func.count(distinct(postings.c.record)))
    together = together.select_from(postings.join(records, OF_RECORD))
    events = connection.scalar(together.where(postings.c.kind.in_(known), *awarded)) or 0
    return table("totals", columns, [*cells, _all(rows, known, int(events))], caption)


def _all(rows: Sequence[Any], known: Mapping[int, PointsKind], events: int) -> list[Cell]:
    total = sum((known[r[1]].points(int(r[4])) for r in rows), Fraction(0))
    return [
        Cell(Message("all")),
        Cell(""),
        Cell(events),
        Cell(None, ""),
        points_cell(total),
    ]


# --- on paper -------------------------------------------------------------------------------------


def year_pdf(year: YearTables, title: str, paper: str = "a4", language: str = DEFAULT) -> bytes:
    """The report for printing."""
    asked = year.asked
    subtitle = Message(
        "{scheme}, {since} to {until}", scheme=asked.scheme, since=asked.since, until=asked.until
    )
    return _sheets(title, subtitle, year.tables, year.checkpoint, paper, language)


def _sheets(
    title: str,
    subtitle: str,
    tables: Sequence[Table],
    checkpoint: str,
    paper: str,
    language: str,
) -> bytes:
    data = {
        "paper": PAPERS[paper],
        "title": words(title, language),
        "subtitle": words(subtitle, language),
        "state": "",
        "language": language,
        "tables": [draw_for_pdf(_printed(one), language) for one in tables],
        "none": words(Message("none"), language),
        "checkpoint": words(Message("The ledger's checkpoint: {line}", line=checkpoint), language),
    }
    return typeset("sheets", data)


def _printed(made: Table) -> Table:
    """A table as it is printed: a very long one from its beginning, saying so."""
    more = len(made.rows) - _PRINTED
    if more <= 0:
        return made
    rest = Message("{caption}; {count:,} more are in the files", caption=made.caption, count=more)
    return replace(made, rows=made.rows[:_PRINTED], caption=rest)


def statement_pdf(
    connection: Connection,
    member: Member,
    since: str = "",
    until: str = "",
    paper: str = "a4",
    language: str = DEFAULT,
) -> bytes:
    """A member's statement for printing, for all time or for a period."""
    account = statement(connection, member)
    title = f"{member.title} {member.number}".strip()
    subtitle = (
        Message("Statement from {since} to {until}", since=since, until=until)
        if since
        else Message("Statement")
    )
    tables = (_of_period(account, since, until), balance_table(account, until))
    return _sheets(title, subtitle, tables, line_of(connection), paper, language)


def _in(line: StatementLine, since: str, until: str) -> bool:
    return (since or "") <= line.day <= (until or "9999")


def _of_period(account: Statement, since: str, until: str) -> Table:
    """The postings of a period, preceded by the balance brought forward."""
    earlier = (line for line in account.lines if line.day < since)
    brought = tuple(
        (
            Cell(""),
            Cell(since),
            Cell(Message("brought forward")),
            Cell(kind.name),
            Cell(""),
            amount_cell(kind, units),
            Cell(""),
        )
        for kind, units in added_up(earlier).items()
    )
    sheet = POSTINGS.table(line for line in account.lines if _in(line, since, until))
    return replace(sheet, rows=(*brought, *sheet.rows))


def balance_table(account: Statement, until: str = "") -> Table:
    """The sums of the postings, by kind."""
    held = added_up(line for line in account.lines if _in(line, "", until))
    columns = [
        Column("scheme", Message("scheme"), lang="en"),
        Column("kind", Message("kind"), lang="en"),
        Column("balance", Message("balance"), Type.NUMBER),
    ]
    rows: list[list[Cell | str]] = [
        [kind.scheme, kind.name, amount_cell(kind, units)] for kind, units in held.items()
    ]
    return table("balances", columns, rows, Message("balances"))


def with_points(
    connection: Connection, asked: PointsQuery, public: bool = False
) -> Iterator[Member]:
    """Everybody who earned something in the period, to print a statement for each."""
    for line in points_of(connection, asked):
        if not (public and line.member.opted_out) and line.member.name != members.ERASED:
            yield line.member
