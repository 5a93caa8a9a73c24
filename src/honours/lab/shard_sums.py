"""Adds up a shard under both sides of a comparison, in one pass over its players."""

from __future__ import annotations

import numpy as np

from honours.lab import bands, row_arrays
from honours.lab.members import MemberTotals
from honours.lab.shard_awards import ShardAwards
from honours.lab.shards import Ints
from honours.lab.tallies import ADDED_UP, Appearances, ComparedEvents, ShardOfBoth

_EDGES = 100 * np.array(bands.HOLDINGS, np.int64)
"""In hundredths, as holdings are."""


def add_up(
    both: ShardOfBoth, played: ComparedEvents, appearances: Appearances, people: MemberTotals
) -> None:
    """Add a shard to the totals of events, of groups of players, and of members."""
    shard, events = both.shard, int(both.compared.sum())
    added_up = np.zeros((len(ADDED_UP), events), np.int64)
    of_members = people.room(shard)
    by_stratum, by_holding = (
        appearances.room(group, events, len(people.a)) for group in bands.PLAYER_GROUPS
    )
    rows = (
        both.compared,
        shard.ids,
        shard.entrant_offsets,
        shard.player_offsets,
        shard.stratum,
        shard.player,
        shard.holding,
    )
    paid = (both.a.amounts, _each(both.a), both.b.amounts, _each(both.b))
    row_arrays.add_up(rows, paid, added_up, (_EDGES, *by_stratum, *by_holding), of_members)
    played.add(both, added_up)
    people.follow(both)


def _each(awards: ShardAwards) -> Ints:
    """What each player gets, or nothing if all players of each entrant get the same."""
    return np.empty(0, np.int64) if awards.of_players is None else awards.of_players
