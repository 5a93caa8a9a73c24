"""Swiss pairing: nobody meets again, and nothing better was possible."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from honours.errors import InputError
from honours.movements.swiss import pair_round


def _least(ranking: list[str], met: set[frozenset[str]]) -> int | None:
    """The least cost by trying everything."""
    costs = []
    for order in permutations(range(len(ranking))):
        pairs = [tuple(sorted(order[i : i + 2])) for i in range(0, len(order), 2)]
        if all(frozenset((ranking[a], ranking[b])) not in met for a, b in pairs):
            costs.append(sum((a - b) ** 2 for a, b in pairs))
    return min(costs, default=None)


@pytest.mark.parametrize("seed", range(8))
def test_a_round_is_the_best_there_is(seed: int) -> None:
    rng = random.Random(seed)
    ranking = list("ABCDEF")
    met = {frozenset(rng.sample(ranking, 2)) for _ in range(rng.randint(0, 7))}
    least = _least(ranking, met)
    if least is None:
        with pytest.raises(InputError, match="replay"):
            pair_round(ranking, met)
    else:
        pairing = pair_round(ranking, met)
        assert sum(pairing.costs) == least
        assert not {frozenset(match) for match in pairing.matches} & met


@pytest.mark.parametrize("entrants", [12, 21, 30])
def test_seven_rounds_without_a_replay_and_one_bye_each(entrants: int) -> None:
    rng = random.Random(entrants)
    points = {f"T{i}": 0.0 for i in range(entrants)}
    met: set[frozenset[str]] = set()
    byes: list[str] = []
    for _ in range(7):
        ranking = sorted(points, key=lambda team: (-points[team], team))
        pairing = pair_round(ranking, met, byes)
        matches = {frozenset(match) for match in pairing.matches}
        assert not matches & met
        met |= matches
        byes += [pairing.bye] if pairing.bye else []
        for home, away in pairing.matches:
            share = rng.randint(0, 20)
            points[home] += share
            points[away] += 20 - share
    assert len(set(byes)) == len(byes) == (7 if entrants % 2 else 0)


def test_three_may_play_a_triangle() -> None:
    pairing = pair_round(list("ABCDEFG"), triangle=True)
    assert pairing.triangle == ("E", "F", "G")
    assert pairing.matches == (("A", "B"), ("C", "D"))
    with pytest.raises(InputError, match="twice"):
        pair_round(["A", "A"])
