"""What several sides pay in every event, so that like is compared with like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from honours.lab.compared_sides import Side
from honours.lab.corpus import Corpus
from honours.lab.few_members import are_few, hold_back_few, some_members
from honours.lab.left_out import counts_by_reason, reasons
from honours.lab.result import Progress, unwatched
from honours.lab.shard_awards import SCALE, award_shard
from honours.lab.shard_work import each_shard, is_tenth, pieces_of
from honours.lab.shards import Ints, Shard

Bools = NDArray[np.bool_]
"""Called with how much is done, out of how much, and the interim result."""


@dataclass(frozen=True, slots=True)
class ShardTotals:
    """For each side and event of a shard: points to players, what each player of the best-paid
    entrant gets, how many players get something, and whether the side awards the event."""

    to_players: Ints
    firsts: Ints
    paid: Ints
    awarded: Bools
    left: Counter[str]
    spoilt: int = 0
    """How many events at least one side cannot work out."""
    members: frozenset[int] = frozenset()
    """Some members who played where all sides award: enough of them to allow showing figures."""


def shard_totals(sides: Sequence[Side], shard: Shard) -> ShardTotals:
    """What the sides pay in a shard."""
    many = len(shard.ids)
    totals, firsts, paid = (np.zeros((len(sides), many), np.int64) for _ in range(3))
    awarded = np.zeros((len(sides), many), np.bool_)
    left = Counter(bad.why for bad in shard.bad)
    known, spoilt = np.zeros(many, np.bool_), set[int]()
    starts = shard.entrant_offsets[:-1]
    for k, side in enumerate(sides if many else ()):
        awards = award_shard(side, shard)
        totals[k] = np.add.reduceat(awards.to_players(shard), starts)
        firsts[k] = np.maximum.reduceat(awards.amounts, starts)
        paid[k] = np.add.reduceat(awards.players_paid(shard), starts)
        awarded[k] = ~awards.refused
        spoilt |= {bad.event for bad in awards.bad}
        if awards.refused.any() and not known.all():
            codes, names = reasons(side, shard, awards)
            left += counts_by_reason(codes, names, ~known)
            known |= codes >= 0
    members = some_members(shard, np.flatnonzero(awarded.all(axis=0)))
    return ShardTotals(totals, firsts, paid, awarded, left, len(spoilt), members)


@dataclass
class EventTotals:
    """The same over a corpus, for the events that all sides award."""

    sides: Sequence[Side]
    left: Counter[str] = field(default_factory=Counter)
    _parts: list[ShardTotals] = field(default_factory=list)

    def add(self, part: ShardTotals) -> None:
        both = part.awarded.all(axis=0)
        kept = ShardTotals(
            part.to_players[:, both],
            part.firsts[:, both],
            part.paid[:, both],
            part.awarded[:, both],
            part.left,
            part.spoilt,
            part.members,
        )
        self._parts.append(kept)
        self.left += part.left

    def _joined(self, name: str) -> Ints:
        empty = np.zeros((len(self.sides), 0), np.int64)
        return np.concatenate([empty, *(getattr(p, name) for p in self._parts)], axis=1)

    @property
    def events(self) -> int:
        return sum(part.awarded.shape[1] for part in self._parts)

    @property
    def members(self) -> frozenset[int]:
        """Some of the members who played in these events."""
        return frozenset[int]().union(*(part.members for part in self._parts))

    @property
    def spoilt(self) -> int:
        """How many events at least one side cannot work out."""
        return sum(part.spoilt for part in self._parts)

    def to_players(self, side: int) -> Ints:
        """Points to players, event by event."""
        joined: Ints = self._joined("to_players")[side]
        return joined

    def total(self, side: int) -> float:
        return float(self.to_players(side).sum()) / SCALE

    def mean_first(self, side: int) -> float:
        firsts = self._joined("firsts")[side]
        return float(firsts.mean()) / SCALE if len(firsts) else 0.0

    def players_paid(self, side: int) -> int:
        return int(self._joined("paid")[side].sum())


def event_totals(
    corpus: Corpus,
    sides: Sequence[Side],
    progress: Progress = unwatched,
    on: str = "",
    so_far: Callable[[EventTotals], str] | None = None,
) -> EventTotals:
    """What the sides pay in the events that all of them award; ``so_far`` puts the interim
    result into words after every tenth of the shards."""
    totals, known = EventTotals(sides), ""
    pieces = len(pieces_of(corpus))
    for done, part in enumerate(each_shard(corpus, partial(shard_totals, tuple(sides)), on), 1):
        totals.add(part)
        if so_far and is_tenth(done, pieces) and not are_few(totals.members):
            known = so_far(totals)
        progress(done, pieces, known)
    hold_back_few(totals.members)
    return totals
