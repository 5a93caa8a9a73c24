"""The ranking lists of a shard's events: the whole field or each line, and every lower stratum.

The same lists as :mod:`honours.engine.event_awards` makes for one event, for many at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from honours.engine.policy import is_lower
from honours.lab import row_arrays
from honours.lab.shards import Ints, Shard
from honours.lab.tables import LINES

Places = NDArray[np.uint16]
Rows = NDArray[np.int32]
"""Rows of entrants, in a narrow type, because a year is limited by the memory moved."""
Ranks = NDArray[np.uint8]
NONE, TOP, LOWER = range(3)
RANKS = ("none", "top", "lower")
"""Which list of its event it is: the only one, that of the whole field, or that of a lower
stratum."""


@dataclass(frozen=True, slots=True)
class RankingLists:
    """Ranking lists of events: rows of the shard, and places within each list.

    ``rank`` is one of :data:`RANKS`, by number; ``line`` is empty if the event has one list;
    ``entrants`` are rows of the shard's entrants.
    """

    rank: Ranks
    events: Ints
    entrants: Rows
    offsets: Ints
    place: Places
    tied: Places
    line: str = ""

    @property
    def event_of_entrant(self) -> Ints:
        """The row of each entrant's event in the shard."""
        return np.repeat(self.events, np.diff(self.offsets))

    def entrants_of(self, i: int) -> Rows:
        """The rows of the entrants of one list."""
        return self.entrants[self.offsets[i] : self.offsets[i + 1]]

    def only(self, keep: NDArray[np.bool_]) -> RankingLists:
        """The lists of some of the events."""
        if keep.all():
            return self
        many = len(self.entrants)
        ends = np.zeros(int(keep.sum()) + 1, np.int64)
        entrants, place, tied = np.empty(many, np.int32), *np.empty((2, many), self.place.dtype)
        lists = (self.offsets, self.entrants, self.place, self.tied)
        written = row_arrays.kept_lists(keep, lists, (ends, entrants, place, tied))
        return replace(
            self,
            rank=self.rank[keep],
            events=self.events[keep],
            entrants=entrants[:written],
            offsets=ends,
            place=place[:written],
            tied=tied[:written],
        )


def ranking_lists(shard: Shard, strata: str) -> Iterator[RankingLists]:
    """Every list of the shard under a rulebook whose policy for strata is ``strata``, with the
    lists of each line grouped."""
    for lists in by_line(shard):
        yield _with_strata(shard, lists) if strata == "each" else lists


def by_line(shard: Shard) -> Iterator[RankingLists]:
    """The whole field of events with one list, then each line of those with two."""
    everyone = np.arange(len(shard.entrant), dtype=np.int32)
    events = np.arange(len(shard.ids))
    none = np.full(len(events), NONE, np.uint8)
    whole = RankingLists(none, events, everyone, shard.entrant_offsets, shard.place, shard.tied)
    lined = lined_events(shard)
    if not lined.any():
        yield whole
        return
    yield whole.only(~lined)
    for number, name in LINES.items():
        rows = np.flatnonzero(shard.line == number).astype(np.int32)
        yield replace(_of_rows(shard, rows), line=name)


def lined_events(shard: Shard) -> NDArray[np.bool_]:
    """Which events rank each line separately."""
    lined = np.zeros(len(shard.ids), np.bool_)
    if shard.line is not None:
        lined[shard.event_of_entrant[shard.line > 0]] = True
    return lined


def stratified_events(shard: Shard) -> NDArray[np.bool_]:
    """Which events have strata: somebody is below the highest stratum in it."""
    lower = np.zeros(len(shard.ids), np.bool_)
    if shard.stratum.max(initial=0) > 0:
        lower[shard.event_of_entrant[shard.stratum > 0]] = True
    return lower


def _of_rows(shard: Shard, rows: Rows) -> RankingLists:
    """The lists of these entrants with their given places."""
    events, counts = np.unique(shard.event_of_entrant[rows], return_counts=True)
    offsets = np.concatenate(([0], np.cumsum(counts)))
    none = np.full(len(events), NONE, np.uint8)
    return RankingLists(none, events, rows, offsets, shard.place[rows], shard.tied[rows])


def lower_strata(shard: Shard) -> NDArray[np.bool_]:
    """For each event and stratum, whether it has a list of its own besides that of the whole
    field."""
    strata = np.arange(int(shard.stratum.max(initial=0)) + 1)
    there = np.zeros((len(shard.ids), len(strata)), np.bool_)
    row_arrays.strata_there(shard.entrant_offsets, shard.stratum, there)
    lower: NDArray[np.bool_] = there & is_lower(strata, np.argmax(there, axis=1)[:, None])
    return lower


def _with_strata(shard: Shard, whole: RankingLists) -> RankingLists:
    """Every list, followed by those eligible in each lower stratum where an event has several."""
    strata = int(shard.stratum.max(initial=0))
    if not strata:
        return whole
    below = lower_strata(shard)[whole.events]
    most = (strata + 1) * len(whole.events)
    rank, of, ends = (
        np.empty(most, np.uint8),
        np.empty(most, np.int64),
        np.zeros(most + 1, np.int64),
    )
    room = (strata + 1) * len(whole.entrants)
    rows, (place, tied) = np.empty(room, np.int32), np.empty((2, room), whole.place.dtype)
    count, written = row_arrays.lists_of_strata(
        (whole.offsets, whole.entrants, whole.place, whole.tied),
        (shard.stratum, below),
        (rank, of, ends, rows, place, tied),
        np.zeros((2, int(whole.place.max(initial=0)) + 1), np.int64),
    )
    return replace(
        whole,
        rank=rank[:count],
        events=whole.events[of[:count]],
        entrants=rows[:written],
        offsets=ends[: count + 1],
        place=place[:written],
        tied=tied[:written],
    )
