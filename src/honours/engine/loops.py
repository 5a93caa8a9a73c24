"""Runs the fused loop of a plan over a batch: gathers what it asks for, shares out the fields."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from honours.engine.award import AWARD
from honours.engine.batch import Batch, Column, Ints, pairs_of
from honours.engine.case import aggregate
from honours.engine.compiled import machine_code
from honours.engine.fused import Source
from honours.engine.loop_values import CannotFuse
from honours.engine.memo import Memory, memory
from honours.engine.plan import Plan
from honours.engine.rulebook import Parameter
from honours.engine.rules import Level
from honours.engine.shapes import Known, running_totals

if TYPE_CHECKING:
    from honours.engine.columns import ColumnWorking

Item = TypeVar("Item")
Answer = TypeVar("Answer")

SMALL = 20_000
"""Entrants below which one thread is enough."""
_CHUNKS = 8
_thread = threading.local()
MEMO_OF = "memo of"
"""The name of what says which row of the memory a shape has."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a loop gave: amounts and flags per entrant, which fields are in doubt as a whole, and
    the units of what was rounded and kept of each field."""

    amounts: NDArray[np.int32]
    flag: NDArray[np.uint8]
    doubtful: NDArray[np.bool_]
    kept: Mapping[str, NDArray[np.int64]]


class FusedLoop:
    """The generated loop for a plan; ``working`` is of shapes that are not refused."""

    def __init__(self, plan: Plan, batch: Batch, working: ColumnWorking) -> None:
        rounded_before: set[str] = set()
        self.exact = plan.exact_below(AWARD, "entrant", rounded_before)
        self._numbers: dict[str, float | None] = {}
        self._pairs: dict[str, tuple[int, int]] = {}
        keep = tuple(sorted(rounded_before)) if self.exact else ()
        number, exact = partial(self._number, working), partial(_is_exact, working)
        self.source = Source(plan, working.rounding, number, _units(batch), exact, keep)
        for quantity in plan.own:
            self.source.add(quantity)
        self.text = self.source.finish()
        self.units = {name: self.source.unit_of(name) for name in keep}
        self._memory = self._shared_memory() if self.source.memo else None

    def shared(self, working: ColumnWorking, live: Ints, places: Ints) -> dict[Any, Any]:
        """What the loop looks up by shape, for shapes of which those in ``live`` are worked out."""
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
            arrays["shape", MEMO_OF] = self._remember(arrays, len(places))
        return arrays

    def _remember(self, arrays: Mapping[Any, Any], shapes: int) -> Ints:
        """Which row of the memory each shape has: those alike for players share one."""
        assert self.source.memo is not None
        assert self._memory is not None
        looked_up = [arrays["shape", name].tolist() for name in self.source.memo.names("shape")]
        rows = list(zip(*looked_up, strict=True)) or [()] * shapes
        return np.array([self._memory.row(row) for row in rows], np.int64)

    def _shared_memory(self) -> Memory:
        memo = self.source.memo
        assert memo is not None
        rules = tuple(self.source.rules[name] for name in sorted(memo.rules))
        return memory(rules, tuple((name, self._numbers[name]) for name in memo.names("number")))

    def run(self, batch: Batch, of: Ints, known: Known, scale: int) -> Ran:
        """Amounts of a batch whose fields have these shapes."""
        rows, fields = batch.count("entrant"), batch.count("field")
        kept = {name: np.zeros(fields, np.int64) for name in self.units}
        ran = Ran(
            np.zeros(rows, np.int32), np.zeros(rows, np.uint8), np.zeros(fields, np.bool_), kept
        )
        wanted = [self._wanted(batch, known, kept, *w) for w in self.source.wants.values()]
        results = (ran.amounts, ran.flag, ran.doubtful)
        exact = tuple(self.source.on_fractions.items())
        loop = _compiled(self.text, tuple(self.source.rules.items()), exact, scale)
        sizes = _sizes(batch, known) if self.source.keeps_rows else (0, 0, 0)
        arguments = (*_fixed(batch, of, known), *sizes, *results, *wanted)
        share_out(loop, batch.entrant_offsets, rows, arguments)
        return ran

    def _number(self, working: ColumnWorking, name: str) -> float | None:
        """A number of the rulebook: the same for all shapes."""
        column = _column(working, name)
        # Facts that happen to be alike here are not: the same loop is for those that differ.
        parameter = not aggregate(name) and isinstance(working.case.find(name), Parameter)
        self._numbers[name] = float(column.floats[0]) if parameter else None
        if parameter:
            above, below = pairs_of(column, 1)
            self._pairs[name] = int(above[0]), int(below[0])
        return self._numbers[name]

    def _wanted(
        self, batch: Batch, known: Known, kept: Mapping[str, Any], kind: str, name: str
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
        return known.arrays["shape", MEMO_OF] if kind == "memo_of" else known.arrays[kind, name]


def _fixed(batch: Batch, of: Ints, known: Known) -> tuple[Any, ...]:
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


def _sizes(batch: Batch, known: Known) -> tuple[int, int, int]:
    """The most entrants, places and players of a field."""
    players = batch.player_offsets[batch.entrant_offsets]
    return (
        int(np.diff(batch.entrant_offsets).max(initial=0)),
        int(known.places.max(initial=0)),
        int(np.diff(players).max(initial=0)),
    )


def _column(working: ColumnWorking, name: str) -> Column:
    column = working.shared(name)
    if column.is_word:
        raise CannotFuse(f"{name} is a word or a table")
    return column


def curve(working: ColumnWorking, name: str) -> NDArray[np.float64]:
    """A shared quantity per place, shape after shape."""
    return working.column(name, "place").spread(working.batch.count("place"))


def _is_exact(working: ColumnWorking, name: str, level: Level) -> bool:
    """Whether a shared quantity is known in fractions small enough to work with."""
    if not aggregate(name) and working.case.level(name) == "place":
        column = working.column(name, "place")
    elif level == "place" and not aggregate(name):
        column = working.column(name, "field")
    else:
        column = working.shared(name)
    rows = working.batch.count("place" if column is working.known(name, "place") else "field")
    return not column.is_word and bool((pairs_of(column, max(rows, 1))[1] > 0).any())


def _whole(working: ColumnWorking, kind: str, name: str, end: str, live: Ints, shapes: int) -> Ints:
    """The numbers above or below of a shared quantity's fractions; 0 of what is not known."""
    nth = ("above", "below").index(end)
    if kind == "curve":
        return pairs_of(working.column(name, "place"), working.batch.count("place"))[nth]
    values = np.zeros(shapes, np.int64)
    values[live] = pairs_of(_column(working, name), len(live))[nth]
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
    found: dict[tuple[str, Level], Fraction | None] = {}
    levels: tuple[Level, ...] = ("entrant", "player")
    for level in levels:
        for name, column in batch.facts[level].items():
            if column.is_word or column.is_constant:
                raise CannotFuse(f"{name} is a word or the same for all")
            found[name, level] = None if column.units is None else column.unit
    return found


