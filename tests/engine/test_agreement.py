"""A sample of `benchmarks.distinct --agree`: both ways on events that are all different."""

from __future__ import annotations

import pytest

from benchmarks.distinct import differing


@pytest.mark.parametrize("name", ["acbl-general", "a user's own"])
def test_both_ways_agree_on_distinct_events(name: str) -> None:
    compared, different = differing(name, 12, seed=3)
    assert compared > 100
    assert different == 0
