"""AGA tournament category: what one would say of a player's points."""

from honours.engine.rules import says

CATEGORY = "Mathematical Description, Tournament Category"
POINTS = "Distribution of Qualification Points"


@says(
    "{players} players in the open section: how strong they are on average, and a little how many, "
    "makes it a tournament of category {category}.",
    CATEGORY,
)
def makes_the_category(players, category):
    return True


@says(
    "For that first place gets {first_points} points, and each place below about "
    "{percent_of_the_place_above}% of the one above.",
    POINTS,
)
def points_by_place(first_points, percent_of_the_place_above):
    return True


@says("Place {place} gets {award}.", POINTS)
def points_of_the_place(place, tied, award, least_award):
    return tied == 1 and place > 1 and award > least_award


@says(
    "{tied} players on the same score tie for place {place}: whatever broke the tie, they split "
    "the points of their places, {award} each.",
    POINTS,
)
def points_of_a_tie(place, tied, award, least_award):
    return tied > 1 and award > least_award


@says("At place {place} that is next to nothing, and everybody gets at least {award}.", POINTS)
def least_points(place, award, least_award):
    return award == least_award
