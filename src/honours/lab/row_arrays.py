"""What is done over the rows of a shard, on whole arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns.batch import spans
from honours.engine.policy import is_eligible

Array = NDArray[Any]


def _key(event: Array, entrant: Array) -> Array:
    return event.astype(np.int64) << 16 | entrant


def lined_up(
    events: Array,
    entrants: tuple[Array, Array],
    players: tuple[Array, Array],
    entrant_offsets: Array,
    player_offsets: Array,
) -> bool:
    """Whether every event has entrants, every entrant has players, and all are in ascending
    order. Fills in where the entrants of each event and the players of each entrant begin."""
    keys, theirs = _key(*entrants), _key(*players)
    rising = (np.diff(keys) > 0).all() and (np.diff(events) > 0).all()
    begins = np.flatnonzero(np.diff(theirs, prepend=-1))
    if not rising or not np.array_equal(theirs[begins], keys):
        return False
    entrant_offsets[:-1] = np.searchsorted(entrants[0], events)
    entrant_offsets[-1] = len(keys)
    player_offsets[:-1], player_offsets[-1] = begins, len(theirs)
    own = entrant_offsets[:-1]
    inside = (np.diff(entrant_offsets) > 0).all() and (len(own) == 0 or own[0] == 0)
    return bool(inside and np.array_equal(np.repeat(events, np.diff(entrant_offsets)), entrants[0]))


def kept_lists(keep: Array, lists: tuple[Array, Array, Array, Array], out: Any) -> int:
    """Write the lists to ``keep`` one after the other; returns the number of their entrants."""
    offsets, *columns = lists
    ends, *kept = out
    counts = np.diff(offsets)[keep]
    rows = spans(offsets[:-1][keep], counts)
    ends[0], ends[1:] = 0, np.cumsum(counts)
    for column, there in zip(columns, kept, strict=True):
        there[: len(rows)] = column[rows]
    return len(rows)


def players_of(entrants: Array, offsets: Array, begins: Array) -> None:
    """Where the players of each of the given entrants begin if only theirs are listed, and the
    end."""
    begins[0], begins[1:] = 0, np.cumsum(np.diff(offsets)[entrants])


def player_values(entrants: Array, offsets: Array, column: Array, values: Array) -> None:
    """A column's values for the players of the given entrants, one after the other."""
    values[:] = column[spans(offsets[entrants], np.diff(offsets)[entrants])]


def pay(amounts: Array, rows: Array, paid: Array, best: bool) -> None:
    """Add payments to what the entrants have, or let them have the better of the two."""
    (np.maximum if best else np.add).at(amounts, rows, paid)  # entrants in two strata occur twice


def strata_there(offsets: Array, stratum: Array, there: Array) -> None:
    """For each event and stratum, whether anybody is in it."""
    there[np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)), stratum] = True


def lists_of_strata(
    whole: tuple[Array, Array, Array, Array], of_strata: tuple[Array, Array], out: Any, room: Array
) -> tuple[int, int]:
    """Write every list of a whole field, each followed by those eligible in every stratum that is
    ``below`` another of its event; returns how many lists and how many entrants in them."""
    del room
    offsets, entrants, place, tied = whole
    strata, below = of_strata
    rank, of, ends, rows, places, ties = out
    of_list = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    lower, chosen = _eligible(strata[entrants], below[of_list])
    sizes = np.zeros((len(offsets) - 1, below.shape[1] + 1), np.int64)
    sizes[:, 0] = np.diff(offsets)
    np.add.at(sizes, (of_list[chosen], lower + 1), 1)
    ends_of = np.cumsum(sizes.ravel()).reshape(sizes.shape)
    top = ends_of[of_list, 0] - offsets[1:][of_list] + np.arange(len(of_list))
    rows[top], places[top], ties[top] = entrants, place, tied
    group = of_list[chosen] * sizes.shape[1] + lower + 1
    order = np.argsort(group, kind="stable")
    chosen, group = chosen[order], group[order]
    new = np.flatnonzero(np.diff(group, prepend=-1))
    within = np.arange(len(group)) - np.repeat(new, np.diff(np.append(new, len(group))))
    at = (ends_of - sizes).ravel()[group] + within
    rows[at] = entrants[chosen]
    places[at], ties[at] = ranked(group, place[chosen]) if len(group) else ((), ())
    there = np.flatnonzero(sizes.ravel())
    list_of, stratum = np.divmod(there, sizes.shape[1])
    of[: len(there)] = list_of
    rank[: len(there)] = np.where(stratum, 2, np.any(below[list_of], axis=1))
    ends[0], ends[1 : len(there) + 1] = 0, ends_of.ravel()[there]
    return len(there), int(sizes.sum())


def _eligible(own: Array, below: Array) -> tuple[Array, Array]:
    """The numbers of the lower strata, one per eligible row, and these rows."""
    strata = [
        np.flatnonzero(below[:, stratum] & is_eligible(own, stratum))
        for stratum in range(below.shape[1])
    ]
    return np.repeat(np.arange(len(strata)), [len(rows) for rows in strata]), np.concatenate(strata)


def ranked(group: Array, order: Array) -> tuple[Array, Array]:
    """Place and ties within each group by ``order``, the smallest first."""
    rows = np.lexsort((order, group))
    g, o = group[rows], order[rows]
    new_group = np.append(True, g[1:] != g[:-1])
    new_rank = new_group | np.append(True, o[1:] != o[:-1])
    starts = np.flatnonzero(new_rank)
    of_rank = np.cumsum(new_rank) - 1
    first_of_group = np.maximum.accumulate(np.where(new_group, np.arange(len(g)), 0))
    place, tied = np.empty(len(g), np.int64), np.empty(len(g), np.int64)
    place[rows] = starts[of_rank] - first_of_group + 1
    tied[rows] = np.diff(np.append(starts, len(g)))[of_rank]
    return place, tied


