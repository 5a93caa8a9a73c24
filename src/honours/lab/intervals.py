"""The certainty of a figure: 95% intervals by how much events or clubs differ from each other.

Players of one event are not independent of each other, but events nearly are, so that whole events,
or whole clubs, are what an interval is taken over: the error is the one that leaving out each of
them shows (jackknife), times Student's t. Changes and shares are ratios of sums, and a change is
taken on the scale of its logarithm, which keeps its promise for skewed sizes and few events
(``tests/lab/test_intervals.py`` counts how often, on data whose truth is known).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.float64] | NDArray[np.int64]
LEVEL = 0.95
FEWEST = 5
"""With fewer events no interval is given."""
_NORMAL = 1.959964
_UNTOLD = 20.0
"""A logarithm of a ratio beyond any plausible value."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The two ends of a 95% interval."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with the ends of its 95% interval."""

    value: float
    low: float | None = None
    high: float | None = None


def student(freedom: int) -> float:
    """Student's t at 95%, by its expansion around the normal quantile: within 0.3% from 4 degrees
    of freedom on, without the half second that importing it takes."""
    z, f = _NORMAL, float(freedom)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / f + second / f**2 + third / f**3


def ratio(top: Numbers, bottom: Numbers) -> Estimate:
    """Sum(top) / Sum(bottom) over events or clubs, with its interval."""
    used = (bottom != 0) | (top != 0)
    top, bottom = top[used].astype(np.float64), bottom[used].astype(np.float64)
    n, whole = len(top), float(bottom.sum())
    if not whole:
        return Estimate(float("nan"))
    value = float(top.sum()) / whole
    if n < 2:
        return Estimate(value)
    off = (top - value * bottom) / np.maximum(whole - bottom, 1e-12)
    half = student(n - 1) * float(np.sqrt((n - 1) / n * (off @ off)))
    return Estimate(value, value - half, value + half)


def change_interval(before: Numbers, after: Numbers) -> Interval | None:
    """The interval of how much more, in per cent, is paid after than before, from one pair per
    event.

    None if there are too few events, or nothing is paid.
    """
    return _change([after], [before])


def change_of_share_interval(
    before: Numbers, after: Numbers, all_before: Numbers, all_after: Numbers
) -> Interval | None:
    """The interval of how much larger, in per cent, a group's share is after than before. The
    overall total varies along with the group's events, because it is just as uncertain."""
    if np.array_equal(before, all_before) and np.array_equal(after, all_after):
        return None  # a group that has everything keeps everything
    return _change([after, all_before], [before, all_after])


def _change(above: Sequence[Numbers], below: Sequence[Numbers]) -> Interval | None:
    """The interval of a product of sums over another, as a percentage difference from 1."""
    paid = int(((above[0] != 0) | (below[0] != 0)).sum())
    if paid < FEWEST or min(float(column.sum()) for column in (*above, *below)) <= 0:
        return None
    used = (above[-1] != 0) | (below[-1] != 0)
    n = int(used.sum())

    def log_of(column: Numbers) -> tuple[float, Floats]:
        """The logarithm of a sum, and without each of the events."""
        total = float(column.sum())
        return np.log(total), np.log(np.maximum(total - column[used], 1e-9 * total))

    tops, bottoms = [*map(log_of, above)], [*map(log_of, below)]
    middle = sum(one for one, _ in tops) - sum(one for one, _ in bottoms)
    without = sum(each for _, each in tops) - sum(each for _, each in bottoms)
    half = student(n - 1) * float(np.sqrt((n - 1) * np.var(without)))
    if middle + half > _UNTOLD:
        return None  # so few events prove nothing
    return Interval(*(100 * float(np.expm1(end)) for end in (middle - half, middle + half)))


def share_interval(hits: Numbers, of: Numbers) -> Interval | None:
    """The interval of a share, in per cent: hits out of a total, one pair per event or member."""
    sure = mean_interval(hits, of)
    return sure and Interval(max(0.0, 100 * sure.low), min(100.0, 100 * sure.high))


def mean_interval(sums: Numbers, of: Numbers) -> Interval | None:
    """The interval of a mean: sums and counts, one pair per event."""
    sure = ratio(sums, of) if len(sums) >= FEWEST else Estimate(0.0)
    return None if sure.low is None or sure.high is None else Interval(sure.low, sure.high)


def percentile_interval(values: Floats, percentile: float) -> Interval | None:
    """The interval of a percentile of events, from the order of their values alone."""
    many = len(values)
    if many < FEWEST:
        return None
    ordered = np.sort(values)
    tail = (1 - LEVEL) / 2
    low, high = (_binomial(share, many, percentile / 100) for share in (tail, 1 - tail))
    return Interval(float(ordered[max(0, low - 1)]), float(ordered[min(many - 1, high)]))


def _binomial(share: float, many: int, probability: float) -> int:
    """The smallest count that at least this share of all draws do not exceed; equal to
    ``scipy.stats.binom.ppf``, without the half second that its import takes."""
    number = np.arange(1, many + 1)
    odds = np.log((many + 1 - number) / number) + np.log(probability / (1 - probability))
    logs = many * np.log1p(-probability) + np.concatenate(([0.0], np.cumsum(odds)))
    return int(np.searchsorted(np.cumsum(np.exp(logs)), share))
