"""Aggregates over entrants of whom no players are listed, the same both ways."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from honours.engine.rulebook.lint import both_ways
from honours.model import Entrant, Field, Standing
from tests.engine.books import write_book

TOML = """
[inputs.entrants]
about = "how many"
type = "count"
[inputs.percentage]
about = "the percentage"
per = "entrant"
least = -100
first = 50
[parameters]
counted = { value = 1, clause = "§1" }
cent = { value = "0.01", clause = "§1" }
"""
RULES = '''
@rule("§1")
def places(entrants):
    """All."""
    return entrants


@rule("§1", per="entrant")
def worth(percentage, cent):
    """Worth."""
    return percentage * cent


@rule("§1", rounds=nearest("cent"), best="counted")
def strength(mean_of_worth):
    """Strength."""
    return mean_of_worth


@rule("§1", per="entrant", rounds=nearest("cent"))
def award(worth, strength):
    """Award."""
    return worth + strength
'''


@pytest.mark.parametrize("scores", [(70, 40, 10), (-10, -40, -70)])
@pytest.mark.parametrize("fold", ["mean_of", "count_of"])
def test_what_entrants_without_players_have_is_folded_both_ways(
    tmp_path: Path, fold: str, scores: tuple[int, ...]
) -> None:
    made = write_book(tmp_path / "folded", TOML, RULES.replace("mean_of", fold))
    standings = tuple(
        Standing(Entrant(str(place)), place, facts={"percentage": Fraction(score)})
        for place, score in enumerate(scores, start=1)
    )
    listed = Field({"entrants": Fraction(3)}, standings)
    assert list(both_ways(made, [("three", listed)])) == []
