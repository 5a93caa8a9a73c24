"""Representative points of the Australian Go Association, by place and by the event's factor."""

from honours.engine.numbers import row_for
from honours.engine.rules import rule

PLACES = "Points by place"
FACTORS = "Factors"


@rule(FACTORS, when={"event": "national"}, defines="factor")
def factor_of_the_nationals(national_factor):
    """What the points of a place are multiplied by."""
    return national_factor


@rule(FACTORS, when={"event": "open-division"}, defines="factor")
def factor_of_a_division(division_factor):
    """What the points of a place are multiplied by."""
    return division_factor


@rule(FACTORS, when={"event": "handicap-section"}, defines="factor")
def factor_of_a_handicap_section(handicap_factor):
    """What the points of a place are multiplied by."""
    return handicap_factor


@rule(FACTORS, when={"event": "tournament"}, defines="factor")
def factor_of_a_tournament(
    dan_sum, least_dan, dan_factors, entrants, large_field, large_factor, small_factor
):
    """What the points of a place are multiplied by: by the dan ranks, else by the players."""
    if dan_sum >= least_dan:
        return row_for(dan_sum, dan_factors)
    return large_factor if entrants >= large_field else small_factor


@rule(PLACES)
def places(entrants):
    """Everybody gets points."""
    return entrants


@rule(PLACES, per="place")
def points(place, by_place, factor):
    """The points of a place, times the factor."""
    return row_for(place, by_place) * factor


@rule(f"{PLACES} (ties shared: our reading)", per="entrant")
def award(covered_points, tied):
    """What the player is awarded: those who tie share the points of their places."""
    return covered_points / tied
