"""IFPA WPPR: what an event is worth and how it is handed out.

The value is made of who came (base, ratings, ranks), how much was played, and the kind of event;
a tenth of it goes down in equal steps, the rest in a curve over half of the rated players.
"""

from __future__ import annotations

from collections.abc import Mapping

from honours.engine.numbers import ln, power
from honours.engine.rules import Number, nearest, refuses, rule, says

BASE = "Base value"
RATING = "Rating TVA"
RANKING = "Ranking TVA"
GRADING = "Tournament grading percentage"
VALUE = "Value of the first place"
DISTRIBUTION = "Distribution"

Words = Mapping[str, Number]


@rule("Eligibility", tabulated=True)
def players_needed(private: str, least_players: Words) -> Number:
    """The fewest players."""
    return least_players[private]


@refuses("{entrants} players, at least {players_needed} needed", "Eligibility")
def too_few(entrants: Number, players_needed: Number) -> bool:
    return entrants < players_needed


# --- who came ---------------------------------------------------------------------------------


@rule(BASE, defines="rated_players")
def rated_of_the_list(sum_of_is_rated: Number) -> Number:
    """Players with five events or more."""
    return sum_of_is_rated


@rule(BASE)
def base(rated_players: Number, base_each: Number, most_base: Number) -> Number:
    """What the rated players are worth."""
    return min(rated_players * base_each, most_base)


@rule(RATING, per="entrant")
def rating_value(ifpa_rating: Number, rating_slope: Number, rating_start: Number) -> Number:
    """What a player's rating adds."""
    return max(ifpa_rating * rating_slope - rating_start, 0)


@rule(RATING, defines="rating_tva", best="best_players")
def rating_of_the_best(sum_of_best_rating_value: Number, most_rating: Number) -> Number:
    """What the ratings of the best add."""
    return min(sum_of_best_rating_value, most_rating)


@rule(RANKING, per="entrant")
def rank_value(ifpa_rank: Number, rank_start: Number, rank_slope: Number) -> Number:
    """What a player's place in the world rankings adds."""
    return max(rank_start - rank_slope * ln(ifpa_rank), 0)


@rule(RANKING, defines="ranking_tva", best="best_players")
def ranks_of_the_best(sum_of_best_rank_value: Number, most_ranking: Number) -> Number:
    """What the ranks of the best add."""
    return min(sum_of_best_rank_value, most_ranking)


# --- how much was played ----------------------------------------------------------------------


@rule(GRADING, tabulated=True)
def qualifying_factor(
    qualifying: str, hours: Number, long_qualifying: Number, unlimited_factors: Words
) -> Number:
    """What a game of qualifying counts for; more only where there was time enough."""
    return unlimited_factors[qualifying] if hours >= long_qualifying else 1


@rule(GRADING, tabulated=True)
def qualifying_share(
    qualifying_games: Number,
    a_game: Number,
    qualifying_group: str,
    groups: Words,
    qualifying_factor: Number,
    hours: Number,
    an_hour: Number,
    most_hours: Number,
) -> Number:
    """What qualifying counts."""
    return qualifying_games * a_game * groups[qualifying_group] * qualifying_factor + min(
        hours * an_hour, most_hours
    )


@rule(GRADING, tabulated=True)
def final_share(final_games: Number, a_game: Number, final_group: str, groups: Words) -> Number:
    """What the finals count."""
    return final_games * a_game * groups[final_group]


@rule(GRADING, tabulated=True)
def most_share(
    qualifying_games: Number, final_games: Number, most_of_one_part: Number, most_of_both: Number
) -> Number:
    """The most that the games can count."""
    return most_of_both if qualifying_games > 0 and final_games > 0 else most_of_one_part


@rule(GRADING, tabulated=True)
def tgp(
    qualifying_share: Number,
    final_share: Number,
    balls: str,
    ball_factors: Words,
    most_share: Number,
) -> Number:
    """The share of a full tournament that was played."""
    return min((qualifying_share + final_share) * ball_factors[balls], most_share)


@refuses(
    "how much was played? Give tgp=1 for 25 meaningful games, or qualifying_games and final_games",
    GRADING,
    asks="tgp",
)
def nothing_played(tgp: Number) -> bool:
    return tgp == 0


# --- what it is worth, and who gets it --------------------------------------------------------


@rule(VALUE)
def first_value(
    base: Number, rating_tva: Number, ranking_tva: Number, tgp: Number, booster: Number
) -> Number:
    """What the event is worth: the points of its winner, unrounded."""
    return (base + rating_tva + ranking_tva) * tgp * booster


@rule(DISTRIBUTION)
def curve_places(rated_players: Number, half: Number, most_dynamic: Number) -> Number:
    """Over how many places the curve falls."""
    return min(rated_players * half, most_dynamic)


@rule(DISTRIBUTION, per="place")
def linear_part(
    first_value: Number, linear_share: Number, entrants: Number, place: Number
) -> Number:
    """What everybody gets, in equal steps."""
    return first_value * linear_share * (entrants + 1 - place) / entrants


@rule(DISTRIBUTION, per="place")
def depth(place: Number, curve_places: Number) -> Number:
    """How far down the curve the place is: 0 for the first, 1 at its end."""
    return min((place - 1) / curve_places, 1)


@rule(DISTRIBUTION, per="place")
def curve_part(
    first_value: Number,
    dynamic_share: Number,
    depth: Number,
    dynamic_exponent: Number,
    dynamic_power: Number,
) -> Number:
    """What the first places get besides."""
    return first_value * dynamic_share * power(1 - power(depth, dynamic_exponent), dynamic_power)


@rule(DISTRIBUTION, per="place")
def value(linear_part: Number, curve_part: Number) -> Number:
    """What a place is worth."""
    return linear_part + curve_part


@rule("Second calculator: ties", per="entrant")
def shared_value(covered_value: Number, tied: Number) -> Number:
    """What those who tie get each, unrounded."""
    return covered_value / tied


@rule("Second calculator: rounding", per="entrant", rounds=nearest("cent"))
def award(shared_value: Number) -> Number:
    """What a player is awarded."""
    return shared_value


@rule(DISTRIBUTION)
def places(entrants: Number) -> Number:
    """Everybody gets something."""
    return entrants


@rule(VALUE, rounds=nearest("cent"))
def winners_points(first_value: Number) -> Number:
    """What the event is worth to its winner, rounded."""
    return first_value


@says("The event is worth {winners_points} to its winner.", VALUE)
def what_it_is_worth(winners_points: Number) -> bool:
    return True


@says("Place {place} of {entrants} gets {award}.", DISTRIBUTION)
def gets_its_place(place: Number, entrants: Number, award: Number, tied: Number) -> bool:
    return tied == 1


@says("{tied} tie for place {place} and get the mean of their places: {award} each.", "Ties")
def shares_a_tie(place: Number, award: Number, tied: Number) -> bool:
    return tied > 1
