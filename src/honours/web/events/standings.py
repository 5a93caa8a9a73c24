"""Where the cells of an event's tables lead on its pages: to reasons, and to corrections."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import quote

from honours.model import Standing
from honours.model.message import Message
from honours.model.table import Cell, Column, Kind, Link, Table
from honours.pipeline import Report
from honours.reports import standings, travellers
from honours.scoring import ScoredEvent
from honours.scoring.scored import ScoredBoard
from honours.scoring.standings import shown_score


def scored_rankings(scored: ScoredEvent, event_id: str, query: str) -> list[Table]:
    """Every ranking list of a scored event; a score leads to how it came about."""

    def address(link: Link) -> str:
        more = f"&{query[1:]}" if query else ""
        if link.kind == "reasons":
            return f"/events/{event_id}/why?what={quote(link.name)}{more}"
        return address_in(event_id, query)(link)

    return [standings.ranking_table(scored, one).linked(address) for one in scored.rankings]


def standing_score(standing: Standing) -> str:
    """A standing's score as its list shows it."""
    return shown_score(standing)


def given_rankings(report: Report, event_id: str, query: str) -> list[Table]:
    """The ranking lists a file gives; what entrants are called by is left out where it is nothing
    but their names. Players of a go tournament lead to their games."""
    address = address_in(event_id, query) if report.account.is_go else lambda _: ""
    return [
        (one.without("entrant") if _are_names(one) else one).linked(address)
        for one in standings.rankings(report)
    ]


def _are_names(table: Table) -> bool:
    keys = [column.key for column in table.columns]
    if not {"entrant", "players"} <= set(keys):
        return False
    ids, names = (
        ["".join(filter(str.isalnum, row[keys.index(key)].text.casefold())) for row in table.rows]
        for key in ("entrant", "players")
    )
    return ids == names


def address_in(event_id: str, query: str) -> Callable[[Link], str]:
    """Where things of an event are: a pair's page, a board's."""

    def address(link: Link) -> str:
        if link.kind == "scorecard":
            return f"/events/{event_id}/pairs/{quote(link.name, safe='')}{query}"
        if link.kind == "board":
            at = f"#{quote(link.at)}" if link.at else ""
            return f"/events/{event_id}/boards/{quote(link.name, safe='')}{query}{at}"
        return ""

    return address


def traveller_of(scored: ScoredEvent, place: int, event_id: str, query: str, rules: bool) -> Table:
    """The table of one board with names at hand; for who rules, each line leads to the form that
    corrects it."""
    board, traveller = scored.boards[place], travellers.travellers(scored)[place]
    return _correctable(board, traveller, scored, event_id, query, rules)


def travellers_of(scored: ScoredEvent, event_id: str, query: str, rules: bool) -> list[Table]:
    """A table a board; for who rules, each line leads to the form that corrects it."""
    tables = zip(scored.boards, travellers.travellers(scored), strict=True)
    return [_correctable(board, one, scored, event_id, query, rules) for board, one in tables]


def _correctable(
    board: ScoredBoard,
    traveller: Table,
    scored: ScoredEvent,
    event_id: str,
    query: str,
    rules: bool,
) -> Table:
    named = travellers.with_names(traveller, travellers.names_of(scored))
    linked = named.linked(address_in(event_id, query)).used()
    if not rules:
        return linked
    column = Column("rule", Message("rule"), Kind.WORD)
    form = f"/events/{event_id}/rulings/new?kind=correct&board={board.number}"
    where = f"&section={quote(board.section)}" if board.section else ""
    rule = [
        Cell(
            Message("correct"),
            link=Link("", f"{form}&pair={quote(row[0].text)}{where}"),
            marks=frozenset({"no-print"}),
        )
        for row in traveller.rows
    ]
    return linked.beside(column, rule)


def line_now(scored: ScoredEvent, board: str, pair: str) -> Table | None:
    """What a board's table says of a pair, or all of it; nothing where there is no such board."""
    for one, traveller in zip(scored.boards, travellers.travellers(scored), strict=True):
        if str(one.number) == board:
            shown = traveller.linked(lambda _: "").used()
            own = tuple(row for row in shown.rows if pair in [cell.text for cell in row[:2]])
            return replace(shown, rows=own or shown.rows)
    return None
