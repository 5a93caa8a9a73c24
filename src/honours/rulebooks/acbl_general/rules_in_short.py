"""ACBL's general formula: what one would say of an award to a member."""

from honours.engine.rules import says

FORMULA = "The Current Masterpoint System"
KIND = f"{FORMULA}, T"
BELOW_FIRST = "Overall Awards below First Place"
DEPTH = "Proposal of 2020, P"


@says(
    "With a table count of {tables}, {sessions} sessions of a {class_} event are worth "
    "{open_award}.",
    FORMULA,
)
def several_sessions(tables, sessions, class_, open_award):
    return sessions > 1


@says(
    "With a table count of {tables}, one session of a {class_} event is worth {open_award}.",
    FORMULA,
)
def one_session(tables, sessions, class_, open_award):
    return sessions == 1


@says("Its limit on masterpoints lowers that to {limited_award}.", f"{FORMULA}, M")
def lowered_by_its_limit(limited_award, open_award):
    return limited_award < open_award


@says("Its restrictions lower that to {restricted_award}.", f"{FORMULA}, P")
def lowered_by_its_restrictions(restricted_award, limited_award):
    return restricted_award < limited_award


@says("Events of this kind, {kind}, are worth {type_factor} times that: {first_overall}.", KIND)
def of_its_kind(kind, type_factor, first_overall):
    return type_factor != 1


@says("First place gets {first_place}.", FORMULA)
def first_of_all(first_place):
    return True


@says(
    "Down to place {last_share} each place gets three quarters of the one above; below that they "
    "go down with the place.",
    BELOW_FIRST,
)
def places_below(place, award, last_share):
    return place > 1 and award > 0


@says("Place {place} gets {award}.", BELOW_FIRST)
def gets_its_place(place, tied, award):
    return tied == 1 and place > 1 and award > 0


@says(
    "{tied} tie for place {place} and share what their places are worth: {award} each.",
    f"{BELOW_FIRST} (our reading)",
)
def shares_a_tie(place, tied, award):
    return tied > 1 and award > 0


@says("{paid_places} places are paid, and place {place} is below them.", DEPTH)
def below_the_last(place, paid_places):
    return place > paid_places > 1


@says("Only first place is paid, and this is place {place}.", DEPTH)
def only_first(place, paid_places):
    return place > paid_places == 1
