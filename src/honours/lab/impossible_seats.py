"""What is impossible in any event: one member in two seats at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.lab import row_arrays
from honours.lab.column_reading import NOT_SAID

Array = NDArray[Any]
Ints = NDArray[np.int64]


def two_seats(players: Array, events: Ints) -> Ints:
    """The events in which a member sits twice."""
    named = np.flatnonzero(players != NOT_SAID)
    if not row_arrays.seated_twice(events[named], players[named], named):
        return np.empty(0, np.int64)
    order = named[np.lexsort((players[named], events[named]))]
    p, e = players[order], events[order]
    again = (p[1:] == p[:-1]) & (e[1:] == e[:-1])
    return np.unique(e[1:][again])


def seated_once(players: Array, events: Array) -> bool:
    """Whether everybody certainly sits only once in an event, given that the rows of an event
    are contiguous and everybody has a number."""
    return not row_arrays.seated_twice(events, players, np.empty(0, np.int32))
