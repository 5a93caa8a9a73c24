"""The rows of a bucket as a shard of events, entrants and players; impossible events are set
aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.lab.history.plan import (
    UNKNOWN,
    UNREADABLE,
    ImportPlan,
    Ints,
    TablePlan,
    id_text,
    meanings,
)
from honours.lab.history.rows import (
    SIZES,
    Games,
    ImportNumbers,
    PlayerSeats,
    Rows,
    WrongEvents,
    column_of,
    each_paid,
    entrant_marks,
    joined,
    line_numbers,
    long,
    mark_wrong,
    played,
    same_events,
    seats_of,
    stratum_numbers,
    together,
    unnamed,
    wide,
    written_games,
)
from honours.lab.shards import ranked
from honours.lab.store import NOT_SAID
from honours.lab.tables import EVENTS
from honours.model.message import Message

Array = NDArray[Any]
EVENT_FACTS = tuple(m.name for m in meanings().values() if m.of == "event" and m.name != "event")

_TOLD_OF_ENTRANTS = (
    *("stratum", "games_played", "boards_played", "won", "drawn"),
    *("ifpa_rating", "ifpa_rank", "is_rated"),
)


@dataclass
class ImportFindings:
    """The findings of an import: events taken, duplicates merged, and events set aside by
    reason."""

    events: int = 0
    entrants: int = 0
    twice: list[str] = field(default_factory=list)
    aside: dict[str, list[str]] = field(default_factory=dict)
    unpaid: int = 0
    """Empty payment cells in events that paid somebody, taken as 0."""
    byes: int = 0
    by_games: int = 0
    """Events with games only, whose places are by games won."""
    seen: dict[int, str] = field(default_factory=dict)
    """What identifies every event besides its id, to recognise one that comes under two ids."""

    def set_aside(self, reason: Message, events: Sequence[str]) -> None:
        self.aside.setdefault(str(reason), []).extend(events)

    def data(self) -> dict[str, Any]:
        return {
            "events": self.events,
            "entrants": self.entrants,
            "twice": self.twice,
            "aside": self.aside,
            "unpaid": self.unpaid,
            "byes": self.byes,
            "by_games": self.by_games,
        }


@dataclass(frozen=True, slots=True)
class Bucket:
    """The rows of every table that belong to some of the events."""

    tables: Sequence[tuple[TablePlan, Rows]]


@dataclass(frozen=True, slots=True)
class NewShard:
    """A shard to be written: the columns of its tables, with players by their keys."""

    events: dict[str, Array]
    entrants: dict[str, Array]
    players: dict[str, Array]
    games: dict[str, Array]


def assemble(
    bucket: Bucket,
    plan: ImportPlan,
    known: ImportNumbers,
    findings: ImportFindings,
    given: Mapping[str, object],
) -> NewShard | None:
    """The shard of a bucket; None if none of its events can be used."""
    keys = np.unique(np.concatenate([rows["event"] for _, rows in bucket.tables]))
    facts, conflicts = _facts(bucket, keys, known)
    for name, value in given.items():
        facts[name] = np.full(len(keys), value, dtype=object)
    seats = _seats(bucket, plan, known, keys, facts)
    of = np.searchsorted(keys, seats.entrants["event"])
    seats, of, again = _once(seats, of)
    bad = WrongEvents(len(keys))
    bad.mark(Message("the rows of the event do not agree on what it was"), conflicts)
    games = played(written_games(bucket.tables, known), seats, keys, bad)
    findings.byes += games.byes
    findings.by_games += _by_games(seats, games, of)
    seats = _placed(seats, of)
    mark_wrong(seats, of, bad)
    same = same_events(seats, of, facts.get("date"), bad.ok, findings.seen, _names(keys, known))
    texts = _names(keys, known)
    findings.twice += [texts[k] for k in again if bad.ok[k]] + [texts[k] for k in same]
    for reason, rows in bad.by_reason().items():
        findings.set_aside(reason, [texts[k] for k in rows])
    keep = bad.ok.copy()
    keep[same] = False
    if not keep.any():
        return None
    made, numbers = _made(seats, of, keep, facts, texts, findings)
    return replace(made, games=games.rows(numbers, made.entrants))


def _names(keys: Ints, known: ImportNumbers) -> list[str]:
    return [id_text(int(key), known.ids) for key in keys]


# --- what is told of events ---------------------------------------------------------------------


def _facts(bucket: Bucket, keys: Ints, known: ImportNumbers) -> tuple[dict[str, Array], Ints]:
    """What the rows say about each event, and the events about which they disagree."""
    facts: dict[str, Array] = {}
    conflicts: list[Ints] = []
    for _, rows in bucket.tables:
        of = np.searchsorted(keys, rows["event"])
        for name in EVENT_FACTS:
            if name not in rows:
                continue
            values = rows[name]
            column = facts.setdefault(name, np.full(len(keys), NOT_SAID, np.int64))
            given = (values != NOT_SAID) & (values != UNREADABLE)
            given &= _kept_by_its_type(name, values)
            if not given.any():
                continue
            fresh = given & (column[of] == NOT_SAID)
            column[of[fresh][::-1]] = values[fresh][::-1]
            if name != "title":
                conflicts.append(of[given & (values != column[of])])
    worded = {n: _worded(n, c, known) for n, c in facts.items()}
    return worded, np.unique(np.concatenate([*conflicts, np.empty(0, np.int64)]))


def _kept_by_its_type(name: str, values: Array) -> Array:
    """Which figures fit into the column's type in the corpus."""
    if meanings()[name].type != "count":
        return np.ones(len(values), np.bool_)
    kind = np.iinfo(str(EVENTS.field(name).type))
    return (values >= max(0, kind.min)) & (values <= kind.max)


