"""The matchpoint kernel: plain integer arithmetic, run as it is for one event and compiled for a
corpus (:mod:`honours.scoring.columns`). Nothing here uses a float, nor imports anything that runs.

In a group of A scores out of E expected, a score's deviation from average is E·s/A, where s is
how many of the group it beats less how many beat it; the average is E − 1 (2 for a score beaten,
1 for one equalled). That is the EBU's (M·E + E − A)/A, and on the 1/½/0 scale half of it, which
is (m + ½)·E/A − ½. Numbers are ``int``; the exact way also passes a ``Fraction`` for s, which a
weighted score makes.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from fractions import Fraction

# Where an exact half goes.
UP, TO_EVEN, TOWARDS_AVERAGE = 1, 2, 3


def sign_sums(scores: Sequence[int], start: int, stop: int, sums: MutableSequence[int]) -> None:
    """For each score of the group from ``start`` to ``stop``: how many of the group it beats,
    less how many beat it."""
    for i in range(start, stop):
        total = 0
        for j in range(start, stop):
            total += (scores[i] > scores[j]) - (scores[i] < scores[j])
        sums[i] = total


def by_formula(
    sign_sum: int | Fraction, expected: int, obtained: int, per_score_beaten: int, simplified: bool
) -> tuple[int | Fraction, int]:
    """Matchpoints out of the top for ``expected`` scores: what is above and below the line."""
    if simplified and obtained == expected - 1:
        # Top less one and bottom plus one is the unfactored scale moved up by one.
        return per_score_beaten * (obtained + sign_sum), 2
    return per_score_beaten * ((expected - 1) * obtained + expected * sign_sum), 2 * obtained


def by_place(
    sign_sum: int | Fraction, obtained: int, top: int, best: int | Fraction, worst: int | Fraction
) -> tuple[int | Fraction, int]:
    """Matchpoints in a small group whose shares fall evenly from ``best`` to ``worst`` per cent
    of the top, so that a tie has the mean of the places it covers."""
    steps = max(1, obtained - 1)
    return top * ((best + worst) * steps + (best - worst) * sign_sum), 200 * steps


def in_units(above: int | Fraction, below: int, top: int | Fraction, units: int, half: int) -> int:
    """The nearest number of units of 1/``units``; ``half`` says where an exact half goes."""
    whole = int(units * above // below)
    rest = 2 * (units * above - whole * below)
    if rest != below:
        return whole + (rest > below)
    if half == UP or (half == TO_EVEN and whole % 2 == 1):
        return whole + 1
    if half == TOWARDS_AVERAGE and 2 * above < top * below:
        return whole + 1
    return whole
