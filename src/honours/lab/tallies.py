"""The payments of sides in the events that all of them award, so that like is compared with like.

Points are points to players: what an entrant gets counts once for each of its players. ``first`` is
what each player of the best-paid entrant gets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.lab import sides
from honours.lab.corpus import Corpus, each_shard, is_tenth, pieces_of
from honours.lab.holes import AllEvents
from honours.lab.intervals import LEVEL, Interval, change_interval, change_of_share_interval
from honours.lab.left_out import (
    FEW_MEMBERS,
    are_few,
    counts_by_reason,
    hold_back_few,
    reasons,
    some_members,
    to_merge,
)
from honours.lab.result import Progress, unwatched
from honours.lab.shard_awards import ShardAwards, award_shard
from honours.lab.shards import Ints, Shard, in_a_row
from honours.lab.sides import Side
from honours.model.message import Message

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
FEW_EVENTS = 5
"""With fewer events no first place is shown: it would reveal the winners' awards."""
SURE_EVENTS = 30
"""A smaller group is marked, and not mentioned in headlines."""
MERGED = Message("small groups, merged")


# --- events under several sides -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EventTotals:
    """The payments of sides in the events that all of them award, by side and event."""

    points: Ints
    firsts: Ints
    paid: Ints
    """How many players get something."""
    left: Counter[str]
    """Events that one does not award, by reason."""
    refused: Counter[int]
    """How many events each side refuses, by its number."""
    spoilt: int
    """How many events at least one side cannot work out."""
    members: frozenset[int]
    """Some of the members who played in these events."""

    @property
    def events(self) -> int:
        return int(self.points.shape[1])

    def total(self, side: int) -> float:
        return float(self.points[side].sum()) / SCALE


@dataclass(frozen=True, slots=True)
class AwardedShard:
    """A shard under several sides, and the events that all of them award."""

    awards: Sequence[ShardAwards]
    common: Bools
    totals: EventTotals


def award_all(sides: Sequence[Side], shard: Shard) -> AwardedShard:
    """Award a shard under some sides; events that one does not award are left out, with the
    reason."""
    awards = [award_shard(side, shard) for side in sides]
    common = np.logical_and.reduce([~one.refused for one in awards])
    left, told = Counter[str](), np.zeros(len(shard.ids), np.bool_)
    for side, one in zip(sides, awards, strict=True):
        if one.refused.any() and not told.all():
            codes, names = reasons(side, shard, one)
            left += counts_by_reason(codes, names, ~told)
            told |= codes >= 0
    bad = {one.event for own in awards for one in own.bad}
    out = np.isin(shard.ids, list(bad))
    starts = shard.entrant_offsets[:-1]

    def by_event(reduce: np.ufunc, columns: Iterable[Ints]) -> Ints:
        if not len(starts):
            return np.empty((len(awards), 0), np.int64)
        return np.stack([reduce.reduceat(column, starts)[common] for column in columns])

    totals = EventTotals(
        by_event(np.add, (one.to_players(shard) for one in awards)),
        by_event(np.maximum, (one.amounts for one in awards)),
        by_event(np.add, (one.players_paid(shard) for one in awards)),
        left,
        Counter({k: int((one.refused & ~out).sum()) for k, one in enumerate(awards)}),
        len(bad),
        some_members(shard, np.flatnonzero(common)),
    )
    return AwardedShard(awards, common, totals)


def _totals(sides: Sequence[Side], shard: Shard) -> EventTotals:
    return award_all(sides, shard).totals


def event_totals(
    corpus: Corpus,
    sides: Sequence[Side],
    progress: Progress = unwatched,
    on: str = "",
    so_far: Callable[[EventTotals], str] | None = None,
) -> EventTotals:
    """Return what the sides pay; ``so_far`` puts the interim result into words after every tenth of
    the shards."""
    parts, known, pieces = list[EventTotals](), "", len(pieces_of(corpus))
    for done, part in enumerate(each_shard(corpus, partial(_totals, tuple(sides)), on), 1):
        parts.append(part)
        if so_far and is_tenth(done, pieces):
            totals = in_a_row(parts)
            known = "" if are_few(totals.members) else so_far(totals)
        progress(done, pieces, known)
    totals = in_a_row(parts)
    hold_back_few(totals.members)
    return totals


