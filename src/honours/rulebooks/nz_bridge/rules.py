"""Master points of New Zealand Bridge, as far as their tables are at hand.

| event | winners get | places below |
|---|---|---|
| a club's session, pairs | 40 C in each line | to the top third, by a table that was not found |
| a club's session, teams | 2 C a board of a match won, 1 a board drawn | – |
| a tournament | junior 3, intermediate 5, multigrade 8 B | by a table that was not found |
| an open tournament | A points | by a table that was not found |
"""

from honours.engine.rules import rule, up

NIGHT, TEAMS, TOURNAMENT = "Club nights", "Teams", "Tournaments"
TABLES = "Tables of lower places (not found)"
GRADED = ("junior", "intermediate", "multigrade")
CHOSEN = ("equal-steps", "winners-alone")
PLACED: dict[str, str | tuple[str, ...]] = {
    "event": ("session", *GRADED),
    "kind": "pairs",
    "lower_places": CHOSEN,
}


@rule(NIGHT, when={**PLACED, "event": "session"}, defines="top")
def top_of_a_session(session_top):
    """The winners' award."""
    return session_top


@rule(TOURNAMENT, when={**PLACED, "event": GRADED}, defines="top")
def top_of_a_tournament(event, tournament_top):
    """The winners' award."""
    return tournament_top[event]


@rule(NIGHT, when=PLACED, rounds=up("whole"))
def top_third(entrants, third):
    """The pairs of the top third."""
    return entrants * third


@rule(TABLES, when=PLACED, defines="places")
def paid_places(top_third, lower_places):
    """How many places are paid."""
    return 1 if lower_places == "winners-alone" else top_third


@rule(TABLES, when=PLACED, per="place")
def points(place, top, places):
    """What a place is worth."""
    return top * (places + 1 - place) / places


@rule(TABLES, when=PLACED, per="entrant", defines="award")
def award_of_a_place(covered_points, tied):
    """What each player is awarded."""
    return covered_points / tied


@rule(TEAMS, when={"kind": "teams", "event": "session"}, defines="places")
def nobody_by_place():
    """How many places are paid: matches are."""
    return 0


@rule(TEAMS, when={"kind": "teams", "event": "session"}, per="entrant", defines="award")
def award_of_matches(won, drawn, boards_per_match, board_won, board_drawn):
    """What each player is awarded."""
    return boards_per_match * (won * board_won + drawn * board_drawn)


@rule(NIGHT, when={"event": "session"}, defines="points_kind")
def c_points():
    """The kind of points."""
    return "C"


@rule(TOURNAMENT, when={"event": GRADED}, defines="points_kind")
def b_points():
    """The kind of points."""
    return "B"
