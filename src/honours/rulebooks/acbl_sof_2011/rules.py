"""ACBL's strength of field award system of 2011, in the order of the paper."""

from honours.engine.numbers import row_for
from honours.engine.rules import nearest, rule, up

CURRENT = "The Current Masterpoint System"
STRENGTH = "Criteria, Measurement of Field Strength"
TABLES = "Criteria, Table Count Measurement"
BASIC = "Basic SOF Formula"
BELOW_FIRST = "Overall Awards below First Place"
SESSIONS = "Session Awards"
DEPTH = "Proposal of 2020, P"

TEAMS = ("swiss", "teams")

# --- field strength and tables --------------------------------------------------------------


@rule(STRENGTH, per="entrant", when={"kind": "pairs"}, defines="cap")
def cap_of_a_pair(pair_cap):
    """The most that counts of a pair's holdings."""
    return pair_cap


@rule(STRENGTH, per="entrant", when={"kind": TEAMS}, defines="cap")
def cap_of_a_team(team_cap, team_size, count_of_masterpoints):
    """The most that counts of a team's holdings."""
    return team_cap / team_size * count_of_masterpoints


@rule(STRENGTH, per="entrant")
def capped_holding(sum_of_masterpoints, cap):
    """The holdings of a pair or team together, capped."""
    return min(sum_of_masterpoints, cap)


@rule(BASIC)
def highest(kind, highest_counted):
    """How many of the highest pairs or teams make the average."""
    return highest_counted[kind]


@rule(BASIC, per="entrant")
def counted(rank_of_capped_holding, highest):
    """1 for the highest pairs or teams, 0 for those below."""
    return max(min(highest + 1 - rank_of_capped_holding, 1), 0)


@rule(BASIC, per="entrant")
def counted_holding(capped_holding, counted):
    """What of an entrant's holdings goes into the average."""
    return capped_holding * counted


@rule(BASIC, per="entrant")
def counted_players(count_of_masterpoints, counted):
    """How many of an entrant's players go into the average."""
    return count_of_masterpoints * counted


# With comparison=session no rule gives the average: a comparison's own strength never counts.
@rule(BASIC, when={"comparison": "overall"})
def average_masterpoints(sum_of_counted_holding, sum_of_counted_players):
    """Average masterpoints per player."""
    return sum_of_counted_holding / sum_of_counted_players


@rule(f"{BASIC}, s")
def strength(average_masterpoints, thousand):
    """s, the average in thousands."""
    return average_masterpoints / thousand


@rule(TABLES, when={"kind": "pairs", "line": "none"}, defines="entrants_per_table")
def entrants_per_table_of_pairs(pairs_per_table):
    """Pairs at a table."""
    return pairs_per_table


@rule(SESSIONS, when={"kind": "pairs", "line": ("NS", "EW")}, defines="entrants_per_table")
def entrants_per_table_of_a_line(pairs_of_a_line_per_table):
    """Pairs of the line at a table."""
    return pairs_of_a_line_per_table


@rule(TABLES, when={"kind": TEAMS}, defines="entrants_per_table")
def entrants_per_table_of_teams(teams_per_table):
    """Teams to a table."""
    return teams_per_table


@rule(TABLES)
def entrants(tables, entrants_per_table):
    """Pairs or teams, from the tables they fill."""
    return tables * entrants_per_table


@rule(TABLES)
def tables(entrants, entrants_per_table):
    """The tables that the entrants fill."""
    return entrants / entrants_per_table


@rule(f"{BASIC}, T")
def counted_tables(tables, most_tables):
    """T, the tables up to the maximum."""
    return min(tables, most_tables)


# --- basic formula --------------------------------------------------------------------------


@rule(BASIC)
def basic_value(
    average_masterpoints,
    join,
    strength,
    counted_tables,
    most_tables,
    lower_s,
    lower_constant,
    lower_table_s,
    lower_table_constant,
    upper_s,
    upper_constant,
    upper_table_s,
    upper_table_constant,
):
    """The basic value: first place in a two-session regional."""
    if average_masterpoints <= join:
        return (
            lower_s * strength
            + lower_constant
            + counted_tables / most_tables * (lower_table_s * strength + lower_table_constant)
        )
    return (
        upper_s * strength
        + upper_constant
        + counted_tables / most_tables * (upper_table_s * strength + upper_table_constant)
    )


@rule(BASIC)
def value_at_join(
    join,
    thousand,
    counted_tables,
    most_tables,
    lower_s,
    lower_constant,
    lower_table_s,
    lower_table_constant,
):
    """The basic value of a field of this size whose average is where the lines meet."""
    return (
        lower_s * join / thousand
        + lower_constant
        + counted_tables / most_tables * (lower_table_s * join / thousand + lower_table_constant)
    )


@rule(BASIC)
def bounded_value(basic_value, minimum_basic, maximum_basic):
    """The basic value between minimum and maximum."""
    return min(max(basic_value, minimum_basic), maximum_basic)


@rule(SESSIONS, when={"comparison": "overall"}, defines="award_sessions")
def all_sessions(sessions):
    """The sessions an overall award is for."""
    return sessions


@rule(SESSIONS, when={"comparison": "session"}, defines="award_sessions")
def one_session():
    """A session award is made from the one-session award."""
    return 1


@rule(f"{CURRENT}, R")
def r_factor(class_, r_factors):
    """R, the classification factor."""
    return r_factors[class_]


@rule("Criteria, Established Relationships should be maintained")
def scale(sessions_factor, basic_sessions_factor, r_factor, basic_r_factor, restriction_factor):
    """What sessions, classification and restrictions make of the basic value."""
    return sessions_factor / basic_sessions_factor * r_factor / basic_r_factor * restriction_factor


@rule(BASIC)
def formula_award(bounded_value, scale, minimum_scaled):
    """The award for first place before any adjustment."""
    return max(bounded_value * scale, minimum_scaled)


# --- awards below first place ---------------------------------------------------------------


@rule(DEPTH, when={"comparison": "overall"}, defines="places", rounds=up("whole"))
def overall_places(entrants, depth_divisor, depth_of_small_fields):
    """How many places are paid."""
    return max(entrants / depth_divisor, row_for(entrants, depth_of_small_fields))


@rule(
    f"{SESSIONS}: “the same as in the current system” (our reading)",
    when={"comparison": "session"},
    defines="places",
    rounds=nearest("whole"),
)
def session_places(entrants, session_depth):
    """How many places of a session's list are paid."""
    return entrants * session_depth


@rule(BELOW_FIRST, per="entrant", rounds=nearest("award_unit"))
def award(covered_points, tied):
    """What each player is awarded: those who tie share the places they cover."""
    return covered_points / tied


# --- the colour -----------------------------------------------------------------------------


@rule(
    "Established practice (our reading)",
    when={"class_": "sectional"},
    defines="colour",
)
def silver():
    """The colour of the points."""
    return "silver"


@rule(
    "Established practice (our reading)",
    when={"comparison": "overall", "class_": "regional"},
    defines="colour",
)
def gold():
    """The colour of the points."""
    return "gold"


@rule(
    "Established practice (our reading)",
    when={"comparison": "session", "class_": "regional"},
    defines="colour",
)
def red():
    """The colour of a session's points."""
    return "red"
