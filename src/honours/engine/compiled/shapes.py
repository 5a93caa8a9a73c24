"""The distinct shapes of fields: those with the same facts have the same shape.

A federation's year has on the order of a thousand, and the next shard mostly has the same ones
again: a shape keeps its number, so that what depends on it alone is worked out once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.compiled.batch import Batch
from honours.engine.compiled.column import Ints, QuantityColumn

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_DENSE = 2**13
"""Keys below this, or below four times their number, are numbered with a lookup table instead of
by sorting."""
_BLOCK = 2**15
"""How many rows' keys are processed at a time."""
_WIDEST = 2**20
"""Facts below this are looked up in tables by their value."""
_ROOMIEST = 2**22
"""The largest table of shapes, in items."""
_MOST_TABULATED = 2**13
"""Shapes beyond this many are no longer put into a table, which is made anew for new ones."""


class ShapeTable:
    """Finds the numbers of known shapes by lookups alone: the facts of a shape become small codes,
    and these together one index. Where the facts are too many or too large, it finds nothing."""

    def __init__(self) -> None:
        self._codes: list[NDArray[np.int32]] = []
        """For each column, the code of a value: 0 if it was never met."""
        self._room: tuple[int, ...] = ()
        self._numbers = np.full(1, -1, np.int64)

    def look_up(self, columns: Sequence[NDArray[Any]], rows: int) -> Ints | None:
        """The shape's number for each row, or None if any is unknown."""
        if len(columns) != len(self._codes) or not columns:
            return None
        for column, codes in zip(columns, self._codes, strict=True):
            if column.min(initial=0) < 0 or column.max(initial=0) >= len(codes):
                return None
        numbers = np.empty(rows, np.int64)
        for start in range(0, rows, _BLOCK):  # what is in between stays in a cache
            block = slice(start, start + _BLOCK)
            coded = [codes[c[block]] for c, codes in zip(columns, self._codes, strict=True)]
            numbers[block] = self._numbers[np.ravel_multi_index(coded, self._room)]
        return numbers if numbers.min(initial=0) >= 0 else None

    def learn(self, shapes: Mapping[tuple[int, ...], int]) -> None:
        """Take in all shapes, if they fit."""
        if len(shapes) > _MOST_TABULATED or len({*map(len, shapes)}) > 1:
            return
        columns = [np.array(column, np.int64) for column in zip(*shapes, strict=True)]
        if not columns or any(c.min() < 0 or c.max() >= _WIDEST for c in columns):
            return
        values = [np.unique(column) for column in columns]
        room = tuple(len(met) + 1 for met in values)
        if math.prod(room) > _ROOMIEST:
            return
        self._codes = [np.zeros(int(met[-1]) + 1, np.int32) for met in values]
        for codes, met in zip(self._codes, values, strict=True):
            codes[met] = np.arange(1, len(met) + 1)
        self._room = room
        self._numbers = np.full(math.prod(room), -1, np.int64)
        coded = [codes[column] for codes, column in zip(self._codes, columns, strict=True)]
        self._numbers[np.ravel_multi_index(coded, room)] = list(shapes.values())


@dataclass
class ShapeNumbers:
    """The numbers of the shapes met so far, by the facts in ``names``."""

    names: tuple[str, ...]
    _numbers: dict[tuple[int, ...], int] = field(default_factory=dict)
    _words: dict[str, dict[Any, int]] = field(default_factory=dict)
    _table: ShapeTable = field(default_factory=ShapeTable)

    def number(self, batch: Batch) -> tuple[Ints, Ints]:
        """The shape of each field of a batch, and one field for each new shape, in order."""
        columns = {n: c for n, c in batch.facts["field"].items() if n in self.names}
        codes = [self._whole(n, c) for n, c in columns.items() if not c.is_constant]
        known_already = self._table.look_up(codes, batch.count("field"))
        if known_already is not None:
            return known_already, np.empty(0, np.int64)
        example, of = distinct(codes, batch.count("field"))
        rows = zip(*(code[example].tolist() for code in codes), strict=True)
        keys = list(rows) if codes else [()] * len(example)
        known = list(map(self._numbers.get, keys))
        new = [nth for nth, number in enumerate(known) if number is None]
        for nth in new:
            known[nth] = self._numbers[keys[nth]] = len(self._numbers)
        self._table.learn(self._numbers)
        return np.array(known, np.int64)[of], example[new] if new else np.empty(0, np.int64)

    def forget(self, count: int) -> None:
        """Withdraw the numbers given last."""
        for _ in range(count):
            self._numbers.popitem()
        self._table = ShapeTable()

    def _whole(self, name: str, column: QuantityColumn) -> Ints:
        """The column as whole numbers that mean the same in every batch."""
        if column.units is not None:
            return np.asarray(column.units)
        if column.codes is None:
            return column.floats.view(np.int64)
        met = self._words.setdefault(name, {})
        numbers = [met.setdefault(value, len(met)) for value in column.values]
        return np.array(numbers, np.int64)[column.codes]


