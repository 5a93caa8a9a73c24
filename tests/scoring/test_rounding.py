"""Figures as they are shown."""

from __future__ import annotations

from fractions import Fraction

from honours.scoring.standings import column, decimals, decimals_of, half_up
from tests.support import cases


@cases
def test_a_half_goes_away_from_zero(value: str, unit: str, rounded: str) -> None:
    assert half_up(Fraction(value), Fraction(unit)) == Fraction(rounded)


def test_as_many_decimals_as_are_asked_for() -> None:
    assert [decimals(Fraction("62.5"), n) for n in (0, 1, 2)] == ["63", "62.5", "62.50"]
    assert decimals(Fraction("-0.004")) == "0.00"
    assert decimals(Fraction("-12.345")) == "-12.35"
    assert decimals(Fraction("0.05")) == "0.05"


def test_figures_below_each_other_have_the_decimals_of_the_finest() -> None:
    assert [decimals_of(Fraction(u)) for u in ("1", "0.5", "0.25", "1/3")] == [0, 1, 2, 2]
    assert column([Fraction(196), Fraction("207.7")]) == ["196.0", "207.7"]
    assert column([Fraction(3), Fraction(4)]) == ["3", "4"]
    assert column([Fraction(3)], least=2) == ["3.00"]
    assert column([Fraction(1, 3), Fraction(1)]) == ["0.33", "1.00"]
    assert column([]) == []
