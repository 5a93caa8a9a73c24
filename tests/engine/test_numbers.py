"""Exact numbers: what is exact stays exact, what is not carries 70 digits, floats are refused."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honours.engine.numbers import (
    TINY,
    brief,
    decimals,
    exact,
    log10,
    power,
    round_to,
    row_for,
    show,
    trim,
)
from honours.errors import InputError
from tests.support import cases

FRACTIONS = st.fractions(min_value=0, max_value=10**6, max_denominator=10**4)


@pytest.mark.parametrize(
    ("text", "value"),
    [("12", Fraction(12)), ("0.6", Fraction(3, 5)), (" 2/3 ", Fraction(2, 3)), (7, Fraction(7))],
)
def test_numbers_are_read_exactly(text: object, value: Fraction) -> None:
    assert exact(text) == value


@pytest.mark.parametrize("value", [0.1, True, float("nan")])
def test_floats_and_truths_are_refused(value: object) -> None:
    with pytest.raises(TypeError):
        exact(value)


@given(FRACTIONS, st.integers(1, 9), st.integers(1, 5))
def test_an_exact_root_is_exact(x: Fraction, degree: int, times: int) -> None:
    assert power(x**degree, Fraction(times, degree)) == x**times


@given(FRACTIONS.filter(lambda x: x > 0))
def test_logarithm_agrees_with_decimal_at_higher_precision(x: Fraction) -> None:
    with localcontext(prec=90):
        finer = Fraction((Decimal(x.numerator) / x.denominator).log10())
    assert abs(log10(x) - finer) < Fraction(1, 10**60)


def test_an_irrational_exponent_is_no_search_for_a_root() -> None:
    exponent = power(Fraction(2), Fraction(1, 2))
    assert show(power(Fraction(2), exponent), 6) == "2.665144"


def test_zero_and_negative_bases() -> None:
    assert power(Fraction(0), Fraction(0)) == 1
    assert power(Fraction(0), Fraction(2, 5)) == 0


@pytest.mark.parametrize(("function", "many"), [(power, 2), (log10, 1), (row_for, 1)])
def test_a_float_never_gets_through(function: Callable[..., object], many: int) -> None:
    table = [()] if function is row_for else []
    for at in range(many):
        arguments: list[object] = [Fraction(1)] * many
        arguments[at] = 0.5
        with pytest.raises(TypeError, match=r"^a float reached the exact way$"):
            function(*arguments, *table)


def test_a_boundary_reached_through_irrational_steps_counts_as_reached() -> None:
    root = power(Fraction(2), Fraction(1, 2))
    on_the_half = root * root + Fraction(1, 2)  # 2.5, some 10^-69 off
    assert on_the_half != Fraction(5, 2)
    assert round_to(on_the_half, "nearest", Fraction(1)) == 3
    assert round_to(root * root, "up", Fraction(1)) == 2
    assert round_to(root * root, "down", Fraction(1)) == 2


@given(
    st.fractions(max_denominator=10**9),
    st.sampled_from(["up", "down", "nearest"]),
    st.fractions(min_value=Fraction(1, 10**6), max_value=100, max_denominator=10**6),
)
def test_rounding_is_what_fractions_make_of_it(x: Fraction, mode: str, unit: Fraction) -> None:
    steps = {
        "up": -floor(-x / unit + TINY),
        "down": floor(x / unit + TINY),
        "nearest": floor(x / unit + Fraction(1, 2) + TINY),
    }
    assert round_to(x, mode, unit) == steps[mode] * unit


@given(st.fractions(max_denominator=10**9), st.integers(0, 6))
def test_so_many_places_are_shown_as_fractions_round_them(x: Fraction, places: int) -> None:
    units = floor(abs(x) * 10**places + Fraction(1, 2) + TINY)
    text = show(x, places)
    assert Fraction(text) == Fraction(-units if x < 0 else units, 10**places)
    assert len(text.partition(".")[2]) == places
    assert text.startswith("-") == (x < 0 and units > 0)


def test_the_row_of_a_table() -> None:
    table = ((Fraction(5), Fraction(8)), (Fraction(6), Fraction(9)))
    assert [row_for(Fraction(n), table) for n in (4, 5, 6, 99)] == [0, 8, 9, 9]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: exact("x1"), "'x1' is not a number"),
        (lambda: exact("1/0"), "'1/0' is not a number"),
        (lambda: exact("nan"), "'nan' is not a number"),
        (lambda: exact("1e1000"), "'1e1000' is too large or too small a number"),
        (lambda: exact("1E-9999"), "'1E-9999' is too large or too small a number"),
        (lambda: power(Fraction(-4), Fraction(1, 2)), "a root of a negative number"),
        (lambda: power(Fraction(0), Fraction(-1)), "0 to a negative power"),
        (lambda: power(Fraction(2), Fraction(1001)), "a power too high to work out"),
        (lambda: power(Fraction(2), Fraction(-1001)), "a power too high to work out"),
        (lambda: log10(Fraction(0)), "a logarithm of 0 or of a negative number"),
    ],
)
def test_what_cannot_be_worked_out_is_told(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value) == message


def test_powers() -> None:
    assert power(Fraction(-2), Fraction(3)) == -8
    assert power(Fraction(2), Fraction(1000)) == 2**1000
    assert power(Fraction(2), Fraction(-2)) == Fraction(1, 4)
    assert power(Fraction(8, 27), Fraction(2, 3)) == Fraction(4, 9)
    assert power(Fraction(1), Fraction(1, 999)) == 1
    assert show(power(Fraction(8, 3), Fraction(1, 3)), 9) == "1.386722549"
    assert show(power(Fraction(3, 8), Fraction(1, 3)), 9) == "0.721124785"
    assert show(power(Fraction(2), Fraction(1, 1001)), 9) == "1.000692695"


def test_thousands_and_powers_of_ten_are_read() -> None:
    assert exact("1 000") == 1000
    assert exact("1e3") == exact("1e003") == 1000
    assert exact(Decimal("2.50")) == Fraction(5, 2)


def test_a_fraction_that_no_decimal_ends_is_written_as_one() -> None:
    assert [brief(Fraction(n, 12)) for n in (1, 3, 4, 6, 13)] == [
        "1/12",
        "0.25",
        "1/3",
        "0.5",
        "1.083333333",
    ]
    assert brief(Fraction(-2, 3)) == "-2/3"
    assert brief(Fraction(2, 13)) == "0.1538461538"
    assert brief(Fraction(-1)) == "-1"


@cases
def test_a_number_is_written(x: str, places: int | None, text: str) -> None:
    assert show(exact(x), places) == text


def test_as_many_decimals_as_a_unit_needs() -> None:
    assert [decimals(exact(u)) for u in ("1", "0.5", "0.25", "1/3", "0.000000000001")] == [
        0,
        1,
        2,
        12,
        12,
    ]


def test_what_is_long_is_cut_at_the_seventieth_decimal() -> None:
    short = Fraction(1, 2**598)
    assert trim(short) == short
    assert trim(Fraction(1, 2**599)) == 0
    assert trim(Fraction(2, 3) + Fraction(1, 2**700)) == Fraction(
        round(Fraction(2 * 10**70, 3)), 10**70
    )
