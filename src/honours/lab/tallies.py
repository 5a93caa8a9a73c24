"""What a comparison adds up: every event once, and members and appearances of players by group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.rulebook import Rulebook
from honours.lab import bands
from honours.lab.award import SCALE, award_shard
from honours.lab.shards import Shard

Ints = NDArray[np.int64]
_UNSEEN = -1
_FIGURES = ("event", "a", "b", "first_a", "first_b", "players", "entrants")


@dataclass(frozen=True, slots=True)
class Both:
    """A shard under both rulebooks: points per entrant, and which events both award."""

    shard: Shard
    a: Ints
    b: Ints
    compared: NDArray[np.bool_]
    refused: tuple[int, int]
    aside: int

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Which entrants are in events that are compared."""
        return self.compared[self.shard.event_of_entrant]


def both(shard: Shard, a: Rulebook, b: Rulebook) -> Both:
    """Award a shard by two rulebooks."""
    ours, theirs = award_shard(a, shard), award_shard(b, shard)
    compared = ~ours.refused & ~theirs.refused
    bad = {one.event for awards in (ours, theirs) for one in awards.bad}
    out = np.isin(shard.ids, list(bad))
    refused = (int((ours.refused & ~out).sum()), int((theirs.refused & ~out).sum()))
    return Both(shard, ours.amounts, theirs.amounts, compared, refused, len(bad) + len(shard.bad))


@dataclass
class Sums:
    """What is added up for one group."""

    events: int = 0
    players: int = 0
    a: int = 0
    b: int = 0
    first_a: int = 0
    first_b: int = 0

    def row(self, named: Mapping[str, str]) -> dict[str, Any]:
        row: dict[str, Any] = dict(named)
        if self.events:
            row |= {"events": self.events}
            row |= {"first A": self.first_a / SCALE / self.events}
            row |= {"first B": self.first_b / SCALE / self.events}
        row |= {"players": self.players, "A": self.a / SCALE, "B": self.b / SCALE}
        row["change"] = (self.b - self.a) / SCALE
        row["change %"] = self.percent
        return row

    @property
    def percent(self) -> float | None:
        """How much more B pays, in per cent of what A does."""
        return 100 * (self.b / self.a - 1) if self.a else None


class Events:
    """Every event that both award, as columns, with the group it is in for each sort of group."""

    def __init__(self) -> None:
        self._parts: dict[str, list[Ints]] = {name: [] for name in _FIGURES}
        self._codes: dict[str, list[Ints]] = {group: [] for group in bands.EVENT_GROUPS}
        self._names: dict[str, dict[str, int]] = {group: {} for group in bands.EVENT_GROUPS}
        self._titles: list[NDArray[Any]] = []

    def add(self, found: Both) -> None:
        shard, rows = found.shard, np.flatnonzero(found.compared)
        starts = shard.entrant_offsets[:-1]
        players = np.diff(shard.player_offsets)
        figures = {
            "event": shard.ids,
            "a": np.add.reduceat(found.a * players, starts),
            "b": np.add.reduceat(found.b * players, starts),
            "first_a": np.maximum.reduceat(found.a, starts),
            "first_b": np.maximum.reduceat(found.b, starts),
            "players": np.add.reduceat(players, starts),
            "entrants": shard.sizes,
        }
        for name, column in figures.items():
            self._parts[name].append(column[rows].astype(np.int64))
        for group in bands.EVENT_GROUPS:
            self._codes[group].append(self._coded(group, *bands.event_codes(shard, group))[rows])
        titles = shard.events.get("title", np.full(len(shard.ids), "", dtype=object))
        self._titles.append(titles[rows])

    def _coded(self, group: str, codes: Ints, names: Sequence[str]) -> Ints:
        known = self._names[group]
        numbers = np.array([known.setdefault(n, len(known)) for n in names], np.int64)
        return numbers[codes]

    def figures(self, name: str) -> Ints:
        return np.concatenate([*self._parts[name], np.empty(0, np.int64)])

    def group_of(self, group: str) -> tuple[Ints, list[str]]:
        codes = np.concatenate([*self._codes[group], np.empty(0, np.int64)])
        return codes, list(self._names[group])

    def by(self, groups: Sequence[str]) -> dict[tuple[str, ...], Sums]:
        """The sums of every group, or of every meeting of several."""
        keyed = [self.group_of(group) for group in groups]
        key = np.zeros(len(self.figures("event")), np.int64)
        for codes, names in keyed:
            key = key * max(1, len(names)) + codes
        found: dict[tuple[str, ...], Sums] = {}
        columns = {n: self.figures(n) for n in ("players", "a", "b", "first_a", "first_b")}
        for code in np.unique(key):
            own = key == code
            first = int(np.argmax(own))
            name = tuple(names[codes[first]] for codes, names in keyed)
            sums = {n: int(column[own].sum()) for n, column in columns.items()}
            found[name] = Sums(int(own.sum()), **sums)
        return found

    def total(self) -> Sums:
        sums = {n: int(self.figures(n).sum()) for n in ("players", "a", "b", "first_a", "first_b")}
        return Sums(len(self.figures("event")), **sums)

    def most_changed(self, count: int) -> list[dict[str, Any]]:
        """The events whose total changes most."""
        columns = {name: self.figures(name) for name in _FIGURES}
        change = columns["b"] - columns["a"]
        chosen = np.lexsort((columns["event"], -np.abs(change)))[:count]
        titles = np.concatenate([*self._titles, np.empty(0, dtype=object)])
        groups = {g: self.group_of(g) for g in ("class", "kind", "flight", "sessions")}
        rows = []
        for k in chosen:
            own = {name: int(column[k]) for name, column in columns.items()}
            named = {g: names[codes[k]] for g, (codes, names) in groups.items()}
            title = {"title": str(titles[k])} if any(titles[chosen]) else {}
            rows.append({"event": own["event"], **title, **named, **_amounts(own)})
        return rows


