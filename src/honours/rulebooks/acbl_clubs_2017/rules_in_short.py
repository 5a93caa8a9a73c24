"""ACBL club games: what a director would say of an award."""

from __future__ import annotations

from honours.engine.rules import Number, says

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
def first_in_a_club_game(first: Number, credited: Number) -> bool:
    return True


@says(
    "{size} tables overall, so first gets {first} and {paid_places} places are paid.",
    OVERALL,
    when={"game": SPECIAL, "award_of": "overall"},
)
def first_of_the_event(size: Number, first: Number, paid_places: Number) -> bool:
    return True


@says(
    "In the section first gets {first}, half of what an event of its size would pay, and "
    "{paid_places} places are paid.",
    SECTION,
    when={"game": SPECIAL, "award_of": "section"},
)
def first_of_the_section(first: Number, paid_places: Number) -> bool:
    return True


@says("Place {place} gets {shared_points}.", "Files: places below")
def gets_its_place(tied: Number, place: Number, paid_places: Number, shared_points: Number) -> bool:
    return tied == 1 and 1 < place <= paid_places


@says(
    "{tied} tie for place {place} and share what their places are worth: {shared_points} each.",
    TIES,
)
def shares_a_tie(tied: Number, place: Number, paid_places: Number, shared_points: Number) -> bool:
    return tied > 1 and place <= paid_places


@says("Place {place} is below the last that is paid.", "Files: depth")
def below_the_last(place: Number, paid_places: Number) -> bool:
    return place > paid_places


@says(
    "Sections of earlier sessions paid {earlier_awards}, which makes {award}.",
    "Files: several sessions",
    when={"award_of": "section"},
)
def with_earlier_sections(earlier_awards: Number, award: Number) -> bool:
    return earlier_awards > 0
