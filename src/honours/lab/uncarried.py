"""What a rulebook makes of an event's lists, and what of it a corpus does not carry.

A corpus keeps places, not scores, and knows no sections: what needs them is refused or set aside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.lab.asked import is_unsaid
from honours.lab.lists import lined_events
from honours.lab.reading import NOT_SAID
from honours.lab.shards import Bad, Ints, Shard

_NUMBERED = ("stratum_level", "stratum_entrants")


def check_carried(rulebook: Rulebook) -> None:
    """Refuse a rulebook of which no event of a corpus can be awarded."""
    if rulebook.lists.section_facts:
        raise InputError(
            f"{rulebook.id} awards every section of an event by itself, and a corpus does not "
            "keep sections: award the files one by one, with `honours award`"
        )


def not_carried(rulebook: Rulebook, shard: Shard) -> Iterator[Bad]:
    """The events whose lists a corpus does not carry as this rulebook wants them, and why."""
    policy, book = rulebook.lists, rulebook.id
    lines = {
        "refused": f"{book} awards one ranking list; this event has two lines",
        "one": f"{book} ranks both lines together by score, which a corpus does not keep",
        "each and all": f"{book} ranks both lines together too, by score, which a corpus does "
        "not keep",
    }.get(policy.lines)
    if lines:
        yield from _bad(shard, np.flatnonzero(lined_events(shard)), lines)
    if policy.strata == "each" and any(name in rulebook.inputs for name in _NUMBERED):
        why = f"{book} asks which stratum a list is of, by number, which a corpus does not tell"
        yield from _bad(shard, np.unique(shard.event_of_entrant[shard.stratum > 0]), why)
    if "boards_of_sessions" in rulebook.inputs:
        why = f"{book} counts the deals of each session, which differ and a corpus does not keep"
        yield from _bad(shard, _of_several_lengths(shard), why)
    present = shard.of_entrants.get(policy.present)
    if present is not None:
        why = f"{book} leaves out who played nothing, and the places of the others then change"
        yield from _bad(shard, np.unique(shard.event_of_entrant[present == 0]), why)


def _of_several_lengths(shard: Shard) -> Ints:
    """The events that tell the boards of their shortest session, and none that each one had."""
    shortest, each = (shard.events.get(name) for name in ("stage_boards", "boards_per_session"))
    if shortest is None:
        return np.empty(0, np.int64)
    unsaid = np.ones(len(shard.ids), np.bool_) if each is None else is_unsaid(each)
    return np.flatnonzero(~is_unsaid(shortest) & unsaid)


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


def _bad(shard: Shard, rows: Ints, why: str) -> Iterator[Bad]:
    for row in rows:
        yield Bad(int(shard.ids[row]), why)