def _amounts(own: Mapping[str, int]) -> dict[str, Any]:
    shown = {"first A": "first_a", "first B": "first_b", "A": "a", "B": "b"}
    amounts = {name: own[key] / SCALE for name, key in shown.items()}
    change = (own["b"] - own["a"]) / SCALE
    return {"entrants": own["entrants"], **amounts, "change": change}


@dataclass
class Appearances:
    """Points to players by groups that part the players of one event: stratum and holding."""

    groups: dict[str, dict[str, Sums]] = field(default_factory=dict)

    def add(self, found: Both) -> None:
        of = found.shard.entrant_of_player
        keep = found.kept[of]
        for group in bands.PLAYER_GROUPS:
            codes, names = bands.player_codes(found.shard, group)
            sums = self.groups.setdefault(group, {})
            for code in np.unique(codes[keep]):
                chosen = keep & (codes == code)
                own = sums.setdefault(names[code], Sums())
                own.players += int(chosen.sum())
                own.a += int(found.a[of[chosen]].sum())
                own.b += int(found.b[of[chosen]].sum())


@dataclass
class Members:
    """What every member is paid under either rulebook, and what each held when first seen."""

    a: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    b: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    held: Ints = field(default_factory=lambda: np.zeros(0, np.int64))

    def add(self, found: Both) -> None:
        shard = found.shard
        rows = found.kept[shard.entrant_of_player]
        if not len(shard.player):
            return
        self._grow(int(shard.player.max()) + 1)
        of, who = shard.entrant_of_player[rows], shard.player[rows]
        np.add.at(self.a, who, found.a[of])
        np.add.at(self.b, who, found.b[of])
        new = self.held[who] == _UNSEEN
        self.held[who[new]] = shard.holding[rows][new]

    def _grow(self, size: int) -> None:
        more = size - len(self.a)
        if more > 0:
            self.a = np.append(self.a, np.zeros(more, np.int64))
            self.b = np.append(self.b, np.zeros(more, np.int64))
            self.held = np.append(self.held, np.full(more, _UNSEEN))

    @property
    def change(self) -> Ints:
        """The change of every member seen."""
        seen = self.held != _UNSEEN
        change: Ints = self.b[seen] - self.a[seen]
        return change

    def rows(self) -> list[dict[str, Any]]:
        """How many gain and lose, by what they held, and all together."""
        change = self.change
        codes, names = bands.banded(self.held[self.held != _UNSEEN] / 100.0, bands.HOLDINGS)
        rows = [
            {"holding": name, **_gains(change[codes == k])}
            for k, name in enumerate(names)
            if (codes == k).any()
        ]
        return [*rows, {"holding": "all", **_gains(change)}]


def _gains(change: Ints) -> dict[str, Any]:
    return {
        "members": len(change),
        "gain": int((change > 0).sum()),
        "lose": int((change < 0).sum()),
        "unchanged": int((change == 0).sum()),
        "mean change": float(change.mean()) / SCALE if len(change) else 0.0,
    }
