"""Whether a movement works, whatever made it; and what choosing and awards must know of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from honours.model.message import Message, mark
from honours.movements.movement import Movement, Round


@dataclass(frozen=True, slots=True)
class MovementCheck:
    """What checking a movement found. ``faults`` must be empty; the rest is for choosing and for
    awards. ``shared`` counts how often a set is needed at more tables at once than it has copies.

    ``shared`` counts how often a set is at more tables at once than there are copies of it.
    """

    faults: tuple[Message, ...]
    pairs: int
    sets: int
    least_sets: int
    most_sets: int
    least_opponents: int
    most_opponents: int
    most_meetings: int
    shared: int
    winners: int
    sit_outs: int


def check(movement: Movement) -> MovementCheck:
    """Everything that is wrong with a movement, and its facts."""
    faults: list[Message] = []
    met: Counter[frozenset[int]] = Counter()
    opponents: dict[int, set[int]] = defaultdict(set)
    played: dict[int, list[int]] = defaultdict(list)
    for number, seatings in enumerate(movement.rounds, 1):
        faults += _twice_seated(number, seatings)
        for seating in seatings:
            if not seating.is_played:
                continue
            at = {"round": number, "table": seating.table}
            if seating.ns == seating.ew:
                text = mark("round {round}, table {table}: pair {pair} plays itself")
                faults.append(Message(text, **at, pair=seating.ns))
            met[frozenset((seating.ns, seating.ew))] += 1
            for pair, other in ((seating.ns, seating.ew), (seating.ew, seating.ns)):
                opponents[pair].add(other)
                if seating.set in played[pair]:
                    text = mark("round {round}, table {table}: pair {pair} plays set {set} again")
                    faults.append(Message(text, **at, pair=pair, set=seating.set))
                played[pair].append(seating.set)
    faults += _meetings(movement, met)
    sets = [len(played[pair]) for pair in movement.pairs]
    others = [len(opponents[pair]) for pair in movement.pairs]
    return MovementCheck(
        faults=tuple(faults),
        pairs=len(movement.pairs),
        sets=len(movement.sets),
        least_sets=min(sets),
        most_sets=max(sets),
        least_opponents=min(others),
        most_opponents=max(others),
        most_meetings=max(met.values(), default=0),
        shared=sum(_shared(seatings, movement.copies) for seatings in movement.rounds),
        winners=_winners(movement),
        sit_outs=sum(len(movement.sitting_out(n)) for n in range(1, len(movement.rounds) + 1)),
    )


def _twice_seated(number: int, seatings: Round) -> list[Message]:
    seated = Counter(pair for s in seatings for pair in (s.ns, s.ew) if pair)
    return [
        Message("round {round}: pair {pair} is at two tables", round=number, pair=pair)
        for pair, times in seated.items()
        if times > 1
    ]


def _meetings(movement: Movement, met: Counter[frozenset[int]]) -> list[Message]:
    return [
        Message(
            "pairs {pairs} meet {times} times, at most {most} are promised",
            pairs=tuple(sorted(pairs)),
            times=times,
            most=movement.meetings,
        )
        for pairs, times in met.items()
        if times > movement.meetings
    ]


def _shared(seatings: Round, copies: int) -> int:
    at = Counter(s.set for s in seatings if s.is_played)
    return sum(max(0, tables - copies) for tables in at.values())


def _winners(movement: Movement) -> int:
    """Two where nobody ever changes direction, so that the lines are never compared."""
    if movement.switched_boards:
        return 1
    both = {s.ns for _, s in movement.played()} & {s.ew for _, s in movement.played()}
    return 1 if both else 2
