"""IFPA WPPR: what an event is worth and how it is handed out.

The value is made of who came (base, ratings, ranks), how much was played, and the kind of event;
a tenth of it goes down in equal steps, the rest in a curve over half of the rated players.
"""

from honours.engine.numbers import ln, power
from honours.engine.rules import nearest, rule

BASE = "Base value"
RATING = "Rating TVA"
RANKING = "Ranking TVA"
GRADING = "Tournament grading percentage"
VALUE = "Value of the first place"
DISTRIBUTION = "Distribution"


@rule("Eligibility")
def players_needed(private, least_players):
    """The fewest players."""
    return least_players[private]


# --- who came ---------------------------------------------------------------------------------


@rule(BASE, defines="rated_players")
def rated_of_the_list(sum_of_is_rated):
    """Players with five events or more."""
    return sum_of_is_rated


@rule(BASE)
def base(rated_players, base_each, most_base):
    """What the rated players are worth."""
    return min(rated_players * base_each, most_base)


@rule(RATING, per="entrant")
def rating_value(ifpa_rating, rating_slope, rating_start):
    """What a player's rating adds."""
    return max(ifpa_rating * rating_slope - rating_start, 0)


@rule(RATING, defines="rating_tva", best="best_players")
def rating_of_the_best(sum_of_best_rating_value, most_rating):
    """What the ratings of the best add."""
    return min(sum_of_best_rating_value, most_rating)


@rule(RANKING, per="entrant")
def rank_value(ifpa_rank, rank_start, rank_slope):
    """What a player's place in the world rankings adds."""
    return max(rank_start - rank_slope * ln(ifpa_rank), 0)


@rule(RANKING, defines="ranking_tva", best="best_players")
def ranks_of_the_best(sum_of_best_rank_value, most_ranking):
    """What the ranks of the best add."""
    return min(sum_of_best_rank_value, most_ranking)


# --- how much was played ----------------------------------------------------------------------


@rule(GRADING)
def qualifying_factor(qualifying, hours, long_qualifying, unlimited_factors):
    """What a game of qualifying counts for; more only where there was time enough."""
    return unlimited_factors[qualifying] if hours >= long_qualifying else 1


@rule(GRADING)
def qualifying_share(
    qualifying_games,
    a_game,
    qualifying_group,
    groups,
    qualifying_factor,
    hours,
    an_hour,
    most_hours,
):
    """What qualifying counts."""
    return qualifying_games * a_game * groups[qualifying_group] * qualifying_factor + min(
        hours * an_hour, most_hours
    )


@rule(GRADING)
def final_share(final_games, a_game, final_group, groups):
    """What the finals count."""
    return final_games * a_game * groups[final_group]


@rule(GRADING)
def most_share(qualifying_games, final_games, most_of_one_part, most_of_both):
    """The most that the games can count."""
    return most_of_both if qualifying_games > 0 and final_games > 0 else most_of_one_part


@rule(GRADING)
def tgp(qualifying_share, final_share, balls, ball_factors, most_share):
    """The share of a full tournament that was played."""
    return min((qualifying_share + final_share) * ball_factors[balls], most_share)


# --- what it is worth, and who gets it --------------------------------------------------------


@rule(VALUE)
def first_value(base, rating_tva, ranking_tva, tgp, booster):
    """What the event is worth: the points of its winner, unrounded."""
    return (base + rating_tva + ranking_tva) * tgp * booster


@rule(DISTRIBUTION)
def curve_places(rated_players, half, most_dynamic):
    """Over how many places the curve falls."""
    return min(rated_players * half, most_dynamic)


@rule(DISTRIBUTION, per="place")
def linear_part(first_value, linear_share, entrants, place):
    """What everybody gets, in equal steps."""
    return first_value * linear_share * (entrants + 1 - place) / entrants


@rule(DISTRIBUTION, per="place")
def depth(place, curve_places):
    """How far down the curve the place is: 0 for the first, 1 at its end."""
    return min((place - 1) / curve_places, 1)


@rule(DISTRIBUTION, per="place")
def curve_part(first_value, dynamic_share, depth, dynamic_exponent, dynamic_power):
    """What the first places get besides."""
    return first_value * dynamic_share * power(1 - power(depth, dynamic_exponent), dynamic_power)


@rule(DISTRIBUTION, per="place")
def value(linear_part, curve_part):
    """What a place is worth."""
    return linear_part + curve_part


@rule("Second calculator: ties", per="entrant")
def shared_value(covered_value, tied):
    """What those who tie get each, unrounded."""
    return covered_value / tied


@rule("Second calculator: rounding", per="entrant", rounds=nearest("cent"))
def award(shared_value):
    """What a player is awarded."""
    return shared_value


@rule(DISTRIBUTION)
def places(entrants):
    """Everybody gets something."""
    return entrants


@rule(VALUE, rounds=nearest("cent"))
def winners_points(first_value):
    """What the event is worth to its winner, rounded."""
    return first_value
