"""The rounds of a Swiss event in an evening: paired by the standings, with byes and triangles.

A match of teams is played at two tables, with one half of each team at either. Three teams that are
left over may play a triangle, all against all: it takes two rounds, with one half of each match in
either, and one set of boards more than the others play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

from honours.errors import InputError
from honours.evening.evening import Evening
from honours.evening.plan import Round, TableRound
from honours.movements.movement import boards_of
from honours.movements.swiss import Pairing, pair_round

_FIRST_EXTRA = 101
"""The first board number of a triangle's third set, which nobody else plays."""


def first_swiss_round(many: int, per_set: int, teams: bool, triangle: bool = False) -> Round:
    """The first pairing: the upper half of the numbers meets the lower half, in order; if the
    number is odd, the last sits out, or the last three play a triangle."""
    three = 3 if triangle and many % 2 else 0
    playing = many - three - (0 if three else many % 2)
    half = playing // 2
    matches = [(str(n), str(half + n)) for n in range(1, half + 1)]
    left = [str(n) for n in range(playing + 1, many + 1)]
    boards = boards_of(1, per_set)
    seats = [*_matches(matches, boards, teams)]
    if three:
        seats += _triangle(len(seats), left, (boards, boards_of(2, per_set)), _FIRST_EXTRA)
    elif left:
        seats.append(TableRound(_last(seats) + 1, (left[0],), (), ()))
    return tuple(seats)


def next_swiss_round(
    evening: Evening, ranking: Sequence[str], triangle: bool = False
) -> tuple[Pairing, Round]:
    """The next pairing: by standing, no opponents twice, and boards that nobody has played. A
    triangle that has begun is finished first."""
    teams, per_set = evening.plan.kind == "teams", evening.plan.per_set
    if triangle and not teams:
        raise InputError("three pairs cannot play at once: a triangle is for teams")
    begun = begun_triangle(evening)
    busy = {who for seats in begun for who in seats.ns}
    rest = [who for who in ranking if who not in busy]
    pairing = pair_round(rest, _met(evening), _byes(evening), triangle=triangle) if rest else _NONE
    number = len(evening.rounds) + 1
    boards = boards_of(number, per_set)
    seats = [*_matches(pairing.matches, boards, teams)]
    if pairing.triangle:
        sets = (boards, boards_of(number + 1, per_set))
        seats += _triangle(len(seats), pairing.triangle, sets, _free(evening))
    if pairing.bye:
        seats.append(TableRound(_last(seats) + 1, (pairing.bye,), (), ()))
    return pairing, (*seats, *_second_halves(begun))


_NONE = Pairing((), ())


def begun_triangle(evening: Evening) -> list[TableRound]:
    """The tables of the last round at which only one half of a match has been played."""
    if evening.plan.kind != "teams" or not evening.rounds:
        return []
    halves = Counter(
        frozenset(seats.entrants) for one in evening.rounds for seats in one if seats.is_played
    )
    last = evening.rounds[-1]
    return [s for s in last if s.is_played and halves[frozenset(s.entrants)] == 1]


def _second_halves(begun: Sequence[TableRound]) -> Iterator[TableRound]:
    """North-South stay, and play the boards that their other half has played."""
    for seats in begun:
        other = next(one for one in begun if one.ew == seats.ns)
        yield TableRound(seats.table, seats.ns, other.ns, other.boards)


def _matches(
    matches: Sequence[tuple[str, str]], boards: tuple[int, ...], teams: bool
) -> Iterator[TableRound]:
    tables = count(1)
    for home, away in matches:
        yield TableRound(next(tables), (home,), (away,), boards)
        if teams:
            yield TableRound(next(tables), (away,), (home,), boards)


def _triangle(
    tables: int, three: Sequence[str], sets: tuple[tuple[int, ...], tuple[int, ...]], extra: int
) -> list[TableRound]:
    """The first halves of three matches, each with its own boards."""
    one, two, other = three
    first, second = sets
    third = tuple(range(extra, extra + len(first)))
    return [
        TableRound(tables + 1, (one,), (two,), first),
        TableRound(tables + 2, (two,), (other,), second),
        TableRound(tables + 3, (other,), (one,), third),
    ]


def _last(seats: Sequence[TableRound]) -> int:
    return max((one.table for one in seats), default=0)


def _free(evening: Evening) -> int:
    """The first unused board from 101 on."""
    return max((_FIRST_EXTRA - 1, *evening.boards)) + 1


def _met(evening: Evening) -> set[frozenset[str]]:
    return {frozenset(seats.entrants) for one in evening.rounds for seats in one if seats.is_played}


def _byes(evening: Evening) -> set[str]:
    """Return those who have already sat out."""
    return {
        who
        for one in evening.rounds
        for seats in one
        if not seats.is_played
        for who in seats.entrants
    }
