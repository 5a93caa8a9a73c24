"""Ranking lists and travellers as tables whose figures lead to their reasons."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from honours.engine.numbers import show
from honours.reports import travellers
from honours.reports.scores import points_decimals, score_unit
from honours.scoring.rounding import column
from honours.scoring.scored import NOUNS
from honours.scoring.standings import shown_place, shown_score
from honours.web.tables import Cell, Table, sheet_table, table
from honours.web.texts import mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from honours.model import Field, Standing
    from honours.pipeline import Report
    from honours.scoring import Scored
    from honours.scoring.standings import Ranking


def worked_out(scored: Scored, event_id: str, query: str) -> list[Table]:
    """Every ranking list of a scored event."""
    noun = NOUNS.get(scored.event.kind, "entrant")
    return [_ranking(scored, one, f"/events/{event_id}", noun, query) for one in scored.rankings]


def _ranking(scored: Scored, ranking: Ranking, base: str, noun: str, query: str) -> Table:
    lines = (*ranking.standings, *ranking.unranked)
    points = column([Fraction(s.facts["points"]) for s in lines], points_decimals(scored))
    more = f"&{query[1:]}" if query else ""
    rows = []
    for standing, shown in zip(lines, points, strict=True):
        one = standing.entrant
        href = f"{base}/why?what={quote(f'{noun} {one.id}')}{more}"
        named = one.title if one.title != one.id else ""
        score = Cell(shown_score(standing), href)
        played = str(standing.facts["boards_played"])
        rows.append((shown_place(standing), one.id, named, score, shown, played))
    unit = score_unit(scored)
    header = (mark("place"), noun, mark("name"), unit, mark("points"), mark("boards"))
    return table("standings", ranking.title, header, rows)


def given(report: Report) -> list[Table]:
    """The ranking lists a file gives."""
    return [_given(field) for field in report.lists]


def _given(field: Field) -> Table:
    facts = sorted({name for s in field.standings for name in s.facts})
    header = [mark("place"), mark("entrant"), mark("name"), mark("score")]
    header += [name.rstrip("_").replace("_", " ") for name in facts]
    rows = (_given_row(standing, facts) for standing in field.standings)
    return table("standings", " ".join(field.label.values()), header, rows)


def _given_row(standing: Standing, facts: list[str]) -> list[str]:
    score = "" if standing.score is None else show(standing.score)
    told = (standing.facts.get(name, "") for name in facts)
    shown = (value if isinstance(value, str) else show(value) for value in told)
    return [standing.placing, standing.entrant.id, standing.entrant.title, score, *shown]


def travellers_of(context: dict[str, Any], event_id: str) -> list[Table]:
    """A sheet a board; each line leads to the form that corrects it."""
    scored: Scored = context["scored"]
    return [
        _traveller(sheet_table(f"board-{board.number}", sheet), board.number, event_id)
        for board, sheet in zip(scored.boards, travellers.travellers(scored), strict=True)
    ]


def line_now(scored: Scored, board: str, pair: str) -> Table | None:
    """What a board's sheet says of a pair, or all of it; nothing where there is no such board."""
    for one, sheet in zip(scored.boards, travellers.travellers(scored), strict=True):
        if str(one.number) == board:
            shown = sheet_table(f"board-{board}", sheet)
            own = tuple(row for row in shown.rows if pair in [cell.text for cell in row[:2]])
            return replace(shown, rows=own or shown.rows)
    return None


def _traveller(sheet: Table, board: int, event_id: str) -> Table:
    rows = (tuple(_traveller_cells(row, board, event_id)) for row in sheet.rows)
    return Table(sheet.name, sheet.caption, (*sheet.header, mark("rule")), tuple(rows), sheet.foot)


def _traveller_cells(row: tuple[Cell, ...], board: int, event_id: str) -> Iterator[Cell]:
    yield from row
    pair = quote(row[0].text)
    href = f"/events/{event_id}/rulings/new?kind=correct&board={board}&pair={pair}"
    yield Cell(mark("correct"), href, word=True)
