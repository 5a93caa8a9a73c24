"""Intervals hold what they promise: on data whose truth is known they contain it often enough."""

from __future__ import annotations

import numpy as np
import pytest

from honours.lab.intervals import (
    FEWEST,
    LEVEL,
    _binomial,
    change_interval,
    change_of_share_interval,
    mean_interval,
    percentile_interval,
    share_interval,
)
from honours.lab.tallies import resampled_gains

_TIMES = 400
_ALLOWED = 0.035
"""Below what is promised by chance of so many trials, and by what resampling of few lacks."""


def _events(random: np.random.Generator, many: int) -> tuple[np.ndarray, np.ndarray]:
    """What events pay before and after: sizes are skewed, and a tenth more on average."""
    before = random.lognormal(4, 0.8, many)
    return before, before * 1.1 * random.lognormal(-0.5 * 0.3**2, 0.3, many)


@pytest.mark.parametrize("many", [30, 120, 1500])
def test_a_change_lies_within_its_interval_as_often_as_promised(many: int) -> None:
    random = np.random.default_rng(3)
    times = _TIMES if many < 1000 else 150
    inside = 0
    for _ in range(times):
        interval = change_interval(*_events(random, many))
        assert interval is not None
        inside += 10.0 in interval
    assert inside / times >= LEVEL - _ALLOWED
    assert inside / times <= 0.995 or many < 100


def test_an_interval_is_no_wider_than_it_needs_to_be() -> None:
    random = np.random.default_rng(4)
    interval = change_interval(*_events(random, 400))
    assert interval is not None
    assert 2 < interval.high - interval.low < 12


def test_a_share_lies_within_its_interval_as_often_as_promised() -> None:
    random = np.random.default_rng(5)
    inside = 0
    for _ in range(_TIMES):
        players = random.integers(20, 80, 60)
        chance = random.beta(6, 14, 60)  # events differ: their players are not independent
        interval = share_interval(random.binomial(players, chance), players)
        assert interval is not None
        inside += 30.0 in interval
    assert inside / _TIMES >= LEVEL - _ALLOWED


def test_the_change_of_a_share_lies_within_its_interval_as_often_as_promised() -> None:
    """A group of a third of the events, of which B pays a fifth more than of the others."""
    random = np.random.default_rng(9)
    times, inside, fixed = 300, 0, 0
    truth = 100 * (1.32 / (0.5 * 1.32 + 0.5 * 1.1) - 1)
    for _ in range(times):
        a, b = _events(random, 120)
        own = np.arange(120) < 40
        a, b = np.where(own, 2 * a, a), np.where(own, 2 * 1.2 * b, b)
        interval = change_of_share_interval(a * own, b * own, a, b)
        alone = change_interval(a[own], b[own])
        assert interval is not None
        assert alone is not None
        scale = a.sum() / b.sum()
        fixed += (1 + alone.low / 100) * scale <= 1 + truth / 100 <= (1 + alone.high / 100) * scale
        inside += truth in interval
    assert inside / times >= LEVEL - _ALLOWED
    assert inside / times <= 0.985 < fixed / times  # with the totals as they are it was too wide


def test_a_mean_lies_within_its_interval_as_often_as_promised() -> None:
    """What players of a range win a day: by event, events of many sizes that differ."""
    random = np.random.default_rng(7)
    inside = 0
    for _ in range(_TIMES):
        players = random.integers(5, 60, 80).astype(np.float64)
        level = random.gamma(4, 0.5, 80)  # 2 on average, the players of an event alike
        interval = mean_interval(players * level + random.normal(0, 1, 80) * players**0.5, players)
        assert interval is not None
        inside += 2.0 in interval
    assert inside / _TIMES >= LEVEL - _ALLOWED


def _played(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Who played in which event, and what each gained there: luck of their own, and the event's."""
    who = np.concatenate([random.choice(400, 20, replace=False) for _ in range(150)])
    event = np.repeat(np.arange(150), 20)
    change = 0.1 + random.normal(0, 0.3, 150)[event] + random.normal(0, 1, len(who))
    return who, event, np.rint(10_000 * change).astype(np.int64)


def test_the_share_of_members_who_gain_lies_within_its_interval() -> None:
    random = np.random.default_rng(8)
    shares = []
    for _ in range(300):
        who, _, change = _played(random)
        shares.append(100 * (np.bincount(who, change)[np.unique(who)] > 0).mean())
    truth, times, inside = float(np.mean(shares)), 120, 0
    for _ in range(times):
        who, event, change = _played(random)
        _, at = np.unique(who, return_inverse=True)
        off = resampled_gains(at, event, change, np.zeros(at.max() + 1, np.int64), 1)[-1]
        assert off is not None
        share = 100 * (np.bincount(at, change) > 0).mean()
        inside += truth - share in off
    assert inside / times >= LEVEL - 0.05


def test_a_median_lies_within_its_interval_as_often_as_promised() -> None:
    random = np.random.default_rng(6)
    inside = 0
    for _ in range(_TIMES):
        interval = percentile_interval(random.lognormal(0, 1, 80), 50)
        assert interval is not None
        inside += 1.0 in interval
    assert inside / _TIMES >= LEVEL - 0.02


def test_of_too_few_events_no_interval_is_given() -> None:
    few = np.arange(1.0, FEWEST)
    assert change_interval(few, few + 1) is None
    assert share_interval(few, few) is None
    assert percentile_interval(few, 50) is None
    assert change_interval(np.zeros(9), np.ones(9)) is None


def test_what_is_the_same_is_surely_the_same() -> None:
    same = np.arange(1.0, 50)
    interval = change_interval(same, same)
    assert interval is not None
    assert (interval.low, interval.high) == (0, 0)


@pytest.mark.parametrize("many", [5, 80, 4356, 200_000])
@pytest.mark.parametrize("probability", [0.05, 0.5, 0.9])
def test_quantiles_of_draws_are_those_of_the_library(many: int, probability: float) -> None:
    from scipy.stats import binom

    for share in (0.025, 0.975):
        assert _binomial(share, many, probability) == binom.ppf(share, many, probability)
