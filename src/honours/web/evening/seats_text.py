"""Seats as a small text that a director edits: a line a table, like ``3: 5 12 7-9``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from honours.errors import InputError
from honours.evening.evening import Evening
from honours.evening.plan import TableRound, rounds_data
from honours.evening.sections import EveningSection, table_number
from honours.reports.movements import spelled


def seats_text(evening: Evening, first: int) -> str:
    """Write the rounds from one on."""
    lines = []
    for number, one in enumerate(evening.rounds[first - 1 :], first):
        lines.append(f"round {number}")
        for seats in one:
            ns, ew = ("+".join(who) or "-" for who in (seats.ns, seats.ew))
            boards = spelled(seats.boards).replace("–", "-").replace(" ", "") or "-"
            lines.append(f"{evening.table_name(seats.table)}: {ns} {ew} {boards}")
    return "\n".join(lines)


def read_seats(text: str, sections: Sequence[EveningSection] = ()) -> list[list[dict[str, Any]]]:
    """Read rounds from such a text; InputError names the line."""
    rounds: list[list[TableRound]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if line.lower().startswith("round"):
            rounds.append([])
        elif line:
            rounds = rounds or [[]]
            rounds[-1].append(_seats(number, line, sections))
    return rounds_data(tuple(one) for one in rounds if one)


def _seats(number: int, line: str, sections: Sequence[EveningSection]) -> TableRound:
    try:
        name, _, rest = line.partition(":")
        ns, ew, boards = ("" if part == "-" else part for part in rest.split())
        table = table_number(sections, name.strip())
        north, east = (tuple(side.split("+")) if side else () for side in (ns, ew))
        return TableRound(table, north, east, _numbers(boards))
    except ValueError as error:
        raise InputError(
            "line {line}: {text!r} is not like 3: 5 12 7-9", line=number, text=line[:60]
        ) from error


def _numbers(text: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    if len(numbers) > 64:
        raise ValueError(text)
    return tuple(numbers)
