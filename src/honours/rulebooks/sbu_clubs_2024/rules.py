"""SBU master points for pairs after 2024, as a program cites the handbook.

The scales and ties are those of the guide of 2016; what is new are shorter sessions, four scales
and strata. Awards are rounded up from whole numbers, so every rule is tabulated.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from honours.engine.rules import Number, down, nearest, refuses, rule, up

SCALES = "Guide of 2016, Chapter 1, Club award scales"
MINIMUM = "Guide of 2016, Chapter 1, Minimum numbers"
BOARDS = "Handbook 4.3, as the program cites it"
STRATA = "Program: strata"

ONE = {"winners": "1"}
TWO = {"winners": "2"}
IN_STRATA = ("top", "lower")

Words = Mapping[str, Number]
tabulated = partial(rule, tabulated=True)

# --- what is refused --------------------------------------------------------------------------


@refuses(
    "{kind}: their scale after 2024 was not seen",
    "Program: pairs only",
    when={"kind": ("individual", "teams")},
)
def not_pairs(kind: str) -> bool:
    return True


@refuses(
    "{competition}: its scale after 2024 was not seen",
    "Program: single sessions only",
    when={"competition": ("swiss", "aggregate", "final", "championship", "league")},
)
def not_a_session(competition: str) -> bool:
    return True


@refuses(
    "a stratum below the third: the program has strata A, B and C",
    "Program: strata",
    when={"stratum_kind": "lower"},
)
def stratum_not_known(stratum_level: Number, lowest_stratum: Number) -> bool:
    return stratum_level > lowest_stratum


@refuses("{complete_tables} complete tables, at least {tables_needed} needed", MINIMUM)
def too_few_tables(complete_tables: Number, tables_needed: Number) -> bool:
    return complete_tables < tables_needed


@refuses("{boards} boards, at least {least_boards} needed", BOARDS)
def too_few_boards(boards: Number, least_boards: Number) -> bool:
    return boards < least_boards


@refuses(
    "{entrants} pairs in the stratum, at least {least_stratum} needed",
    "Program: a stratum needs the minimum field",
    when={"stratum_kind": "lower"},
)
def stratum_too_small(entrants: Number, least_stratum: Number) -> bool:
    return entrants < least_stratum


@refuses(
    "{boards} boards: strata need at least {full_session}",
    STRATA,
    when={"stratum_kind": "lower"},
)
def strata_in_a_short_session(boards: Number, full_session: Number) -> bool:
    return boards < full_session


@refuses(
    "strata in two lines: the program's documentation says 9, 8, 7 and its code 9, 7, 5; choose "
    "the variant strata-as-documented or strata-as-coded",
    "Program: strata, two winners",
    when={"winners": "2", "stratum_kind": IN_STRATA, "two_winner_reading": "unsettled"},
)
def strata_in_two_lines() -> bool:
    return True


# --- the field --------------------------------------------------------------------------------


@tabulated(SCALES)
def pairs(tables: Number, pairs_per_table: Number) -> Number:
    """Pairs at the tables, both lines together."""
    return tables * pairs_per_table


@tabulated(SCALES, when={**ONE, "stratum_kind": "none"}, defines="tables")
def tables_of_one_list(entrants: Number, pairs_per_table: Number) -> Number:
    """The tables that the pairs fill."""
    return entrants / pairs_per_table


@tabulated(SCALES, when={**ONE, "stratum_kind": "top"}, defines="tables")
def tables_of_the_whole_field(entrants: Number, pairs_per_table: Number) -> Number:
    """The tables that the pairs fill."""
    return entrants / pairs_per_table


@tabulated(STRATA, when={**ONE, "stratum_kind": "lower"}, defines="tables")
def tables_of_a_stratum(entrants: Number, pairs_per_table: Number) -> Number:
    """The tables that the pairs of the stratum would fill."""
    return entrants / pairs_per_table


@tabulated(SCALES, when=TWO, defines="tables")
def tables_of_two_lines(all_lines: Number, pairs_per_table: Number) -> Number:
    """The tables that the pairs of both lines fill."""
    return all_lines / pairs_per_table


@tabulated(SCALES, when=TWO)
def all_lines(pairs: Number) -> Number:
    """Pairs in both lines."""
    return pairs


@tabulated(SCALES, when=ONE, defines="entrants")
def competing_pairs(pairs: Number) -> Number:
    """Those who compete with one another."""
    return pairs


@tabulated(SCALES, when={**TWO, "line": "NS"}, defines="entrants", rounds=up("whole"))
def north_south_pairs(all_lines: Number, pairs_per_table: Number) -> Number:
    """A pair of the line at each table, half a table too."""
    return all_lines / pairs_per_table


@tabulated(SCALES, when={**TWO, "line": "EW"}, defines="entrants", rounds=down("whole"))
def east_west_pairs(all_lines: Number, pairs_per_table: Number) -> Number:
    """A pair of the line at each complete table."""
    return all_lines / pairs_per_table


@tabulated(MINIMUM, rounds=down("whole"))
def complete_tables(tables: Number) -> Number:
    """Tables that are not half empty."""
    return tables


@tabulated(MINIMUM)
def tables_needed(winners: str, least_tables: Words) -> Number:
    """The fewest complete tables."""
    return least_tables[winners]


# --- strata -----------------------------------------------------------------------------------


@rule(STRATA, when={"stratum_kind": "top"}, defines="lower_pairs", rounds=nearest("whole"))
def pairs_below_the_top(entrants: Number, sum_of_in_top_stratum: Number) -> Number:
    """Pairs that are eligible in stratum B."""
    return entrants - sum_of_in_top_stratum


@tabulated(STRATA, when={"stratum_kind": "none"}, defines="reduction")
def not_reduced() -> Number:
    """What the step is less than without strata."""
    return 0


@tabulated(STRATA, when={"winners": "1", "stratum_kind": "top"}, defines="reduction")
def reduction_of_the_whole_field(
    lower_pairs: Number,
    least_stratum: Number,
    boards: Number,
    full_session: Number,
    stratum_level: Number,
    one_winner_reductions: Words,
) -> Number:
    """What the step is less than without strata; nothing where no stratum pays."""
    if lower_pairs < least_stratum or boards < full_session:
        return 0
    return one_winner_reductions[str(stratum_level)]


@tabulated(STRATA, when={"winners": "1", "stratum_kind": "lower"}, defines="reduction")
def reduction_of_a_stratum(stratum_level: Number, one_winner_reductions: Words) -> Number:
    """What the step is less than without strata."""
    return one_winner_reductions[str(stratum_level)]


@tabulated(
    STRATA,
    when={"winners": "2", "stratum_kind": IN_STRATA, "two_winner_reading": "documented"},
    defines="reduction",
)
def documented_reduction(stratum_level: Number, documented_reductions: Words) -> Number:
    """What the step is less than without strata."""
    return documented_reductions[str(stratum_level)]


@tabulated(
    STRATA,
    when={"winners": "2", "stratum_kind": IN_STRATA, "two_winner_reading": "coded"},
    defines="reduction",
)
def coded_reduction(stratum_level: Number, coded_reductions: Words) -> Number:
    """What the step is less than without strata."""
    return coded_reductions[str(stratum_level)]


# --- the top award and the places -------------------------------------------------------------


@tabulated(BOARDS, rounds=up("whole"))
def third_of_the_field(entrants: Number, third: Number) -> Number:
    """A third of the field."""
    return entrants * third


@tabulated(BOARDS, rounds=up("whole"))
def quarter_of_the_field(entrants: Number, quarter: Number) -> Number:
    """A quarter of the field."""
    return entrants * quarter


@tabulated(BOARDS)
def places(
    boards: Number, full_session: Number, third_of_the_field: Number, quarter_of_the_field: Number
) -> Number:
    """How many places are awarded: fewer in a short session."""
    return quarter_of_the_field if boards < full_session else third_of_the_field


@tabulated("Guide of 2016, Chapter 1, Tables 2 and 3")
def table_top(third_of_the_field: Number, winners: str, steps: Words, most_award: Words) -> Number:
    """The top award of the table."""
    return min(third_of_the_field * steps[winners], most_award[winners])


@tabulated(BOARDS, rounds=down("whole"))
def short_top(table_top: Number, half: Number) -> Number:
    """The top award of a short session."""
    return table_top * half


@tabulated(STRATA)
def club_top(
    boards: Number,
    full_session: Number,
    short_top: Number,
    table_top: Number,
    reduction: Number,
    places: Number,
) -> Number:
    """The winner's award in a club."""
    if boards < full_session:
        return short_top
    return table_top - reduction * places


