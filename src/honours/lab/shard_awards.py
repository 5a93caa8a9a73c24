"""What a rulebook awards in a shard: all ranking lists, combined as the rulebook says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from honours.engine.award import award
from honours.engine.columns import exact_only
from honours.engine.columns.award import ColumnAwards, in_columns, with_others
from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, MissingInput
from honours.lab.compared_sides import AsPaid, Side, paid_players
from honours.lab.fields import FieldBatch, field_batches
from honours.lab.one_by_one import award_one_by_one
from honours.lab.paid_amounts import PaidAmounts
from honours.lab.shards import BadEvent, Ints, Shard
from honours.lab.whole_events import award_whole, whole_events
from honours.model import Field
from honours.model.message import Message

__all__ = ["SCALE", "ShardAwards", "award_shard"]


NOT_KNOWN_PAID = Message("what was paid is not known")


@dataclass(frozen=True, slots=True)
class ShardAwards:
    """Ten-thousandths per entrant of the shard, and which of its events are refused.

    ``amounts`` are for each player of an entrant; if the players of an entrant are paid
    differently, it is the largest amount, and ``of_players`` has each player's own. ``derived``
    counts the fields that were too near a boundary and so were derived exactly.
    """

    amounts: NDArray[np.int64]
    refused: NDArray[np.bool_]
    derived: int
    bad: tuple[BadEvent, ...]
    of_players: Ints | None = None

    def to_players(self, shard: Shard) -> Ints:
        """What all players of each entrant get in total."""
        if self.of_players is None:
            return self.amounts * np.diff(shard.player_offsets)
        return np.add.reduceat(self.of_players, shard.player_offsets[:-1])

    def players_paid(self, shard: Shard) -> Ints:
        """How many players of each entrant get something."""
        if self.of_players is None:
            return np.diff(shard.player_offsets) * (self.amounts > 0)
        paid: Ints = np.add.reduceat(
            (self.of_players > 0).astype(np.int64), shard.player_offsets[:-1]
        )
        return paid

    def each_player(self, shard: Shard) -> Ints:
        """What every player gets."""
        if self.of_players is not None:
            return self.of_players
        each: Ints = self.amounts[shard.entrant_of_player]
        return each

    def of_rows(self, players: Ints, entrants: Ints) -> Ints:
        """What some players get, by their rows and those of their entrants."""
        paid: Ints = self.amounts[entrants] if self.of_players is None else self.of_players[players]
        return paid


def award_shard(rulebook: Side, shard: Shard, aside: Iterable[BadEvent] = ()) -> ShardAwards:
    """Award every event of a shard except those already set ``aside``."""
    if isinstance(rulebook, AsPaid):
        return _as_paid(shard)
    account = PaidAmounts(shard, rulebook.lists.pays_best)
    refused = np.ones(len(shard.ids), np.bool_)
    bad: list[BadEvent] = [*aside]
    derived = 0
    for item in field_batches(rulebook, shard):
        if isinstance(item, BadEvent):
            bad.append(item)
            continue
        paid, refusing = _paid(rulebook, item)
        bad += [BadEvent(int(shard.ids[item.lists.events[i]]), why) for i, why in refusing.items()]
        account.pay(item.lists, paid)
        refused[item.lists.events[~paid.refused]] = False
        derived += paid.derived
    bad += _award_whole(rulebook, shard, account, refused)
    bad_events = {b.event: b for b in bad}
    refused[np.isin(shard.ids, list(bad_events))] = True
    amounts, each = account.closed(refused)
    return ShardAwards(amounts, refused, derived, tuple(bad_events.values()), each)


def _award_whole(
    rulebook: Rulebook, shard: Shard, account: PaidAmounts, refused: NDArray[np.bool_]
) -> list[BadEvent]:
    """Award the events that can only be awarded as a whole; returns those that lack something."""
    bad = []
    for row in map(int, np.flatnonzero(whole_events(rulebook, shard))):
        try:
            awards = award_whole(rulebook, shard, row, in_words=False)
            rows = range(int(shard.entrant_offsets[row]), int(shard.entrant_offsets[row + 1]))
            counting = [awards.combined.get(str(int(shard.entrant[k])), ()) for k in rows]
            account.pay_whole(rows, counting)
        except HonoursError as error:
            bad.append(BadEvent(int(shard.ids[row]), error.brief))
            continue
        refused[row] = all(one.refusal is not None for one in awards.lists)
    return bad


def _as_paid(shard: Shard) -> ShardAwards:
    """What was paid, for the events where that is known."""
    each, unknown = paid_players(shard)
    most = np.maximum.reduceat(each, shard.player_offsets[:-1])
    refused = np.zeros(len(shard.ids), np.bool_)
    refused[unknown] = True
    bad = tuple(BadEvent(int(shard.ids[row]), NOT_KNOWN_PAID) for row in unknown)
    return ShardAwards(most, refused, 0, bad, each)


def _paid(rulebook: Rulebook, item: FieldBatch) -> tuple[ColumnAwards, dict[int, str]]:
    """Award a batch in columns, and fields left in doubt one by one, so that none spoils
    another."""
    if item.uneven or exact_only(rulebook):
        return award_one_by_one(rulebook, item.batch)
    try:
        worked = in_columns(rulebook, item.batch)
    except HonoursError:  # a number cannot be worked out: find out which for each field
        return award_one_by_one(rulebook, item.batch)
    paid, left, spoilt = worked.awards, worked.doubt, dict[int, str]()
    if worked.lack.any():
        rows = np.flatnonzero(worked.lack)
        if why := _what_is_missing(rulebook, item.batch.exact(int(rows[0]))):
            paid.refused[rows] = True
            spoilt = dict.fromkeys(rows.tolist(), why)
        else:
            left = left | worked.lack
    if left.any():
        others, whys = award_one_by_one(rulebook, item.batch.take(left))
        paid = with_others(item.batch, paid, left, others)
        rows = np.flatnonzero(left)
        spoilt |= {int(rows[i]): brief for i, brief in whys.items()}
    return paid, spoilt | _lacking(rulebook, item, paid, spoilt)


def _what_is_missing(rulebook: Rulebook, field: Field) -> str:
    """What a field and all like it lack, without saying whose it is."""
    try:
        award(rulebook, field, in_words=False)
    except MissingInput as error:
        return MissingInput(error.names, rulebook.input(error.names[0]).about).brief
    except HonoursError:
        pass
    return ""


def _lacking(
    rulebook: Rulebook, item: FieldBatch, paid: ColumnAwards, spoilt: Mapping[int, str]
) -> dict[int, str]:
    """What is missing in the fields that are refused only for lack of it."""
    if not any(rule.asks for rule in rulebook.rules):
        return {}
    missing = {}
    for i in {*np.flatnonzero(paid.refused).tolist()} - {*spoilt}:
        try:
            award(rulebook, item.batch.exact(i), in_words=False)
        except MissingInput as error:
            missing[i] = error.brief
    return missing
