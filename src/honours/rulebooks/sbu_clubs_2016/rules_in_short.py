"""SBU master points for clubs: what a secretary would say of an award to a member."""

from honours.engine.rules import Words, says

TABLE_2 = "Chapter 1, Table 2"
TABLE_3 = "Chapter 1, Table 3"
TABLE_4 = "Chapter 1, Table 4"
AGGREGATED = "Chapter 2, Simple aggregated events"
RESTRICTED_FINAL = "Chapter 2, Aggregated events with a restricted final"
MAJOR = "Chapter 2, Annual Club Major Championship"
MINOR = "Chapter 2, Annual Club Minor Championship"
SWISS = "Chapter 4, Table 8 and Bonus Points"
MAJOR_SWISS = "Chapter 4, Annual Major Championships run as a Swiss event"
LONG = "Chapter 1, Club award scales"

ON_THE_SCALE = ("session", "carry-forward-teams")
FINALS = ("final", "consolation-final")

# --- how many score -----------------------------------------------------------------------------

ONE_WINNER: Words = {"competition": ON_THE_SCALE, "event_type": "one-winner-pairs"}
TWO_WINNERS: Words = {"competition": ON_THE_SCALE, "event_type": "two-winner-pairs"}
INDIVIDUAL: Words = {"competition": ON_THE_SCALE, "event_type": "individual"}
TEAMS: Words = {"competition": ON_THE_SCALE, "event_type": "teams"}


@says("{entrants} pairs, so the top third, {places} pairs, score.", TABLE_2, when=ONE_WINNER)
def third_of_the_pairs(entrants, places, boards, long_session):
    return boards <= long_session


@says(
    "{entrants} pairs in the line, so its top third, {places} pairs, score.",
    TABLE_4,
    when=TWO_WINNERS,
)
def third_of_the_line(entrants, places, boards, long_session):
    return boards <= long_session


@says("{entrants} players, so the top third, {places} players, score.", TABLE_3, when=INDIVIDUAL)
def third_of_the_players(entrants, places, boards, long_session):
    return boards <= long_session


@says("{entrants} teams, so the top third, {places} teams, score.", TABLE_4, when=TEAMS)
def third_of_the_teams(entrants, places, boards, long_session):
    return boards <= long_session and places > 1


@says("{entrants} teams, so the top third, one team, scores.", TABLE_4, when=TEAMS)
def one_team(entrants, places, boards, long_session):
    return boards <= long_session and places == 1


@says(
    "{boards} boards are more than {long_session}, so the top half scores: {places} of {entrants}.",
    LONG,
    when={"competition": ON_THE_SCALE},
)
def half_of_the_field(entrants, places, boards, long_session):
    return boards > long_session


@says(
    "{entrants} qualified, so the top third, {places}, get a bonus.",
    AGGREGATED,
    when={"competition": "aggregate"},
)
def third_of_the_qualifiers(entrants, places):
    return True


@says(
    "{entrants} played the final, so the top half, {places}, score.",
    RESTRICTED_FINAL,
    when={"competition": "final"},
)
def half_of_the_finalists(entrants, places):
    return True


@says(
    "{entrants} played the consolation final, so the top half, {places}, score.",
    RESTRICTED_FINAL,
    when={"competition": "consolation-final"},
)
def half_of_the_consolation(entrants, places):
    return True


# --- what first place gets, and the steps below ---------------------------------------------------

PLAIN: Words = {"championship": "none"}


@says(
    "Each place is worth {step} more than the next: first gets {top}.",
    TABLE_2,
    when={**ONE_WINNER, **PLAIN},
)
def steps_of_the_pairs(step, top, decrement_here):
    return step == decrement_here


@says(
    "Each place is worth {step} more than the next: first gets {top}.",
    TABLE_4,
    when={**TWO_WINNERS, **PLAIN},
)
def steps_of_the_line(step, top, decrement_here):
    return step == decrement_here


@says(
    "Each place is worth {step} more than the next: first gets {top}.",
    TABLE_3,
    when={**INDIVIDUAL, **PLAIN},
)
def steps_of_the_players(step, top, decrement_here):
    return step == decrement_here


@says(
    "Each place is worth {step} more than the next: first gets {top}.",
    TABLE_4,
    when={**TEAMS, **PLAIN},
)
def steps_of_the_teams(step, top, decrement_here, places):
    return step == decrement_here and places > 1


@says("The winners get {top}.", TABLE_4, when={**TEAMS, **PLAIN})
def award_of_one_team(top, places):
    return places == 1


@says(
    "The table stops at {basic_top} for first, so {top} goes down in {places} equal steps, each "
    "award rounded up.",
    "Chapter 1, examples 8 and 16",
    when={"competition": ON_THE_SCALE, **PLAIN},
)
def beyond_the_maximum(basic_top, uncapped_top, top, places):
    return uncapped_top > basic_top


