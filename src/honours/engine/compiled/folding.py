"""Aggregates over the rows of columns, exact if the rows are whole numbers of a unit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from honours.engine.aggregates import Fold
from honours.engine.compiled.batch import Batch, spans
from honours.engine.compiled.column import Bools, Ints, QuantityColumn
from honours.engine.compiled.column_arithmetic import Pairs, as_floats, plus
from honours.engine.compiled.rounding import BOUND
from honours.engine.rules import Level

_MOST = 2.0**62


def folded(
    batch: Batch, column: QuantityColumn, fold: Fold, own: Level, level: Level, best: Ints
) -> QuantityColumn:
    """The aggregate, within each row of ``level``, of its rows of ``own``; ``best`` is how many
    count in each field."""
    offsets = batch.offsets(own, level)
    if fold.counts:
        return QuantityColumn.in_units(np.diff(offsets), Fraction(1))
    rows = batch.count(own)
    exact = column.in_whole_units()
    if column.constant and isinstance(column.value, Fraction):
        exact = QuantityColumn.in_units(
            np.full(rows, column.value.numerator), Fraction(1, column.value.denominator)
        )
    values: Any = column.spread(rows) if exact.units is None else exact.units.astype(np.int64)
    if fold.best:
        values, offsets = _largest(values, offsets, best[batch.field_of(level)])
    return _finished(_reduced(values, offsets), np.diff(offsets), exact, fold)


def _reduced(values: Any, offsets: Ints) -> Any:
    if len(offsets) < 2:
        return values[:0]
    # An empty last span begins at the end, where an item is added; any other includes it.
    padded = np.append(values, values.dtype.type(0))
    return np.where(np.diff(offsets) == 0, 0, np.add.reduceat(padded, offsets[:-1]))


def _finished(total: Any, counts: Ints, exact: QuantityColumn, fold: Fold) -> QuantityColumn:
    if exact.units is None or np.abs(total.astype(np.float64)).max(initial=0) > _MOST / 2**20:
        floats = total.astype(np.float64)
        if exact.units is not None:
            floats = floats * float(exact.unit)
        with np.errstate(all="ignore"):
            return QuantityColumn(floats / counts if fold.mean else floats)
    if not fold.mean:
        return QuantityColumn.in_units(total, exact.unit)
    unit = exact.unit
    return QuantityColumn.of_pairs((total * unit.numerator, counts * unit.denominator), len(total))


def _largest(values: Any, offsets: Ints, best: Ints) -> tuple[Any, Ints]:
    """The largest values of each span, as many as count in it, and one at least."""
    counts = np.diff(offsets)
    of = np.repeat(np.arange(len(counts)), counts)
    ordered = values[np.lexsort((-values, of))]
    kept = np.minimum(counts, np.maximum(best, 1))
    return ordered[spans(offsets[:-1], kept)], np.concatenate(([0], np.cumsum(kept)))


def ranked(batch: Batch, column: QuantityColumn, own: Level) -> tuple[QuantityColumn, Bools]:
    """The rank of each entrant or player in its field, the largest value first; among equals,
    the one with fewer players, then the order of the list. Also which values floats cannot tell
    from the next."""
    whole = column.in_whole_units().units
    values: Any = column.spread(batch.count(own)) if whole is None else whole.astype(np.int64)
    of = batch.field_of(own)
    sizes = np.diff(batch.player_offsets)
    sizes = sizes if own == "entrant" else sizes[batch.entrant_of_player]
    order = _order(values, of, sizes)
    ranks = np.empty(len(values), np.int64)
    ranks[order] = np.arange(len(values)) - batch.offsets(own, "field")[of[order]] + 1
    near = np.zeros(len(values), np.bool_)
    if whole is None:
        gaps = np.abs(np.diff(values[order])) <= BOUND * np.maximum(1.0, np.abs(values[order][1:]))
        near[order[1:]] = gaps & (of[order][1:] == of[order][:-1])
    return QuantityColumn.in_units(ranks, Fraction(1)), near


def _order(values: Any, of: Ints, sizes: Ints) -> Ints:
    """Rows by field, the largest value first, and among equals those with fewer players: one
    sort if the three fit into a whole number, since sorting by each takes three times as long."""
    if values.dtype == np.int64 and len(values):
        most, widths = int(values.max()), (int(np.ptp(values)) + 1, int(sizes.max()) + 1)
        if (int(of[-1]) + 1) * widths[0] * widths[1] < _MOST:
            key: Ints = ((of * widths[0] + (most - values)) * widths[1]) + sizes
            return np.argsort(key, kind="stable")
    return np.lexsort((sizes, -values, of))


def covered(batch: Batch, column: QuantityColumn) -> QuantityColumn:
    """The sum of a per-place column over the paid places each entrant's tie covers."""
    of = batch.field_of("entrant")
    paid, start = batch.places[of], batch.place_offsets[:-1][of] + batch.place - 1
    exact = column.pairs()
    floats, rows = column.spread(batch.count("place")), len(batch.place)
    above, below, total = np.zeros(rows, np.int64), np.ones(rows, np.int64), np.zeros(rows)
    for k in range(int(batch.tied.max(initial=0))):
        inside = np.flatnonzero((k < batch.tied) & (batch.place + k <= paid))
        if not len(inside):
            break
        at = start[inside] + k
        total[inside] += floats[at]
        if exact is not None:
            more = tuple(p if np.ndim(p) == 0 else p[at] for p in exact)
            summed = more if k == 0 else plus((above[inside], below[inside]), more)
            above[inside], below[inside] = summed
    if exact is None:
        return QuantityColumn(total)
    return _with_floats((above, below), total)


def _with_floats(pairs: Pairs, floats: Any) -> QuantityColumn:
    if np.all(pairs[1]):
        return QuantityColumn.of_pairs(pairs, len(floats))
    known = np.where(pairs[1] == 0, floats, as_floats(pairs))
    return QuantityColumn.of_pairs(pairs, len(floats), known)
