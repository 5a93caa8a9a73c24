"""VBL master points: what a secretary would say of an award."""

from __future__ import annotations

from honours.engine.rules import Number, says

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
def third_of_a_club_line(pairs: Number, scale_places: Number, top: Number) -> bool:
    return True


@says(
    "{pairs} pairs in an event of category {category}, so the first third of each ranking, "
    "{scale_places}, get a share of the top award of {top}.",
    LARGE,
    when={"kind": "pairs", "event": "large"},
)
def third_of_a_large_line(pairs: Number, category: str, scale_places: Number, top: Number) -> bool:
    return True


@says(
    "{complete_tables} complete tables, so the first third of their players, {scale_places}, get "
    "a share of the top award of {top}.",
    INDIVIDUAL,
    when={"kind": "individual"},
)
def third_of_an_individual(complete_tables: Number, scale_places: Number, top: Number) -> bool:
    return True


@says("Place {place} gets {percent}% of it: {award}.", "Program: percents")
def gets_a_percentage(
    place: Number, tied: Number, scale_places: Number, percent: Number, award: Number
) -> bool:
    return tied == 1 and place <= scale_places


@says(
    "{tied} share place {place}, and each gets all of its {percent}%: {award}.", "Program: percents"
)
def shares_a_place(
    place: Number, tied: Number, scale_places: Number, percent: Number, award: Number
) -> bool:
    return tied > 1 and place <= scale_places


@says("All who took part get {award}.", EVERYBODY)
def took_part(place: Number, scale_places: Number, award: Number) -> bool:
    return place > scale_places
