"""The lab's own way, straight on arrays."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from benchmarks.data import Columns, Fields
from honours.engine.columns.award import award_columns
from honours.engine.columns.batch import Batch, FactColumn
from honours.model import Entrant, Field, Player, Standing
from honours.rulebooks import load
from honours.scoring.columns import score_columns
from honours.scoring.profiles import profile


def score(columns: Columns) -> Any:
    """Matchpoints, totals, percentages and places by the EBU's convention."""
    event, board, ns, ew, points = columns
    return score_columns(event, board, ns, ew, points, profile("ebu"))


def batch_of(fields: Fields) -> Batch:
    """The fields as a batch for the compiled way."""
    count = np.full(len(fields.sizes), 2)
    facts = {
        "field": {
            "entrants": FactColumn.in_units(fields.sizes, Fraction(1)),
            "sessions": FactColumn.in_units(count, Fraction(1)),
        },
        "entrant": {},
        "player": {"masterpoints": FactColumn.in_units(fields.holding, Fraction(1, 100))},
    }
    offsets = fields.offsets
    return Batch(
        words={"kind": "pairs", "class_": "regional"},
        facts=facts,  # type: ignore[arg-type]
        place=fields.place,
        tied=fields.tied,
        entrant_offsets=offsets,
        player_offsets=np.arange(0, 2 * offsets[-1] + 1, 2),
        exact=lambda i: _exact(fields, i),
        uniform=False,
    )


def _exact(fields: Fields, i: int) -> Field:
    first, last = int(fields.offsets[i]), int(fields.offsets[i + 1])
    standings = tuple(
        Standing(_pair(fields, row), int(fields.place[row]), int(fields.tied[row]))
        for row in range(first, last)
    )
    facts = {"entrants": Fraction(last - first), "sessions": Fraction(2)}
    return Field({"kind": "pairs", "class_": "regional", **facts}, standings)


def _pair(fields: Fields, row: int) -> Entrant:
    held = (Fraction(int(h), 100) for h in fields.holding[2 * row : 2 * row + 2])
    return Entrant(str(row), tuple(Player("", facts={"masterpoints": h}) for h in held))


def award(batch: Batch) -> Any:
    """The 2020 proposal's award of every entrant."""
    return award_columns(load("acbl-sof-2020"), batch)
