"""SBU master points for clubs: the scales and the awards, in the order of the guide.

How many compete over how many boards is in ``rules_field.py``.
"""

from honours.engine.rules import nearest, rounding, rule, up

SCALES = "Chapter 1, Club award scales"
AGGREGATED = "Chapter 2, Simple aggregated events"
RESTRICTED_FINAL = "Chapter 2, Aggregated events with a restricted final"
MAJOR = "Chapter 2, Annual Club Major Championship (p11 HOTMPS)"
MINOR = "Chapter 2, Annual Club Minor Championship (p11 HOTMPS)"
SWISS = "Chapter 4, Normal club session run as a Swiss event"
MAJOR_SWISS = "Chapter 4, Annual Major Championships run as a Swiss event"

ON_THE_SCALE = ("session", "carry-forward-teams")
FINALS = ("final", "consolation-final")


# --- how many are awarded ---------------------------------------------------------------------


@rule(SCALES, when={"competition": ON_THE_SCALE}, defines="paid_share")
def share_of_a_session(boards, long_session, third, half):
    """The share of the field that is awarded."""
    return half if boards > long_session else third


@rule(AGGREGATED, when={"competition": "aggregate"}, defines="paid_share")
def share_of_an_aggregate(third):
    """The share of the qualifiers that is awarded."""
    return third


@rule(RESTRICTED_FINAL, when={"competition": FINALS}, defines="paid_share")
def share_of_a_final(half):
    """The share of the finalists that is awarded."""
    return half


@rule("Chapter 4, General", when={"competition": "swiss"}, defines="paid_share")
def share_of_a_swiss(quarter):
    """The share of the field that is awarded a bonus."""
    return quarter


@rule(SCALES, rounds=up("whole"))
def places(entrants, paid_share):
    """How many places are awarded."""
    return entrants * paid_share


# --- the basic top award ----------------------------------------------------------------------


@rule("Chapter 1, Tables 2, 3 and 4", rounds=up("whole"))
def table_places(entrants, third):
    """The third of the field that the tables count decrements for."""
    return entrants * third


@rule("Chapter 1, Tables 2, 3 and 4", when={"competition": ON_THE_SCALE})
def uncapped_top(table_places, decrement_here):
    """The decrements of the table added up."""
    return table_places * decrement_here


@rule("Chapter 1, Tables 2, 3 and 4", when={"competition": ON_THE_SCALE})
def decrement_here(event_type, decrement):
    """What the table takes off from place to place."""
    return decrement[event_type]


@rule("Chapter 1, Tables 2, 3 and 4", defines="basic_top", when={"competition": ON_THE_SCALE})
def top_of_the_table(uncapped_top, event_type, most_award):
    """The winner's award on the basic scale."""
    return min(uncapped_top, most_award[event_type])


@rule(
    "Chapter 2, Table 5 (p18 HOTMPS)",
    defines="basic_top",
    when={"competition": "aggregate", "kind": "pairs"},
)
def pairs_aggregate_bonus(events, pairs_bonus, pairs_bonus_events):
    """The maximum bonus."""
    return pairs_bonus[str(min(events, pairs_bonus_events))]


@rule(
    "Chapter 2, Table 6 (p22 HOTMPS)",
    defines="basic_top",
    when={"competition": "aggregate", "kind": "individual"},
)
def individual_aggregate_bonus(events, individual_bonus, individual_bonus_events):
    """The maximum bonus."""
    return individual_bonus[str(min(events, individual_bonus_events))]


@rule(
    "Chapter 2, Table 7 (p15 HOTMPS)",
    defines="basic_top",
    when={"competition": "aggregate", "kind": "teams"},
)
def teams_aggregate_bonus(teams_bonus):
    """The maximum bonus."""
    return teams_bonus


@rule(RESTRICTED_FINAL, when={"competition": FINALS}, defines="toe", presumes="asked")
def toe_not_given():
    """A final's total original entry must be told; 0 says that it was not."""
    return 0


@rule(RESTRICTED_FINAL, when={"competition": FINALS}, defines="basic_top")
def top_of_a_final(boards, long_final, short_final_top, toe, final_per_entry, long_final_most):
    """The winner's award in a main final of this many boards."""
    if boards < long_final:
        return short_final_top
    return min(toe * final_per_entry, long_final_most)


@rule(RESTRICTED_FINAL, when={"competition": "consolation-final"})
def long_final_top(toe, final_per_entry, long_final_most, uplift):
    """What the winner of a long main final gets with this original entry."""
    return min(toe * final_per_entry, long_final_most) * uplift


# --- championships ----------------------------------------------------------------------------


@rule(MINOR, when={"competition": ON_THE_SCALE}, defines="boards_in_all")
def boards_of_one_event(boards):
    """Boards in the entire competition."""
    return boards


@rule(MINOR, when={"competition": "aggregate"}, defines="boards_in_all")
def boards_of_the_events(events, least_boards):
    """Boards in the entire competition, at the least."""
    return events * least_boards


@rule(MINOR, when={"competition": FINALS}, defines="boards_in_all")
def boards_with_the_final(events, least_boards, boards):
    """Boards in the entire competition, at the least."""
    return events * least_boards + boards


@rule(MAJOR, when={"championship": "none"}, defines="uplift")
def no_uplift():
    """What the basic scale is multiplied by."""
    return 1


