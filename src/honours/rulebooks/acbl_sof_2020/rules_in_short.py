"""ACBL strength of field, 2020: what one would say of an award to a member."""

from honours.engine.rules import says

DEFINED = "Definitions, F"
FORMULA = "Appendix, The Math"
PLACES = "Definitions, P"


@says(
    "{entrants} entered, and what their players hold makes a strength of field of "
    "{strength_factor}.",
    DEFINED,
)
def strength_of_the_field(entrants, strength_factor):
    return True


@says(
    "Because of how many deals were played, the sessions count as {session_equivalents}.",
    "Definitions, S",
)
def sessions_of_another_length(sessions, session_equivalents):
    return session_equivalents != sessions


@says(
    "Over {sessions} sessions of a {class_} event that gives first place "
    "{first_award}, and the top {places} places are paid.",
    FORMULA,
)
def first_of_several(sessions, class_, first_award, places):
    return sessions > 1 and places > 1


@says(
    "In one session of a {class_} event that gives first place {first_award}, and the top {places} "
    "places are paid.",
    FORMULA,
)
def first_of_one(sessions, class_, first_award, places):
    return sessions == 1 and places > 1


@says("Only first place is paid, {first_award}.", PLACES)
def one_place(first_award, places):
    return places == 1


@says("Awards below {least_award} are not paid.", "Online Events")
def too_small(award, least_award, place, places):
    return award == 0 and place <= places


@says("Place {place} gets {award}.", FORMULA)
def gets_its_place(place, tied, places, award):
    return tied == 1 and 1 < place <= places and award > 0


@says(
    "{tied} tie for place {place} and share what their places are worth: {award} each.",
    f"{FORMULA} (our reading)",
)
def shares_a_tie(place, tied, places, award):
    return tied > 1 and place <= places and award > 0


@says("{places} places are paid, and place {place} is below them.", PLACES)
def below_the_last(place, places):
    return place > places > 1
