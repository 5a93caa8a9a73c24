"""Movements of teams: North-South stay at their own table, East-West visit the others."""

from __future__ import annotations

from honours.errors import InputError
from honours.movements.movement import NOBODY, Movement, Seating, filled


def american_whist(teams: int) -> Movement:
    """An odd number of teams: East-West up two, boards down one; all meet all."""
    if teams % 2 == 0 or teams < 3:
        raise InputError(
            "an American Whist of {teams} teams: expected an odd number from 3", teams=teams
        )
    return filled(
        "american-whist",
        teams - 1,
        teams,
        lambda r, t: (t, (t - 2 * (r + 1)) % teams, (t - (r + 1)) % teams),
        meetings=2,
    )


def multiple_teams(teams: int) -> Movement:
    """An even number of teams: East-West up one; tables half-way apart share, other sets wait."""
    if teams % 2 or teams < 4:
        raise InputError("a relay of {teams} teams: expected an even number from 4", teams=teams)
    return filled(
        "multiple-teams",
        teams - 1,
        teams,
        lambda r, t: (t, (t - (r + 1)) % teams, (2 * t - (r + 1)) % teams),
        meetings=2,
    )


def round_robin(teams: int) -> Movement:
    """Head to head: in each round every team plays one match, at a table of either team."""
    if teams < 2:
        raise InputError("a round robin of {teams} teams: expected two at least", teams=teams)
    size = teams + teams % 2
    ring = list(range(1, size))
    rounds = []
    for number in range(size - 1):
        seats = [size, *ring[number:], *ring[:number]]
        matches = zip(seats[: size // 2], reversed(seats[size // 2 :]), strict=True)
        rounds.append(tuple(_both_tables(number + 1, match, teams) for match in matches))
    seatings = tuple(tuple(s for match in matches for s in match) for matches in rounds)
    return Movement("round-robin", seatings, copies=size, meetings=2)


def _both_tables(number: int, match: tuple[int, int], teams: int) -> tuple[Seating, ...]:
    """The two tables of a match, which play the same set; none for a bye."""
    home, away = match
    if max(match) > teams:
        sits = min(match)
        return (Seating(sits, sits, NOBODY, NOBODY),)
    return (Seating(home, home, away, number), Seating(away, away, home, number))
