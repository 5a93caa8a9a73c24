"""Individual movements: everybody plays with everybody once."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from math import gcd

from honours.errors import InputError
from honours.model.message import Message

# North, South | East, West of each table in the first round; the next round adds 1 to all but a
# last player who stays where their number is a multiple of four. Of 4n + 1 one sits out each round.
FIRST_ROUNDS = {
    8: "8 1|2 4  3 7|5 6",
    12: "12 1|2 4  3 10|7 8  5 11|6 9",
    13: "2 11|6 8  3 9|4 5  7 12|10 13",
    16: "16 1|2 3  4 11|8 13  5 14|6 10  7 9|12 15",
    17: "2 12|4 17  3 11|14 15  5 7|8 13  6 9|10 16",
    20: "20 1|2 3  4 16|9 12  5 10|8 18  6 14|11 15  7 13|17 19",
}
_RATES = (0, 2, 1, 3, -1)
"""How North, South, East, West and the boards move in a rainbow."""


@dataclass(frozen=True, slots=True)
class FourPlayers:
    """One table of one round."""

    table: int
    north: int
    south: int
    east: int
    west: int
    set: int

    @property
    def players(self) -> tuple[int, int, int, int]:
        return self.north, self.south, self.east, self.west


@dataclass(frozen=True, slots=True)
class IndividualMovement:
    """All rounds of an individual; ``copies`` of every set are needed, or tables share."""

    kind: str
    rounds: tuple[tuple[FourPlayers, ...], ...]
    copies: int = 1
    switched: tuple[int, ...] = ()
    switched_boards: int = 0

    @property
    def sets(self) -> tuple[int, ...]:
        return tuple(sorted({four.set for seats in self.rounds for four in seats}))

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(sorted({p for seats in self.rounds for s in seats for p in s.players}))


def whist(players: int) -> IndividualMovement:
    """Everybody partners everybody once and opposes everybody twice; all tables play the same
    boards in a round."""
    if players not in FIRST_ROUNDS:
        known = ", ".join(map(str, FIRST_ROUNDS))
        raise InputError(
            "an individual of {players} players: there is one for {known}",
            players=players,
            known=known,
        )
    cycle = players if players % 4 == 1 else players - 1
    numbers = [int(n) for n in re.findall(r"\d+", FIRST_ROUNDS[players])]
    tables = [numbers[i : i + 4] for i in range(0, len(numbers), 4)]

    def on(number: int, steps: int) -> int:
        return number if number > cycle else (number - 1 + steps) % cycle + 1

    def at(table: int, four: list[int], steps: int) -> FourPlayers:
        north, south, east, west = (on(number, steps) for number in four)
        return FourPlayers(table, north, south, east, west, steps + 1)

    rounds = tuple(
        tuple(at(table, four, steps) for table, four in enumerate(tables, 1))
        for steps in range(cycle)
    )
    return IndividualMovement("individual", rounds, len(tables))


def rainbow(tables: int) -> IndividualMovement:
    """North stays, East, South and West move on by 1, 2 and 3 tables, boards back by 1."""
    if any(gcd((a - b) % tables, tables) != 1 for a, b in combinations(_RATES, 2)):
        raise InputError(
            "a rainbow of {tables} tables: expected 5, 7, 11, 13 or another prime", tables=tables
        )

    def at(round_: int, table: int) -> FourPlayers:
        north, south, east, west, board = ((table - rate * round_) % tables for rate in _RATES)
        return FourPlayers(
            table + 1,
            north + 1,
            tables + south + 1,
            2 * tables + east + 1,
            3 * tables + west + 1,
            board + 1,
        )

    rounds = tuple(tuple(at(r, t) for t in range(tables)) for r in range(tables))
    return IndividualMovement("rainbow", rounds)


def check_individual(movement: IndividualMovement) -> tuple[Message, ...]:
    """What is wrong: somebody at two tables, a set or a partner met twice."""
    faults: list[Message] = []
    partners: Counter[frozenset[int]] = Counter()
    played: Counter[tuple[int, int]] = Counter()
    for number, seats in enumerate(movement.rounds, 1):
        seated = Counter(player for four in seats for player in four.players)
        faults += [
            Message("round {round}: player {player} is at two tables", round=number, player=player)
            for player, times in seated.items()
            if times > 1
        ]
        for four in seats:
            partners.update((frozenset(four.players[:2]), frozenset(four.players[2:])))
            played.update((player, four.set) for player in four.players)
    faults += [
        Message("players {players} are partners {times} times", players=tuple(two), times=times)
        for two, times in partners.items()
        if times > 1
    ]
    faults += [
        Message("player {player} plays set {set} again", player=player, set=number)
        for (player, number), times in played.items()
        if times > 1
    ]
    return tuple(faults)
