"""Everybody with number, name, balance of each kind, total and rank.

On a screen or a page a kind of points that nobody has gets no column. A file has ``every_kind`` of
the scheme, so that a program that reads it finds the same columns whatever was posted meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

from sqlalchemy import Connection

from honours.engine.numbers import show
from honours.engine.ranks import Rank
from honours.ledger import kinds, ranks
from honours.ledger.checkpoint import line_of
from honours.ledger.lists.period import MEMBER_COLUMNS, member_cells
from honours.ledger.living import rungs_on
from honours.ledger.ranks import Rung
from honours.ledger.shapes import points_cell
from honours.model.message import Message
from honours.model.table import Cell, Column, Table, table
from honours.model.table import Kind as Type


def roll_part(
    connection: Connection,
    scheme: str,
    steps: Sequence[Rank],
    limit: int,
    after: int | None = None,
    public: bool = False,
    every_kind: bool = False,
) -> tuple[Table, int]:
    """A part of the roll, and the member behind whom it goes on; 0 at its end."""
    rungs = ranks.listed(connection, scheme, steps, limit, after, public)
    behind = rungs[-1].member.id if rungs.more else 0
    return _table(_names(connection, scheme, every_kind), rungs), behind


def roll_parts(
    connection: Connection,
    scheme: str,
    steps: Sequence[Rank],
    public: bool = False,
    every_kind: bool = False,
) -> Iterator[Table]:
    """Everybody, some thousands at a time in the same order; one empty table if there is nobody."""
    names = _names(connection, scheme, every_kind)
    for rungs in ranks.parts(connection, scheme, steps, None, public):
        yield _table(names, rungs)


def roll_on(
    connection: Connection,
    scheme: str,
    steps: Sequence[Rank],
    on: str,
    public: bool = False,
    every_kind: bool = False,
) -> Table:
    """The roll as of a day, with the head of the ledger it was made from: a list one can cite."""
    rungs = rungs_on(connection, scheme, steps, date.fromisoformat(on))
    shown = [rung for rung in rungs if not (public and rung.member.opted_out)]
    caption = Message("balances and ranks on {day}; {line}", day=on, line=line_of(connection))
    return replace(_table(_names(connection, scheme, every_kind), shown), caption=caption)


def _names(connection: Connection, scheme: str, every_kind: bool) -> list[str]:
    of_scheme = kinds.all_kinds if every_kind else kinds.held_kinds
    return [kind.name for kind in of_scheme(connection, scheme)]


def _table(names: Sequence[str], rungs: Sequence[Rung]) -> Table:
    columns = [
        *MEMBER_COLUMNS,
        *(Column(name, name, Type.NUMBER, lang="en") for name in names),
        Column("total", Message("total"), Type.NUMBER),
        Column("rank", Message("rank"), lang="en"),
        Column("next", Message("next"), lang="en"),
        Column("needs", Message("still needs"), lang="en"),
    ]
    rows = [_row(rung, names) for rung in rungs]
    return table("roll", columns, rows, Message("balances and ranks"))


def _row(rung: Rung, names: Sequence[str]) -> list[Cell]:
    held = [rung.points.get(name, Fraction(0)) for name in names]
    total = sum(held, Fraction(0))
    needs = ", ".join(f"{kind} {show(points)}" for kind, points in rung.missing.items())
    return [
        *member_cells(rung.member),
        *map(points_cell, held),
        points_cell(total),
        Cell(rung.rank),
        Cell(rung.next),
        Cell(needs),
    ]
