"""SBU master points for clubs: when nothing may be awarded, and what the reader must be told.

In the order in which a club would ask: the event, the competition, the numbers, the year.
"""

from __future__ import annotations

from honours.engine.rules import Number, notices, refuses

GENERAL = "Chapter 1, General conditions under which awards are made"
MINIMUM = "Chapter 1, Minimum numbers (p10 HOTMPS)"
AGGREGATED = "Chapter 2, Simple aggregated events"
RESTRICTED_FINAL = "Chapter 2, Aggregated events with a restricted final"
MAJOR = "Chapter 2, Annual Club Major Championship (p11 HOTMPS)"
MINOR = "Chapter 2, Annual Club Minor Championship (p11 HOTMPS)"
HEATS = "Chapter 3, National events with heats played in clubs (p31 HOTMPS)"
SIMULTANEOUS = "Chapter 3, Simultaneous Pairs events"
SWISS = "Chapter 4, General"

ON_THE_SCALE = ("session", "carry-forward-teams")
FINALS = ("final", "consolation-final")
ONE_LIST = ("swiss", *FINALS)
CHAMPIONSHIPS = ("major", "minor")
YES = "yes"

# --- the event --------------------------------------------------------------------------------


@refuses(
    "points were already awarded for this event, and must not be awarded twice",
    f"{GENERAL} (p6 HOTMPS)",
    when={"awarded_before": YES},
)
def awarded_twice() -> bool:
    return True


@refuses(
    "{event} is a heat of a national event: the SBU awards its points, the club none",
    HEATS,
    when={
        "event": ("national-heat", "national-pairs", "rayne-trophy", "autumn-pairs", "easter-pairs")
    },
)
def heat_of_a_national_event(event: str) -> bool:
    return True


@refuses(
    "{event} is a simultaneous pairs event: its organisers award the points, the club none",
    SIMULTANEOUS,
    when={"event": ("simultaneous-pairs", "celtic-pairs")},
)
def simultaneous_pairs(event: str) -> bool:
    return True


@refuses(
    "{event} is a simultaneous pairs event: the SBU awards its points, the club none",
    SIMULTANEOUS,
    when={"event": ("lord-thomson-trophy", "bobby-allan")},
)
def simultaneous_pairs_of_the_sbu(event: str) -> bool:
    return True


@refuses(
    "Children in Need is a simultaneous pairs event: ECATS awards its points, the club none",
    SIMULTANEOUS,
    when={"event": "children-in-need"},
)
def children_in_need() -> bool:
    return True


@refuses(
    "the British Simultaneous Pairs: the EBU awards its points, the club none",
    SIMULTANEOUS,
    when={"event": "british-simultaneous-pairs"},
)
def british_simultaneous_pairs() -> bool:
    return True


@refuses("supervised play is never awarded", "Chapter 2, Supervised play", when={"supervised": YES})
def supervised_play() -> bool:
    return True


@refuses(
    "a {ranking} ranking list is never awarded: only the un-adjusted one",
    "Chapter 2, Handicapped events and Stratified events",
    when={"ranking": ("handicapped", "stratified")},
)
def adjusted_ranking(ranking: str) -> bool:
    return True


@notices(
    "points go by the un-adjusted ranking list; the handicapped one is for prizes only",
    "Chapter 2, Handicapped events (p11 HOTMPS)",
    when={"handicap": YES},
)
def handicapped() -> bool:
    return True


@notices(
    "points go by the original ranking list of the whole field only",
    "Chapter 2, Stratified events",
    when={"stratified": YES},
)
def stratified_event() -> bool:
    return True


@notices(
    "seeding is a condition of contest: points may be awarded",
    "Chapter 2, “Seeded” events",
    when={"seeded": YES},
)
def seeded_event() -> bool:
    return True


# --- the competition --------------------------------------------------------------------------


@refuses(
    "leagues: the guide promises a chapter on them and has none",
    "Introduction and scope",
    when={"competition": "league"},
)
def league() -> bool:
    return True


@refuses(
    "qualifying round and final: its scale is on pages 13, 17 and 21 of the handbook, "
    "which the guide does not repeat",
    "Chapter 2, Qualifying round and final (p13, 17, 21 HOTMPS)",
    when={"competition": "qualifying-and-final"},
)
def qualifying_and_final() -> bool:
    return True


