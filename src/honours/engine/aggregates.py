"""Many into one: what each aggregate is, once, for both ways of running.

Each way of running brings its own addition; which aggregates there are stands here alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

RANK, COVERED = "rank_of_", "covered_"


@dataclass(frozen=True, slots=True)
class Fold:
    """How values become one: their number, sum or mean. ``best`` takes the largest only, as many
    as the rule that asks says; ``needs_members`` is a fold that cannot be had without a list,
    where a mean is everyone's common value."""

    counts: bool = False
    mean: bool = False
    best: bool = False

    @property
    def needs_members(self) -> bool:
        return not self.mean

    def of(self, values: list[Fraction]) -> Fraction:
        """The fold of some values, of which there is at least one."""
        if self.counts:
            return Fraction(len(values))
        whole = sum(values, Fraction(0))
        return whole / len(values) if self.mean else whole


FOLDS: Mapping[str, Fold] = {
    "sum_of_best_": Fold(best=True),
    "mean_of_": Fold(mean=True),
    "sum_of_": Fold(),
    "count_of_": Fold(counts=True),
}
"""By the beginning of the argument that asks for one."""
PREFIXES = (*FOLDS, RANK, COVERED)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """An argument such as ``mean_of_strength``: how, and of what."""

    how: str
    of: str

    @property
    def fold(self) -> Fold | None:
        """How values are put together; None of a rank and of what a tie covers."""
        return FOLDS.get(self.how)


@lru_cache(maxsize=4096)
def aggregate(name: str) -> Aggregate | None:
    """The aggregate an argument's name asks for, if it does."""
    for prefix in PREFIXES:
        if name.startswith(prefix):
            return Aggregate(prefix, name.removeprefix(prefix))
    return None
