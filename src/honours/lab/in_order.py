"""A corpus in the order of its days: blocks of consecutive events, each small enough for memory.

Shards are not ordered by time. If all events fit into one block, they are kept as read; otherwise
every shard is divided by block into files, and each block is assembled from its own files.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from honours.lab.column_reading import NOT_SAID
from honours.lab.shards import Ints, Shard, together

AT_A_TIME = 200_000
"""The number of entrants in a block."""

Read = Callable[[], Iterator[Shard]]
"""Reads every shard of a corpus."""


def days_of(shard: Shard) -> Ints:
    """The day of each event, since 1970; ``NOT_SAID`` where it is not known."""
    days = shard.events.get("date")
    if days is None:
        return np.full(len(shard.ids), NOT_SAID, np.int64)
    days_since: Ints = days.astype(np.int64)
    return days_since


@dataclass(frozen=True, slots=True)
class CorpusOverview:
    """The result of a first pass: the block of each dated event, by event number, and whether
    anybody plays in two events."""

    ids: Ints
    block: Ints
    meets_again: bool
    kept: tuple[Shard, ...] = ()
    """The shards themselves, if they form a single block."""

    @property
    def blocks(self) -> int:
        return int(self.block.max(initial=-1)) + 1

    def block_of(self, shard: Shard) -> Ints:
        """The block of each event of a shard, -1 for an undated one."""
        if not len(self.ids):
            return np.full(len(shard.ids), -1, np.int64)
        at = np.minimum(np.searchsorted(self.ids, shard.ids), len(self.ids) - 1)
        return np.where(self.ids[at] == shard.ids, self.block[at], -1)


def look_over(read: Read) -> CorpusOverview:
    """Read a corpus once to find the order of its events and who plays in them."""
    events: list[NDArray[np.int64]] = []
    kept: list[Shard] | None = []
    seen, again, many = np.zeros(0, np.bool_), False, 0
    for shard in read():
        events.append(np.stack([days_of(shard), shard.ids.astype(np.int64), shard.sizes]))
        seen = np.append(seen, np.zeros(max(0, int(shard.player.max(initial=-1)) + 1 - len(seen))))
        seen, again = seen.astype(np.bool_), again or _meet_again(shard, seen)
        many += len(shard.entrant)
        kept = [*kept, shard] if kept is not None and many <= AT_A_TIME else None
    days, ids, sizes = np.concatenate([*events, np.zeros((3, 0), np.int64)], axis=1)
    order = np.lexsort((ids, days))
    order = order[days[order] != NOT_SAID]
    before = np.cumsum(sizes[order]) - sizes[order]
    by_id = np.argsort(ids[order])
    block = (before // AT_A_TIME)[by_id]
    return CorpusOverview(ids[order][by_id], block, again or len(ids) < 2, tuple(kept or ()))


def _meet_again(shard: Shard, seen: NDArray[np.bool_]) -> bool:
    """Whether somebody in a shard was seen before or is in two of its events; marks all of them
    as seen."""
    again = bool(seen[shard.player].any())
    seen[shard.player] = True
    return again or len(np.unique(shard.player)) < len(shard.player)


def blocks_in_order(read: Read, overview: CorpusOverview) -> Iterator[list[Shard]]:
    """The dated events, block after block, each block in as few shards as possible."""
    if overview.kept:
        dated = (
            shard.only(np.flatnonzero(overview.block_of(shard) >= 0)) for shard in overview.kept
        )
        yield list(together([shard for shard in dated if len(shard.ids)]))
        return
    with TemporaryDirectory(prefix="honours-in-order-") as folder:
        for shard in read():
            _part(Path(folder), shard, overview.block_of(shard))
        for block in range(overview.blocks):
            yield list(together(_parts(Path(folder) / str(block))))


def _part(folder: Path, shard: Shard, block: Ints) -> None:
    """Add the events of a shard to the files of their blocks."""
    for number in np.unique(block[block >= 0]).tolist():
        own = replace(shard.only(np.flatnonzero(block == number)), history=None)
        with (folder / str(number)).open("ab") as file:
            pickle.dump(own, file, pickle.HIGHEST_PROTOCOL)


def _parts(path: Path) -> list[Shard]:
    parts: list[Shard] = []
    with path.open("rb") as file:
        while file.peek(1):
            parts.append(pickle.load(file))  # written by this very process
    path.unlink()
    return parts