# --- a few events on which an amended rulebook is tried before a whole corpus -------------------

_TRIED = 40


def events_to_try(corpus: Corpus, book: Rulebook) -> Shard | None:
    """Some events that a rulebook awards, if there are any."""
    shard = corpus.read(corpus.shards[0]) if corpus.shards else None
    if shard is None or not len(shard.ids):
        return None
    rows = np.unique(np.linspace(0, len(shard.ids) - 1, _TRIED).astype(np.int64))
    some = shard.only(rows)
    some = some.only(np.flatnonzero(~award_shard(book, some).refused))
    return some if len(some.ids) else None


def failing(book: Rulebook, events: Shard | None) -> int:
    """In how many of these events a rulebook cannot be worked out."""
    return 0 if events is None else len({bad.event for bad in award_shard(book, events).bad})


# --- events, groups and members under two sides -------------------------------------------------


@dataclass
class GroupSums:
    """The sums of one group, and how certain its change is."""

    events: int = 0
    players: int = 0
    a: int = 0
    b: int = 0
    first_a: int = 0
    first_b: int = 0
    members: int = 0
    """A lower bound of the number of different members."""
    interval: Interval | None = None
    of_share: Interval | None = None
    """How much larger the share under B is than under A."""

    def row(
        self, named: Mapping[str, str], whole: GroupSums | None = None, firsts: bool = True
    ) -> dict[str, Any]:
        """A row of a table; if the ``whole`` is given, shares of it instead of a change."""
        row: dict[str, Any] = {**named, "events": self.events}
        if firsts:
            enough = self.events >= FEW_EVENTS
            row["first A"] = self.first_a / SCALE / self.events if enough else None
            row["first B"] = self.first_b / SCALE / self.events if enough else None
        row |= {"players": self.players, "A": self.a / SCALE, "B": self.b / SCALE}
        if whole is None:
            row |= {"change": (self.b - self.a) / SCALE, "change %": self.percent}
        else:
            row |= {"share A %": _share(self.a, whole.a), "share B %": _share(self.b, whole.b)}
        # For shares: how much larger one is than the other, in per cent.
        sure = self.interval if whole is None else self.of_share
        return row | interval_columns(sure)

    @property
    def percent(self) -> float | None:
        """The excess of B's payments over A's, in per cent of A's, if A's total is positive."""
        return 100 * (self.b / self.a - 1) if self.a > 0 else None

    @property
    def is_sure(self) -> bool:
        """True if it is certain enough for a headline."""
        return self.events >= SURE_EVENTS and self.interval is not None


def interval_columns(
    sure: Interval | None, low: str = "from (95%)", high: str = "to (95%)"
) -> dict[str, float | None]:
    """The two ends of an interval, as columns of a table."""
    return {low: sure.low, high: sure.high} if sure else {low: None, high: None}


