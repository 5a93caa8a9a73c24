"""The parts `honours conform` is made of: expressions, figures, takings, the reading of a file."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from honours.conformance.data import Claim, claims, exemption
from honours.conformance.own_values import OwnValues, evaluate, names_in
from honours.conformance.runner import figure, judge
from honours.errors import HonoursError, RulebookError
from tests.support import cases

FIFTHS = {"rulebook": "aga-category", "given": {"mean_rating": "7.93", "players": 20}}


@cases
def test_an_expression_is_worked_out_exactly(expression: str, value: str) -> None:
    assert evaluate(expression, {"a": Fraction(3)}) == Fraction(value)


@pytest.mark.parametrize("expression", ["a +", "b", "1 / 0", "open('x')", "[1]"])
def test_what_is_no_arithmetic_is_refused(expression: str) -> None:
    with pytest.raises((RulebookError, TypeError)):
        evaluate(expression, {"a": Fraction(3)})


def test_the_names_of_an_expression_are_those_in_let() -> None:
    assert names_in("max(a, 2 * b)") == {"a", "b"}


@cases
def test_the_figure_in_a_text(text: str, value: str, decimals: int) -> None:
    assert figure(text) == (Fraction(value), decimals)


def test_an_award_must_be_the_printed_figure_and_a_quantity_round_to_it() -> None:
    at = Claim("aga", "", "11.9", (), let={"x": {**FIFTHS, "take": "at:1"}}, ours="x")
    slope = Claim("aga", "", ".86", (), let={"x": {**FIFTHS, "take": "quantity:slope"}}, ours="x")
    assert judge(at, OwnValues()).verdict == judge(slope, OwnValues()).verdict == "reproduced"
    finer = Claim("aga", "", "12", (), let={"x": {**FIFTHS, "take": "at:1"}}, ours="x")
    assert judge(finer, OwnValues()).verdict == "contradicted"


@pytest.mark.parametrize(
    ("take", "value"),
    [
        ("places", "20"),
        ("refused", "0"),
        ("at:21", "0"),
        ("parameter:offset", "4"),
        ("total", "79"),
    ],
)
def test_what_can_be_taken_from_a_calculation(take: str, value: str) -> None:
    assert round(OwnValues().taken({**FIFTHS, "take": take})) == Fraction(value)


@pytest.mark.parametrize("take", ["nonsense", "parameter:nothing", "extra:totals.total"])
def test_an_unknown_taking_is_an_error_that_names_the_claim(take: str) -> None:
    claim = Claim("aga", "the place", "1", (), let={"x": {**FIFTHS, "take": take}}, ours="x")
    with pytest.raises(HonoursError, match="the place"):
        judge(claim, OwnValues())


@cases
def test_a_file_that_says_what_we_do_not_know_is_refused(table: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        list(claims("source", table, "aga-category"))


def test_an_exemption_of_everything_is_refused() -> None:
    with pytest.raises(ValueError, match="names lines or a pattern"):
        exemption({"reason": "because"})
