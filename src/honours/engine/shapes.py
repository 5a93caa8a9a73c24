"""The distinct shapes of a batch's fields, and what depends on a shape alone.

Fields with the same facts have the same shape; a year of a federation has some thousand. What is
*shared* (:mod:`honours.engine.plan`) is worked out here, once a shape.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.batch import Batch, Column, Ints

if TYPE_CHECKING:
    from honours.engine.columns import ColumnWorking

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shapes:
    """``of`` is the shape of each field; ``batch`` has one field without entrants a shape."""

    of: Ints
    batch: Batch
    example: Ints
    """A field of each shape."""


def shapes_of(batch: Batch) -> Shapes:
    """The shapes of a batch."""
    key = np.zeros(batch.count("field"), np.int64)
    for column in batch.facts["field"].values():
        if not column.is_constant:
            key = _together(key, column)
    _, example, of = np.unique(key, return_index=True, return_inverse=True)
    facts = {name: c.take(example) for name, c in batch.facts["field"].items()}
    shapes = replace(
        batch,
        facts={"field": facts, "entrant": {}, "player": {}},
        place=np.empty(0, np.int64),
        tied=np.empty(0, np.int64),
        entrant_offsets=np.zeros(len(example) + 1, np.int64),
        player_offsets=np.zeros(1, np.int64),
        exact=lambda i: batch.exact(int(example[i])),
        places=np.empty(0, np.int64),
    )
    return Shapes(np.reshape(of, -1), shapes, example)


def _together(key: Ints, column: Column) -> Ints:
    """Keys that are equal where both were; kept small so that they can go on."""
    values: Any = column.floats
    if column.codes is not None:
        values = column.codes
    elif column.units is not None:
        values = column.units
    if not (np.issubdtype(values.dtype, np.integer) and 0 <= values.min() <= values.max() < 2**20):
        _, values = np.unique(values, return_inverse=True)
    wide = int(values.max(initial=0)) + 1
    if int(key.max(initial=0)) + 1 >= 2**62 // wide:
        key = np.reshape(np.unique(key, return_inverse=True)[1], -1)
    together: Ints = key * wide + np.reshape(values, -1)
    return together


def curve(working: ColumnWorking, name: str) -> Floats:
    """A shared quantity per place, shape after shape."""
    return working.column(name, "place").spread(working.batch.count("place"))


def running_totals(values: Floats, offsets: Ints) -> Floats:
    """For every shape 0 and then the sums of its first places: a tie is a difference of two.

    Summed shape by shape, so that a small sum is not the difference of two large ones.
    """
    shapes = len(offsets) - 1
    totals = np.zeros(len(values) + shapes)
    for k in range(shapes):
        part = values[offsets[k] : offsets[k + 1]]
        totals[offsets[k] + k + 1 : offsets[k + 1] + k + 1] = np.cumsum(part)
    return totals
