"""What a broken promise costs on a corpus: how many of its events it touches, and how many points.

Every event of the corpus is awarded as it was and again in the form the promise compares it with:
without the last entrant, with everybody a little stronger, with its tie untied, at half its length,
or without its limit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns.batch import spans
from honours.engine.rulebook import Rulebook
from honours.lab.audit import reshaped_events
from honours.lab.column_reading import NOT_SAID
from honours.lab.corpus import Corpus
from honours.lab.shard_awards import SCALE, ShardAwards, award_shard
from honours.lab.shard_work import each_shard
from honours.lab.shards import Ints, Shard

Bools = NDArray[np.bool_]
_STRONGER = 1.05
_ROUNDING = 100
"""How far rounding may move an award, in ten-thousandths."""


@dataclass(frozen=True, slots=True)
class BreachCost:
    """How many events could be tried, in how many of them the promise is broken, and by how many
    points to players."""

    tried: int
    events: int
    cost: float


def touched(rulebook: Rulebook, promise: str, corpus: Corpus, on: str = "") -> BreachCost | None:
    """What a broken promise costs; nothing if the corpus cannot tell."""
    if promise not in _WAYS:
        return None
    counts = list(each_shard(corpus, partial(_in_shard, rulebook, promise), on))
    tried, events, cost = (sum(part[k] for part in counts) for k in range(3))
    return BreachCost(int(tried), int(events), float(cost) / SCALE)


def _in_shard(rulebook: Rulebook, promise: str, shard: Shard) -> tuple[int, int, int]:
    if not len(shard.ids):
        return 0, 0, 0
    awards = award_shard(rulebook, shard)
    tried, loss = _WAYS[promise](rulebook, shard, awards)
    tried &= ~awards.refused
    loss = np.where(tried, loss, 0)
    broken = loss > _ROUNDING
    return int(tried.sum()), int(broken.sum()), int(loss[broken].sum())


def _by_event(shard: Shard, each: Ints) -> Ints:
    """Points to players per event, summed from what each entrant's players gain or lose."""
    to_players = each * np.diff(shard.player_offsets)
    summed: Ints = np.add.reduceat(to_players, shard.entrant_offsets[:-1])
    return summed


def _newcomer(book: Rulebook, shard: Shard, awards: ShardAwards) -> tuple[Bools, Ints]:
    """What the others lose because the last entrant took part."""
    order = np.lexsort((shard.place, shard.event_of_entrant))
    last = order[shard.entrant_offsets[1:] - 1]
    keep = np.ones(len(shard.entrant), np.bool_)
    keep[last] = False
    tried = shard.sizes > 2
    keep[last[~tried]] = True
    without = _only(shard, keep, last[tried])
    fewer = award_shard(book, without)
    loss = np.zeros(len(shard.entrant), np.int64)
    loss[keep] = np.maximum(0, fewer.amounts - awards.amounts[keep])
    tried &= ~fewer.refused
    return tried, _by_event(shard, np.where(loss > _ROUNDING, loss, 0))


def _only(shard: Shard, keep: Bools, gone: Ints) -> Shard:
    """The shard without the given entrants, at most one per event, and with ties reduced to
    match."""
    rows = np.flatnonzero(keep)
    tied = shard.tied.astype(np.int64)
    of = shard.event_of_entrant
    place_gone = np.zeros(len(shard.ids), np.int64)
    line_gone = np.zeros(len(shard.ids), np.int64)
    place_gone[of[gone]] = shard.place[gone]
    line = np.zeros(len(of), np.int64) if shard.line is None else shard.line.astype(np.int64)
    line_gone[of[gone]] = line[gone]
    shared = (shard.place == place_gone[of]) & (line == line_gone[of]) & (place_gone[of] > 0)
    tied = tied - shared
    counts = np.diff(shard.player_offsets)[rows]
    at = spans(shard.player_offsets[rows], counts)
    sizes = np.bincount(of[rows], minlength=len(shard.ids))
    return replace(
        shard,
        entrant=shard.entrant[rows],
        stratum=shard.stratum[rows],
        place=shard.place[rows],
        tied=tied[rows].astype(shard.tied.dtype),
        line=None if shard.line is None else shard.line[rows],
        player=shard.player[at],
        holding=shard.holding[at],
        entrant_offsets=np.concatenate(([0], np.cumsum(sizes))),
        player_offsets=np.concatenate(([0], np.cumsum(counts))),
        of_entrants={n: c[rows] for n, c in shard.of_entrants.items()},
        of_players={n: c[at] for n, c in shard.of_players.items()},
    )


def _stronger(book: Rulebook, shard: Shard, awards: ShardAwards) -> tuple[Bools, Ints]:
    """What players lose if everybody holds a twentieth more."""
    known = shard.holding != NOT_SAID
    raised = np.where(known, shard.holding * _STRONGER, shard.holding).astype(np.int32)
    after = award_shard(book, replace(shard, holding=raised))
    loss = np.maximum(0, awards.amounts - after.amounts)
    return ~after.refused, _by_event(shard, np.where(loss > _ROUNDING, loss, 0))


