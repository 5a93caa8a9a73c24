"""Representative points of the Australian Go Association, by place and by the event's factor."""

from honours.engine.numbers import row_for
from honours.engine.rules import refuses, rule, says

PLACES = "Points by place"
FACTORS = "Factors"


@refuses("{entrants} players, at least {least_players} needed", FACTORS)
def too_few_players(entrants, least_players):
    return entrants < least_players


@refuses("not a member", "Members only", per="player")
def not_a_member(eligible):
    return eligible == "no"


@rule(FACTORS, when={"event": "national"}, defines="factor", tabulated=True)
def factor_of_the_nationals(national_factor):
    """What the points of a place are multiplied by."""
    return national_factor


@rule(FACTORS, when={"event": "open-division"}, defines="factor", tabulated=True)
def factor_of_a_division(division_factor):
    """What the points of a place are multiplied by."""
    return division_factor


@rule(FACTORS, when={"event": "handicap-section"}, defines="factor", tabulated=True)
def factor_of_a_handicap_section(handicap_factor):
    """What the points of a place are multiplied by."""
    return handicap_factor


@rule(FACTORS, when={"event": "tournament"}, defines="factor", tabulated=True)
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


@rule(PLACES, per="place", tabulated=True)
def points(place, by_place, factor):
    """The points of a place, times the factor."""
    return row_for(place, by_place) * factor


@rule(f"{PLACES} (ties shared: our reading)", per="entrant")
def award(covered_points, tied):
    """What the player is awarded: those who tie share the points of their places."""
    return covered_points / tied


@says("Place {place} gets {award}, at a factor of {factor}.", PLACES)
def of_the_place(place, tied, award, factor):
    return tied == 1


@says("{tied} tie for place {place} and share what their places are worth: {award} each.", PLACES)
def of_a_tie(place, tied, award):
    return tied > 1
