"""Runs the fused loop of a plan over a batch: gathers its arguments and shares out the fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.compiled.batch import Batch
from honours.engine.compiled.column import Ints, QuantityColumn, whole_pairs
from honours.engine.compiled.loop_source import LoopSource
from honours.engine.compiled.loop_values import CannotFuse
from honours.engine.compiled.machine_code import machine_code
from honours.engine.compiled.memo import FactMemory, memory
from honours.engine.compiled.plan import LoopPlan
from honours.engine.compiled.shapes import KnownShapes, running_totals
from honours.engine.compiled.threads import share_out
from honours.engine.graph import AWARD, OperationKind
from honours.engine.rules import Level

if TYPE_CHECKING:
    from honours.engine.compiled.columns import ColumnWorking

_MEMO_ROW = ("row", "memo")
"""The name of the array with each shape's row in the memory."""


@dataclass(frozen=True, slots=True)
class LoopResult:
    """The result of a loop: amounts and flags per entrant, which fields are in doubt as a whole,
    which were refused, and the rounded quantities kept for each field, in units."""

    amounts: NDArray[np.integer[Any]]
    flag: NDArray[np.uint8]
    doubtful: NDArray[np.bool_]
    refused: NDArray[np.bool_]
    kept: Mapping[str, NDArray[np.int64]]


class FusedLoop:
    """The generated loop for a plan; ``working`` covers shapes that are not refused."""

    def __init__(self, plan: LoopPlan, batch: Batch, working: ColumnWorking) -> None:
        rounded_before: set[str] = set()
        self.exact = plan.exact_below(AWARD, "entrant", rounded_before)
        self._numbers: dict[str, float | None] = {}
        self._pairs: dict[str, tuple[int, int]] = {}
        keep = tuple(sorted(rounded_before)) if self.exact else ()
        number, exact = partial(self._number, working), partial(_is_exact, working)
        self.source = LoopSource(plan, working.rounding, number, _units(batch), exact, keep)
        for many, quantity in enumerate((*plan.own, None)):
            for refusal in (rule for before, rule in plan.judged if before == many):
                self.source.refuse(refusal)
            if quantity:
                self.source.add(quantity)
        self.text = self.source.finish()
        self.units = {name: self.source.unit_of(name) for name in keep}
        self._memory = self._shared_memory() if self.source.memo else None

    def shared(self, working: ColumnWorking, live: Ints, places: Ints) -> dict[Any, Any]:
        """What the loop looks up by shape; only the shapes in ``live`` have been worked out."""
        arrays: dict[Any, Any] = {}
        for kind, wanted in self.source.wants.values():
            name, _, end = wanted.partition("__")
            if end:
                arrays[kind, wanted] = _whole(working, kind, name, end, live, len(places))
            elif kind == "shape":
                values = np.zeros(len(places))
                values[live] = _column(working, name).spread(len(live))
                arrays[kind, name] = values
            elif kind == "curve":
                arrays[kind, name] = curve(working, name)
            elif kind == "totals":
                arrays[kind, name] = running_totals(curve(working, name), places)
        if self.source.memo:
            arrays[_MEMO_ROW] = self._remember(arrays, len(places))
        return arrays

    def _remember(self, arrays: Mapping[Any, Any], shapes: int) -> Ints:
        """The row of the memory for each shape; shapes that do not differ for players share one."""
        assert self.source.memo is not None
        assert self._memory is not None
        looked_up = [arrays["shape", name].tolist() for name in self.source.memo.names("shape")]
        rows = list(zip(*looked_up, strict=True)) or [()] * shapes
        return np.array([self._memory.row(row) for row in rows], np.int64)

    def _shared_memory(self) -> FactMemory:
        memo = self.source.memo
        assert memo is not None
        rules = tuple(self.source.rules[name] for name in sorted(memo.rules))
        return memory(rules, tuple((name, self._numbers[name]) for name in memo.names("number")))

    def run(self, batch: Batch, of: Ints, known: KnownShapes, scale: int) -> LoopResult:
        """Amounts of a batch whose fields have these shapes."""
        rows, fields = batch.count("entrant"), batch.count("field")
        kept = {name: np.zeros(fields, np.int64) for name in self.units}
        amounts, flag = np.zeros(rows, np.int32), np.zeros(rows, np.uint8)
        doubtful, refused = np.zeros((2, fields), np.bool_)
        ran = LoopResult(amounts, flag, doubtful, refused, kept)
        wanted = [self._wanted(batch, known, kept, *w) for w in self.source.wants.values()]
        results = (ran.amounts, ran.flag, ran.doubtful, ran.refused)
        exact = tuple(self.source.on_fractions.items())
        loop = _compiled(self.text, tuple(self.source.rules.items()), exact, scale)
        sizes = _sizes(batch, known) if self.source.keeps_rows else (0, 0, 0)
        arguments = (*_fixed(batch, of, known), *sizes, *results, *wanted)
        share_out(loop, batch.entrant_offsets, rows, arguments)
        return ran

    def _number(self, working: ColumnWorking, name: str) -> float | None:
        """A number of the rulebook: the same for all shapes."""
        column = _column(working, name)
        # Facts that happen to be equal here do not count: the loop also serves where they differ.
        parameter = working.graph.operation(name).kind is OperationKind.NUMBER
        self._numbers[name] = float(column.floats[0]) if parameter else None
        if parameter:
            self._pairs[name] = column.pairs() or (0, 0)
        return self._numbers[name]

    def _wanted(
        self, batch: Batch, known: KnownShapes, kept: Mapping[str, Any], kind: str, name: str
    ) -> Any:
        if kind == "number":
            return self._numbers[name]
        if kind == "pair":
            return self._pairs[name]
        if kind == "keep":
            return kept[name]
        if kind == "fact":
            column = next(f[name] for f in batch.facts.values() if name in f)
            return column.floats if column.units is None else column.units
        if kind == "memo":
            return self._memory.values if self._memory else None
        return known.arrays[_MEMO_ROW] if kind == "memo_of" else known.arrays[kind, name]


