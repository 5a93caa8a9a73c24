"""WPPR points: the 48 fields that one of the two programs was run on, to ten digits."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from honours.engine.award import award
from honours.model import Awards, Entrant, Field, Standing
from honours.rulebooks import load
from tests.support import GOLDEN

DIGITS = 10
"""The program computes in doubles and was printed to twelve digits."""


def _cases() -> list[dict[str, Any]]:
    text = (GOLDEN / "ifpa_wppr.json").read_text(encoding="utf-8")
    cases: list[dict[str, Any]] = json.loads(text, parse_float=str)["cases"]
    return cases


def _paid(case: dict[str, Any]) -> Awards:
    many = case["players"]
    standings = tuple(
        Standing(
            Entrant(str(i)),
            i + 1,
            facts={
                "ifpa_rating": Fraction(case["rating_first"]) - Fraction(case["rating_step"]) * i,
                "ifpa_rank": Fraction(case["ranking_first"]) + Fraction(case["ranking_step"]) * i,
                "is_rated": Fraction(i < many - case["unrated_last"]),
            },
        )
        for i in range(many)
    )
    facts = {
        "entrants": Fraction(many),
        "tgp": Fraction(case["tgp"]),
        "booster": Fraction(case["booster"]),
    }
    return award(load("ifpa-wppr"), Field(facts, standings))


@pytest.mark.usefixtures("in_columns_too")
@pytest.mark.parametrize("number", range(48))
def test_a_field_is_worth_what_the_program_says(number: int) -> None:
    case = _cases()[number]
    awards = _paid(case)
    for place, points in case["points"].items():
        [unrounded] = awards.schedule[int(place) - 1].figures
        assert isinstance(unrounded.value, Fraction)
        printed = Fraction(points)
        assert abs(unrounded.value - printed) * 10**DIGITS <= printed, place