def threads() -> int:
    """How many threads to use: all cores, unless HONOURS_THREADS says otherwise."""
    return int(os.environ.get("HONOURS_THREADS") or 0) or os.cpu_count() or 1


def each_on_all_cores(work: Callable[[Item], Answer], items: Sequence[Item]) -> Iterator[Answer]:
    """What ``work`` gives for every item, in order; it should let go of the interpreter's lock.

    What such work asks for in turn is done by the thread that asks: all cores are busy.
    """
    workers = 1 if hasattr(_thread, "busy") else min(threads(), len(items))
    if workers < 2:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(workers, initializer=lambda: setattr(_thread, "busy", True)) as pool:
        yield from pool.map(work, items)


def on_all_cores(work: Callable[[Item], Answer], items: Sequence[Item]) -> list[Answer]:
    """The same, when all are done."""
    return list(each_on_all_cores(work, items))


def share_out(
    loop: Callable[..., None], offsets: NDArray[np.int64], rows: int, arguments: tuple[Any, ...]
) -> None:
    """Run a loop over all fields, in spans of about the same number of rows on every core."""
    fields = len(offsets) - 1
    parts = 1 if rows < SMALL or hasattr(_thread, "busy") else threads() * _CHUNKS
    marks = np.searchsorted(offsets, np.linspace(0, offsets[-1], parts + 1))
    marks[0], marks[-1] = 0, fields
    on_all_cores(lambda span: loop(*span, *arguments), list(pairwise(marks)))
