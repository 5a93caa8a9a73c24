"""Runs the fused loop of a plan over a batch: gathers what it asks for, shares out the fields."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.batch import Batch, Column
from honours.engine.compiled import machine_code
from honours.engine.fused import MEMO, CannotFuse, Source
from honours.engine.plan import Plan
from honours.engine.rules import Level
from honours.engine.shapes import Shapes, curve, running_totals

if TYPE_CHECKING:
    from honours.engine.columns import ColumnWorking

SMALL = 20_000
"""Entrants below which one thread is enough and nothing is remembered between players."""
_CHUNKS = 8


class FusedLoop:
    """The generated loop for a plan, ready for a batch of fields with known shapes."""

    def __init__(
        self,
        plan: Plan,
        batch: Batch,
        shapes: Shapes,
        working: ColumnWorking,
        keep: Sequence[str],
    ) -> None:
        self.plan, self.batch, self.shapes, self.working = plan, batch, shapes, working
        self.kept = {name: np.zeros(batch.count("field"), np.int64) for name in keep}
        self.source = Source(plan, working.rounding, self._number, _units(batch), tuple(keep))
        for quantity in plan.own:
            self.source.add(quantity)
        self.text = self.source.finish()

    def run(self, scale: int) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.bool_]]:
        """Amounts and flags per entrant, and which fields are in doubt as a whole."""
        batch = self.batch
        rows, fields = batch.count("entrant"), batch.count("field")
        out, flag = np.zeros(rows, np.int64), np.zeros(rows, np.uint8)
        doubtful = np.zeros(fields, np.bool_)
        wanted = [self._wanted(kind, name) for kind, name in self.source.wants.values()]
        arguments = (*self._fixed(), out, flag, doubtful, *wanted)
        loop = _compiled(self.text, tuple(self.source.rules.items()), scale)
        share_out(loop, batch.entrant_offsets, rows, arguments)
        return out, flag, doubtful

    def known(self, field: int) -> dict[str, Fraction]:
        """The quantities of a field that were rounded and kept, exactly."""
        return {
            name: int(units[field]) * self.source.unit_of(name) for name, units in self.kept.items()
        }

    def _fixed(self) -> tuple[Any, ...]:
        """The arguments every loop has, in the order of ``FIXED`` after first and last."""
        batch, at = self.batch, self.working.batch
        offsets = batch.player_offsets[batch.entrant_offsets]
        return (
            self.shapes.of,
            batch.entrant_offsets,
            batch.player_offsets,
            batch.place,
            batch.tied,
            at.places,
            at.place_offsets,
            int(np.diff(batch.entrant_offsets).max(initial=0)),
            int(at.places.max(initial=0)),
            int(np.diff(offsets).max(initial=0)),
        )

    def _number(self, name: str) -> float | None:
        """A shared quantity that is the same for all shapes."""
        column = self._column(name)
        return float(column.floats[0]) if column.is_constant else None

    def _column(self, name: str) -> Column:
        column = self.working.shared(name)
        if column.is_word:
            raise CannotFuse(f"{name} is a word or a table")
        return column

    def _wanted(self, kind: str, name: str) -> Any:
        if kind == "number":
            return self._number(name)
        if kind == "shape":
            return self._column(name).floats
        if kind == "keep":
            return self.kept[name]
        if kind == "curve":
            return curve(self.working, name)
        if kind == "totals":
            return running_totals(curve(self.working, name), self.working.batch.place_offsets)
        if kind == "fact":
            column = next(f[name] for f in self.batch.facts.values() if name in f)
            return column.floats if column.units is None else column.units
        return self._memo()[kind == "memo_of"]

    def _memo(self) -> tuple[Any, Any]:
        assert self.source.memo is not None
        shapes = [self._column(name).floats for name in self.source.memo.shapes]
        if not shapes:
            rows, of = np.zeros((1, 1)), np.zeros(len(self.shapes.example), np.int64)
        else:
            rows, of = np.unique(np.stack(shapes), axis=1, return_inverse=True)
        numbers = tuple(
            (name, self._number(name)) for kind, name in self.source.wants.values()
            if kind == "number"
        )  # fmt: skip
        functions = tuple(self.source.rules.values())
        return _memory(functions, numbers, rows.tobytes(), rows.shape[1]), np.reshape(of, -1)


@lru_cache(maxsize=4)
def _memory(functions: Any, numbers: Any, rows: bytes, count: int) -> NDArray[np.float64]:
    """What was worked out for each distinct fact, by these functions with these numbers."""
    del functions, numbers, rows
    return np.zeros((count, MEMO))


@lru_cache(maxsize=256)
def _compiled(
    text: str, rules: tuple[tuple[str, Callable[..., Any]], ...], scale: int
) -> Callable[..., None]:
    return machine_code(f"scale = {scale}.0\n{text}", "fused", dict(rules))


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


def share_out(
    loop: Callable[..., None], offsets: NDArray[np.int64], rows: int, arguments: tuple[Any, ...]
) -> None:
    """Run a loop over all fields, in spans of about the same number of rows on every core."""
    fields, workers = len(offsets) - 1, threads()
    if rows < SMALL or workers == 1:
        loop(0, fields, *arguments)
        return
    marks = np.searchsorted(offsets, np.linspace(0, offsets[-1], workers * _CHUNKS + 1))
    marks[0], marks[-1] = 0, fields
    loop(0, 0, *arguments)  # compiled once, before the threads would all do it
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda ab: loop(*ab, *arguments), pairwise(marks)))
