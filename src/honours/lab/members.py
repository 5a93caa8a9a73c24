"""What every member is paid under either side: who gains, who loses, and how certain that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.lab import bands
from honours.lab.few_members import FEW_MEMBERS, to_merge
from honours.lab.intervals import LEVEL
from honours.lab.shard_awards import SCALE
from honours.lab.shards import Ints, Shard
from honours.lab.tallies import MERGED, ShardOfBoth

_UNSEEN = -1
_NEVER = np.iinfo(np.int64).max
_FEWEST = 10
_RESAMPLES = 100
_SAMPLED = 2000
"""About how many members are followed through the resamples."""
_SEED = 20


def _empty() -> Ints:
    return np.zeros(0, np.int64)


@dataclass
class MemberTotals:
    """What every member is paid under either side, and each member's holding when first seen."""

    a: Ints = field(default_factory=_empty)
    b: Ints = field(default_factory=_empty)
    held: Ints = field(default_factory=_empty)
    every: int = 0
    """One in this many members is followed event by event."""
    followed: list[tuple[Ints, Ints, Ints]] = field(default_factory=list)
    events: int = 0

    def __post_init__(self) -> None:
        self._first: Ints = np.zeros(0, np.int64)

    def room(self, shard: Shard) -> tuple[Ints, Ints, Ints, Ints]:
        """The arrays in which to add up what the members of a shard are paid under either side,
        and to record the event in which each was first seen and the holding there."""
        self._grow(int(shard.player.max(initial=-1)) + 1)
        return self.a, self.b, self._first, self.held

    @property
    def _seen(self) -> NDArray[np.bool_]:
        seen: NDArray[np.bool_] = self._first < _NEVER
        return seen

    @property
    def seen(self) -> list[int]:
        """The members who played."""
        members: list[int] = np.flatnonzero(self._seen).tolist()
        return members

    def follow(self, both: ShardOfBoth) -> None:
        """Keep the payments of the followed members event by event, for a shard already added
        up."""
        shard = both.shard
        self.every = self.every or max(1, int(self._seen.sum()) // _SAMPLED)
        rows = np.flatnonzero(shard.player % self.every == 0)
        entrants = np.searchsorted(shard.player_offsets, rows, "right") - 1
        events = np.searchsorted(shard.entrant_offsets, entrants, "right") - 1
        kept = both.compared[events]
        rows, entrants, events = rows[kept], entrants[kept], events[kept]
        change = both.b.of_rows(rows, entrants) - both.a.of_rows(rows, entrants)
        self.followed.append((shard.player[rows].astype(np.int64), events + self.events, change))
        self.events += len(shard.ids)

    def _grow(self, size: int) -> None:
        more = size - len(self.a)
        if more > 0:
            self.a = np.append(self.a, np.zeros(more, np.int64))
            self.b = np.append(self.b, np.zeros(more, np.int64))
            self.held = np.append(self.held, np.full(more, _UNSEEN))
            self._first = np.append(self._first, np.full(more, _NEVER))

    @property
    def change(self) -> Ints:
        """The change of every member seen."""
        change: Ints = (self.b - self.a)[self._seen]
        return change

    def rows(self) -> list[dict[str, Any]]:
        """How many gain and lose, by holding and in total; small groups are merged."""
        change = self.change
        codes, names = bands.banded(self.held[self._seen] / 100.0, bands.HOLDINGS)
        counts = np.bincount(codes, minlength=len(names))
        small = to_merge(counts)
        shares = self._resampled(len(names))
        rows = [
            {"holding": name, **_gains(change[codes == k], shares[k])}
            for k, name in enumerate(names)
            if counts[k] and not small[k]
        ]
        together = small[codes]
        if together.any():
            rows.append({"holding": MERGED, **_gains(change[together], None)})
        return [*rows, {"holding": "all", **_gains(change, shares[-1])}]

    def _resampled(self, many: int) -> list[tuple[float, float] | None]:
        """The interval of the share that gains, by band of holding and finally for all: events
        are resampled, and the payments of the followed members are added up over the events
        drawn."""
        if not self.followed or self.events < FEW_MEMBERS:
            return [None] * (many + 1)
        who, event, change = (np.concatenate(c) for c in zip(*self.followed, strict=True))
        people, at = np.unique(who, return_inverse=True)
        codes, _ = bands.banded(self.held[people] / 100.0, bands.HOLDINGS)
        random = np.random.default_rng(_SEED)
        drawn = np.empty((_RESAMPLES, many + 1))

        def shares(weight: Ints) -> tuple[NDArray[np.float64], float]:
            own = weight[event]
            total = np.bincount(at, own * change, len(people))
            played = np.bincount(at, own, len(people)) > 0
            gain = (total > 0) & played
            of = np.bincount(codes[played], minlength=many)
            gains = np.bincount(codes[gain], minlength=many)
            with np.errstate(invalid="ignore"):
                share = 100 * np.append(gains / of, gain.sum() / played.sum())
            return share, float(total.std())

        spread = np.empty(_RESAMPLES)
        for k in range(_RESAMPLES):
            again = random.integers(0, self.events, self.events)
            drawn[k], spread[k] = shares(np.bincount(again, minlength=self.events))
        seen, own_spread = shares(np.ones(self.events, np.int64))
        wider = max(1.0, float(spread.mean()) / own_spread) if own_spread else 1.0
        return [_around(share, one, wider) for share, one in zip(seen, drawn.T, strict=True)]


def _around(seen: float, drawn: NDArray[np.float64], wider: float) -> tuple[float, float] | None:
    """The interval around the observed value. A resample repeats luck: its members are ``wider``
    times as spread out as in the history, so fewer come out ahead and shares move less."""
    sound = drawn[np.isfinite(drawn)]
    if len(sound) <= _FEWEST or not np.isfinite(seen):
        return None
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.percentile((sound - sound.mean()) * wider, (tail, 100 - tail))
    return max(0.0, float(seen + low)), min(100.0, float(seen + high))


def _gains(change: Ints, share: tuple[float, float] | None) -> dict[str, Any]:
    gain = int((change > 0).sum())
    low, high = share or (None, None)
    return {
        "members": len(change),
        "gain": gain,
        "lose": int((change < 0).sum()),
        "unchanged": int((change == 0).sum()),
        "gain %": 100 * gain / len(change) if len(change) else None,
        "from (95%)": low,
        "to (95%)": high,
        "mean change": float(change.mean()) / SCALE if len(change) else 0.0,
    }
