"""Howells, three-quarter Howells and hesitation Mitchells: one cyclic family, kept as data.

Pairs move in one cycle and some stay; every round adds 1 to everybody who moves. What the first
round looks like was searched for once and stands in ``howells.toml``: a movement once printed must
never change.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

from honours.errors import InputError
from honours.movements.movement import Movement, Seating

_SEAT = re.compile(r"(\d+)-(\d+):(\d+)")


@cache
def _table() -> dict[str, dict[str, object]]:
    text = (resources.files(__package__) / "howells.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def rounds_known(tables: int) -> tuple[int, ...]:
    """The numbers of rounds that Howells of this many tables have, the full one last."""
    known = (key.split("-") for key in _table())
    return tuple(sorted(int(rounds) for t, rounds in known if int(t) == tables))


def howell(tables: int, rounds: int = 0) -> Movement:
    """The Howell for this many tables: in full, or with fewer rounds and more stationary pairs."""
    wanted = rounds or 2 * tables - 1
    entry = _table().get(f"{tables}-{wanted}")
    if entry is None:
        known = ", ".join(map(str, rounds_known(tables))) or "none"
        raise InputError(
            "a Howell of {tables} tables in {wanted} rounds: there is none; rounds known: {known}",
            tables=tables,
            wanted=wanted,
            known=known,
        )
    lines = str(entry["first"]).split(" / ")
    if len(lines) > 1:
        made = tuple(_seated(line) for line in lines)
    else:
        made = tuple(_moved(_seated(lines[0]), number, wanted) for number in range(wanted))
    movement = Movement(_kind(tables, wanted), made)
    turned = {tuple(map(int, t.split("."))) for t in str(entry.get("turned", "")).split()}
    rounds_turned = movement.with_turned(lambda number, s: (number, s.table) in turned)
    return Movement(movement.kind, rounds_turned)


def _kind(tables: int, rounds: int) -> str:
    if rounds == 2 * tables - 1:
        return "howell"
    return "hesitation-mitchell" if rounds == tables + 1 else "three-quarter-howell"


def _seated(line: str) -> tuple[Seating, ...]:
    seats = (tuple(map(int, numbers)) for numbers in _SEAT.findall(line))
    return tuple(Seating(table, *seat) for table, seat in enumerate(seats, 1))


def _moved(first: tuple[Seating, ...], steps: int, cycle: int) -> tuple[Seating, ...]:
    """The first round moved on: who has a number above the cycle's stays."""

    def on(number: int) -> int:
        return number if number > cycle else (number - 1 + steps) % cycle + 1

    return tuple(Seating(s.table, on(s.ns), on(s.ew), on(s.set)) for s in first)
