"""Balance: how evenly everybody competes with everybody, and the arrow-switches that make it best.

The units are Manning's: on a board played at n tables two pairs compete n − 1 times if they meet,
once if they sit the same way, and −1 times if they sit opposite ways. A movement is perfect (100)
where every two pairs compete alike; one that is never switched comes out at 46 to 48.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

from honours.engine.numbers import show
from honours.model.message import Message
from honours.movements.generators import IndividualMovement
from honours.movements.movement import Movement, Seating

Masks = dict[int, int]
"""Boards as bits, by who plays them."""
Meetings = Mapping[tuple[int, int], int]
"""How much meeting at the table weighs for two, the lower number first."""

_MOST_SWITCHED = 3
_BOARDS_SWITCHED = 3
"""Of an evening of 24 to 28 boards: an eighth of them, as the usual advice has it."""
_ROUNDS_ARE_SHORT_FROM = 7
"""With so many tables a round is short enough to be switched as a whole."""


def quality(movement: Movement, per_set: int = 1) -> Fraction:
    """The balance of a movement as a percentage: 100 · S² / (N · ΣC²)."""
    norths, played, meetings = _played(movement, per_set)
    return _quality(norths, _twos(played, meetings))


def individual_quality(movement: IndividualMovement) -> Fraction:
    """The balance of an individual, by the same measure: partners share what they get, and do not
    compete on the boards that they play together."""
    norths, played = dict.fromkeys(movement.players, 0), dict.fromkeys(movement.players, 0)
    fours = [four for seats in movement.rounds for four in seats]
    times = Counter(four.set for four in fours)
    together: Counter[tuple[int, int]] = Counter()
    for four in fours:
        board = 1 << four.set
        sides = (four.north, four.south), (four.east, four.west)
        for player in four.players:
            played[player] |= board
            norths[player] |= board if player in sides[0] else 0
        for partners in sides:  # the product says 1: they do not compete
            together[_ordered(*partners)] -= 1
        for two in product(*sides):  # −1, and n − 1 for the meeting
            together[_ordered(*two)] += times[four.set]
    return _quality(norths, _twos(played, together))


def _ordered(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _twos(played: Masks, meetings: Meetings) -> list[tuple[int, int, int, int]]:
    """Every two, the boards that both play, and how often they compete if always the same way."""
    found = []
    for one, other in combinations(sorted(played), 2):
        both = played[one] & played[other]
        found.append((one, other, both, both.bit_count() + meetings.get((one, other), 0)))
    return found


def _quality(norths: Masks, twos: list[tuple[int, int, int, int]]) -> Fraction:
    competition = [
        most - 2 * ((norths[one] ^ norths[other]) & both).bit_count()
        for one, other, both, most in twos
    ]
    total, squares = sum(competition), sum(value * value for value in competition)
    return Fraction(100 * total * total, len(competition) * squares) if squares else Fraction(0)


def _boards(movement: Movement, per_set: int) -> Iterator[tuple[int, Seating, int, bool]]:
    """Every board that is played: round, table, the board, and whether it is turned."""
    last = len(movement.rounds)
    for number, seating in movement.played():
        for index in range(per_set):
            turned = number == last and index < movement.switched_boards
            yield number, seating, (seating.set - 1) * per_set + index, turned


def _played(movement: Movement, per_set: int) -> tuple[Masks, Masks, Meetings]:
    """The boards each pair plays as North-South, those it plays at all, and the weight of a
    meeting."""
    norths, played = dict.fromkeys(movement.pairs, 0), dict.fromkeys(movement.pairs, 0)
    times = Counter(board for _, _, board, _ in _boards(movement, per_set))
    meetings: Counter[tuple[int, int]] = Counter()
    for _, seating, board, turned in _boards(movement, per_set):
        norths[seating.ew if turned else seating.ns] |= 1 << board
        played[seating.ns] |= 1 << board
        played[seating.ew] |= 1 << board
        meetings[_ordered(seating.ns, seating.ew)] += times[board]
    return norths, played, meetings


def best_switched(movement: Movement, per_set: int) -> Movement:
    """The movement with the arrow-switches that balance it best: whole rounds, or where those are
    few and long some boards of the last."""
    if movement.tables < _ROUNDS_ARE_SHORT_FROM and per_set > _BOARDS_SWITCHED:
        return replace(movement, switched_boards=_BOARDS_SWITCHED)
    return movement.switch(*_best_rounds(movement))


def _best_rounds(movement: Movement) -> tuple[int, ...]:
    """The whole rounds whose turning gives the best balance; the last of those that are alike."""
    norths, played, meetings = _played(movement, 1)
    twos = _twos(played, meetings)
    rounds = {n: dict.fromkeys(norths, 0) for n in range(1, len(movement.rounds) + 1)}
    for number, seating in movement.played():
        for pair in (seating.ns, seating.ew):
            rounds[number][pair] |= 1 << (seating.set - 1)
    best: tuple[Fraction, tuple[int, ...]] = (Fraction(-1), ())
    for many in range(1, min(_MOST_SWITCHED, len(rounds)) + 1):
        for chosen in combinations(sorted(rounds, reverse=True), many):
            turned = dict(norths)
            for number in chosen:
                for pair, boards in rounds[number].items():
                    turned[pair] ^= boards
            quality = _quality(turned, twos)
            if quality > best[0]:
                best = (quality, tuple(sorted(chosen)))
    return best[1]


def advice(movement: Movement, per_set: int) -> Message:
    """A sentence on what was switched and how even it is, beside the usual advice: an eighth of the
    boards."""
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