@tabulated("Program: scales")
def multiplier(scale: str, scales: Words) -> Number:
    """How much more the scale pays than the club's."""
    return scales[scale]


@tabulated("Program: scales", rounds=up("whole"))
def top(club_top: Number, multiplier: Number) -> Number:
    """The winner's award."""
    return club_top * multiplier


# --- the awards below, and ties ---------------------------------------------------------------


@tabulated(SCALES)
def step(top: Number, places: Number) -> Number:
    """What a place is worth more than the next, which is also the last award."""
    return top / places


@tabulated("Guide of 2016, Chapter 1, example 8", per="place", rounds=up("whole"))
def points(place: Number, places: Number, step: Number) -> Number:
    """What a place is awarded."""
    return step * (places + 1 - place)


@tabulated("Guide of 2016, Chapter 1, examples 4 to 6", per="entrant", rounds=up("whole"))
def shared_points(covered_points: Number, tied: Number) -> Number:
    """Those who tie share the awards of the places they cover."""
    return covered_points / tied


@tabulated("Guide of 2016, Chapter 1, example 7", per="place")
def last_award(points: Number, place: Number, places: Number) -> Number:
    """The award of the last qualifying place; 0 of any other."""
    return points if place == places else 0


@tabulated("Guide of 2016, Chapter 1, examples 4 to 7", per="entrant")
def award(shared_points: Number, covered_last_award: Number) -> Number:
    """What each player is awarded: all who tie for the last place get its award."""
    return max(shared_points, covered_last_award)
