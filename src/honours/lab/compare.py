"""What one rulebook would pay, compared with another, over a whole corpus.

Amounts are points to players: an award counts once for each player of the entrant. Events that
either rulebook refuses are counted and left out of the figures, so that like stands beside like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any

import numpy as np

from honours.engine.rulebook import Rulebook
from honours.errors import InputError, UnknownName
from honours.lab import bands
from honours.lab.answers import as_rulebook, more, name_of
from honours.lab.award import SCALE
from honours.lab.corpus import Corpus
from honours.lab.explained import Explained, explain_event
from honours.lab.frame import Frame
from honours.lab.samples import sample_awards, typical
from honours.lab.tallies import Appearances, Both, Events, Members, Sums, both

_EDGES = {"size": bands.SIZES, "strength": bands.STRENGTHS, "holding": bands.HOLDINGS}
_IN_WORDS = {
    "class": "{} events",
    "kind": "{}",
    "sessions": "events of {} sessions",
    "size": "{} tables",
    "strength": "fields of {} masterpoints",
    "flight": "flight {}",
    "stratum": "stratum {}",
    "holding": "players with {} masterpoints",
}
SAMPLES = "First place by tables and average holding"
CROSSED = ("flight", "size")
"""The groups the 2011 source's own comparison crosses."""


@dataclass(frozen=True, slots=True)
class Grouped:
    """A comparison by a group, or by several that cross: ``.table()`` shows it."""

    comparison: Comparison
    groups: tuple[str, ...]
    sums: Mapping[tuple[str, ...], Sums]

    @property
    def title(self) -> str:
        return f"By {' and '.join(self.groups)}"

    def table(self) -> Frame:
        rows = [
            self.sums[name].row(dict(zip(self.groups, name, strict=True)))
            for name in sorted(self.sums, key=self._order)
        ]
        return Frame.of(f"{self.title}: {self.comparison.title}", rows)

    def _order(self, name: tuple[str, ...]) -> list[tuple[int, str]]:
        return [_place(group, part) for group, part in zip(self.groups, name, strict=True)]

    def statement(self) -> str:
        """Where B pays most more and most less than A."""
        changes = {n: s.percent for n, s in self.sums.items() if s.percent is not None}
        if not changes:
            return ""
        low, high = min(changes, key=changes.__getitem__), max(changes, key=changes.__getitem__)
        said = [f"{more(changes[high])} to {self._called(high)}"]
        if low != high:
            said.append(f"{more(changes[low])} to {self._called(low)}")
        found = self.comparison
        return (
            f"{name_of(found.b)} would pay {' and '.join(said)}, compared with {name_of(found.a)}."
        )

    def _called(self, name: tuple[str, ...]) -> str:
        parts = zip(self.groups, name, strict=True)
        return " with ".join(_IN_WORDS[group].format(part) for group, part in parts)

    def _repr_html_(self) -> str:
        return self.table().html()


def _place(group: str, name: str) -> tuple[int, str]:
    """Bands in their own order, other groups by the alphabet."""
    names = [*bands.band_names(_EDGES[group]), bands.NOT_KNOWN] if group in _EDGES else []
    return (names.index(name), "") if name in names else (0, name)


