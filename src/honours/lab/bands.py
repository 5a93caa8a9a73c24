"""The groups a comparison can be broken down by: class, kind, sessions, size, strength, flight,
stratum."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from honours.lab.column_reading import NOT_SAID
from honours.lab.shards import Ints, Shard
from honours.lab.word_column import WordColumn
from honours.model.message import Message

SIZES = (0, 8, 16, 24, 32, 41, 60, 100, 200)
"""Tables; 41 and 60 are the bounds mentioned in the 2011 source."""
STRENGTHS = (0, 250, 500, 1000, 1250, 2000, 3500, 5000)
"""Mean holding of a field's players."""
HOLDINGS = (0, 50, 100, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 10000)
"""The ranges of the 2020 source."""

NOT_KNOWN = Message("not said")
"""The band of events whose value is unknown."""

EVENT_GROUPS = ("class", "kind", "sessions", "size", "strength", "flight")
PLAYER_GROUPS = ("stratum", "holding")
"""Groups that divide the players of one event."""
GROUPS = (*EVENT_GROUPS, *PLAYER_GROUPS)


def band_names(edges: Sequence[int]) -> list[str]:
    """``0–8, 8–16, …, 200 and more``."""
    between = [f"{low:,}–{high:,}" for low, high in pairwise(edges)]
    return [*between, Message("{least:,} and more", least=edges[-1])]


def tables_of(shard: Shard) -> NDArray[np.float64]:
    """Tables of each event: two pairs, one team or four individuals to a table."""
    kinds = shard.events.get("kind", np.full(len(shard.ids), ""))
    each = np.where(kinds == "pairs", 2.0, np.where(kinds == "individual", 4.0, 1.0))
    tables: NDArray[np.float64] = shard.sizes / each
    return tables


def mean_holdings(shard: Shard) -> NDArray[np.float64]:
    """The mean holding of each event's players; negative if a holding is not known."""
    starts = shard.player_offsets[shard.entrant_offsets]
    total = np.add.reduceat(np.append(shard.holding, 0).astype(np.int64), starts[:-1])
    mean: NDArray[np.float64] = total / np.maximum(1, np.diff(starts)) / 100.0
    return mean


def banded(values: NDArray[np.float64], edges: Sequence[int]) -> tuple[Ints, list[str]]:
    """The band of each value; a value below all bands is unknown and gets the last one."""
    codes = np.searchsorted(edges, values, "right") - 1
    return np.where(codes < 0, len(edges), codes), [*band_names(edges), NOT_KNOWN]


def event_codes(shard: Shard, group: str) -> tuple[Ints, list[str]]:
    """Which group each event is in, and the names of the groups."""
    if group == "size":
        return banded(tables_of(shard), SIZES)
    if group == "strength":
        return banded(mean_holdings(shard), STRENGTHS)
    if group not in shard.events:
        return np.zeros(len(shard.ids), np.int64), [NOT_KNOWN]
    column = shard.events[group]
    words = column if isinstance(column, WordColumn) else None
    there, codes = np.unique(column if words is None else words.codes, return_inverse=True)
    texts = [str(n) if words is None else words.words[n] for n in there.tolist()]
    order = np.argsort(texts) if words else np.arange(len(texts))
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    return number[np.reshape(codes, -1)], [_name(texts[n]) for n in order]


def _name(text: str) -> str:
    return NOT_KNOWN if text in ("", str(NOT_SAID)) else text


def stratum_name(number: int) -> str:
    """Stratum 0 is A, the highest."""
    return chr(ord("A") + number)


def player_group_names(group: str) -> list[str]:
    """The names of the groups that divide the players of one event."""
    if group == "stratum":
        return [stratum_name(number) for number in range(26)]
    return [*band_names(HOLDINGS), NOT_KNOWN]
