"""Awards a block of events in order, using what their players were awarded before.

Events that share no player need not wait for each other: an event is in the wave after the last one
in which any of its players played. A wave is awarded at once, in columns, and its awards are added
to what its players have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

import numpy as np

from honours.engine.compiled.batch import spans
from honours.engine.periods import period_around
from honours.engine.rulebook import Rulebook
from honours.lab.in_order import days_of
from honours.lab.shards import Ints, Shard

_EPOCH = date(1970, 1, 1)
_WIDTH = 31
"""The number of bits in a player's number."""


def column_of(period: str) -> str:
    """The name of the column with what players were awarded before in a period."""
    return f"awarded_in_{period}"


@dataclass(frozen=True, slots=True)
class AmountsHad:
    """What players had in a period at some time: keys of period and player, in ascending order."""

    keys: Ints
    amounts: Ints

    def of(self, keys: Ints) -> Ints:
        """What some of them had, 0 if nothing is known."""
        if not len(self.keys):
            return np.zeros(len(keys), np.int64)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.amounts[at], 0)


NOTHING = AmountsHad(np.zeros(0, np.int64), np.zeros(0, np.int64))


class EventBlock:
    """Some events of a corpus, all later than those of the previous blocks."""

    def __init__(self, shards: Sequence[Shard], periods: Sequence[str], begins: str) -> None:
        self.shards = shards
        self.ids = np.concatenate([shard.ids.astype(np.int64) for shard in shards])
        self.player = np.concatenate([shard.player.astype(np.int64) for shard in shards])
        self.sizes = np.concatenate([_players_of(shard) for shard in shards])
        """Players of each event."""
        self.begins = np.cumsum(self.sizes) - self.sizes
        self._event_of_row = np.repeat(np.arange(len(self.ids)), self.sizes)
        days = np.concatenate([days_of(shard) for shard in shards])
        self._order = np.argsort(np.lexsort((self.ids, days)))
        """The place of each event among those of the block."""
        self._keys = {period: self._keyed(period, days, begins) for period in periods}

    def _keyed(self, period: str, days: Ints, begins: str) -> Ints:
        """The period of each event's day combined with each of its players."""
        distinct, at = np.unique(days, return_inverse=True)
        firsts = np.array([_first_day(period, day, begins) for day in distinct.tolist()], np.int64)
        keys: Ints = firsts[at][self._event_of_row] << _WIDTH | self.player
        return keys

    def awarded(
        self,
        book: Rulebook,
        had: Mapping[str, AmountsHad],
        advance: Callable[[int], None] = lambda _events: None,
    ) -> tuple[dict[str, Ints], dict[str, AmountsHad]]:
        """What every player had in each period before each event of the block, given the amounts
        at its start; and the amounts at its end. ``advance`` is told how many are awarded."""
        pairs = {name: np.unique(keys, return_inverse=True) for name, keys in self._keys.items()}
        running = {name: had.get(name, NOTHING).of(keys) for name, (keys, _) in pairs.items()}
        before = {name: np.zeros(len(self.player), np.int64) for name in pairs}
        done = 0
        for wave in self._waves():
            rows = spans(self.begins[wave], self.sizes[wave])
            for name, (_, of) in pairs.items():
                before[name][rows] = running[name][of[rows]]
            won = self._won(book, wave, {name: own[rows] for name, own in before.items()})
            for name, (_, of) in pairs.items():
                np.add.at(running[name], of[rows], won)
            done += len(wave)
            advance(done)
        at_end = {name: AmountsHad(keys, running[name]) for name, (keys, _) in pairs.items()}
        return before, {name: _last(had.get(name, NOTHING), own) for name, own in at_end.items()}

    def _waves(self) -> Iterator[Ints]:
        """The events wave by wave, as rows."""
        following, waiting = self._following()
        wave = np.flatnonzero(waiting == 0)
        while len(wave):
            yield wave
            rows = following[spans(self.begins[wave], self.sizes[wave])]
            events = self._event_of_row[rows[rows >= 0]]
            np.subtract.at(waiting, events, 1)
            events = np.unique(events)
            wave = events[waiting[events] == 0]

    def _following(self) -> tuple[Ints, Ints]:
        """For each player of an event the row in the player's next event, or -1; and for how
        many players each event waits."""
        one_period = len(self._keys) == 1
        keys = next(iter(self._keys.values())) if one_period else self.player
        order = np.lexsort((self._order[self._event_of_row], keys))
        own, other = order[:-1], order[1:]
        follows = (keys[own] == keys[other]) & (
            self._event_of_row[own] != self._event_of_row[other]
        )
        following = np.full(len(keys), -1, np.int64)
        following[own[follows]] = other[follows]
        waiting = np.bincount(self._event_of_row[other[follows]], minlength=len(self.ids))
        return following, waiting.astype(np.int64)

    def _won(self, book: Rulebook, wave: Ints, before: Mapping[str, Ints]) -> Ints:
        """The awards of the players of a wave, in the order of its rows."""
        from honours.lab.shard_awards import award_shard

        parts, first, at = [], 0, 0
        for shard in self.shards:
            own = wave[(wave >= first) & (wave < first + len(shard.ids))] - first
            first += len(shard.ids)
            if not len(own):
                continue
            events = shard.only(own)
            end = at + len(events.player)
            figures = {column_of(name): column[at:end] for name, column in before.items()}
            informed = replace(events, of_players={**events.of_players, **figures}, history=None)
            parts.append(award_shard(book, informed).each_player(informed))
            at = end
        return np.concatenate(parts)


def _players_of(shard: Shard) -> Ints:
    """How many players each event has."""
    return np.diff(shard.player_offsets[shard.entrant_offsets])


def _first_day(period: str, day: int, begins: str) -> int:
    """The first day of the period a day is in; days are counted from 0001, so that none is
    negative."""
    first, _ = period_around(period, (_EPOCH + timedelta(day)).isoformat(), begins)
    return date.fromisoformat(first).toordinal()


def _last(before: AmountsHad, now: AmountsHad) -> AmountsHad:
    """The amounts in the last period, which the next block may continue, including those of
    players who did not play in this block."""
    absent = ~np.isin(before.keys, now.keys)
    keys = np.concatenate([before.keys[absent], now.keys])
    amounts = np.concatenate([before.amounts[absent], now.amounts])
    order = np.argsort(keys)
    order = order[keys[order] >> _WIDTH == now.keys[-1] >> _WIDTH]
    return AmountsHad(keys[order], amounts[order])
