"""One shard in memory: its events, entrants and players as arrays that line up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.errors import FileProblem
from honours.lab import store

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bad:
    """An event that was set aside, and why."""

    event: int
    why: str


@dataclass(frozen=True, slots=True)
class Shard:
    """Events with their entrants and players; offsets say where each event's rows begin.

    ``events`` holds a column a name: words as text, the rest as whole numbers.
    """

    number: int
    events: Mapping[str, NDArray[Any]]
    entrant: NDArray[np.uint16]
    stratum: NDArray[np.uint8]
    place: NDArray[np.uint16]
    tied: NDArray[np.uint16]
    player: NDArray[np.int32]
    holding: NDArray[np.int32]
    entrant_offsets: Ints
    player_offsets: Ints
    """Where each *entrant's* players begin."""
    bad: tuple[Bad, ...] = field(default=())

    @property
    def ids(self) -> NDArray[np.int32]:
        return self.events["event"]

    @property
    def sizes(self) -> Ints:
        return np.diff(self.entrant_offsets)

    @property
    def event_of_entrant(self) -> Ints:
        """The row of the event each entrant belongs to."""
        return np.repeat(np.arange(len(self.ids)), self.sizes)

    @property
    def entrant_of_player(self) -> Ints:
        return np.repeat(np.arange(len(self.entrant)), np.diff(self.player_offsets))


def read_shard(folder: Path, number: int) -> Shard:
    """Read a shard; an event that does not make sense is left out and reported in ``bad``."""
    events = _columns(store.shard_file(folder, "events", number))
    entrants = _columns(store.shard_file(folder, "entrants", number))
    players = _columns(store.shard_file(folder, "players", number))
    return assemble(number, events, entrants, players)


def assemble(
    number: int,
    events: Mapping[str, NDArray[Any]],
    entrants: Mapping[str, NDArray[Any]],
    players: Mapping[str, NDArray[Any]],
) -> Shard:
    """A shard from its three tables, bad events set aside."""
    bad = tuple(_bad_events(events["event"], entrants, players))
    out = np.array([b.event for b in bad], np.int64)
    if len(out):
        events, entrants, players = (_without(t, out) for t in (events, entrants, players))
    keys = _key(entrants)
    by_entrant = np.searchsorted(_key(players), np.append(keys, keys[-1:] + 1))
    return Shard(
        number,
        events,
        entrants["entrant"],
        entrants["stratum"],
        entrants["place"],
        entrants["tied"],
        players["player"],
        players["holding"],
        np.searchsorted(entrants["event"], np.append(events["event"], np.int32(2**31 - 1))),
        by_entrant if len(keys) else np.zeros(1, np.int64),
        bad,
    )


def _without(table: Mapping[str, NDArray[Any]], out: Ints) -> dict[str, NDArray[Any]]:
    keep = ~np.isin(table["event"], out)
    return {name: column[keep] for name, column in table.items()}


def _key(table: Mapping[str, NDArray[Any]]) -> Ints:
    key: Ints = table["event"].astype(np.int64) << 16 | table["entrant"]
    return key


def _bad_events(
    events: NDArray[Any], entrants: Mapping[str, NDArray[Any]], players: Mapping[str, NDArray[Any]]
) -> Iterator[Bad]:
    """Events that cannot be awarded as they are, each with the first reason found."""
    keys, theirs = _key(entrants), _key(players)
    without_players = entrants["event"][~np.isin(keys, theirs)]
    strangers = players["event"][~np.isin(theirs, keys)]
    negative = players["event"][players["holding"] < 0]
    wrong = (entrants["place"] < 1) | (entrants["tied"] < 1)
    twice = entrants["event"][1:][keys[1:] == keys[:-1]]
    reasons = {
        "it has no entrants": np.setdiff1d(events, entrants["event"]),
        "an entrant has no players": without_players,
        "a player belongs to no entrant": strangers,
        "a holding is negative": negative,
        "a place is below 1": entrants["event"][wrong],
        "an entrant is in it twice": twice,
    }
    seen: set[int] = set()
    for why, found in reasons.items():
        for event in map(int, np.unique(found)):
            if event not in seen:
                seen.add(event)
                yield Bad(event, why)


def _columns(path: Path) -> dict[str, NDArray[Any]]:
    table = store.read_table(path)
    for name in table.column_names:
        if table[name].null_count:
            raise FileProblem(path, f"{name!r} has {table[name].null_count} nulls")
    return {name: as_array(table[name]) for name in table.column_names}


def as_array(column: Any) -> NDArray[Any]:
    """An Arrow column as NumPy: words as text, dates as days, numbers in their own type."""
    kind = str(column.type)
    if kind.startswith("dictionary") or kind == "string":
        return np.array(column.cast("string").to_pylist(), dtype=object)
    if kind.startswith("date"):
        return np.asarray(column.cast("int32").to_numpy())
    return np.asarray(column.combine_chunks().to_numpy(zero_copy_only=False))
