"""What of an event's lists a rulebook refuses, and the places that it counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from honours.engine.policy import check_lines
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.lab.reading import NOT_SAID
from honours.lab.shard_lists import lined_events
from honours.lab.shards import Bad, Shard


def refused_lines(rulebook: Rulebook, shard: Shard) -> Iterator[Bad]:
    """The events of two lines, where the rulebook awards one list."""
    lined = lined_events(shard)
    try:
        check_lines(rulebook.id, rulebook.lists, bool(lined.any()))
    except InputError as error:
        yield from (Bad(int(shard.ids[row]), error.brief) for row in np.flatnonzero(lined))


def with_ties_of(rulebook: Rulebook, shard: Shard) -> Shard:
    """The shard with the places that the rulebook counts: equal scores tie where it says so."""
    shared = shard.of_entrants.get("score_place")
    if rulebook.lists.ties != "score" or shared is None:
        return shard
    place = np.where(shared == NOT_SAID, shard.place, shared).astype(shard.place.dtype)
    line = np.zeros(len(place), np.int64) if shard.line is None else shard.line.astype(np.int64)
    group = (shard.event_of_entrant * 4 + line) << 16 | place
    _, of, counts = np.unique(group, return_inverse=True, return_counts=True)
    return replace(shard, place=place, tied=counts[of].astype(shard.tied.dtype))
