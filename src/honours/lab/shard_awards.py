"""What a rulebook awards in a shard: all ranking lists, combined as the rulebook says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.award import award
from honours.engine.columns import exact_only
from honours.engine.columns.award import (
    ColumnAwards,
    amounts_of_players,
    in_columns,
    in_units,
    judged,
    parts_players,
    with_others,
)
from honours.engine.columns.batch import Batch, spans
from honours.engine.exact.working import FIELD, Scope, SilentWorking
from honours.engine.graph import AWARD
from honours.engine.rulebook import Rulebook
from honours.engine.rules import Rule, aggregate
from honours.errors import HonoursError, MissingInput
from honours.lab.fields import FieldBatch, RankingLists, award_whole, field_batches, whole_events
from honours.lab.shards import BadEvent, Ints, Shard
from honours.lab.sides import AsPaid, Side, paid_players
from honours.model import Award, Entrant, Field, Standing, Value
from honours.model.message import Message

# --- awards the fields of a batch exactly and one by one ----------------------------------------


class _ByFacts:
    """Finds what cannot be worked out whoever plays, without looking at the players.

    An amended number may cause a division by zero in every event of a history; discovering that
    from the players of each event takes as long as awarding it.
    """

    def __init__(self, rulebook: Rulebook, batch: Batch) -> None:
        self.rulebook, self.batch = rulebook, batch
        self._culprit, self._tried = "", False
        self._reasons: dict[Any, str] = {}
        self._judged: NDArray[np.bool_] | None = None
        self._of_players = [
            rule.name
            for rule in rulebook.rules
            if _of_field(rule) and any(aggregate(name) for name in rule.arguments)
        ]

    def learn(self, row: int, brief: str) -> None:
        """Find which quantity could not be worked out, if it does not depend on players."""
        if self._tried or exact_only(self.rulebook):
            return
        self._tried = True
        working = SilentWorking(self.rulebook, Field(self.batch.facts_of(row)))
        names = (rule.name for rule in self.rulebook.rules if _of_field(rule))
        self._culprit = next((name for name in names if _fault(working, name) == brief), "")

    def why(self, row: int) -> str:
        """Why a field that is not refused cannot be awarded; empty if it may be possible."""
        if not self._culprit or not self._is_free[row]:
            return ""
        facts, rows = self.batch.facts_of(row), self.batch.entrants_of(np.array([row]))
        listed = (column[rows].tolist() for column in (self.batch.place, self.batch.tied))
        places = tuple(zip(*listed, strict=True))
        key = (tuple(facts.items()), places)
        if key not in self._reasons:
            fault = _fault(SilentWorking(self.rulebook, Field(facts)), self._culprit)
            asked = bool(fault) and self._is_asked(facts, places, fault)
            self._reasons[key] = fault if asked else ""
        return self._reasons[key]

    def _is_asked(
        self, facts: dict[str, Value], places: Sequence[tuple[int, int]], fault: str
    ) -> bool:
        """Whether an award of the field depends on the quantity that cannot be worked out.
        Aggregates over players are set to 1, which changes the award but not what it depends on."""
        standings = tuple(Standing(Entrant(""), place, tied) for place, tied in places)
        working = SilentWorking(self.rulebook, Field(facts, standings))
        for name in self._of_players:
            working.know(name, Fraction(1))
        for at in range(len(standings)):
            first = _fault(working, AWARD, Scope("entrant", at))
            if first:
                return first == fault
        return False

    @property
    def _is_free(self) -> NDArray[np.bool_]:
        """The fields for which it is certain that no refusal applies first."""
        if self._judged is None:
            try:
                refused, doubt = judged(self.rulebook, self.batch)
                self._judged = ~refused & ~doubt
            except HonoursError:  # some refusal needs an input that is missing
                self._judged = np.zeros(self.batch.count("field"), np.bool_)
        return self._judged


def _of_field(rule: Rule) -> bool:
    return (rule.kind, rule.per) == ("rule", "field")


def _fault(working: SilentWorking, name: str, scope: Scope = FIELD) -> str:
    """Why a quantity cannot be worked out."""
    try:
        working.step(name, scope)
    except HonoursError as error:
        return error.brief
    return ""


def award_one_by_one(rulebook: Rulebook, batch: Batch) -> tuple[ColumnAwards, dict[int, str]]:
    """The awards of every field that can be awarded, and for the others the reason, by row."""
    amounts = np.zeros(batch.count("entrant"), np.int64)
    each = np.zeros(batch.count("player"), np.int64)
    refused = np.ones(batch.count("field"), np.bool_)
    spoilt: dict[int, str] = {}
    differ = False
    by_facts = _ByFacts(rulebook, batch)
    for i in range(batch.count("field")):
        if why := by_facts.why(i):
            spoilt[i] = why
            continue
        try:
            awards = award(rulebook, batch.exact(i), in_words=False)
            own = [in_units(a.amount) for a in awards.schedule]
        except HonoursError as error:
            spoilt[i] = error.brief
            if not isinstance(error, MissingInput):
                by_facts.learn(i, error.brief)
            continue
        refused[i] = awards.refusal is not None
        if own:
            amounts[batch.entrants_of(np.array([i]))] = own
            each[batch.players_of(i)] = [n for a in awards.schedule for n in amounts_of_players(a)]
            differ = differ or any(map(parts_players, awards.schedule))
    return ColumnAwards(amounts, refused, len(refused), each if differ else None), spoilt


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
