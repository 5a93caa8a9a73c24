"""Where the cells of an event's tables lead on its pages: to reasons, and to corrections."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from honours.model.message import Message
from honours.model.table import Cell, Column, Kind, Link, Table
from honours.reports import standings, travellers

if TYPE_CHECKING:
    from honours.pipeline import Report
    from honours.scoring import Scored


def worked_out(scored: Scored, event_id: str, query: str) -> list[Table]:
    """Every ranking list of a scored event; a score leads to how it came about."""

    def address(link: Link) -> str:
        more = f"&{query[1:]}" if query else ""
        what = f"/events/{event_id}/why?what={quote(link.name)}{more}"
        return what if link.kind == "reasons" else ""

    return [standings.ranking_table(scored, one).linked(address) for one in scored.rankings]


def given(report: Report) -> list[Table]:
    """The ranking lists a file gives."""
    return list(standings.rankings(report))


def travellers_of(scored: Scored, event_id: str) -> list[Table]:
    """A table a board; each line leads to the form that corrects it."""
    column = Column("rule", Message("rule"), Kind.WORD)
    tables = []
    for traveller in travellers.travellers(scored):
        links = [row[0].link for row in traveller.rows]
        rule = [Cell(Message("correct"), link=link) for link in links]
        plain = traveller.linked(lambda _: "").used().beside(column, rule)
        tables.append(plain.linked(lambda link: _correction(link, event_id)))
    return tables


def _correction(link: Link, event_id: str) -> str:
    board, _, pair = link.name.partition("/")
    form = f"/events/{event_id}/rulings/new?kind=correct"
    return f"{form}&board={board}&pair={quote(pair)}"


def line_now(scored: Scored, board: str, pair: str) -> Table | None:
    """What a board's table says of a pair, or all of it; nothing where there is no such board."""
    for one, traveller in zip(scored.boards, travellers.travellers(scored), strict=True):
        if str(one.number) == board:
            shown = traveller.linked(lambda _: "").used()
            own = tuple(row for row in shown.rows if pair in [cell.text for cell in row[:2]])
            return replace(shown, rows=own or shown.rows)
    return None
