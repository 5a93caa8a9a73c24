"""Arrays to measure on: results of many events, and fields of many entrants with holdings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Columns = tuple[NDArray[Any], ...]

_TABLES, _BOARDS = 20, 52
_SCORES = np.array([-620, -200, -100, -50, 90, 110, 140, 170, 420, 450, 620], np.int16)


def results(count: int, seed: int = 1) -> Columns:
    """About so many results: event, board, ns, ew, score; events of 20 tables and 52 boards."""
    random = np.random.default_rng(seed)
    events = max(1, count // (_TABLES * _BOARDS))
    table = np.tile(np.arange(_TABLES), _BOARDS)
    turn = np.repeat(np.arange(_BOARDS) // 2, _TABLES)
    ew = _TABLES + (table + turn) % _TABLES
    return (
        np.repeat(np.arange(events, dtype=np.int32), _TABLES * _BOARDS),
        np.tile(np.repeat(np.arange(_BOARDS, dtype=np.uint8), _TABLES), events),
        np.tile(table.astype(np.uint16), events),
        np.tile(ew.astype(np.uint16), events),
        random.choice(_SCORES, events * _TABLES * _BOARDS),
    )


@dataclass(frozen=True, slots=True)
class Fields:
    """Pairs events of two sessions: entrants in order of place, two holdings each."""

    sizes: NDArray[np.int64]
    place: NDArray[np.int64]
    tied: NDArray[np.int64]
    holding: NDArray[np.int32]

    @property
    def offsets(self) -> NDArray[np.int64]:
        return np.concatenate(([0], np.cumsum(self.sizes)))

    @property
    def input_bytes(self) -> int:
        return self.place.nbytes + self.tied.nbytes + self.holding.nbytes


def fields(events: int, seed: int = 1) -> Fields:
    """So many events of 8 to 70 pairs, some tied in twos, holdings of 20,000 members."""
    random = np.random.default_rng(seed)
    sizes = random.integers(8, 71, events)
    total = int(sizes.sum())
    starts = np.concatenate(([0], np.cumsum(sizes)))[:-1]
    place = np.arange(total) - np.repeat(starts, sizes) + 1
    tied = np.ones(total, np.int64)
    for first in starts[random.random(events) < 0.2] + 2:  # a tie of two for third
        place[first + 1] = place[first]
        tied[first : first + 2] = 2
    members = np.exp(random.normal(6.6, 1.4, 20_000)) * 100
    holding = random.choice(np.minimum(members, 4_000_000).astype(np.int32), 2 * total)
    return Fields(sizes, place, tied, holding)
