"""The kernel's own arithmetic; that it runs compiled as it does here is in ``test_columns``."""

from honours.scoring.kernel import (
    by_formula,
    by_place,
    in_units,
    sign_sums,
)
from tests.support import cases


def test_a_group_is_compared_within_its_bounds() -> None:
    sums = [7] * 6
    sign_sums([0, 50, 420, 50, -50, 999], 1, 5, sums)
    assert sums == [7, 0, 3, 0, -3, 7]


def test_a_missing_score_moves_the_unfactored_scale_up_by_one() -> None:
    """Nine scores of ten on the 2/1/0 scale: 17 for a top and 1 for a bottom."""
    assert [by_formula(total, 10, 9, 2, True) for total in (8, -8)] == [(34, 2), (2, 2)]
    assert by_formula(8, 10, 8, 2, True) == by_formula(8, 10, 8, 2, False)


def test_a_lone_score_has_the_mean_of_best_and_worst() -> None:
    above, below = by_place(0, 1, 20, 65, 55)
    assert 100 * above / below / 20 == 60


@cases
def test_where_an_exact_half_goes(half: int, units: list[int]) -> None:
    """0.5, 1.5, 2.5 and 3.5 of a top of 4."""
    assert [in_units(above, 2, 4, 1, half) for above in (1, 3, 5, 7)] == units
    assert [in_units(above, 10, 4, 1, half) for above in (14, 16)] == [1, 2]
