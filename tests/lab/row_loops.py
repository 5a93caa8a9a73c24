"""What :mod:`honours.lab.row_arrays` does on whole arrays, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honours.engine.policy import is_eligible, put_together

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


def lined_up(
    events: Array,
    entrants: tuple[Array, Array],
    players: tuple[Array, Array],
    entrant_offsets: Array,
    player_offsets: Array,
) -> bool:
    """Whether every event has entrants, every entrant has players, and all are in ascending
    order. Fills in where the entrants of each event and the players of each entrant begin."""
    entrant_event, entrant = entrants
    player_event, player_entrant = players
    row, at = 0, 0
    for k in range(len(events)):
        event, first = events[k], row
        if k > 0 and event <= events[k - 1]:
            return False
        entrant_offsets[k] = row
        while row < len(entrant) and entrant_event[row] == event:
            number, begin = entrant[row], at
            if row > first and number <= entrant[row - 1]:
                return False
            player_offsets[row] = at
            while (
                at < len(player_entrant)
                and player_entrant[at] == number
                and player_event[at] == event
            ):
                at += 1
            if at == begin:
                return False
            row += 1
        if row == first:
            return False
    entrant_offsets[len(events)], player_offsets[len(entrant)] = row, at
    return row == len(entrant) and at == len(player_entrant)


def kept_lists(keep: Array, lists: tuple[Array, Array, Array, Array], out: Any) -> int:
    """Write the lists to ``keep`` one after the other; returns the number of their entrants."""
    offsets, entrants, place, tied = lists
    ends, kept, places, ties = out
    many, written = 0, 0
    for k in range(len(keep)):
        if keep[k]:
            size = offsets[k + 1] - offsets[k]
            copy(entrants, offsets[k], kept, written, size)
            copy(place, offsets[k], places, written, size)
            copy(tied, offsets[k], ties, written, size)
            written += size
            many += 1
            ends[many] = written
    return written


def copy(source: Array, first: int, target: Array, at: int, size: int) -> None:
    """Copy some items of an array into another. The unsigned indices cannot be negative, which
    lets the compiler copy in vectors."""
    begin, put = np.uint64(first), np.uint64(at)
    for i in range(np.uint64(size)):
        target[put + i] = source[begin + i]


def players_of(entrants: Array, offsets: Array, begins: Array) -> None:
    """Where the players of each of the given entrants begin if only theirs are listed, and the
    end."""
    written = 0
    for k in range(len(entrants)):
        begins[k] = written
        written += offsets[entrants[k] + 1] - offsets[entrants[k]]
    begins[len(entrants)] = written


def player_values(entrants: Array, offsets: Array, column: Array, values: Array) -> None:
    """A column's values for the players of the given entrants, one after the other."""
    written, k = 0, 0
    while k < len(entrants):
        first, last = entrants[k], entrants[k] + 1
        k += 1
        while k < len(entrants) and entrants[k] == last:  # consecutive entrants are contiguous
            last, k = last + 1, k + 1
        size = offsets[last] - offsets[first]
        copy(column, offsets[first], values, written, size)
        written += size


def pay(amounts: Array, rows: Array, paid: Array, best: bool) -> None:
    """Add payments to what the entrants have, or let them have the better of the two."""
    for k in range(len(rows)):
        amounts[rows[k]] = put_together(amounts[rows[k]], paid[k], best)


def strata_there(offsets: Array, stratum: Array, there: Array) -> None:
    """For each event and stratum, whether anybody is in it."""
    for k in range(len(offsets) - 1):
        for i in range(offsets[k], offsets[k + 1]):
            there[k, stratum[i]] = True


def lists_of_strata(
    whole: tuple[Array, Array, Array, Array], of_strata: tuple[Array, Array], out: Any, room: Array
) -> tuple[int, int]:
    """Write every list of a whole field, each followed by those eligible in every stratum that is
    ``below`` another of its event: who is looked up for one is then still at hand for the next.
    Returns how many lists and how many entrants in them; ``room`` must be all zeros, and is left
    so."""
    offsets, entrants, place, tied = whole
    strata, below = of_strata
    rank, of, ends, rows, places, ties = out
    many, written = 0, 0
    for k in range(len(offsets) - 1):
        first, size, top = offsets[k], offsets[k + 1] - offsets[k], many
        copy(entrants, first, rows, written, size)
        copy(place, first, places, written, size)
        copy(tied, first, ties, written, size)
        written += size
        rank[top], of[top], ends[top + 1] = 0, k, written
        many += 1
        for stratum in range(below.shape[1]):
            if not below[k, stratum]:
                continue
            rank[top], begin = 1, written
            for i in range(first, first + size):
                rows[written] = i  # overwritten unless eligible: no branch to predict
                written += is_eligible(strata[entrants[i]], stratum)
            if written == begin:
                continue
            rank_among(place, rows[begin:written], places[begin:written], ties[begin:written], room)
            for i in range(begin, written):
                rows[i] = entrants[rows[i]]
            rank[many], of[many], ends[many + 1] = 2, k, written
            many += 1
    return many, written


