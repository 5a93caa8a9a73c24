"""ACBL's strength of field award system of 2011: what one would say of an award to a member."""

from __future__ import annotations

from honours.engine.rules import Number, nearest, rule, says

BASIC = "Basic SOF Formula"
ADJUSTMENTS = "Adjustments to Basic Formula"
BELOW_FIRST = "Overall Awards below First Place"
SESSIONS = "Session Awards"
DEPTH = "Proposal of 2020, P"


@rule(BASIC, rounds=nearest("whole"))
def average_told(average_masterpoints: Number) -> Number:
    """The average as it is told."""
    return average_masterpoints


@says(
    "{tables} tables, whose players hold {average_told} masterpoints on average, give first place "
    "{first_place}.",
    BASIC,
    when={"comparison": "overall"},
)
def first_of_the_event(tables: Number, average_told: Number, first_place: Number) -> bool:
    return tables != 1


@says(
    "One table, whose players hold {average_told} masterpoints on average, gives first place "
    "{first_place}.",
    BASIC,
    when={"comparison": "overall"},
)
def first_of_one_table(tables: Number, average_told: Number, first_place: Number) -> bool:
    return tables == 1


@says(
    "In a session first place gets half of what one session pays for {tables} tables of the whole "
    "event's strength: {first_place}.",
    SESSIONS,
    when={"comparison": "session"},
)
def first_of_the_session(tables: Number, first_place: Number) -> bool:
    return True


@says("A stand-alone flight A pays a tenth more.", ADJUSTMENTS, when={"structure": "flight-a"})
def flight_a() -> bool:
    return True


@says("A bracket of strong teams pays a little more.", ADJUSTMENTS, when={"structure": "bracket"})
def bracket(formula_award: Number, adjusted_award: Number) -> bool:
    return adjusted_award > formula_award


@says(
    "The top stratum gets at least a tenth more than its own pairs or teams alone would.",
    ADJUSTMENTS,
    when={"comparison": "overall", "stratum_kind": "top"},
)
def top_stratum(first_overall: Number, adjusted_award: Number) -> bool:
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


@says("Only first place is paid.", DEPTH)
def only_first(place: Number, places: Number) -> bool:
    return place > places == 1
