"""What the lists of a shard's events pay together: per entrant, and per player if those of one
entrant are paid differently."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns.award import ColumnAwards, amounts_of_players, in_units, parts_players
from honours.engine.columns.batch import spans
from honours.lab import row_arrays
from honours.lab.shard_lists import RankingLists
from honours.lab.shards import Ints, Shard
from honours.model import Award

NOTHING = -(2**31)
"""The entrant is in no list of the event, or only in refused ones: less than any award, which
may be negative."""


class PaidAmounts:
    """Ten-thousandths per entrant of a shard, added list by list: the ``best`` of them or their
    sum."""

    def __init__(self, shard: Shard, best: bool) -> None:
        self.shard, self.best = shard, best
        self.amounts = np.full(len(shard.entrant), NOTHING if best else 0, np.int64)
        self.each: Ints | None = None
        """What each player has; None as long as that equals the entrant's amount."""

    def pay(self, lists: RankingLists, paid: ColumnAwards) -> None:
        """Add the payments of some lists to those made so far."""
        if self.best and paid.refused.any():  # a list that pays nothing is no better than a loss
            paid.amounts[np.repeat(paid.refused, np.diff(lists.offsets))] = NOTHING
        if paid.of_players is not None or self.each is not None:
            self._pay_players(lists, paid)
        row_arrays.pay(self.amounts, lists.entrants, paid.amounts, self.best)

    def _of_players(self) -> Ints:
        if self.each is None:
            self.each = self.amounts[self.shard.entrant_of_player]
        return self.each

    def _pay_players(self, lists: RankingLists, paid: ColumnAwards) -> None:
        """The same for players. If the best list counts, the players of an entrant who does
        better in this one get what it pays; of equally good lists the first counts."""
        each, begins = self._of_players(), self.shard.player_offsets
        teams = np.diff(begins)[lists.entrants]
        own = np.repeat(paid.amounts, teams) if paid.of_players is None else paid.of_players
        if not self.best:
            np.add.at(each, spans(begins[lists.entrants], teams), own)
            return
        better = np.flatnonzero(paid.amounts > self.amounts[lists.entrants])
        order = better[np.lexsort((-better, paid.amounts[better]))]  # the last one written remains
        from_rows = spans((np.cumsum(teams) - teams)[order], teams[order])
        each[spans(begins[lists.entrants[order]], teams[order])] = own[from_rows]

    def pay_whole(self, entrants: range, counting: Sequence[Sequence[Award]]) -> None:
        """Record the payments of an event that is awarded as a whole, from the awards that count
        for each of its entrants."""
        self.amounts[entrants] = [
            in_units(sum((a.amount for a in own), Fraction(0))) for own in counting
        ]
        if self.each is None and not any(parts_players(a) for own in counting for a in own):
            return
        each, begins = self._of_players(), self.shard.player_offsets
        for row, own in zip(entrants, counting, strict=True):
            players = slice(int(begins[row]), int(begins[row + 1]))
            each[players] = np.sum([amounts_of_players(a) for a in own], axis=0) if own else 0

    def closed(self, refused: NDArray[np.bool_]) -> tuple[Ints, Ints | None]:
        """The final payments of entrants and players; nothing in refused events."""
        self.amounts[self.amounts == NOTHING] = 0
        if self.each is not None:
            self.each[self.each == NOTHING] = 0
        if refused.any():
            out = np.repeat(refused, self.shard.sizes)
            self.amounts[out] = 0
            if self.each is not None:
                self.each[out[self.shard.entrant_of_player]] = 0
        return self.amounts, self.each
