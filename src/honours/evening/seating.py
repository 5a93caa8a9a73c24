"""A movement that changes during play: a late pair, a different movement from some round on, or
two tables that changed places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from honours.errors import InputError
from honours.evening.evening import Evening
from honours.evening.plan import Round, TableRound
from honours.model.message import Message

_MET_AGAIN = 3
_MOST_STEPS = 200_000


def check_seats(evening: Evening, first: int, rounds: Sequence[Round]) -> None:
    """Refuse rounds that cannot be played from the given round on: somebody sits at two tables
    or plays a board twice, or something has already been entered in a round."""
    if not 1 <= first <= len(evening.rounds) + 1:
        raise InputError("there is no round {round}", round=first)
    entered = [place for place, line in evening.lines.items() if line.is_there]
    if late := [place.round for place in entered if place.round >= first]:
        raise InputError(
            "round {round} has results already; change the movement from round {next} on",
            round=max(late),
            next=max(late) + 1,
        )
    teams = evening.plan.kind == "teams"
    faults = list(seat_faults((*evening.rounds[: first - 1], *rounds), teams))
    if faults:
        raise InputError(faults[0])


def seat_faults(rounds: Sequence[Round], teams: bool = False) -> Iterator[Message]:
    """Yield what is wrong with rounds, however they were made; for ``teams``, a half plays on each
    side."""
    played: Counter[tuple[str, str, int]] = Counter()
    for number, round_ in enumerate(rounds, 1):
        yield from _twice_seated(number, round_, teams)
        for seats in round_:
            for who, half in _halves(seats, teams) if seats.is_played else ():
                for board in seats.boards:
                    played[who, half, board] += 1
                    if played[who, half, board] == 2:
                        yield Message(
                            "round {round}, table {table}: {who} plays board {board} again",
                            round=number,
                            table=seats.table,
                            who=who,
                            board=board,
                        )


def _halves(seats: TableRound, teams: bool) -> Iterator[tuple[str, str]]:
    """Yield who sits at a table: each entrant, and for a team which half by the side it sits on."""
    for side, several in (("NS", seats.ns), ("EW", seats.ew)):
        for who in several:
            yield who, side if teams else ""


def _twice_seated(number: int, round_: Round, teams: bool) -> Iterator[Message]:
    at: dict[tuple[str, str], set[int]] = {}
    for seats in round_:
        for half in _halves(seats, teams):
            at.setdefault(half, set()).add(seats.table)
        if set(seats.ns) & set(seats.ew):
            template = "round {round}, table {table}: {who} plays against itself"
            yield Message(template, round=number, table=seats.table, who=seats.ns[0])
    for (who, _), tables in at.items():
        if len(tables) > 1:
            yield Message(
                "round {round}: {who} is at tables {tables}",
                round=number,
                who=who,
                tables=tuple(sorted(tables)),
            )


# --- a late pair ----------------------------------------------------------------------------------


def with_late_pair(evening: Evening, first: int) -> tuple[str, tuple[Round, ...]]:
    """A pair that arrives late, from the given round on: it fills the half table if there is
    one, otherwise it roves, taking the place of one North-South pair after another. With several
    sections it joins the first with a half table, otherwise the first in which it can rove."""
    names = [section.name for section in evening.plan.sections] or [""]
    rest = evening.rounds[first - 1 :]
    for name in names:
        late = free_number(evening, name)
        filled = tuple(
            tuple(_filled(s, late) if _within(evening, s, name) else s for s in one) for one in rest
        )
        whole = (*evening.rounds[: first - 1], *filled)
        if filled != rest and not list(seat_faults(whole)):
            return late, filled
    for name in names:
        late = free_number(evening, name)
        here = tuple(tuple(s for s in one if _within(evening, s, name)) for one in rest)
        if path := _roving(here):
            return late, tuple(
                tuple(replace(s, ns=(late,)) if s in taken else s for s in one)
                for one, taken in zip(rest, path, strict=True)
            )
    raise InputError("no movement was found with room for a late pair")


def free_number(evening: Evening, section: str) -> str:
    """The first unused number."""
    numbers = (f"{section}{n}" for n in count(1))
    return next(number for number in numbers if number not in evening.entrants)


def _within(evening: Evening, seats: TableRound, section: str) -> bool:
    return not section or evening.section_of(seats.table) == section


def _is_half(seats: TableRound) -> bool:
    """Return whether one side of a table is empty although boards lie there."""
    return bool(seats.boards) and bool(seats.ns) != bool(seats.ew)


def _filled(seats: TableRound, late: str) -> TableRound:
    if not _is_half(seats):
        return seats
    return replace(seats, ns=(late,)) if not seats.ns else replace(seats, ew=(late,))


def _roving(rounds: Sequence[Round]) -> list[list[TableRound]]:
    """The table that a late pair takes in each round, so that nobody gives way twice, no board
    is played again and, if possible, no opponents are met again; nothing if there is no such
    way."""
    played = [one for one in rounds if any(seats.is_played for seats in one)]
    for again in range(_MET_AGAIN):
        path = _Rover(played, count()).path(0, _Seen(left=again))
        if path is not None:
            return [[seats] for seats in path] + [[]] * (len(rounds) - len(played))
    return []


@dataclass(frozen=True, slots=True)
class _Seen:
    """The entrants a rover met and displaced, the boards it played, and how many repeated opponents
    are left to it."""

    met: frozenset[str] = frozenset()
    displaced: frozenset[str] = frozenset()
    boards: frozenset[int] = frozenset()
    left: int = 0


@dataclass(frozen=True, slots=True)
class _Rover:
    """Searches for a rover's way through the rounds."""

    rounds: Sequence[Round]
    steps: Iterator[int]

    def path(self, at: int, seen: _Seen) -> list[TableRound] | None:
        """The table of each round from here on, or None."""
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
