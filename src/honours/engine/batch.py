"""Many fields as columns: what the compiled way works on.

A batch holds fields with the same words and the same inputs given. Rows are laid out by level:
one a field, then its entrants one after the other, then their players; places are laid out once
it is known how many each field pays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.rules import Level
from honours.model import Field, Value

Ints = NDArray[np.int64]

_COMMON = 10**6
"""The finest common unit summed in whole numbers; anything finer is summed as floats."""


@dataclass(frozen=True, slots=True)
class Column:
    """One quantity over rows.

    ``floats`` are its values; exact ones carry ``codes`` into ``values`` too, or are whole
    ``units`` and become floats only when asked. A constant has a single ``value`` for all rows.
    """

    given: NDArray[np.float64] | None
    codes: Ints | None = None
    values: tuple[Any, ...] = ()
    units: NDArray[Any] | None = None
    unit: Fraction = Fraction(1)
    constant: bool = False

    @staticmethod
    def coding(codes: Ints, values: tuple[Any, ...]) -> Column:
        """A column of few distinct exact values or words."""
        numeric = [float("nan") if isinstance(v, str) else float(v) for v in values]
        return Column(np.array(numeric)[codes] if values else np.empty(0), codes, values)

    @staticmethod
    def in_units(units: NDArray[Any], unit: Fraction) -> Column:
        """Whole multiples of a unit, in any type of whole number."""
        return Column(None, units=units, unit=unit)

    @property
    def floats(self) -> NDArray[np.float64]:
        """The values as floats: the one nearest to each multiple (n/100, never n × 0.01)."""
        if self.given is not None:
            return self.given
        assert self.units is not None
        values: NDArray[np.float64] = self.units * float(self.unit.numerator)
        return values / self.unit.denominator

    @property
    def is_constant(self) -> bool:
        return self.constant

    @property
    def kind(self) -> Any:
        """What is the same for all batches that a loop can run over."""
        if self.constant:
            return self.values
        return self.unit if self.units is not None else self.codes is not None and self.is_word

    @property
    def is_exact(self) -> bool:
        return self.constant or self.codes is not None or self.units is not None

    @property
    def is_word(self) -> bool:
        return any(isinstance(v, str | Mapping | tuple) for v in self.values[:1])

    @property
    def value(self) -> Any:
        return self.values[0]

    @property
    def raw(self) -> Any:
        """What a compiled loop takes: the array, or the constant as a float."""
        return float(self.floats[0]) if self.constant else self.floats

    def spread(self, rows: int) -> NDArray[np.float64]:
        return np.full(rows, self.floats[0]) if self.constant else self.floats

    def coded(self, rows: int) -> tuple[Ints, tuple[Any, ...]]:
        """Codes and the exact values they stand for; refuses what was never rounded."""
        if self.constant:
            return np.zeros(rows, np.int64), self.values
        if self.codes is not None:
            return self.codes, self.values
        if self.units is None:
            raise TypeError("a quantity that was never rounded reached a tabulated rule")
        distinct, back = np.unique(self.units, return_inverse=True)
        return back, tuple(Fraction(int(n)) * self.unit for n in distinct)

    def in_whole_units(self) -> Column:
        """The same column as multiples of a unit, where its exact values have one."""
        numbers = [v for v in self.values if isinstance(v, Fraction)]
        common = lcm(*(v.denominator for v in numbers))
        if self.codes is None or len(numbers) != len(self.values) or common > _COMMON:
            return self
        wholes = np.array([int(v * common) for v in numbers], np.int64)
        return Column.in_units(wholes[self.codes], Fraction(1, common))

    def at(self, row: int) -> Any:
        """The exact value in a row."""
        if self.constant:
            return self.value
        if self.units is not None:
            return int(self.units[row]) * self.unit
        assert self.codes is not None
        return self.values[self.codes[row]]

    def take(self, rows: Any) -> Column:
        if self.constant:
            return self
        return replace(
            self,
            given=None if self.given is None else self.given[rows],
            codes=None if self.codes is None else self.codes[rows],
            units=None if self.units is None else self.units[rows],
        )


_ROOM = 2**62


def pairs_of(column: Column, rows: int) -> tuple[Ints, Ints]:
    """The exact values of a column as fractions of whole numbers, 0 / 0 where they do not fit."""
    if column.units is not None:
        unit = column.unit
        wide = column.units.astype(np.int64) * unit.numerator
        return wide, np.full(len(wide), unit.denominator, np.int64)
    if column.codes is None and not column.constant:
        return np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    codes = np.zeros(rows, np.int64) if column.codes is None else column.codes
    above, below = np.zeros((2, max(len(column.values), 1)), np.int64)
    for i, value in enumerate(column.values):
        if isinstance(value, Fraction) and max(abs(value.numerator), value.denominator) < _ROOM:
            above[i], below[i] = value.numerator, value.denominator
    return above[codes], below[codes]


def constant(value: Any) -> Column:
    """A column that is the same on every row: a number, a word or a table."""
    number = value if isinstance(value, Fraction) else Fraction(0)
    exact = value if isinstance(value, str | Mapping | tuple) else Fraction(value)
    return Column(np.array([float(number)]), values=(exact,), constant=True)


def column_of(values: Iterable[Value]) -> Column:
    """A column of exact values as they come."""
    index: dict[Value, int] = {}
    codes = [index.setdefault(v, len(index)) for v in values]
    return Column.coding(np.array(codes, np.int64), tuple(index))


@dataclass(frozen=True, slots=True)
class Batch:
    """Fields with the same words, as columns. ``exact`` gives a field back as it was."""

    words: Mapping[str, str]
    facts: Mapping[Level, Mapping[str, Column]]
    place: NDArray[Any]
    tied: NDArray[Any]
    """In any type of whole number."""
    entrant_offsets: Ints
    player_offsets: Ints
    exact: Callable[[int], Field]
    uniform: bool
    places: Ints = field(default_factory=lambda: np.empty(0, np.int64))

    @staticmethod
    def of(fields: list[Field], words: Iterable[str]) -> Batch:
        """The batch of fields that have the same facts given and the same words."""
        standings = [s for f in fields for s in f.standings]
        people = [s.entrant.players or (None,) for s in standings]
        wordy = {w: str(fields[0].facts[w]) for w in words if w in fields[0].facts}
        by_field = _columns([f.facts for f in fields], wordy)
        by_entrant = _columns([s.facts for s in standings], {})
        by_player = _columns([p.facts if p else {} for group in people for p in group], {})
        return Batch(
            words=wordy,
            facts={"field": by_field, "entrant": by_entrant, "player": by_player},
            place=np.array([s.place for s in standings], np.int64),
            tied=np.array([s.tied for s in standings], np.int64),
            entrant_offsets=_offsets(len(f.standings) for f in fields),
            player_offsets=_offsets(len(group) for group in people),
            exact=fields.__getitem__,
            uniform=not any(s.entrant.players for s in standings),
        )

    @property
    def below(self) -> set[str]:
        return {*self.facts["entrant"], *self.facts["player"]}

    def given(self) -> dict[str, Value]:
        """What is given of the field; only which names and which words matter here."""
        return {**dict.fromkeys(self.facts["field"], Fraction(0)), **self.words}

    def facts_of(self, row: int) -> dict[str, Value]:
        """What is told of one field, exactly, without its entrants."""
        return {**self.words, **{n: c.at(row) for n, c in self.facts["field"].items()}}

    def count(self, level: Level) -> int:
        if level == "place":
            return int(self.places.sum())
        offsets = {"entrant": self.entrant_offsets, "player": self.player_offsets}
        return len(self.entrant_offsets) - 1 if level == "field" else int(offsets[level][-1])

    @property
    def place_offsets(self) -> Ints:
        return _offsets(self.places)

    def with_places(self, places: Ints) -> Batch:
        return replace(self, places=places)

    def field_of(self, level: Level) -> Ints:
        """The field each row of a level belongs to."""
        fields = np.arange(self.count("field"))
        if level == "field":
            return fields
        if level == "place":
            return np.repeat(fields, self.places)
        of_entrant = np.repeat(fields, np.diff(self.entrant_offsets))
        return of_entrant if level == "entrant" else of_entrant[self.entrant_of_player]

    @property
    def entrant_of_player(self) -> Ints:
        return np.repeat(np.arange(self.count("entrant")), np.diff(self.player_offsets))

    def entrants_of(self, fields: Ints) -> Ints:
        """The rows of the entrants of some fields, in order."""
        counts = np.diff(self.entrant_offsets)[fields]
        return spans(self.entrant_offsets[fields], counts)

    def take(self, keep: NDArray[np.bool_]) -> Batch:
        """Only the fields to keep."""
        if keep.all():
            return self
        chosen = np.flatnonzero(keep)
        entrants = self.entrants_of(chosen)
        of_player = self.field_of("player")
        players = np.flatnonzero(keep[of_player])
        rows: dict[Level, Ints] = {"field": chosen, "entrant": entrants, "player": players}
        return replace(
            self,
            facts={lv: {n: c.take(rows[lv]) for n, c in f.items()} for lv, f in self.facts.items()},
            place=self.place[entrants],
            tied=self.tied[entrants],
            entrant_offsets=_offsets(np.diff(self.entrant_offsets)[chosen]),
            player_offsets=_offsets(np.diff(self.player_offsets)[entrants]),
            exact=lambda i: self.exact(int(chosen[i])),
        )

    def find(self, name: str, level: Level) -> Column | None:
        """A fact at a level, or the nearest above it that has it."""
        above: dict[Level, tuple[Level, ...]] = {
            "field": ("field",),
            "place": ("field",),
            "entrant": ("entrant", "field"),
            "player": ("player", "entrant", "field"),
        }
        for at in above[level]:
            if name in self.facts[at]:
                return self.broadcast(self.facts[at][name], at, level)
        return None

    def broadcast(self, column: Column, own: Level, level: Level) -> Column:
        """A column of one level for the rows of a level below it."""
        if own == level or column.is_constant:
            return column
        if own == "entrant":
            return column.take(self.entrant_of_player)
        return column.take(self.field_of(level))

    def rank(self, name: str, level: Level) -> Column:
        """``place`` or ``tied`` for the rows of a level."""
        if level == "place":
            within = np.arange(self.count("place")) - np.repeat(
                self.place_offsets[:-1], self.places
            )
            return Column.in_units(within + 1, Fraction(1))
        ranks = Column.in_units(self.place if name == "place" else self.tied, Fraction(1))
        return ranks if level == "entrant" else ranks.take(self.entrant_of_player)

    # --- many rows into one -----------------------------------------------------------------

    def gathered(self, column: Column, how: str, own: Level, level: Level) -> Column:
        """The mean, sum or number of a column's rows within each row of a level above."""
        offsets = self._offsets_of(own, level)
        counts = np.diff(offsets)
        if how == "count_of_":
            return Column.in_units(counts, Fraction(1))
        spread = column.spread(self.count(own))
        totals = np.add.reduceat(np.append(spread, 0.0), offsets[:-1]) if len(counts) else spread
        totals = np.where(counts == 0, 0.0, totals)
        return Column(totals / counts if how == "mean_of_" else totals)

    def over_places(self, column: Column, how: str) -> Column:
        """The mean, sum or number of a per-place column over the places of each field."""
        if how == "count_of_":
            return Column.in_units(self.places, Fraction(1))
        weights = column.spread(self.count("place"))
        totals = np.bincount(self.field_of("place"), weights, self.count("field"))
        sums = totals.astype(np.float64)
        return Column(sums / self.places if how == "mean_of_" else sums)

    def _offsets_of(self, own: Level, level: Level) -> Ints:
        if own == level:
            return np.arange(self.count(own) + 1)
        if own == "player":
            return self.player_offsets if level == "entrant" else self._players_by_field
        return self.entrant_offsets

    @property
    def _players_by_field(self) -> Ints:
        return self.player_offsets[self.entrant_offsets]

    def ranked(self, column: Column) -> Column:
        """Each entrant's rank in its field, the largest first; of equals who has fewer players."""
        values, of = column.spread(self.count("entrant")), self.field_of("entrant")
        order = np.lexsort((np.arange(len(values)), np.diff(self.player_offsets), -values, of))
        ranks = np.empty(len(values), np.int64)
        ranks[order] = np.arange(len(values)) - self.entrant_offsets[of[order]] + 1
        return Column.in_units(ranks, Fraction(1))

    def covered(self, column: Column) -> Column:
        """The sum of a per-place column over the paid places each entrant's tie covers."""
        column = column.in_whole_units()
        paid = self.places[self.field_of("entrant")]
        start = self.place_offsets[:-1][self.field_of("entrant")] + self.place - 1
        exactly = column.units is not None
        source: Any = column.units if exactly else column.spread(self.count("place"))
        total: Any = np.zeros(len(self.place), np.int64 if exactly else np.float64)
        for k in range(int(self.tied.max(initial=0))):
            rows = np.flatnonzero((k < self.tied) & (self.place + k <= paid))
            total[rows] += source[start[rows] + k]
        return Column.in_units(total, column.unit) if exactly else Column(total)

    def every_player(self, refused: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which entrants have all their players refused."""
        counts = np.diff(self.player_offsets)
        many = np.bincount(self.entrant_of_player, refused, len(counts))
        whole: NDArray[np.bool_] = (counts > 0) & (many == counts)
        return whole


def spans(starts: Ints, counts: Ints) -> Ints:
    """The whole numbers of every span, one span after the other."""
    ends = np.cumsum(counts)
    before: Ints = np.repeat(starts - (ends - counts), counts)
    return before + np.arange(len(before))


def _offsets(counts: Iterable[int] | Ints) -> Ints:
    return np.concatenate(([0], np.cumsum(np.fromiter(counts, np.int64)))).astype(np.int64)


def _columns(rows: list[Mapping[str, Value]], leave: Mapping[str, str]) -> dict[str, Column]:
    names = dict.fromkeys(n for row in rows for n in row)
    return {n: column_of([row[n] for row in rows]) for n in names if n not in leave}
