"""ABF masterpoints for sessions: what a secretary would say of an award."""

from honours.engine.rules import says

WINNER = "Book 3, sessions"
PLACES = "Book 3, places"
LOWER = "Book 3, lower places"
TIES = "Compscore3: rounding and ties"


@says("{tables_counted} tables, graded {event_grade}: the winners get {winner}.", WINNER)
def the_winners(tables_counted, event_grade, winner):
    return True


@says("{places} of {entrants} are paid.", PLACES)
def how_many(places, entrants):
    return True


@says("Second gets 70% of that: {shared_points}.", LOWER)
def second_place(place, places, tied, second, shared_points):
    return place == second and tied == 1 and place <= places


@says(
    "Place {place} gets the winners' award divided by the places above it: {shared_points}.", LOWER
)
def lower_place(place, places, tied, second, shared_points):
    return place > second and tied == 1 and place <= places


@says(
    "{tied} tie for place {place} and share what their places are worth: {shared_points} each.",
    TIES,
)
def shares_a_tie(tied, place, places, shared_points):
    return tied > 1 and place <= places


@says(
    "The team has {team_size} players, who share what four would get: {award} each.",
    "Book 4, teams",
    when={"kind": "teams"},
)
def a_large_team(team_size, full_team, award, place, places):
    return team_size > full_team and place <= places


@says("Place {place} is below the last that is paid.", PLACES)
def below_the_last(place, places):
    return place > places
