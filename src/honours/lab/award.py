"""What a rulebook awards in a shard: every ranking list, put together as the rulebook says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns import SCALE, award_columns
from honours.engine.rulebook import Rulebook
from honours.lab.fields import field_batches
from honours.lab.shards import Bad, Shard

__all__ = ["SCALE", "ShardAwards", "award_shard"]


@dataclass(frozen=True, slots=True)
class ShardAwards:
    """Ten-thousandths per entrant of the shard, and which of its events pay nothing at all.

    ``derived`` counts the fields too near a boundary, which were derived the exact way.
    """

    amounts: NDArray[np.int64]
    refused: NDArray[np.bool_]
    derived: int
    bad: tuple[Bad, ...]


def award_shard(rulebook: Rulebook, shard: Shard) -> ShardAwards:
    """Award every event of a shard."""
    amounts = np.zeros(len(shard.entrant), np.int64)
    refused = np.ones(len(shard.ids), np.bool_)
    bad: list[Bad] = []
    derived = 0
    for item in field_batches(rulebook, shard):
        if isinstance(item, Bad):
            bad.append(item)
            continue
        paid = award_columns(rulebook, item.batch)
        _combine(rulebook, amounts, item.lists.entrants, paid.amounts)
        refused[item.lists.events[~paid.refused]] = False
        derived += paid.derived
    return ShardAwards(amounts, refused, derived, tuple(bad))


def _combine(
    rulebook: Rulebook,
    amounts: NDArray[np.int64],
    rows: NDArray[np.int64],
    paid: NDArray[np.int64],
) -> None:
    """Each entrant is in a list once, so that plain assignment by rows is enough."""
    before = amounts[rows]
    best = rulebook.lists.combine == "best"
    amounts[rows] = np.maximum(before, paid) if best else before + paid
