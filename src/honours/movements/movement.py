"""A movement as it is played: rounds of tables, each with two sides and a set of boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

NOBODY = 0


@dataclass(frozen=True, slots=True)
class Seating:
    """One table in one round: the pairs from 1, or 0 for nobody, and the set of boards from 1."""

    table: int
    ns: int
    ew: int
    set: int

    @property
    def is_played(self) -> bool:
        return bool(self.ns and self.ew and self.set)

    @property
    def turned(self) -> Seating:
        """The same table with the boards turned, so that the pairs play each other's cards."""
        return replace(self, ns=self.ew, ew=self.ns)


Round = tuple[Seating, ...]


@dataclass(frozen=True, slots=True)
class Movement:
    """All rounds. Of every set there are ``copies``; where it is at more tables, they share it.

    ``meetings`` is how often two pairs may meet, as the movement promises. ``switched`` are the
    rounds, from 1, that were arrow-switched as a whole; ``switched_boards`` of each set are
    switched in the last round, where turning a whole one would be too much. A movement from a file
    has the ``name`` and the boards a set (``per_set``) that the file gives it, if it does.
    """

    kind: str
    rounds: tuple[Round, ...]
    copies: int = 1
    meetings: int = 1
    switched: tuple[int, ...] = ()
    switched_boards: int = 0
    missing: int = NOBODY
    name: str = ""
    per_set: int = 0

    @property
    def tables(self) -> int:
        return max(len(seatings) for seatings in self.rounds)

    @property
    def pairs(self) -> tuple[int, ...]:
        seated = {p for _, seating in self.seatings() for p in (seating.ns, seating.ew)}
        return tuple(sorted(seated - {NOBODY}))

    @property
    def sets(self) -> tuple[int, ...]:
        return tuple(sorted({s.set for _, s in self.seatings()} - {0}))

    def seatings(self) -> Iterator[tuple[int, Seating]]:
        """Every table of every round, with the round's number."""
        for number, seatings in enumerate(self.rounds, 1):
            for seating in seatings:
                yield number, seating

    def played(self) -> Iterator[tuple[int, Seating]]:
        """Every table at which two pairs play, with the round's number."""
        return ((number, seating) for number, seating in self.seatings() if seating.is_played)

    def sitting_out(self, number: int) -> tuple[int, ...]:
        """The pairs that do not play in a round."""
        playing = {p for s in self.rounds[number - 1] if s.is_played for p in (s.ns, s.ew)}
        return tuple(pair for pair in self.pairs if pair not in playing)

    def with_turned(self, turned: Callable[[int, Seating], bool]) -> tuple[Round, ...]:
        """The rounds with some tables turned."""
        return tuple(
            tuple(s.turned if turned(number, s) else s for s in seatings)
            for number, seatings in enumerate(self.rounds, 1)
        )

    def without(self, pair: int) -> Movement:
        """A half table: the pair is not there, and who would meet it sits out."""
        rounds = tuple(
            tuple(
                replace(
                    s,
                    ns=NOBODY if s.ns == pair else s.ns,
                    ew=NOBODY if s.ew == pair else s.ew,
                )
                for s in seatings
            )
            for seatings in self.rounds
        )
        return replace(self, rounds=rounds, missing=pair)

    def switch(self, *numbers: int) -> Movement:
        """The movement with whole rounds arrow-switched at every table."""
        rounds = self.with_turned(lambda number, _: number in numbers)
        return replace(self, rounds=rounds, switched=tuple(sorted(numbers)))


def filled(
    kind: str,
    rounds: int,
    tables: int,
    seat: Callable[[int, int], tuple[int, int, int]],
    *,
    copies: int = 1,
    meetings: int = 1,
) -> Movement:
    """A movement from ``seat(round, table) -> (ns, ew, set)``, all of them counted from 0."""
    return Movement(
        kind,
        tuple(
            tuple(Seating(t + 1, *(number + 1 for number in seat(r, t))) for t in range(tables))
            for r in range(rounds)
        ),
        copies,
        meetings,
    )


def boards_of(number: int, per_set: int) -> tuple[int, ...]:
    """The boards of a set."""
    return tuple(range((number - 1) * per_set + 1, number * per_set + 1))
