"""Fields of a batch awarded the exact way, each by itself: what one lacks spoils no other."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from honours.engine.award import award
from honours.engine.compiled.award_columns import ColumnAwards, amounts_of_players, parts_players
from honours.engine.compiled.batch import Batch
from honours.engine.compiled.columns import SCALE
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, InputError

_MOST = 2**62


def in_units(amount: Fraction) -> int:
    """An award as a corpus counts it, in ten-thousandths of a point."""
    units = int(amount * SCALE)
    if abs(units) > _MOST:
        raise InputError("awards of more than {most:,} cannot be counted", most=_MOST // SCALE)
    return units


def award_one_by_one(rulebook: Rulebook, batch: Batch) -> tuple[ColumnAwards, dict[int, str]]:
    """The awards of every field that can be awarded, and why another cannot, by its row."""
    amounts = np.zeros(batch.count("entrant"), np.int64)
    each = np.zeros(batch.count("player"), np.int64)
    refused = np.ones(batch.count("field"), np.bool_)
    spoilt: dict[int, str] = {}
    differ = False
    for i in range(batch.count("field")):
        try:
            awards = award(rulebook, batch.exact(i))
            own = [in_units(a.amount) for a in awards.schedule]
        except HonoursError as error:
            spoilt[i] = error.brief
            continue
        refused[i] = awards.refusal is not None
        if own:
            amounts[batch.entrants_of(np.array([i]))] = own
            each[batch.players_of(i)] = [n for a in awards.schedule for n in amounts_of_players(a)]
            differ = differ or any(map(parts_players, awards.schedule))
    return ColumnAwards(amounts, refused, len(refused), each if differ else None), spoilt
