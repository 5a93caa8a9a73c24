"""AGA tournament category and qualification points, in the order of the manual."""

from __future__ import annotations

from honours.engine.numbers import log10, power
from honours.engine.rules import Number, nearest, notices, refuses, rule

CATEGORY = "Mathematical Description, Tournament Category"
POINTS = "Distribution of Qualification Points"

# --- the field ------------------------------------------------------------------------------


@rule(CATEGORY)
def players(entrants: Number) -> Number:
    """P, the players in the top division."""
    return entrants


@rule("Calculator", per="player", tabulated=True)
def rating(rank: Number, half_a_rank: Number) -> Number:
    """The rating of a player of whom only the rank is known."""
    return rank + half_a_rank if rank > 0 else rank - half_a_rank


@rule(CATEGORY, per="player")
def continuous_rating(rating: Number, rating_gap: Number) -> Number:
    """A rating on a scale without the gap between −1 and +1."""
    if rating < 0:
        return rating + rating_gap
    return rating


@rule(CATEGORY, when={"kyu_ratings": "as-they-stand"})
def mean_rating(mean_of_rating: Number) -> Number:
    """R̄, the players' mean rating."""
    return mean_of_rating


@rule(CATEGORY, when={"kyu_ratings": "moved-up"}, defines="mean_rating")
def mean_without_the_gap(mean_of_continuous_rating: Number) -> Number:
    """R̄, the players' mean rating on a scale without the gap."""
    return mean_of_continuous_rating


@notices(
    "the mean of the ratings is {mean_of_rating}; with kyu ratings moved up by {rating_gap}, to "
    "close the gap between −1 and +1, it would be {mean_of_continuous_rating} (variant "
    "without-the-gap)",
    CATEGORY,
    when={"kyu_ratings": "as-they-stand"},
)
def mean_across_the_gap(
    mean_of_rating: Number, mean_of_continuous_rating: Number, rating_gap: Number
) -> bool:
    return mean_of_rating != mean_of_continuous_rating


# --- limits ---------------------------------------------------------------------------------


@refuses(
    "a handicapped section has no category: only the open one",
    "Calculator",
    when={"section_kind": "handicapped"},
)
def handicapped_section() -> bool:
    return True


@refuses("{players} players, at least {least_players} needed", "Limits")
def too_few_players(players: Number, least_players: Number) -> bool:
    return players < least_players


@refuses("a mean rating of {mean_rating} is below {least_mean_rating}", "Limits")
def mean_too_low(mean_rating: Number, least_mean_rating: Number) -> bool:
    return mean_rating < least_mean_rating


@refuses("a mean rating of {mean_rating} is above {most_mean_rating}", "Limits")
def mean_too_high(mean_rating: Number, most_mean_rating: Number) -> bool:
    return mean_rating > most_mean_rating


# --- tournament category --------------------------------------------------------------------


@rule(CATEGORY, when={"category_formula": "worked"}, defines="size_term")
def size_term_worked(players: Number, size_weight: Number, square_root: Number) -> Number:
    """What the number of players adds to the category."""
    return power(size_weight * log10(players), square_root)


@rule(CATEGORY, when={"category_formula": "printed"}, defines="size_term")
def size_term_printed(players: Number, size_weight: Number, square_root: Number) -> Number:
    """What the number of players adds to the category, as printed."""
    return power(log10(size_weight * players), square_root)


@rule(CATEGORY, rounds=nearest("category_decimal"))
def exact_category(
    mean_rating: Number, rating_weight: Number, size_term: Number, offset: Number
) -> Number:
    """C, the "exact" tournament category."""
    return rating_weight * mean_rating + size_term - offset


@rule(CATEGORY, rounds=nearest("whole"))
def category(exact_category: Number) -> Number:
    """The tournament category, the exact one rounded once more."""
    return exact_category


# --- qualification points -------------------------------------------------------------------


@refuses(
    "category {category}, and no points: the AGA did not designate this tournament as a qualifier",
    "Purposes",
    when={"qualifier": "no"},
)
def not_a_qualifier(category: Number) -> bool:
    return True


@refuses(
    "category {category}, and no points: this tournament's invitational asks for category "
    "{minimum_category} at least",
    "Calculator, Note: “a minimum category rating”",
)
def category_too_low(category: Number, minimum_category: Number) -> bool:
    return category < minimum_category


@notices("the tournament is of category {category} (exactly {exact_category})", CATEGORY)
def its_category(category: Number, exact_category: Number) -> bool:
    return True


@notices(
    "{handicap_stones} games were given handicap stones, though the section is said to be open",
    "Calculator",
    when={"section_kind": "open"},
)
def stones_in_an_open_section(handicap_stones: Number) -> bool:
    return handicap_stones > 0


@refuses("not eligible for points", POINTS, per="player")
def not_eligible(eligible: str) -> bool:
    return eligible == "no"


@notices("points count only if the AGA designated this tournament as a qualifier", "Purposes")
def only_for_qualifiers() -> bool:
    return True


@rule(POINTS, rounds=nearest("point_decimal"))
def first_points(
    players: Number,
    first_size_weight: Number,
    category: Number,
    mean_rating: Number,
    rating_exponent: Number,
    first_divisor: Number,
) -> Number:
    """A, the points for first place."""
    return (
        log10(first_size_weight * players)
        + (category + power(mean_rating, rating_exponent)) / first_divisor
    )


@rule(POINTS)
def slope(usual_slope: Number, mean_rating: Number, usual_rating: Number) -> Number:
    """F, the share of the points of the place above."""
    return max(usual_slope + log10(mean_rating / usual_rating), 0)


@rule(POINTS, rounds=nearest("whole"))
def percent_of_the_place_above(slope: Number, hundred: Number) -> Number:
    """How much of a place's points the next one gets, as people say it."""
    return slope * hundred


@rule(POINTS)
def places(players: Number) -> Number:
    """Every eligible player is awarded something."""
    return players


@rule(POINTS, per="place", starts="first_points")
def points(previous: Number, slope: Number) -> Number:
    """The points of a place: A · F^(i−1)."""
    return previous * slope


@rule(
    f"{POINTS}: “Tied players split the relevant points, regardless of the tiebreaks used in the "
    "tournament”",
    per="entrant",
    rounds=nearest("point_decimal"),
)
def shared_points(covered_points: Number, tied: Number) -> Number:
    """Tied players split the points of the places they cover."""
    return covered_points / tied


@rule(POINTS, per="entrant")
def award(shared_points: Number, least_award: Number) -> Number:
    """What the player is awarded: at least the minimum."""
    return max(shared_points, least_award)
