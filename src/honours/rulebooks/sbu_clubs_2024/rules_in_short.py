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