@says(
    "The table stops at {basic_top} for first, however large the field.",
    "Chapter 1, examples 8 and 16",
    when={"competition": ON_THE_SCALE, "championship": ("major", "minor")},
)
def championship_beyond_the_maximum(basic_top, uncapped_top):
    return uncapped_top > basic_top


@says(
    "First gets what the table gives, {top}, going down in {places} equal steps, each award "
    "rounded up.",
    LONG,
    when={"competition": ON_THE_SCALE, **PLAIN},
)
def table_over_the_half(top, places, boards, long_session, basic_top, uncapped_top):
    return boards > long_session and uncapped_top <= basic_top


@says(
    "It is a major championship, so the {basic_top} for first is multiplied by {uplift}: {top}, "
    "going down in {places} equal steps, each award rounded up.",
    MAJOR,
    when={"championship": "major", "competition": (*ON_THE_SCALE, "aggregate", *FINALS)},
)
def major_championship(basic_top, uplift, top, places):
    return True


@says(
    "It is a minor championship of 36 boards or more, so first gets three quarters of what a major "
    "one pays: {top}, going down in {places} equal steps, each award rounded up.",
    MINOR,
    when={"championship": "minor", "competition": (*ON_THE_SCALE, "aggregate", *FINALS)},
)
def minor_championship(uplift, top, places):
    return uplift > 1


@says(
    "It is a minor championship of fewer than 36 boards, so it is paid on the basic scale: first "
    "gets {top}, going down in {places} equal steps.",
    MINOR,
    when={"championship": "minor", "competition": (*ON_THE_SCALE, "aggregate", *FINALS)},
)
def short_minor_championship(uplift, top, places):
    return uplift == 1


@says(
    "Over {events} events first gets a bonus of {top}, going down in {places} equal steps, each "
    "award rounded up.",
    "Chapter 2, Tables 5, 6 and 7",
    when={"competition": "aggregate", **PLAIN},
)
def bonus_of_an_aggregate(events, top, places):
    return True


@says(
    "With fewer than {long_final} boards first gets {top}, going down in {places} equal steps, "
    "each award rounded up.",
    RESTRICTED_FINAL,
    when={"competition": "final", **PLAIN},
)
def short_final(boards, long_final, top, places):
    return boards < long_final


@says(
    "With {long_final} boards or more first gets {final_per_entry} for each of the {toe} who "
    "played enough events, at most {long_final_most}: {top}, going down in {places} equal steps, "
    "each award rounded up.",
    RESTRICTED_FINAL,
    when={"competition": "final", **PLAIN},
)
def long_main_final(boards, long_final, final_per_entry, toe, long_final_most, top, places):
    return boards >= long_final


@says(
    "A main final of {boards} boards would give first {basic_top}; the consolation final gives 66% "
    "of that: {top}, going down in {places} equal steps, each award rounded up.",
    RESTRICTED_FINAL,
    when={"competition": "consolation-final", **PLAIN},
)
def consolation(boards, basic_top, top, places):
    return True


# --- a Swiss --------------------------------------------------------------------------------------


@says(
    "Each match won is worth {win} and each drawn {draw}: {won} won and {drawn} drawn make "
    "{match_points}.",
    SWISS,
    when={"competition": "swiss", "championship": "none"},
)
def matches_of_a_swiss(win, draw, won, drawn, match_points):
    return True


@says(
    "In a major championship each match won is worth 3 for a board, {win}, and each drawn {draw}: "
    "{won} won and {drawn} drawn make {match_points}.",
    MAJOR_SWISS,
    when={"competition": "swiss", "championship": "major"},
)
def matches_of_a_major_swiss(win, draw, won, drawn, match_points):
    return True


@says(
    "The top quarter of {entrants}, {places}, get a bonus besides: first gets {top}, going down in "
    "equal steps, each rounded up.",
    "Chapter 4, Bonus Points",
    when={"competition": "swiss"},
)
def bonus_of_a_swiss(entrants, places, top):
    return True


# --- this award -----------------------------------------------------------------------------------


@says(
    "{tied} tie for place {place} and share what their places are worth, rounded up: "
    "{placing_points} each.",
    "Chapter 1, examples 4 to 6",
)
def shares_a_tie(tied, place, places, placing_points, covered_last_award):
    return tied > 1 and place <= places and placing_points > covered_last_award


@says(
    "{tied} tie for the last place that scores, and each of them gets all of its award, "
    "{placing_points}.",
    "Chapter 1, example 7",
)
def ties_for_the_last_place(tied, place, places, placing_points, covered_last_award):
    return tied > 1 and place <= places and placing_points == covered_last_award


@says("Place {place} gets {placing_points}.", "Chapter 1, Club award scales")
def gets_its_place(tied, place, places, placing_points, top):
    return tied == 1 and place <= places and (place > 1 or placing_points != top)


@says("Place {place} is below the last that scores.", "Chapter 1, Club award scales")
def below_the_last(place, places):
    return place > places


@says("Together that is {award}.", "Chapter 4, examples 24 and 25", when={"competition": "swiss"})
def matches_and_bonus(award, place, places):
    return place <= places
