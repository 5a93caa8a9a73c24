"""The year's report: what was awarded where, who earned what, who was promoted, and a statement
for every member."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, distinct, func, not_, select

from honours.language import DEFAULT, words
from honours.ledger import members
from honours.ledger.balances import OWNED, OWNER
from honours.ledger.bulk import among, lots
from honours.ledger.checkpoint import line_of
from honours.ledger.list_tables import live_awards, points_of, promoted, promotions_table
from honours.ledger.lists import LISTS, ListQuery
from honours.ledger.ranks import Promotion
from honours.ledger.shapes import POSTINGS, amount_cell
from honours.ledger.statement import Statement, StatementLine, added_up, statement
from honours.model.member import Member
from honours.model.message import Message
from honours.model.table import Cell, Table, headed, table
from honours.model.table import Kind as Type
from honours.reports.drawing import draw_for_pdf
from honours.reports.pdf import PAPERS, typeset

_PRINTED = 300
"""So many rows of a table are printed."""


@dataclass(frozen=True, slots=True)
class YearTables:
    """The tables of a period as they are printed, those promoted, and the checkpoint of the ledger
    from which they were made."""

    asked: ListQuery
    tables: tuple[Table, ...]
    promoted: tuple[Promotion, ...]
    checkpoint: str


def year_of(connection: Connection, asked: ListQuery) -> YearTables:
    """The report of a period, from a single state of the ledger."""
    live = live_awards(connection, asked.checked())
    if asked.public and (hidden := members.hidden(connection)):
        live.append(not_(among(connection, OWNER, hidden)))
    everybody = connection.scalar(
        select(func.count(distinct(OWNER))).select_from(OWNED).where(*live)
    )
    reached = promoted(connection, asked)
    short = (_whole(connection, asked, "totals"), _whole(connection, asked, "board"))
    points = next(iter(LISTS["points"].make(connection, asked).tables))
    tables = (
        *(_printed(one, len(one.rows)) for one in (*short, promotions_table(asked, reached))),
        _printed(points, everybody or 0),
    )
    return YearTables(asked, tables, tuple(reached), line_of(connection))


def _whole(connection: Connection, asked: ListQuery, name: str) -> Table:
    return LISTS[name].make(connection, asked).table()


def year_lists(connection: Connection, year: YearTables) -> Iterator[tuple[str, Iterable[Table]]]:
    """Every list of a year's report by its name, whole, and the roll; long ones in parts."""
    whole = replace(year.asked, for_programs=True)
    yield "promotions", [promotions_table(whole, year.promoted)]
    for name in ("totals", "board", "points", "roll"):
        yield name, LISTS[name].make(connection, whole).tables


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
        "tables": [draw_for_pdf(one, language) for one in tables],
        "none": words(Message("none"), language),
        "checkpoint": words(Message("The ledger's checkpoint: {line}", line=checkpoint), language),
    }
    return typeset("sheets", data)


def _printed(made: Table, count: int) -> Table:
    """A table as it is printed: a very long one from its beginning, saying so."""
    if count <= _PRINTED:
        return made
    more = count - _PRINTED
    rest = Message("{caption}; {count:,} more are in the files", caption=made.caption, count=more)
    return replace(made, rows=made.rows[:_PRINTED], caption=rest)


_TOGETHER = 100
"""So many certificates are in one document."""


def certificates(year: YearTables, language: str = DEFAULT, paper: str = "a4") -> Iterator[bytes]:
    """A certificate of rank for everybody who was promoted, in documents for printing."""
    for some in lots(year.promoted, _TOGETHER):
        pages = [
            {
                "name": one.member.title,
                "number": one.member.number,
                "award": one.rank,
                "what": Message("reached with {event}, {day}", event=one.title, day=one.day),
            }
            for one in some
        ]
        data = {
            "paper": PAPERS[paper],
            "title": Message("Certificates of rank"),
            "subtitle": "",
            "club": year.asked.scheme,
            "pages": pages,
            "words": {
                "certificate": Message("Certificate"),
                "awarded_to": Message("has reached the rank of"),
                "director": Message("President, date"),
                "secretary": Message("Master point secretary, date"),
                "under": Message("The ledger's checkpoint: {line}", line=year.checkpoint),
            },
        }
        yield typeset("certificates", {**_told(data, language), "language": language})


def _told(value: Any, language: str) -> Any:
    """Plain data with every message in words."""
    if isinstance(value, dict):
        return {key: _told(one, language) for key, one in value.items()}
    if isinstance(value, list):
        return [_told(one, language) for one in value]
    return words(value, language) if isinstance(value, str) else value


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
        headed("scheme", lang="en"),
        headed("kind", lang="en"),
        headed("balance", Type.NUMBER),
    ]
    rows: list[list[Cell | str]] = [
        [kind.scheme, kind.name, amount_cell(kind, units)] for kind, units in held.items()
    ]
    return table("balances", columns, rows, Message("balances"))


def with_points(connection: Connection, asked: ListQuery) -> Iterator[Member]:
    """Everybody who earned something in the period, to print a statement for each."""
    for line in points_of(connection, asked):
        if asked.shows(line.member) and line.member.name != members.ERASED:
            yield line.member
