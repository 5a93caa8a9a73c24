"""Figures of so few members that they would be about somebody are held back."""

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
"""A group of fewer is never shown by itself."""


def some_members(shard: Shard, events: Ints) -> frozenset[int]:
    """Members who played in some events of a shard, given by row: as many as it takes to show."""
    members: set[int] = set()
    for row in events.tolist():
        first, last = shard.player_offsets[shard.entrant_offsets[row : row + 2]]
        members.update(shard.player[first:last].tolist())
        if len(members) >= FEW_MEMBERS:
            break
    return frozenset(members)


def are_few(members: Collection[int]) -> bool:
    """Whether figures of these members would be about somebody."""
    return 0 < len(members) < FEW_MEMBERS


def hold_back_few(members: Collection[int]) -> None:
    """Refuse to answer about so few."""
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
    """Which groups are shown as one: those of few. Where even ``together`` these are few, the
    smallest of the others goes with them: they could be told from the whole by subtraction."""
    small: Bools = (many > 0) & (many < least)
    others = many >= least
    if small.any() and others.any():
        all_small = int(many[small].sum()) if together is None else together(small)
        if all_small < least:
            small[np.argmin(np.where(others, many, np.inf))] = True
    return small


def hold_back_small(corpus: Corpus) -> None:
    """Refuse what is told of a corpus as a whole where it has few members."""
    members: set[int] = set()
    for group in _players(corpus):
        members.update(np.unique(group)[:FEW_MEMBERS].tolist())
        if len(members) >= FEW_MEMBERS:
            return
    hold_back_few(members)


def _players(corpus: Corpus) -> Iterator[Ints]:
    """The members of each row group that can be read."""
    for number in corpus.shards:
        path = store.shard_file(corpus.folder, "players", number)
        file = store.open_file(path)
        for group in range(file.num_row_groups):
            with suppress(HonoursError):
                yield store.read_group(path, file, group, ["player"])["player"].to_numpy()
