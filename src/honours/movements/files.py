"""A club's own movement as a file, and two kinds that other programs know.

Ours and P. Smulders' ``.asc`` are one: pairs, tables, rounds, sets and 0, then a line a round of
``NS-EW set`` for each table, ``#`` before a remark. EBUScore's ``PSMovements.txt`` has blocks of a
name, a line of kind, tables, boards, boards a round, rounds and missing pair, and a line a table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from honours.errors import FileProblem
from honours.model.message import Message
from honours.movements.checking import check
from honours.movements.movement import Movement, Seating

_MOST_BYTES = 1_000_000
_TABLE = re.compile(r"(\d{1,4})-(\d{1,4}) +(\d{1,4}|[A-Za-z])")


def read_movements(path: str | Path) -> tuple[Movement, ...]:
    """The movements in a file, each checked; errors name the line."""
    file = Path(path)
    if file.stat().st_size > _MOST_BYTES:
        raise FileProblem(str(path), "more than a megabyte", "a movement")
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    numbered = [(n, line.split("#")[0].strip()) for n, line in enumerate(lines, 1)]
    filled = [(n, line) for n, line in numbered if line]
    if not filled:
        raise FileProblem(str(path), "nothing", "a movement")
    asc = re.fullmatch(r"\d+( +\d+){3,4}", filled[0][1])
    movements = (_asc(path, filled),) if asc else _ebuscore(path, filled)
    for movement in movements:
        if faults := check(movement).faults:
            raise FileProblem(str(path), str(faults[0]), "a movement that works")
    return movements


def _asc(path: str | Path, lines: list[tuple[int, str]]) -> Movement:
    _, tables, rounds, *_ = (int(word) for word in lines[0][1].split())
    made = []
    for number, line in lines[1 : rounds + 1]:
        seats = _TABLE.findall(line)
        if len(seats) != tables:
            problem = Message("line {number}: {count} tables", number=number, count=len(seats))
            raise FileProblem(str(path), problem, "{tables} of them, each as 4-1 3", tables=tables)
        made.append(
            tuple(
                Seating(t, int(ns), int(ew), int(s) if s.isdigit() else ord(s.upper()) - 64)
                for t, (ns, ew, s) in enumerate(seats, 1)
            )
        )
    if len(made) != rounds:
        raise FileProblem(
            str(path),
            "{count} rounds",
            "the {rounds} of its first line",
            count=len(made),
            rounds=rounds,
        )
    return Movement("own", tuple(made), meetings=rounds)


def _ebuscore(path: str | Path, lines: list[tuple[int, str]]) -> tuple[Movement, ...]:
    movements, at = [], 0
    while at < len(lines):
        _, name = lines[at]
        number, head = lines[at + 1] if at + 1 < len(lines) else (lines[at][0], "")
        figures = [word.strip() for word in head.split(",")]
        if len(figures) < 5 or not all(word.isdigit() for word in figures[:5]):
            expected = Message("kind,tables,boards,boards a round,rounds,missing pair")
            raise FileProblem(
                str(path), "line {number}: {head}", expected, number=number, head=head or "the end"
            )
        tables, rounds = int(figures[1]), int(figures[4])
        rows = lines[at + 2 : at + 2 + tables]
        seated = _by_tables(path, name, rows, tables, rounds)
        movements.append(_with_head(seated, name, int(figures[3]), figures[5:6]))
        at += 2 + tables
    return tuple(movements)


def _by_tables(
    path: str | Path, name: str, rows: list[tuple[int, str]], tables: int, rounds: int
) -> Movement:
    columns = []
    for number, row in rows:
        cells = [word.strip() for word in row.split(",") if word.strip()]
        if len(cells) != 3 * rounds or not all(cell.isdigit() for cell in cells):
            problem = Message("line {number}: {count} numbers", number=number, count=len(cells))
            raise FileProblem(
                str(path),
                problem,
                "{value}: NS, EW and set of {rounds} rounds",
                value=3 * rounds,
                rounds=rounds,
            )
        columns.append([tuple(map(int, cells[i : i + 3])) for i in range(0, len(cells), 3)])
    if len(columns) != tables:
        raise FileProblem(
            str(path),
            "{count} tables of {name}",
            "{tables}",
            count=len(columns),
            name=name,
            tables=tables,
        )
    made = tuple(
        tuple(Seating(t, *column[r]) for t, column in enumerate(columns, 1)) for r in range(rounds)
    )
    return Movement("own", made, meetings=rounds)


def _with_head(movement: Movement, name: str, per_set: int, missing: list[str]) -> Movement:
    """The movement with what the head of its block says: its name, the boards a round, and the
    missing pair."""
    absent = int(missing[0]) if missing and missing[0].isdigit() else 0
    seated = movement.without(absent) if absent in movement.pairs else movement
    return replace(seated, name=name, per_set=per_set)


def chosen_movement(path: str, movements: Sequence[Movement], pairs: int, name: str) -> Movement:
    """The movement of a file by its name, or else the only one for this many pairs."""
    named = [one for one in movements if name and one.name.lower() == name.lower()]
    fitting = named or [one for one in movements if not pairs or len(one.pairs) == pairs]
    if len(fitting) == 1:
        return fitting[0]
    names = tuple(f"{one.name or '–'} ({len(one.pairs)})" for one in (fitting or movements)[:12])
    if not fitting or (name and not named):
        raise FileProblem(
            path, "no movement of that name or for so many pairs: {names}", names=names
        )
    raise FileProblem(path, "several movements: {names}", "the name of one", names=names)