def _fixed(batch: Batch, of: Ints, known: KnownShapes) -> tuple[Any, ...]:
    """The first arguments of every loop, in the order of ``FIXED`` after first and last."""
    return (
        of,
        known.refused | known.unsure,
        batch.entrant_offsets,
        batch.player_offsets,
        batch.place,
        batch.tied,
        known.places,
        known.offsets,
    )


def _sizes(batch: Batch, known: KnownShapes) -> tuple[int, int, int]:
    """The largest numbers of entrants, places and players in a field."""
    players = batch.player_offsets[batch.entrant_offsets]
    return (
        int(np.diff(batch.entrant_offsets).max(initial=0)),
        int(known.places.max(initial=0)),
        int(np.diff(players).max(initial=0)),
    )


def _column(working: ColumnWorking, name: str) -> QuantityColumn:
    column = working.shared(name)
    if column.is_word:
        raise CannotFuse(f"{name} is a word or a table")
    return column


def curve(working: ColumnWorking, name: str) -> NDArray[np.float64]:
    """A shared quantity per place, shape after shape."""
    return working.column(name, "place").spread(working.batch.count("place"))


def _is_exact(working: ColumnWorking, name: str, level: Level) -> bool:
    """Whether a shared quantity is mostly known as fractions small enough to work with; that an
    irrational one happens to be a fraction for some shape says nothing about the others."""
    operation = working.graph.operation(name, level)
    own = "field" if operation.aggregate else operation.per
    column = working.column(name, "place") if own == "place" else working.shared(name)
    pairs = column.pairs()
    return pairs is not None and bool(2 * np.count_nonzero(pairs[1]) > np.size(pairs[1]))


def _whole(working: ColumnWorking, kind: str, name: str, end: str, live: Ints, shapes: int) -> Ints:
    """The numerators or denominators of a shared quantity's fractions; 0 where unknown."""
    nth = ("above", "below").index(end)
    if kind == "curve":
        return whole_pairs(working.column(name, "place"), working.batch.count("place"))[nth]
    values = np.zeros(shapes, np.int64)
    values[live] = whole_pairs(_column(working, name), len(live))[nth]
    return values


@lru_cache(maxsize=256)
def _compiled(
    text: str,
    rules: tuple[tuple[str, Callable[..., Any]], ...],
    exact: tuple[tuple[str, str], ...],
    scale: int,
) -> Callable[..., None]:
    source = f"scale, iscale = {scale}.0, {scale}\n{text}"
    return machine_code(source, "fused", dict(rules), dict(exact))


def _units(batch: Batch) -> dict[tuple[str, Level], Fraction | None]:
    """The facts of entrants and players, with the unit of those that are whole multiples."""
    units: dict[tuple[str, Level], Fraction | None] = {}
    levels: tuple[Level, ...] = ("entrant", "player")
    for level in levels:
        for name, column in batch.facts[level].items():
            if column.is_word or column.is_constant:
                raise CannotFuse(f"{name} is a word or the same for all")
            units[name, level] = None if column.units is None else column.unit
    return units
