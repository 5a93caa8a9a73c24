"""EGF ratings since 2021: what a tournament changes, from its games.

Every game counts with the ratings before the tournament. The expectation is a rational number:
β is a logarithm, so that e^β is a power of 3300 − r.
"""

from __future__ import annotations

from collections.abc import Mapping

from honours.engine.numbers import exp, ln, power
from honours.engine.rules import Number, nearest, rule, says

CHANGE = "Rating system: change of a rating"
CON = "Con"
BONUS = "Bonus"
EXPECTED = "Expected result"
HANDICAP = "Handicap"

Words = Mapping[str, Number]


@rule("Starting ratings", per="entrant")
def reset(grade: Number, one_dan: Number, a_grade: Number) -> Number:
    """The rating a player starts with who has none: that of the grade."""
    return one_dan + a_grade * grade


@rule("Starting ratings", per="entrant")
def gor(reset: Number) -> Number:
    """The rating before the tournament."""
    return reset


@rule("Tournament classes", tabulated=True)
def weight(class_: str, weights: Words) -> Number:
    """What the games of the tournament count."""
    return weights[class_]


@rule(HANDICAP, per="game")
def received(stones: Number, stone: Number, half_stone: Number) -> Number:
    """What handicap adds to the player's rating in the expectation."""
    return stone * (stones - half_stone) if stones > 0 else 0


@rule(HANDICAP, per="game")
def given(stones: Number, stone: Number, half_stone: Number) -> Number:
    """What handicap adds to the opponent's rating in the expectation."""
    return stone * (-stones - half_stone) if stones < 0 else 0


@rule(EXPECTED, per="game")
def own_part(gor: Number, received: Number, top: Number, expectation_exponent: Number) -> Number:
    """The player's part of the expectation: smaller the stronger."""
    return power(top - gor - received, expectation_exponent)


@rule(EXPECTED, per="game")
def other_part(
    opponent_gor: Number, given: Number, top: Number, expectation_exponent: Number
) -> Number:
    """The opponent's part of the expectation."""
    return power(top - opponent_gor - given, expectation_exponent)


@rule(EXPECTED, per="game")
def expected(own_part: Number, other_part: Number) -> Number:
    """The result that is to be expected."""
    return other_part / (own_part + other_part)


@rule(CON, per="entrant")
def con(gor: Number, top: Number, con_scale: Number, con_exponent: Number) -> Number:
    """How much a game moves the rating: less the stronger the player."""
    return power((top - gor) / con_scale, con_exponent)


@rule(BONUS, per="entrant")
def bonus(gor: Number, bonus_middle: Number, bonus_scale: Number, bonus_share: Number) -> Number:
    """What every game adds, so that ratings do not sink."""
    return ln(1 + exp((bonus_middle - gor) / bonus_scale)) / bonus_share


@rule(CHANGE, per="game")
def change(weight: Number, con: Number, result: Number, expected: Number, bonus: Number) -> Number:
    """What a game changes."""
    return weight * (con * (result - expected) + bonus)


@rule("Lowest rating", per="entrant", rounds=nearest("thousandth"))
def new_rating(gor: Number, sum_of_change: Number, lowest: Number) -> Number:
    """The rating after the tournament."""
    return max(gor + sum_of_change, lowest)


@rule(CHANGE, per="entrant", rounds=nearest("thousandth"))
def award(new_rating: Number, gor: Number) -> Number:
    """What the tournament changes."""
    return new_rating - gor


@rule(CHANGE)
def places(entrants: Number) -> Number:
    """Everybody who played is rated again."""
    return entrants


@says("{games} games move the rating from {gor} by {award} to {new_rating}.", CHANGE)
def moved(games: Number, gor: Number, new_rating: Number, award: Number) -> bool:
    return games > 1


@says("One game moves the rating from {gor} by {award} to {new_rating}.", CHANGE)
def moved_by_one(games: Number, gor: Number, new_rating: Number, award: Number) -> bool:
    return games == 1


@says("Without a game the rating stays {gor}.", CHANGE)
def not_moved(games: Number, gor: Number) -> bool:
    return games == 0


@rule(CHANGE, per="entrant")
def games(count_of_result: Number) -> Number:
    """How many games were played."""
    return count_of_result
