"""Many fields as columns of facts.

A batch holds fields with the same words and the same inputs given. Rows are laid out by level: one
per field, then its entrants one after the other, then their players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.rules import Level
from honours.model import Field, Value

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_DENSE = 2**13
"""Keys below this, or below four times their number, are numbered with a lookup table instead of
by sorting."""


@dataclass(frozen=True, slots=True)
class FactColumn:
    """A fact over rows: whole multiples of a unit, or ``codes`` of exact values or words."""

    units: NDArray[Any] | None = None
    unit: Fraction = Fraction(1)
    codes: Ints | None = None
    values: tuple[Value, ...] = ()

    @staticmethod
    def in_units(units: NDArray[Any], unit: Fraction) -> FactColumn:
        """Whole multiples of a unit, in any type of whole number."""
        return FactColumn(units, unit)

    @staticmethod
    def coding(codes: Ints, values: tuple[Value, ...]) -> FactColumn:
        """Few distinct values or words."""
        return FactColumn(codes=codes, values=values)

    @staticmethod
    def of(values: Iterable[Value]) -> FactColumn:
        """Values as they are given. Fields made in a loop share one object over many rows, which
        is recognised without computing the hash of a fraction."""
        kept = list(values)
        index: dict[Value, int] = {}
        code_of_object: dict[int, int] = {}
        for value in kept:
            if id(value) not in code_of_object:
                code_of_object[id(value)] = index.setdefault(value, len(index))
        codes = np.fromiter((code_of_object[id(v)] for v in kept), np.int64, len(kept))
        return FactColumn.coding(codes, tuple(index))

    @property
    def is_word(self) -> bool:
        return any(isinstance(value, str) for value in self.values[:1])

    @property
    def keys(self) -> NDArray[Any]:
        """A whole number for each row, the same where the values are."""
        keys = self.units if self.codes is None else self.codes
        assert keys is not None
        return keys

    def at(self, row: int) -> Value:
        """The exact value in a row."""
        if self.units is not None:
            return int(self.units[row]) * self.unit
        return self.values[int(self.keys[row])]


@dataclass(frozen=True, slots=True)
class Batch:
    """Fields with the same words, as columns. ``exact`` returns a field in its original form, for
    :func:`honours.engine.columns.award.award_columns` to decide what columns leave open;
    ``uniform`` says that there are no lists of players."""

    words: Mapping[str, str]
    facts: Mapping[Level, Mapping[str, FactColumn]]
    place: NDArray[Any]
    tied: NDArray[Any]
    """In any type of whole number."""
    entrant_offsets: Ints
    player_offsets: Ints
    exact: Callable[[int], Field] | None = None
    uniform: bool = False
    in_part: frozenset[str] = frozenset()
    """What some entrants or players of each field carry and others lack, and so has no column."""

    @staticmethod
    def of(fields: list[Field], words: Iterable[str]) -> Batch:
        """A batch of fields that have the same inputs given and the same words."""
        standings = [s for f in fields for s in f.standings]
        people = [s.entrant.players or (None,) for s in standings]
        wordy = {w: str(fields[0].facts[w]) for w in words if w in fields[0].facts}
        return Batch(
            words=wordy,
            facts={
                "field": _columns([f.facts for f in fields], wordy),
                "entrant": _columns([s.facts for s in standings], {}),
                "player": _columns([p.facts if p else {} for group in people for p in group], {}),
            },
            place=np.array([s.place for s in standings], np.int64),
            tied=np.array([s.tied for s in standings], np.int64),
            entrant_offsets=offsets_of([len(f.standings) for f in fields]),
            player_offsets=offsets_of([len(group) for group in people]),
            exact=fields.__getitem__,
            uniform=not any(s.entrant.players for s in standings),
        )

    @property
    def below(self) -> set[str]:
        """The names of the facts that entrants and players carry."""
        return {*self.facts["entrant"], *self.facts["player"], *self.in_part}

    def facts_of(self, row: int) -> dict[str, Value]:
        """The exact facts of one field, without its entrants."""
        return {**self.words, **{n: c.at(row) for n, c in self.facts["field"].items()}}

    def count(self, level: Level) -> int:
        """Return how many rows a level has."""
        if level == "field":
            return len(self.entrant_offsets) - 1
        return int((self.entrant_offsets if level == "entrant" else self.player_offsets)[-1])


def spans(starts: Ints, counts: Ints) -> Ints:
    """The whole numbers of every span, one span after another."""
    ends = np.cumsum(counts)
    before: Ints = np.repeat(starts - (ends - counts), counts)
    return before + np.arange(len(before))


def offsets_of(counts: Sequence[int] | Ints) -> Ints:
    """Return where each of so many rows begins, and the end of the last."""
    return np.concatenate(([0], np.cumsum(np.asarray(counts, np.int64))))


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
        order = np.argsort(key)
        rising = key[order]
        begins = np.flatnonzero(np.diff(rising, prepend=rising[0] - 1))
        of = np.empty(len(key), np.int64)
        of[order] = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(key)))
        return np.minimum.reduceat(order, begins), of
    first_of = np.full(size, -1)
    first_of[key[::-1]] = np.arange(rows)[::-1]  # the first of equals is written last
    met = np.flatnonzero(first_of >= 0)
    first = first_of[met]
    first_of[met] = np.arange(len(met))
    return first, first_of[key]


def _columns(rows: list[Mapping[str, Value]], leave: Mapping[str, str]) -> dict[str, FactColumn]:
    names = dict.fromkeys(n for row in rows for n in row)
    return {n: FactColumn.of([row[n] for row in rows]) for n in names if n not in leave}
