"""SBU master points for clubs: how many compete, at how many tables, over how many boards.

Whichever of pairs, players, teams and tables is given, the others follow from it.
"""

from honours.engine.rules import down, rule, up

SCALES = "Chapter 1, Club award scales"
MINIMUM = "Chapter 1, Minimum numbers (p10 HOTMPS)"
MOVEMENTS = "Chapter 1, A brief note about movements, Table 1"
AGGREGATED = "Chapter 2, Simple aggregated events"
RESTRICTED_FINAL = "Chapter 2, Aggregated events with a restricted final"

ONE_EVENT = ("session", "swiss", "carry-forward-teams")
FINALS = ("final", "consolation-final")
REFUSED = ("qualifying-and-final", "all-play-through", "league", "single-elimination")
NOT_ONE_SESSION = ("aggregate", "swiss", "carry-forward-teams", *FINALS, *REFUSED)


# --- the field --------------------------------------------------------------------------------


@rule(MOVEMENTS, when={"competition": "session", "kind": "pairs"})
def winners(movement, winners_by_movement):
    """One winner or two, by the movement."""
    return str(winners_by_movement[movement])


@rule(SCALES, when={"kind": ("individual", "teams")}, defines="winners")
def one_winner_of_players_and_teams():
    """An event of individuals or teams has one winner."""
    return "1"


@rule(SCALES, when={"competition": NOT_ONE_SESSION, "kind": "pairs"}, defines="winners")
def one_winner_of_one_list():
    """An aggregate, a final or a Swiss has one ranking list, and one winner."""
    return "1"


@rule(SCALES, when={"competition": "session", "kind": "pairs"}, defines="event_type")
def pairs_by_winners(winners):
    """Which of the scales a pairs event is on."""
    return "one-winner-pairs" if winners == "1" else "two-winner-pairs"


@rule(SCALES, when={"competition": NOT_ONE_SESSION, "kind": "pairs"}, defines="event_type")
def pairs_in_one_list():
    """An aggregate, a final or a Swiss has one ranking list."""
    return "one-winner-pairs"


@rule(SCALES, when={"kind": ("individual", "teams")}, defines="event_type")
def other_than_pairs(kind):
    """Which of the scales the event is on."""
    return kind


@rule("Chapter 1, examples 1 to 7", when={"kind": "pairs"})
def pairs(tables, pairs_per_table):
    """Pairs at the tables, both lines together."""
    return tables * pairs_per_table


@rule("Chapter 1, examples 17 to 20", when={"kind": "teams"})
def teams(tables):
    """A team for each table."""
    return tables


@rule("Chapter 1, examples 1 to 20", when={"kind": ("pairs", "teams")}, defines="tables")
def tables_of_players(players, players_per_table):
    """The tables that the players fill."""
    return players / players_per_table


@rule("Chapter 1, example 9", when={"kind": "individual"}, defines="tables")
def tables_of_an_individual(entrants, players_per_table):
    """The tables that the players fill."""
    return entrants / players_per_table


@rule("Chapter 1, example 9", when={"kind": "individual"}, defines="players")
def players_of_an_individual(tables, players_per_table):
    """Players at the tables."""
    return tables * players_per_table


@rule(
    "Chapter 1, examples 1 to 20",
    when={"event_type": ("one-winner-pairs", "teams")},
    defines="players",
)
def players_of_one_list(entrants, event_type, players_each):
    """Players at the tables."""
    return entrants * players_each[event_type]


@rule("Chapter 1, examples 10 to 16", when={"event_type": "two-winner-pairs"}, defines="players")
def players_of_two_lines(all_lines, event_type, players_each):
    """Players at the tables."""
    return all_lines * players_each[event_type]


@rule("Chapter 1, examples 10 to 16", when={"event_type": "two-winner-pairs"})
def all_lines(pairs):
    """Pairs in both lines."""
    return pairs


@rule(MINIMUM, rounds=down("whole"))
def complete_tables(tables):
    """Tables that are not half empty."""
    return tables


@rule(MINIMUM)
def tables_needed(event_type, least_tables):
    """The fewest complete tables."""
    return least_tables[event_type]


@rule(SCALES, when={"event_type": "one-winner-pairs"}, defines="competitors")
def competing_pairs(pairs):
    """Those who compete with one another."""
    return pairs


