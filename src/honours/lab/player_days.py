"""What players held and won in an event or on one of its days: the sample to which a curve is
fitted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from honours.errors import UnknownName
from honours.lab.column_reading import NOT_SAID
from honours.lab.compared_sides import Side, as_side
from honours.lab.corpus import Corpus
from honours.lab.holdings import HoldingColumn, held_under
from honours.lab.left_out import counts_by_reason, reasons
from honours.lab.shard_awards import SCALE, ShardAwards, award_shard
from honours.lab.shard_work import each_shard
from honours.lab.shards import Shard
from honours.model.message import Message

Floats = NDArray[np.float64]
Only = Mapping[str, Sequence[str]]

HOLDING = HoldingColumn("holding")
NOT_HELD = Message("it does not say what any of its players held")
NOT_OF_THESE = Message("it is not of the events that were asked for")


@dataclass(frozen=True, slots=True)
class PlayerDays:
    """Player-days: the holding, the points won, the event and the member of each."""

    holding: Floats
    won: Floats
    event: NDArray[np.int64]
    member: NDArray[np.int64]


def sample_of(
    corpus: Corpus,
    named: str | Side,
    sessions: int = 2,
    only: Only | None = None,
    on: str = "",
) -> PlayerDays:
    """The player-days of events with that many sessions, by what a side pays.

    ``only`` keeps events with certain words: ``{"class": ("regional",)}``.
    """
    return sample_and_left(corpus, named, sessions, only, on)[0]


def sample_and_left(
    corpus: Corpus,
    named: str | Side,
    sessions: int = 2,
    only: Only | None = None,
    on: str = "",
    taken: Callable[[int, Sequence[PlayerDays]], None] = lambda _done, _days: None,
) -> tuple[PlayerDays, Counter[str]]:
    """The player-days of events with that many sessions, by what a side pays, and the events
    left out by reason; ``taken`` receives the parts so far after every piece."""
    side = as_side(named, corpus)
    work = partial(_days_and_left, side, sessions, only)
    parts = []
    for part in each_shard(corpus, work, on):
        parts.append(part)
        taken(len(parts), [days for _, days, _ in parts])
    parts.sort(key=lambda part: part[0])
    left = sum((out for _, _, out in parts), Counter[str]())
    return together([days for _, days, _ in parts]), left


def _days_and_left(
    side: Side, sessions: int, only: Only | None, shard: Shard
) -> tuple[int, PlayerDays, Counter[str]]:
    left = Counter(str(bad.why) for bad in shard.bad)
    if not len(shard.ids):
        return shard.number, together([]), left
    held = held_under(side)
    chosen = _chosen(shard, None if held.is_rating else sessions, only)
    awards = award_shard(side, shard)
    if awards.refused.any():
        left += counts_by_reason(*reasons(side, shard, awards), chosen)
    left[NOT_OF_THESE] += int((~chosen).sum())
    known = np.zeros(len(shard.ids), np.bool_)
    known[shard.event_of_entrant[shard.entrant_of_player[held.of(shard) != NOT_SAID]]] = True
    left[NOT_HELD] += int((chosen & ~awards.refused & ~known).sum())
    return shard.number, _days(awards, shard, chosen, held), +left


def player_days(side: Side, shard: Shard, sessions: int, only: Only | None) -> PlayerDays:
    """The player-days of one shard."""
    return _days(award_shard(side, shard), shard, _chosen(shard, sessions, only), HOLDING)


def _chosen(shard: Shard, sessions: int | None, only: Only | None) -> NDArray[np.bool_]:
    chosen = np.ones(len(shard.ids), np.bool_)
    day = {} if sessions is None else {"sessions": (str(sessions),)}
    for column, words in {**day, **(only or {})}.items():
        if column not in shard.events:
            raise UnknownName("column of the events", column, shard.events)
        chosen &= np.isin(shard.events[column].astype(str), list(words))
    return chosen


def _days(
    awards: ShardAwards, shard: Shard, chosen: NDArray[np.bool_], held: HoldingColumn
) -> PlayerDays:
    event, own = shard.event_of_entrant[shard.entrant_of_player], held.of(shard)
    keep = (chosen & ~awards.refused)[event] & (own != NOT_SAID)
    won = awards.each_player(shard)[keep] / SCALE
    whole = (shard.ids[event[keep]], shard.player[keep])
    return PlayerDays(own[keep] / float(held.one), won, *(ids.astype(np.int64) for ids in whole))


def together(parts: Sequence[PlayerDays]) -> PlayerDays:
    """The player-days of several shards joined into one sample."""
    none, no_ids = np.empty(0), np.empty(0, np.int64)
    return PlayerDays(
        np.concatenate([*(part.holding for part in parts), none]),
        np.concatenate([*(part.won for part in parts), none]),
        np.concatenate([*(part.event for part in parts), no_ids]),
        np.concatenate([*(part.member for part in parts), no_ids]),
    )
