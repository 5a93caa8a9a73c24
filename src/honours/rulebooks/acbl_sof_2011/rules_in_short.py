"""ACBL's strength of field award system of 2011: what one would say of an award to a member."""

from honours.engine.rules import says

BASIC = "Basic SOF Formula"
ADJUSTMENTS = "Adjustments to Basic Formula"
BELOW_FIRST = "Overall Awards below First Place"
SESSIONS = "Session Awards"
DEPTH = "Proposal of 2020, P"


@says(
    "With a table count of {tables} and {average_masterpoints} masterpoints on average the basic "
    "value for first place is {basic_value}.",
    BASIC,
    when={"comparison": "overall"},
)
def basic(tables, average_masterpoints, basic_value):
    return True


@says(
    "The least and the greatest basic value there is bound that to {bounded_value}.",
    BASIC,
    when={"comparison": "overall"},
)
def bounded(basic_value, bounded_value):
    return bounded_value != basic_value


@says(
    "That is for two sessions of a regional; sessions, class and restrictions make it "
    "{formula_award} here.",
    "Criteria, Established Relationships should be maintained",
    when={"comparison": "overall"},
)
def scaled(bounded_value, formula_award):
    return formula_award != bounded_value


@says(
    "In a session first place gets half of what one session pays for {tables} tables of the whole "
    "event's strength: {first_place}.",
    SESSIONS,
    when={"comparison": "session"},
)
def first_of_the_session(tables, first_place):
    return True


@says(
    "A stand-alone flight A pays a tenth more: {adjusted_award}.",
    ADJUSTMENTS,
    when={"comparison": "overall", "structure": "flight-a", "stratum_kind": ("none", "top")},
)
def flight_a(adjusted_award):
    return True


@says(
    "A bracket of strong teams pays a little more: {adjusted_award}.",
    ADJUSTMENTS,
    when={"comparison": "overall", "structure": "bracket", "stratum_kind": ("none", "top")},
)
def bracket(formula_award, adjusted_award):
    return adjusted_award > formula_award


@says(
    "The top stratum gets at least a tenth more than the {a_only_award} of its own pairs or teams "
    "alone: {first_overall}.",
    ADJUSTMENTS,
    when={"comparison": "overall", "stratum_kind": "top"},
)
def top_stratum(a_only_award, first_overall, adjusted_award):
    return first_overall > adjusted_award


@says(
    "Down to place {last_share} each place gets three quarters of the one above; below that they "
    "go down with the place.",
    BELOW_FIRST,
)
def places_below(place, places, last_share):
    return 1 < place <= places


@says("Place {place} gets {award}.", BELOW_FIRST)
def gets_its_place(place, tied, places, award):
    return tied == 1 and 1 < place <= places


@says(
    "{tied} tie for place {place} and share what their places are worth: {award} each.",
    f"{BELOW_FIRST} (our reading)",
)
def shares_a_tie(place, tied, places, award):
    return tied > 1 and place <= places


@says("{places} places are paid, and place {place} is below them.", DEPTH)
def below_the_last(place, places):
    return place > places > 1


@says("Only first place is paid, and this is place {place}.", DEPTH)
def only_first(place, places):
    return place > places == 1
