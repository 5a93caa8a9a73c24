"""International match points: the scale, and what a score is worth against others or a datum.

A side's score on a board is ``Weighted`` (:mod:`honours.scoring.sides`): one score of weight 1,
or the several that a ruling assigned, seen from that side's chair. Every IMP figure that comes of
it is exact; a weighted one need not be whole.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor

from honours.errors import InputError
from honours.model import ArtificialScore
from honours.model.message import Message
from honours.scoring.sides import Weighted

UPPER_BOUNDS = (
    *(10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590, 740, 890, 1090),
    *(1290, 1490, 1740, 1990, 2240, 2490, 2990, 3490, 3990),
)
"""The largest difference worth 0, 1, … 23 IMPs; a larger one is worth 24."""

HALF = Fraction(1, 2)


def imps(difference: int | Fraction) -> int:
    """The IMPs for a difference in score, negative for a negative one."""
    size = ceil(difference if difference >= 0 else -difference)
    worth = bisect_left(UPPER_BOUNDS, size)
    return worth if difference >= 0 else -worth


def compare(own: Weighted, other: Weighted) -> Fraction:
    """IMPs of ``own`` against ``other``: each pairing of their scores by its weight."""
    if len(own) == len(other) == 1:
        return Fraction(imps(own[0][1] - other[0][1]))
    return sum((v * w * imps(x - y) for v, x in own for w, y in other), Fraction(0))


def mean_score(scores: Weighted) -> Fraction:
    """What a weighted score is on average, which is how it enters a datum."""
    return sum((weight * score for weight, score in scores), Fraction(0))


def artificial_imps(ruling: ArtificialScore, average_plus: Fraction) -> Fraction:
    """IMPs of an artificial score: ``average_plus`` for 60%, nothing for 50%, in proportion.

    The Laws give 3 IMPs for average plus (Law 86). A pair's session percentage has no say in IMPs.
    """
    return (ruling.share - HALF) * 10 * average_plus


# --- cross-IMPs -----------------------------------------------------------------------------


class Divisor(StrEnum):
    """By what the IMPs against every other table are divided."""

    NOTHING = "sum"
    COMPARISONS = "n-1"
    SCORES = "n"


def cross_imps(own: Weighted, others: Iterable[Weighted], divisor: Divisor) -> Fraction:
    """IMPs of ``own`` against the score of every other table; nothing to compare with is 0."""
    total, comparisons = Fraction(0), 0
    for other in others:
        total += compare(own, other)
        comparisons += 1
    return total / divided_by(comparisons, divisor)


def divided_by(comparisons: int, divisor: Divisor) -> int:
    """The number that stands below the line: n − 1 comparisons, n scores, or 1 for the sum."""
    below = {
        Divisor.NOTHING: 1,
        Divisor.COMPARISONS: comparisons,
        Divisor.SCORES: comparisons + 1,
    }
    return max(1, below[divisor])


# --- Butler ---------------------------------------------------------------------------------


class DatumTie(StrEnum):
    """Where a datum half-way between two multiples of its unit goes."""

    AWAY = "away from zero"
    TOWARDS = "towards zero"
    UP = "towards North-South"
    DOWN = "towards East-West"


@dataclass(frozen=True, slots=True)
class Datum:
    """How the score that a Butler board is compared with is made.

    At each end ``trim`` scores are left out, or ``trim_share`` of them (rounded to the nearest
    whole number, a half up) if that is more; boards with fewer than ``trim_from`` scores are not
    trimmed. The mean of the rest is rounded to a multiple of ``unit``; 0 leaves it exact.
    """

    trim: int = 1
    trim_share: Fraction = Fraction(0)
    trim_from: int = 4
    unit: int = 10
    tie: DatumTie = DatumTie.AWAY

    def __post_init__(self) -> None:
        if self.trim < 0 or self.unit < 0 or not 0 <= self.trim_share < HALF:
            raise InputError(
                "a {value}: what is left out and rounded to cannot be negative, nor half "
                "or more of the scores be left out at each end",
                value=self,
            )

    def __str__(self) -> str:
        off = f"{100 * self.trim_share}%" if self.trim_share else str(self.trim)
        if self.unit:
            return Message("datum to {unit}, {off} off each end", unit=self.unit, off=off)
        return Message("datum exact, {off} off each end", off=off)

    def trimmed(self, count: int) -> int:
        """How many of ``count`` scores are left out at each end; at least one always stays."""
        if count < self.trim_from:
            return 0
        wanted = max(self.trim, floor(self.trim_share * count + HALF))
        return min(wanted, (count - 1) // 2)

    def of(self, scores: Sequence[Fraction]) -> Fraction:
        """The datum of these scores, all North-South's."""
        out = self.trimmed(len(scores))
        kept = sorted(scores)[out : len(scores) - out]
        if not kept:
            raise InputError("a datum needs at least one score")
        return self.rounded(sum(kept, Fraction(0)) / len(kept))

    def rounded(self, mean: Fraction) -> Fraction:
        """``mean`` to the nearest multiple of the unit, a tie going the way chosen."""
        if not self.unit:
            return mean
        steps = mean / self.unit
        up = {
            DatumTie.UP: True,
            DatumTie.DOWN: False,
            DatumTie.AWAY: steps > 0,
            DatumTie.TOWARDS: steps < 0,
        }[self.tie]
        return Fraction((floor(steps + HALF) if up else ceil(steps - HALF)) * self.unit)


def butler(own: Weighted, datum: Fraction) -> Fraction:
    """IMPs of a score against the datum: each assigned score by its weight."""
    return sum((weight * imps(score - datum) for weight, score in own), Fraction(0))
