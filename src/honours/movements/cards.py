"""A pair's guide card, read off the movement: where it goes from round to round."""

from __future__ import annotations

from dataclasses import dataclass

from honours.movements.movement import Movement, Seating, boards_of


@dataclass(frozen=True, slots=True)
class GuideLine:
    """One round of a pair's guide card; ``table`` is 0 where it sits out."""

    round: int
    table: int
    side: str
    opponents: int
    boards: tuple[int, ...]
    switched: tuple[int, ...] = ()


def guide_card(movement: Movement, pair: int, per_set: int) -> tuple[GuideLine, ...]:
    """What a pair does in each round."""
    return tuple(
        _guide_line(movement, number, pair, per_set)
        for number in range(1, len(movement.rounds) + 1)
    )


def _guide_line(movement: Movement, number: int, pair: int, per_set: int) -> GuideLine:
    for seating in movement.rounds[number - 1]:
        if pair in (seating.ns, seating.ew) and seating.is_played:
            side = "NS" if seating.ns == pair else "EW"
            other = seating.ew if side == "NS" else seating.ns
            switched = switched_boards(movement, number, seating, per_set)
            boards = boards_of(seating.set, per_set)
            return GuideLine(number, seating.table, side, other, boards, switched)
    return GuideLine(number, 0, "", 0, ())


def switched_boards(
    movement: Movement, number: int, seating: Seating, per_set: int
) -> tuple[int, ...]:
    """The boards that are turned by themselves in the last round."""
    if number < len(movement.rounds):
        return ()
    return boards_of(seating.set, per_set)[: movement.switched_boards]
