"""ABF masterpoints for sessions: the winner's award, the places below, ties and large teams.

From the printed formulas, in their order; rounding and ties are what real files show.
"""

from honours.engine.numbers import exp
from honours.engine.rules import down, nearest, rule, up

SESSIONS = "Book 3, sessions"
TWO_WINNERS = "Book 3, sessions, two winners"
ONE_WINNER = "Book 3, sessions, one winner"
PLACES = "Book 3, places"
LOWER = "Book 3, lower places"
FACTORING = "4.4.9 Factoring, grade B4c"
GRADES = "Grades and their weights"
ROUNDING = "Compscore3: rounding and ties"

IMPS = ("butler", "cross-imps", "imps", "board-a-match")

# --- who competes -----------------------------------------------------------------------------


@rule(SESSIONS, when={"kind": "pairs", "winners": "1"}, defines="entrants")
def competing_pairs(pairs):
    """Those who compete with one another."""
    return pairs


@rule(
    SESSIONS,
    when={"kind": "pairs", "winners": "2", "line": "NS"},
    defines="entrants",
    rounds=up("whole"),
)
def north_south_pairs(pairs, pairs_per_table):
    """A pair of the line at each table, half a table too."""
    return pairs / pairs_per_table


@rule(
    SESSIONS,
    when={"kind": "pairs", "winners": "2", "line": "EW"},
    defines="entrants",
    rounds=down("whole"),
)
def east_west_pairs(pairs, pairs_per_table):
    """A pair of the line at each complete table."""
    return pairs / pairs_per_table


@rule(SESSIONS, when={"kind": "individual"}, defines="entrants")
def competing_players(players):
    """Those who compete with one another."""
    return players


@rule(SESSIONS, when={"kind": "teams"}, defines="entrants")
def competing_teams(teams):
    """Those who compete with one another."""
    return teams


@rule(SESSIONS, when={"kind": "pairs"}, defines="pairs")
def pairs_at_the_tables(tables, pairs_per_table):
    """Pairs at the tables, both lines together."""
    return tables * pairs_per_table


@rule(SESSIONS, when={"kind": "individual"}, defines="players")
def players_at_the_tables(tables, players_per_table):
    """Players at the tables."""
    return tables * players_per_table


@rule(SESSIONS, when={"kind": "teams"}, defines="teams")
def teams_at_the_tables(tables):
    """A team for each table."""
    return tables


@rule(SESSIONS, when={"kind": "pairs", "winners": "1"}, defines="tables")
def tables_of_pairs(entrants, pairs_per_table):
    """The tables that the pairs fill."""
    return entrants / pairs_per_table


@rule(SESSIONS, when={"kind": "pairs", "winners": "2"}, defines="tables")
def tables_of_two_lines(all_lines, pairs_per_table):
    """The tables that the pairs of both lines fill."""
    return all_lines / pairs_per_table


@rule(SESSIONS, when={"kind": "pairs", "winners": "2"})
def all_lines(pairs):
    """Pairs in both lines."""
    return pairs


@rule(SESSIONS, when={"kind": "individual"}, defines="tables")
def tables_of_players(entrants, players_per_table):
    """The tables that the players fill."""
    return entrants / players_per_table


@rule(SESSIONS, when={"kind": "teams"}, defines="tables")
def tables_of_teams(entrants):
    """A table for each team."""
    return entrants


@rule(SESSIONS, rounds=up("whole"))
def tables_counted(tables):
    """The tables, a half counting as one."""
    return tables


# --- the winner's award -----------------------------------------------------------------------


@rule(TWO_WINNERS, when={"kind": "pairs", "winners": "2"}, defines="unfactored_winner")
def winner_of_two_lines(
    tables_counted, event_grade, two_winners_a_table, two_winners_straight, two_winners_decay
):
    """What the winner of a line earns."""
    if tables_counted <= two_winners_straight:
        return two_winners_a_table * event_grade * tables_counted
    return event_grade * (1 - exp(-tables_counted / two_winners_decay))


