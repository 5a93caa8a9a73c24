"""The holding of players that a rulebook takes into account: masterpoints, or the ratings it
changes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from honours.lab.column_reading import NOT_SAID
from honours.lab.compared_sides import AsPaid, Side
from honours.lab.shards import Ints, Shard
from honours.lab.tables import UNITS
from honours.model.message import Message


@dataclass(frozen=True, slots=True)
class HoldingColumn:
    """A column by which players are distinguished; ``one`` is the number of column units in one
    point."""

    column: str

    @property
    def one(self) -> int:
        return UNITS[self.column].denominator

    @property
    def is_rating(self) -> bool:
        return self.column != "holding"

    @property
    def note(self) -> Message | str:
        """A note needed to understand a figure about this holding."""
        return Message("what a player holds is the rating") if self.is_rating else ""

    def of(self, shard: Shard) -> Ints:
        """Every player's holding, ``NOT_SAID`` if unknown."""
        own = shard.of_players.get(self.column) if self.is_rating else shard.holding
        if own is None:
            return np.full(len(shard.player), NOT_SAID, np.int64)
        return own.astype(np.int64)

    def instead(self, shard: Shard, held: Ints) -> Shard:
        """The shard with other holdings for its players."""
        if self.is_rating:
            return replace(shard, of_players={**shard.of_players, self.column: held})
        return replace(shard, holding=held.astype(np.int32))


def held_under(side: Side) -> HoldingColumn:
    """The holding that a side takes into account: the rating, if it counts games and changes
    ratings."""
    rates = not isinstance(side, AsPaid) and side.plays_games and "gor" in side.inputs
    return HoldingColumn("gor" if rates else "holding")
