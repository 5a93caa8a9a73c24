"""The ranking lists of a shard's events: the whole field or each line, and every lower stratum.

The same as :mod:`honours.engine.lists` makes of one event, for many at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from honours.lab.row_loops import compiled
from honours.lab.shards import Ints, Shard
from honours.lab.tables import LINES

Places = NDArray[np.uint16]


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
    place: Places
    tied: Places
    line: str = ""

    @property
    def event_of_entrant(self) -> Ints:
        """The row of the shard's event of each of the entrants."""
        return np.repeat(self.events, np.diff(self.offsets))

    def only(self, keep: NDArray[np.bool_]) -> RankingLists:
        """The lists of some of the events."""
        if keep.all():
            return self
        many = len(self.entrants)
        ends = np.zeros(int(keep.sum()) + 1, np.int64)
        entrants, place, tied = np.empty(many, np.int64), *np.empty((2, many), self.place.dtype)
        lists = (self.offsets, self.entrants, self.place, self.tied)
        written = compiled()["kept_lists"](keep, lists, (ends, entrants, place, tied))
        return replace(
            self,
            events=self.events[keep],
            entrants=entrants[:written],
            offsets=ends,
            place=place[:written],
            tied=tied[:written],
        )


def ranking_lists(shard: Shard, strata: str) -> Iterator[RankingLists]:
    """Every list of the shard under a rulebook whose policy for strata is ``strata``."""
    for lists in by_line(shard):
        yield from _by_stratum(shard, lists) if strata == "each" else (lists,)


def by_line(shard: Shard) -> Iterator[RankingLists]:
    """The whole field of the events that have one list, then each line of those that have two."""
    everyone = np.arange(len(shard.entrant))
    events = np.arange(len(shard.ids))
    whole = RankingLists("none", events, everyone, shard.entrant_offsets, shard.place, shard.tied)
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
    return RankingLists("none", events, rows, offsets, shard.place[rows], shard.tied[rows])


def _by_stratum(shard: Shard, whole: RankingLists) -> Iterator[RankingLists]:
    several = _several_strata(shard, whole)
    if not several.any():
        yield whole
        return
    yield whole.only(~several)
    stratified = whole.only(several)
    yield replace(stratified, rank="top")
    for stratum in range(1, int(shard.stratum.max(initial=0)) + 1):
        yield from _lower(shard, stratified, stratum)


def _several_strata(shard: Shard, lists: RankingLists) -> NDArray[np.bool_]:
    """Which lists have entrants of more than one stratum."""
    if not len(lists.events):
        return np.empty(0, np.bool_)
    own, starts = shard.stratum[lists.entrants], lists.offsets[:-1]
    differ: NDArray[np.bool_] = np.minimum.reduceat(own, starts) != np.maximum.reduceat(own, starts)
    return differ


def _lower(shard: Shard, whole: RankingLists, stratum: int) -> Iterator[RankingLists]:
    """The list of those eligible in a stratum, in the events that have it below another."""
    many, deepest = len(whole.entrants), int(whole.place.max(initial=0))
    events, ends, rows = (
        np.zeros(n, np.int64) for n in (len(whole.events), len(whole.offsets), many)
    )
    place, tied = np.empty((2, many), whole.place.dtype)
    room = np.zeros((2, deepest + 1), np.int64)
    count, written = compiled()["lower_lists"](
        stratum, (whole.offsets, whole.entrants, whole.place), shard.stratum,
        (events, ends, rows, place, tied), (room[0], room[1]),
    )  # fmt: skip
    if count:
        yield replace(
            whole,
            rank="lower",
            events=whole.events[events[:count]],
            entrants=whole.entrants[rows[:written]],
            offsets=ends[: count + 1],
            place=place[:written],
            tied=tied[:written],
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
