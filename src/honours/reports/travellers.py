"""Travellers, personal scorecards and the matrix of entrants against boards, as data and text.

The data is rows of text under a header, so that a page, a PDF and a terminal show the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from honours.engine.numbers import show
from honours.reports.tables import text_table
from honours.scoring.contracts import write_contract, write_tricks
from honours.scoring.rounding import decimals
from honours.scoring.sides import Side, comparable, entrants, table_score

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from honours.model import Result
    from honours.scoring.scored import Scored, ScoredBoard, ScoredLine, SideScore


@dataclass(frozen=True, slots=True)
class Sheet:
    """One table with its title; ``foot`` is what stands below it."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    foot: str = ""

    def text(self) -> str:
        body = text_table(self.header, self.rows)
        return "\n".join(part for part in (self.title, body, self.foot) if part)

    def data(self) -> dict[str, object]:
        rows = [dict(zip(self.header, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "foot": self.foot}


# --- travellers ---------------------------------------------------------------------------------


def travellers(scored: Scored) -> tuple[Sheet, ...]:
    """A sheet for every board, the best North-South score first."""
    return tuple(_traveller(board, len(scored.event.sessions) > 1) for board in scored.boards)


def _traveller(board: ScoredBoard, sessions: bool) -> Sheet:
    header = ("ns", "ew", "contract", "result", "lead", "score", "ns points", "ew points", "remark")
    ordered = sorted(board.lines, key=_score_order)
    where = f", section {board.section}" if board.section else ""
    when = f", session {board.session}" if sessions else ""
    rows = tuple(_traveller_row(line) for line in ordered)
    return Sheet(f"Board {board.number}{where}{when}", header, rows)


def _score_order(line: ScoredLine) -> tuple[str, bool, int]:
    score = table_score(line.result)
    ruled = line.result.adjusted is not None or score is None
    return line.result.version, ruled, -(score or 0)


def _traveller_row(line: ScoredLine) -> tuple[str, ...]:
    result = line.result
    return (
        "+".join(result.ns),
        "+".join(result.ew),
        *_contract_and_result(result),
        result.lead,
        shown_score(result, Side.NS),
        _points(line.ns, result.ns),
        _points(line.ew, result.ew),
        _remark(line),
    )


def _contract_and_result(result: Result) -> tuple[str, str]:
    if result.passed_out:
        return "Pass", ""
    if result.contract is None:
        return "", ""
    made = "" if result.tricks is None else write_tricks(result.contract, result.tricks)
    return write_contract(result.contract), made


def shown_score(result: Result, side: Side) -> str:
    """The side's own score, ``ruling`` where it is not one number, ``-`` where there is none."""
    own = comparable(result, side)
    if own is not None and len(own) == 1:
        return str(own[0][1])
    return "-" if result.adjusted is None else "ruling"


def _points(side: SideScore | None, who: Sequence[str]) -> str:
    if side is None:
        return "-"
    return "/".join(dict.fromkeys(show(side.points_of(one)) for one in who))


def _remark(line: ScoredLine) -> str:
    version = f"version {line.result.version}" if line.result.version else ""
    hows = dict.fromkeys(side.how for _, _, side in line.shares())
    told = [how for how in hows if how not in ("matchpoints", "IMPs")]
    return ", ".join(part for part in (version, *told, line.result.remark) if part)


# --- scorecards -----------------------------------------------------------------------------------


def scorecards(scored: Scored) -> tuple[Sheet, ...]:
    """A sheet for every entrant: its boards in order, and its total."""
    return tuple(scorecard(scored, tally.id) for tally in scored.tallies)


def scorecard(scored: Scored, entrant: str) -> Sheet:
    tally = next(t for t in scored.tallies if t.id == entrant)
    header = ("board", "side", "against", "contract", "result", "score", "points", "%")
    rows = tuple(
        _scorecard_row(entrant, board, line, side, score)
        for board, line, side, score in scored.lines_of(entrant)
    )
    total = f"Total {decimals(tally.points)}"
    if tally.possible:
        total += f" of {show(tally.possible)}: {decimals(tally.score)}%"
    title = tally.entrant.entrant.title
    named = f"{entrant}: {title}" if title != entrant else f"Pair {entrant}"
    return Sheet(named, header, rows, total)


def _scorecard_row(
    entrant: str, board: ScoredBoard, line: ScoredLine, side: Side, score: SideScore
) -> tuple[str, ...]:
    against = entrants(line.result, Side.EW if side is Side.NS else Side.NS)
    points = score.points_of(entrant)
    return (
        str(board.number),
        str(side),
        "+".join(against),
        *_contract_and_result(line.result),
        shown_score(line.result, side),
        show(points),
        decimals(100 * points / score.top) if score.top else "",
    )


# --- the matrix ---------------------------------------------------------------------------------


def matrix(scored: Scored) -> tuple[Sheet, ...]:
    """Entrants down, boards across, points inside; a sheet for each session."""
    return tuple(_matrix(scored, session.number) for session in scored.event.sessions)


def _matrix(scored: Scored, session: int) -> Sheet:
    numbers = sorted({b.number for b in scored.boards if b.session == session})
    rows = []
    for tally in scored.tallies:
        cells = _cells(scored, tally.id, session)
        score = decimals(tally.score)
        rows.append((tally.id, *(cells.get(number, "") for number in numbers), score))
    title = f"Session {session}" if len(scored.event.sessions) > 1 else ""
    return Sheet(title, ("pair", *map(str, numbers), "score"), tuple(rows))


def _cells(scored: Scored, entrant: str, session: int) -> dict[int, str]:
    return {
        board.number: show(score.points_of(entrant))
        for board, _, _, score in scored.lines_of(entrant)
        if board.session == session
    }


def as_text(sheets: Sequence[Sheet]) -> str:
    return "\n\n".join(sheet.text() for sheet in sheets)


def as_data(sheets: Sequence[Sheet]) -> Iterator[dict[str, object]]:
    return (sheet.data() for sheet in sheets)
