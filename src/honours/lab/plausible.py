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
    order = named[np.lexsort((players[named], events[named]))]
    p, e = players[order], events[order]
    again = (p[1:] == p[:-1]) & (e[1:] == e[:-1])
    return np.unique(e[1:][again])


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