@rule(
    "Chapter 1, example 12",
    when={"event_type": "two-winner-pairs", "line": "NS"},
    defines="competitors",
    rounds=up("whole"),
)
def north_south_pairs(all_lines, pairs_per_table):
    """A pair of the line at each table, half a table too."""
    return all_lines / pairs_per_table


@rule(
    "Chapter 1, example 12",
    when={"event_type": "two-winner-pairs", "line": "EW"},
    defines="competitors",
    rounds=down("whole"),
)
def east_west_pairs(all_lines, pairs_per_table):
    """A pair of the line at each complete table."""
    return all_lines / pairs_per_table


@rule(SCALES, when={"event_type": "individual"}, defines="competitors")
def competing_players(players):
    """Those who compete with one another."""
    return players


@rule(SCALES, when={"event_type": "teams"}, defines="competitors")
def competing_teams(teams):
    """Those who compete with one another."""
    return teams


@rule(AGGREGATED, when={"competition": "aggregate"})
def qualifiers(competitors):
    """Those who played the events needed to qualify."""
    return competitors


@rule(RESTRICTED_FINAL, when={"competition": FINALS})
def finalists(competitors):
    """Those who played the final."""
    return competitors


@rule(SCALES, when={"competition": ONE_EVENT}, defines="entrants")
def entrants_of_one_event(competitors):
    """The field."""
    return competitors


@rule(AGGREGATED, when={"competition": "aggregate"}, defines="entrants")
def entrants_of_an_aggregate(qualifiers):
    """The field: only those who qualified are ranked."""
    return qualifiers


@rule(RESTRICTED_FINAL, when={"competition": FINALS}, defines="entrants")
def entrants_of_a_final(finalists):
    """The field of the final."""
    return finalists


# --- boards -----------------------------------------------------------------------------------


@rule(
    f"{SCALES} (our reading)", when={"competition": "session"}, defines="boards", presumes="usual"
)
def boards_of_a_session(default_boards):
    """The boards of a single session that does not say."""
    return default_boards


@rule("Chapter 1, Minimum numbers (our reading)", rounds=up("whole"))
def fewest_matches(least_boards, boards_per_match):
    """The matches needed for the least number of boards."""
    return least_boards / boards_per_match


@rule("Chapter 4, General", when={"competition": "swiss"}, defines="boards", presumes="asked")
def boards_of_a_swiss(fewest_matches, boards_per_match):
    """The boards of a Swiss that says only how long its matches are."""
    return fewest_matches * boards_per_match


@rule("Chapter 4, General", when={"competition": "swiss"})
def matches(boards, boards_per_match):
    """The matches that the boards make."""
    return boards / boards_per_match


@rule(
    MINIMUM,
    defines="stage_boards",
    when={"competition": ("session", "carry-forward-teams", *FINALS)},
)
def boards_of_the_stage(boards):
    """The boards of the session, or of the shortest stage."""
    return boards


@rule(MINIMUM, defines="stage_boards", when={"competition": "swiss"})
def boards_of_the_matches(matches, boards_per_match):
    """The boards of all matches."""
    return matches * boards_per_match


@rule(MINIMUM, per="player", presumes="usual")
def boards_played(stage_boards):
    """Who is not said to have played fewer boards played all."""
    return stage_boards


@rule(MINIMUM, per="player")
def fewest_boards(boards_played, stage_boards):
    """Boards in the stage the player played least of: all of the shortest, as far as is known."""
    return min(boards_played, stage_boards)


# --- the events that a competition is made of ---------------------------------------------------


@rule(f"{AGGREGATED} (our reading)", when={"competition": "aggregate"}, presumes="usual")
def counted(events):
    """How many scores count: all, unless said."""
    return events


@rule(AGGREGATED, when={"competition": ("aggregate", *FINALS)}, presumes="usual")
def events_kind(kind):
    """What competed in the events: the same as in the competition, unless said."""
    return kind


@rule(f"{RESTRICTED_FINAL} (our reading)", when={"competition": FINALS}, presumes="asked")
def events(events_needed):
    """The events before the final: as many as must, unless said."""
    return events_needed


@rule(AGGREGATED, when={"competition": "aggregate"}, defines="events_needed")
def events_for_an_aggregate(kind, least_events):
    """The fewest events that may be aggregated."""
    return least_events[kind]


@rule(RESTRICTED_FINAL, when={"competition": FINALS}, defines="events_needed")
def events_for_a_final(kind, least_events_before_final):
    """The fewest events before a final."""
    return least_events_before_final[kind]
