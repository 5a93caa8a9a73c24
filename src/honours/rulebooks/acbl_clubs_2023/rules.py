"""Masterpoints of regular ACBL club games since 2023.

| boards each pair played | 18 or fewer | 24 | 27 or more |
|---|---|---|---|
| the award of the club formula, times | n/18 | 24/18 | 27/18 |

The club formula is that of 2017, whose rules ``rulebook.toml`` keeps: 0.10 a table for the first of
a section, by the limit of the game or stratum; 70, 50 and 35% for the next places, then a fifth, a
sixth and so on of the first. A pair gets the best of what its rankings pay.
"""

from honours.engine.rules import nearest, rule

BOARDS = "Notes of 2023: boards played"
CLUB = "Files: club games, first in a section"

# --- the first award, by the boards played ------------------------------------------------------


@rule(BOARDS)
def boards_counted(boards, standard_boards, most_boards, fewer_boards):
    """The boards that count: 27 at most."""
    if fewer_boards == "full":
        return max(min(boards, most_boards), standard_boards)
    return min(boards, most_boards)


@rule(BOARDS)
def boards_factor(boards_counted, standard_boards):
    """What the award of 18 boards is multiplied by."""
    return boards_counted / standard_boards


@rule(CLUB)
def first_of_18_boards(percent, hundred, a_table, credited):
    """The winners' award of a game of 18 boards, before its maximum."""
    return a_table * credited * percent / hundred


@rule(BOARDS, rounds=nearest("cent"))
def first(first_of_18_boards, boards_factor, membership, most_in_a_club, maximum):
    """The winners' award."""
    if maximum == "after":
        return min(first_of_18_boards * boards_factor, most_in_a_club[membership])
    return min(first_of_18_boards, most_in_a_club[membership]) * boards_factor


@rule("Files: ties", per="entrant")
def award(place, paid_places, shared_points):
    """What each player is awarded in this ranking."""
    return 0 if place > paid_places else shared_points


# --- colours ----------------------------------------------------------------------------------


@rule("Files: club games are black", per="entrant")
def gold():
    """Gold points."""
    return 0


@rule("Files: club games are black", per="entrant")
def red():
    """Red points."""
    return 0


@rule("Files: club games are black", per="entrant")
def black(award):
    """Black points."""
    return award
