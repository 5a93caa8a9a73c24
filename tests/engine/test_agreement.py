"""A sample of `benchmarks.distinct --agree`: both ways on events that are all different."""

from __future__ import annotations

import pytest

from benchmarks.distinct import book_of, differing, distinct
from honours.engine.compiled.kept_forms import kept_form


@pytest.mark.parametrize("name", ["acbl-general", "a user's own"])
def test_both_ways_agree_on_distinct_events(name: str) -> None:
    compared, different = differing(name, 12, seed=3)
    assert compared > 100
    assert different == 0


def test_a_fraction_here_and_there_makes_no_curve_of_fractions() -> None:
    """A power may happen to be 8/15 for one shape of hundreds; the loop still looks up floats."""
    batch = distinct("acbl-sof-2020", 400)
    _, known = kept_form(book_of("acbl-sof-2020"), batch).shapes(batch)
    assert ("totals", "relative_award") in known.arrays
    assert ("curve", "relative_award__above") not in known.arrays
