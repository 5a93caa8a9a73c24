"""The AGA's tournament category: what its examples cannot say."""

from __future__ import annotations

from fractions import Fraction

from honours.engine.award import award, calculate
from honours.engine.exact.working import Scope, Working
from honours.model import Entrant, Field, Player, Standing
from honours.rulebooks import load

BOOK = load("aga-category")


def rated(*ratings: str) -> Field:
    standings = tuple(
        Standing(Entrant(str(i), (Player("p", facts={"rating": Fraction(r)}),)), i)
        for i, r in enumerate(ratings, 1)
    )
    return Field({"entrants": Fraction(len(ratings))}, standings)


def test_only_kyu_ratings_are_moved_over_the_gap() -> None:
    """A rating of −1.5 is next to +0.5 on a scale without the gap between −1 and +1."""
    working = Working(BOOK, rated("1.5", "0.5", "0", "-1.5"))
    ratings = [working.number("continuous_rating", Scope("player", i)) for i in range(4)]
    gap = Fraction(str(BOOK.parameters["rating_gap"].value))
    assert ratings == [Fraction("1.5"), Fraction("0.5"), 0, Fraction("-1.5") + gap]


def test_the_mean_is_of_the_ratings_and_says_what_it_would_be_without_the_gap() -> None:
    across, above = rated("7", "6", "5", "4", "-2"), rated("7", "6", "5", "4", "2")
    for field, mean, other in ((across, "4", "4.4"), (above, "4.8", "4.8")):
        awards = award(BOOK, field)
        assert awards.quantities["mean_rating"] == mean
        told = [n for n in awards.notices if "without-the-gap" in n.text]
        assert len(told) == (mean != other)
        moved = award(BOOK.variant("without-the-gap"), field)
        assert moved.quantities["mean_rating"] == other


def test_a_mean_at_either_limit_still_has_a_category() -> None:
    for limit in ("least_mean_rating", "most_mean_rating"):
        mean = BOOK.parameters[limit].value
        [at] = calculate(BOOK, {"mean_rating": mean, "players": 20})
        assert at.refusal is None
    most = Fraction(str(BOOK.parameters["most_mean_rating"].value))
    [above] = calculate(BOOK, {"mean_rating": most + Fraction(1, 100), "players": 20})
    assert above.refusal is not None


def test_the_order_of_the_list_does_not_matter() -> None:
    one, other = (
        award(BOOK, rated(*r))
        for r in (("5.5", "4", "6", "3.25", "7"), ("7", "3.25", "4", "6", "5.5"))
    )
    assert one.quantities == other.quantities
