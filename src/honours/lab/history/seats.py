"""Rows of any shape as entrants and their players: wide, long, or in separate tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns.batch import spans
from honours.lab.column_reading import NOT_SAID
from honours.lab.history.meanings import meanings
from honours.lab.history.plan import ENTRANT
from honours.lab.history.rows import KEYS, Rows
from honours.lab.history.values import UNREADABLE, Ints

Array = NDArray[Any]
OF_PLAYERS = ("player", "holding", "rating", "gor", "grade", "eligible", "paid")
OF_ENTRANTS = tuple(m.name for m in meanings().values() if m.of == "entrant" and m.name != "event")
SIZES = {"pairs": 2, "individual": 1, "teams": 4, "swiss": 4, "board-a-match": 4, "knockout": 4}


@dataclass(frozen=True, slots=True)
class PlayerSeats:
    """Entrants, how many players each has, and the players one after the other.

    ``two_places`` are entrants whose players' rows disagree on the place.
    """

    entrants: Rows
    counts: Ints
    players: Rows
    two_places: Array

    def __len__(self) -> int:
        return len(self.counts)

    def only(self, rows: Ints) -> PlayerSeats:
        """Some of the entrants, in the given order."""
        begins = np.concatenate(([0], np.cumsum(self.counts)))
        at = spans(begins[rows], self.counts[rows])
        return PlayerSeats(
            {name: column[rows] for name, column in self.entrants.items()},
            self.counts[rows],
            {name: column[at] for name, column in self.players.items()},
            self.two_places[rows],
        )


def together(parts: Sequence[PlayerSeats]) -> PlayerSeats:
    """The entrants of several tables; what a table does not contain is left unsaid."""
    if len(parts) == 1:
        return parts[0]
    entrants = {n: _stacked([(p.entrants.get(n), len(p)) for p in parts], n) for n in _names(parts)}
    players = {
        n: _stacked([(p.players.get(n), int(p.counts.sum())) for p in parts], n)
        for n in dict.fromkeys(n for p in parts for n in p.players)
    }
    counts, split = (
        np.concatenate(c) for c in zip(*((p.counts, p.two_places) for p in parts), strict=True)
    )
    return PlayerSeats(entrants, counts, players, split)


def _names(parts: Sequence[PlayerSeats]) -> list[str]:
    return list(dict.fromkeys(name for part in parts for name in part.entrants))


def _stacked(columns: Sequence[tuple[Array | None, int]], name: str) -> Array:
    kind = np.int64 if name in (*KEYS, "row", "file", "score") else np.int32
    return np.concatenate(
        [np.full(n, NOT_SAID, kind) if c is None else c.astype(kind) for c, n in columns]
    )


def column_of(rows: Mapping[str, Array], name: str, many: int) -> Array:
    column = rows.get(name)
    return np.full(many, NOT_SAID, np.int64) if column is None else column


def wide(rows: Rows, numbers: Sequence[int], paid_to: str) -> PlayerSeats:
    """Entrants from rows that hold an entrant with its players side by side."""
    many = len(rows["event"])
    named = [rows[f"player{k}"] for k in numbers]
    seats = np.stack(named, axis=1) if named else np.empty((many, 0), np.int64)
    there = seats != NOT_SAID
    counts = there.sum(axis=1)
    players: Rows = {"player": seats[there]}
    for name in OF_PLAYERS[1:]:
        own = [rows.get(f"{name}{k}") for k in numbers]
        if any(column is not None for column in own):
            empty = np.full(many, NOT_SAID, np.int32)
            columns = [empty if column is None else column for column in own]
            players[name] = np.stack(columns, axis=1)[there]
    if "paid" in rows and "paid" not in players:
        players["paid"] = np.repeat(each_paid(rows["paid"], counts, paid_to), counts)
    kept = {n: c for n, c in rows.items() if n in (*OF_ENTRANTS, "event", "row", "file")}
    return PlayerSeats(kept, counts, players, np.zeros(many, np.bool_))


def each_paid(paid: Array, counts: Ints, paid_to: str) -> Array:
    """What each player of an entrant was paid."""
    if paid_to != ENTRANT:
        return paid
    known = (paid != NOT_SAID) & (paid != UNREADABLE)
    return np.where(known, paid // np.maximum(1, counts), paid).astype(paid.dtype)


def long(rows: Rows, sizes: Array) -> PlayerSeats:
    """Entrants from rows that hold one player each; the rows of one entrant are grouped.

    Without a column for the entrant, the players at one place form one entrant, or as many as the
    next place shows to be tied there; ``sizes`` gives the number of players per entrant, row by
    row.
    """
    many = len(rows["event"])
    line = column_of(rows, "line", many)
    own = rows.get("entrant")
    by = column_of(rows, "place", many) if own is None else own
    order = np.lexsort((rows["row"], by, line, rows["event"]))
    rows = {name: column[order] for name, column in rows.items()}
    keys = (rows["event"], line[order], by[order])
    new = np.ones(many, np.bool_)
    new[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    starts = np.flatnonzero(new)
    if own is None:
        starts = _split(starts, keys, sizes[order])
    counts = np.diff(np.append(starts, many))
    entrants = {
        n: c[starts] for n, c in rows.items() if n in (*OF_ENTRANTS, "event", "row", "file")
    }
    players = {n: rows[n] for n in OF_PLAYERS if n in rows}
    return PlayerSeats(entrants, counts, players, _differ(rows, starts, counts))


def _differ(rows: Rows, starts: Ints, counts: Ints) -> Array:
    """Which entrants have players at different places."""
    if "place" not in rows:
        return np.zeros(len(starts), np.bool_)
    place = rows["place"]
    other = place != np.repeat(place[starts], counts)
    return np.add.reduceat(other, starts) > 0 if len(starts) else np.zeros(0, np.bool_)


def _split(starts: Ints, keys: Sequence[Array], sizes: Array) -> Ints:
    """Where entrants begin among the players at each place: the next place shows how many share
    it; without a next place, the size of an entrant decides."""
    event, line, place = (key[starts] for key in keys)
    counts = np.diff(np.append(starts, len(keys[0])))
    last = np.append((event[1:] != event[:-1]) | (line[1:] != line[:-1]), True)
    following = np.append(place[1:], 0)
    by_size = np.maximum(1, np.rint(counts / np.maximum(1, sizes[starts])).astype(np.int64))
    tied = np.where(last, by_size, following - place)
    tied = np.where((tied >= 1) & (tied <= counts) & (counts % np.maximum(1, tied) == 0), tied, 1)
    each = counts // tied
    within = spans(np.zeros(len(tied), np.int64), tied)
    shares: Ints = np.repeat(starts, tied) + within * np.repeat(each, tied)
    return shares


def joined(seats: PlayerSeats, entrants: Rows) -> PlayerSeats:
    """Players' rows joined with a separate table of entrants."""
    if "entrant" not in seats.entrants or "entrant" not in entrants:
        return seats
    ours, theirs = _pair_keys(seats.entrants, entrants)
    order = np.argsort(theirs, kind="stable")
    at = order[np.minimum(np.searchsorted(theirs[order], ours), len(order) - 1)]
    there = theirs[at] == ours
    made = dict(seats.entrants)
    for name in (*OF_ENTRANTS, "paid"):
        if name in entrants and name != "entrant":
            before = column_of(made, name, len(seats))
            made[name] = np.where(there & (before == NOT_SAID), entrants[name][at], before)
    players = dict(seats.players)
    if "paid" in made and "paid" not in players:
        players["paid"] = np.repeat(made.pop("paid"), seats.counts).astype(np.int32)
    return PlayerSeats(made, seats.counts, players, seats.two_places)


def _pair_keys(ours: Rows, theirs: Rows) -> tuple[Ints, Ints]:
    """A number for every combination of event and entrant, the same in both tables."""
    many = len(ours["event"])
    _, event = np.unique(np.append(ours["event"], theirs["event"]), return_inverse=True)
    _, entrant = np.unique(np.append(ours["entrant"], theirs["entrant"]), return_inverse=True)
    key = event.astype(np.int64) << 32 | entrant
    return key[:many], key[many:]


def unnamed(entrants: Rows, sizes: Array) -> PlayerSeats:
    """Entrants whose players nobody names, with as many players as their kind of event has."""
    counts = sizes.astype(np.int64)
    many = int(counts.sum())
    players: Rows = {"player": np.full(many, NOT_SAID, np.int64)}
    if "paid" in entrants:
        players["paid"] = np.repeat(entrants["paid"], counts)
    kept = {n: c for n, c in entrants.items() if n in (*OF_ENTRANTS, "event", "row", "file")}
    return PlayerSeats(kept, counts, players, np.zeros(len(counts), np.bool_))
