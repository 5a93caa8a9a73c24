"""The cost of a broken promise on a corpus: how many of its events it touches, and how many points.

Every event of the corpus is awarded as it was and again in the form the promise compares it with:
without the last entrant, with everybody a little stronger, with its tie untied, at half its length,
or without its limit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns.batch import spans
from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.lab.corpus import Corpus, each_shard
from honours.lab.fields import lined_events
from honours.lab.shard_awards import ShardAwards, award_shard
from honours.lab.shards import Ints, Shard
from honours.lab.store import MISSING, WordColumn
from honours.model.message import Message

Bools = NDArray[np.bool_]
_ALIKE = 50
"""Totals that differ by a fiftieth or less count as equal, as in the search."""
_STRONGER, _STEP = 1.05, 1.01
_FIVE = 5
_ROUNDING = 100
"""How far rounding may move an award, in ten-thousandths."""


@dataclass(frozen=True, slots=True)
class BreachCost:
    """The number of events that could be tried, of those that break the promise, and of the points
    to players by which they do."""

    tried: int
    events: int
    cost: float

    @property
    def words(self) -> Message:
        if not self.tried:
            return Message("in the corpus: no event it can be tried in")
        return Message(
            "in the corpus: {events:,} of {tried:,} events it can be tried in, {cost:,.2f} points "
            "to players",
            events=self.events,
            tried=self.tried,
            cost=self.cost,
        )


def touched(rulebook: Rulebook, promise: str, corpus: Corpus, on: str = "") -> BreachCost | None:
    """Return the cost of a broken promise, or ``None`` if the corpus cannot tell."""
    if promise not in _WAYS:
        return None
    counts = list(each_shard(corpus, partial(_in_shard, rulebook, promise), on))
    tried, events, cost = np.sum(counts, axis=0).tolist()
    return BreachCost(tried, events, cost / SCALE)


def _in_shard(rulebook: Rulebook, promise: str, shard: Shard) -> tuple[int, int, int]:
    tried = _Tried(rulebook, shard)
    _WAYS[promise](tried)
    broken = tried.events & (tried.loss > _ROUNDING)
    return int(tried.events.sum()), int(broken.sum()), int(tried.loss[broken].sum())


class _Tried:
    """The events of a shard as they were paid; which of them could be tried in another form, and
    by how many ten-thousandths each breaks the promise."""

    def __init__(self, book: Rulebook, shard: Shard) -> None:
        self.book, self.shard, self.awards = book, shard, award_shard(book, shard)
        self.events = np.zeros(len(shard.ids), np.bool_)
        self.loss = np.zeros(len(shard.ids), np.int64)
        self.order = np.lexsort((shard.place, shard.event_of_entrant))

    def found(self, events: Ints | Bools, loss: Ints, *then: ShardAwards) -> None:
        """Record the loss of some events, where these and their other forms are awarded."""
        rows = np.flatnonzero(events) if events.dtype == np.bool_ else events
        loss = loss[rows] if len(loss) > len(rows) else loss
        awarded = ~self.awards.refused[rows]
        for other in then:
            refused = other.refused
            awarded &= ~(refused[rows] if len(refused) > len(rows) else refused)
        self.events[rows[awarded]], self.loss[rows[awarded]] = True, loss[awarded]

    def events_with(self, **columns: Ints) -> Shard:
        return replace(self.shard, events={**self.shard.events, **columns})

    def column(self, name: str) -> Ints:
        """A number of each event; 0 where the corpus does not say it."""
        column = self.shard.events.get(name)
        none = np.zeros(len(self.shard.ids), np.int64)
        return none if column is None else np.maximum(column.astype(np.int64), 0)

    def without_last(self, events: Ints, count: int) -> tuple[Shard, Ints]:
        """Some events without their last entrants, with the ties among the rest counted again, and
        the rows of these."""
        shard = self.shard
        keep = np.isin(shard.event_of_entrant, events)
        for k in range(1, count + 1):
            keep[self.order[shard.entrant_offsets[1:][events] - k]] = False
        rows = np.flatnonzero(keep)
        fewer = shard.only(events, rows)
        tied = _counted(fewer.event_of_entrant * 4 + _line(fewer), fewer.place)
        return replace(fewer, tied=tied.astype(fewer.tied.dtype)), rows

    def stronger(self, times: float) -> ShardAwards:
        """The awards if everybody held so many times as much."""
        held = self.shard.holding
        raised = np.where(held != MISSING, held * times, held).astype(np.int32)
        return award_shard(self.book, replace(self.shard, holding=raised))

    def beside(self, shard: Shard, events: Ints, times: int = 1) -> None:
        """The total of some events beside that of another form, so many times."""
        after = award_shard(self.book, shard)
        one, other = _totals(self.shard, self.awards)[events], times * _totals(shard, after)
        off = np.abs(one - other)
        alike = off * _ALIKE <= np.maximum(one, other)
        self.found(events, np.where(alike, 0, off), after)


def _line(shard: Shard) -> Ints:
    return np.zeros(len(shard.place), np.int64) if shard.line is None else shard.line.astype(int)


def _counted(lists: Ints, place: NDArray[Any]) -> Ints:
    """Return how many of a list share each place."""
    _, at, many = np.unique(lists << 20 | place, return_inverse=True, return_counts=True)
    shared: Ints = many[at]
    return shared


def _totals(shard: Shard, awards: ShardAwards) -> Ints:
    """Points to players, event by event."""
    return _by_event(shard, awards.to_players(shard))


def _to_players(shard: Shard, each: Ints) -> Ints:
    """The same of what each player of an entrant gains or loses, beyond what rounding may."""
    return _by_event(shard, np.where(each > _ROUNDING, each, 0) * np.diff(shard.player_offsets))


def _by_event(shard: Shard, column: NDArray[Any], by: np.ufunc = np.add) -> Ints:
    if not len(shard.ids):
        return np.empty(0, np.int64)
    reduced: Ints = by.reduceat(column.astype(np.int64), shard.entrant_offsets[:-1])
    return reduced


def _firsts(shard: Shard, awards: ShardAwards) -> Ints:
    """Return the amount each player of the best-paid entrant gets, by event."""
    return _by_event(shard, awards.amounts, np.maximum)


# --- the events of a corpus in another form -----------------------------------------------------


def _newcomer(tried: _Tried) -> None:
    """Record what the others lose because the last entrant took part."""
    shard = tried.shard
    events = np.flatnonzero(shard.sizes > 2)
    fewer, rows = tried.without_last(events, 1)
    after = award_shard(tried.book, fewer)
    loss = np.zeros(len(shard.entrant), np.int64)
    loss[rows] = after.amounts - tried.awards.amounts[rows]
    tried.found(events, _to_players(shard, loss)[events], after)


def _stronger(tried: _Tried) -> None:
    """Record what players lose if everybody holds a twentieth more."""
    after = tried.stronger(_STRONGER)
    loss = _to_players(tried.shard, tried.awards.amounts - after.amounts)
    tried.found(np.arange(len(loss)), loss, after)


def _place(tried: _Tried) -> None:
    """By how much a place earns more than the one above it, in events of one stratum and one
    line."""
    shard, order = tried.shard, tried.order
    amounts, of = tried.awards.amounts[order], shard.event_of_entrant[order]
    more = np.zeros(len(order), np.int64)
    more[order[1:]] = np.where(of[1:] == of[:-1], amounts[1:] - amounts[:-1], 0)
    plain = _by_event(shard, shard.stratum + _line(shard), np.maximum) == 0
    loss = _by_event(shard, np.maximum(more, 0) * np.diff(shard.player_offsets))
    tried.found(plain, loss)


def _ties(tried: _Tried) -> None:
    """Record how much more or less the ties of an event pay than the same places untied."""
    shard = tried.shard
    lists = shard.event_of_entrant * 4 + _line(shard)
    order = np.lexsort((shard.place, lists))
    _, sizes = np.unique(lists, return_counts=True)
    place = np.empty(len(order), np.int64)
    place[order] = spans(np.ones(len(sizes), np.int64), sizes)
    untied = replace(shard, place=place.astype(shard.place.dtype), tied=np.ones_like(shard.tied))
    after = award_shard(tried.book, untied)
    change = np.abs(_totals(shard, tried.awards) - _totals(untied, after))
    tied = _by_event(shard, shard.tied > 1)
    players = _by_event(shard, np.diff(shard.player_offsets))
    rounding = _ROUNDING * tied * players // np.maximum(1, shard.sizes)
    tried.found(tied > 0, np.where(change > rounding, change, 0), after)


def _length(tried: _Tried) -> None:
    """Record what an event of an even number of sessions pays compared with two events of half the
    length."""
    whole = tried.column("sessions")
    even = (whole > 0) & (whole % 2 == 0)
    half = award_shard(tried.book, tried.events_with(sessions=np.where(even, whole // 2, whole)))
    once, twice = (_totals(tried.shard, awards) for awards in (tried.awards, half))
    off = np.abs(once - 2 * twice)
    tried.found(even, np.where(off * 100 > 2 * twice, off, 0), half)


def _limit(tried: _Tried) -> None:
    """Record what an event with a limit pays compared with the same event without one."""
    whole = tried.column("limit")
    free = award_shard(tried.book, tried.events_with(limit=np.zeros_like(whole)))
    off = np.abs(tried.awards.amounts - free.amounts)
    tried.found(whole > 0, _to_players(tried.shard, off), free)


def _made(tried: _Tried) -> None:
    """Record how many points the games of an event create or destroy in total."""
    made = np.abs(_totals(tried.shard, tried.awards))
    tried.found(np.arange(len(made)), made)


def _as_teams(tried: _Tried) -> None:
    """Record what events of pairs are paid if neighbours in the ranking form teams of four."""
    shard = tried.shard
    kinds = shard.events.get("kind")
    if kinds is None:
        return
    own = (np.asarray(kinds) == "pairs") & ~lined_events(shard) & (shard.sizes >= 4)
    own &= (shard.sizes % 2 == 0) & (_by_event(shard, shard.stratum, np.maximum) == 0)
    own &= _by_event(shard, shard.tied, np.maximum) == 1
    own &= _by_event(shard, np.diff(shard.player_offsets), np.minimum) == 2
    events = np.flatnonzero(own)
    chosen = np.isin(shard.event_of_entrant, events)
    pairs = shard.only(events, tried.order[chosen[tried.order]])
    sizes = pairs.sizes // 2
    place = spans(np.ones(len(sizes), np.int64), sizes)
    teams = replace(
        pairs,
        events={**pairs.events, "kind": WordColumn.of(np.full(len(events), "teams", object))},
        entrant=pairs.entrant[::2],
        stratum=pairs.stratum[::2],
        place=place.astype(pairs.place.dtype),
        tied=np.ones(len(place), pairs.tied.dtype),
        line=None,
        entrant_offsets=np.append(0, np.cumsum(sizes)),
        player_offsets=pairs.player_offsets[::2],
        of_entrants={},
    )
    tried.beside(teams, events)


def _as_one_list(tried: _Tried) -> None:
    """Record what two lines are paid compared with one list of all, if the corpus has the places in
    that list."""
    shard = tried.shard
    overall = shard.of_entrants.get("overall_place")
    if overall is None:
        return
    known = _by_event(shard, overall, np.minimum) > 0
    events = np.flatnonzero(lined_events(shard) & known)
    rows = np.flatnonzero(np.isin(shard.event_of_entrant, events))
    lines = shard.only(events, rows)
    place = overall[rows].astype(np.int64)
    stale = ("overall_place", "score_place")
    one = replace(
        lines,
        place=place.astype(lines.place.dtype),
        tied=_counted(lines.event_of_entrant, place).astype(lines.tied.dtype),
        line=None,
        of_entrants={n: c for n, c in lines.of_entrants.items() if n not in stale},
    )
    tried.beside(one, events)


def _in_another_order(tried: _Tried) -> None:
    """Record what changes if the entrants of every event are listed in reverse order."""
    shard = tried.shard
    of, every = shard.event_of_entrant, np.arange(len(shard.ids))
    rows = np.lexsort((-np.arange(len(of)), of))
    after = award_shard(tried.book, shard.only(every, rows))
    change = np.zeros(len(of), np.int64)
    change[rows] = np.abs(after.amounts - tried.awards.amounts[rows])
    tried.found(every, _by_event(shard, change * np.diff(shard.player_offsets)), after)


def _in_longer_sessions(tried: _Tried) -> None:
    """Record what the same deals are paid if played in half as many sessions."""
    many, each = tried.column("sessions"), tried.column("boards_per_session")
    events = np.flatnonzero((many > 0) & (many % 2 == 0) & (each > 0) & (each < 2**7))
    many[events], each[events] = many[events] // 2, 2 * each[events]
    longer = tried.events_with(sessions=many, boards_per_session=each)
    tried.beside(longer.only(events), events)


def _by_a_step_of_strength(tried: _Tried) -> None:
    """By how much a hundredth more of everybody's holding changes an event's total, in events
    where it changes first place by more than five times that share."""
    shard, after = tried.shard, tried.stronger(_STEP)
    before, then = _firsts(shard, tried.awards), _firsts(shard, after)
    jumps = (np.abs(then - before) > _FIVE * (_STEP - 1) * before) & (before > 0)
    change = np.abs(_totals(shard, after) - _totals(shard, tried.awards))
    tried.found(np.arange(len(before)), np.where(jumps, change, 0), after)


def _by_one_entrant(tried: _Tried) -> None:
    """By how much removing the last entrant changes an event's total, in events where that
    changes first place more than five times as much as removing one more entrant does."""
    shard = tried.shard
    events = np.flatnonzero(shard.sizes > 4)
    without = [tried.without_last(events, count)[0] for count in (1, 2)]
    fewer = [award_shard(tried.book, one) for one in without]
    paid = [_firsts(shard, tried.awards)[events], *map(_firsts, without, fewer)]
    step, beside = (np.abs(a - b) for a, b in pairwise(paid))
    jumps = (step > _FIVE * beside) & (step > _ROUNDING)
    change = np.abs(_totals(without[0], fewer[0]) - _totals(shard, tried.awards)[events])
    tried.found(events, np.where(jumps, change, 0), *fewer)


_WAYS: dict[str, Callable[[_Tried], None]] = {
    "newcomer": _newcomer,
    "stronger": _stronger,
    "place": _place,
    "ties": _ties,
    "made": _made,
    "length": _length,
    "limit": _limit,
    "kind": _as_teams,
    "lines": _as_one_list,
    "order": _in_another_order,
    "deals": _in_longer_sessions,
    "jump in strength": _by_a_step_of_strength,
    "jump in size": _by_one_entrant,
}
