"""Lists of an event that a rulebook refuses, and the places that it counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from honours.engine.policy import check_lines, check_strata
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.lab.column_reading import NOT_SAID
from honours.lab.row_arrays import ranked
from honours.lab.shard_lists import lined_events, stratified_events
from honours.lab.shards import BadEvent, Shard
from honours.lab.tables import LINES


def refused_lists(rulebook: Rulebook, shard: Shard) -> Iterator[BadEvent]:
    """The events with two lines if the rulebook awards only one list, and those with strata if
    it does not provide for them."""
    for check, events in ((check_lines, lined_events), (check_strata, stratified_events)):
        try:
            check(rulebook.id, rulebook.lists, True)
        except InputError as error:
            rows = np.flatnonzero(events(shard))
            yield from (BadEvent(int(shard.ids[row]), error.brief) for row in rows)


def with_ties_of(rulebook: Rulebook, shard: Shard) -> Shard:
    """The shard with the places that the rulebook counts: equal scores tie if it says so. Which
    entrants share a place by score is known from the import, which used
    :func:`honours.engine.ranking.tied_by_score`."""
    shared = shard.of_entrants.get("score_place")
    if rulebook.lists.ties != "score" or shared is None:
        return shard
    order = np.where(shared == NOT_SAID, shard.place, shared)
    line = 0 if shard.line is None else shard.line.astype(np.int64)
    place, tied = ranked(shard.event_of_entrant * (1 + max(LINES)) + line, order)
    kind = shard.place.dtype
    return replace(shard, place=place.astype(kind), tied=tied.astype(kind))
