"""Scoring the results of a shard, row group by row group, with the scorer's own kernel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from honours.errors import FileProblem
from honours.lab import store
from honours.lab.tables import SCORES
from honours.scoring.columns import score_columns

if TYPE_CHECKING:
    from honours.scoring.profiles import Profile

_COLUMNS = ("event", "board", "ns", "ew", "score")


def score_file(path: Path, profile: Profile) -> Iterator[Any]:
    """The scores of a file of results: a table for every row group."""
    file = store.open_file(path)
    for group in range(file.num_row_groups):
        yield score_table(store.read_group(path, file, group, list(_COLUMNS)), profile, path, group)


def score_table(table: Any, profile: Profile, path: Path, group: int) -> Any:
    """The scores of a table of results."""
    for name in _COLUMNS:
        if table[name].null_count:
            raise FileProblem(path, f"row group {group}: {name!r} has nulls")
    event, board, ns, ew, score = (table[c].to_numpy() for c in _COLUMNS)
    scored = score_columns(event, board, ns, ew, score, profile)
    found = (
        scored.event, scored.entrant, scored.points, scored.possible,
        scored.percentage, scored.place, scored.tied,
    )  # fmt: skip
    arrays = [pa.array(np.asarray(c)).cast(f.type) for c, f in zip(found, SCORES, strict=True)]
    return pa.Table.from_arrays(arrays, schema=SCORES)