@refuses(
    "all play through: its scale is on pages 14, 17 and 21 of the handbook, which the guide "
    "does not repeat",
    "Chapter 2, All play through (p14, 17, 21 HOTMPS)",
    when={"competition": "all-play-through"},
)
def all_play_through() -> bool:
    return True


@refuses(
    "single elimination: the guide names it among championships for teams (page 12 of the "
    "handbook) and gives it no scale",
    "Chapter 2, Lists of suitable events (p12 HOTMPS)",
    when={"competition": "single-elimination"},
)
def single_elimination() -> bool:
    return True


@refuses(
    "a carry forward event is one of teams, not {kind}",
    "Chapter 2, Carry forward team event (p14 HOTMPS)",
    when={"competition": "carry-forward-teams"},
)
def carry_forward_without_teams(kind: str) -> bool:
    return kind != "teams"


@refuses(
    "there is no restricted final for teams",
    "Chapter 2, Lists of suitable events",
    when={"competition": FINALS, "kind": "teams"},
)
def final_of_teams() -> bool:
    return True


@refuses("a Swiss is of pairs or teams", SWISS, when={"competition": "swiss", "kind": "individual"})
def swiss_individual() -> bool:
    return True


@refuses(
    "an individual event has one winner",
    "Chapter 1, One-winner scales, Table 3",
    when={"kind": "individual", "winners": "2"},
)
def individual_with_two_winners() -> bool:
    return True


@refuses(
    "{competition} with two winners: the guide gives it one ranking list",
    f"{RESTRICTED_FINAL}; {SWISS}",
    when={"competition": ONE_LIST, "kind": "pairs", "winners": "2"},
)
def two_winners_of_one_list(competition: str) -> bool:
    return True


# --- the numbers ------------------------------------------------------------------------------


@refuses(
    "{complete_tables} complete tables, at least {tables_needed} needed",
    MINIMUM,
    when={"competition": (*ON_THE_SCALE, *ONE_LIST)},
)
def too_few_tables(complete_tables: Number, tables_needed: Number) -> bool:
    return complete_tables < tables_needed


@refuses(
    "{stage_boards} boards, at least {least_boards} needed in every session and stage",
    MINIMUM,
    when={"competition": (*ON_THE_SCALE, *ONE_LIST)},
)
def too_few_boards(stage_boards: Number, least_boards: Number) -> bool:
    return stage_boards < least_boards


@refuses(
    "played {boards_played} boards, at least {least_boards} needed; still counts in the field",
    MINIMUM,
    per="player",
    when={"competition": (*ON_THE_SCALE, *ONE_LIST)},
)
def too_few_boards_played(boards_played: Number, least_boards: Number) -> bool:
    return boards_played < least_boards


@notices(
    "more than {long_session} boards: the top half is awarded, and no top award is printed "
    "for that",
    "Chapter 1, Club award scales (our reading)",
    when={"competition": ON_THE_SCALE},
)
def more_than_36_boards(boards: Number, long_session: Number) -> bool:
    return boards > long_session


@notices(
    "exactly {long_session} boards: as in a shorter session, the top third is awarded",
    "Chapter 1, Club award scales (our reading)",
    when={"competition": ON_THE_SCALE},
)
def exactly_36_boards(boards: Number, long_session: Number) -> bool:
    return boards == long_session


@notices(
    "the field is larger than the table: the maximum of {basic_top} goes down in steps of {step}",
    "Chapter 1, examples 8 and 16",
    when={"competition": ON_THE_SCALE},
)
def beyond_the_table(basic_top: Number, uncapped_top: Number, step: Number) -> bool:
    return uncapped_top > basic_top


@refuses(
    "{events} events, at least {events_needed} needed",
    AGGREGATED,
    when={"competition": "aggregate"},
)
def too_few_events(events: Number, events_needed: Number) -> bool:
    return events < events_needed


@refuses(
    "the best {counted} scores of {events} events: a ranking list needs at least "
    "{least_counted}, and no more than every qualifier had to play",
    AGGREGATED,
    when={"competition": "aggregate"},
)
def cannot_count_so_many(counted: Number, events: Number, least_counted: Number) -> bool:
    return counted < least_counted or counted > events


@refuses(
    "individuals cannot be ranked from {events_kind} events: these must be individual events",
    f"{AGGREGATED}, Individual competitions (p22 HOTMPS)",
    when={"competition": ("aggregate", *FINALS), "kind": "individual"},
)
def not_individual_events(events_kind: str) -> bool:
    return events_kind != "individual"


