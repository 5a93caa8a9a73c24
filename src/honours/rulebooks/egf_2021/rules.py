"""EGF ratings since 2021: what a tournament changes, from its games.

Every game counts with the ratings before the tournament. The expectation is a rational number:
β is a logarithm, so that e^β is a power of 3300 − r.
"""

from honours.engine.numbers import exp, ln, power
from honours.engine.rules import nearest, rule

CHANGE = "Rating system: change of a rating"
CON = "Con"
BONUS = "Bonus"
EXPECTED = "Expected result"
HANDICAP = "Handicap"


@rule("Starting ratings", per="entrant")
def reset(grade, one_dan, a_grade):
    """The rating a player starts with who has none: that of the grade."""
    return one_dan + a_grade * grade


@rule("Starting ratings", per="entrant")
def gor(reset):
    """The rating before the tournament."""
    return reset


@rule("Tournament classes")
def weight(class_, weights):
    """What the games of the tournament count."""
    return weights[class_]


@rule(HANDICAP, per="game")
def received(stones, stone, half_stone):
    """What handicap adds to the player's rating in the expectation."""
    return stone * (stones - half_stone) if stones > 0 else 0


@rule(HANDICAP, per="game")
def given(stones, stone, half_stone):
    """What handicap adds to the opponent's rating in the expectation."""
    return stone * (-stones - half_stone) if stones < 0 else 0


@rule(EXPECTED, per="game")
def own_part(gor, received, top, expectation_exponent):
    """The player's part of the expectation: smaller the stronger."""
    return power(top - gor - received, expectation_exponent)


@rule(EXPECTED, per="game")
def other_part(opponent_gor, given, top, expectation_exponent):
    """The opponent's part of the expectation."""
    return power(top - opponent_gor - given, expectation_exponent)


@rule(EXPECTED, per="game")
def expected(own_part, other_part):
    """The result that is to be expected."""
    return other_part / (own_part + other_part)


@rule(CON, per="entrant")
def con(gor, top, con_scale, con_exponent):
    """How much a game moves the rating: less the stronger the player."""
    return power((top - gor) / con_scale, con_exponent)


@rule(BONUS, per="entrant")
def bonus(gor, bonus_middle, bonus_scale, bonus_share):
    """What every game adds, so that ratings do not sink."""
    return ln(1 + exp((bonus_middle - gor) / bonus_scale)) / bonus_share


@rule(CHANGE, per="game")
def change(weight, con, result, expected, bonus):
    """What a game changes."""
    return weight * (con * (result - expected) + bonus)


@rule("Lowest rating", per="entrant", rounds=nearest("thousandth"))
def new_rating(gor, sum_of_change, lowest):
    """The rating after the tournament."""
    return max(gor + sum_of_change, lowest)


@rule(CHANGE, per="entrant", rounds=nearest("thousandth"))
def award(new_rating, gor):
    """What the tournament changes."""
    return new_rating - gor


@rule(CHANGE)
def places(entrants):
    """Everybody who played is rated again."""
    return entrants


@rule(CHANGE, per="entrant")
def games(count_of_result):
    """How many games were played."""
    return count_of_result