def placed(
    events: Array, offsets: Array, entrant: Array, scores: Any, ranks: Any, wrong: Array
) -> None:
    """Put the place and ties of every score into ``ranks``; an event without scores keeps its
    own, and one whose scores belong to other entrants is ``wrong``."""
    event, number, place, tied = scores
    begins = np.searchsorted(event, events)
    many, sizes = np.searchsorted(event, events, "right") - begins, np.diff(offsets)
    wrong[(many > 0) & (many != sizes)] = True
    whole = (many > 0) & (many == sizes)
    source, target = spans(begins[whole], sizes[whole]), spans(offsets[:-1][whole], sizes[whole])
    other = number[source] != entrant[target]
    wrong[np.repeat(np.flatnonzero(whole), sizes[whole])[other]] = True
    ranks[0][target], ranks[1][target] = place[source], tied[source]


def well_placed(offsets: Array, place: Array, tied: Array, room: Array) -> bool:
    """Whether every place in every event is possible: place p has p - 1 entrants before it, and
    as many entrants share it as are said to be tied."""
    del room
    event = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    wide = place.astype(np.int64)
    return bool(wide.min(initial=1) >= 1 and not impossible_places(event, wide, tied).any())


def impossible_places(group: Array, place: Array, tied: Array) -> Array:
    """Which entrants have an impossible place: place p must have p - 1 entrants of the list
    before it, and as many entrants must share it as are said to be tied."""
    if not len(group) or place.min() < 1:
        return np.zeros(len(group), np.bool_)
    sizes = np.bincount(group)
    begins = np.cumsum(sizes) - sizes
    inside = place <= sizes[group]
    at = begins[group] + np.where(inside, place, 1) - 1
    counts = np.bincount(at, minlength=len(group))
    before = np.cumsum(counts) - counts
    wrong: Array = ~inside | (before[at] - begins[group] != place - 1) | (counts[at] != tied)
    return wrong


def seated_twice(events: Array, players: Array, last: Array) -> bool:
    """Whether somebody may sit twice in one event: two combinations of member and event have the
    same mark. Marks can also coincide by chance, so such events are then looked at closely."""
    del last
    marks = mixed(players) ^ mixed(mixed(events) + np.uint64(1))
    marks.sort()
    return bool((marks[1:] == marks[:-1]).any())


def mixed(values: Array) -> NDArray[np.uint64]:
    """Numbers with their bits well mixed."""
    bits = values.astype(np.int64).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    bits ^= bits >> np.uint64(31)
    bits *= np.uint64(0xBF58476D1CE4E5B9)
    return bits ^ (bits >> np.uint64(27))


def add_up(rows: Any, paid: Any, of_events: Array, of_groups: Any, of_members: Any) -> None:
    """Add up what both sides of a comparison pay: for every compared event, for the strata and
    bands of holding in it, and for every member."""
    compared, ids, entrant_offsets, player_offsets, stratum, who, holding = rows
    amounts_a, each_a, amounts_b, each_b = paid
    edges, strata, in_strata, bands, in_bands = of_groups
    member_a, member_b, first, held = of_members
    events = np.flatnonzero(compared)
    entrants = spans(entrant_offsets[events], np.diff(entrant_offsets)[events])
    teams = np.diff(player_offsets)[entrants]
    players = spans(player_offsets[entrants], teams)
    number = np.repeat(np.arange(len(events)), np.diff(entrant_offsets)[events])
    event, member = np.repeat(number, teams), who[players]
    a, b = (
        each[players] if len(each) else np.repeat(amounts[entrants], teams)
        for amounts, each in ((amounts_a, each_a), (amounts_b, each_b))
    )
    for k, amounts in enumerate((amounts_a, amounts_b)):
        of_events[2 + k] = amounts[entrant_offsets[events]]
        np.maximum.at(of_events[2 + k], number, amounts[entrants])
    change = b - a
    added = (a, b, None, change == 0, np.maximum(change, 0), np.maximum(-change, 0))
    for k, column in zip((0, 1, 4, 5, 6, 7), added, strict=True):
        of_events[k] = np.bincount(event, column, len(events))
    own = np.searchsorted(edges, holding[players], "right") - 1
    by_band = np.where(own < 0, len(edges), own)
    by_stratum = np.repeat(stratum[entrants], teams)
    for table, codes, there in ((strata, by_stratum, in_strata), (bands, by_band, in_bands)):
        key, groups = event * table.shape[2] + codes, table[0].size
        for k, column in enumerate((None, a, b)):
            table[k] = np.bincount(key, column, groups).reshape(table[k].shape)
        for code in np.flatnonzero(np.bincount(codes)).tolist():
            seen = np.zeros(len(there), np.bool_)
            seen[member[codes == code]] = True
            there[seen] |= 1 << code
    member_a += np.bincount(member, a, len(member_a)).astype(np.int64)
    member_b += np.bincount(member, b, len(member_b)).astype(np.int64)
    back = players[::-1]  # of a member's several events the first is written last
    earliest, holds = np.full_like(first, np.iinfo(np.int64).max), np.full_like(held, -1)
    earliest[who[back]], holds[who[back]] = ids[events[event[::-1]]], np.maximum(holding[back], -1)
    earlier = earliest < first
    first[earlier], held[earlier] = earliest[earlier], holds[earlier]
