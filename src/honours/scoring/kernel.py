"""The matchpoint kernel: plain integer arithmetic, run as it is for one event and compiled for a
corpus (:mod:`honours.scoring.columns`). Nothing here uses a float, nor imports anything that runs.

In a group of A scores out of E expected, a score's deviation from average is E·s/A, where s is
how many of the group it beats less how many beat it; the average is E − 1 (2 for a score beaten,
1 for one equalled). That is the EBU's (M·E + E − A)/A, and on the 1/½/0 scale half of it, which
is (m + ½)·E/A − ½. Numbers are ``int``; the exact way also passes a ``Fraction`` for s, which a
weighted score makes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence
    from fractions import Fraction

DOWN, UP, TO_EVEN = 0, 1, 2


def sign_sums(scores: Sequence[int], start: int, stop: int, sums: MutableSequence[int]) -> None:
    """For each score of the group from ``start`` to ``stop``: how many of the group it beats,
    less how many beat it."""
    for i in range(start, stop):
        total = 0
        for j in range(start, stop):
            total += (scores[i] > scores[j]) - (scores[i] < scores[j])
        sums[i] = total


def factored(
    sign_sum: int | Fraction, expected: int, obtained: int, per_score_beaten: int
) -> tuple[int | Fraction, int]:
    """Matchpoints out of a top for ``expected`` scores, as what stands above and below the line."""
    above = per_score_beaten * ((expected - 1) * obtained + expected * sign_sum)
    return above, 2 * obtained


def in_units(above: int | Fraction, below: int, units: int, half: int) -> int:
    """The nearest number of units of 1/``units``; ``half`` says where an exact half goes."""
    whole = int(units * above // below)
    rest = 2 * (units * above - whole * below)
    if rest > below:
        return whole + 1
    if rest == below and (half == UP or (half == TO_EVEN and whole % 2 == 1)):
        return whole + 1
    return whole
