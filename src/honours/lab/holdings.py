"""What players hold that a rulebook looks at: masterpoints, or the ratings it moves."""

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
    """A column by which players are told apart; ``one`` unit of what is held is this many of the
    column."""

    column: str

    @property
    def one(self) -> int:
        return UNITS[self.column].denominator

    @property
    def is_rating(self) -> bool:
        return self.column != "holding"

    @property
    def note(self) -> Message | str:
        """What must be known to read a figure of what is held."""
        return Message("what a player holds is the rating") if self.is_rating else ""

    def of(self, shard: Shard) -> Ints:
        """What every player holds, ``NOT_SAID`` where it is not known."""
        own = shard.of_players.get(self.column) if self.is_rating else shard.holding
        if own is None:
            return np.full(len(shard.player), NOT_SAID, np.int64)
        return own.astype(np.int64)

    def instead(self, shard: Shard, held: Ints) -> Shard:
        """The shard in which players hold something else."""
        if self.is_rating:
            return replace(shard, of_players={**shard.of_players, self.column: held})
        return replace(shard, holding=held.astype(np.int32))


def held_under(side: Side) -> HoldingColumn:
    """What a side looks at: the rating, where it counts games and moves that."""
    rates = not isinstance(side, AsPaid) and side.plays_games and "gor" in side.inputs
    return HoldingColumn("gor" if rates else "holding")
