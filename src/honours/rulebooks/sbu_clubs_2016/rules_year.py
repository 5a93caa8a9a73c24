"""SBU master points for clubs: championships, and what only a year of events can tell."""

from honours.engine.rules import notices, refuses

MAJOR = "Chapter 2, Annual Club Major Championship (p11 HOTMPS)"
MINOR = "Chapter 2, Annual Club Minor Championship (p11 HOTMPS)"

ON_THE_SCALE = ("session", "carry-forward-teams")
CHAMPIONSHIPS = ("major", "minor")
YES = "yes"


@refuses(
    "a Swiss as a major championship needs the permission of Member Services beforehand",
    MAJOR,
    when={"competition": "swiss", "championship": "major"},
)
def swiss_without_permission(permission):
    return permission != YES


@refuses(
    "the guide does not say what a Swiss as a minor championship is awarded",
    MINOR,
    when={"competition": "swiss", "championship": "minor"},
)
def swiss_as_a_minor():
    return True


@refuses(
    "a {kind} major championship was already nominated this year: one of each kind",
    MAJOR,
    when={"championship": "major"},
)
def another_major(kind, majors_nominated, championships_of_a_kind):
    return majors_nominated >= championships_of_a_kind


@refuses(
    "a {kind} minor championship was already nominated this year: one of each kind",
    MINOR,
    when={"championship": "minor"},
)
def another_minor(kind, minors_nominated, championships_of_a_kind):
    return minors_nominated >= championships_of_a_kind


@refuses(
    "only {similar_championships} minor championship may be of a major one's type",
    MINOR,
    when={"championship": "minor", "similar_to_major": YES},
)
def another_similar_minor(similar_minors, similar_championships):
    return similar_minors >= similar_championships


@refuses(
    "a championship must not include heats or simultaneous pairs",
    "Chapter 2, Lists of suitable events",
    when={"championship": CHAMPIONSHIPS, "includes_heats": YES},
)
def heats_among_its_events():
    return True


@refuses(
    "the events of a championship must be designated for it alone",
    "Chapter 2, Lists of suitable events",
    when={"championship": CHAMPIONSHIPS, "designated": "no"},
)
def events_not_designated():
    return True


@notices(
    "the uplift is for an event that is the whole championship; events that make one up stay "
    "on the basic scale",
    MAJOR,
    when={"championship": CHAMPIONSHIPS, "competition": ON_THE_SCALE},
)
def championship_in_one_event():
    return True


@notices(
    "one session is not among the guide's suitable {kind} championships",
    "Chapter 2, Lists of suitable events",
    when={"championship": CHAMPIONSHIPS, "competition": "session", "kind": ("pairs", "individual")},
)
def session_not_on_the_list(kind):
    return True
