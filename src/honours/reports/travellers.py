"""Travellers, personal scorecards and the matrix of entrants against boards, as data and text.

The data is rows of text under a header, so that a page, a PDF and a terminal show the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from honours.engine.numbers import show
from honours.reports.match_sheets import board_points, match_card, match_cells
from honours.reports.sheets import Sheet
from honours.scoring.contracts import write_contract, write_tricks
from honours.scoring.rounding import column, decimals
from honours.scoring.scored import NOUNS
from honours.scoring.sides import Side, comparable, entrants, table_score

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from honours.model import Result
    from honours.scoring.scored import Scored, ScoredBoard, ScoredLine, SideScore

__all__ = ["Sheet", "as_data", "as_text", "matrix", "scorecard", "scorecards", "travellers"]


# --- travellers ---------------------------------------------------------------------------------


def travellers(scored: Scored) -> tuple[Sheet, ...]:
    """A sheet for every board, the best North-South score first."""
    won = board_points(scored.matches) if scored.matches and not scored.imps else {}
    sessions = len(scored.event.sessions) > 1
    return tuple(_traveller(board, sessions, won) for board in scored.boards)


def _traveller(
    board: ScoredBoard, sessions: bool, won: Mapping[int, tuple[Fraction, Fraction]]
) -> Sheet:
    """``won`` is what boards were worth to teams, which are not compared with the field."""
    header = ("ns", "ew", "contract", "result", "lead", "score", "ns points", "ew points", "remark")
    ordered = sorted(board.lines, key=_score_order)
    where = f", section {board.section}" if board.section else ""
    when = f", session {board.session}" if sessions else ""
    points = _shown_points([found for line in ordered for found in _both(line, won)])
    cells = zip(ordered, points[::2], points[1::2], strict=True)
    rows = tuple(_traveller_row(line, ns, ew) for line, ns, ew in cells)
    return Sheet(f"Board {board.number}{where}{when}", header, rows)


def _score_order(line: ScoredLine) -> tuple[str, bool, int]:
    score = table_score(line.result)
    ruled = line.result.adjusted is not None or score is None
    return line.result.version, ruled, -(score or 0)


def _both(
    line: ScoredLine, won: Mapping[int, tuple[Fraction, Fraction]]
) -> tuple[list[Fraction], list[Fraction]]:
    """What each side of a line got: two figures where partners of an individual differ."""
    if id(line.result) in won:
        ns, ew = won[id(line.result)]
        return [ns], [ew]
    return _got(line.ns, line.result.ns), _got(line.ew, line.result.ew)


def _got(side: SideScore | None, who: Sequence[str]) -> list[Fraction]:
    return [] if side is None else [side.points_of(one) for one in who]


def _traveller_row(line: ScoredLine, ns_points: str, ew_points: str) -> tuple[str, ...]:
    result = line.result
    return (
        "+".join(result.ns),
        "+".join(result.ew),
        *_contract_and_result(result),
        result.lead,
        shown_score(result, Side.NS),
        ns_points,
        ew_points,
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


def _shown_points(found: Sequence[Sequence[Fraction]]) -> list[str]:
    """What every side got, with as many decimals for all."""
    figures = iter(column(value for side in found for value in side))
    return ["/".join(dict.fromkeys(next(figures) for _ in side)) or "-" for side in found]


def _remark(line: ScoredLine) -> str:
    version = f"version {line.result.version}" if line.result.version else ""
    hows = dict.fromkeys(side.how for _, _, side in line.shares())
    told = [how for how in hows if how not in ("matchpoints", "cross-imps", "butler")]
    return ", ".join(part for part in (version, *told, line.result.remark) if part)


# --- scorecards -----------------------------------------------------------------------------------


def scorecards(scored: Scored) -> tuple[Sheet, ...]:
    """A sheet for every entrant: its boards in order, and its total."""
    return tuple(scorecard(scored, tally.id) for tally in scored.tallies)


def scorecard(scored: Scored, entrant: str) -> Sheet:
    tally = next(t for t in scored.tallies if t.id == entrant)
    title = tally.entrant.entrant.title
    noun = NOUNS.get(scored.event.kind, "entrant").capitalize()
    named = f"{entrant}: {title}" if title != entrant else f"{noun} {entrant}"
    if scored.matches:
        return match_card(scored.matches, tally, named)
    header = ("board", "side", "against", "contract", "result", "score", "points", "%")
    found = list(scored.lines_of(entrant))
    points = column(score.points_of(entrant) for _, _, _, score in found)
    rows = tuple(
        _scorecard_row(entrant, shown, *one) for shown, one in zip(points, found, strict=True)
    )
    total = f"Total {column([tally.points])[0]}"
    if tally.possible:
        total += f" of {show(tally.possible)}: {decimals(tally.score)}%"
    return Sheet(named, header, rows, total)


def _scorecard_row(
    entrant: str, shown: str, board: ScoredBoard, line: ScoredLine, side: Side, score: SideScore
) -> tuple[str, ...]:
    against = entrants(line.result, Side.EW if side is Side.NS else Side.NS)
    points = score.points_of(entrant)
    return (
        str(board.number),
        str(side),
        "+".join(against),
        *_contract_and_result(line.result),
        shown_score(line.result, side),
        shown,
        decimals(100 * points / score.top) if score.top else "",
    )


# --- the matrix ---------------------------------------------------------------------------------


def matrix(scored: Scored) -> tuple[Sheet, ...]:
    """Entrants down, boards across, points inside; a sheet for each session."""
    return tuple(_matrix(scored, session.number) for session in scored.event.sessions)


def _matrix(scored: Scored, session: int) -> Sheet:
    numbers = sorted({b.number for b in scored.boards if b.session == session})
    if scored.matches and scored.event.kind == "teams":
        cells = match_cells(scored.matches, session)
    else:
        cells = _cells(scored, session)
    rows = [
        (tally.id, *(cells.get((tally.id, n), "") for n in numbers), decimals(tally.score))
        for tally in scored.tallies
    ]
    title = f"Session {session}" if len(scored.event.sessions) > 1 else ""
    return Sheet(
        title, (NOUNS.get(scored.event.kind, "entrant"), *map(str, numbers), "score"), tuple(rows)
    )


def _cells(scored: Scored, session: int) -> dict[tuple[str, int], str]:
    """Every entrant's points by board, with as many decimals down a board's column."""
    cells: dict[tuple[str, int], str] = {}
    for board in scored.boards:
        if board.session == session:
            shares = [(who, score) for line in board.lines for who, _, score in line.shares()]
            figures = column(score.points_of(who) for who, score in shares)
            keys = ((who, board.number) for who, _ in shares)
            cells |= dict(zip(keys, figures, strict=True))
    return cells


def as_text(sheets: Sequence[Sheet]) -> str:
    return "\n\n".join(sheet.text() for sheet in sheets)


def as_data(sheets: Sequence[Sheet]) -> Iterator[dict[str, object]]:
    return (sheet.data() for sheet in sheets)