def rank_among(place: Array, rows: Array, places: Array, ties: Array, room: Array) -> None:
    """The places and ties among the given rows alone, from their places among all."""
    count, begins = room[0], room[1]
    deepest = 0
    for row in rows:
        count[place[row]] += 1
        deepest = max(deepest, place[row])
    begin = 1
    for p in range(deepest + 1):
        begins[p] = begin
        begin += count[p]
    for i in range(len(rows)):
        places[i] = begins[place[rows[i]]]
        ties[i] = count[place[rows[i]]]
    for p in range(deepest + 1):
        count[p] = 0


def placed(
    events: Array, offsets: Array, entrant: Array, scores: Any, ranks: Any, wrong: Array
) -> None:
    """Put the place and ties of every score into ``ranks``; an event without scores keeps its
    own, and one whose scores belong to other entrants is ``wrong``."""
    event, number, place, tied = scores
    at = 0
    for k in range(len(events)):
        while at < len(event) and event[at] < events[k]:
            at += 1
        begin = at
        while at < len(event) and event[at] == events[k]:
            at += 1
        if at == begin:
            continue
        first, size = offsets[k], offsets[k + 1] - offsets[k]
        wrong[k] = at - begin != size or differ(number, begin, entrant, first, size)
        copy(place, begin, ranks[0], first, min(size, at - begin))
        copy(tied, begin, ranks[1], first, min(size, at - begin))


def differ(one: Array, first: int, other: Array, at: int, size: int) -> bool:
    """Whether any items of two arrays differ, compared in vectors as in :func:`copy`."""
    begin, put, many = np.uint64(first), np.uint64(at), 0
    for i in range(np.uint64(size)):
        many += one[begin + i] != other[put + i]
    return many > 0


def well_placed(offsets: Array, place: Array, tied: Array, room: Array) -> bool:
    """Whether every place in every event is possible: place p has p - 1 entrants before it, and
    as many entrants share it as are said to be tied. ``room`` is as large as the largest event
    and all zeros."""
    for k in range(len(offsets) - 1):
        first, last = offsets[k], offsets[k + 1]
        for i in range(first, last):
            if not 1 <= place[i] <= last - first:
                return False
            room[place[i] - 1] += 1
        before = 0
        for at in range(last - first):
            if room[at] > 0 and at != before:
                return False
            before += room[at]
        for i in range(first, last):
            if room[place[i] - 1] != tied[i]:
                return False
        for at in range(last - first):
            room[at] = 0
    return True


def seated_twice(events: Array, players: Array, last: Array) -> bool:
    """Whether somebody sits twice in one event, given that the rows of an event are contiguous;
    ``last`` has an item for every member, initially -1."""
    for k in range(len(players)):
        if last[players[k]] == events[k]:
            return True
        last[players[k]] = events[k]
    return False


def add_up(rows: Any, paid: Any, of_events: Array, of_groups: Any, of_members: Any) -> None:
    """Add up what both sides of a comparison pay: for every compared event, for the strata and
    bands of holding in it, and for every member."""
    compared, ids, entrant_offsets, player_offsets, stratum, who, holding = rows
    amounts_a, each_a, amounts_b, each_b = paid
    edges, strata, in_strata, bands, in_bands = of_groups
    member_a, member_b, first, held = of_members
    at = 0
    for k in range(len(compared)):
        if not compared[k]:
            continue
        begin, end = entrant_offsets[k], entrant_offsets[k + 1]
        total_a, total_b, alike, over, under = 0, 0, 0, 0, 0
        first_a, first_b = amounts_a[begin], amounts_b[begin]
        for i in range(begin, end):
            first_a, first_b = max(first_a, amounts_a[i]), max(first_b, amounts_b[i])
            own = stratum[i]
            for j in range(player_offsets[i], player_offsets[i + 1]):
                a = each_a[j] if len(each_a) else amounts_a[i]
                b = each_b[j] if len(each_b) else amounts_b[i]
                total_a, total_b = total_a + a, total_b + b
                if a == b:
                    alike += 1
                over, under = over + max(b - a, 0), under + max(a - b, 0)
                member, band = who[j], band_of(holding[j], edges)
                count(strata, at, own, a, b)
                count(bands, at, band, a, b)
                in_strata[member] |= 1 << own
                in_bands[member] |= 1 << band
                member_a[member] += a
                member_b[member] += b
                if ids[k] < first[member]:
                    first[member], held[member] = ids[k], max(holding[j], -1)
        players = player_offsets[end] - player_offsets[begin]
        of_events[0, at], of_events[1, at] = total_a, total_b
        of_events[2, at], of_events[3, at], of_events[4, at] = first_a, first_b, players
        of_events[5, at], of_events[6, at], of_events[7, at] = alike, over, under
        at += 1


def count(table: Array, event: int, group: int, a: int, b: int) -> None:
    """Count one more appearance in a group of an event, with its pay under either side."""
    table[0, event, group] += 1
    table[1, event, group] += a
    table[2, event, group] += b


def band_of(holding: int, edges: Array) -> int:
    """The band of a holding, the last one if unknown."""
    if holding < edges[0]:
        return len(edges)
    low, high = 0, len(edges)
    while high - low > 1:
        middle = (low + high) // 2
        if holding < edges[middle]:
            high = middle
        else:
            low = middle
    return low
