"""The IMP scale against its bounds, cross-IMPs and the datum by other means."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honours.errors import InputError
from honours.model import ArtificialScore
from honours.scoring.imps import (
    UPPER_BOUNDS,
    Datum,
    DatumTie,
    Divisor,
    artificial_imps,
    butler,
    compare,
    cross_imps,
    imps,
)
from honours.scoring.scored import Weighted
from tests.support import cases

# The bounds of the rules once more, as widths of the bands, so that a slip in either shows.
WIDTHS = [10, 30, 40, 40, 40, 50, 50, 50, 50, 60, 70, 100, 150, 150, 200]
WIDTHS += [200, 200, 250, 250, 250, 250, 500, 500, 500]

scores = st.integers(-760, 760).map(lambda n: n * 10)
tables = st.lists(scores, min_size=1, max_size=12)


def certain(score: int) -> Weighted:
    return ((Fraction(1), score),)


def test_every_difference_is_worth_what_the_bands_say() -> None:
    worth = {}
    difference = 0
    for value, width in enumerate(WIDTHS):
        for _ in range(width // 10 + (value == 0)):
            worth[difference] = value
            difference += 10
    assert difference == 4000
    worth |= dict.fromkeys(range(4000, 16000, 10), 24)
    assert {d: imps(d) for d in worth} == worth
    assert {d: imps(-d) for d in worth} == {d: -value for d, value in worth.items()}


def test_bounds_belong_to_the_lower_band() -> None:
    for value, bound in enumerate(UPPER_BOUNDS):
        assert (imps(bound), imps(bound + Fraction(1, 7)), imps(bound + 10)) == (
            value,
            value + 1,
            value + 1,
        )


@given(tables, st.sampled_from(list(Divisor)))
def test_cross_imps_of_a_board_add_up_to_nothing(board: list[int], divisor: Divisor) -> None:
    lines = [certain(score) for score in board]
    got = [cross_imps(own, lines[:i] + lines[i + 1 :], divisor) for i, own in enumerate(lines)]
    assert sum(got) == 0
    by_score = sorted(zip(board, got, strict=True))
    assert all(a[1] <= b[1] for a, b in pairwise(by_score))


def test_cross_imps_divided_three_ways() -> None:
    others = [certain(score) for score in (420, -50, 400)]
    assert cross_imps(certain(420), others, Divisor.NOTHING) == 0 + 10 + 1
    assert cross_imps(certain(420), others, Divisor.COMPARISONS) == Fraction(11, 3)
    assert cross_imps(certain(420), others, Divisor.SCORES) == Fraction(11, 4)
    assert cross_imps(certain(420), [], Divisor.COMPARISONS) == 0


def test_a_weighted_score_is_compared_score_by_score() -> None:
    ruling = ((Fraction(3, 5), 420), (Fraction(2, 5), -50))
    assert compare(ruling, certain(-50)) == Fraction(3, 5) * 10
    assert butler(ruling, Fraction(120)) == Fraction(3, 5) * 7 - Fraction(2, 5) * 5


def test_artificial_scores_in_proportion() -> None:
    worth = {"3/5": 3, "1/2": 0, "2/5": -3, "7/10": 6}
    for share, points in worth.items():
        assert artificial_imps(ArtificialScore(Fraction(share)), Fraction(3)) == points


@cases
def test_a_datum_half_way_goes_the_way_chosen(tie: DatumTie, expected: tuple[int, int]) -> None:
    datum = Datum(tie=tie)
    assert [datum.rounded(Fraction(mean)) for mean in (-35, 35)] == list(expected)
    assert datum.rounded(Fraction(346, 10)) == 30


@cases
def test_a_datum_half_a_unit_from_zero(tie: DatumTie, expected: tuple[int, int]) -> None:
    assert [Datum(tie=tie).rounded(Fraction(mean)) for mean in (-5, 5)] == list(expected)


def test_what_a_datum_leaves_out() -> None:
    board = [Fraction(s) for s in (-800, 50, 110, 140, 420)]
    assert Datum().of(board) == 100
    assert Datum(unit=1, tie=DatumTie.UP).of(board) == 100
    assert Datum(trim=0).of(board) == -20
    assert Datum(trim=0, unit=0).of(board) == -16
    assert Datum(trim=9).of(board) == 110
    assert Datum(trim_from=6, unit=0).of(board) == -16
    assert [Datum(trim=0, trim_share=Fraction(1, 8)).trimmed(n) for n in (3, 4, 11, 12)] == [
        *(0, 1, 1, 2)
    ]


def test_impossible_data() -> None:
    for wrong in ({"trim": -1}, {"unit": -10}, {"trim_share": Fraction(1, 2)}):
        with pytest.raises(InputError, match="cannot be negative"):
            Datum(**wrong)
    with pytest.raises(InputError, match=r"^a datum needs at least one score$"):
        Datum().of([])


@given(tables)
def test_a_datum_mirrors_and_lies_among_the_scores(board: list[int]) -> None:
    datum = Datum()
    value = datum.of([Fraction(s) for s in board])
    assert min(board) <= value <= max(board)
    assert datum.of([Fraction(-s) for s in board]) == -value