def distinct(columns: Sequence[NDArray[Any]], rows: int) -> tuple[Ints, Ints]:
    """The first row of each distinct tuple, and for every row which of them it equals."""
    key, size = np.zeros(rows, np.int64), 1
    for column in columns:
        low, high = int(column.min(initial=0)), int(column.max(initial=0))
        if high - low >= 2**31:
            column = np.unique(column, return_inverse=True)[1]  # noqa: PLW2901
            low, high = 0, len(column)
        if size * (high - low + 1) >= 2**62:
            key = np.unique(key, return_inverse=True)[1]
            size = rows
        wide = column.astype(np.int64, copy=False)
        moved = wide - low if low else wide
        key, size = key * (high - low + 1) + moved if size > 1 else moved, size * (high - low + 1)
    if size > max(_DENSE, 4 * rows):
        return _by_sorting(key)
    first_of = _first_rows(key, size)
    met = np.flatnonzero(first_of >= 0)
    first = first_of[met]
    first_of[met] = np.arange(len(met))
    return first, first_of[key]


def _by_sorting(key: Ints) -> tuple[Ints, Ints]:
    """The first row of each key, and for every row which of them it equals. The sort need not be
    stable for that, whereas that of ``np.unique`` is, and takes four times as long."""
    order = np.argsort(key)
    rising = key[order]
    begins = np.flatnonzero(np.diff(rising, prepend=rising[0] - 1))
    of = np.empty(len(key), np.int64)
    of[order] = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(key)))
    return np.minimum.reduceat(order, begins), of


def _first_rows(key: Ints, size: int) -> Ints:
    """The first row of each key, or -1; searched in blocks that fit into a cache."""
    first_of = np.full(size, -1)
    for start in range(0, len(key), _BLOCK):
        block = key[start : start + _BLOCK]
        unseen = np.flatnonzero(first_of[block] < 0)[::-1]  # the first of equals is written last
        first_of[block[unseen]] = unseen + start
    return first_of


def without_entrants(batch: Batch, rows: Ints) -> Batch:
    """Some fields of a batch as mere shapes, without entrants."""
    facts = {name: c.take(rows) for name, c in batch.facts["field"].items()}
    return replace(
        batch,
        facts={"field": facts, "entrant": {}, "player": {}},
        place=np.empty(0, np.int64),
        tied=np.empty(0, np.int64),
        entrant_offsets=np.zeros(len(rows) + 1, np.int64),
        player_offsets=np.zeros(1, np.int64),
        exact=lambda i: batch.exact(int(rows[i])),
        places=np.empty(0, np.int64),
    )


@dataclass(frozen=True, slots=True)
class KnownShapes:
    """What is known about each shape.

    ``arrays`` are looked up by loops: kind ``shape`` has one value per shape, kind ``curve`` one
    per place, and kind ``totals`` one more than places for each shape. A shape that is refused or
    ``unsure`` pays no places.
    """

    refused: Bools
    unsure: Bools
    places: Ints
    arrays: Mapping[tuple[str, str], Any]

    @staticmethod
    def nothing() -> KnownShapes:
        return KnownShapes(np.empty(0, np.bool_), np.empty(0, np.bool_), np.empty(0, np.int64), {})

    def and_then(self, more: KnownShapes) -> KnownShapes:
        """The same with further shapes added."""
        both = {
            key: np.concatenate([self.arrays[key], new])
            if key in self.arrays
            else np.concatenate([np.zeros(self._length(key[0]), new.dtype), new])
            for key, new in more.arrays.items()
        }
        for key, old in self.arrays.items():
            if key not in both:
                both[key] = np.concatenate([old, np.zeros(more._length(key[0]), old.dtype)])
        return KnownShapes(
            np.concatenate([self.refused, more.refused]),
            np.concatenate([self.unsure, more.unsure]),
            np.concatenate([self.places, more.places]),
            both,
        )

    def _length(self, kind: str) -> int:
        shapes, places = len(self.places), int(self.places.sum())
        return {"shape": shapes, "row": shapes, "curve": places, "totals": places + shapes}[kind]

    @property
    def offsets(self) -> Ints:
        """Where the places of each shape begin."""
        return np.concatenate(([0], np.cumsum(self.places)))


def running_totals(values: Floats, places: Ints) -> Floats:
    """For every shape, 0 followed by the running sums of its places; a tie gets the difference of
    two.

    Summed shape by shape, so that a small sum is not the difference of two large ones.
    """
    offsets = np.concatenate(([0], np.cumsum(places)))
    totals = np.zeros(len(values) + len(places))
    for k in range(len(places)):
        part = values[offsets[k] : offsets[k + 1]]
        totals[offsets[k] + k + 1 : offsets[k + 1] + k + 1] = np.cumsum(part)
    return totals
