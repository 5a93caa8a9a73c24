"""What cannot be in an event, whoever wrote it down: places, and a member in two seats."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.lab.reading import NOT_SAID

Array = NDArray[Any]
Ints = NDArray[np.int64]


def two_seats(players: Array, events: Ints) -> Ints:
    """The events in which a member sits twice."""
    named = np.flatnonzero(players != NOT_SAID)
    if not _any_twice(players[named], events[named]):
        return np.empty(0, np.int64)
    order = named[np.lexsort((players[named], events[named]))]
    p, e = players[order], events[order]
    again = (p[1:] == p[:-1]) & (e[1:] == e[:-1])
    return np.unique(e[1:][again])


def _any_twice(players: Array, events: Array) -> bool:
    """Whether a member may sit twice: no number made of member and event comes again. Two of them
    may have one number by chance, and are then looked at."""
    marks = mixed(players) ^ mixed(mixed(events) + np.uint64(1))
    marks.sort()
    return bool((marks[1:] == marks[:-1]).any())


def mixed(values: Array) -> NDArray[np.uint64]:
    """Numbers with their bits well mixed."""
    bits = values.astype(np.int64).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    bits ^= bits >> np.uint64(31)
    bits *= np.uint64(0xBF58476D1CE4E5B9)
    return bits ^ (bits >> np.uint64(27))


def impossible_places(group: Ints, place: Array, tied: Array) -> Array:
    """Which entrants have a place that cannot be: in a ranking list so many are before a place as
    it says, and so many share it as are tied."""
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
