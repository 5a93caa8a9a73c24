"""The awards of a rulebook in a shard: all ranking lists, combined as the rulebook says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns.award import (
    ColumnAwards,
    amounts_of_players,
    in_columns,
    in_units,
    parts_players,
)
from honours.engine.columns.batch import spans
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, MissingInput
from honours.formats.format import BRIDGE
from honours.lab.fields import FieldBatch, RankingLists, award_whole, field_batches, whole_events
from honours.lab.shards import BadEvent, Ints, Shard
from honours.lab.sides import AsPaid, Side, paid_players
from honours.model import Award
from honours.model.message import Message, word

# --- what the lists of a shard's events pay together --------------------------------------------

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
        # entrants in two strata occur twice
        (np.maximum if self.best else np.add).at(self.amounts, lists.entrants, paid.amounts)

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


# --- what a rulebook awards in a shard ----------------------------------------------------------

NOT_KNOWN_PAID = Message("what was paid is not known")


@dataclass(frozen=True, slots=True)
class ShardAwards:
    """Ten-thousandths per entrant of the shard, and which of its events are refused.

    ``amounts`` are for each player of an entrant; if the players of an entrant are paid
    differently, it is the largest amount, and ``of_players`` has each player's own. ``derived``
    counts what columns left in doubt and so was derived exactly.
    """

    amounts: NDArray[np.int64]
    refused: NDArray[np.bool_]
    derived: int
    bad: tuple[BadEvent, ...]
    of_players: Ints | None = None

    def to_players(self, shard: Shard) -> Ints:
        """Return the total amount of all players of each entrant."""
        if self.of_players is None:
            return self.amounts * np.diff(shard.player_offsets)
        return np.add.reduceat(self.of_players, shard.player_offsets[:-1])

    def players_paid(self, shard: Shard) -> Ints:
        """Return how many players of each entrant get something."""
        if self.of_players is None:
            return np.diff(shard.player_offsets) * (self.amounts > 0)
        paid: Ints = np.add.reduceat(
            (self.of_players > 0).astype(np.int64), shard.player_offsets[:-1]
        )
        return paid

    def each_player(self, shard: Shard) -> Ints:
        """Return every player's amount."""
        if self.of_players is not None:
            return self.of_players
        each: Ints = self.amounts[shard.entrant_of_player]
        return each

    def of_rows(self, players: Ints, entrants: Ints) -> Ints:
        """Return the amounts of some players, by their rows and those of their entrants."""
        paid: Ints = self.amounts[entrants] if self.of_players is None else self.of_players[players]
        return paid


def award_shard(rulebook: Side, shard: Shard, aside: Iterable[BadEvent] = ()) -> ShardAwards:
    """Award every event of a shard except those already set ``aside``: in columns, and exactly
    those that these cannot express or leave in doubt, each as a whole."""
    if isinstance(rulebook, AsPaid):
        return _as_paid(shard)
    account = PaidAmounts(shard, rulebook.lists.pays_best)
    refused, whole = np.ones(len(shard.ids), np.bool_), whole_events(rulebook, shard)
    exactly = whole.copy()
    bad, derived = {b.event: b for b in (*aside, *_of_another_game(rulebook, shard))}, 0
    for item in field_batches(rulebook, shard):
        if isinstance(item, BadEvent):
            bad.setdefault(item.event, item)
            continue
        events, worked = item.lists.events, _worked_out(rulebook, item)
        if worked is None:
            exactly[events] = True
            continue
        spoilt = dict(worked.faults)
        if worked.lack.any():
            lacking = np.flatnonzero(worked.lack)
            example = int(min(events[lacking], key=shard.sizes.__getitem__))
            why = _what_is_missing(rulebook, shard, example)
            spoilt |= dict.fromkeys(lacking.tolist(), why) if why else {}
            exactly[events[lacking]] = not why
        account.pay(item.lists, worked)
        refused[events[~worked.refused]] = False
        derived += worked.derived
        exactly[events[worked.doubt]] = True
        if any(rule.asks for rule in rulebook.rules):  # a refusal may be a question
            exactly[events[worked.refused]] = True
        for row, why in spoilt.items():
            event = int(shard.ids[events[row]])
            bad.setdefault(event, BadEvent(event, why))
    exactly &= ~np.isin(shard.ids, list(bad))
    bad |= _award_exactly(rulebook, shard, np.flatnonzero(exactly), account, refused)
    refused[np.isin(shard.ids, list(bad))] = True
    amounts, each = account.closed(refused)
    derived += int((exactly & ~whole).sum())
    return ShardAwards(amounts, refused, derived, tuple(bad.values()), each)


def _of_another_game(rulebook: Rulebook, shard: Shard) -> Iterator[BadEvent]:
    """The events that the rulebook is not for. Pairs and teams play bridge, where nothing else is
    said."""
    if not rulebook.game:
        return
    told = shard.events.get("discipline")
    other = np.zeros(len(shard.ids), np.bool_)
    if rulebook.game != BRIDGE:
        other[shard.event_of_entrant[np.diff(shard.player_offsets) > 1]] = True
    if told is not None:
        other = np.where(told.is_in(("",)), other, ~told.is_in((rulebook.game,)))
    for row in np.flatnonzero(other):
        why = Message(
            "an event of {played}, and {rulebook} is for {game}",
            played=word((told is not None and told[row]) or BRIDGE),
            rulebook=rulebook.id,
            game=word(rulebook.game),
        )
        yield BadEvent(int(shard.ids[row]), why)


def _worked_out(rulebook: Rulebook, item: FieldBatch) -> ColumnAwards | None:
    """The awards of a batch in columns; None if only the exact way can tell them."""
    try:
        return None if item.uneven else in_columns(rulebook, item.batch)
    except HonoursError:  # a number cannot be worked out: which, differs from event to event
        return None


def _award_exactly(
    rulebook: Rulebook,
    shard: Shard,
    events: Ints,
    account: PaidAmounts,
    refused: NDArray[np.bool_],
) -> dict[int, BadEvent]:
    """Award some events as a whole; returns those that cannot be awarded."""
    bad = {}
    for row in events.tolist():
        try:
            awards = award_whole(rulebook, shard, row, in_words=False)
            rows = range(int(shard.entrant_offsets[row]), int(shard.entrant_offsets[row + 1]))
            counting = [awards.combined.get(str(int(shard.entrant[k])), ()) for k in rows]
            account.pay_whole(rows, counting)
        except HonoursError as error:
            bad[int(shard.ids[row])] = BadEvent(int(shard.ids[row]), error.brief)
            continue
        refused[row] = all(one.refusal is not None for one in awards.lists)
    return bad


def _as_paid(shard: Shard) -> ShardAwards:
    """Return the payments of a shard; events where they are not known count as refused."""
    each, unknown = paid_players(shard)
    most = np.maximum.reduceat(each, shard.player_offsets[:-1])
    refused = np.zeros(len(shard.ids), np.bool_)
    refused[unknown] = True
    bad = tuple(BadEvent(int(shard.ids[row]), NOT_KNOWN_PAID) for row in unknown)
    return ShardAwards(most, refused, 0, bad, each)


def _what_is_missing(rulebook: Rulebook, shard: Shard, row: int) -> str:
    """Return the name of what an event and all like it lack, without saying whose it is."""
    try:
        award_whole(rulebook, shard, row, in_words=False)
    except MissingInput as error:
        return MissingInput(error.names, rulebook.input(error.names[0]).about).brief
    except HonoursError:
        pass
    return ""
