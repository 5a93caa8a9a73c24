"""Fields of a batch awarded the exact way, each by itself: what one lacks spoils no other."""

from __future__ import annotations

import numpy as np

from honours.engine.award import award
from honours.engine.compiled.award import ColumnAwards
from honours.engine.compiled.batch import Batch
from honours.engine.compiled.columns import SCALE
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError


def award_one_by_one(rulebook: Rulebook, batch: Batch) -> tuple[ColumnAwards, dict[int, str]]:
    """The awards of every field that can be awarded, and why another cannot, by its row."""
    amounts = np.zeros(batch.count("entrant"), np.int64)
    refused = np.ones(batch.count("field"), np.bool_)
    spoilt: dict[int, str] = {}
    for i in range(batch.count("field")):
        try:
            awards = award(rulebook, batch.exact(i))
        except HonoursError as error:
            spoilt[i] = error.brief
            continue
        refused[i] = awards.refusal is not None
        rows = batch.entrants_of(np.array([i]))
        if awards.schedule:
            amounts[rows] = [int(a.amount * SCALE) for a in awards.schedule]
    return ColumnAwards(amounts, refused, len(refused)), spoilt
