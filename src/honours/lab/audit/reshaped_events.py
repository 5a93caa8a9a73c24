"""What a broken promise costs if the promise compares an event with one of another shape: teams
of the same players, both lines as one list, the same deals in other sessions, or a small step in
strength or size."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns.batch import spans
from honours.engine.rulebook import Rulebook
from honours.lab.column_reading import NOT_SAID
from honours.lab.shard_awards import ShardAwards, award_shard
from honours.lab.shard_lists import lined_events
from honours.lab.shards import Ints, Shard
from honours.lab.word_column import WordColumn

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
