"""EBU master points in clubs and counties, as the program salliere and sample files award them.

How many compete at how many tables; the share that is paid; the step and the top; ties. Minima
and maxima are in ``rules_conditions.py``.
"""

from honours.engine.numbers import row_for
from honours.engine.rules import down, rule, up

TABLES = "salliere: complete tables"
BOARDS = "salliere: share of the field by boards"
QUALI_FINAL = "salliere: scales QA to QE"
SCALES = "salliere: scales A to E"
TOP = "salliere: the most that a place can get"
TIES = "salliere: ties"
TWO_WINNERS = "Sample files: each line is a field"

ORDINARY = ("A", "B", "C", "D", "E")
QUALI_FINALS = ("QA", "QB", "QC", "QD", "QE")


# --- who competes -----------------------------------------------------------------------------


@rule(SCALES, when={"kind": "pairs"}, defines="event_type")
def pairs_by_winners(winners):
    """Which of the scales a pairs event is on."""
    return "one-winner-pairs" if winners == "1" else "two-winner-pairs"


@rule(SCALES, when={"kind": ("individual", "teams")}, defines="event_type")
def other_than_pairs(kind):
    """Which of the scales the event is on."""
    return kind


@rule(TABLES, when={"kind": "pairs"})
def pairs(tables, pairs_per_table):
    """Pairs at the tables, both lines together."""
    return tables * pairs_per_table


@rule(TABLES, when={"kind": "individual"})
def players(tables, players_per_table):
    """Players at the tables."""
    return tables * players_per_table


@rule(TABLES, when={"kind": "teams"})
def teams(tables):
    """A team for each table."""
    return tables


@rule(TABLES, when={"event_type": "one-winner-pairs"}, defines="tables")
def tables_of_pairs(entrants, pairs_per_table):
    """The tables that the pairs fill."""
    return entrants / pairs_per_table


@rule(TABLES, when={"event_type": "two-winner-pairs"}, defines="tables")
def tables_of_two_lines(all_lines, pairs_per_table):
    """The tables that the pairs of both lines fill."""
    return all_lines / pairs_per_table


@rule(TABLES, when={"event_type": "individual"}, defines="tables")
def tables_of_players(entrants, players_per_table):
    """The tables that the players fill."""
    return entrants / players_per_table


@rule(TABLES, when={"event_type": "teams"}, defines="tables")
def tables_of_teams(entrants):
    """A table for each team."""
    return entrants


@rule(TWO_WINNERS, when={"event_type": "two-winner-pairs"})
def all_lines(pairs):
    """Pairs in both lines."""
    return pairs


@rule(SCALES, when={"event_type": "one-winner-pairs"}, defines="entrants")
def competing_pairs(pairs):
    """Those who compete with one another."""
    return pairs


@rule(
    TWO_WINNERS,
    when={"event_type": "two-winner-pairs", "line": "NS"},
    defines="entrants",
    rounds=up("whole"),
)
def north_south_pairs(all_lines, pairs_per_table):
    """A pair of the line at each table, half a table too."""
    return all_lines / pairs_per_table


@rule(
    TWO_WINNERS,
    when={"event_type": "two-winner-pairs", "line": "EW"},
    defines="entrants",
    rounds=down("whole"),
)
def east_west_pairs(all_lines, pairs_per_table):
    """A pair of the line at each complete table."""
    return all_lines / pairs_per_table


@rule(SCALES, when={"event_type": "individual"}, defines="entrants")
def competing_players(players):
    """Those who compete with one another."""
    return players


@rule(SCALES, when={"event_type": "teams"}, defines="entrants")
def competing_teams(teams):
    """Those who compete with one another."""
    return teams


@rule(TABLES, rounds=down("whole"))
def complete_tables(tables):
    """Tables that are not half empty."""
    return tables


@rule(TABLES, defines="original_entry_tables", presumes="usual")
def tables_without_an_original_entry(complete_tables):
    """The entry that is paid by: the complete tables, unless an original entry is given."""
    return complete_tables


@rule(TABLES, when={"event_type": "one-winner-pairs"}, defines="counted")
def pairs_at_complete_tables(original_entry_tables, pairs_per_table):
    """The pairs whose share is paid: half tables are ignored."""
    return original_entry_tables * pairs_per_table


