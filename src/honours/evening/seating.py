"""A movement that changes while it is played: a late pair, another movement from a round on, two
tables that changed places, the next round of a Swiss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from honours.errors import InputError
from honours.evening.plan import Round, Seats
from honours.model.message import Message
from honours.movements.movement import boards_of
from honours.movements.swiss import Pairing, pair_round

if TYPE_CHECKING:
    from honours.evening.evening import Evening

_MET_AGAIN = 3
_MOST_STEPS = 200_000


def check_seats(evening: Evening, first: int, rounds: Sequence[Round]) -> None:
    """Refuse rounds that cannot be played from a round on: somebody at two tables, a board again
    that they have played, or a round in which something was entered already."""
    if not 1 <= first <= len(evening.rounds) + 1:
        raise InputError(Message("there is no round {round}", round=first))
    entered = [place for place, line in evening.lines.items() if line.is_there]
    if late := [place.round for place in entered if place.round >= first]:
        raise InputError(
            Message(
                "round {round} has results already; change the movement from round {next} on",
                round=max(late),
                next=max(late) + 1,
            )
        )
    faults = list(seat_faults((*evening.rounds[: first - 1], *rounds)))
    if faults:
        raise InputError(faults[0])


def seat_faults(rounds: Sequence[Round]) -> Iterator[Message]:
    """What is wrong with rounds, whatever made them."""
    played: Counter[tuple[str, int]] = Counter()
    for number, round_ in enumerate(rounds, 1):
        yield from _twice_seated(number, round_)
        for seats in round_:
            for who in seats.entrants if seats.is_played else ():
                for board in seats.boards:
                    played[who, board] += 1
                    if played[who, board] == 2:
                        yield Message(
                            "round {round}, table {table}: {who} plays board {board} again",
                            round=number,
                            table=seats.table,
                            who=who,
                            board=board,
                        )


def _twice_seated(number: int, round_: Round) -> Iterator[Message]:
    at: dict[str, set[int]] = {}
    for seats in round_:
        for who in seats.entrants:
            at.setdefault(who, set()).add(seats.table)
        if set(seats.ns) & set(seats.ew):
            template = "round {round}, table {table}: {who} plays against itself"
            yield Message(template, round=number, table=seats.table, who=seats.ns[0])
    for who, tables in at.items():
        if len(tables) > 1:
            yield Message(
                "round {round}: {who} is at tables {tables}",
                round=number,
                who=who,
                tables=tuple(sorted(tables)),
            )


# --- a late pair ----------------------------------------------------------------------------------


def with_late_pair(evening: Evening, first: int) -> tuple[str, tuple[Round, ...]]:
    """A pair that came late, from a round on: it fills the half table if there is one, else it
    roves, taking one North-South pair's place after another."""
    late = next(str(n) for n in count(1) if str(n) not in evening.entrants)
    rest = evening.rounds[first - 1 :]
    filled = tuple(tuple(_filled(seats, late) for seats in one) for one in rest)
    missing = any(_is_half(seats) for one in rest for seats in one)
    whole = (*evening.rounds[: first - 1], *filled)
    if missing and not list(seat_faults(whole)):
        return late, filled
    return late, _roving(evening, first, late)


def _is_half(seats: Seats) -> bool:
    """Whether one side of a table is empty, and boards lie there."""
    return bool(seats.boards) and bool(seats.ns) != bool(seats.ew)


def _filled(seats: Seats, late: str) -> Seats:
    if not _is_half(seats):
        return seats
    return replace(seats, ns=(late,)) if not seats.ns else replace(seats, ew=(late,))


def _roving(evening: Evening, first: int, late: str) -> tuple[Round, ...]:
    """The late pair at one table a round: nobody gives way twice, no board again, and nobody met
    again where that can be had."""
    rest = evening.rounds[first - 1 :]
    for again in range(_MET_AGAIN):
        path = _Rover(rest, count()).path(0, _Seen(left=again))
        if path is not None:
            return tuple(
                tuple(replace(s, ns=(late,)) if s is taken else s for s in one)
                for one, taken in zip(rest, path, strict=True)
            )
    raise InputError(Message("no movement was found in which a late pair could rove"))


@dataclass(frozen=True, slots=True)
class _Seen:
    """Whom a rover met and displaced, what it played, and how often it may still meet again."""

    met: frozenset[str] = frozenset()
    displaced: frozenset[str] = frozenset()
    boards: frozenset[int] = frozenset()
    left: int = 0


@dataclass(frozen=True, slots=True)
class _Rover:
    """Looks for a way through the rounds."""

    rounds: Sequence[Round]
    steps: Iterator[int]

    def path(self, at: int, seen: _Seen) -> list[Seats] | None:
        """The table of each round from here on, or none."""
        if at == len(self.rounds):
            return []
        if next(self.steps) > _MOST_STEPS:
            return None
        for seats in self.rounds[at]:
            again = bool(set(seats.ew) & seen.met)
            if not seats.is_played or set(seats.ns) & seen.displaced:
                continue
            if set(seats.boards) & seen.boards or (again and not seen.left):
                continue
            after = _Seen(
                seen.met | set(seats.ew),
                seen.displaced | set(seats.ns),
                seen.boards | set(seats.boards),
                seen.left - again,
            )
            rest = self.path(at + 1, after)
            if rest is not None:
                return [seats, *rest]
        return None


# --- the next round of a Swiss --------------------------------------------------------------------


def next_swiss_round(evening: Evening, ranking: Sequence[str]) -> tuple[Pairing, Round]:
    """Who meets whom next: by standing, nobody again, boards that nobody has played."""
    met = {frozenset(seats.entrants) for one in evening.rounds for seats in one if seats.is_played}
    seated = [{who for s in one if s.is_played for who in s.entrants} for one in evening.rounds]
    byes = {who for who in ranking if any(who not in playing for playing in seated)}
    pairing = pair_round(ranking, met, byes)
    boards = boards_of(len(evening.rounds) + 1, evening.plan.per_set)
    matches = [
        Seats(table, (home,), (away,), boards)
        for table, (home, away) in enumerate(pairing.matches, 1)
    ]
    if pairing.bye:
        matches.append(Seats(len(matches) + 1, (pairing.bye,), (), ()))
    return pairing, tuple(matches)
