"""SBU master points for clubs: events and competitions that are not, or not so, awarded.

In the order in which a club would ask: the event, the competition; then, in ``rules_minimum.py``,
the numbers, and in ``rules_year.py`` the year.
"""

from honours.engine.rules import notices, refuses

GENERAL = "Chapter 1, General conditions under which awards are made"
RESTRICTED_FINAL = "Chapter 2, Aggregated events with a restricted final"
HEATS = "Chapter 3, National events with heats played in clubs (p31 HOTMPS)"
SIMULTANEOUS = "Chapter 3, Simultaneous Pairs events"
SWISS = "Chapter 4, General"

FINALS = ("final", "consolation-final")
ONE_LIST = ("swiss", *FINALS)
YES = "yes"

# --- the event --------------------------------------------------------------------------------


@refuses(
    "points were already awarded for this event, and must not be awarded twice",
    f"{GENERAL} (p6 HOTMPS)",
    when={"awarded_before": YES},
)
def awarded_twice():
    return True


@refuses(
    "{event} is a heat of a national event: the SBU awards its points, the club none. A complete "
    "ranking order with the Master Point numbers of all players goes to the District Secretary, "
    "and the same to the District MP Secretary",
    f"{HEATS}; Appendix 4",
    when={"event": ("national-heat", "national-pairs", "rayne-trophy")},
)
def heat_of_a_national_event(event):
    return True


@refuses(
    "{event}: local and national points are awarded centrally by the SBU, none by the club. How "
    "results are sent is on page 31 of the handbook and in Appendix 4",
    HEATS,
    when={"event": ("autumn-pairs", "easter-pairs")},
)
def pairs_of_the_sbu(event):
    return True


@refuses(
    "{event} is a simultaneous pairs event: its organisers award the points, the club none. The "
    "results file is uploaded to them",
    SIMULTANEOUS,
    when={"event": ("simultaneous-pairs", "celtic-pairs")},
)
def simultaneous_pairs(event):
    return True


@refuses(
    "{event} is a simultaneous pairs event: the SBU awards its points, the club none. The convener "
    "says how results are scored and sent",
    f"{SIMULTANEOUS}; Appendix 4",
    when={"event": ("lord-thomson-trophy", "bobby-allan")},
)
def simultaneous_pairs_of_the_sbu(event):
    return True


@refuses(
    "Children in Need is a simultaneous pairs event: ECATS awards its points and passes them to "
    "Member Services, the club awards none",
    SIMULTANEOUS,
    when={"event": "children-in-need"},
)
def children_in_need():
    return True


@refuses(
    "the British Simultaneous Pairs: the EBU awards its points and passes them to Member Services, "
    "the club awards none",
    SIMULTANEOUS,
    when={"event": "british-simultaneous-pairs"},
)
def british_simultaneous_pairs():
    return True


@refuses("supervised play is never awarded", "Chapter 2, Supervised play", when={"supervised": YES})
def supervised_play():
    return True


@refuses(
    "a {ranking_basis} ranking list is never awarded: only the un-adjusted one",
    "Chapter 2, Handicapped events and Stratified events",
    when={"ranking_basis": ("handicapped", "stratified")},
)
def adjusted_ranking(ranking_basis):
    return True


@notices(
    "points go by the un-adjusted ranking list; the handicapped one is for prizes only",
    "Chapter 2, Handicapped events (p11 HOTMPS)",
    when={"handicapped": YES},
)
def handicapped_event():
    return True


@notices(
    "points go by the original ranking list of the whole field only",
    "Chapter 2, Stratified events",
    when={"stratified": YES},
)
def stratified_event():
    return True


@notices(
    "seeding is a condition of contest: points may be awarded",
    "Chapter 2, “Seeded” events",
    when={"seeded": YES},
)
def seeded_event():
    return True


# --- the competition --------------------------------------------------------------------------


@refuses(
    "leagues: the guide promises a chapter on them and has none",
    "Introduction and scope",
    when={"competition": "league"},
)
def league():
    return True


@refuses(
    "qualifying round and final: its scale is on pages 13, 17 and 21 of the handbook, "
    "which the guide does not repeat",
    "Chapter 2, Qualifying round and final (p13, 17, 21 HOTMPS)",
    when={"competition": "qualifying-and-final"},
)
def qualifying_and_final():
    return True


@refuses(
    "all play through: its scale is on pages 14, 17 and 21 of the handbook, which the guide "
    "does not repeat",
    "Chapter 2, All play through (p14, 17, 21 HOTMPS)",
    when={"competition": "all-play-through"},
)
def all_play_through():
    return True


@refuses(
    "single elimination: the guide names it among championships for teams (page 12 of the "
    "handbook) and gives it no scale",
    "Chapter 2, Lists of suitable events (p12 HOTMPS)",
    when={"competition": "single-elimination"},
)
def single_elimination():
    return True


@refuses(
    "a carry forward event is one of teams, not {kind}",
    "Chapter 2, Carry forward team event (p14 HOTMPS)",
    when={"competition": "carry-forward-teams"},
)
def carry_forward_without_teams(kind):
    return kind != "teams"


@refuses(
    "there is no restricted final for teams",
    "Chapter 2, Lists of suitable events",
    when={"competition": FINALS, "kind": "teams"},
)
def final_of_teams():
    return True


@refuses("a Swiss is of pairs or teams", SWISS, when={"competition": "swiss", "kind": "individual"})
def swiss_individual():
    return True


@refuses(
    "an individual event has one winner",
    "Chapter 1, One-winner scales, Table 3",
    when={"kind": "individual", "winners": "2"},
)
def individual_with_two_winners():
    return True


@refuses(
    "{competition} with two winners: the guide gives it one ranking list",
    f"{RESTRICTED_FINAL}; {SWISS}",
    when={"competition": ONE_LIST, "kind": "pairs", "winners": "2"},
)
def two_winners_of_one_list(competition):
    return True