def _share(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


Grouping = dict[tuple[str, ...], GroupSums]
Columns = dict[str, NDArray[Any]]
_FOLLOWED = 20_000
"""About how many appearances of members are followed through resamples of the events."""
_EDGES = 100 * np.array(sides.HOLDINGS, np.int64)
"""In hundredths, as holdings are."""


@dataclass(frozen=True, slots=True)
class ShardTally:
    """The part of one shard in a comparison of two sides."""

    totals: EventTotals
    every: AllEvents
    events: Columns
    """A row for each event that both award."""
    groups: Mapping[str, tuple[Ints, Sequence[str]]]
    """The group of each event, and the names of the groups."""
    cells: Mapping[str, Floats]
    """For each group of players: appearances, A and B, by event and group."""
    members: Columns
    """A row for each member: what either side pays, the event and the holding when first seen, and
    for each group of players a bit for every one the member was seen in."""
    followed: Columns
    """The changes of some members, event by event."""


def tally_shard(a: Side, b: Side, every: int, shard: Shard) -> ShardTally:
    """Compare two sides in a shard; one in ``every`` so many members is followed."""
    both = award_all((a, b), shard)
    events, of_player = np.flatnonzero(both.common), shard.event_of_entrant[shard.entrant_of_player]
    rows = np.flatnonzero(both.common[of_player])
    entrant, event = shard.entrant_of_player[rows], (np.cumsum(both.common) - 1)[of_player[rows]]
    ours, theirs = (one.of_rows(rows, entrant) for one in both.awards)
    who, held, many = shard.player[rows], shard.holding[rows], len(events)
    empty = np.full(len(shard.ids), "", dtype=object)
    parts = {"alike": ours == theirs}
    parts |= {"over": np.maximum(theirs - ours, 0), "under": np.maximum(ours - theirs, 0)}
    columns: Columns = {
        "event": shard.ids[events].astype(np.int64),
        "entrants": shard.sizes[events],
        "players": np.bincount(event, minlength=many),
        **dict(zip(("a", "b"), both.totals.points, strict=True)),
        **dict(zip(("first_a", "first_b"), both.totals.firsts, strict=True)),
        **{n: np.bincount(event, c, many).astype(np.int64) for n, c in parts.items()},
        **{name: shard.events.get(name, empty)[events] for name in ("id", "title")},
    }
    coded = {group: sides.event_codes(shard, group) for group in sides.EVENT_GROUPS}
    groups = {group: (codes[events], names) for group, (codes, names) in coded.items()}
    last = 1 + int(who.max(initial=-1))
    first = np.full(last, len(who))
    first[who[::-1]] = np.arange(len(who))[::-1]
    played = np.flatnonzero(first < len(who))
    members: Columns = {"member": played, "event": columns["event"][event[first[played]]]}
    members["held"] = np.maximum(held[first[played]], -1)
    for name, paid in (("a", ours), ("b", theirs)):
        members[name] = np.bincount(who, paid, last).astype(np.int64)[played]
    band = np.searchsorted(_EDGES, held, "right") - 1
    in_groups = (shard.stratum[entrant].astype(np.int64), np.where(band < 0, len(_EDGES), band))
    cells = {}
    for group, codes in zip(sides.PLAYER_GROUPS, in_groups, strict=True):
        size = len(sides.player_group_names(group))
        key = event * size + codes
        counted = [np.bincount(key, c, many * size) for c in (None, ours, theirs)]
        cells[group] = np.array(counted, np.float64).reshape(3, many, size)
        bits = np.zeros(last, np.int64)
        for code in np.unique(codes).tolist():
            bits[who[codes == code]] |= 1 << code
        members[group] = bits[played]
    some = np.flatnonzero(who % every == 0)
    followed: Columns = {"member": who[some], "event": columns["event"][event[some]]}
    followed["change"] = (theirs - ours)[some]
    classes = np.asarray(shard.events.get("class", empty))
    strength = sides.mean_holdings(shard) if len(shard.ids) else np.empty(0)
    known = np.where(strength < 0, np.nan, strength)
    all_events = AllEvents(shard.sizes, classes, known, both.common)
    return ShardTally(both.totals, all_events, columns, groups, cells, members, followed)


def tally(
    corpus: Corpus,
    a: Side,
    b: Side,
    on: str = "",
    seen: Callable[[ComparedSums], None] | None = None,
) -> ComparedSums:
    """Compare two sides over a corpus, shard by shard in random order; ``seen`` receives what is
    known after each."""
    parts = list[ShardTally]()
    every = max(1, corpus.count("players") // _FOLLOWED)
    for part in each_shard(corpus, partial(tally_shard, a, b, every), on):
        parts.append(part)
        if seen:
            seen(ComparedSums(parts))
    made = ComparedSums(parts)
    hold_back_few(made.totals.members)
    return made


@dataclass
class ComparedSums:
    """Two sides over the shards seen so far, in the order of their events."""

    parts: Sequence[ShardTally]

    def __post_init__(self) -> None:
        self.parts = sorted(self.parts, key=lambda part: part.events["event"][:1].tolist())

    @cached_property
    def totals(self) -> EventTotals:
        return in_a_row([part.totals for part in self.parts])

    @cached_property
    def events(self) -> Columns:
        return in_a_row([part.events for part in self.parts])

    @property
    def all_events(self) -> AllEvents:
        return in_a_row([part.every for part in self.parts])

    def group_of(self, group: str) -> tuple[Ints, list[str]]:
        """The group of each event, and the names of the groups."""
        known: dict[str, int] = {}
        codes = [np.empty(0, np.int64)]
        for part in self.parts:
            own, names = part.groups[group]
            numbers = [known.setdefault(name, len(known)) for name in names]
            codes.append(np.array(numbers, np.int64)[own])
        return np.concatenate(codes), list(known)

    @cached_property
    def total(self) -> GroupSums:
        return self._summed(np.ones(len(self.events["a"]), np.bool_))

    def _summed(self, own: Bools) -> GroupSums:
        names = ("players", "a", "b", "first_a", "first_b")
        sums = {name: int(self.events[name][own].sum()) for name in names}
        members = int(self.events["players"][own].max(initial=0))
        a, b = self.events["a"], self.events["b"]
        interval = change_interval(a[own], b[own])
        share = change_of_share_interval(a * own, b * own, a, b)
        return GroupSums(int(own.sum()), **sums, members=members, interval=interval, of_share=share)

    def by(self, groups: Sequence[str]) -> Grouping:
        """The sums of every group, or of every combination of several; small ones are merged."""
        if groups[0] in sides.PLAYER_GROUPS:
            return self._by_players(groups[0])
        keyed = [self.group_of(group) for group in groups]
        distinct, at = np.unique(
            np.stack([codes for codes, _ in keyed]), axis=1, return_inverse=True
        )
        at = np.reshape(at, -1)
        names = [tuple(n[c] for c, (_, n) in zip(k, keyed, strict=True)) for k in distinct.T]
        return _merged(names, lambda some: self._summed(some[at]))

    def _by_players(self, group: str) -> Grouping:
        cells = np.concatenate([part.cells[group] for part in self.parts], axis=1)
        there = np.flatnonzero(cells[0].sum(axis=0))
        names = sides.player_group_names(group)

        def summed(some: Bools) -> GroupSums:
            own = there[some]
            players, a, b = cells[:, :, own].sum(axis=2)
            played, bits = players > 0, int(sum(1 << code for code in own.tolist()))
            return GroupSums(
                int(played.sum()),
                int(players.sum()),
                int(a.sum()),
                int(b.sum()),
                members=int(np.count_nonzero(self.members[group] & bits)),
                interval=change_interval(a[played], b[played]),
                of_share=change_of_share_interval(a, b, *cells[1:].sum(axis=2)),
            )

        return _merged([(names[code],) for code in there], summed)

    def most_changed(self, count: int) -> list[dict[str, Any]]:
        """The events whose total changes most, except those so small that they could identify
        somebody."""
        own = self.events
        change = own["b"] - own["a"]
        order = np.lexsort((own["event"], -np.abs(change)))
        chosen = order[own["players"][order] >= FEW_MEMBERS][:count].tolist()
        groups = {g: self.group_of(g) for g in ("class", "kind", "flight", "sessions")}
        told = [name for name in ("id", "title") if any(own[name][chosen])]
        amounts = {"first A": "first_a", "first B": "first_b", "A": "a", "B": "b"}
        return [
            {
                "event": int(own["event"][k]),
                **{name: str(own[name][k]) for name in told},
                **{group: names[codes[k]] for group, (codes, names) in groups.items()},
                "entrants": int(own["entrants"][k]),
                **{name: int(own[column][k]) / SCALE for name, column in amounts.items()},
                "change": int(change[k]) / SCALE,
            }
            for k in chosen
        ]

    @cached_property
    def members(self) -> Columns:
        """The payments of either side to each member, the holding when first seen, and the groups
        the member was seen in."""
        every = in_a_row([part.members for part in self.parts])
        order = np.argsort(every["event"], kind="stable")
        every = {name: column[order] for name, column in every.items()}
        who, first, at = np.unique(every["member"], return_index=True, return_inverse=True)
        summed = {n: np.bincount(at, every[n], len(who)).astype(np.int64) for n in ("a", "b")}
        for group in sides.PLAYER_GROUPS:
            summed[group] = np.zeros(len(who), np.int64)
            np.bitwise_or.at(summed[group], at, every[group])
        return {"member": who, "held": every["held"][first], **summed}

    def gains(self) -> list[dict[str, Any]]:
        """Return how many members gain and lose, by their holding when first seen and in total;
        small groups are merged."""
        own = self.members
        change = own["b"] - own["a"]
        codes, names = sides.banded(own["held"] / 100.0, sides.HOLDINGS)
        counts = np.bincount(codes, minlength=len(names))
        small = to_merge(counts)
        follow = in_a_row([part.followed for part in self.parts])
        _, event = np.unique(follow["event"], return_inverse=True)
        who, at = np.unique(follow["member"], return_inverse=True)
        bands = codes[np.searchsorted(own["member"], who)]
        shares = resampled_gains(at, event, follow["change"], bands, len(names))
        rows = [
            {"holding": name, **_gains(change[codes == k], shares[k])}
            for k, name in enumerate(names)
            if counts[k] and not small[k]
        ]
        together = small[codes]
        if together.any():
            rows.append({"holding": MERGED, **_gains(change[together], None)})
        return [*rows, {"holding": "all", **_gains(change, shares[-1])}]


def _merged(names: Sequence[tuple[str, ...]], summed: Callable[[Bools], GroupSums]) -> Grouping:
    """The sums of each group; those of few members in one."""
    each = np.eye(len(names), dtype=np.bool_)
    sums = [summed(one) for one in each]
    members = np.array([own.members for own in sums], np.int64)
    small = to_merge(members, lambda some: summed(some).members)
    grouping = {names[k]: sums[k] for k in np.flatnonzero(~small).tolist()}
    if small.any():
        grouping[MERGED, *[""] * (len(names[0]) - 1)] = summed(small)
    return grouping


# --- how many members gain ----------------------------------------------------------------------

_FEWEST, _RESAMPLES, _SEED = 10, 100, 20


def resampled_gains(
    member: Ints, event: Ints, change: Ints, band: Ints, many: int
) -> list[Interval | None]:
    """Return how far the share that gains may be off, in per cent, by ``band`` of members and
    finally for all: events are resampled, and the payments of the members followed are added up
    over the events drawn."""
    events = 1 + int(event.max(initial=-1))
    if events < FEW_MEMBERS:
        return [None] * (many + 1)

    def shares(weight: Ints) -> tuple[Floats, float]:
        own = weight[event]
        total = np.bincount(member, own * change, len(band))
        played = np.bincount(member, own, len(band)) > 0
        gain = (total > 0) & played
        of = np.bincount(band[played], minlength=many)
        gains = np.bincount(band[gain], minlength=many)
        with np.errstate(invalid="ignore"):
            share = 100 * np.append(gains / of, gain.sum() / played.sum())
        return share, float(total.std())

    random = np.random.default_rng(_SEED)
    drawn, spread = np.empty((_RESAMPLES, many + 1)), np.empty(_RESAMPLES)
    for k in range(_RESAMPLES):
        again = random.integers(0, events, events)
        drawn[k], spread[k] = shares(np.bincount(again, minlength=events))
    own_spread = shares(np.ones(events, np.int64))[1]
    wider = max(1.0, float(spread.mean()) / own_spread) if own_spread else 1.0
    return [_middle(one, wider) for one in drawn.T]


def _middle(drawn: Floats, wider: float) -> Interval | None:
    """The middle of what was drawn, beside its mean. A resample repeats luck: its members are
    ``wider`` times as spread out as in the history, so fewer come out ahead and shares move
    less."""
    sound = drawn[np.isfinite(drawn)]
    if len(sound) <= _FEWEST:
        return None
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.percentile((sound - sound.mean()) * wider, (tail, 100 - tail))
    return Interval(float(low), float(high))


def _gains(change: Ints, off: Interval | None) -> dict[str, Any]:
    gain = int((change > 0).sum())
    share = 100 * gain / len(change) if len(change) else None
    sure = None
    if off is not None and share is not None:
        sure = Interval(max(0.0, share + off.low), min(100.0, share + off.high))
    return {
        "members": len(change),
        "gain": gain,
        "lose": int((change < 0).sum()),
        "unchanged": int((change == 0).sum()),
        "gain %": share,
        **interval_columns(sure),
        "mean change": float(change.mean()) / SCALE if len(change) else 0.0,
    }
