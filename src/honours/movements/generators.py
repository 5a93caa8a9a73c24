"""Movements made by rule: individuals, Howells, Mitchells and what is made of them, teams.

In the Howell family pairs move in one cycle and some stay; every round adds 1 to everybody who
moves. Its first rounds were searched for once and stand in ``howells.toml``: a movement once
printed must never change. In a Mitchell North-South stay, East-West move up, boards move down.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from itertools import combinations, count
from math import gcd

from honours.errors import InputError
from honours.model.message import Message
from honours.movements.movement import NOBODY, Movement, Seating, filled

# North, South | East, West of each table in the first round; the next round adds 1 to all but a
# last player who stays where their number is a multiple of four. Of 4n + 1 one sits out each round.
FIRST_ROUNDS = {
    8: "8 1|2 4  3 7|5 6",
    12: "12 1|2 4  3 10|7 8  5 11|6 9",
    13: "2 11|6 8  3 9|4 5  7 12|10 13",
    16: "16 1|2 3  4 11|8 13  5 14|6 10  7 9|12 15",
    17: "2 12|4 17  3 11|14 15  5 7|8 13  6 9|10 16",
    20: "20 1|2 3  4 16|9 12  5 10|8 18  6 14|11 15  7 13|17 19",
}
_RATES = (0, 2, 1, 3, -1)
"""How North, South, East, West and the boards move in a rainbow."""


@dataclass(frozen=True, slots=True)
class FourPlayers:
    """One table of one round."""

    table: int
    north: int
    south: int
    east: int
    west: int
    set: int

    @property
    def players(self) -> tuple[int, int, int, int]:
        return self.north, self.south, self.east, self.west


@dataclass(frozen=True, slots=True)
class IndividualMovement:
    """All rounds of an individual; ``copies`` of every set are needed, or tables share."""

    kind: str
    rounds: tuple[tuple[FourPlayers, ...], ...]
    copies: int = 1
    switched: tuple[int, ...] = ()
    switched_boards: int = 0

    @property
    def sets(self) -> tuple[int, ...]:
        return tuple(sorted({four.set for seats in self.rounds for four in seats}))

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(sorted({p for seats in self.rounds for s in seats for p in s.players}))


def whist(players: int) -> IndividualMovement:
    """Everybody partners everybody once and opposes everybody twice; all tables play the same
    boards in a round."""
    if players not in FIRST_ROUNDS:
        known = ", ".join(map(str, FIRST_ROUNDS))
        raise InputError(
            "an individual of {players} players: there is one for {known}",
            players=players,
            known=known,
        )
    cycle = players if players % 4 == 1 else players - 1
    numbers = [int(n) for n in re.findall(r"\d+", FIRST_ROUNDS[players])]
    tables = [numbers[i : i + 4] for i in range(0, len(numbers), 4)]

    def on(number: int, steps: int) -> int:
        return number if number > cycle else (number - 1 + steps) % cycle + 1

    def at(table: int, four: list[int], steps: int) -> FourPlayers:
        north, south, east, west = (on(number, steps) for number in four)
        return FourPlayers(table, north, south, east, west, steps + 1)

    rounds = tuple(
        tuple(at(table, four, steps) for table, four in enumerate(tables, 1))
        for steps in range(cycle)
    )
    return IndividualMovement("individual", rounds, len(tables))


def rainbow(tables: int) -> IndividualMovement:
    """North stays, East, South and West move on by 1, 2 and 3 tables, boards back by 1."""
    if any(gcd((a - b) % tables, tables) != 1 for a, b in combinations(_RATES, 2)):
        raise InputError(
            "a rainbow of {tables} tables: expected 5, 7, 11, 13 or another prime", tables=tables
        )

    def at(round_: int, table: int) -> FourPlayers:
        north, south, east, west, board = ((table - rate * round_) % tables for rate in _RATES)
        return FourPlayers(
            table + 1,
            north + 1,
            tables + south + 1,
            2 * tables + east + 1,
            3 * tables + west + 1,
            board + 1,
        )

    rounds = tuple(tuple(at(r, t) for t in range(tables)) for r in range(tables))
    return IndividualMovement("rainbow", rounds)


def check_individual(movement: IndividualMovement) -> tuple[Message, ...]:
    """Faults: somebody at two tables, a set or a partner met twice."""
    faults: list[Message] = []
    partners: Counter[frozenset[int]] = Counter()
    played: Counter[tuple[int, int]] = Counter()
    for number, seats in enumerate(movement.rounds, 1):
        seated = Counter(player for four in seats for player in four.players)
        faults += [
            Message("round {round}: player {player} is at two tables", round=number, player=player)
            for player, times in seated.items()
            if times > 1
        ]
        for four in seats:
            partners.update((frozenset(four.players[:2]), frozenset(four.players[2:])))
            played.update((player, four.set) for player in four.players)
    faults += [
        Message("players {players} are partners {times} times", players=tuple(two), times=times)
        for two, times in partners.items()
        if times > 1
    ]
    faults += [
        Message("player {player} plays set {set} again", player=player, set=number)
        for (player, number), times in played.items()
        if times > 1
    ]
    return tuple(faults)


# --- Howells -----------------------------------------------------------------------------------


_SEAT = re.compile(r"(\d+)-(\d+):(\d+)")


@cache
def _table() -> dict[str, dict[str, object]]:
    text = (resources.files(__package__) / "howells.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def rounds_known(tables: int) -> tuple[int, ...]:
    """The numbers of rounds that Howells of this many tables have, the full one last."""
    known = (key.split("-") for key in _table())
    return tuple(sorted(int(rounds) for t, rounds in known if int(t) == tables))


def howell(tables: int, rounds: int = 0) -> Movement:
    """The Howell for this many tables: in full, or with fewer rounds and more stationary pairs."""
    wanted = rounds or 2 * tables - 1
    entry = _table().get(f"{tables}-{wanted}")
    if entry is None:
        known = ", ".join(map(str, rounds_known(tables))) or "none"
        raise InputError(
            "a Howell of {tables} tables in {wanted} rounds: there is none; rounds known: {known}",
            tables=tables,
            wanted=wanted,
            known=known,
        )
    lines = str(entry["first"]).split(" / ")
    if len(lines) > 1:
        made = tuple(_seated(line) for line in lines)
    else:
        made = tuple(_moved(_seated(lines[0]), number, wanted) for number in range(wanted))
    movement = Movement(_kind(tables, wanted), made)
    turned = {tuple(map(int, t.split("."))) for t in str(entry.get("turned", "")).split()}
    rounds_turned = movement.with_turned(lambda number, s: (number, s.table) in turned)
    return Movement(movement.kind, rounds_turned)


def _kind(tables: int, rounds: int) -> str:
    if rounds == 2 * tables - 1:
        return "howell"
    return "hesitation-mitchell" if rounds == tables + 1 else "three-quarter-howell"


def _seated(line: str) -> tuple[Seating, ...]:
    seats = (tuple(map(int, numbers)) for numbers in _SEAT.findall(line))
    return tuple(Seating(table, *seat) for table, seat in enumerate(seats, 1))


def _moved(first: tuple[Seating, ...], steps: int, cycle: int) -> tuple[Seating, ...]:
    """The first round moved on: who has a number above the cycle's stays."""

    def on(number: int) -> int:
        return number if number > cycle else (number - 1 + steps) % cycle + 1

    return tuple(Seating(s.table, on(s.ns), on(s.ew), on(s.set)) for s in first)


