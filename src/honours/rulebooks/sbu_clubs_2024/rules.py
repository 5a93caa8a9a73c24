"""SBU master points for pairs after 2024, as a program cites the handbook.

The scales and ties are those of the guide of 2016; what is new are shorter sessions, four scales
and strata.
"""

from honours.engine.rules import down, nearest, rule, up

SCALES = "Guide of 2016, Chapter 1, Club award scales"
MINIMUM = "Guide of 2016, Chapter 1, Minimum numbers"
BOARDS = "Handbook 4.3, as the program cites it"
STRATA = "Program: strata"

ONE = {"winners": "1"}
TWO = {"winners": "2"}
IN_STRATA = ("top", "lower")

# --- the field --------------------------------------------------------------------------------


@rule(SCALES)
def pairs(tables, pairs_per_table):
    """Pairs at the tables, both lines together."""
    return tables * pairs_per_table


@rule(SCALES, when={**ONE, "stratum_kind": "none"}, defines="tables")
def tables_of_one_list(entrants, pairs_per_table):
    """The tables that the pairs fill."""
    return entrants / pairs_per_table


@rule(SCALES, when={**ONE, "stratum_kind": "top"}, defines="tables")
def tables_of_the_whole_field(entrants, pairs_per_table):
    """The tables that the pairs fill."""
    return entrants / pairs_per_table


@rule(STRATA, when={**ONE, "stratum_kind": "lower"}, defines="tables")
def tables_of_a_stratum(entrants, pairs_per_table):
    """The tables that the pairs of the stratum would fill."""
    return entrants / pairs_per_table


@rule(SCALES, when=TWO, defines="tables")
def tables_of_two_lines(all_lines, pairs_per_table):
    """The tables that the pairs of both lines fill."""
    return all_lines / pairs_per_table


@rule(SCALES, when=TWO)
def all_lines(pairs):
    """Pairs in both lines."""
    return pairs


@rule(SCALES, when=ONE, defines="entrants")
def competing_pairs(pairs):
    """Those who compete with one another."""
    return pairs


@rule(SCALES, when={**TWO, "line": "NS"}, defines="entrants", rounds=up("whole"))
def north_south_pairs(all_lines, pairs_per_table):
    """A pair of the line at each table, half a table too."""
    return all_lines / pairs_per_table


@rule(SCALES, when={**TWO, "line": "EW"}, defines="entrants", rounds=down("whole"))
def east_west_pairs(all_lines, pairs_per_table):
    """A pair of the line at each complete table."""
    return all_lines / pairs_per_table


@rule(MINIMUM)
def tables_needed(winners, least_tables):
    """The fewest complete tables."""
    return least_tables[winners]


# --- strata -----------------------------------------------------------------------------------


@rule(STRATA, when={"stratum_kind": "top"}, defines="lower_pairs", rounds=nearest("whole"))
def pairs_below_the_top(entrants, sum_of_in_top_stratum):
    """Pairs that are eligible in stratum B."""
    return entrants - sum_of_in_top_stratum


@rule(STRATA, when={"stratum_kind": "none"}, defines="reduction")
def not_reduced():
    """What the step is less than without strata."""
    return 0


@rule(STRATA, when={"winners": "1", "stratum_kind": "top"}, defines="reduction")
def reduction_of_the_whole_field(
    lower_pairs, least_stratum, boards, full_session, stratum_level, one_winner_reductions
):
    """What the step is less than without strata; nothing where no stratum pays."""
    if lower_pairs < least_stratum or boards < full_session:
        return 0
    return one_winner_reductions[str(stratum_level)]


@rule(STRATA, when={"winners": "1", "stratum_kind": "lower"}, defines="reduction")
def reduction_of_a_stratum(stratum_level, one_winner_reductions):
    """What the step is less than without strata."""
    return one_winner_reductions[str(stratum_level)]


@rule(
    STRATA,
    when={"winners": "2", "stratum_kind": IN_STRATA, "two_winner_reading": "documented"},
    defines="reduction",
)
def documented_reduction(stratum_level, documented_reductions):
    """What the step is less than without strata."""
    return documented_reductions[str(stratum_level)]


@rule(
    STRATA,
    when={"winners": "2", "stratum_kind": IN_STRATA, "two_winner_reading": "coded"},
    defines="reduction",
)
def coded_reduction(stratum_level, coded_reductions):
    """What the step is less than without strata."""
    return coded_reductions[str(stratum_level)]


# --- the top award and the places -------------------------------------------------------------


@rule(BOARDS, rounds=up("whole"))
def third_of_the_field(entrants, third):
    """A third of the field."""
    return entrants * third


@rule(BOARDS, rounds=up("whole"))
def quarter_of_the_field(entrants, quarter):
    """A quarter of the field."""
    return entrants * quarter


@rule(BOARDS)
def places(boards, full_session, third_of_the_field, quarter_of_the_field):
    """How many places are awarded: fewer in a short session."""
    return quarter_of_the_field if boards < full_session else third_of_the_field


@rule("Guide of 2016, Chapter 1, Tables 2 and 3")
def table_top(third_of_the_field, winners, steps, most_award):
    """The top award of the table."""
    return min(third_of_the_field * steps[winners], most_award[winners])


@rule(BOARDS, rounds=down("whole"))
def short_top(table_top, half):
    """The top award of a short session."""
    return table_top * half


@rule(STRATA)
def club_top(boards, full_session, short_top, table_top, reduction, places):
    """The winner's award in a club."""
    if boards < full_session:
        return short_top
    return table_top - reduction * places


@rule("Program: scales")
def multiplier(scale, scales):
    """How much more the scale pays than the club's."""
    return scales[scale]


@rule("Program: scales", rounds=up("whole"))
def top(club_top, multiplier):
    """The winner's award."""
    return club_top * multiplier


# --- the awards below, and ties ---------------------------------------------------------------


@rule(SCALES)
def step(top, places):
    """What a place is worth more than the next, which is also the last award."""
    return top / places


@rule("Guide of 2016, Chapter 1, example 8", per="place", rounds=up("whole"))
def points(place, places, step):
    """What a place is awarded."""
    return step * (places + 1 - place)


@rule("Guide of 2016, Chapter 1, examples 4 to 7", per="entrant")
def award(placing_points):
    """What each player is awarded."""
    return placing_points
