"""Many into one: what each aggregate is, once, for both ways of running.

A fold puts values together two at a time and divides by how many they are for a mean. Each way of
running brings its own addition and comparison; which of them an aggregate uses stands here alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from operator import add
from typing import Literal

Pairwise = Literal["plus", "larger", "smaller"]
RANK, COVERED = "rank_of_", "covered_"


@dataclass(frozen=True, slots=True)
class Fold:
    """How values become one: ``pairwise`` None counts them. ``best`` takes the largest only, as
    many as the rule that asks says; ``needs_members`` is a fold that cannot be had without a list,
    where the others are everyone's common value."""

    pairwise: Pairwise | None
    mean: bool = False
    best: bool = False

    @property
    def needs_members(self) -> bool:
        return self.pairwise is None or (self.pairwise == "plus" and not self.mean)

    def of(self, values: list[Fraction]) -> Fraction:
        """The fold of some values, of which there is at least one."""
        if self.pairwise is None:
            return Fraction(len(values))
        whole = reduce(_EXACTLY[self.pairwise], values)
        return whole / len(values) if self.mean else whole


_EXACTLY: Mapping[Pairwise, Callable[[Fraction, Fraction], Fraction]] = {
    "plus": add,
    "larger": max,
    "smaller": min,
}
FOLDS: Mapping[str, Fold] = {
    "sum_of_best_": Fold("plus", best=True),
    "mean_of_best_": Fold("plus", mean=True, best=True),
    "mean_of_": Fold("plus", mean=True),
    "sum_of_": Fold("plus"),
    "count_of_": Fold(None),
    "largest_of_": Fold("larger"),
    "smallest_of_": Fold("smaller"),
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
