"""Who meets whom on which boards: movements as lists of seatings, each a line without a result.

A seating is ``{"board", "ns", "ew", "round", "table", "section"}``. No entrant is ever at two
tables in a round, and none meets a board twice, because the scorer refuses such events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

Seating = dict[str, Any]


def seating(
    board: int, ns: Sequence[str], ew: Sequence[str], number: int, table: int, section: str = ""
) -> Seating:
    """One line to come."""
    sides = {"board": board, "ns": list(ns), "ew": list(ew)}
    return sides | {"round": number, "table": table, "section": section}


def mitchell(
    ns: Sequence[str], ew: Sequence[str], each: int, section: str = "", switch: int = 0
) -> list[Seating]:
    """East-West move up and the boards down; the last ``switch`` rounds are arrow-switched.

    A missing pair (an empty id) makes the sit-outs.
    """
    tables = len(ns)
    rounds = tables if tables % 2 else tables // 2
    lines = []
    for turn in range(rounds):
        for table in range(tables):
            north, east = ns[table], ew[(table - turn) % tables]
            first = (table + turn) % tables * each
            sides = ([east], [north]) if turn >= rounds - switch else ([north], [east])
            if north and east:
                lines += [
                    seating(first + nth + 1, *sides, turn + 1, table + 1, section)
                    for nth in range(each)
                ]
    return lines


def circle(entrants: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Every entrant meets every other once; an odd one out sits out."""
    ring = list(entrants) + ([""] if len(entrants) % 2 else [])
    rounds = []
    for _ in range(len(ring) - 1):
        half = len(ring) // 2
        rounds.append(list(zip(ring[:half], reversed(ring[half:]), strict=True)))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return rounds


def howell(rng: Random, pairs: Sequence[str], each: int, rounds: int = 0) -> list[Seating]:
    """All play all, every table the same boards in a round, sides as they fall."""
    lines = []
    for turn, tables in enumerate(circle(pairs)[: rounds or None]):
        for table, (one, other) in enumerate(tables):
            ns, ew = rng.sample((one, other), 2)
            if one and other:
                lines += [
                    seating(turn * each + nth + 1, [ns], [ew], turn + 1, table + 1)
                    for nth in range(each)
                ]
    return lines


def individual(rng: Random, players: Sequence[str], rounds: int, each: int) -> list[Seating]:
    """Partners and opponents are drawn anew every round; those left over sit out."""
    lines = []
    for turn in range(rounds):
        drawn = rng.sample(list(players), len(players))
        for table in range(len(drawn) // 4):
            four = drawn[4 * table : 4 * table + 4]
            lines += [
                seating(turn * each + nth + 1, four[:2], four[2:], turn + 1, table + 1)
                for nth in range(each)
            ]
    return lines


def teams(
    rng: Random, entrants: Sequence[str], rounds: int, each: int, tables: int = 2
) -> list[Seating]:
    """Matches at two tables or four, the home team North-South at every other one."""
    lines = []
    for turn, matches in enumerate(circle(rng.sample(list(entrants), len(entrants)))[:rounds]):
        for match, (home, away) in enumerate(matches):
            for nth in range(each * tables if home and away else 0):
                board, table = turn * each + nth // tables + 1, nth % tables
                ns, ew = (away, home) if table % 2 else (home, away)
                seat = seating(board, [ns], [ew], turn + 1, tables * match + table + 1)
                lines.append(seat)
    return lines
