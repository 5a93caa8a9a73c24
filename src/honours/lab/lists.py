"""The ranking lists of a shard's events: the whole field, and one for every lower stratum.

The same as :mod:`honours.engine.lists` makes of one event, for many at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from honours.lab.shards import Ints, Shard


@dataclass(frozen=True, slots=True)
class RankingLists:
    """A ranking list of each of some events: rows of the shard, and places among these alone.

    ``rank`` is ``none``, ``top`` or ``lower``; ``entrants`` are rows of the shard's entrants.
    """

    rank: str
    events: Ints
    entrants: Ints
    offsets: Ints
    place: Ints
    tied: Ints

    def only(self, keep: NDArray[np.bool_]) -> RankingLists:
        """The lists of some of the events."""
        if keep.all():
            return self
        counts = np.diff(self.offsets)[keep]
        rows = spans(self.offsets[:-1][keep], counts)
        offsets = np.concatenate(([0], np.cumsum(counts)))
        taken = (self.entrants[rows], offsets, self.place[rows], self.tied[rows])
        return RankingLists(self.rank, self.events[keep], *taken)


def spans(starts: Ints, counts: Ints) -> Ints:
    """The whole numbers of every span, one span after the other."""
    ends = np.cumsum(counts)
    rows: Ints = np.repeat(starts - (ends - counts), counts) + np.arange(
        ends[-1] if len(ends) else 0
    )
    return rows


def ranking_lists(shard: Shard, strata: str) -> Iterator[RankingLists]:
    """Every list of the shard under a rulebook whose policy for strata is ``strata``."""
    everyone = np.arange(len(shard.entrant))
    events = np.arange(len(shard.ids))
    highest, several = _strata(shard)
    place, tied = shard.place.astype(np.int64), shard.tied.astype(np.int64)
    whole = RankingLists("none", events, everyone, shard.entrant_offsets, place, tied)
    if strata != "each" or not several.any():
        yield whole
        return
    yield whole.only(~several)
    top = whole.only(several)
    yield RankingLists("top", top.events, top.entrants, top.offsets, top.place, top.tied)
    for stratum in range(1, int(shard.stratum.max(initial=0)) + 1):
        yield from _lower(shard, several, highest, stratum)


def _strata(shard: Shard) -> tuple[Ints, NDArray[np.bool_]]:
    """The highest stratum of each event, and whether it has more than one."""
    starts = shard.entrant_offsets[:-1]
    if not len(starts):
        return np.empty(0, np.int64), np.empty(0, np.bool_)
    highest = np.minimum.reduceat(shard.stratum, starts).astype(np.int64)
    return highest, highest != np.maximum.reduceat(shard.stratum, starts)


def _lower(
    shard: Shard, several: NDArray[np.bool_], highest: Ints, stratum: int
) -> Iterator[RankingLists]:
    """The list of those eligible in a stratum, in the events that have it below another."""
    of = shard.event_of_entrant
    present = np.zeros(len(shard.ids), np.bool_)
    present[of[shard.stratum == stratum]] = True
    chosen = present & several & (highest < stratum)
    rows = np.flatnonzero(chosen[of] & (shard.stratum >= stratum))
    if not len(rows):
        return
    events, counts = np.flatnonzero(chosen), np.bincount(of[rows], minlength=len(present))[chosen]
    offsets = np.concatenate(([0], np.cumsum(counts)))
    place, tied = ranked(np.repeat(np.arange(len(events)), counts), shard.place[rows])
    yield RankingLists("lower", events, rows, offsets, place, tied)


def ranked(group: Ints, order: NDArray[np.generic]) -> tuple[Ints, Ints]:
    """Place and ties within each group by ``order``, the smallest first."""
    rows = np.lexsort((order, group))
    g, o = group[rows], order[rows]
    new_group = np.append(True, g[1:] != g[:-1])
    new_rank = new_group | np.append(True, o[1:] != o[:-1])
    starts = np.flatnonzero(new_rank)
    of_rank = np.cumsum(new_rank) - 1
    first_of_group = np.maximum.accumulate(np.where(new_group, np.arange(len(g)), 0))
    place, tied = np.empty(len(g), np.int64), np.empty(len(g), np.int64)
    place[rows] = starts[of_rank] - first_of_group + 1
    tied[rows] = np.diff(np.append(starts, len(g)))[of_rank]
    return place, tied
