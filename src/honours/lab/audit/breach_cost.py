"""What a broken promise costs on a corpus: how many of its events it touches, and how many points.

Every event of the corpus is awarded as it was and again in the form the promise compares it with:
without the last entrant, with everybody a little stronger, with its tie untied, at half its length,
or without its limit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns.batch import spans
from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.lab.corpus import Corpus, each_shard
from honours.lab.fields import lined_events
from honours.lab.shard_awards import ShardAwards, award_shard
from honours.lab.shards import Ints, Shard
from honours.lab.store import NOT_SAID, WordColumn

# --- what a broken promise costs if the promise compares an event with one of -------------------

Bools = NDArray[np.bool_]
Cost = tuple[Bools, Ints]
"""Which events could be tried, and by how many ten-thousandths each breaks the promise."""
_ALIKE = 50
"""Totals that differ by a fiftieth or less count as equal, as in the search."""
_STEP = 1.01
_FIVE = 5
_NEAR = 3
_HUNDREDTH = 100
"""How far rounding may move an award, in ten-thousandths."""


def nothing(shard: Shard) -> Cost:
    """The cost where no event could be tried."""
    return np.zeros(len(shard.ids), np.bool_), np.zeros(len(shard.ids), np.int64)


def totals(shard: Shard, awards: ShardAwards) -> Ints:
    """Points to players, event by event."""
    summed: Ints = np.add.reduceat(awards.to_players(shard), shard.entrant_offsets[:-1])
    return summed


def firsts(shard: Shard, awards: ShardAwards) -> Ints:
    """What each player of the best-paid entrant of every event gets."""
    most: Ints = np.maximum.reduceat(awards.amounts, shard.entrant_offsets[:-1])
    return most


def rearranged(shard: Shard, rows: Ints, events: Ints) -> Shard:
    """Some of the events, with the given entrants in the given order."""
    counts = np.diff(shard.player_offsets)[rows]
    at = spans(shard.player_offsets[rows], counts)
    sizes = np.bincount(
        np.searchsorted(events, shard.event_of_entrant[rows]), minlength=len(events)
    )
    return replace(
        shard,
        events={name: column[events] for name, column in shard.events.items()},
        entrant=shard.entrant[rows],
        stratum=shard.stratum[rows],
        place=shard.place[rows],
        tied=shard.tied[rows],
        line=None if shard.line is None else shard.line[rows],
        player=shard.player[at],
        holding=shard.holding[at],
        entrant_offsets=np.concatenate(([0], np.cumsum(sizes))),
        player_offsets=np.concatenate(([0], np.cumsum(counts))),
        of_entrants={name: column[rows] for name, column in shard.of_entrants.items()},
        of_players={name: column[at] for name, column in shard.of_players.items()},
    )


def _cost(shard: Shard, events: Ints, off: Ints, refused: Bools) -> Cost:
    """A cost for some of the events, expanded to cover all of them."""
    tried, loss = nothing(shard)
    tried[events], loss[events] = ~refused, off
    return tried, loss


def as_teams(book: Rulebook, shard: Shard, awards: ShardAwards) -> Cost:
    """What pairs are paid compared with the same players as teams, each made of neighbouring
    pairs."""
    kinds = shard.events.get("kind")
    if kinds is None:
        return nothing(shard)
    deepest = np.maximum.reduceat(shard.stratum, shard.entrant_offsets[:-1])
    plain = (np.asarray(kinds).astype(str) == "pairs") & (deepest == 0) & ~lined_events(shard)
    ties = np.maximum.reduceat(shard.tied, shard.entrant_offsets[:-1]) > 1
    twos = np.minimum.reduceat(np.diff(shard.player_offsets), shard.entrant_offsets[:-1]) == 2
    events = np.flatnonzero(plain & ~ties & twos & (shard.sizes % 2 == 0) & (shard.sizes >= 4))
    if not len(events):
        return nothing(shard)
    order = np.lexsort((shard.place, shard.event_of_entrant))
    chosen = np.isin(shard.event_of_entrant, events)
    pairs = rearranged(shard, order[chosen[order]], events)
    sizes = pairs.sizes // 2
    place = spans(np.ones(len(sizes), np.int64), sizes)
    teams = replace(
        pairs,
        events={**pairs.events, "kind": WordColumn.of(np.full(len(events), "teams", object))},
        entrant=pairs.entrant[::2],
        stratum=pairs.stratum[::2],
        place=place.astype(pairs.place.dtype),
        tied=np.ones(len(place), pairs.tied.dtype),
        line=None,
        entrant_offsets=np.concatenate(([0], np.cumsum(sizes))),
        player_offsets=pairs.player_offsets[::2],
        of_entrants={},
    )
    after = award_shard(book, teams)
    return _cost(
        shard, events, _unlike(totals(shard, awards)[events], totals(teams, after)), after.refused
    )


def _unlike(one: Ints, other: Ints) -> Ints:
    """By how much two totals differ, if by more than a fiftieth."""
    off = np.abs(one - other)
    unlike: Ints = np.where(off * _ALIKE > np.maximum(one, other), off, 0)
    return unlike


def as_one_list(book: Rulebook, shard: Shard, awards: ShardAwards) -> Cost:
    """What two lines are paid compared with one list of all, if the corpus has the places in
    that list."""
    overall = shard.of_entrants.get("overall_place")
    lined = lined_events(shard)
    if overall is None or not lined.any():
        return nothing(shard)
    known = np.minimum.reduceat(overall.astype(np.int64), shard.entrant_offsets[:-1]) > 0
    events = np.flatnonzero(lined & known)
    if not len(events):
        return nothing(shard)
    rows = np.flatnonzero(np.isin(shard.event_of_entrant, events))
    lines = rearranged(shard, rows, events)
    place = overall[rows].astype(np.int64)
    _, at, tied = np.unique(
        lines.event_of_entrant << 20 | place, return_inverse=True, return_counts=True
    )
    one = replace(
        lines,
        place=place.astype(lines.place.dtype),
        tied=tied[at].astype(lines.tied.dtype),
        line=None,
        of_entrants={n: c for n, c in lines.of_entrants.items() if n not in _OF_LISTS},
    )
    after = award_shard(book, one)
    return _cost(
        shard, events, _unlike(totals(shard, awards)[events], totals(one, after)), after.refused
    )


_OF_LISTS = ("overall_place", "score_place")


def in_another_order(book: Rulebook, shard: Shard, awards: ShardAwards) -> Cost:
    """What changes if the entrants of every event are listed in reverse order."""
    of = shard.event_of_entrant
    rows = np.lexsort((-np.arange(len(of)), of))
    after = award_shard(book, rearranged(shard, rows, np.arange(len(shard.ids))))
    change = np.zeros(len(of), np.int64)
    change[rows] = np.abs(after.amounts - awards.amounts[rows])
    to_players = change * np.diff(shard.player_offsets)
    return ~after.refused, np.add.reduceat(to_players, shard.entrant_offsets[:-1])


def in_longer_sessions(book: Rulebook, shard: Shard, awards: ShardAwards) -> Cost:
    """What the same deals are paid if played in half as many sessions."""
    sessions, deals = (shard.events.get(n) for n in ("sessions", "boards_per_session"))
    if sessions is None or deals is None:
        return nothing(shard)
    many, each = sessions.astype(np.int64), deals.astype(np.int64)
    tried = (many > 0) & (many % 2 == 0) & (each > 0) & (each < 2**7)
    columns = {
        "sessions": np.where(tried, many // 2, many),
        "boards_per_session": np.where(tried, 2 * each, each),
    }
    after = award_shard(book, replace(shard, events={**shard.events, **columns}))
    return tried & ~after.refused, _unlike(totals(shard, awards), totals(shard, after))


def by_a_step_of_strength(book: Rulebook, shard: Shard, awards: ShardAwards) -> Cost:
    """By how much a hundredth more of everybody's holding changes an event's total, in events
    where it changes first place by more than five times that share."""
    known = shard.holding != NOT_SAID
    raised = np.where(known, shard.holding * _STEP, shard.holding).astype(np.int32)
    after = award_shard(book, replace(shard, holding=raised))
    return ~after.refused, _jump(shard, awards, firsts(shard, after), _FIVE * (_STEP - 1), after)


def _jump(
    shard: Shard,
    awards: ShardAwards,
    after: Ints,
    share: float | NDArray[np.float64],
    then: ShardAwards,
) -> Ints:
    """By how much an event's total changes, if its first place changes by more than the given
    share."""
    before = firsts(shard, awards)
    jumps = np.abs(after - before) > share * before
    change = np.abs(totals(shard, then) - totals(shard, awards))
    jump: Ints = np.where(jumps & (before > 0), change, 0)
    return jump


def by_one_entrant(book: Rulebook, shard: Shard, awards: ShardAwards) -> Cost:
    """By how much removing the last entrant changes an event's total, in events where that
    changes first place more than five times as much as removing one more entrant does."""
    events = np.flatnonzero(shard.sizes > _NEAR + 1)
    if not len(events):
        return nothing(shard)
    without = [_without_last(shard, events, count) for count in (1, 2)]
    fewer = [award_shard(book, one) for one in without]
    paid = [firsts(shard, awards)[events], *map(firsts, without, fewer)]
    step, beside = (np.abs(a - b) for a, b in pairwise(paid))
    jumps = (step > _FIVE * beside) & (step > _HUNDREDTH)
    change = np.abs(totals(without[0], fewer[0]) - totals(shard, awards)[events])
    refused = fewer[0].refused | fewer[1].refused
    return _cost(shard, events, np.where(jumps, change, 0), refused)


def _without_last(shard: Shard, events: Ints, count: int) -> Shard:
    """Some events without their last entrants, with the ties among the rest counted again."""
    order = np.lexsort((shard.place, shard.event_of_entrant))
    keep = np.isin(shard.event_of_entrant, events)
    for k in range(1, count + 1):
        keep[order[shard.entrant_offsets[1:][events] - k]] = False
    fewer = rearranged(shard, np.flatnonzero(keep), events)
    line = np.zeros(len(fewer.place), np.int64) if fewer.line is None else fewer.line
    group = (fewer.event_of_entrant * 4 + line) << 16 | fewer.place
    _, at, tied = np.unique(group, return_inverse=True, return_counts=True)
    return replace(fewer, tied=tied[at].astype(fewer.tied.dtype))


# --- what a broken promise costs on a corpus ----------------------------------------------------

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
    "kind": as_teams,
    "lines": as_one_list,
    "order": in_another_order,
    "deals": in_longer_sessions,
    "jump in strength": by_a_step_of_strength,
    "jump in size": by_one_entrant,
}
