"""The IMP scale against its bounds, cross-IMPs and the datum by other means."""

from fractions import Fraction

import pytest

from honours.errors import InputError
from honours.scoring.imps import (
    Datum,
    DatumTie,
)
from tests.support import cases


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
