"""How evenly everybody competes with everybody, and which arrow-switches make it best.

The units are Manning's: on a board played at n tables two pairs compete n − 1 times if they meet,
once if they sit the same way, and −1 times if they sit opposite ways. A movement is perfect (100)
where every two pairs compete alike; one that is never switched comes out at 46 to 48.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from honours.engine.numbers import show
from honours.model.message import Message
from honours.movements.individual import IndividualMovement
from honours.movements.movement import Movement, Seating

Matrix = Any
"""An array of whole numbers."""

_MOST_SWITCHED = 3
_BOARDS_SWITCHED = 3
"""Of an evening of 24 to 28 boards: an eighth of them, as the usual advice has it."""
_ROUNDS_ARE_SHORT_FROM = 7
"""With so many tables a round is short enough to be switched as a whole."""


def quality(movement: Movement, per_set: int = 1) -> Fraction:
    """The balance of a movement as a percentage: 100 · S² / (N · ΣC²)."""
    directions, meetings = _matrices(movement, per_set)
    return _quality(_competition(directions, meetings))


def individual_quality(movement: IndividualMovement) -> Fraction:
    """The balance of an individual, by the same measure: partners share what they get, and do not
    compete on the boards that they play together."""
    places = {player: i for i, player in enumerate(movement.players)}
    numbers = {number: i for i, number in enumerate(movement.sets)}
    directions = np.zeros((len(places), len(numbers)), dtype=np.int64)
    played = [four for seats in movement.rounds for four in seats]
    times = Counter(four.set for four in played)
    together = np.zeros((len(places), len(places)), dtype=np.int64)
    for four in played:
        north, south, east, west = (places[player] for player in four.players)
        at, more = numbers[four.set], times[four.set]
        directions[[north, south], at], directions[[east, west], at] = 1, -1
        for one, other in ((north, south), (east, west)):  # the product says 1: they do not compete
            together[[one, other], [other, one]] -= 1
        for one, other in product((north, south), (east, west)):  # −1, and n − 1 for the meeting
            together[[one, other], [other, one]] += more
    return _quality(_competition(directions, together))


def _quality(competition: Matrix) -> Fraction:
    values = competition[np.triu_indices(len(competition), 1)]
    total, squares = int(values.sum()), int((values**2).sum())
    return Fraction(100 * total * total, len(values) * squares) if squares else Fraction(0)


def _competition(directions: Matrix, meetings: Matrix) -> Matrix:
    competition = directions @ directions.T + meetings
    np.fill_diagonal(competition, 0)
    return competition


def _boards(movement: Movement, per_set: int) -> Iterator[tuple[int, Seating, int, bool]]:
    """Every board that is played: round, table, the board, and whether it is turned."""
    last = len(movement.rounds)
    for number, seating in movement.played():
        for index in range(per_set):
            turned = number == last and index < movement.switched_boards
            yield number, seating, (seating.set - 1) * per_set + index, turned


def _matrices(movement: Movement, per_set: int) -> tuple[Matrix, Matrix]:
    """Which way each pair plays each board, and how much meeting at the table weighs."""
    pairs = {pair: i for i, pair in enumerate(movement.pairs)}
    numbers = sorted({board for _, _, board, _ in _boards(movement, per_set)})
    boards = {board: i for i, board in enumerate(numbers)}
    directions = np.zeros((len(pairs), len(boards)), dtype=np.int64)
    times = np.zeros(len(boards), dtype=np.int64)
    meetings = np.zeros((len(pairs), len(pairs)), dtype=np.int64)
    for _, seating, board, turned in _boards(movement, per_set):
        way = -1 if turned else 1
        directions[pairs[seating.ns], boards[board]] = way
        directions[pairs[seating.ew], boards[board]] = -way
        times[boards[board]] += 1
    for _, seating, board, _ in _boards(movement, per_set):
        ns, ew = pairs[seating.ns], pairs[seating.ew]
        meetings[ns, ew] += times[boards[board]]
        meetings[ew, ns] += times[boards[board]]
    return directions, meetings


def best_switched(movement: Movement, per_set: int) -> Movement:
    """The movement with the arrow-switches that balance it best: whole rounds, or where those are
    few and long some boards of the last."""
    if movement.tables < _ROUNDS_ARE_SHORT_FROM and per_set > _BOARDS_SWITCHED:
        return replace(movement, switched_boards=_BOARDS_SWITCHED)
    return movement.switch(*_best_rounds(movement))


def _best_rounds(movement: Movement) -> tuple[int, ...]:
    """The whole rounds whose turning gives the best balance; the last of those that are alike."""
    directions, meetings = _matrices(movement, 1)
    signs = {n: np.ones_like(directions) for n in range(1, len(movement.rounds) + 1)}
    pairs = {pair: i for i, pair in enumerate(movement.pairs)}
    sets = {s: i for i, s in enumerate(movement.sets)}
    for number, seating in movement.played():
        for pair in (seating.ns, seating.ew):
            signs[number][pairs[pair], sets[seating.set]] = -1
    best: tuple[Fraction, tuple[int, ...]] = (Fraction(-1), ())
    for many in range(1, min(_MOST_SWITCHED, len(signs)) + 1):
        for chosen in combinations(sorted(signs, reverse=True), many):
            turned = directions * np.prod([signs[n] for n in chosen], axis=0)
            quality = _quality(_competition(turned, meetings))
            if quality > best[0]:
                best = (quality, tuple(sorted(chosen)))
    return best[1]


def advice(movement: Movement, per_set: int) -> Message:
    """What was switched and how even it is, beside the usual advice: an eighth of the boards."""
    rounds = len(movement.rounds)
    usual = max(1, round(Fraction(rounds, 8)))
    base = replace(movement.switch(*movement.switched), switched=(), switched_boards=0)
    last = tuple(range(rounds - usual + 1, rounds + 1))
    return Message(
        "balance {balance}; the usual advice, an eighth of the boards: rounds {rounds}, {usual}",
        balance=show(quality(movement, per_set), 1),
        rounds=last,
        usual=show(quality(base.switch(*last), per_set), 1),
    )
