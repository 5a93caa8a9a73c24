"""Evenings as data: for phones, programs and the pages' scripts."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from honours.evening.acts import has_moved_on
from honours.evening.board_lines import BoardLine, BoardPlace
from honours.evening.doubts import questions
from honours.evening.evening import Evening
from honours.evening.live import progress, round_clock
from honours.evening.plan import TableRound
from honours.formats.notation import spelled
from honours.language import words
from honours.model import Contract, Denomination, Seat
from honours.scoring.contracts import TRICKS, contract_score, dealer, vulnerable
from honours.scoring.scored import is_played

LEVELS = 7


def line_data(evening: Evening, line: BoardLine, language: str = "en") -> dict[str, Any]:
    """A line with what is asked about it."""
    asked = [words(one, language) for one in questions(evening, line)]
    return {**_alone(line, language), "questions": asked}


@lru_cache(20_000)
def _alone(line: BoardLine, language: str) -> dict[str, Any]:
    return {
        **line.place._asdict(),
        "ns": list(line.ns),
        "ew": list(line.ew),
        "text": line.text,
        "spelled": spelled(line.text, language),
        "lead": line.lead,
        "state": line.state,
        "version": line.version,
        "by": line.by,
        "score": line.score,
    }


def evening_data(evening: Evening) -> dict[str, Any]:
    """An evening in short."""
    made, of = progress(evening)
    return {
        "id": evening.id,
        "title": evening.plan.title,
        "date": evening.plan.date,
        "club": evening.plan.club,
        "section": evening.plan.section,
        "number": evening.number,
        "round": evening.current,
        "rounds": len(evening.rounds),
        "results": made,
        "of": of,
        "ended": evening.ended,
        "event": evening.event,
        "clock": round_clock(evening).data() if evening.rounds else None,
    }


def table_data(evening: Evening, table: int, language: str = "en") -> dict[str, Any]:
    """All that a table's page needs: its rounds, who sits there, and what it entered."""
    rounds = range(1, len(evening.rounds) + 1)
    at = max(evening.current, evening.last_entered(table))
    seats = {n: evening.at_table(n, table) for n in rounds}
    seated = {who for several in seats.values() for one in several for who in one.entrants}
    lines = [
        line for place, line in evening.lines.items() if place.table == table and line.is_there
    ]
    return {
        "evening": evening.id,
        "title": evening.plan.title,
        "number": evening.number,
        "table": table,
        "label": evening.table_name(table),
        "round": evening.round_at(table) if evening.rounds else 0,
        "current": evening.current,
        "clock": round_clock(evening).data() if evening.rounds else None,
        "leads": evening.plan.leads,
        "show": evening.plan.show,
        "ended": evening.ended,
        "swiss": evening.plan.swiss,
        "called": table in evening.calls,
        "names": {who: evening.title_of(who) for who in seated},
        "rounds": [_round_data(evening, n, seats[n], at > n) for n in rounds],
        "lines": [line_data(evening, line, language) for line in lines],
        "versions": {
            f"{p.round}.{p.board}": line.version
            for p, line in evening.lines.items()
            if p.table == table
        },
    }


def _round_data(
    evening: Evening, number: int, several: tuple[TableRound, ...], over: bool
) -> dict[str, Any]:
    return {
        "round": number,
        "over": over,
        "seats": [
            {
                "ns": list(seats.ns),
                "ew": list(seats.ew),
                "boards": [_board_data(board) for board in seats.boards] if seats.is_played else [],
            }
            for seats in several
        ],
        "next": _next(evening, number, several),
    }


def _board_data(number: int) -> dict[str, Any]:
    return {"board": number, "dealer": dealer(number).value, "vulnerable": vulnerable(number)}


def _next(evening: Evening, number: int, several: tuple[TableRound, ...]) -> dict[str, list[Any]]:
    """Where those at a table go after the round: table and side; nothing where they sit out."""
    if number >= len(evening.rounds):
        return {}
    here = {who for seats in several for who in seats.entrants}
    goes: dict[str, list[Any]] = {}
    for seats in evening.seats(number + 1):
        for side, who in (("NS", seats.ns), ("EW", seats.ew)):
            for one in set(who) & here:
                goes.setdefault(one, [evening.table_name(seats.table), side, seats.is_played])
    return goes


def may_see_board(evening: Evening, table: int, board: int) -> bool:
    """Whether a table may see what others made of a board, and its hands: when it has played it and
    confirmed its own result, in the round that it is at, and nobody else sits there yet."""
    for number in range(len(evening.rounds), 0, -1):
        line = evening.line(BoardPlace(number, table, board))
        if line is not None:
            played = line.is_settled and is_played(line.result)
            return played and _is_at(evening, number, table)
    return False


def _is_at(evening: Evening, number: int, table: int) -> bool:
    """Whether a round is the one a table is at: what came before is entered, what comes after is
    not, and the director has not begun another."""
    before = (
        BoardPlace(earlier, table, board)
        for earlier in range(1, number)
        for seats in evening.at_table(earlier, table)
        if seats.is_played
        for board in seats.boards
    )
    begun = not evening.started or number <= evening.current
    return begun and not has_moved_on(evening, number, table) and all(map(evening.line, before))


def board_data(evening: Evening, board: int) -> list[dict[str, Any]]:
    """Every result on a board so far, the best North-South score first."""
    lines = [line for p, line in evening.lines.items() if p.board == board and line.is_there]
    ordered = sorted(lines, key=lambda line: -(line.score or 0))
    return [
        {
            "ns": "+".join(line.ns),
            "ew": "+".join(line.ew),
            "text": line.text,
            "lead": line.lead,
            "score": line.score,
        }
        for line in ordered
    ]


@cache
def score_table() -> list[list[list[list[list[int]]]]]:
    """What declarer scores: by vulnerability, double, level, denomination and tricks."""
    return [
        [
            [
                [
                    [
                        contract_score(
                            Contract(level, strain, Seat.NORTH, doubled), tricks, at_risk
                        )
                        for tricks in range(TRICKS + 1)
                    ]
                    for strain in Denomination
                ]
                for level in range(1, LEVELS + 1)
            ]
            for doubled in range(3)
        ]
        for at_risk in (False, True)
    ]
