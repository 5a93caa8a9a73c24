"""ACBL's general formula: what one would say of an award to a member."""

from __future__ import annotations

from honours.engine.rules import Number, says

FORMULA = "The Current Masterpoint System"
BELOW_FIRST = "Overall Awards below First Place"
DEPTH = "Proposal of 2020, P"


@says("First place gets {first_place}.", FORMULA)
def first_of_all(first_place: Number) -> bool:
    return True


@says("That is for {tables} tables in {sessions} sessions of a {class_} event.", FORMULA)
def several_sessions(tables: Number, sessions: Number, class_: str) -> bool:
    return sessions > 1 and tables != 1


@says("That is for {tables} tables in one session of a {class_} event.", FORMULA)
def one_session(tables: Number, sessions: Number, class_: str) -> bool:
    return sessions == 1 and tables != 1


@says("Its limit on masterpoints has lowered that.", f"{FORMULA}, M")
def lowered_by_its_limit(m_factor: Number) -> bool:
    return m_factor < 1


@says("Its restrictions have lowered that.", f"{FORMULA}, P")
def lowered_by_its_restrictions(restriction_factor: Number) -> bool:
    return restriction_factor < 1


@says("A board-a-match pays a tenth more.", f"{FORMULA}, T", when={"kind": "board-a-match"})
def board_a_match() -> bool:
    return True


@says("An individual pays three quarters.", f"{FORMULA}, T", when={"kind": "individual"})
def individual() -> bool:
    return True


@says(
    "Down to place {last_share} each place gets three quarters of the one above; below that they "
    "go down with the place.",
    BELOW_FIRST,
)
def places_below(place: Number, paid_places: Number, last_share: Number) -> bool:
    return 1 < place <= paid_places


@says("Place {place} gets {award}.", BELOW_FIRST)
def gets_its_place(place: Number, tied: Number, paid_places: Number, award: Number) -> bool:
    return tied == 1 and 1 < place <= paid_places


@says(
    "{tied} tie for place {place} and share what their places are worth: {award} each.",
    f"{BELOW_FIRST} (our reading)",
)
def shares_a_tie(place: Number, tied: Number, paid_places: Number, award: Number) -> bool:
    return tied > 1 and place <= paid_places


@says("{paid_places} places are paid, and place {place} is below them.", DEPTH)
def below_the_last(place: Number, paid_places: Number) -> bool:
    return place > paid_places > 1


@says("Only first place is paid.", DEPTH)
def only_first(place: Number, paid_places: Number) -> bool:
    return place > paid_places == 1