@rule(TABLES, when={"event_type": "individual"}, defines="counted")
def players_of_the_original_entry(original_entry_tables, players_per_table):
    """The players whose share is paid: incomplete tables are ignored."""
    return original_entry_tables * players_per_table


@rule(TWO_WINNERS, when={"event_type": "two-winner-pairs"}, defines="counted")
def pairs_of_a_line(entrants):
    """The pairs whose share is paid: those of the line."""
    return entrants


@rule("Sample files: teams", when={"event_type": "teams"}, defines="counted")
def teams_that_count(entrants):
    """The teams whose share is paid."""
    return entrants


# --- how many are paid ------------------------------------------------------------------------


@rule(BOARDS, when={"scale": ORDINARY}, defines="paid_share")
def share_by_the_boards(boards, share_by_boards):
    """The share of the field that is awarded."""
    return row_for(boards, share_by_boards)


@rule(QUALI_FINAL, when={"scale": QUALI_FINALS}, defines="paid_share")
def share_of_a_quali_final(quali_final_share):
    """The share of the field that is awarded."""
    return quali_final_share


@rule(BOARDS, rounds=up("whole"))
def scale_places(counted, paid_share):
    """The places of the scale, from the first to the last that is paid."""
    return counted * paid_share


@rule(BOARDS)
def places(scale_places, entrants):
    """How many places are awarded: no more than compete, however large the original entry was."""
    return min(scale_places, entrants)


# --- the step, the top and the least ----------------------------------------------------------


@rule(SCALES)
def multiplier(scale, multipliers):
    """How much more the scale pays than the club's."""
    return multipliers[scale]


@rule(
    SCALES,
    when={"scale": ORDINARY, "event_type": ("one-winner-pairs", "individual")},
    defines="step",
)
def step_of_the_scale(event_type, steps, multiplier):
    """What a place is worth more than the next."""
    return steps[event_type] * multiplier


@rule(
    "Sample files: two winners and teams",
    when={"scale": ORDINARY, "event_type": ("two-winner-pairs", "teams")},
)
def steps_of_ten(event_type, steps, multiplier):
    """What a place of two-winner pairs or teams is worth more than the next."""
    return steps[event_type] * multiplier


@rule(
    "Sample files: two winners and teams",
    when={"scale": ORDINARY, "event_type": ("two-winner-pairs", "teams")},
    defines="step",
)
def step_of_ten(steps_of_ten):
    """What a place is worth more than the next."""
    return steps_of_ten


@rule(
    QUALI_FINAL,
    when={"scale": QUALI_FINALS, "event_type": ("one-winner-pairs", "individual")},
    defines="step",
)
def step_of_a_quali_final(event_type, quali_final_steps, multiplier):
    """What a place is worth more than the next."""
    return quali_final_steps[event_type] * multiplier


@rule(TOP, when={"scale": ORDINARY}, defines="top", rounds=up("whole"))
def top_by_the_boards(boards, top_by_boards, multiplier):
    """The most that a place can get."""
    return row_for(boards, top_by_boards) * multiplier


@rule(QUALI_FINAL, when={"scale": QUALI_FINALS}, defines="top", rounds=up("whole"))
def top_of_a_quali_final(quali_final_top, multiplier):
    """The most that a place can get."""
    return quali_final_top * multiplier


@rule(SCALES)
def least_award(least_award_club, multiplier):
    """The least that is awarded, to those who tie too."""
    return least_award_club * multiplier


# --- the awards, and ties ---------------------------------------------------------------------


@rule(SCALES, per="place", when={"beyond_top": "plateau"}, defines="points", rounds=up("whole"))
def points_up_to_the_top(place, scale_places, step, top):
    """What a place is awarded."""
    return min(step * (scale_places + 1 - place), top)


@rule(TOP, per="place", when={"beyond_top": "equal-steps"}, defines="points", rounds=up("whole"))
def points_in_equal_steps(place, scale_places, step, top):
    """What a place is awarded."""
    return min(step, top / scale_places) * (scale_places + 1 - place)


@rule(TIES, per="entrant", rounds=up("whole"))
def shared_points(covered_points, tied):
    """Those who tie share the awards of the places they cover."""
    return covered_points / tied


@rule("EBU's forum, discussion 1365", per="entrant")
def award(shared_points, least_award):
    """What each player is awarded: never less than the least award."""
    if shared_points == 0:
        return 0
    return max(shared_points, least_award)
