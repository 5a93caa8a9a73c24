"""Fouled boards: which groups are too small for the formula, and which boards look fouled."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from honours.scoring.profiles import Profile


def small_group_shares(
    sizes: Sequence[int], size: int, expected: int, profile: Profile
) -> tuple[Fraction, ...]:
    """The shares a group of ``size`` gets by place, or nothing where the formula serves it.

    ``sizes`` are those of all groups of the board; one group is a board that is not fouled.
    """
    fouled = len(sizes) > 1
    short = size < expected and profile.small_when_short
    if not fouled and not short:
        return ()
    if size in profile.larger_exempt and is_the_larger(sizes, size):
        return ()
    return profile.small_groups.get(size, ())


def is_the_larger(sizes: Sequence[int], size: int) -> bool:
    """Whether a group is larger than every other; of two equally large groups neither is."""
    return size == max(sizes) and list(sizes).count(size) == 1
