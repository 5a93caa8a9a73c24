"""ACBL club games: what a director would say of an award."""

from honours.engine.rules import says

CLUB = "Files: club games, first in a section"
OVERALL = "Files: first overall"
SECTION = "Files: first in a section of a special game"
TIES = "Files: ties"
SPECIAL = ("nap-club", "nap-unit", "club-championship")


@says(
    "A club game pays first in a ranking of its section as for {credited} tables, and by its "
    "limit: {first}.",
    CLUB,
    when={"game": "club"},
)
def first_in_a_club_game(first, credited):
    return True


@says(
    "{size} tables overall, so first gets {first} and {paid_places} places are paid.",
    OVERALL,
    when={"game": SPECIAL, "award_of": "overall"},
)
def first_of_the_event(size, first, paid_places):
    return True


@says(
    "In the section first gets {first}, half of what an event of its size would pay, and "
    "{paid_places} places are paid.",
    SECTION,
    when={"game": SPECIAL, "award_of": "section"},
)
def first_of_the_section(first, paid_places):
    return True


@says("Place {place} gets {shared_points}.", "Files: places below")
def gets_its_place(tied, place, paid_places, shared_points):
    return tied == 1 and 1 < place <= paid_places


@says(
    "{tied} tie for place {place} and share what their places are worth: {shared_points} each.",
    TIES,
)
def shares_a_tie(tied, place, paid_places, shared_points):
    return tied > 1 and place <= paid_places


@says("Place {place} is below the last that is paid.", "Files: depth")
def below_the_last(place, paid_places):
    return place > paid_places


@says(
    "Sections of earlier sessions paid {earlier_awards}, which makes {award}.",
    "Files: several sessions",
    when={"award_of": "section"},
)
def with_earlier_sections(earlier_awards, award):
    return earlier_awards > 0
