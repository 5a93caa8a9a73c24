"""Masterpoints of ACBL club games as ACBLscore awarded them in 2017.

Every ranking of an event, overall and by section, of all pairs and of each stratum, has a first
award, places below it and a depth; a pair gets the best of what they pay it.
"""

from honours.engine.numbers import ln, power, row_for
from honours.engine.rules import down, nearest, rule, up

CLUB = "Files: club games, first in a section"
OVERALL = "Files: first overall"
SECTION = "Files: first in a section of a special game"
FACTOR = "Files: M by limit, stored in every file"
PERCENT = "Files: percent of the open rating"
SIZE = "Files: n of a section"
TIES = "Files: ties"

SPECIAL = ("nap-club", "nap-unit", "club-championship")
UNSTRATIFIED_OR_TOP = ("none", "top")

# --- the list ---------------------------------------------------------------------------------


@rule(PERCENT, when={"stratum_kind": UNSTRATIFIED_OR_TOP}, defines="stratum_limit")
def limit_of_all(limit):
    """The upper limit of the pairs that are ranked; 0 for none."""
    return limit


@rule(PERCENT, when={"stratum_kind": "lower"})
def stratum_limit(stratum_level, limit_b, limit_c):
    """The upper limit of the pairs that are ranked; 0 for none."""
    return limit_b if stratum_level == 1 else limit_c


@rule(SIZE, when={"award_of": "section", "winners": "2"}, defines="tables")
def tables_of_a_line(entrants):
    """A table for each pair of the line, unless said."""
    return entrants


@rule(
    SIZE,
    when={
        "award_of": "section",
        "winners": "2",
        "stratum_kind": UNSTRATIFIED_OR_TOP,
    },
    defines="size",
)
def tables_of_the_section(tables):
    """What the award grows with: the tables of the section, the same for both lines."""
    return tables


@rule(
    SIZE,
    when={"award_of": "section", "winners": "2", "stratum_kind": "lower"},
    defines="size",
)
def pairs_of_the_stratum(entrants):
    """What the award grows with: the pairs of the stratum in the line."""
    return entrants


@rule(SIZE, when={"award_of": "section", "winners": "1"}, defines="size")
def pairs_of_a_howell(entrants):
    """What the award grows with: the pairs."""
    return entrants


@rule(OVERALL, when={"award_of": "overall"}, rounds=up("whole"))
def tables_of_the_list(entrants, pairs_per_table):
    """The tables that the pairs of the list make."""
    return entrants / pairs_per_table


@rule(OVERALL, when={"award_of": "overall", "stratum_kind": UNSTRATIFIED_OR_TOP}, defines="size")
def tables_with_those_added(tables_of_the_list, stratum_limit, added_tables):
    """What the award grows with: the tables, of an open game with those it is credited with."""
    return tables_of_the_list + added_tables if stratum_limit == 0 else tables_of_the_list


@rule(OVERALL, when={"award_of": "overall", "stratum_kind": "lower"}, defines="size")
def tables_of_the_stratum(tables_of_the_list):
    """What the award grows with: the tables of the stratum."""
    return tables_of_the_list


# --- the first award --------------------------------------------------------------------------


@rule(PERCENT, when={"game": "club", "pupils": "no"}, defines="percent")
def percent_by_limit(stratum_limit, open_percent, limit_percents):
    """The percentage of what an open game pays."""
    return open_percent if stratum_limit == 0 else row_for(stratum_limit, limit_percents)


@rule(PERCENT, when={"game": "club", "pupils": "yes"}, defines="percent")
def percent_of_pupils(pupil_percent):
    """The percentage of what an open game pays."""
    return pupil_percent


@rule(CLUB, when={"game": "club", "stratum_kind": UNSTRATIFIED_OR_TOP}, defines="credited")
def size_with_tables_added(size, added_tables):
    """The size with the tables it is credited with."""
    return size + added_tables


@rule(CLUB, when={"game": "club", "stratum_kind": "lower"}, defines="credited")
def size_of_a_lower_stratum(size):
    """The size: a lower stratum is credited with nothing."""
    return size


@rule(CLUB, when={"game": "club"}, defines="first", rounds=nearest("cent"))
def first_of_a_club_game(percent, hundred, a_table, credited, membership, most_in_a_club):
    """The winners' award."""
    return min(a_table * credited * percent / hundred, most_in_a_club[membership])