@rule(MAJOR, when={"championship": "major"}, defines="uplift")
def major_uplift(major_factor):
    """What the basic scale is multiplied by."""
    return major_factor


@rule(MINOR, when={"championship": "minor"}, defines="uplift")
def minor_uplift(boards_in_all, minor_boards, major_factor, minor_share):
    """What the basic scale is multiplied by."""
    return 1 if boards_in_all < minor_boards else major_factor * minor_share


NOT_REDUCED = (*ON_THE_SCALE, "aggregate", "final")


@rule(SCALES, when={"competition": NOT_REDUCED, "championship": "none"}, defines="top")
def full_top(basic_top):
    """The winner's award."""
    return basic_top


@rule(MAJOR, when={"competition": NOT_REDUCED, "championship": "major"}, defines="top")
def major_top(basic_top, uplift):
    """The winner's award."""
    return basic_top * uplift


@rule(
    MINOR,
    when={"competition": NOT_REDUCED, "championship": "minor"},
    defines="top",
    rounds=nearest("whole"),
)
def minor_top(basic_top, uplift):
    """The winner's award."""
    return basic_top * uplift


@rule(
    RESTRICTED_FINAL,
    when={"competition": "consolation-final"},
    defines="top",
    rounds=nearest("whole"),
)
def consolation_top(basic_top, uplift, consolation_share):
    """The winner's award in the consolation final."""
    return basic_top * uplift * consolation_share


@rule("Chapter 4, Bonus Points", when={"competition": "swiss"}, defines="toe")
def entry_of_a_swiss(entrants):
    """TOE, the total original entry: teams, or pairs."""
    return entrants


@rule("Chapter 4, Bonus Points", when={"competition": "swiss"}, defines="top")
def top_bonus(toe, championship, bonus_per_entry, most_bonus):
    """The winner's bonus."""
    return min(toe * bonus_per_entry[championship], most_bonus[championship])


# --- the awards below, and ties ---------------------------------------------------------------


@rule(SCALES, rounds=nearest("step_unit"))
def step(top, places):
    """The equal decrement, which is also the last award."""
    return top / places


@rule(
    "Chapter 1, example 8",
    per="place",
    when={"counting": "from-below"},
    defines="points",
    rounds=rounding("place_rounding", "whole"),
)
def points_from_below(place, places, step, top):
    """What a place is awarded."""
    if place == 1:
        return top
    return step * (places + 1 - place)


@rule(
    "Chapter 2, example 23 C",
    per="place",
    when={"counting": "from-top"},
    defines="points",
    rounds=rounding("place_rounding", "whole"),
)
def points_from_top(place, step, top):
    """What a place is awarded."""
    return top - step * (place - 1)


@rule("Chapter 1, examples 4 to 6 (p10 HOTMPS)", per="entrant", rounds=up("whole"))
def shared_points(covered_points, tied):
    """Those who tie share the awards of the places they cover."""
    return covered_points / tied


@rule("Chapter 1, example 7 (p10 HOTMPS)", per="place")
def last_award(points, place, places):
    """The award of the last qualifying place; 0 of any other."""
    return points if place == places else 0


@rule("Chapter 1, examples 4 to 7 (p10 HOTMPS)", per="entrant")
def placing_points(shared_points, covered_last_award):
    """What the place earns: all who tie for the last one get its award."""
    return max(shared_points, covered_last_award)


# --- Swiss matches, and the award -------------------------------------------------------------


@rule(
    f"{SWISS}, Table 8 (p24 HOTMPS)",
    defines="win",
    when={"competition": "swiss", "championship": "none"},
)
def win_by_boards(boards_per_match, longest_match, win_awards):
    """The award for a match won."""
    return win_awards[str(min(boards_per_match, longest_match))]


@rule(
    f"{SWISS}, Table 8 (p24 HOTMPS)",
    defines="draw",
    when={"competition": "swiss", "championship": "none"},
)
def draw_by_boards(boards_per_match, longest_match, draw_awards):
    """The award for a match drawn."""
    return draw_awards[str(min(boards_per_match, longest_match))]


@rule(MAJOR_SWISS, when={"competition": "swiss", "championship": "major"}, defines="win")
def win_of_a_major(boards_per_match, win_per_board):
    """The award for a match won."""
    return boards_per_match * win_per_board


@rule(
    "Chapter 4, example 25, its table",
    defines="draw",
    rounds=up("whole"),
    when={"competition": "swiss", "championship": "major"},
)
def draw_of_a_major(win, draw_share):
    """The award for a match drawn."""
    return win * draw_share


@rule("Chapter 4, examples 24 and 25", per="entrant", when={"competition": "swiss"})
def match_points(won, win, drawn, draw):
    """What the matches earn."""
    return won * win + drawn * draw


@rule(
    "Chapter 4, examples 24 and 25", per="entrant", when={"competition": "swiss"}, defines="award"
)
def swiss_award(placing_points, match_points):
    """What each player is awarded: the matches and the bonus."""
    return placing_points + match_points


@rule(
    "Chapter 1, General conditions (p10 HOTMPS)",
    per="entrant",
    defines="award",
    when={"competition": (*ON_THE_SCALE, "aggregate", *FINALS)},
)
def placing_award(placing_points):
    """What each player is awarded."""
    return placing_points
