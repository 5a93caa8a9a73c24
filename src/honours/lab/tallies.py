"""What a comparison adds up: every event once, and members and appearances of players by group.

Points are points to players: what an entrant gets counts once for each of its players. ``first`` is
what each player of the best-paid entrant gets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns.batch import spans
from honours.engine.numbers import SCALE
from honours.lab import sides
from honours.lab.intervals import LEVEL, Interval, change_interval, change_of_share_interval
from honours.lab.left_out import FEW_MEMBERS, counts_by_reason, reasons, to_merge
from honours.lab.shard_awards import ShardAwards, award_shard
from honours.lab.shards import Ints, Shard
from honours.lab.sides import Side
from honours.model.message import Message

# --- what a comparison adds up ------------------------------------------------------------------

Floats = NDArray[np.float64]
FEW_EVENTS = 5
"""With fewer events no first place is shown: it would reveal the winners' awards."""
SURE_EVENTS = 30
"""A smaller group is marked, and not mentioned in headlines."""
MERGED = Message("small groups, merged")
ADDED_UP = ("a", "b", "first_a", "first_b", "players", "alike", "over", "under")
"""For every event: points to players and the best-paid entrant's under either side, the number
of players, how many of them both pay the same, and what B pays above and below A."""
_FIGURES = ("event", "entrants", *ADDED_UP)


@dataclass(frozen=True, slots=True)
class ShardOfBoth:
    """A shard awarded under both sides, and which events both award."""

    shard: Shard
    a: ShardAwards
    b: ShardAwards
    compared: NDArray[np.bool_]
    left: Counter[str]
    refused: tuple[int, int] = (0, 0)
    aside: int = 0


def award_both(shard: Shard, a: Side, b: Side) -> ShardOfBoth:
    """Award a shard under two sides; events that either does not award are left out, with the
    reason."""
    ours, theirs = award_shard(a, shard), award_shard(b, shard)
    compared = ~ours.refused & ~theirs.refused
    left = Counter(bad.why for bad in shard.bad)
    if not compared.all():
        first, second = reasons(a, shard, ours), reasons(b, shard, theirs)
        left += counts_by_reason(*first, np.ones(len(compared), np.bool_))
        left += counts_by_reason(*second, first[0] < 0)
    bad = {one.event for awards in (ours, theirs) for one in awards.bad}
    out = np.isin(shard.ids, list(bad))
    refused = (int((ours.refused & ~out).sum()), int((theirs.refused & ~out).sum()))
    aside = len(bad) + len(shard.bad)
    return ShardOfBoth(shard, ours, theirs, compared, left, refused, aside)


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
        low, high = (sure.low, sure.high) if sure else (None, None)
        return row | {"from (95%)": low, "to (95%)": high}

    @property
    def percent(self) -> float | None:
        """How much more B pays, in per cent of what A pays, if A's total is positive."""
        return 100 * (self.b / self.a - 1) if self.a > 0 else None

    @property
    def is_sure(self) -> bool:
        """Whether it is certain enough for a headline."""
        return self.events >= SURE_EVENTS and self.interval is not None


