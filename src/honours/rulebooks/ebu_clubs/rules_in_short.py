"""EBU master points in clubs and counties: what a secretary would say of an award."""

from honours.engine.rules import says

BOARDS = "salliere: share of the field by boards"
SCALES = "salliere: scales A to E"
TOP = "salliere: the most that a place can get"
TIES = "salliere: ties"
ORDINARY = ("A", "B", "C", "D", "E")
QUALI_FINALS = ("QA", "QB", "QC", "QD", "QE")


@says(
    "{boards} boards each, so {scale_places} of the {counted} at the complete tables score.",
    BOARDS,
    when={"scale": ORDINARY, "event_type": ("one-winner-pairs", "individual")},
)
def share_at_complete_tables(boards, scale_places, counted):
    return True


@says(
    "{boards} boards each, so {scale_places} of the {counted} in the line score.",
    BOARDS,
    when={"scale": ORDINARY, "event_type": "two-winner-pairs"},
)
def share_of_the_line(boards, scale_places, counted):
    return True


@says(
    "{boards} boards each, so {scale_places} of the {counted} teams score.",
    BOARDS,
    when={"scale": ORDINARY, "event_type": "teams"},
)
def share_of_the_teams(boards, scale_places, counted):
    return True


@says(
    "A quali-final pays the top quarter: {scale_places} of {counted}.",
    "salliere: scales QA to QE",
    when={"scale": QUALI_FINALS},
)
def quarter_of_a_quali_final(scale_places, counted):
    return True


@says("On scale {scale} each place is worth {step} more than the next.", SCALES)
def step_on_the_scale(scale, step):
    return True


@says("No award is more than {top}.", TOP)
def the_most(top, above_the_top):
    return above_the_top > 0


@says(
    "{tied} tie for place {place} and share what their places are worth, rounded up: "
    "{shared_points} each.",
    TIES,
)
def shares_a_tie(tied, place, places, shared_points, least_award):
    return tied > 1 and place <= places and shared_points >= least_award


@says(
    "{tied} tie for place {place}; their share is less than the least award, which they get: "
    "{least_award} each.",
    "EBU's forum, discussion 1365",
)
def shares_less_than_the_least(tied, place, places, shared_points, least_award):
    return tied > 1 and place <= places and shared_points < least_award


@says("Place {place} gets {award}.", SCALES)
def gets_its_place(tied, place, places, award):
    return tied == 1 and place <= places


@says("Place {place} is below the last that scores.", BOARDS)
def below_the_last(place, places):
    return place > places
