"""One quantity over the rows of many fields, exact where possible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.compiled.column_arithmetic import Pairs, as_floats
from honours.model import Value
from honours.model.message import Message

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_COMMON = 10**6
"""The finest common unit counted in whole numbers."""
_ROOM = 2**62


class NotInColumns(Exception):
    """A rule contains something that columns cannot express but the exact way can."""


@dataclass(frozen=True)
class QuantityColumn:
    """One quantity over rows.

    Exact values are whole ``units``, fractions of two whole numbers (``pairs``, with denominator 0
    if unknown), or ``codes`` into ``values``; a constant has a single value for all rows. All other
    values are floats, which are ``given`` beside the fractions if some of those are unknown.
    """

    given: NDArray[np.float64] | None = None
    codes: Ints | None = None
    values: tuple[Any, ...] = ()
    units: NDArray[Any] | None = None
    unit: Fraction = Fraction(1)
    constant: bool = False
    above: Ints | None = None
    below: Ints | None = None

    @staticmethod
    def coding(codes: Ints, values: tuple[Any, ...]) -> QuantityColumn:
        """A column of few distinct exact values or words."""
        return QuantityColumn(codes=codes, values=values)

    @staticmethod
    def in_units(units: NDArray[Any], unit: Fraction) -> QuantityColumn:
        """Whole multiples of a unit, in any type of whole number."""
        return QuantityColumn(units=units, unit=unit)

    @staticmethod
    def of_pairs(
        pairs: Pairs, rows: int, floats: NDArray[np.float64] | None = None
    ) -> QuantityColumn:
        """Fractions, with ``floats`` where these are unknown."""
        above, below = (np.broadcast_to(np.asarray(p, np.int64), rows) for p in pairs)
        return QuantityColumn(floats, above=above, below=below)

    @cached_property
    def floats(self) -> NDArray[np.float64]:
        """The values as floats, each the nearest to its multiple (n/100, never n × 0.01)."""
        if self.given is not None:
            return self.given
        if self.units is not None:
            return self.units * float(self.unit.numerator) / self.unit.denominator
        if self.above is not None:
            return np.asarray(as_floats((self.above, self.below)), np.float64)
        numeric = np.array([_as_float(v) for v in self.values] or [np.nan])
        return numeric if self.codes is None else numeric[self.codes]

    @property
    def is_constant(self) -> bool:
        return self.constant

    @property
    def kind(self) -> Any:
        """A value that is equal for all batches that one loop can process."""
        if self.constant:
            return self.values
        return self.unit if self.units is not None else self.codes is not None and self.is_word

    @cached_property
    def is_exact(self) -> bool:
        if self.below is not None:
            return bool(np.all(self.below))
        return self.constant or self.codes is not None or self.units is not None

    @property
    def is_word(self) -> bool:
        return any(isinstance(v, str | Mapping | tuple) for v in self.values[:1])

    @property
    def value(self) -> Any:
        return self.values[0]

    def spread(self, rows: int) -> NDArray[np.float64]:
        return np.full(rows, self.floats[0]) if self.constant else self.floats

    def coded(self, rows: int) -> tuple[Ints, tuple[Any, ...]]:
        """Codes and the exact values they stand for; a quantity that was never rounded has none."""
        if self.constant:
            return np.zeros(rows, np.int64), self.values
        if self.codes is not None:
            return self.codes, self.values
        if self.units is not None:
            distinct, back = np.unique(self.units, return_inverse=True)
            return np.reshape(back, -1), tuple(Fraction(int(n)) * self.unit for n in distinct)
        if self.above is None or self.below is None or not self.is_exact:
            raise NotInColumns(
                Message("a quantity that was never rounded and reaches a tabulated rule")
            )
        divisor = np.gcd(self.above, self.below)
        both = np.stack([self.above // divisor, self.below // divisor])
        pairs, back = np.unique(both, axis=1, return_inverse=True)
        return np.reshape(back, -1), tuple(Fraction(int(a), int(b)) for a, b in pairs.T)

    def pairs(self) -> Pairs | None:
        """The exact values as fractions of whole numbers, 0 / 0 where they do not fit; a single
        one for a constant; None for floats and words."""
        if self.above is not None:
            return self.above, self.below
        if self.units is not None:
            return self.units.astype(np.int64) * self.unit.numerator, self.unit.denominator
        if self.is_word or not self.values:
            return None
        above, below = np.zeros((2, len(self.values)), np.int64)
        for i, value in enumerate(self.values):
            if isinstance(value, Fraction) and max(abs(value.numerator), value.denominator) < _ROOM:
                above[i], below[i] = value.numerator, value.denominator
        if self.constant:
            return int(above[0]), int(below[0])
        return above[self.codes], below[self.codes]

    def in_whole_units(self) -> QuantityColumn:
        """The same column as multiples of a unit, if its exact values have one."""
        if self.units is not None or self.constant or not self.is_exact or self.is_word:
            return self
        pairs = self.pairs()
        if pairs is None or not np.all(pairs[1]):
            return self
        denominators = np.unique(pairs[1])
        common = lcm(*map(int, denominators)) if len(denominators) < _FEW else _COMMON + 1
        if common > _COMMON or np.abs(pairs[0]).max(initial=0) > _ROOM // _COMMON:
            return self
        return QuantityColumn.in_units(pairs[0] * (common // pairs[1]), Fraction(1, common))

    def at(self, row: int) -> Any:
        """The exact value in a row."""
        if self.constant:
            return self.value
        if self.units is not None:
            return int(self.units[row]) * self.unit
        if self.above is not None and self.below is not None:
            return Fraction(int(self.above[row]), int(self.below[row]))
        assert self.codes is not None
        return self.values[self.codes[row]]

    def take(self, rows: Any) -> QuantityColumn:
        if self.constant:
            return self
        return replace(
            self,
            given=None if self.given is None else self.given[rows],
            codes=None if self.codes is None else self.codes[rows],
            units=None if self.units is None else self.units[rows],
            above=None if self.above is None else self.above[rows],
            below=None if self.below is None else self.below[rows],
        )


_FEW = 64
"""The largest number of denominators for which a common multiple is sought."""


def _as_float(value: Any) -> float:
    return float("nan") if isinstance(value, str | Mapping | tuple) else float(value)


def whole_pairs(column: QuantityColumn, rows: int) -> tuple[Ints, Ints]:
    """The exact values of a column as fractions row by row, 0 / 0 where they do not fit."""
    above, below = column.pairs() or (0, 0)
    return np.broadcast_to(above, rows).astype(np.int64), np.broadcast_to(below, rows).astype(
        np.int64
    )


def constant(value: Any) -> QuantityColumn:
    """A column that is the same on every row: a number, a word or a table."""
    exact = value if isinstance(value, str | Mapping | tuple) else Fraction(value)
    return QuantityColumn(values=(exact,), constant=True)


def column_of(values: Iterable[Value]) -> QuantityColumn:
    """A column of exact values as given. Fields made in a loop share one object over many rows,
    which is recognised without computing the hash of a fraction."""
    kept = list(values)
    index: dict[Value, int] = {}
    code_of_object: dict[int, int] = {}
    for value in kept:
        if id(value) not in code_of_object:
            code_of_object[id(value)] = index.setdefault(value, len(index))
    codes = np.fromiter((code_of_object[id(v)] for v in kept), np.int64, len(kept))
    return QuantityColumn.coding(codes, tuple(index))
