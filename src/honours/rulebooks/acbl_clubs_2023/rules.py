"""Masterpoints of regular ACBL club games since 2023.

| boards each pair played | 18 or fewer | 24 | 27 or more |
|---|---|---|---|
| the award of the club formula, times | n/18 | 24/18 | 27/18 |

The club formula is that of 2017: 0.10 a table for the first of a section, by the limit of the
game or stratum; 70, 50 and 35% for the next places, then a fifth, a sixth and so on of the first.
A pair gets the best of what its rankings pay.
"""

from honours.engine.numbers import row_for
from honours.engine.rules import nearest, refuses, says, tabulated

BOARDS = "Notes of 2023: boards played"
CLUB = "Files: club games, first in a section"
PERCENT = "Files: percent of the open rating"
SIZE = "Files: n of a section"
TIES = "Files: ties"

UNSTRATIFIED_OR_TOP = ("none", "top")


# --- what is refused --------------------------------------------------------------------------


@refuses("{kind}: no file of them was seen", "Files: pairs", when={"kind": ("individual", "teams")})
def not_pairs(kind):
    return True


@refuses("handicap games: no file of them was seen", "Files: pairs", when={"handicapped": "yes"})
def handicap_game():
    return True


@refuses(
    "{game}: boards played count in regular club games alone",
    "Notes of 2023: only regular club masterpoint games",
    when={"game": ("nap-club", "nap-unit", "club-championship", "fund")},
)
def not_a_regular_game(game):
    return True


@refuses(
    "a regular club game has no overall awards: its sections are paid",
    CLUB,
    when={"award_of": "overall"},
)
def club_game_overall():
    return True


@refuses(
    "a stratum below the third: no file shows one", "Files: strata", when={"stratum_kind": "lower"}
)
def stratum_not_seen(stratum_level, lowest_stratum):
    return stratum_level > lowest_stratum


# --- the list ---------------------------------------------------------------------------------


@tabulated(PERCENT)
def stratum_limit(stratum_level, limit, limit_b, limit_c):
    """The upper limit of the pairs that are ranked; 0 for none."""
    if stratum_level == 0:
        return limit
    return limit_b if stratum_level == 1 else limit_c


@tabulated(SIZE, when={"winners": "2"}, defines="tables")
def tables_of_a_line(entrants):
    """A table for each pair of the line, unless said."""
    return entrants


@tabulated(SIZE, when={"winners": "2", "stratum_kind": UNSTRATIFIED_OR_TOP}, defines="size")
def tables_of_the_section(tables):
    """What the award grows with: the tables of the section, the same for both lines."""
    return tables


@tabulated(SIZE, when={"winners": "2", "stratum_kind": "lower"}, defines="size")
def pairs_of_the_stratum(entrants):
    """What the award grows with: the pairs of the stratum in the line."""
    return entrants


@tabulated(SIZE, when={"winners": "1"}, defines="size")
def pairs_of_a_howell(entrants):
    """What the award grows with: the pairs."""
    return entrants


# --- the first award --------------------------------------------------------------------------


@tabulated(PERCENT, when={"pupils": "no"}, defines="percent")
def percent_by_limit(stratum_limit, open_percent, limit_percents):
    """The percentage of what an open game pays."""
    return open_percent if stratum_limit == 0 else row_for(stratum_limit, limit_percents)


@tabulated(PERCENT, when={"pupils": "yes"}, defines="percent")
def percent_of_pupils(pupil_percent):
    """The percentage of what an open game pays."""
    return pupil_percent


@tabulated(CLUB, when={"stratum_kind": UNSTRATIFIED_OR_TOP}, defines="credited")
def size_with_tables_added(size, added_tables):
    """The size with the tables it is credited with."""
    return size + added_tables


@tabulated(CLUB, when={"stratum_kind": "lower"}, defines="credited")
def size_of_a_lower_stratum(size):
    """The size: a lower stratum is credited with nothing."""
    return size


@tabulated(BOARDS)
def boards_counted(boards, standard_boards, most_boards, fewer_boards):
    """The boards that count: 27 at most."""
    if fewer_boards == "full":
        return max(min(boards, most_boards), standard_boards)
    return min(boards, most_boards)


@tabulated(BOARDS)
def boards_factor(boards_counted, standard_boards):
    """What the award of 18 boards is multiplied by."""
    return boards_counted / standard_boards


@tabulated(CLUB)
def first_of_18_boards(percent, hundred, a_table, credited):
    """The winners' award of a game of 18 boards, before its maximum."""
    return a_table * credited * percent / hundred


@tabulated(BOARDS, rounds=nearest("cent"))
def first(first_of_18_boards, boards_factor, membership, most_in_a_club, maximum):
    """The winners' award."""
    if maximum == "after":
        return min(first_of_18_boards * boards_factor, most_in_a_club[membership])
    return min(first_of_18_boards, most_in_a_club[membership]) * boards_factor


# --- the places below, and ties ---------------------------------------------------------------


@tabulated("Files: depth of a section", defines="paid_places", rounds=nearest("whole"))
def depth_of_a_section(size, section_share):
    """How many places are paid."""
    return size * section_share


@tabulated(TIES)
def places(entrants):
    """The places that have a value: those below the paid ones count where a tie covers them."""
    return entrants


@tabulated("Files: places of a section", per="place", rounds=nearest("cent"))
def points(place, first, last_percent_place, section_percents, hundred):
    """What a place is worth."""
    if place > last_percent_place:
        return first / place
    return first * row_for(place, section_percents) / hundred


@tabulated(TIES, per="entrant", rounds=nearest("cent"))
def shared_points(covered_points, tied):
    """Those who tie share the rounded awards of the places they cover, the unpaid ones too."""
    return covered_points / tied


@tabulated(TIES, per="entrant")
def award(place, paid_places, shared_points):
    """What each player is awarded in this ranking."""
    return 0 if place > paid_places else shared_points


# --- colours ----------------------------------------------------------------------------------


@tabulated("Files: club games are black", per="entrant")
def gold():
    """Gold points."""
    return 0


@tabulated("Files: club games are black", per="entrant")
def red():
    """Red points."""
    return 0


@tabulated("Files: club games are black", per="entrant")
def black(award):
    """Black points."""
    return award


# --- what a director would say ----------------------------------------------------------------


@says(
    "A club game of {credited} tables pays first in its section {first_of_18_boards} for "
    "{standard_boards} boards; {boards} were played, so {first}.",
    BOARDS,
)
def first_in_a_club_game(credited, first_of_18_boards, standard_boards, boards, first):
    return True


@says("Place {place} gets {award}.", "Files: places below")
def gets_its_place(tied, place, paid_places, award):
    return tied == 1 and 1 < place <= paid_places


@says("{tied} tie for place {place} and share what their places are worth: {award} each.", TIES)
def shares_a_tie(tied, place, paid_places, award):
    return tied > 1 and place <= paid_places


@says("Place {place} is below the last that is paid.", "Files: depth")
def below_the_last(place, paid_places):
    return place > paid_places
