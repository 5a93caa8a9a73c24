"""A sample of `benchmarks.distinct --agree`: both ways on events that are all different."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.distinct import differing
from tests.engine.random_books import differences


@pytest.mark.parametrize("name", ["acbl-general", "a user's own"])
def test_both_ways_agree_on_distinct_events(name: str) -> None:
    compared = differing(name, 12, seed=3, entrants=600)
    assert compared.events >= 12
    assert compared.entrants >= 600
    assert compared.different == 0


@pytest.mark.parametrize("seed", range(12))
def test_both_ways_agree_on_rulebooks_drawn_at_random(tmp_path: Path, seed: int) -> None:
    assert list(differences(seed, tmp_path)) == []
