"""SBU master points for pairs after 2024: what a secretary would say of an award."""

from honours.engine.rules import says

SCALES = "Guide of 2016, Chapter 1, Club award scales"
BOARDS = "Handbook 4.3, as the program cites it"
STRATA = "Program: strata"


@says("{entrants} pairs, so the top third, {places} pairs, score.", BOARDS)
def third_of_the_pairs(entrants, places, boards, full_session):
    return boards >= full_session


@says(
    "{boards} boards are fewer than {full_session}, so only the top quarter, {places} of "
    "{entrants} pairs, score, for half of the top award.",
    BOARDS,
)
def quarter_of_the_pairs(entrants, places, boards, full_session):
    return boards < full_session


@says(
    "The event is in strata, which lowers each step of this ranking by {reduction}: first "
    "in a club gets {club_top} for {table_top}.",
    STRATA,
    when={"stratum_kind": ("top", "lower")},
)
def in_strata(reduction, club_top, table_top):
    return reduction > 0


@says("First gets {top}, going down in {places} equal steps, each award rounded up.", SCALES)
def equal_steps(top, places):
    return True


@says(
    "{tied} tie for place {place} and share what their places are worth, rounded up: {award} each.",
    "Guide of 2016, Chapter 1, examples 4 to 6",
)
def shares_a_tie(tied, place, places, award, covered_last_award):
    return tied > 1 and place <= places and award > covered_last_award


@says(
    "{tied} tie for the last place that scores, and each of them gets all of its award, {award}.",
    "Guide of 2016, Chapter 1, example 7",
)
def ties_for_the_last_place(tied, place, places, award, covered_last_award):
    return tied > 1 and place <= places and award == covered_last_award


@says("Place {place} gets {award}.", SCALES)
def gets_its_place(tied, place, places, award):
    return tied == 1 and 1 < place <= places


@says("Place {place} is below the last that scores.", BOARDS)
def below_the_last(place, places):
    return place > places
