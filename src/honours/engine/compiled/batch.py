"""Many fields as columns, on which the compiled way works.

A batch holds fields with the same words and the same inputs given. Rows are laid out by level: one
per field, then its entrants one after the other, then their players; places are laid out once it is
known how many each field pays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.compiled.column import Ints, QuantityColumn, column_of, constant
from honours.engine.rules import Level
from honours.model import Field, Value


@dataclass(frozen=True, slots=True)
class Batch:
    """Fields with the same words, as columns. ``exact`` returns a field in its original form."""

    words: Mapping[str, str]
    facts: Mapping[Level, Mapping[str, QuantityColumn]]
    place: NDArray[Any]
    tied: NDArray[Any]
    """In any type of whole number."""
    entrant_offsets: Ints
    player_offsets: Ints
    exact: Callable[[int], Field]
    uniform: bool
    places: Ints = field(default_factory=lambda: np.empty(0, np.int64))

    @staticmethod
    def of(fields: list[Field], words: Iterable[str]) -> Batch:
        """A batch of fields that have the same inputs given and the same words."""
        standings = [s for f in fields for s in f.standings]
        people = [s.entrant.players or (None,) for s in standings]
        wordy = {w: str(fields[0].facts[w]) for w in words if w in fields[0].facts}
        by_field = _columns([f.facts for f in fields], wordy)
        by_entrant = _columns([s.facts for s in standings], {})
        by_player = _columns([p.facts if p else {} for group in people for p in group], {})
        return Batch(
            words=wordy,
            facts={"field": by_field, "entrant": by_entrant, "player": by_player},
            place=np.array([s.place for s in standings], np.int64),
            tied=np.array([s.tied for s in standings], np.int64),
            entrant_offsets=_offsets(len(f.standings) for f in fields),
            player_offsets=_offsets(len(group) for group in people),
            exact=fields.__getitem__,
            uniform=not any(s.entrant.players for s in standings),
        )

    @property
    def below(self) -> set[str]:
        return {*self.facts["entrant"], *self.facts["player"]}

    def given(self) -> dict[str, Value]:
        """The inputs given for the field; only their names and the words matter here."""
        return {**dict.fromkeys(self.facts["field"], Fraction(0)), **self.words}

    def facts_of(self, row: int) -> dict[str, Value]:
        """The exact facts of one field, without its entrants."""
        return {**self.words, **{n: c.at(row) for n, c in self.facts["field"].items()}}

    def count(self, level: Level) -> int:
        if level == "place":
            return int(self.places.sum())
        offsets = {"entrant": self.entrant_offsets, "player": self.player_offsets}
        return len(self.entrant_offsets) - 1 if level == "field" else int(offsets[level][-1])

    @property
    def place_offsets(self) -> Ints:
        return _offsets(self.places)

    def with_places(self, places: Ints) -> Batch:
        return replace(self, places=places)

    def field_of(self, level: Level) -> Ints:
        """The field each row of a level belongs to."""
        fields = np.arange(self.count("field"))
        if level == "field":
            return fields
        if level == "place":
            return np.repeat(fields, self.places)
        of_entrant = np.repeat(fields, np.diff(self.entrant_offsets))
        return of_entrant if level == "entrant" else of_entrant[self.entrant_of_player]

    @property
    def entrant_of_player(self) -> Ints:
        return np.repeat(np.arange(self.count("entrant")), np.diff(self.player_offsets))

    def entrants_of(self, fields: Ints) -> Ints:
        """The rows of the entrants of some fields, in order."""
        counts = np.diff(self.entrant_offsets)[fields]
        return spans(self.entrant_offsets[fields], counts)

    def players_of(self, field: int) -> range:
        """The rows of the players of one field."""
        first, last = self.player_offsets[self.entrant_offsets[field : field + 2]]
        return range(int(first), int(last))

    def take(self, keep: NDArray[np.bool_]) -> Batch:
        """Only the given fields."""
        if keep.all():
            return self
        chosen = np.flatnonzero(keep)
        entrants = self.entrants_of(chosen)
        of_player = self.field_of("player")
        players = np.flatnonzero(keep[of_player])
        rows: dict[Level, Ints] = {"field": chosen, "entrant": entrants, "player": players}
        return replace(
            self,
            facts={lv: {n: c.take(rows[lv]) for n, c in f.items()} for lv, f in self.facts.items()},
            place=self.place[entrants],
            tied=self.tied[entrants],
            entrant_offsets=_offsets(np.diff(self.entrant_offsets)[chosen]),
            player_offsets=_offsets(np.diff(self.player_offsets)[entrants]),
            exact=lambda i: self.exact(int(chosen[i])),
        )

    def find(self, name: str, level: Level) -> QuantityColumn | None:
        """A fact at a level, or at the nearest level above that has it."""
        above: dict[Level, tuple[Level, ...]] = {
            "field": ("field",),
            "place": ("field",),
            "entrant": ("entrant", "field"),
            "player": ("player", "entrant", "field"),
        }
        for at in above[level]:
            if name in self.facts[at]:
                return self.broadcast(self.facts[at][name], at, level)
        return None

    def broadcast(self, column: QuantityColumn, own: Level, level: Level) -> QuantityColumn:
        """A column of one level, repeated for the rows of a level below it."""
        if own == level or column.is_constant:
            return column
        if own == "entrant":
            return column.take(self.entrant_of_player)
        return column.take(self.field_of(level))

    def rank(self, name: str, level: Level) -> QuantityColumn:
        """``place`` or ``tied`` for the rows of a level."""
        if level == "place" and name == "tied":
            return constant(1)  # a place by itself is nobody's
        if level == "place":
            within = np.arange(self.count("place")) - np.repeat(
                self.place_offsets[:-1], self.places
            )
            return QuantityColumn.in_units(within + 1, Fraction(1))
        ranks = QuantityColumn.in_units(self.place if name == "place" else self.tied, Fraction(1))
        return ranks if level == "entrant" else ranks.take(self.entrant_of_player)

    # --- many rows into one -----------------------------------------------------------------

    def offsets(self, own: Level, level: Level) -> Ints:
        """Where the rows of ``own`` begin within each row of a level above, and the end of the
        last."""
        if own == level:
            return np.arange(self.count(own) + 1)
        if own == "place":
            return self.place_offsets
        if own == "player":
            by_field = self.player_offsets[self.entrant_offsets]
            return self.player_offsets if level == "entrant" else by_field
        return self.entrant_offsets

    def every_player(self, refused: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which entrants have all their players refused."""
        counts = np.diff(self.player_offsets)
        many = np.bincount(self.entrant_of_player, refused, len(counts))
        whole: NDArray[np.bool_] = (counts > 0) & (many == counts)
        return whole


def spans(starts: Ints, counts: Ints) -> Ints:
    """The whole numbers of every span, one span after another."""
    ends = np.cumsum(counts)
    before: Ints = np.repeat(starts - (ends - counts), counts)
    return before + np.arange(len(before))


def _offsets(counts: Iterable[int] | Ints) -> Ints:
    return np.concatenate(([0], np.cumsum(np.fromiter(counts, np.int64)))).astype(np.int64)


def _columns(
    rows: list[Mapping[str, Value]], leave: Mapping[str, str]
) -> dict[str, QuantityColumn]:
    names = dict.fromkeys(n for row in rows for n in row)
    return {n: column_of([row[n] for row in rows]) for n in names if n not in leave}
