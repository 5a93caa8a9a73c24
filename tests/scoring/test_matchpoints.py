"""The EBU's published figures, and what must hold of any board."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from honours.model import Result
from honours.scoring.matchpoints import matchpoint_board
from honours.scoring.profiles import profile
from honours.scoring.scored import ScoredLine
from tests.scoring.events import line
from tests.support import GOLDEN

EBU = profile("ebu")


def ns_points(lines: tuple[ScoredLine, ...]) -> list[Fraction]:
    return [x.ns.points for x in lines if x.ns]


def ladder(size: int, version: str = "", first: int = 0) -> list[Result]:
    """So many tables with all different scores, the best first."""
    tables = range(first, first + size)
    return [line(1, f"N{t}", f"E{t}", -10 * t, version) for t in tables]


def golden() -> dict[str, Any]:
    data = json.loads((GOLDEN / "ebu_fouled_boards.json").read_text())
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize("case", [0, 1, 2, 3])
def test_the_printed_groups(case: int) -> None:
    printed = golden()
    group, expected = printed["cases"][case], printed["expected_scores"]
    simplified = group.get("method") == "simplified"
    rest = ladder(expected - group["group"], "other", 50) if group["group"] < 9 else []
    results = ladder(group["group"]) + rest
    scored = matchpoint_board(results, expected, replace(EBU, simplified=simplified))
    ours = ns_points(scored)[: group["group"]]
    if simplified:
        low, high = group["result_range"]
        assert (min(ours), max(ours)) == (low, high)
    else:
        assert ours == [Fraction(str(x)) for x in group["result"]]
    assert sum(ours) == group["total"]
    assert scored[0].ns is not None
    assert scored[0].ns.top == printed["normal_top"]
