"""Mitchells and what is made of them: North-South stay, East-West move up, boards move down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from math import gcd

from honours.errors import InputError
from honours.movements.movement import Movement, filled

BAROMETER = "barometer-"
"""What the kind of a movement begins with that is played as a barometer."""
_MOST_STEPS = 200_000


def mitchell(tables: int, rounds: int = 0) -> Movement:
    """The plain one for an odd number of tables, or for fewer rounds than tables."""
    return filled(
        "mitchell",
        rounds or tables,
        tables,
        lambda r, t: (t, tables + (t - r) % tables, (t + r) % tables),
    )


def skip_mitchell(tables: int, rounds: int = 0) -> Movement:
    """An even number of tables: East-West skip a table half-way, and one round is not played."""
    half = tables // 2
    return filled(
        "skip-mitchell",
        min(rounds or tables - 1, tables - 1),
        tables,
        lambda r, t: (t, tables + (t - r - (r >= half)) % tables, (t + r) % tables),
    )


def relay_mitchell(tables: int, rounds: int = 0) -> Movement:
    """An even number of tables: the first and the last share, and a set waits half-way."""
    half = tables // 2

    def slot(table: int) -> int:
        if table == tables - 1:
            return 0
        return table if table < half else table + 1

    return filled(
        "share-and-relay-mitchell",
        rounds or tables,
        tables,
        lambda r, t: (t, tables + (t - r) % tables, (slot(t) + r) % tables),
    )


def any_mitchell(tables: int, rounds: int = 0) -> Movement:
    """The Mitchell in which everybody meets everybody of the other line."""
    if tables % 2:
        return mitchell(tables, rounds)
    if rounds and rounds < tables:
        return skip_mitchell(tables, rounds)
    return relay_mitchell(tables, rounds)


def web_mitchell(tables: int, sets: int) -> Movement:
    """An even number of tables and an odd number of sets in two copies: boards go up in one half of
    the room and down in the other."""
    if tables % 2 or sets % 2 == 0 or not tables // 2 <= sets <= tables:
        raise InputError(
            "a web Mitchell of {tables} tables and {sets} sets: expected an even "
            "number of tables and an odd number of sets, at least half as many and no "
            "more",
            tables=tables,
            sets=sets,
        )
    half = tables // 2
    return filled(
        "web-mitchell",
        sets,
        tables,
        lambda r, t: (
            t,
            tables + (t - r) % tables,
            (t + r) % sets if t < half else (tables - 2 - t - r) % sets,
        ),
        copies=2,
    )


def bowman(sets: int) -> Movement:
    """Two tables more than sets: the last but one repeats the first table's sets, the last one
    plays them downwards."""
    tables, half = sets + 2, sets // 2 if sets % 2 == 0 else sets
    return filled(
        "bowman",
        sets,
        tables,
        lambda r, t: (
            t,
            tables + (t - r - (r >= half)) % tables,
            (t + r) % sets if t <= sets else (sets - 1 - r) % sets,
        ),
    )


def blackpool(tables: int) -> Movement:
    """An odd number of tables and two sets more, on a relay: some pairs meet more than once."""
    if tables % 2 == 0:
        raise InputError("a Blackpool of {tables} tables: expected an odd number", tables=tables)
    sets = tables + 2

    def seat(r: int, t: int) -> tuple[int, int, int]:
        ew = (t - r) % tables if r < sets - 1 else tables - 1 - t
        return t, tables + ew, (t + r) % sets

    return filled("blackpool", sets, tables, seat, meetings=3)


def appendix_mitchell(core: int, extra: int) -> Movement:
    """A ring of places, some of them two tables with a stationary pair at each."""
    rates = (x for x in range(2, core) if all(gcd(y % core, core) == 1 for y in (x, x - 1, x + 1)))
    move = next(rates, None)
    if move is None or core % 2 == 0 or not 0 < extra <= core:
        raise InputError(
            "an appendix of {extra} tables to {core}: there is none that works",
            extra=extra,
            core=core,
        )

    def seat(r: int, t: int) -> tuple[int, int, int]:
        place = t if t < core else t - core
        ns, ew = (place - r) % core, core + (place + r) % core
        if t < extra:
            ew = 2 * core + t
        elif t >= core:
            ns = 2 * core + extra + place
        return ns, ew, (place + move * r) % core

    return filled("appendix-mitchell", core, core + extra, seat, copies=2)


def rover_mitchell(tables: int) -> Movement:
    """A pair that came late: from round 2 it takes one North-South pair's place after another."""
    base, late = any_mitchell(tables), 2 * tables + 1
    for allowed in (0, 1):  # with 9 and 15 tables one East-West pair is met twice
        path = _bumped(base, allowed)
        if path is not None:
            bumped = dict(enumerate(path, 2))
            rounds = tuple(
                tuple(replace(s, ns=late) if bumped.get(number) == s.table else s for s in seatings)
                for number, seatings in enumerate(base.rounds, 1)
            )
            return replace(base, kind="rover-mitchell", rounds=rounds, meetings=1 + allowed)
    raise InputError("a rover in a Mitchell of {tables} tables: none was found", tables=tables)


def _bumped(base: Movement, allowed: int) -> list[int] | None:
    """The table at which the late pair plays from round 2 on, or none."""
    steps = count()

    def tried(
        number: int, tables: set[int], pairs: set[int], sets: set[int], left: int
    ) -> list[int] | None:
        if number > len(base.rounds):
            return []
        if next(steps) > _MOST_STEPS:
            return None
        for seating in base.rounds[number - 1]:
            again = seating.ew in pairs
            if seating.table in tables or seating.set in sets or (again and not left):
                continue
            rest = tried(
                number + 1,
                tables | {seating.table},
                pairs | {seating.ew},
                sets | {seating.set},
                left - again,
            )
            if rest is not None:
                return [seating.table, *rest]
        return None

    return tried(2, set(), set(), set(), allowed)


def barometer(movement: Movement) -> Movement:
    """The same seats, with every table playing the same boards in a round: a copy for each."""
    rounds = tuple(
        tuple(replace(s, set=number) for s in seatings)
        for number, seatings in enumerate(movement.rounds, 1)
    )
    kind = movement.kind if movement.kind.startswith(BAROMETER) else BAROMETER + movement.kind
    return replace(movement, kind=kind, rounds=rounds, copies=movement.tables)


def mitchells(tables: int) -> Iterator[Movement]:
    """Every kind of Mitchell that this many tables can play, in full."""
    yield any_mitchell(tables)
    if tables % 2 == 0:
        yield skip_mitchell(tables)
    if tables % 2 == 0:
        for sets in range(tables // 2 | 1, tables, 2):
            yield web_mitchell(tables, sets)
