"""Scoring the results of a shard, row group by row group, with the scorer's own kernel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from honours.lab import row_arrays, store
from honours.lab.arrow import numbers, whole
from honours.lab.column_reading import (
    Columns,
    LostEvents,
    check_order,
    lost_group,
    null_events,
    read_columns,
)
from honours.lab.row_arrays import ranked
from honours.lab.shards import BadEvent, Shard
from honours.lab.tables import SCORES
from honours.model.message import Message
from honours.scoring.columns import ScoredColumns as Scored
from honours.scoring.columns import Totals, each_ranked, score_columns

if TYPE_CHECKING:
    from honours.scoring.profiles import Profile

_COLUMNS = ("event", "board", "ns", "ew", "score")


def score_file(path: Path, profile: Profile, lines: Columns | None = None) -> Iterator[Any]:
    """The scores of a file of results: a table for every row group, or a :class:`LostEvents`."""
    for table in results_of(path):
        yield table if isinstance(table, LostEvents) else score_table(table, profile, lines)
        del table


def results_of(path: Path) -> Iterator[Any]:
    """The results of a file by row group, with :class:`LostEvents` for the unreadable ones."""
    file = store.open_file(path)
    for group in range(file.num_row_groups):
        try:
            table = store.read_group(path, file, group, list(_COLUMNS))
        except store.CorruptGroup as problem:
            yield lost_group(path, file, group, problem)
            continue
        nulls = list(null_events(path, table, group, "results"))
        yield from nulls
        yield _without(table, nulls)
        del table  # before the next is read, which can then reuse cached memory


def _without(table: Any, lost: list[LostEvents]) -> Any:
    if not lost:
        return table
    kept = table.filter(table["event"].is_valid())
    events = kept["event"].to_numpy()
    out = [(events >= one.first) & (events <= one.last) for one in lost]
    return kept.filter(pa.array(~np.any(out, axis=0)))


def score_table(table: Any, profile: Profile, lines: Columns | None = None) -> Any:
    """The scores of a table of results; ``lines`` are the entrants that are ranked by line."""
    scored = _scored(table, profile)
    values = (
        scored.event,
        scored.entrant,
        scored.points,
        scored.possible,
        scored.percentage,
        *_ranks(scored, lines),
    )
    arrays = [pa.array(np.asarray(c)).cast(f.type) for c, f in zip(values, SCORES, strict=True)]
    return pa.Table.from_arrays(arrays, schema=SCORES)


def _scored(table: Any, profile: Profile) -> Scored:
    event, board, ns, ew, score = _columns(table)
    return score_columns(event, board, ns, ew, score, profile, matchpoints=False)


def _columns(table: Any) -> tuple[Any, ...]:
    return tuple(numbers(whole(table[name])) for name in _COLUMNS)


def _ranks(scored: Scored, lines: Columns | None) -> tuple[Any, Any]:
    if lines is None:
        return scored.place, scored.tied
    return _by_line(scored.event, scored.entrant, scored.place, lines)


@dataclass(frozen=True, slots=True)
class Ranks:
    """Event, number, place and ties of every entrant with results, some events at a time, and
    the results that could not be read."""

    file: str
    parts: tuple[Totals, ...]
    lost: tuple[LostEvents, ...]


def rank_results(path: Path, profile: Profile) -> Ranks:
    """The places that a file of results gives."""
    parts: list[Totals] = []
    lost: list[LostEvents] = []
    for table in results_of(path):
        if isinstance(table, LostEvents):
            lost.append(table)
            continue
        each_ranked(_columns(table), profile, lambda totals: parts.append(_copied(totals)))
        del table
    return Ranks(path.name, tuple(parts), tuple(lost))


def _copied(totals: Totals) -> Totals:
    return [column.copy() for column in totals]


def placed_by_score(
    shard: Shard, ranks: Ranks, lines: Columns | None = None
) -> tuple[Shard, tuple[BadEvent, ...]]:
    """The shard with the places that its results give; events without results keep theirs, and
    those whose results are unreadable or belong to other entrants are bad."""
    place, tied = shard.place.copy(), shard.tied.copy()
    wrong = np.zeros(len(shard.ids), np.bool_)
    for event, entrant, own, shared in ranks.parts:
        by_line = (own, shared) if lines is None else _by_line(event, entrant, own, lines)
        scores, there = (event, entrant, *by_line), (place, tied)
        row_arrays.placed(shard.ids, shard.entrant_offsets, shard.entrant, scores, there, wrong)
    why = Message("its results are not of the entrants it has")
    bad = [BadEvent(event, why, ranks.file) for event in shard.ids[wrong].tolist()]
    for one in ranks.lost:
        inside = shard.ids[(shard.ids >= one.first) & (shard.ids <= one.last)]
        bad += [BadEvent(event, one.why, one.where) for event in inside.tolist()]
    return replace(shard, place=place, tied=tied), tuple(bad)


def lines_of(folder: Path, shard: int) -> Columns | None:
    """The entrants of a shard with the line of each, or None if there are no lines."""
    path = store.shard_file(folder, "entrants", shard)
    if not path.exists() or "line" not in store.open_file(path).schema_arrow.names:
        return None
    columns = read_columns(path, "entrants")[0]
    check_order(path, columns)
    return columns


def _by_line(event: Any, entrant: Any, place: Any, lines: Columns) -> tuple[Any, Any]:
    """Places within each line, from those in the whole field, whose order is the same."""
    known = lines["event"].astype(np.int64) << 16 | lines["entrant"]
    at = np.searchsorted(known, event.astype(np.int64) << 16 | entrant)
    line = lines["line"][np.minimum(at, len(known) - 1)]
    return ranked(event.astype(np.int64) * 4 + line, place)
