"""What one rulebook would pay, compared with another, over a whole corpus.

Amounts are points to players: an award counts once for each player of the entrant. Events that
either rulebook refuses are counted and left out of the figures, so that like stands beside like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.rulebook import Rulebook
from honours.errors import UnknownName
from honours.lab import bands
from honours.lab.answers import as_rulebook, event_awards, name_of
from honours.lab.award import SCALE, award_shard
from honours.lab.corpus import Corpus
from honours.lab.frame import Frame
from honours.lab.shards import Shard
from honours.model import Award

Ints = NDArray[np.int64]
_UNSEEN = -1


@dataclass(frozen=True, slots=True)
class Both:
    """A shard under both rulebooks: points per entrant, and which events both award."""

    shard: Shard
    a: Ints
    b: Ints
    compared: NDArray[np.bool_]
    refused: tuple[int, int]

    @property
    def players(self) -> Ints:
        return np.diff(self.shard.player_offsets)

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Which entrants are in events that are compared."""
        return self.compared[self.shard.event_of_entrant]


def both(shard: Shard, a: Rulebook, b: Rulebook) -> Both:
    """Award a shard by two rulebooks."""
    ours, theirs = award_shard(a, shard), award_shard(b, shard)
    compared = ~ours.refused & ~theirs.refused
    refused = (int(ours.refused.sum()), int(theirs.refused.sum()))
    return Both(shard, ours.amounts, theirs.amounts, compared, refused)


@dataclass
class Sums:
    """What is added up for one group."""

    events: int = 0
    entrants: int = 0
    players: int = 0
    a: int = 0
    b: int = 0
    first_a: int = 0
    first_b: int = 0

    def row(self, group: str, name: str) -> dict[str, Any]:
        row: dict[str, Any] = {group: name}
        if self.events:
            row |= {"events": self.events}
            row |= {"first A": self.first_a / SCALE / self.events}
            row |= {"first B": self.first_b / SCALE / self.events}
        row |= {"players": self.players, "A": self.a / SCALE, "B": self.b / SCALE}
        row["change"] = (self.b - self.a) / SCALE
        row["change %"] = 100 * (self.b / self.a - 1) if self.a else None
        return row


@dataclass(frozen=True, slots=True)
class Changed:
    """An event and what each rulebook pays in it, first place and all together."""

    event: int
    words: Mapping[str, Any]
    first_a: int
    first_b: int
    a: int
    b: int

    def row(self) -> dict[str, Any]:
        named = {"event": self.event, **self.words}
        named |= {"first A": self.first_a / SCALE, "first B": self.first_b / SCALE}
        named |= {"A": self.a / SCALE, "B": self.b / SCALE}
        return named | {"change": (self.b - self.a) / SCALE}


@dataclass(frozen=True, slots=True)
class Grouped:
    """A comparison by one group: ``.table()`` shows it."""

    comparison: Comparison
    group: str

    def table(self) -> Frame:
        sums = self.comparison.groups[self.group]
        rows = [sums[name].row(self.group, name) for name in self._ordered(sums)]
        return Frame.of(f"By {self.group}: {self.comparison.title}", rows)

    def _ordered(self, sums: Mapping[str, Sums]) -> list[str]:
        edges = {"size": bands.SIZES, "strength": bands.STRENGTHS, "holding": bands.HOLDINGS}
        if self.group in edges:
            names = [*bands.band_names(edges[self.group]), bands.NOT_KNOWN]
            return [name for name in names if name in sums]
        return sorted(sums)

    def _repr_html_(self) -> str:
        return self.table().html()