# --- Mitchells ---------------------------------------------------------------------------------


BAROMETER = "barometer-"
"""What the kind of a movement begins with that is played as a barometer."""
_MOST_STEPS = 200_000


def mitchell(tables: int, rounds: int = 0) -> Movement:
    """The plain one for an odd number of tables, or for fewer rounds than tables."""
    return filled(
        "mitchell",
        rounds or tables,
        tables,
        lambda r, t: (t, tables + (t - r) % tables, (t + r) % tables),
    )


def skip_mitchell(tables: int, rounds: int = 0) -> Movement:
    """An even number of tables: East-West skip a table half-way, and one round is not played."""
    half = tables // 2
    return filled(
        "skip-mitchell",
        min(rounds or tables - 1, tables - 1),
        tables,
        lambda r, t: (t, tables + (t - r - (r >= half)) % tables, (t + r) % tables),
    )


def relay_mitchell(tables: int, rounds: int = 0) -> Movement:
    """An even number of tables: the first and the last share, and a set waits half-way."""
    half = tables // 2

    def slot(table: int) -> int:
        if table == tables - 1:
            return 0
        return table if table < half else table + 1

    return filled(
        "share-and-relay-mitchell",
        rounds or tables,
        tables,
        lambda r, t: (t, tables + (t - r) % tables, (slot(t) + r) % tables),
    )


def any_mitchell(tables: int, rounds: int = 0) -> Movement:
    """The Mitchell in which everybody meets everybody of the other line."""
    if tables % 2:
        return mitchell(tables, rounds)
    if rounds and rounds < tables:
        return skip_mitchell(tables, rounds)
    return relay_mitchell(tables, rounds)