def _worded(name: str, column: Array, known: ImportNumbers) -> Array:
    kind = meanings()[name].type
    if kind in ("word", "text") and name != "tournament":  # kept under a number of our own
        texts = known.texts(name)
        worded: Array = texts[np.where(column == NOT_SAID, len(texts) - 1, column)]
        worded[worded == ""] = None
        return worded
    numbers: Array = column.astype(object)
    numbers[column == NOT_SAID] = None
    return numbers


def _sizes(kinds: Array | None, many: int) -> Ints:
    if kinds is None:
        return np.full(many, 2, np.int64)
    return np.array([SIZES.get(str(kind), 2) for kind in kinds], np.int64)


# --- who took part ------------------------------------------------------------------------------


def _seats(
    bucket: Bucket, plan: ImportPlan, known: ImportNumbers, keys: Ints, facts: Mapping[str, Array]
) -> PlayerSeats:
    """Everybody who took part, from tables of any shape."""
    sizes = _sizes(facts.get("kind"), len(keys))
    alone: list[Rows] = []
    parts: list[PlayerSeats] = []
    for file, (own, seats) in enumerate(bucket.tables):
        rows = _numbered(seats, known) | {"file": np.full(len(seats["event"]), file, np.int64)}
        if own.shape == "entrants" and own.seats:
            parts.append(wide(rows, own.seats, plan.paid_to))
        elif own.shape == "players":
            size = sizes[np.searchsorted(keys, rows["event"])]
            parts.append(_paid_each(long(rows, size), plan.paid_to))
        elif own.shape == "entrants":
            alone.append(rows)
    if not parts and not alone:
        return seats_of(written_games(bucket.tables, known), bucket.tables)
    for rows in alone:
        parts = [joined(part, rows) for part in parts]
        if not parts:
            size = sizes[np.searchsorted(keys, rows["event"])]
            if "paid" in rows:
                rows["paid"] = each_paid(rows["paid"], size, plan.paid_to)
            parts.append(unnamed(rows, size))
    return together(parts)


def _paid_each(seats: PlayerSeats, paid_to: str) -> PlayerSeats:
    if "paid" in seats.players:
        counts = np.repeat(seats.counts, seats.counts)
        seats.players["paid"] = each_paid(seats.players["paid"], counts, paid_to)
    return seats


def _numbered(rows: Rows, known: ImportNumbers) -> Rows:
    """Lines and strata as numbers instead of the table's words."""
    made = dict(rows)
    for name, numbers in (("line", line_numbers(known)), ("stratum", stratum_numbers(known))):
        if name in made:
            column = made[name]
            made[name] = numbers[np.where(column == NOT_SAID, len(numbers) - 1, column)]
    return made


def _once(seats: PlayerSeats, of: Ints) -> tuple[PlayerSeats, Ints, Ints]:
    """Each entrant once, if several files contain it identically, and the events with such
    repetitions."""
    file = seats.entrants["file"] if len(seats) else np.empty(0, np.int64)
    if not len(file) or (file == file[0]).all():
        return seats, of, np.empty(0, np.int64)
    marks = entrant_marks(seats)
    order = np.lexsort((file, marks, of))
    o, m, f = of[order], marks[order], file[order]
    repeated = np.zeros(len(order), np.bool_)
    repeated[1:] = (o[1:] == o[:-1]) & (m[1:] == m[:-1]) & (f[1:] != f[:-1])
    if not repeated.any():
        return seats, of, np.empty(0, np.int64)
    keep = np.ones(len(order), np.bool_)
    keep[order[repeated]] = False
    rows = np.flatnonzero(keep)
    return seats.only(rows), of[rows], np.unique(o[repeated])


