"""ACBL's strength of field award system of 2011: what one would say of an award to a member."""

from __future__ import annotations

from honours.engine.rules import Number, says

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
def basic(tables: Number, average_masterpoints: Number, basic_value: Number) -> bool:
    return True


@says(
    "The least and the greatest basic value there is bound that to {bounded_value}.",
    BASIC,
    when={"comparison": "overall"},
)
def bounded(basic_value: Number, bounded_value: Number) -> bool:
    return bounded_value != basic_value


@says(
    "That is for two sessions of a regional; sessions, class and restrictions make it "
    "{formula_award} here.",
    "Criteria, Established Relationships should be maintained",
    when={"comparison": "overall"},
)
def scaled(bounded_value: Number, formula_award: Number) -> bool:
    return formula_award != bounded_value


@says(
    "In a session first place gets half of what one session pays for {tables} tables of the whole "
    "event's strength: {first_place}.",
    SESSIONS,
    when={"comparison": "session"},
)
def first_of_the_session(tables: Number, first_place: Number) -> bool:
    return True


@says(
    "A stand-alone flight A pays a tenth more: {adjusted_award}.",
    ADJUSTMENTS,
    when={"comparison": "overall", "structure": "flight-a", "stratum_kind": ("none", "top")},
)
def flight_a(adjusted_award: Number) -> bool:
    return True


@says(
    "A bracket of strong teams pays a little more: {adjusted_award}.",
    ADJUSTMENTS,
    when={"comparison": "overall", "structure": "bracket", "stratum_kind": ("none", "top")},
)
def bracket(formula_award: Number, adjusted_award: Number) -> bool:
    return adjusted_award > formula_award


@says(
    "The top stratum gets at least a tenth more than the {a_only_award} of its own pairs or teams "
    "alone: {first_overall}.",
    ADJUSTMENTS,
    when={"comparison": "overall", "stratum_kind": "top"},
)
def top_stratum(a_only_award: Number, first_overall: Number, adjusted_award: Number) -> bool:
    return first_overall > adjusted_award


@says(
    "Down to place {last_share} each place gets three quarters of the one above; below that they "
    "go down with the place.",
    BELOW_FIRST,
)
def places_below(place: Number, places: Number, last_share: Number) -> bool:
    return 1 < place <= places


@says("Place {place} gets {award}.", BELOW_FIRST)
def gets_its_place(place: Number, tied: Number, places: Number, award: Number) -> bool:
    return tied == 1 and 1 < place <= places


@says(
    "{tied} tie for place {place} and share what their places are worth: {award} each.",
    f"{BELOW_FIRST} (our reading)",
)
def shares_a_tie(place: Number, tied: Number, places: Number, award: Number) -> bool:
    return tied > 1 and place <= places


@says("{places} places are paid, and place {place} is below them.", DEPTH)
def below_the_last(place: Number, places: Number) -> bool:
    return place > places > 1


@says("Only first place is paid, and this is place {place}.", DEPTH)
def only_first(place: Number, places: Number) -> bool:
    return place > places == 1
