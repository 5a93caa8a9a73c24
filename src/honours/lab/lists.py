"""The ranking lists of a shard's events: the whole field or each line, and every lower stratum.

The same as :mod:`honours.engine.lists` makes of one event, for many at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from honours.lab.shards import Ints, Shard
from honours.lab.tables import LINES


@dataclass(frozen=True, slots=True)
class RankingLists:
    """A ranking list of each of some events: rows of the shard, and places among these alone.

    ``rank`` is ``none``, ``top`` or ``lower``; ``line`` is empty where the event has one list;
    ``entrants`` are rows of the shard's entrants.
    """

    rank: str
    events: Ints
    entrants: Ints
    offsets: Ints
    place: Ints
    tied: Ints
    line: str = ""

    @property
    def event_of_entrant(self) -> Ints:
        """The row of the shard's event of each of the entrants."""
        return np.repeat(self.events, np.diff(self.offsets))

    def only(self, keep: NDArray[np.bool_]) -> RankingLists:
        """The lists of some of the events."""
        if keep.all():
            return self
        counts = np.diff(self.offsets)[keep]
        rows = spans(self.offsets[:-1][keep], counts)
        return replace(
            self,
            events=self.events[keep],
            entrants=self.entrants[rows],
            offsets=np.concatenate(([0], np.cumsum(counts))),
            place=self.place[rows],
            tied=self.tied[rows],
        )


def spans(starts: Ints, counts: Ints) -> Ints:
    """The whole numbers of every span, one span after the other."""
    ends = np.cumsum(counts)
    rows: Ints = np.repeat(starts - (ends - counts), counts) + np.arange(
        ends[-1] if len(ends) else 0
    )
    return rows


def ranking_lists(shard: Shard, strata: str) -> Iterator[RankingLists]:
    """Every list of the shard under a rulebook whose policy for strata is ``strata``."""
    for lists in by_line(shard):
        yield from _by_stratum(shard, lists) if strata == "each" else (lists,)


def by_line(shard: Shard) -> Iterator[RankingLists]:
    """The whole field of the events that have one list, then each line of those that have two."""
    everyone = np.arange(len(shard.entrant))
    events = np.arange(len(shard.ids))
    place, tied = shard.place.astype(np.int64), shard.tied.astype(np.int64)
    whole = RankingLists("none", events, everyone, shard.entrant_offsets, place, tied)
    lined = lined_events(shard)
    if not lined.any():
        yield whole
        return
    yield whole.only(~lined)
    for number, name in LINES.items():
        rows = np.flatnonzero(shard.line == number)
        yield replace(_of_rows(shard, rows), line=name)


def lined_events(shard: Shard) -> NDArray[np.bool_]:
    """Which events rank each line by itself."""
    found = np.zeros(len(shard.ids), np.bool_)
    if shard.line is not None:
        found[shard.event_of_entrant[shard.line > 0]] = True
    return found


def _of_rows(shard: Shard, rows: Ints) -> RankingLists:
    """The lists of these entrants as they are placed."""
    events, counts = np.unique(shard.event_of_entrant[rows], return_counts=True)
    offsets = np.concatenate(([0], np.cumsum(counts)))
    place, tied = shard.place[rows].astype(np.int64), shard.tied[rows].astype(np.int64)
    return RankingLists("none", events, rows, offsets, place, tied)


def _by_stratum(shard: Shard, whole: RankingLists) -> Iterator[RankingLists]:
    highest, several = _strata(shard, whole)
    if not several.any():
        yield whole
        return
    yield whole.only(~several)
    stratified, top = whole.only(several), highest[several]
    yield replace(stratified, rank="top")
    for stratum in range(1, int(shard.stratum.max(initial=0)) + 1):
        yield from _lower(shard, stratified, top, stratum)


def _strata(shard: Shard, lists: RankingLists) -> tuple[Ints, NDArray[np.bool_]]:
    """The highest stratum of each list, and whether it has more than one."""
    if not len(lists.events):
        return np.empty(0, np.int64), np.empty(0, np.bool_)
    own, starts = shard.stratum[lists.entrants], lists.offsets[:-1]
    highest = np.minimum.reduceat(own, starts).astype(np.int64)
    return highest, highest != np.maximum.reduceat(own, starts)


def _lower(
    shard: Shard, whole: RankingLists, highest: Ints, stratum: int
) -> Iterator[RankingLists]:
    """The list of those eligible in a stratum, in the events that have it below another."""
    of = np.repeat(np.arange(len(whole.events)), np.diff(whole.offsets))
    own = shard.stratum[whole.entrants]
    present = np.zeros(len(whole.events), np.bool_)
    present[of[own == stratum]] = True
    chosen = present & (highest < stratum)
    rows = np.flatnonzero(chosen[of] & (own >= stratum))
    if not len(rows):
        return
    counts = np.bincount(of[rows], minlength=len(present))[chosen]
    place, tied = ranked(np.repeat(np.arange(len(counts)), counts), whole.place[rows])
    yield replace(
        whole,
        rank="lower",
        events=whole.events[chosen],
        entrants=whole.entrants[rows],
        offsets=np.concatenate(([0], np.cumsum(counts))),
        place=place,
        tied=tied,
    )


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