def _by_games(seats: PlayerSeats, games: Games, of: Ints) -> int:
    """Use games won as the score if no column gives a place or score; returns for how many
    events."""
    if not len(games.own) or seats.entrants.keys() & {"place", "score"}:
        return 0
    seats.entrants["score"] = np.bincount(games.own, games.result, len(seats)).astype(np.int64)
    return len(np.unique(of))


def _placed(seats: PlayerSeats, of: Ints) -> PlayerSeats:
    """Add places derived from scores if there are no places, and how many entrants share each
    place."""
    entrants = seats.entrants
    many = len(seats)
    line = column_of(entrants, "line", many)
    group = of * 4 + np.where(line > 0, line, 0)
    if "place" not in entrants and "score" in entrants:
        place, _ = ranked(group, -entrants["score"])
        entrants["place"] = np.where(entrants["score"] == NOT_SAID, NOT_SAID, place)
    place = column_of(entrants, "place", many).astype(np.int64)
    known = place >= 1
    key = group << 20 | np.minimum(np.where(known, place, 0), 2**20 - 1)
    _, at, counts = np.unique(key, return_inverse=True, return_counts=True)
    tied = column_of(entrants, "tied", many).astype(np.int64)
    entrants["told_tied"] = tied
    entrants["tied"] = np.where(tied >= 1, tied, counts[at])
    entrants["place"] = place
    return seats


# --- the shard ----------------------------------------------------------------------------------


def _made(
    seats: PlayerSeats,
    of: Ints,
    keep: Array,
    facts: Mapping[str, Array],
    texts: Sequence[str],
    findings: ImportFindings,
) -> tuple[NewShard, Ints]:
    """The tables, with events by date and entrants by line and place, and the new row of each
    seat."""
    kept = np.flatnonzero(keep)
    days = facts.get("date")
    when = [0 if days is None or days[k] is None else int(days[k]) for k in kept]
    order = kept[np.lexsort((kept, np.array(when)))]
    rank = np.full(len(keep), -1, np.int64)
    rank[order] = np.arange(len(order))
    entrants = seats.entrants
    rows = np.flatnonzero(keep[of])
    line = column_of(entrants, "line", len(seats))
    line = np.where(line > 0, line, 0)
    by = (rank[of] << 24 | line << 20 | np.minimum(entrants["place"], 2**20 - 1))[rows]
    rows = rows[np.argsort(by, kind="stable")]
    chosen = seats.only(rows)
    event = rank[of[rows]]
    begins = np.concatenate(([0], np.flatnonzero(np.diff(event)) + 1))
    number = np.arange(len(event)) - np.repeat(begins, np.diff(np.append(begins, len(event))))
    made = NewShard(
        {"event": np.arange(len(order)), "id": np.array([texts[k] for k in order], dtype=object)}
        | {name: column[order] for name, column in facts.items()},
        {"event": event, "entrant": number} | _columns(chosen, line[rows]),
        {
            "event": np.repeat(event, chosen.counts),
            "entrant": np.repeat(number, chosen.counts),
            **{
                n: np.where(c == UNREADABLE, NOT_SAID, c)
                for n, c in _paid(chosen, event, findings).items()
            },
        },
        {},
    )
    went = np.full(len(seats), -1, np.int64)
    went[rows] = np.arange(len(rows))
    findings.events += len(order)
    findings.entrants += len(event)
    return made, went


def _columns(chosen: PlayerSeats, line: Array) -> dict[str, Array]:
    entrants = chosen.entrants
    columns = {name: entrants[name] for name in ("place", "tied")}
    if (line > 0).any():
        columns["line"] = np.where(line > 0, line, NOT_SAID)
    score = entrants.get("score")
    if score is not None and (score > UNREADABLE).any():  # six decimals are kept to rank by
        columns["score"] = np.where(score > UNREADABLE, score // 100, NOT_SAID)
    for name in _TOLD_OF_ENTRANTS:
        if name in entrants and (entrants[name] >= 0).any():
            empty = 0 if name == "stratum" else NOT_SAID
            columns[name] = np.where(entrants[name] >= 0, entrants[name], empty)
    return columns


def _paid(chosen: PlayerSeats, event: Ints, findings: ImportFindings) -> dict[str, Array]:
    """The players; if an event paid anybody, a player without a figure was paid nothing."""
    players = dict(chosen.players)
    paid = players.get("paid")
    if paid is None or not len(event):
        return players
    of = np.repeat(event, chosen.counts)
    known = np.zeros(int(event.max()) + 1, np.bool_)
    known[of[paid > UNKNOWN]] = True
    empty = (paid == NOT_SAID) & known[of]
    findings.unpaid += int(empty.sum())
    players["paid"] = np.where(empty, 0, np.where(paid == UNKNOWN, NOT_SAID, paid))
    return players
