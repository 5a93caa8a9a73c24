"""Scoring the results of a shard, row group by row group, with the scorer's own kernel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from honours.errors import FileProblem
from honours.lab import store
from honours.lab.lists import ranked
from honours.lab.reading import Columns, Lost, lost_group, null_events, read_columns
from honours.lab.tables import SCORES
from honours.scoring.columns import score_columns

if TYPE_CHECKING:
    from honours.scoring.profiles import Profile

_COLUMNS = ("event", "board", "ns", "ew", "score")


def score_file(path: Path, profile: Profile, lines: Columns | None = None) -> Iterator[Any]:
    """The scores of a file of results: a table for every row group, or a :class:`Lost`."""
    file = store.open_file(path)
    for group in range(file.num_row_groups):
        try:
            table = store.read_group(path, file, group, list(_COLUMNS))
        except FileProblem as problem:
            yield lost_group(path, file, group, problem)
            continue
        nulls = list(null_events(path, table, group, "results"))
        yield from nulls
        yield score_table(_without(table, nulls), profile, lines)


def _without(table: Any, lost: list[Lost]) -> Any:
    if not lost:
        return table
    kept = table.filter(table["event"].is_valid())
    events = kept["event"].to_numpy()
    out = [(events >= one.first) & (events <= one.last) for one in lost]
    return kept.filter(pa.array(~np.any(out, axis=0)))


def score_table(table: Any, profile: Profile, lines: Columns | None = None) -> Any:
    """The scores of a table of results; ``lines`` are entrants ranked each in its own line."""
    event, board, ns, ew, score = (table[c].to_numpy() for c in _COLUMNS)
    scored = score_columns(event, board, ns, ew, score, profile, matchpoints=False)
    place, tied = scored.place, scored.tied
    if lines is not None:
        place, tied = _by_line(scored.event, scored.entrant, place, lines)
    found = (
        scored.event, scored.entrant, scored.points, scored.possible,
        scored.percentage, place, tied,
    )  # fmt: skip
    arrays = [pa.array(np.asarray(c)).cast(f.type) for c, f in zip(found, SCORES, strict=True)]
    return pa.Table.from_arrays(arrays, schema=SCORES)


def lines_of(folder: Path, shard: int) -> Columns | None:
    """The entrants of a shard with the line of each, or None where nobody has one."""
    path = store.shard_file(folder, "entrants", shard)
    if not path.exists() or "line" not in store.open_file(path).schema_arrow.names:
        return None
    return read_columns(path, "entrants")[0]


def _by_line(event: Any, entrant: Any, place: Any, lines: Columns) -> tuple[Any, Any]:
    """Places within each line, from those in the whole field: their order is the same."""
    known = lines["event"].astype(np.int64) << 16 | lines["entrant"]
    at = np.searchsorted(known, event.astype(np.int64) << 16 | entrant)
    line = lines["line"][np.minimum(at, len(known) - 1)]
    return ranked(event.astype(np.int64) * 4 + line, place)