def _share(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


Grouping = dict[tuple[str, ...], GroupSums]


class ComparedEvents:
    """Every event that both sides award, as columns, with its group for each kind of grouping."""

    def __init__(self) -> None:
        self._parts: dict[str, list[Ints]] = {name: [] for name in _FIGURES}
        self._codes: dict[str, list[Ints]] = {group: [] for group in sides.EVENT_GROUPS}
        self._names: dict[str, dict[str, int]] = {group: {} for group in sides.EVENT_GROUPS}
        self._titles: dict[str, list[NDArray[Any]]] = {"id": [], "title": []}

    def add(self, shard: Shard, rows: Ints, added_up: Mapping[str, Ints]) -> None:
        """Add some events of a shard, given each figure of :data:`ADDED_UP`."""
        own = {"event": shard.ids[rows].astype(np.int64), "entrants": shard.sizes[rows]}
        for name, column in {**own, **added_up}.items():
            self._parts[name].append(column)
        for group in sides.EVENT_GROUPS:
            self._codes[group].append(self._coded(group, *sides.event_codes(shard, group))[rows])
        for name, parts in self._titles.items():
            title = shard.events.get(name, np.full(len(shard.ids), "", dtype=object))
            parts.append(title[rows])

    def _coded(self, group: str, codes: Ints, names: Sequence[str]) -> Ints:
        known = self._names[group]
        numbers = np.array([known.setdefault(n, len(known)) for n in names], np.int64)
        return numbers[codes]

    def figures(self, name: str) -> Ints:
        return np.concatenate([*self._parts[name], np.empty(0, np.int64)])

    def group_of(self, group: str) -> tuple[Ints, list[str]]:
        codes = np.concatenate([*self._codes[group], np.empty(0, np.int64)])
        return codes, list(self._names[group])

    def by(self, groups: Sequence[str]) -> Grouping:
        """The sums of every group, or of every combination of several; small ones are merged."""
        keyed = [self.group_of(group) for group in groups]
        key = np.zeros(len(self.figures("event")), np.int64)
        for codes, names in keyed:
            key = key * max(1, len(names)) + codes
        columns = {n: self.figures(n) for n in ("players", "a", "b", "first_a", "first_b")}
        distinct, at = np.unique(key, return_inverse=True)
        sums = [_summed(columns, at == k) for k in range(len(distinct))]
        members = np.array([own.members for own in sums], np.int64)
        merged = to_merge(members, lambda some: _summed(columns, some[at]).members)
        grouping: Grouping = {}
        for k in np.flatnonzero(~merged).tolist():
            first = int(np.argmax(at == k))
            grouping[tuple(names[codes[first]] for codes, names in keyed)] = sums[k]
        if merged.any():
            grouping[(MERGED, *[""] * (len(groups) - 1))] = _summed(columns, merged[at])
        return grouping

    def total(self) -> GroupSums:
        columns = {n: self.figures(n) for n in ("players", "a", "b", "first_a", "first_b")}
        return _summed(columns, np.ones(len(columns["a"]), np.bool_))

    def most_changed(self, count: int) -> list[dict[str, Any]]:
        """The events whose total changes most, except those so small that they could identify
        somebody."""
        columns = {name: self.figures(name) for name in _FIGURES}
        change = columns["b"] - columns["a"]
        order = np.lexsort((columns["event"], -np.abs(change)))
        chosen = order[columns["players"][order] >= FEW_MEMBERS][:count]
        titles = {
            name: np.concatenate([*parts, np.empty(0, dtype=object)])
            for name, parts in self._titles.items()
        }
        groups = {g: self.group_of(g) for g in ("class", "kind", "flight", "sessions")}
        rows = []
        for k in chosen:
            own = {name: int(column[k]) for name, column in columns.items()}
            named = {g: names[codes[k]] for g, (codes, names) in groups.items()}
            headings = {n: str(c[k]) for n, c in titles.items() if any(c[chosen])}
            rows.append({"event": own["event"], **headings, **named, **_amounts(own)})
        return rows


def _summed(columns: Mapping[str, Ints], own: NDArray[np.bool_]) -> GroupSums:
    sums = {n: int(column[own].sum()) for n, column in columns.items()}
    members = int(columns["players"][own].max(initial=0))
    a, b = columns["a"], columns["b"]
    interval = change_interval(a[own], b[own])
    of_share = change_of_share_interval(a * own, b * own, a, b)
    return GroupSums(int(own.sum()), **sums, members=members, interval=interval, of_share=of_share)


def _amounts(own: Mapping[str, int]) -> dict[str, Any]:
    shown = {"first A": "first_a", "first B": "first_b", "A": "a", "B": "b"}
    amounts = {name: own[key] / SCALE for name, key in shown.items()}
    change = (own["b"] - own["a"]) / SCALE
    return {"entrants": own["entrants"], **amounts, "change": change}


def _empty() -> Ints:
    return np.zeros(0, np.int64)


def _grown(column: Ints, members: NDArray[Any], fill: int) -> Ints:
    """A column with a row for each of these members."""
    more = int(members.max(initial=-1)) + 1 - len(column)
    return np.append(column, np.full(more, fill)) if more > 0 else column


@dataclass(frozen=True, slots=True)
class PaidPlayers:
    """A row for each player of the compared events of a shard: the event's row among them, the
    member, the holding, and what either side pays."""

    event: Ints
    member: NDArray[np.int32]
    holding: NDArray[np.int32]
    a: Ints
    b: Ints


@dataclass
class Appearances:
    """Points to players by groups within an event: stratum and holding.

    For every event and group: appearances, and what they are paid under either side.
    """

    parts: dict[str, list[Floats]] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    seen: dict[str, Ints] = field(default_factory=dict)

    def add(self, group: str, codes: Ints, events: int, players: PaidPlayers) -> None:
        """Count the appearances in so many further events, and mark in which groups each member
        was seen, one bit per group."""
        names = self.names[group] = sides.player_group_names(group)
        key, cells = players.event * len(names) + codes, events * len(names)
        counted = [np.bincount(key, c, cells) for c in (None, players.a, players.b)]
        table = np.array(counted, np.float64).reshape(3, events, len(names))
        self.parts.setdefault(group, []).append(table)
        self.seen[group] = seen = _grown(self.seen.get(group, _empty()), players.member, 0)
        np.bitwise_or.at(seen, players.member, 1 << codes.astype(np.int64))

    def by(self, group: str) -> Grouping:
        """The sums of every group; small ones are merged."""
        if group not in self.parts:
            return {}
        table = np.concatenate(self.parts[group], axis=1)
        there = np.flatnonzero(table[0].sum(axis=0))
        sums = [self._sums(group, table, np.array([k])) for k in there]
        members = np.array([own.members for own in sums], np.int64)
        merged = to_merge(members, lambda some: self._sums(group, table, there[some]).members)
        grouping: Grouping = {
            (self.names[group][there[k]],): sums[k] for k in np.flatnonzero(~merged).tolist()
        }
        if merged.any():
            grouping[MERGED,] = self._sums(group, table, there[merged])
        return grouping

    def _sums(self, group: str, table: Floats, codes: Ints) -> GroupSums:
        players, a, b = table[:, :, codes].sum(axis=2)
        there = players > 0
        own = int(sum(1 << code for code in codes.tolist()))
        return GroupSums(
            int(there.sum()),
            int(players.sum()),
            int(a.sum()),
            int(b.sum()),
            members=int(np.count_nonzero(self.seen[group] & own)),
            interval=change_interval(a[there], b[there]),
            of_share=change_of_share_interval(a, b, *table[1:].sum(axis=2)),
        )


# --- what every member is paid under either side ------------------------------------------------

_UNSEEN = -1
_NEVER = np.iinfo(np.int64).max
_FEWEST = 10
_RESAMPLES = 100
_SAMPLED = 2000
"""About how many members are followed through the resamples."""
_SEED = 20


@dataclass
class MemberTotals:
    """What every member is paid under either side, and each member's holding when first seen."""

    a: Ints = field(default_factory=_empty)
    b: Ints = field(default_factory=_empty)
    held: Ints = field(default_factory=_empty)
    every: int = 0
    """One in this many members is followed event by event."""
    followed: list[tuple[Ints, Ints, Ints]] = field(default_factory=list)
    events: int = 0

    def __post_init__(self) -> None:
        self._first: Ints = np.zeros(0, np.int64)

    def add(self, players: PaidPlayers, number: NDArray[np.int32]) -> None:
        """Add up what players are paid, and remember the event, by its ``number``, in which each
        was first seen and the holding there."""
        who, held = players.member, players.holding
        self.a, self.b = (_grown(column, who, 0) for column in (self.a, self.b))
        self.a += np.bincount(who, players.a, len(self.a)).astype(np.int64)
        self.b += np.bincount(who, players.b, len(self.b)).astype(np.int64)
        self.held = _grown(self.held, who, _UNSEEN)
        self._first = _grown(self._first, who, _NEVER)
        earliest, holds = np.full_like(self._first, _NEVER), np.full_like(self.held, _UNSEEN)
        # of a member's several events the first is written last
        earliest[who[::-1]], holds[who[::-1]] = number[::-1], np.maximum(held[::-1], _UNSEEN)
        earlier = earliest < self._first
        self._first[earlier], self.held[earlier] = earliest[earlier], holds[earlier]

    @property
    def _seen(self) -> NDArray[np.bool_]:
        seen: NDArray[np.bool_] = self._first < _NEVER
        return seen

    @property
    def seen(self) -> list[int]:
        """The members who played."""
        members: list[int] = np.flatnonzero(self._seen).tolist()
        return members

    def follow(self, both: ShardOfBoth) -> None:
        """Keep the payments of the followed members event by event, for a shard already added
        up."""
        shard = both.shard
        self.every = self.every or max(1, int(self._seen.sum()) // _SAMPLED)
        rows = np.flatnonzero(shard.player % self.every == 0)
        entrants = np.searchsorted(shard.player_offsets, rows, "right") - 1
        events = np.searchsorted(shard.entrant_offsets, entrants, "right") - 1
        kept = both.compared[events]
        rows, entrants, events = rows[kept], entrants[kept], events[kept]
        change = both.b.of_rows(rows, entrants) - both.a.of_rows(rows, entrants)
        self.followed.append((shard.player[rows].astype(np.int64), events + self.events, change))
        self.events += len(shard.ids)

    @property
    def change(self) -> Ints:
        """The change of every member seen."""
        change: Ints = (self.b - self.a)[self._seen]
        return change

    def rows(self) -> list[dict[str, Any]]:
        """How many gain and lose, by holding and in total; small groups are merged."""
        change = self.change
        codes, names = sides.banded(self.held[self._seen] / 100.0, sides.HOLDINGS)
        counts = np.bincount(codes, minlength=len(names))
        small = to_merge(counts)
        shares = self._resampled(len(names))
        rows = [
            {"holding": name, **_gains(change[codes == k], shares[k])}
            for k, name in enumerate(names)
            if counts[k] and not small[k]
        ]
        together = small[codes]
        if together.any():
            rows.append({"holding": MERGED, **_gains(change[together], None)})
        return [*rows, {"holding": "all", **_gains(change, shares[-1])}]

    def _resampled(self, many: int) -> list[tuple[float, float] | None]:
        """The interval of the share that gains, by band of holding and finally for all: events
        are resampled, and the payments of the followed members are added up over the events
        drawn."""
        if not self.followed or self.events < FEW_MEMBERS:
            return [None] * (many + 1)
        who, event, change = (np.concatenate(c) for c in zip(*self.followed, strict=True))
        people, at = np.unique(who, return_inverse=True)
        codes, _ = sides.banded(self.held[people] / 100.0, sides.HOLDINGS)
        random = np.random.default_rng(_SEED)
        drawn = np.empty((_RESAMPLES, many + 1))

        def shares(weight: Ints) -> tuple[NDArray[np.float64], float]:
            own = weight[event]
            total = np.bincount(at, own * change, len(people))
            played = np.bincount(at, own, len(people)) > 0
            gain = (total > 0) & played
            of = np.bincount(codes[played], minlength=many)
            gains = np.bincount(codes[gain], minlength=many)
            with np.errstate(invalid="ignore"):
                share = 100 * np.append(gains / of, gain.sum() / played.sum())
            return share, float(total.std())

        spread = np.empty(_RESAMPLES)
        for k in range(_RESAMPLES):
            again = random.integers(0, self.events, self.events)
            drawn[k], spread[k] = shares(np.bincount(again, minlength=self.events))
        seen, own_spread = shares(np.ones(self.events, np.int64))
        wider = max(1.0, float(spread.mean()) / own_spread) if own_spread else 1.0
        return [_around(share, one, wider) for share, one in zip(seen, drawn.T, strict=True)]


def _around(seen: float, drawn: NDArray[np.float64], wider: float) -> tuple[float, float] | None:
    """The interval around the observed value. A resample repeats luck: its members are ``wider``
    times as spread out as in the history, so fewer come out ahead and shares move less."""
    sound = drawn[np.isfinite(drawn)]
    if len(sound) <= _FEWEST or not np.isfinite(seen):
        return None
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.percentile((sound - sound.mean()) * wider, (tail, 100 - tail))
    return max(0.0, float(seen + low)), min(100.0, float(seen + high))


def _gains(change: Ints, share: tuple[float, float] | None) -> dict[str, Any]:
    gain = int((change > 0).sum())
    low, high = share or (None, None)
    return {
        "members": len(change),
        "gain": gain,
        "lose": int((change < 0).sum()),
        "unchanged": int((change == 0).sum()),
        "gain %": 100 * gain / len(change) if len(change) else None,
        "from (95%)": low,
        "to (95%)": high,
        "mean change": float(change.mean()) / SCALE if len(change) else 0.0,
    }


# --- adds up a shard under both sides of a comparison, in one pass over its players -------------

_EDGES = 100 * np.array(sides.HOLDINGS, np.int64)
"""In hundredths, as holdings are."""


def add_up(
    both: ShardOfBoth, played: ComparedEvents, appearances: Appearances, people: MemberTotals
) -> None:
    """Add a shard to the totals of events, of groups of players, and of members."""
    shard, events = both.shard, np.flatnonzero(both.compared)
    sizes = shard.sizes[events]
    entrants = spans(shard.entrant_offsets[events], sizes)
    teams = np.diff(shard.player_offsets)[entrants]
    rows = spans(shard.player_offsets[entrants], teams)
    event = np.repeat(np.repeat(np.arange(len(events)), sizes), teams)
    each = np.repeat(entrants, teams)
    a, b = (side.of_rows(rows, each) for side in (both.a, both.b))
    players = PaidPlayers(event, shard.player[rows], shard.holding[rows], a, b)
    begins = np.cumsum(sizes) - sizes
    first_a, first_b = (
        np.maximum.reduceat(side.amounts[entrants], begins) if len(begins) else begins
        for side in (both.a, both.b)
    )
    many = len(events)
    added = {
        "a": a,
        "b": b,
        "alike": a == b,
        "over": np.maximum(b - a, 0),
        "under": np.maximum(a - b, 0),
    }
    sums = {n: np.bincount(event, c, many).astype(np.int64) for n, c in added.items()}
    sums |= {"first_a": first_a, "first_b": first_b, "players": np.bincount(event, minlength=many)}
    played.add(shard, events, sums)
    band = np.searchsorted(_EDGES, players.holding, "right") - 1
    groups = (np.repeat(shard.stratum[entrants], teams), np.where(band < 0, len(_EDGES), band))
    for group, codes in zip(sides.PLAYER_GROUPS, groups, strict=True):
        appearances.add(group, codes, many, players)
    people.add(players, shard.ids[events][event])
    people.follow(both)