@refuses(
    "{events} events before the final, at least {events_needed} needed",
    RESTRICTED_FINAL,
    when={"competition": FINALS},
)
def too_few_events_before_final(events: Number, events_needed: Number) -> bool:
    return events < events_needed


@refuses(
    "a final of {boards} boards is awarded by its total original entry: those who played the "
    "minimum number of events",
    RESTRICTED_FINAL,
    asks="toe",
    when={"competition": FINALS},
)
def no_total_original_entry(boards: Number, long_final: Number, toe: Number) -> bool:
    return boards >= long_final and toe < 1


@refuses(
    "a total original entry of {toe} is fewer than the {entrants} who played",
    f"{RESTRICTED_FINAL}; Chapter 4, Bonus Points",
    when={"competition": ONE_LIST},
)
def entry_smaller_than_field(toe: Number, entrants: Number) -> bool:
    return 0 < toe < entrants


@notices(
    "with so small an entry a final of {long_final} boards or more pays less than the "
    "{short_final_top} of a shorter one",
    f"{RESTRICTED_FINAL} (our remark)",
    when={"competition": FINALS},
)
def long_final_pays_less(basic_top: Number, short_final_top: Number, long_final: Number) -> bool:
    return basic_top < short_final_top


@refuses(
    "{boards_per_match} boards a match, at least {least_match} needed",
    SWISS,
    when={"competition": "swiss"},
)
def match_too_short(boards_per_match: Number, least_match: Number) -> bool:
    return boards_per_match < least_match


@refuses(
    "{matches} matches in a field of {entrants}: it must be at least {field_per_match} times "
    "as many",
    SWISS,
    when={"competition": "swiss"},
)
def too_many_matches(matches: Number, entrants: Number, field_per_match: Number) -> bool:
    return entrants < field_per_match * matches


@refuses(
    "won {won} and drew {drawn}: more than the {matches} matches",
    SWISS,
    per="player",
    when={"competition": "swiss"},
)
def more_than_all_matches(won: Number, drawn: Number, matches: Number) -> bool:
    return won + drawn > matches


# --- championships, and the year --------------------------------------------------------------


@refuses(
    "a Swiss as a major championship needs the permission of Member Services beforehand",
    MAJOR,
    when={"competition": "swiss", "championship": "major"},
)
def swiss_without_permission(permission: str) -> bool:
    return permission != YES


@refuses(
    "the guide does not say what a Swiss as a minor championship is awarded",
    MINOR,
    when={"competition": "swiss", "championship": "minor"},
)
def swiss_as_a_minor() -> bool:
    return True


@refuses(
    "a {kind} major championship was already nominated this year: one of each kind",
    MAJOR,
    when={"championship": "major"},
)
def another_major(kind: str, majors_nominated: Number, championships_of_a_kind: Number) -> bool:
    return majors_nominated >= championships_of_a_kind


@refuses(
    "a {kind} minor championship was already nominated this year: one of each kind",
    MINOR,
    when={"championship": "minor"},
)
def another_minor(kind: str, minors_nominated: Number, championships_of_a_kind: Number) -> bool:
    return minors_nominated >= championships_of_a_kind


@refuses(
    "only {similar_championships} minor championship may be of a major one's type",
    MINOR,
    when={"championship": "minor", "similar_to_major": YES},
)
def another_similar_minor(similar_minors: Number, similar_championships: Number) -> bool:
    return similar_minors >= similar_championships


@refuses(
    "a championship must not include heats or simultaneous pairs",
    "Chapter 2, Lists of suitable events",
    when={"championship": CHAMPIONSHIPS, "includes_heats": YES},
)
def heats_among_its_events() -> bool:
    return True


@refuses(
    "the events of a championship must be designated for it alone",
    "Chapter 2, Lists of suitable events",
    when={"championship": CHAMPIONSHIPS, "designated": "no"},
)
def events_not_designated() -> bool:
    return True


@notices(
    "the uplift is for an event that is the whole championship; events that make one up stay "
    "on the basic scale",
    MAJOR,
    when={"championship": CHAMPIONSHIPS, "competition": ON_THE_SCALE},
)
def championship_in_one_event() -> bool:
    return True


@notices(
    "one session is not among the guide's suitable {kind} championships",
    "Chapter 2, Lists of suitable events",
    when={"championship": CHAMPIONSHIPS, "competition": "session", "kind": ("pairs", "individual")},
)
def session_not_on_the_list(kind: str) -> bool:
    return True