def web_mitchell(tables: int, sets: int) -> Movement:
    """An even number of tables and an odd number of sets in two copies: boards go up in one half of
    the room and down in the other."""
    if tables % 2 or sets % 2 == 0 or not tables // 2 <= sets <= tables:
        raise InputError(
            "a web Mitchell of {tables} tables and {sets} sets: expected an even "
            "number of tables and an odd number of sets, at least half as many and no "
            "more",
            tables=tables,
            sets=sets,
        )
    half = tables // 2
    return filled(
        "web-mitchell",
        sets,
        tables,
        lambda r, t: (
            t,
            tables + (t - r) % tables,
            (t + r) % sets if t < half else (tables - 2 - t - r) % sets,
        ),
        copies=2,
    )


def bowman(sets: int) -> Movement:
    """Two tables more than sets: the last but one repeats the first table's sets, the last one
    plays them downwards."""
    tables, half = sets + 2, sets // 2 if sets % 2 == 0 else sets
    return filled(
        "bowman",
        sets,
        tables,
        lambda r, t: (
            t,
            tables + (t - r - (r >= half)) % tables,
            (t + r) % sets if t <= sets else (sets - 1 - r) % sets,
        ),
    )


def blackpool(tables: int) -> Movement:
    """An odd number of tables and two sets more, on a relay: some pairs meet more than once."""
    if tables % 2 == 0:
        raise InputError("a Blackpool of {tables} tables: expected an odd number", tables=tables)
    sets = tables + 2

    def seat(r: int, t: int) -> tuple[int, int, int]:
        ew = (t - r) % tables if r < sets - 1 else tables - 1 - t
        return t, tables + ew, (t + r) % sets

    return filled("blackpool", sets, tables, seat, meetings=3)


def appendix_mitchell(core: int, extra: int) -> Movement:
    """A ring of places, some of them two tables with a stationary pair at each."""
    rates = (x for x in range(2, core) if all(gcd(y % core, core) == 1 for y in (x, x - 1, x + 1)))
    move = next(rates, None)
    if move is None or core % 2 == 0 or not 0 < extra <= core:
        raise InputError(
            "an appendix of {extra} tables to {core}: there is none that works",
            extra=extra,
            core=core,
        )

    def seat(r: int, t: int) -> tuple[int, int, int]:
        place = t if t < core else t - core
        ns, ew = (place - r) % core, core + (place + r) % core
        if t < extra:
            ew = 2 * core + t
        elif t >= core:
            ns = 2 * core + extra + place
        return ns, ew, (place + move * r) % core

    return filled("appendix-mitchell", core, core + extra, seat, copies=2)


def rover_mitchell(tables: int) -> Movement:
    """A pair that came late: from round 2 it takes one North-South pair's place after another."""
    base, late = any_mitchell(tables), 2 * tables + 1
    for allowed in (0, 1):  # with 9 and 15 tables one East-West pair is met twice
        path = _bumped(base, allowed)
        if path is not None:
            bumped = dict(enumerate(path, 2))
            rounds = tuple(
                tuple(replace(s, ns=late) if bumped.get(number) == s.table else s for s in seatings)
                for number, seatings in enumerate(base.rounds, 1)
            )
            return replace(base, kind="rover-mitchell", rounds=rounds, meetings=1 + allowed)
    raise InputError("a rover in a Mitchell of {tables} tables: none was found", tables=tables)


def _bumped(base: Movement, allowed: int) -> list[int] | None:
    """The table at which the late pair plays from round 2 on, or none."""
    steps = count()

    def tried(
        number: int, tables: set[int], pairs: set[int], sets: set[int], left: int
    ) -> list[int] | None:
        if number > len(base.rounds):
            return []
        if next(steps) > _MOST_STEPS:
            return None
        for seating in base.rounds[number - 1]:
            again = seating.ew in pairs
            if seating.table in tables or seating.set in sets or (again and not left):
                continue
            rest = tried(
                number + 1,
                tables | {seating.table},
                pairs | {seating.ew},
                sets | {seating.set},
                left - again,
            )
            if rest is not None:
                return [seating.table, *rest]
        return None

    return tried(2, set(), set(), set(), allowed)


def barometer(movement: Movement) -> Movement:
    """The same seats, with every table playing the same boards in a round: a copy for each."""
    rounds = tuple(
        tuple(replace(s, set=number) for s in seatings)
        for number, seatings in enumerate(movement.rounds, 1)
    )
    kind = movement.kind if movement.kind.startswith(BAROMETER) else BAROMETER + movement.kind
    return replace(movement, kind=kind, rounds=rounds, copies=movement.tables)


def mitchells(tables: int) -> Iterator[Movement]:
    """Every kind of Mitchell that this many tables can play, in full."""
    yield any_mitchell(tables)
    if tables % 2 == 0:
        yield skip_mitchell(tables)
    if tables % 2 == 0:
        for sets in range(tables // 2 | 1, tables, 2):
            yield web_mitchell(tables, sets)


# --- teams -------------------------------------------------------------------------------------


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
