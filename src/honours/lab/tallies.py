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

from honours.lab import bands
from honours.lab.compared_sides import Side
from honours.lab.few_members import FEW_MEMBERS, to_merge
from honours.lab.intervals import Interval, change_interval, change_of_share_interval
from honours.lab.left_out import counts_by_reason, reasons
from honours.lab.shard_awards import SCALE, ShardAwards, award_shard
from honours.lab.shards import Ints, Shard
from honours.model.message import Message

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
        self._codes: dict[str, list[Ints]] = {group: [] for group in bands.EVENT_GROUPS}
        self._names: dict[str, dict[str, int]] = {group: {} for group in bands.EVENT_GROUPS}
        self._titles: dict[str, list[NDArray[Any]]] = {"id": [], "title": []}

    def add(self, both: ShardOfBoth, added_up: Ints) -> None:
        """Add the events of a shard, given one row per figure of :data:`ADDED_UP`."""
        shard, rows = both.shard, np.flatnonzero(both.compared)
        self._parts["event"].append(shard.ids[rows].astype(np.int64))
        self._parts["entrants"].append(shard.sizes[rows])
        for name, column in zip(ADDED_UP, added_up, strict=True):
            self._parts[name].append(column)
        for group in bands.EVENT_GROUPS:
            self._codes[group].append(self._coded(group, *bands.event_codes(shard, group))[rows])
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


@dataclass
class Appearances:
    """Points to players by groups within an event: stratum and holding.

    For every event and group: appearances, and what they are paid under either side.
    """

    parts: dict[str, list[Floats]] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    seen: dict[str, Ints] = field(default_factory=dict)

    def room(self, group: str, events: int, members: int) -> tuple[Floats, Ints]:
        """The arrays in which to count the appearances of that many further events, and the
        groups in which each member was seen, one bit per group."""
        self.names[group] = bands.player_group_names(group)
        table = np.zeros((3, events, len(self.names[group])))
        self.parts.setdefault(group, []).append(table)
        seen = self.seen.get(group, np.zeros(0, np.int64))
        more = max(0, members - len(seen))
        self.seen[group] = np.append(seen, np.zeros(more, np.int64))
        return table, self.seen[group]

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
