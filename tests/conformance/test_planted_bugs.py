"""Bugs planted in the scorer, one at a time: the agreement run must catch each.

A plant that changes nothing is caught by nothing, so its test fails; and every event used here
agrees without the plant, which :mod:`tests.conformance.test_agreement` shows for the same seed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from honours.scoring import (
    contracts,
    imps,
    matches,
    matchpoints,
    scored,
    scorer,
    standings,
    victory_points,
)
from honours.scoring.movement import SectionGroups
from tests.conformance import agreement, generator
from tests.conformance.test_agreement import EACH, KINDS, SEED

EVENTS = EACH * len(KINDS)

# Each plant is given the real thing and returns what stands in its place.
Plant = Callable[[Any], Any]
PLANTS: dict[str, tuple[object, str, Plant]] = {}


def plant(where: object, name: str) -> Callable[[Plant], Plant]:
    """Name a bug after its function, to be put in place of ``where.name``."""

    def planted(bug: Plant) -> Plant:
        PLANTS[bug.__name__] = (where, name, bug)
        return bug

    return planted


# --- matchpoints ------------------------------------------------------------------------------


@plant(matchpoints, "by_formula")
def factored_with_the_wrong_number_obtained(real: Any) -> Any:
    return lambda total, expected, _, *rest: real(total, expected, expected, *rest)


@plant(matchpoints, "by_formula")
def simplified_alternative_ignored(real: Any) -> Any:
    return lambda *given: real(*given[:-1], False)


@plant(matchpoints, "_expected")
def expected_taken_without_the_missing(real: Any) -> Any:
    return lambda scores, rulings, _, profile: real(scores, rulings, 0, profile)


@plant(matchpoints, "in_units")
def half_rounded_away_from_average(real: Any) -> Any:
    def away(above: Any, below: Any, *rest: Any) -> int:
        nearest = int(real(above, below, *rest))
        exact = Fraction(rest[1] * above) / below
        return int(2 * exact - nearest) if exact.denominator == 2 else nearest

    return away


@plant(matchpoints, "sign_sums")
def ties_worth_nothing(real: Any) -> Any:
    def harsh(scores: Any, start: int, stop: int, sums: Any) -> None:
        real(scores, start, stop, sums)
        for i in range(start, stop):
            sums[i] -= sum(scores[i] == scores[j] for j in range(start, stop)) - 1

    return harsh


@plant(matchpoints, "small_group_shares")
def lone_version_compared_with_nobody(_: Any) -> Any:
    return lambda *_: ()


@plant(matchpoints, "is_the_larger")
def equal_groups_both_called_the_larger(_: Any) -> Any:
    return lambda sizes, size: size == max(sizes)


@plant(matchpoints, "comparable")
def weighted_score_taken_for_its_first_part(real: Any) -> Any:
    def first(result: Any, side: Any) -> Any:
        scores = real(result, side)
        return scores and ((Fraction(1), scores[0][1]),)

    return first


@plant(matchpoints, "HALF")
def sixty_and_forty_swapped(_: Any) -> Any:
    return Fraction(2)


@plant(matchpoints, "session_shares")
def session_percentage_out_of_too_many_boards(real: Any) -> Any:
    return lambda boards: {who: share * 9 / 10 for who, share in real(boards).items()}


@plant(matchpoints, "Tally")
def percentage_over_the_wrong_number_of_boards(real: Any) -> Any:
    return lambda who, points, _, boards: real(who, points, Fraction(boards), boards)


@plant(matchpoints, "penalty_points")
def penalty_given_instead_of_taken(real: Any) -> Any:
    return lambda penalty, top: -real(penalty, top)


@plant(scorer, "score_session")
def sections_always_scored_together(real: Any) -> Any:
    return lambda sitting, profile, _, expected: real(sitting, profile, SectionGroups(), expected)


# --- contracts and IMPs -----------------------------------------------------------------------


@plant(contracts, "_VULNERABLE")
def vulnerability_turned_by_one(real: Any) -> Any:
    return real[1:] + real[:1]


@plant(contracts, "INSULT")
def no_bonus_for_a_redoubled_contract(_: Any) -> Any:
    return (0, 50, 50)


@plant(scored, "ns_score")
def declarer_always_north_south(real: Any) -> Any:
    return lambda contract, tricks, board: abs(real(contract, tricks, board))


@plant(imps, "UPPER_BOUNDS")
def imp_bound_off_by_one_step(real: Any) -> Any:
    return (real[0], real[1] + 10, *real[2:])


@plant(imps, "divided_by")
def cross_imps_divided_by_one_too_many(real: Any) -> Any:
    return lambda comparisons, divisor: real(comparisons + 1, divisor)


@plant(imps.Datum, "trimmed")
def datum_not_trimmed(_: Any) -> Any:
    return lambda *_: 0


@plant(imps, "artificial_imps")
def average_plus_forgotten_in_imps(_: Any) -> Any:
    return lambda *_: Fraction(0)


# --- matches ----------------------------------------------------------------------------------


@plant(matches, "_board_won")
def tied_board_lost(_: Any) -> Any:
    return lambda together: Fraction(together > 0)


@plant(victory_points, "_winner")
def victory_points_of_another_length(real: Any) -> Any:
    return lambda margin, boards: real(margin, boards + 1)


@plant(matches, "sat_out")
def bye_worth_nothing(_: Any) -> Any:
    return lambda *_: []


@plant(matches, "off_total")
def fine_in_victory_points_forgotten(_: Any) -> Any:
    return lambda *_: Fraction(0)


# --- standings --------------------------------------------------------------------------------


@plant(standings, "_placed")
def ties_broken_in_the_ranking(real: Any) -> Any:
    def numbered(*given: Any) -> Any:
        placed = enumerate(real(*given), start=1)
        return [replace(standing, place=place, tied=1) for place, standing in placed]

    return numbered


@plant(standings, "_eligible")
def stratum_without_those_below_it(_: Any) -> Any:
    return lambda tally, stratum, strata: not strata or tally.entrant.stratum == stratum


@plant(scorer, "carry_over")
def carried_forward_twice(real: Any) -> Any:
    return lambda tallies, *full: real(real(tallies, *full), *full)


@plant(scorer, "carry_over")
def carried_whole_by_who_played_less(real: Any) -> Any:
    return lambda tallies, *_: real(tallies)


# --- caught? ----------------------------------------------------------------------------------


@pytest.mark.parametrize("bug", PLANTS)
def test_planted_bug_is_caught(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, change = PLANTS[bug]
    monkeypatch.setattr(where, name, change(getattr(where, name)))
    events = (generator.generate(SEED, number) for number in range(EVENTS))
    assert any(agreement.differences(event) for event in events)
