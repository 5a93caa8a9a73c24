"""VBL master points, as the program vbl-masterpoints of 2017 computes them.

The top award, the places that get a percentage of it, and a cent for everybody else. Places and
percents are read from tables.
"""

from honours.engine.numbers import row_for
from honours.engine.rules import down, nearest, rule, up

CLUB = "Program: club pairs"
LARGE = "Program: large pairs events"
INDIVIDUAL = "Program: individual events"
PLACES = "Program: places"
PERCENTS = "Program: percents"


# --- the field --------------------------------------------------------------------------------


@rule(CLUB, when={"kind": "pairs", "winners": "1"}, defines="lines")
def one_line():
    """One ranking list."""
    return 1


@rule(CLUB, when={"kind": "pairs", "winners": "2"}, defines="lines")
def two_lines():
    """North-South and East-West are ranked apart."""
    return 1 + 1


@rule(CLUB, when={"kind": "pairs"})
def pairs(all_lines):
    """The pairs of all lines."""
    return all_lines


@rule(CLUB, when={"kind": "pairs", "winners": "1"}, defines="all_lines")
def pairs_of_one_list(entrants):
    """The pairs of all lines: there is one."""
    return entrants


@rule(CLUB, when={"kind": "pairs", "winners": "1"}, defines="entrants", rounds=up("whole"))
def pairs_in_the_list(pairs, lines):
    """The pairs of the list."""
    return pairs / lines


@rule(
    CLUB,
    when={"kind": "pairs", "winners": "2", "line": "NS"},
    defines="entrants",
    rounds=up("whole"),
)
def north_south_pairs(pairs, lines):
    """The pairs of the line, with the one more of a half table."""
    return pairs / lines


@rule(
    CLUB,
    when={"kind": "pairs", "winners": "2", "line": "EW"},
    defines="entrants",
    rounds=down("whole"),
)
def east_west_pairs(pairs, lines):
    """The pairs of the line."""
    return pairs / lines


@rule(INDIVIDUAL, when={"kind": "individual"}, defines="entrants")
def competing_players(players):
    """The players of the list."""
    return players


@rule(INDIVIDUAL, when={"kind": "individual"}, defines="players")
def players_in_the_list(entrants):
    """The players of the list."""
    return entrants


@rule(INDIVIDUAL, when={"kind": "individual"}, rounds=down("whole"))
def complete_tables(players, players_per_table):
    """Tables of four players."""
    return players / players_per_table


# --- the top award, and who gets a share of it ------------------------------------------------


@rule(CLUB, when={"kind": "pairs", "event": "club"}, defines="top")
def top_of_a_club(pairs, lines, club_top):
    """The winner's award before it is rounded."""
    return club_top * pairs / lines


@rule(
    LARGE,
    when={"kind": "pairs", "event": "large", "category": ("I", "II", "III", "IV", "V")},
    defines="top",
)
def top_of_a_large_event(pairs, lines, large_top, category, categories):
    """The winner's award before it is rounded."""
    return large_top * pairs / lines * categories[category]


@rule(LARGE, when={"kind": "pairs", "event": "large", "category": "VI"}, defines="top")
def top_of_category_vi(pairs, lines, large_top, category, categories, most_of_vi):
    """The winner's award before it is rounded."""
    return min(large_top * pairs / lines * categories[category], most_of_vi)


@rule(INDIVIDUAL, when={"kind": "individual"}, defines="top")
def top_of_an_individual(complete_tables, individual_top):
    """The winner's award before it is rounded."""
    return individual_top * complete_tables


@rule(PLACES, when={"kind": "pairs"}, defines="scale_places", rounds=down("whole"))
def third_of_a_line(pairs, lines, third):
    """The places that get a percentage of the top."""
    return pairs / lines * third


@rule(PLACES, when={"kind": "individual"}, defines="scale_places", rounds=down("whole"))
def third_of_the_players(complete_tables, players_per_table, third):
    """The places that get a percentage of the top."""
    return complete_tables * players_per_table * third


@rule("Program: everybody else")
def places(entrants):
    """How many are awarded something: everybody."""
    return entrants


# --- the awards -------------------------------------------------------------------------------


@rule(PERCENTS, per="entrant", when={"kind": "individual"}, defines="percent")
def percent_of_an_individual(place, club_percents):
    """The percentage of the top that the place gets."""
    return row_for(place, club_percents)


@rule(PERCENTS, per="entrant", when={"kind": "pairs", "event": "club"}, defines="percent")
def percent_of_a_club(place, club_percents):
    """The percentage of the top that the place gets."""
    return row_for(place, club_percents)


@rule(PERCENTS, per="entrant", when={"kind": "pairs", "event": "large"}, defines="percent")
def percent_of_a_large_event(place, large_percents):
    """The percentage of the top that the place gets."""
    return row_for(place, large_percents)


@rule(PERCENTS, per="entrant", rounds=nearest("cent"))
def placing_points(top, percent, hundred):
    """What the place earns, whoever shares it."""
    return top * percent / hundred


@rule("Program: everybody else", per="entrant")
def award(place, scale_places, placing_points, participation):
    """What each player is awarded: the place's points, or a cent for taking part."""
    if place > scale_places:
        return participation
    return placing_points
