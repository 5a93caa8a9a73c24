"""The golden figures of points and skill, on rules written independently beside the repository."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from honours.lab.fair import fair_curve, shares, thirds
from honours.lab.gaming import _games, _People, expected
from honours.lab.generate.clubs import ClubSeason, World, season
from honours.lab.growth import forecast
from honours.lab.intervals import ratio
from honours.lab.skill import Ratings, holdings_prior, sums
from honours.rulebooks import load
from tests.support import cases, shared


@pytest.fixture(scope="module")
def reference() -> Any:
    """The rules as the study wrote them, event by event."""
    folder = shared("sketches/science")
    sys.path.insert(0, str(folder))
    try:
        return import_module("fair")
    finally:
        sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def year() -> ClubSeason:
    random = np.random.default_rng(7)
    sizes = np.clip(np.round(np.exp(random.normal(np.log(80), 0.5, 30))), 30, 240).astype(int)
    return season(1, clubs=30, members=sizes, congresses=12)


class _Year:
    """A season in the words of the reference."""

    def __init__(self, made: ClubSeason) -> None:
        self.mp, self.event, self.lists = made.held, made.event, made.lists
        self.a, self.b, self.score, self.sessions = made.a, made.b, made.score, made.sessions


def _by_player(year: ClubSeason, values: Any) -> Any:
    both = np.bincount(year.a, values, len(year.held)), np.bincount(year.b, values, len(year.held))
    return both[0] + both[1]


@cases
def test_what_points_reward(
    reference: Any, year: ClubSeason, rule: str, skill: float, attendance: float, congress: float
) -> None:
    """Shares within what other folds make of them, indices as printed."""
    points = reference.awarded(rule, _Year(year))
    clubs, congresses = (_by_player(year, (year.sessions == k) * 1.0) for k in (1, 2))
    played = clubs + congresses > 0
    own = _by_player(year, points)[played]
    found = shares(year.grade[played], [clubs[played], congresses[played]], own)
    assert [one.value for one in found] == pytest.approx([skill, attendance], abs=0.02)
    assert all((one.low or 1) < one.value < (one.high or 0) for one in found)
    grade = (year.grade[year.a] + year.grade[year.b]) / 2
    curve = fair_curve(points, grade, year.sessions.astype(float))
    rows = year.sessions == 2
    index = ratio(*(sums(year.event[rows], values[rows]) for values in (points, curve)))
    assert index.value == pytest.approx(congress, abs=0.006)


def test_holders_of_ranks_to_come(reference: Any, year: ClubSeason) -> None:
    gain = _by_player(year, reference.awarded("acbl-sof-2020", _Year(year)))
    counts = forecast(year.held, gain, (50, 300, 1000, 2500))[:, 5]
    golden = [(1251, 1212, 1285), (870, 840, 902), (504, 481, 528), (227, 213, 243)]
    found = np.percentile(counts, (50, 2.5, 97.5), axis=0).T
    assert found == pytest.approx(np.array(golden), abs=0.6)


def test_thirds_by_points_and_by_ratings() -> None:
    made = season(1)
    results, members = made.results(), len(made.held)
    early, late = (results.only(rows) for rows in (made.day < 32, made.day >= 32))
    prior = holdings_prior(early, made.held)
    both = Ratings(early, members, 5, prior, made.club, 50).grade
    held, rated, truth = (
        thirds(late.mean(values[late.player])) for values in (made.held, both, made.grade)
    )
    differ = held != rated
    found = (
        (rated == truth).mean(),
        differ.mean(),
        (held == truth)[differ].mean(),
        (rated == truth)[differ].mean(),
    )
    assert found == pytest.approx((0.7803, 0.2402, 0.2764, 0.6784), abs=6e-5)


@cases
def test_where_the_same_skill_pays_more(rule: str, game: int, golden: list[float]) -> None:
    """Beside an open game, at grades of 45 and 55; the golden figures are of 1,500 evenings."""
    people, games = _People(World(), 750), _games(750)
    one, other = (expected(load(rule), games[k], people, 500, 40_000, 1).mean(0) for k in (0, game))
    assert other[2] / one[2] == pytest.approx(golden[1], rel=0.12)
    assert other[0] / one[0] == pytest.approx(golden[0], rel=0.30)
