"""Every movement works, whatever made it, and balances as published."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from honours.errors import InputError
from honours.movements import generators
from honours.movements.balance import best_switched, individual_quality, quality
from honours.movements.choosing import with_half_table
from honours.movements.movement import Movement, check
from tests.support import cases


def _works(movement: Movement) -> None:
    assert check(movement).faults == ()


@pytest.mark.parametrize("tables", range(3, 17))
def test_mitchells_work_and_have_two_winners(tables: int) -> None:
    for movement in generators.mitchells(tables):
        _works(movement)
        assert check(movement).winners == 2
    full = check(generators.any_mitchell(tables))
    assert full.least_opponents == tables
    assert full.shared == (0 if tables % 2 else tables)


@pytest.mark.parametrize("tables", range(2, 17))
def test_howells_work(tables: int) -> None:
    for rounds in generators.rounds_known(tables):
        movement = generators.howell(tables, rounds)
        _works(movement)
        assert (len(movement.pairs), len(movement.rounds)) == (2 * tables, rounds)
    full = check(generators.howell(tables))
    assert full.least_opponents == 2 * tables - 1
    assert full.winners == 1


def test_three_quarter_howells_are_there_from_five_tables() -> None:
    for tables in range(5, 17):
        assert generators.rounds_known(tables) == tuple(range(tables + 1, 2 * tables))


@cases
def test_howells_balance_as_the_best_published(tables: int, published: str) -> None:
    assert round(quality(generators.howell(tables)), 2) == Fraction(published)


@cases
def test_the_best_arrow_switches_of_a_mitchell_are_the_published_ones(
    tables: int, published: str
) -> None:
    movement = best_switched(generators.any_mitchell(tables), 3)
    assert round(quality(movement), 1) == Fraction(published)
    assert check(movement).winners == 1


def test_few_long_rounds_are_switched_by_boards() -> None:
    movement = best_switched(generators.any_mitchell(4), 6)
    assert (movement.switched, movement.switched_boards) == ((), 3)
    assert round(quality(movement, 6)) == 73
    assert check(movement).winners == 1


@pytest.mark.parametrize("tables", [6, 7, 8, 9, 10, 11, 13])
def test_a_late_pair_roves(tables: int) -> None:
    movement = generators.rover_mitchell(tables)
    _works(movement)
    assert len(movement.pairs) == 2 * tables + 1
    met = [s.ew for seatings in movement.rounds for s in seatings if s.ns == 2 * tables + 1]
    assert len(met) - len(set(met)) == (tables == 9)


@pytest.mark.parametrize("tables", range(3, 13))
def test_with_a_half_table_everybody_plays_nearly_all(tables: int) -> None:
    movement = with_half_table(generators.any_mitchell(tables))
    findings = check(movement)
    assert findings.faults == ()
    assert findings.pairs == 2 * tables - 1
    assert findings.least_sets >= findings.most_sets - 1
    assert findings.shared == 0 or tables == 4


def test_other_mitchells_work() -> None:
    for movement in (
        generators.bowman(8),
        generators.blackpool(7),
        generators.appendix_mitchell(7, 2),
        generators.web_mitchell(12, 9),
    ):
        _works(movement)
    _works(generators.barometer(generators.howell(6)))
    with pytest.raises(InputError, match="odd number"):
        generators.blackpool(8)
    with pytest.raises(InputError, match="web Mitchell"):
        generators.web_mitchell(9, 7)


@pytest.mark.parametrize("players", generators.FIRST_ROUNDS)
def test_in_an_individual_everybody_partners_everybody_once(players: int) -> None:
    movement = generators.whist(players)
    assert generators.check_individual(movement) == ()
    partners = {
        frozenset(two)
        for seats in movement.rounds
        for four in seats
        for two in (four.players[:2], four.players[2:])
    }
    assert len(partners) == players * (players - 1) // 2


def test_individuals_are_measured() -> None:
    """By hand for eight: both tables play every board, so that two players compete once with
    everybody at another table or on the other side, 2 − 1, and −1 or 1 elsewhere."""
    movement = generators.whist(8)
    competition: dict[frozenset[int], int] = dict.fromkeys(
        map(frozenset, combinations(movement.players, 2)), 0
    )
    for seats in movement.rounds:  # a round is a set, at both tables
        sides = {p: (f.table, p in (f.east, f.west)) for f in seats for p in f.players}
        for one, other in combinations(sides, 2):
            (table, side), (other_table, other_side) = sides[one], sides[other]
            same = 1 if side == other_side else -1
            at_table = 0 if side == other_side else 1
            competition[frozenset((one, other))] += at_table if table == other_table else same
    total, squares = sum(competition.values()), sum(c * c for c in competition.values())
    expected = Fraction(100 * total * total, len(competition) * squares)
    assert individual_quality(movement) == expected
    assert individual_quality(generators.rainbow(5)) > 0


def test_rainbows_work_for_primes() -> None:
    for tables in (5, 7, 11):
        assert generators.check_individual(generators.rainbow(tables)) == ()
    with pytest.raises(InputError, match="prime"):
        generators.rainbow(6)


@pytest.mark.parametrize(
    "movement",
    [
        *(generators.american_whist(number) for number in (5, 7, 9)),
        *(generators.multiple_teams(number) for number in (4, 6, 8)),
        *(generators.round_robin(number) for number in (4, 5, 8)),
    ],
    ids=lambda movement: f"{movement.kind}-{movement.tables}",
)
def test_both_halves_of_a_match_play_the_same_boards(movement: Movement) -> None:
    halves: dict[frozenset[int], list[int]] = defaultdict(list)
    for seatings in movement.rounds:
        for side in ("ns", "ew"):
            seated = [who for seating in seatings if (who := getattr(seating, side))]
            assert len(seated) == len(set(seated)), "a half of a team is at two tables"
        for seating in seatings:
            if seating.is_played:
                halves[frozenset((seating.ns, seating.ew))].append(seating.set)
    assert all(len(sets) == 2 and len(set(sets)) == 1 for sets in halves.values())


def test_what_is_wrong_is_told() -> None:
    movement = generators.any_mitchell(5)
    first = movement.rounds[0]
    twice = replace(movement, rounds=(first, first, *movement.rounds[2:]))
    texts = [str(fault) for fault in check(twice).faults]
    assert "round 2, table 1: pair 1 plays set 1 again" in texts
    assert any("meet 2 times, at most 1" in text for text in texts)
    seat = replace(first[0], ns=first[1].ns)
    wrong = replace(movement, rounds=((seat, *first[1:]), *movement.rounds[1:]))
    assert "round 1: pair 2 is at two tables" in [str(f) for f in check(wrong).faults]