@dataclass
class Comparison:
    """B compared with A over a corpus."""

    corpus: Corpus
    a: Rulebook
    b: Rulebook
    total: Sums = field(default_factory=Sums)
    groups: dict[str, dict[str, Sums]] = field(default_factory=dict)
    refused: tuple[int, int] = (0, 0)
    changes: list[NDArray[np.float64]] = field(default_factory=list)
    most: list[Changed] = field(default_factory=list)
    members_a: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    members_b: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    holdings: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """What each member held when first seen: ``_UNSEEN`` before, ``NOT_SAID`` where not known."""

    @property
    def title(self) -> str:
        return f"A {name_of(self.a)}, B {name_of(self.b)}"

    def by(self, group: str) -> Grouped:
        """The comparison by class, kind, sessions, size, strength, flight, stratum or holding."""
        if group not in bands.GROUPS:
            raise UnknownName("group", group, bands.GROUPS)
        return Grouped(self, group)

    def totals(self) -> Frame:
        """Everything together, and what was left out."""
        row = self.total.row("all", "all events")
        row |= {"refused by A": self.refused[0], "refused by B": self.refused[1]}
        return Frame.of(f"All together: {self.title}", [row])

    def distribution(self) -> Frame:
        """How events change, in per cent of what A pays."""
        change = np.concatenate([*self.changes, np.empty(0)])
        at = (0, 5, 10, 25, 50, 75, 90, 95, 100)
        found = np.percentile(change, at) if len(change) else np.full(len(at), np.nan)
        rows = [{"percentile": p, "change %": float(v)} for p, v in zip(at, found, strict=True)]
        return Frame.of(f"Change of an event's total: {self.title}", rows)

    def members(self) -> Frame:
        """How many members gain and lose, by the holding they had when first seen."""
        seen = np.flatnonzero(self.holdings != _UNSEEN)
        change = self.members_b[seen] - self.members_a[seen]
        codes, names = bands.banded(self.holdings[seen] / 100.0, bands.HOLDINGS)
        rows = []
        for k, name in enumerate(names):
            own = change[codes == k]
            if len(own):
                rows.append({"holding": name, "members": len(own), **_gains(own)})
        rows.append({"holding": "all", "members": len(change), **_gains(change)})
        return Frame.of(f"Members who gain and lose: {self.title}", rows)

    def events(self, count: int = 20) -> Frame:
        """The events that change most; ``explain`` gives the reasons of one."""
        chosen = sorted(self.most, key=lambda c: -abs(c.b - c.a))[:count]
        return Frame.of(f"Events that change most: {self.title}", [c.row() for c in chosen])

    def explain(self, event: int) -> tuple[Award, Award]:
        """The winner's award of an event under A and under B, with why."""
        return _winner(self.corpus, self.a, event), _winner(self.corpus, self.b, event)

    def statement(self) -> str:
        """The answer in a sentence: B would …, compared with A."""
        a, b = self.total.a / SCALE, self.total.b / SCALE
        word = "more" if b >= a else "less"
        share = f"{abs(100 * (b / a - 1)):.1f}% {word}" if a else f"{b:,.2f} where A pays nothing"
        return (
            f"{name_of(self.b)} would pay {share} ({b:,.2f} points to players), compared with "
            f"{name_of(self.a)} ({a:,.2f}), in {self.total.events:,} events that both award."
        )

    def provenance(self) -> dict[str, str]:
        """What the answer stands on: enough to make it again."""
        return {
            "corpus": self.corpus.hash,
            "a": f"{name_of(self.a)} {self.a.hash}",
            "b": f"{name_of(self.b)} {self.b.hash}",
            "seed": str(self.corpus.manifest.get("about", {}).get("seed", "")),
        }

    def frames(self) -> Iterator[Frame]:
        """Every table of the comparison."""
        yield self.totals()
        for group in bands.GROUPS:
            yield self.by(group).table()
        yield self.distribution()
        yield self.members()
        yield self.events()

    def data(self) -> dict[str, Any]:
        """The whole answer as plain data."""
        tables = {frame.title.partition(":")[0]: frame.data() for frame in self.frames()}
        return {"statement": self.statement(), "tables": tables, "provenance": self.provenance()}

    def _repr_html_(self) -> str:
        return f"<p>{self.statement()}</p>" + self.totals().html()

    # --- adding up ----------------------------------------------------------------------------

    def add(self, found: Both) -> None:
        """Add a shard."""
        self.refused = (self.refused[0] + found.refused[0], self.refused[1] + found.refused[1])
        self._add_members(found)
        self._add_events(found)
        for group in bands.GROUPS:
            self._add_group(group, found)

    def _add_members(self, found: Both) -> None:
        shard, rows = found.shard, found.kept[found.shard.entrant_of_player]
        if not len(shard.player):
            return
        self._grow(int(shard.player.max()) + 1)
        of, who = shard.entrant_of_player[rows], shard.player[rows]
        np.add.at(self.members_a, who, found.a[of])
        np.add.at(self.members_b, who, found.b[of])
        new = self.holdings[who] == _UNSEEN
        self.holdings[who[new]] = shard.holding[rows][new]

    def _grow(self, size: int) -> None:
        more = size - len(self.members_a)
        if more > 0:
            self.members_a = np.append(self.members_a, np.zeros(more, np.int64))
            self.members_b = np.append(self.members_b, np.zeros(more, np.int64))
            self.holdings = np.append(self.holdings, np.full(more, _UNSEEN))

    def _add_events(self, found: Both) -> None:
        shard, players = found.shard, found.players
        starts = shard.entrant_offsets[:-1]
        a, b = (np.add.reduceat(x * players, starts) for x in (found.a, found.b))
        first_a, first_b = (np.maximum.reduceat(x, starts) for x in (found.a, found.b))
        rows = np.flatnonzero(found.compared)
        paid = rows[a[rows] > 0]
        self.changes.append(100.0 * (b[paid] / a[paid] - 1))
        for row in rows[np.argsort(-np.abs(b - a)[rows])][:50]:
            words = {n: shard.events[n][row] for n in ("class", "kind", "flight")}
            words |= {"sessions": int(shard.events["sessions"][row])}
            words |= {"entrants": int(shard.sizes[row])}
            figures = (int(x[row]) for x in (first_a, first_b, a, b))
            self.most.append(Changed(int(shard.ids[row]), words, *figures))
        self.most = sorted(self.most, key=lambda c: -abs(c.b - c.a))[:100]

    def _add_group(self, group: str, found: Both) -> None:
        codes, names = bands.player_codes(found.shard, group)
        sums = self.groups.setdefault(group, {})
        of = found.shard.entrant_of_player
        keep = found.kept[of]
        for code in np.unique(codes[keep]):
            chosen = keep & (codes == code)
            own = sums.setdefault(names[code], Sums())
            own.players += int(chosen.sum())
            own.a += int(found.a[of[chosen]].sum())
            own.b += int(found.b[of[chosen]].sum())
        if group in bands.EVENT_GROUPS:
            self._add_firsts(group, found, sums)

    def _add_firsts(self, group: str, found: Both, sums: dict[str, Sums]) -> None:
        codes, names = bands.event_codes(found.shard, group)
        starts = found.shard.entrant_offsets[:-1]
        first_a, first_b = (np.maximum.reduceat(x, starts) for x in (found.a, found.b))
        for code in np.unique(codes[found.compared]):
            chosen = found.compared & (codes == code)
            own = [sums[names[code]]] + ([self.total] if group == "class" else [])
            for each in own:
                each.events += int(chosen.sum())
                each.first_a += int(first_a[chosen].sum())
                each.first_b += int(first_b[chosen].sum())

    def close(self) -> Comparison:
        """Take the totals from the groups that cover everything."""
        for own in self.groups.get("class", {}).values():
            self.total.players += own.players
            self.total.a += own.a
            self.total.b += own.b
        return self


def _gains(change: Ints) -> dict[str, Any]:
    return {
        "gain": int((change > 0).sum()),
        "lose": int((change < 0).sum()),
        "unchanged": int((change == 0).sum()),
        "mean change": float(change.mean()) / SCALE if len(change) else 0.0,
    }


def _winner(corpus: Corpus, book: Rulebook, event: int) -> Award:
    awards = event_awards(corpus, book, event)
    return max(awards.values(), key=lambda a: a.amount)


def compare(
    corpus: Corpus,
    a: str | Rulebook,
    b: str | Rulebook,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Compare two rulebooks over a corpus, shard by shard."""
    made = Comparison(corpus, as_rulebook(a), as_rulebook(b))
    for done, shard in enumerate(corpus, 1):
        if len(shard.ids):
            made.add(both(shard, made.a, made.b))
        if progress:
            progress(done, len(corpus.shards))
    return made.close()
