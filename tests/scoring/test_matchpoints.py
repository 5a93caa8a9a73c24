"""The EBU's published figures, and what must hold of any board."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honours.model import AdjustedScore, ArtificialScore, AssignedScore, Result
from honours.scoring.matchpoints import matchpoint_board, weighted_sign_sums
from honours.scoring.profiles import profile
from honours.scoring.scored import ScoredLine
from tests.scoring.events import AVERAGE, boards, line, ruled, weighted
from tests.support import GOLDEN, cases

EBU, ACBL = profile("ebu"), profile("acbl")
UNROUNDED = replace(EBU, unit=Fraction(0), small_groups={})


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


def test_a_version_played_once_is_unplayable() -> None:
    scored = matchpoint_board([*ladder(9), *ladder(1, "fouled", 50)], 10, EBU)
    lone = scored[-1]
    assert lone.ns is not None
    assert lone.ew is not None
    assert (lone.ns.how, lone.ns.points, lone.ew.points) == ("lone score", *[Fraction("10.8")] * 2)
    assert ns_points(scored)[0] == Fraction("17.9")
    assert EBU.session_rule
    assert lone.ns.session_rule == ArtificialScore(Fraction(3, 5), session_rule=True)


@cases
def test_small_groups_of_acbl(sizes: list[int], shares: list[str]) -> None:
    large, small = sizes
    results = ladder(large) + ladder(small, "fouled", 50)
    scored = matchpoint_board(results, large + small, ACBL)[large:]
    tops = [100 * x.ns.points / x.ns.top for x in scored if x.ns]
    assert tops == [Fraction(share) for share in shares]


def test_a_group_of_three_that_is_the_larger_is_factored() -> None:
    scored = matchpoint_board([*ladder(3), *ladder(2, "fouled", 50)], 5, ACBL)
    assert ns_points(scored)[:3] == [Fraction(x) for x in ("3.67", "2", "0.33")]


def test_a_tie_in_a_small_group_shares() -> None:
    small = [line(1, "a", "b", 50, "f"), line(1, "c", "d", 50, "f"), line(1, "e", "f", 0, "f")]
    scored = matchpoint_board([*ladder(7), *small], 10, ACBL)[7:]
    assert ns_points(scored) == [Fraction(x) for x in ("5.85", "5.85", "4.5")]
    assert [x.ns.sign_sum for x in scored if x.ns] == [1, 1, -2]


def test_a_weighted_score_is_compared_by_its_parts() -> None:
    """60% of +420 and 40% of −50 against 420 and 0: 0.6·1 + 0.4·0, and 0.6·2 + 0.4·0."""
    results = [
        ruled(1, "a", "b", weighted(("0.6", 420), ("0.4", -50))),
        line(1, "c", "d", 420),
        line(1, "e", "f", 0),
    ]
    ours = ns_points(matchpoint_board(results, 3, UNROUNDED))
    assert ours == [Fraction("1.8"), Fraction("3.4"), Fraction("0.8")]
    assert sum(ours) == 6


def test_split_scores_are_compared_side_by_side() -> None:
    ns, ew = weighted(("1", 50)).ns, weighted(("1", -980)).ew
    results = [
        ruled(1, "a", "b", AdjustedScore(ns, ew)),
        line(1, "c", "d", 0),
        line(1, "e", "f", -50),
    ]
    scored = matchpoint_board(results, 3, EBU)[0]
    assert scored.ns is not None
    assert scored.ew is not None
    assert scored.ns.points == scored.ew.points == 4


@cases
def test_what_each_profile_factors(name: str, short: str, with_average: str) -> None:
    """Four different scores where five were expected: the fifth missing, or an average. The
    formula gives the best (6·5 + 1)/4 = 7.75, or half of it, which each rounds its own way."""
    rules = profile(name)
    averaged = [*ladder(4), ruled(1, "x", "y", AdjustedScore(AVERAGE, AVERAGE))]
    assert ns_points(matchpoint_board(ladder(4), 5, rules))[0] == Fraction(short)
    assert ns_points(matchpoint_board(averaged, 5, rules))[0] == Fraction(with_average)


@given(boards(versions=True), st.integers(0, 3))
def test_groups_keep_the_average_of_the_board(results: list[Result], missing: int) -> None:
    expected = len(results) + missing
    for side in (0, 1):
        scored = matchpoint_board(results, expected, UNROUNDED)
        versions: dict[str, list[Fraction]] = {}
        for x in scored:
            score = (x.ns, x.ew)[side]
            assert score is not None
            versions.setdefault(x.result.version, []).append(score.points)
        for points in versions.values():
            assert sum(points) == (expected - 1) * len(points)


@given(boards(), st.integers(0, 3), st.sampled_from(["ebu", "acbl", "unfactored", "ebuscore"]))
def test_the_sides_share_the_top(results: list[Result], missing: int, name: str) -> None:
    rules = profile(name)
    for x in matchpoint_board(results, len(results) + missing, rules):
        assert x.ns is not None
        assert x.ew is not None
        # Rounding half up may give both sides the half.
        over = x.ns.points + x.ew.points - x.ns.top
        assert (
            over in ((0, rules.unit) if rules.half == "up" else (0,)) or x.ns.how != "matchpoints"
        )


@given(boards(versions=True), st.randoms(), st.sampled_from(["ebu", "acbl", "compscore"]))
def test_the_order_of_tables_is_nothing(results: list[Result], random: Any, name: str) -> None:
    shuffled = list(results)
    random.shuffle(shuffled)
    plain = matchpoint_board(results, len(results), profile(name))
    mixed = matchpoint_board(shuffled, len(results), profile(name))
    assert {x.result.ns: (x.ns, x.ew) for x in plain} == {x.result.ns: (x.ns, x.ew) for x in mixed}


@given(boards(versions=True), st.sampled_from(["ebu", "acbl", "compscore"]))
def test_turning_every_table_turns_the_sides(results: list[Result], name: str) -> None:
    turned = [replace(r, ns=r.ew, ew=r.ns, score=-(r.score or 0)) for r in results]
    plain = matchpoint_board(results, len(results), profile(name))
    other = matchpoint_board(turned, len(results), profile(name))
    assert [(x.ns, x.ew) for x in plain] == [(x.ew, x.ns) for x in other]


@given(boards(), st.integers(0, 3), st.sampled_from(["ebu", "acbl", "compscore", "unfactored"]))
def test_a_better_score_never_earns_less(results: list[Result], missing: int, name: str) -> None:
    scored = matchpoint_board(results, len(results) + missing, profile(name))
    best_first = sorted(scored, key=lambda x: -(x.result.score or 0))
    ours = [x.ns.points for x in best_first if x.ns]
    assert ours == sorted(ours, reverse=True)


@given(boards())
def test_a_weighted_score_of_one_part_is_that_score(results: list[Result]) -> None:
    scores = [((Fraction(1), r.score or 0),) for r in results]
    halves = [((Fraction(1, 2), r.score or 0), (Fraction(1, 2), r.score or 0)) for r in results]
    assert weighted_sign_sums(scores) == weighted_sign_sums(halves)


def test_awkward_weights_are_exact() -> None:
    """Sevenths beside hundredths."""
    sevenths = weighted(("3/7", 420), ("4/7", -50)).ns
    hundredths = weighted(("0.33", 420), ("0.67", -50)).ns
    assert isinstance(sevenths, AssignedScore)
    assert isinstance(hundredths, AssignedScore)
    whole = [((Fraction(1), 10 * table),) for table in range(10)]
    sums = weighted_sign_sums([sevenths.scores, hundredths.scores, *whole])
    against_the_other = Fraction(3, 7) - Fraction(33, 100)
    assert sums[0] == 10 * Fraction(3 - 4, 7) + against_the_other
    assert sums[1] == 10 * Fraction(33 - 67, 100) - against_the_other
    assert sum(sums) == 0