def _place(_: Rulebook, shard: Shard, awards: ShardAwards) -> tuple[Bools, Ints]:
    """By how much a place earns more than the one above it, in events of one stratum and one
    line."""
    order = np.lexsort((shard.place, shard.event_of_entrant))
    amounts, of = awards.amounts[order], shard.event_of_entrant[order]
    more = np.zeros(len(order), np.int64)
    more[1:] = np.where(of[1:] == of[:-1], np.maximum(0, amounts[1:] - amounts[:-1]), 0)
    loss = np.zeros(len(order), np.int64)
    loss[order] = more
    plain = np.maximum.reduceat(shard.stratum, shard.entrant_offsets[:-1]) == 0
    if shard.line is not None:
        plain &= np.maximum.reduceat(shard.line, shard.entrant_offsets[:-1]) == 0
    return plain, _by_event(shard, loss)


def _ties(book: Rulebook, shard: Shard, awards: ShardAwards) -> tuple[Bools, Ints]:
    """How much more or less the ties of an event pay than the same places untied."""
    of = shard.event_of_entrant
    line = np.zeros(len(of), np.int64) if shard.line is None else shard.line.astype(np.int64)
    order = np.lexsort((shard.place, line, of))
    group = (of * 4 + line)[order]
    starts = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
    sizes = np.diff(np.append(starts, len(group)))
    place = np.empty(len(of), np.int64)
    place[order] = spans(np.ones(len(starts), np.int64), sizes)
    one = np.ones(len(of), np.int64)
    untied = replace(
        shard, place=place.astype(shard.place.dtype), tied=one.astype(shard.tied.dtype)
    )
    after = award_shard(book, untied)
    change = np.abs(_by_event(shard, awards.amounts) - _by_event(shard, after.amounts))
    tied = np.add.reduceat((shard.tied > 1).astype(np.int64), shard.entrant_offsets[:-1])
    players = np.add.reduceat(np.diff(shard.player_offsets), shard.entrant_offsets[:-1])
    rounding = _ROUNDING * tied * players // np.maximum(1, shard.sizes)
    return (tied > 0) & ~after.refused, np.where(change > rounding, change, 0)


def _with_events(shard: Shard, **columns: NDArray[np.int64]) -> Shard:
    return replace(shard, events={**shard.events, **columns})


def _length(book: Rulebook, shard: Shard, awards: ShardAwards) -> tuple[Bools, Ints]:
    """What an event of an even number of sessions pays compared with two events of half the
    length."""
    sessions = shard.events.get("sessions")
    if sessions is None:
        return np.zeros(len(shard.ids), np.bool_), np.zeros(len(shard.ids), np.int64)
    whole = sessions.astype(np.int64)
    tried = (whole > 0) & (whole % 2 == 0)
    half = award_shard(book, _with_events(shard, sessions=np.where(tried, whole // 2, whole)))
    once, twice = (_by_event(shard, a.amounts) for a in (awards, half))
    off = np.abs(once - 2 * twice)
    return tried & ~half.refused, np.where(off * 100 > 2 * twice, off, 0)


def _limit(book: Rulebook, shard: Shard, awards: ShardAwards) -> tuple[Bools, Ints]:
    """What an event with a limit pays compared with the same event without one."""
    limit = shard.events.get("limit")
    if limit is None:
        return np.zeros(len(shard.ids), np.bool_), np.zeros(len(shard.ids), np.int64)
    whole = limit.astype(np.int64)
    free = award_shard(book, _with_events(shard, limit=np.where(whole > 0, 0, whole)))
    off = np.abs(awards.amounts - free.amounts)
    return (whole > 0) & ~free.refused, _by_event(shard, np.where(off > _ROUNDING, off, 0))


def _made(_: Rulebook, shard: Shard, awards: ShardAwards) -> tuple[Bools, Ints]:
    """How many points the games of an event create or destroy in total."""
    return np.ones(len(shard.ids), np.bool_), np.abs(_by_event(shard, awards.amounts))


_WAYS: dict[str, Callable[[Rulebook, Shard, ShardAwards], tuple[Bools, Ints]]] = {
    "newcomer": _newcomer,
    "stronger": _stronger,
    "place": _place,
    "ties": _ties,
    "made": _made,
    "length": _length,
    "limit": _limit,
    "kind": reshaped_events.as_teams,
    "lines": reshaped_events.as_one_list,
    "order": reshaped_events.in_another_order,
    "deals": reshaped_events.in_longer_sessions,
    "jump in strength": reshaped_events.by_a_step_of_strength,
    "jump in size": reshaped_events.by_one_entrant,
}
