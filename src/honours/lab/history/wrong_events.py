"""Events that cannot be right: impossible places, members in two seats, one event under two ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.lab.column_reading import NOT_SAID
from honours.lab.history.seats import PlayerSeats, column_of
from honours.lab.history.values import UNREADABLE, Ints
from honours.lab.impossible_seats import two_seats
from honours.lab.row_arrays import impossible_places, mixed
from honours.model.message import Message

Array = NDArray[Any]
_MOST_ENTRANTS = 2**16 - 1
_FEW = 3
_NEEDED_TO_KNOW = 4
"""An event with fewer players than this cannot be recognised again."""


@dataclass
class WrongEvents:
    """Which events cannot be taken, each for the first reason found."""

    events: int
    reasons: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._why: Ints = np.full(self.events, -1, np.int64)

    def mark(self, reason: Message, events: Array) -> None:
        if len(events):
            self.reasons.append(reason)
            fresh = np.unique(events)
            self._why[fresh[self._why[fresh] < 0]] = len(self.reasons) - 1

    @property
    def ok(self) -> Array:
        return self._why < 0

    def by_reason(self) -> dict[Message, list[int]]:
        rows_of = {r: np.flatnonzero(self._why == k).tolist() for k, r in enumerate(self.reasons)}
        return {reason: rows for reason, rows in rows_of.items() if rows}


def mark_wrong(seats: PlayerSeats, of: Ints, bad: WrongEvents) -> None:
    """Mark the events that cannot be awarded from the data given."""
    entrants, players = seats.entrants, seats.players
    bad.mark(Message("it has no entrants"), np.setdiff1d(np.arange(bad.events), of))
    place = entrants["place"]
    bad.mark(Message("a place cannot be read"), of[place == UNREADABLE])
    bad.mark(Message("an entrant has no place"), of[place < 1])
    line = column_of(entrants, "line", len(seats))
    bad.mark(Message("a line cannot be read"), of[line == UNREADABLE])
    bad.mark(Message("an entrant has no players"), of[seats.counts == 0])
    bad.mark(Message("the players of an entrant are at two places"), of[seats.two_places])
    each = np.repeat(of, seats.counts)
    for name, reason in (
        ("holding", Message("a holding cannot be read, or is negative")),
        ("paid", Message("what was paid cannot be read")),
    ):
        if name in players:
            column = players[name]
            wrong = column == UNREADABLE
            if name == "holding":
                wrong |= (column < 0) & (column != NOT_SAID)
            bad.mark(reason, each[wrong])
    sizes = np.bincount(of, minlength=bad.events)
    bad.mark(
        Message("it has more entrants than a corpus keeps"), np.flatnonzero(sizes > _MOST_ENTRANTS)
    )
    bad.mark(Message("a member is in two seats"), two_seats(players["player"], each))
    known = place >= 1
    group = of[known] * 3 + np.where(line > 0, line, 0)[known]
    wrong = impossible_places(group, place[known], entrants["tied"][known])
    bad.mark(
        Message("places that cannot be: more or fewer have one than share it, or some are missing"),
        of[known][wrong],
    )
    untold = entrants["told_tied"] < 1
    first = np.bincount(of[(place == 1) & untold], minlength=bad.events)
    everybody = np.flatnonzero((first == sizes) & (sizes >= _FEW))
    bad.mark(Message("everybody is at place 1"), everybody)


def entrant_marks(seats: PlayerSeats) -> NDArray[np.uint64]:
    """A number that is equal for entrants with the same players, place and pay."""
    players = seats.players
    mark = mixed(players["player"])
    for name in ("holding", "paid"):
        if name in players:
            mark = mixed(mark ^ players[name].astype(np.int64).astype(np.uint64))
    starts = np.cumsum(seats.counts) - seats.counts
    total = np.zeros(len(seats), np.uint64)
    filled = seats.counts > 0
    if filled.any():
        total[filled] = np.add.reduceat(mark, starts[filled])
    place = column_of(seats.entrants, "place", len(seats)).astype(np.int64)
    line = column_of(seats.entrants, "line", len(seats)).astype(np.int64)
    own = column_of(seats.entrants, "entrant", len(seats)).astype(np.int64)
    return mixed(total ^ mixed(place * 4 + np.where(line > 0, line, 0)) ^ mixed(own))


def same_events(
    seats: PlayerSeats,
    of: Ints,
    days: Array | None,
    ok: Array,
    seen: dict[int, str],
    ids: Sequence[str],
) -> Ints:
    """The events that repeat another under a different id: same day, same people, same places."""
    if not len(seats) or (seats.players["player"] == NOT_SAID).any() or days is None:
        return np.empty(0, np.int64)
    players = seats.players["player"]
    each = np.repeat(of, seats.counts)
    place = np.repeat(seats.entrants["place"].astype(np.int64), seats.counts)
    marks = np.zeros(len(ok), np.uint64)
    np.add.at(marks, each, mixed(mixed(players) ^ place.astype(np.uint64)))
    sizes = np.bincount(each, minlength=len(ok))
    repeats = []
    for k in np.flatnonzero(ok & (sizes >= _NEEDED_TO_KNOW)).tolist():
        if days[k] is None:
            continue
        mark = hash((int(marks[k]), int(days[k]), int(sizes[k])))
        if seen.setdefault(mark, ids[k]) != ids[k]:
            repeats.append(k)
    return np.array(repeats, np.int64)
