"""Holds back figures about so few members that they could identify somebody."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from honours.errors import HonoursError, InputError
from honours.lab import store
from honours.lab.corpus import Corpus
from honours.lab.shards import Ints, Shard
from honours.model.message import plural

Bools = NDArray[np.bool_]
FEW_MEMBERS = 10
"""A smaller group is never shown by itself."""


def some_members(shard: Shard, events: Ints) -> frozenset[int]:
    """Members who played in the given events (rows of a shard), stopping once there are enough
    of them to show figures."""
    members: set[int] = set()
    for row in events.tolist():
        first, last = shard.player_offsets[shard.entrant_offsets[row : row + 2]]
        members.update(shard.player[first:last].tolist())
        if len(members) >= FEW_MEMBERS:
            break
    return frozenset(members)


def are_few(members: Collection[int]) -> bool:
    """Whether figures about these members could identify somebody."""
    return 0 < len(members) < FEW_MEMBERS


def hold_back_few(members: Collection[int]) -> None:
    """Refuse to answer about so few members."""
    if are_few(members):
        raise InputError(
            "held back: this would be about {members}, and figures of fewer than {least} could "
            "single somebody out",
            members=plural("{count} member", "{count} members", count=len(members)),
            least=FEW_MEMBERS,
        )


def to_merge(
    many: Ints, together: Callable[[Bools], int] | None = None, least: int = FEW_MEMBERS
) -> Bools:
    """Which groups must be shown as one: those with few members. If these have few members even
    ``together``, the smallest other group joins them, because they could otherwise be found by
    subtracting from the total."""
    small: Bools = (many > 0) & (many < least)
    others = many >= least
    if small.any() and others.any():
        all_small = int(many[small].sum()) if together is None else together(small)
        if all_small < least:
            small[np.argmin(np.where(others, many, np.inf))] = True
    return small


def hold_back_small(corpus: Corpus) -> None:
    """Refuse to describe a whole corpus that has few members."""
    members: set[int] = set()
    for group in _players(corpus):
        members.update(np.unique(group)[:FEW_MEMBERS].tolist())
        if len(members) >= FEW_MEMBERS:
            return
    hold_back_few(members)


def _players(corpus: Corpus) -> Iterator[Ints]:
    """The members of each readable row group."""
    for number in corpus.shards:
        path = store.shard_file(corpus.folder, "players", number)
        file = store.open_file(path)
        for group in range(file.num_row_groups):
            with suppress(HonoursError):
                yield store.read_group(path, file, group, ["player"])["player"].to_numpy()
