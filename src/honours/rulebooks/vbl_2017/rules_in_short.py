"""VBL master points: what a secretary would say of an award."""

from honours.engine.rules import says

CLUB = "Program: club pairs"
LARGE = "Program: large pairs events"
INDIVIDUAL = "Program: individual events"
EVERYBODY = "Program: everybody else"


@says(
    "{pairs} pairs, so the first third of each ranking, {scale_places}, get a share of the top "
    "award of {top}.",
    CLUB,
    when={"kind": "pairs", "event": "club"},
)
def third_of_a_club_line(pairs, scale_places, top):
    return True


@says(
    "{pairs} pairs in an event of category {category}, so the first third of each ranking, "
    "{scale_places}, get a share of the top award of {top}.",
    LARGE,
    when={"kind": "pairs", "event": "large"},
)
def third_of_a_large_line(pairs, category, scale_places, top):
    return True


@says(
    "{complete_tables} complete tables, so the first third of their players, {scale_places}, get "
    "a share of the top award of {top}.",
    INDIVIDUAL,
    when={"kind": "individual"},
)
def third_of_an_individual(complete_tables, scale_places, top):
    return True


@says("Place {place} gets {percent}% of it: {award}.", "Program: percents")
def gets_a_percentage(place, tied, scale_places, percent, award):
    return tied == 1 and place <= scale_places


@says(
    "{tied} share place {place}, and each gets all of its {percent}%: {award}.", "Program: percents"
)
def shares_a_place(place, tied, scale_places, percent, award):
    return tied > 1 and place <= scale_places


@says("All who took part get {award}.", EVERYBODY)
def took_part(place, scale_places, award):
    return place > scale_places