@dataclass
class Comparison:
    """B compared with A over a corpus."""

    corpus: Corpus
    a: Rulebook
    b: Rulebook
    played: Events = field(default_factory=Events)
    appearances: Appearances = field(default_factory=Appearances)
    people: Members = field(default_factory=Members)
    refused: tuple[int, int] = (0, 0)
    aside: int = 0

    @property
    def title(self) -> str:
        return f"A {name_of(self.a)}, B {name_of(self.b)}"

    @property
    def total(self) -> Sums:
        return self.played.total()

    def add(self, found: Both) -> None:
        """Add a shard."""
        self.refused = (self.refused[0] + found.refused[0], self.refused[1] + found.refused[1])
        self.aside += found.aside
        for part in (self.played, self.appearances, self.people):
            part.add(found)

    def by(self, *groups: str) -> Grouped:
        """By class, kind, sessions, size, strength or flight, which may be crossed; or by stratum
        or holding."""
        for group in groups:
            if group not in bands.GROUPS:
                raise UnknownName("group", group, bands.GROUPS)
        if not groups:
            raise InputError(f"by what? {', '.join(bands.GROUPS)}")
        if len(groups) == 1 and groups[0] in bands.PLAYER_GROUPS:
            sums = self.appearances.groups.get(groups[0], {})
            return Grouped(self, groups, {(name,): own for name, own in sums.items()})
        apart = [g for g in groups if g in bands.PLAYER_GROUPS]
        if apart:
            raise InputError(
                f"{apart[0]} parts the players of one event and crosses nothing; "
                f"cross {', '.join(bands.EVENT_GROUPS)}"
            )
        return Grouped(self, groups, self.played.by(groups))

    def totals(self) -> Frame:
        """Everything together, and what was left out."""
        row = self.total.row({"all": "all events"})
        row |= {"refused by A": self.refused[0], "refused by B": self.refused[1]}
        return Frame.of(f"All together: {self.title}", [row | {"set aside": self.aside}])

    def distribution(self) -> Frame:
        """How events change, in per cent of what A pays."""
        rows = [{"percentile": p, "change %": v} for p, v in self._percentiles().items()]
        return Frame.of(f"Change of an event's total: {self.title}", rows)

    def _percentiles(self) -> dict[int, float]:
        a, b = self.played.figures("a"), self.played.figures("b")
        change = 100.0 * (b[a > 0] / a[a > 0] - 1)
        at = (0, 5, 10, 25, 50, 75, 90, 95, 100)
        found = np.percentile(change, at) if len(change) else np.full(len(at), np.nan)
        return {p: float(v) for p, v in zip(at, found, strict=True)}

    def members(self) -> Frame:
        """How many members gain and lose, by the holding they had when first seen."""
        return Frame.of(f"Members who gain and lose: {self.title}", self.people.rows())

    @cached_property
    def samples(self) -> tuple[Frame, ...]:
        """First place by tables and average holding under each that awards such events."""
        books = (("A", self.a), ("B", self.b))
        made = (sample_awards(b, f"{SAMPLES}, {letter}: {name_of(b)}") for letter, b in books)
        return tuple(frame for frame in made if frame.rows)

    def events(self, count: int = 20) -> Frame:
        """The events that change most; ``explain`` gives the reasons of one."""
        title = f"Events that change most: {self.title}"
        return Frame.of(title, self.played.most_changed(count))

    def explain(self, event: int) -> Explained:
        """An event under both: what each place is paid, and why the winner is paid that."""
        return explain_event(self.corpus, self.a, self.b, event)

    def statement(self) -> str:
        """The answer in a sentence: B would …, compared with A."""
        a, b = self.total.a / SCALE, self.total.b / SCALE
        percent = self.total.percent
        share = f"{b:,.2f} where A pays nothing" if percent is None else more(percent)
        return (
            f"{name_of(self.b)} would pay {share} ({b:,.2f} points to players), compared with "
            f"{name_of(self.a)} ({a:,.2f}), in {self.total.events:,} events that both award."
        )

    def statements(self) -> dict[str, str]:
        """A sentence for each of the frames, by what the frame is called."""
        said = {g.title: g.statement() for g in self._groups()}
        everybody = self.people.rows()[-1]
        compared = f"under {name_of(self.b)}, compared with {name_of(self.a)}"
        said["Members who gain and lose"] = (
            f"{everybody['gain']:,} of {everybody['members']:,} members would gain and "
            f"{everybody['lose']:,} would lose {compared}."
        )
        if len(self.samples) > 1:
            said[f"{SAMPLES}, B"] = typical(self.samples[0], self.samples[1])
        at = self._percentiles()
        said["Change of an event's total"] = (
            f"Half of the events would pay between {at[25]:+.1f}% and {at[75]:+.1f}% {compared}."
        )
        return said

    def provenance(self) -> dict[str, str]:
        """What the answer stands on: enough to make it again."""
        books = {"a": self.a, "b": self.b}
        hashes = {key: f"{name_of(book)} {book.hash}" for key, book in books.items()}
        return {**self.corpus.provenance(), **hashes}

    def _groups(self) -> Iterator[Grouped]:
        for group in bands.GROUPS:
            yield self.by(group)
        yield self.by(*CROSSED)

    def frames(self, events: int = 20) -> Iterator[Frame]:
        """Every table of the comparison."""
        yield self.totals()
        for grouped in self._groups():
            yield grouped.table()
        yield self.distribution()
        yield self.members()
        yield from self.samples
        yield self.events(events)

    def data(self) -> dict[str, Any]:
        """The whole answer as plain data."""
        tables = {frame.title.partition(":")[0]: frame.data() for frame in self.frames()}
        return {
            "statement": self.statement(),
            "statements": self.statements(),
            "tables": tables,
            "provenance": self.provenance(),
        }

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.statement())}</p>{self.totals().html()}"


def compare(
    corpus: Corpus,
    a: str | Rulebook,
    b: str | Rulebook,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Compare two rulebooks over a corpus, shard by shard."""
    made = Comparison(corpus, as_rulebook(a), as_rulebook(b))
    for done, shard in corpus.pieces():
        if len(shard.ids):
            made.add(both(shard, made.a, made.b))
        if progress:
            progress(done, len(corpus.shards))
    return made


def compared_groups(text: str) -> Sequence[str]:
    """``flight`` or ``flight,size`` as groups."""
    return [part.strip() for part in text.split(",") if part.strip()]
