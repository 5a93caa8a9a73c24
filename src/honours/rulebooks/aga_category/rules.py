"""AGA tournament category and qualification points, in the order of the manual."""

from honours.engine.numbers import log10, power
from honours.engine.rules import nearest, rule

CATEGORY = "Mathematical Description, Tournament Category"
POINTS = "Distribution of Qualification Points"

# --- the field ------------------------------------------------------------------------------


@rule(CATEGORY)
def players(entrants):
    """P, the players in the top division."""
    return entrants


@rule("Calculator", per="player")
def rating(rank, half_a_rank):
    """The rating of a player of whom only the rank is known."""
    return rank + half_a_rank if rank > 0 else rank - half_a_rank


@rule(CATEGORY, per="player")
def continuous_rating(rating, rating_gap):
    """A rating on a scale without the gap between −1 and +1."""
    if rating < 0:
        return rating + rating_gap
    return rating


@rule(CATEGORY, when={"kyu_ratings": "as-they-stand"})
def mean_rating(mean_of_rating):
    """R̄, the players' mean rating."""
    return mean_of_rating


@rule(CATEGORY, when={"kyu_ratings": "moved-up"}, defines="mean_rating")
def mean_without_the_gap(mean_of_continuous_rating):
    """R̄, the players' mean rating on a scale without the gap."""
    return mean_of_continuous_rating


# --- tournament category --------------------------------------------------------------------


@rule(CATEGORY, when={"category_formula": "worked"}, defines="size_term")
def size_term_worked(players, size_weight, square_root):
    """What the number of players adds to the category."""
    return power(size_weight * log10(players), square_root)


@rule(CATEGORY, when={"category_formula": "printed"}, defines="size_term")
def size_term_printed(players, size_weight, square_root):
    """What the number of players adds to the category, as printed."""
    return power(log10(size_weight * players), square_root)


@rule(CATEGORY, rounds=nearest("category_decimal"))
def exact_category(mean_rating, rating_weight, size_term, offset):
    """C, the "exact" tournament category."""
    return rating_weight * mean_rating + size_term - offset


@rule(CATEGORY, rounds=nearest("whole"))
def category(exact_category):
    """The tournament category, the exact one rounded once more."""
    return exact_category


# --- qualification points -------------------------------------------------------------------


@rule(POINTS, rounds=nearest("point_decimal"))
def first_points(players, first_size_weight, category, mean_rating, rating_exponent, first_divisor):
    """A, the points for first place."""
    return (
        log10(first_size_weight * players)
        + (category + power(mean_rating, rating_exponent)) / first_divisor
    )


@rule(POINTS)
def slope(usual_slope, mean_rating, usual_rating):
    """F, the share of the points of the place above."""
    return max(usual_slope + log10(mean_rating / usual_rating), 0)


@rule(POINTS, rounds=nearest("whole"))
def percent_of_the_place_above(slope, hundred):
    """How much of a place's points the next one gets, as people say it."""
    return slope * hundred


@rule(POINTS)
def places(players):
    """Every eligible player is awarded something."""
    return players


@rule(POINTS, per="place", starts="first_points")
def points(previous, slope):
    """The points of a place: A · F^(i−1)."""
    return previous * slope


@rule(
    f"{POINTS}: “Tied players split the relevant points, regardless of the tiebreaks used in the "
    "tournament”",
    per="entrant",
    rounds=nearest("point_decimal"),
)
def shared_points(covered_points, tied):
    """Tied players split the points of the places they cover."""
    return covered_points / tied


@rule(POINTS, per="entrant")
def award(shared_points, least_award):
    """What the player is awarded: at least the minimum."""
    return max(shared_points, least_award)