@rule(FACTOR, when={"game": SPECIAL})
def limit_factor(
    stratum_limit,
    m_hundred,
    m_hundred_slope,
    m_hundred_end,
    m_middle,
    m_middle_slope,
    m_middle_end,
    m_upper,
    m_upper_slope,
):
    """M, by the upper masterpoint limit."""
    if stratum_limit == 0:
        return 1
    if stratum_limit <= m_hundred_end:
        return m_hundred + stratum_limit / m_hundred_slope
    if stratum_limit <= m_middle_end:
        return m_middle + stratum_limit / m_middle_slope
    return m_upper + stratum_limit / m_upper_slope


@rule(OVERALL, when={"game": SPECIAL})
def one_session_first(size, tables_more, tables_full, game, ratings, limit_factor, pairs_factor):
    """What a one-session game of this size pays the winners, unrounded."""
    return (size + tables_more) / tables_full * ratings[game] * limit_factor * pairs_factor


@rule(
    OVERALL,
    when={"game": SPECIAL, "award_of": "overall"},
    defines="first",
    rounds=nearest("cent"),
)
def first_overall(one_session_first, sessions, session_half):
    """The winners' award."""
    return one_session_first * session_half * (sessions + 1)


@rule(
    SECTION,
    when={"game": SPECIAL, "award_of": "section"},
    defines="first",
    rounds=nearest("cent"),
)
def first_in_a_section(one_session_first, half):
    """The award of the first in the section."""
    return one_session_first * half


# --- how many are paid ------------------------------------------------------------------------


@rule(
    "Files: depth of a section",
    when={"award_of": "section"},
    defines="paid_places",
    rounds=nearest("whole"),
)
def depth_of_a_section(size, section_share):
    """How many places are paid."""
    return size * section_share


@rule("Files: depth overall by pairs", when={"award_of": "overall"})
def depth_by_pairs(entrants, overall_depth):
    """How many places are paid, six at most."""
    return row_for(entrants, overall_depth)


@rule(
    "Files: beyond six places",
    when={"award_of": "overall", "stratum_kind": UNSTRATIFIED_OR_TOP},
    rounds=down("whole"),
)
def deep_places(first, deep_award, place_share):
    """The places whose award is 1.00 or more."""
    return 1 + ln(first / deep_award) / ln(1 / place_share)


@rule(
    "Files: beyond six places",
    when={"award_of": "overall", "stratum_kind": UNSTRATIFIED_OR_TOP},
    defines="paid_places",
)
def depth_of_all_pairs(depth_by_pairs, deep_places, size, deep_tables, deep_from, stratum_limit):
    """How many places are paid: more than six in a large open game; a small one that is credited
    with the tables of others pays no more than its own pairs give."""
    if stratum_limit > 0 or size < deep_tables or depth_by_pairs < deep_from:
        return depth_by_pairs
    return max(depth_by_pairs, deep_places)


@rule(
    "Files: depth overall by pairs",
    when={"award_of": "overall", "stratum_kind": "lower"},
    defines="paid_places",
)
def depth_of_a_stratum(depth_by_pairs):
    """How many places are paid."""
    return depth_by_pairs


@rule(TIES)
def places(entrants):
    """The places that have a value: those below the paid ones count where a tie covers them."""
    return entrants


# --- the places below, and ties ---------------------------------------------------------------


@rule(
    "Files: places below, overall",
    per="place",
    when={"award_of": "overall"},
    defines="points",
    rounds=nearest("cent"),
)
def points_overall(place, first, place_share):
    """What a place is worth: a share of the rounded first award for each place down."""
    return first * power(place_share, place - 1)


@rule(
    "Files: places of a section",
    per="place",
    when={"award_of": "section"},
    defines="points",
    rounds=nearest("cent"),
)
def points_of_a_section(place, first, last_percent_place, section_percents, hundred):
    """What a place is worth."""
    if place > last_percent_place:
        return first / place
    return first * row_for(place, section_percents) / hundred


@rule(TIES, per="entrant", rounds=nearest("cent"))
def shared_points(covered_points, tied):
    """Those who tie share the rounded awards of the places they cover, the unpaid ones too."""
    return covered_points / tied


@rule(TIES, per="entrant", when={"award_of": "overall"})
def award(place, paid_places, shared_points):
    """What each player is awarded in this ranking."""
    return 0 if place > paid_places else shared_points


@rule("Files: several sessions", per="entrant", when={"award_of": "section"}, defines="award")
def award_of_sections(place, paid_places, shared_points, earlier_awards):
    """What each player is awarded in the section, beside what earlier sessions' sections paid."""
    if place > paid_places:
        return earlier_awards
    return shared_points + earlier_awards
