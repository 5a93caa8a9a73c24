"""SBU master points for clubs: the fewest tables, boards, events and matches."""

from honours.engine.rules import notices, refuses

MINIMUM = "Chapter 1, Minimum numbers (p10 HOTMPS)"
AGGREGATED = "Chapter 2, Simple aggregated events"
RESTRICTED_FINAL = "Chapter 2, Aggregated events with a restricted final"
SWISS = "Chapter 4, General"

ON_THE_SCALE = ("session", "carry-forward-teams")
FINALS = ("final", "consolation-final")
ONE_LIST = ("swiss", *FINALS)


@refuses(
    "{complete_tables} complete tables, at least {tables_needed} needed",
    MINIMUM,
    when={"competition": (*ON_THE_SCALE, *ONE_LIST)},
)
def too_few_tables(complete_tables, tables_needed):
    return complete_tables < tables_needed


@refuses(
    "{stage_boards} boards, at least {least_boards} needed in every session and stage",
    MINIMUM,
    when={"competition": (*ON_THE_SCALE, *ONE_LIST)},
)
def too_few_boards(stage_boards, least_boards):
    return stage_boards < least_boards


@refuses(
    "played {fewest_boards} boards, at least {least_boards} needed; still counts in the field",
    MINIMUM,
    per="player",
    when={"competition": (*ON_THE_SCALE, *ONE_LIST)},
)
def too_few_boards_played(fewest_boards, least_boards):
    return fewest_boards < least_boards


@notices(
    "several sessions with one ranking list: awarded as one event of {boards} boards; an "
    "aggregate, a final or a league must be said",
    "Chapter 1, Minimum numbers (our reading)",
    when={"competition": ON_THE_SCALE, "form": "stages"},
)
def several_sessions(boards):
    return True


@notices(
    "more than {long_session} boards: the top half is awarded, and no top award is printed "
    "for that",
    "Chapter 1, Club award scales (our reading)",
    when={"competition": ON_THE_SCALE},
)
def more_than_36_boards(boards, long_session):
    return boards > long_session


@notices(
    "exactly {long_session} boards: as in a shorter session, the top third is awarded",
    "Chapter 1, Club award scales (our reading)",
    when={"competition": ON_THE_SCALE},
)
def exactly_36_boards(boards, long_session):
    return boards == long_session


@notices(
    "the field is larger than the table: its maximum, {top} here, goes down in {places} equal "
    "steps, each award rounded up",
    "Chapter 1, examples 8 and 16",
    when={"competition": ON_THE_SCALE},
)
def beyond_the_table(basic_top, uncapped_top, top, places):
    return uncapped_top > basic_top


@refuses(
    "{events} events, at least {events_needed} needed",
    AGGREGATED,
    when={"competition": "aggregate"},
)
def too_few_events(events, events_needed):
    return events < events_needed


@refuses(
    "the best {counted} scores of {events} events: a ranking list needs at least "
    "{least_counted}, and no more than every qualifier had to play",
    AGGREGATED,
    when={"competition": "aggregate"},
)
def cannot_count_so_many(counted, events, least_counted):
    return counted < least_counted or counted > events


@refuses(
    "individuals cannot be ranked from {events_kind} events: these must be individual events",
    f"{AGGREGATED}, Individual competitions (p22 HOTMPS)",
    when={"competition": ("aggregate", *FINALS), "kind": "individual"},
)
def not_individual_events(events_kind):
    return events_kind != "individual"


@refuses(
    "{events} events before the final, at least {events_needed} needed",
    RESTRICTED_FINAL,
    when={"competition": FINALS},
)
def too_few_events_before_final(events, events_needed):
    return events < events_needed


@refuses(
    "a final of {boards} boards is awarded by its total original entry: those who played the "
    "minimum number of events",
    RESTRICTED_FINAL,
    asks="toe",
    when={"competition": FINALS},
)
def no_total_original_entry(boards, long_final, toe):
    return boards >= long_final and toe < 1


@refuses(
    "a total original entry of {toe} is fewer than the {entrants} who played",
    f"{RESTRICTED_FINAL}; Chapter 4, Bonus Points",
    when={"competition": ONE_LIST},
)
def entry_smaller_than_field(toe, entrants):
    return 0 < toe < entrants


@notices(
    "with so small an entry a final of {long_final} boards or more pays less than the "
    "{short_final_top} of a shorter one",
    f"{RESTRICTED_FINAL} (our remark)",
    when={"competition": FINALS},
)
def long_final_pays_less(basic_top, short_final_top, long_final):
    return basic_top < short_final_top


@notices(
    "a main final of {long_final} boards or more with an original entry of {toe} pays "
    "{long_final_top} for first place, less than this consolation final",
    f"{RESTRICTED_FINAL} (our reading)",
    when={"competition": "consolation-final"},
)
def consolation_above_final(toe, top, long_final, long_final_top):
    return toe > 0 and long_final_top < top


@refuses(
    "{boards_per_match} boards a match, at least {least_match} needed",
    SWISS,
    when={"competition": "swiss"},
)
def match_too_short(boards_per_match, least_match):
    return boards_per_match < least_match


@refuses(
    "{matches} matches in a field of {entrants}: it must be at least {field_per_match} times "
    "as many",
    SWISS,
    when={"competition": "swiss"},
)
def too_many_matches(matches, entrants, field_per_match):
    return entrants < field_per_match * matches


@refuses(
    "won {won} and drew {drawn}: more than the {matches} matches",
    SWISS,
    per="player",
    when={"competition": "swiss"},
)
def more_than_all_matches(won, drawn, matches):
    return won + drawn > matches