@rule(ONE_WINNER, when={"kind": "pairs", "winners": "1"}, defines="unfactored_winner")
def winner_of_one_list(
    tables_counted, event_grade, one_winner_a_table, one_winner_straight, one_winner_decay
):
    """What the winner earns."""
    if tables_counted <= one_winner_straight:
        return one_winner_a_table * event_grade * tables_counted
    return event_grade * (1 - exp(-tables_counted / one_winner_decay))


@rule(ONE_WINNER, when={"kind": ("individual", "teams")}, defines="unfactored_winner")
def winner_of_players_or_teams(
    tables_counted, event_grade, one_winner_a_table, one_winner_straight, one_winner_decay
):
    """What the winner earns."""
    if tables_counted <= one_winner_straight:
        return one_winner_a_table * event_grade * tables_counted
    return event_grade * (1 - exp(-tables_counted / one_winner_decay))


@rule(FACTORING, when={"field_rank": "none"}, defines="winner", rounds=nearest("cent"))
def winner_as_it_is(unfactored_winner):
    """The winner's award."""
    return unfactored_winner


@rule(
    FACTORING,
    when={"field_rank": ("graduate", "club", "local", "national")},
)
def factored_winner(unfactored_winner, field_rank, rank_factors):
    """What the winner of a field of one rank earns."""
    return unfactored_winner * rank_factors[field_rank]


@rule(
    FACTORING,
    when={"field_rank": ("graduate", "club", "local", "national")},
    defines="winner",
    rounds=nearest("cent"),
)
def winner_of_one_rank(factored_winner):
    """The winner's award."""
    return factored_winner


# --- how many are paid ------------------------------------------------------------------------


@rule(PLACES, rounds=down("whole"))
def half_of_the_field(entrants, half):
    """Half of the field, cut to whole."""
    return entrants * half


@rule(PLACES, rounds=up("whole"))
def third_of_the_field(entrants, third):
    """A third of the field, going up."""
    return entrants * third


@rule(PLACES, when={"kind": "individual"}, defines="places")
def places_of_an_individual(half_of_the_field):
    """How many places are paid."""
    return half_of_the_field


@rule(PLACES, when={"kind": "pairs", "scoring": "matchpoints"}, defines="places")
def places_at_matchpoints(half_of_the_field):
    """How many places are paid."""
    return half_of_the_field


@rule(PLACES, when={"kind": "pairs", "scoring": IMPS}, defines="places")
def places_at_imps(boards_per_match, long_match, half_of_the_field, third_of_the_field):
    """How many places are paid: fewer where long matches are played."""
    return third_of_the_field if boards_per_match >= long_match else half_of_the_field


@rule(PLACES, when={"kind": "teams"}, defines="places")
def places_of_teams(boards_per_match, long_match, half_of_the_field, third_of_the_field):
    """How many places are paid: more where short matches are played."""
    return half_of_the_field if 0 < boards_per_match < long_match else third_of_the_field


# --- the places below, ties and large teams ---------------------------------------------------


@rule(LOWER, per="place", rounds=nearest("cent"))
def points(place, winner, second, second_share):
    """What a place is paid."""
    if place == 1:
        return winner
    if place == second:
        return winner * second_share
    return winner / (place - 1)


@rule(ROUNDING, per="entrant", rounds=nearest("cent"))
def shared_points(covered_points, tied):
    """Those who tie share the rounded awards of the places they cover."""
    return covered_points / tied


@rule(ROUNDING, per="entrant", when={"kind": ("pairs", "individual")}, defines="award")
def award_of_a_player(shared_points):
    """What each player is awarded."""
    return shared_points


@rule(
    "Book 4, teams",
    per="entrant",
    when={"kind": "teams"},
    defines="award",
    rounds=nearest("cent"),
)
def award_in_a_team(shared_points, full_team, team_size):
    """What each player is awarded: five or six share what four would get."""
    return shared_points * full_team / team_size


# --- the colour -----------------------------------------------------------------------------------


@rule(GRADES, defines="colour")
def colour_of_the_grade(event_grade, most_green, most_red):
    """The colour of the points."""
    if event_grade <= most_green:
        return "green"
    return "red" if event_grade <= most_red else "gold"
