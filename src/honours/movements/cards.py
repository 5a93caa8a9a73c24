"""What lies on the table and what a pair carries: read off the movement."""

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


@dataclass(frozen=True, slots=True)
class TableLine:
    """One round of a table card: who plays what, and where they go."""

    round: int
    ns: int
    ew: int
    boards: tuple[int, ...]
    ns_goes: str
    ew_goes: str
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


def table_card(movement: Movement, table: int, per_set: int) -> tuple[TableLine, ...]:
    """What happens at a table in each round."""
    lines = []
    for number, seatings in enumerate(movement.rounds, 1):
        [seating] = [s for s in seatings if s.table == table] or [Seating(table, 0, 0, 0)]
        lines.append(
            TableLine(
                number,
                seating.ns,
                seating.ew,
                boards_of(seating.set, per_set) if seating.is_played else (),
                _goes(movement, number, seating.ns),
                _goes(movement, number, seating.ew),
                switched_boards(movement, number, seating, per_set),
            )
        )
    return tuple(lines)


def _goes(movement: Movement, number: int, pair: int) -> str:
    """Where a pair plays next: ``5 NS``; nothing after the last round or for nobody."""
    if not pair or number == len(movement.rounds):
        return ""
    for seating in movement.rounds[number]:
        if pair in (seating.ns, seating.ew):
            return f"{seating.table} {'NS' if seating.ns == pair else 'EW'}"
    return ""
