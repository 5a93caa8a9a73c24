"""The rows of a table as columns of whole numbers, ready to be divided by event."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from honours.engine.columns.batch import spans
from honours.formats.go import parse_rank
from honours.formats.wall_lists import GAME
from honours.lab.history.plan import (
    ENTRANT,
    UNKNOWN,
    UNREADABLE,
    ImportPlan,
    Ints,
    MeantColumn,
    TablePlan,
    TextNumbers,
    coded,
    days,
    figures,
    keys,
    mapped,
    meanings,
    words,
)
from honours.lab.shards import impossible_places, mixed, two_seats
from honours.lab.store import NOT_SAID
from honours.model.message import Message

# --- the rows of a table as columns of whole numbers, ready to be divided by event --------------

Rows = dict[str, NDArray[Any]]
KEYS = ("event", "entrant", "player", "opponent", "black", "white", "winner", "loser")
_MOST_32 = 2**31 - 1


@dataclass
class ImportNumbers:
    """What the numbers of an import stand for, and what was noticed in its cells."""

    ids: dict[int, str] = field(default_factory=dict)
    names: dict[str, TextNumbers] = field(default_factory=dict)
    unreadable: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    rounded: Counter[str] = field(default_factory=Counter)

    def names_of(self, meaning: str) -> TextNumbers:
        return self.names.setdefault(meaning, TextNumbers())

    def texts(self, meaning: str) -> NDArray[Any]:
        return np.array([*self.names_of(meaning).texts, ""], dtype=object)

    def data(self) -> dict[str, Any]:
        """The state to store in the folder of an import that may be interrupted."""
        return {
            "ids": [[k, v] for k, v in self.ids.items()],
            "names": {k: v.texts for k, v in self.names.items()},
            "unreadable": dict(self.unreadable),
            "examples": self.examples,
            "rounded": dict(self.rounded),
        }

    @staticmethod
    def of(data: Mapping[str, Any]) -> ImportNumbers:
        names = {
            meaning: TextNumbers(texts, {text: k for k, text in enumerate(texts)})
            for meaning, texts in data["names"].items()
        }
        return ImportNumbers(
            dict(data["ids"]),
            names,
            Counter(data["unreadable"]),
            dict(data["examples"]),
            Counter(data["rounded"]),
        )


def rows_of(plan: ImportPlan, own: TablePlan, batch: Any, first: int, known: ImportNumbers) -> Rows:
    """A batch of a table, given the row number at which it starts."""
    rows: Rows = {"row": np.arange(first, first + len(batch), dtype=np.int64)}
    for column in own.columns:
        values = _values(plan, own, column, batch[column.header], known)
        name = column.shown
        if column.meaning not in KEYS and name != "score":
            values = np.where(_is_large(values), UNREADABLE, values)
        if column.meaning != "paid":
            values = np.where(values == UNKNOWN, NOT_SAID, values)
        bad = values == UNREADABLE
        if bad.any():
            _note(own, column, batch[column.header], int(np.argmax(bad)), int(bad.sum()), known)
        kept_wide = column.meaning in KEYS or name == "score"
        rows[name] = values if kept_wide else values.astype(np.int32)
    events = rows.get("event")
    if events is not None and (events == NOT_SAID).any():
        without = Message("{table}: rows without an event", table=own.table.origin)
        known.unreadable[without] += int((events == NOT_SAID).sum())
        keep = events != NOT_SAID
        rows = {name: column[keep] for name, column in rows.items()}
    return rows


def _is_large(values: Ints) -> NDArray[np.bool_]:
    """Which numbers are larger than a corpus can hold."""
    large: NDArray[np.bool_] = (values > _MOST_32) | (values < -_MOST_32 - 1)
    return large


def _values(
    plan: ImportPlan, own: TablePlan, column: MeantColumn, cells: Any, known: ImportNumbers
) -> Ints:
    meaning = meanings()[column.meaning]
    if meaning.type == "id":
        return keys(cells, known.ids)
    if meaning.type == "date":
        return days(cells, plan.date)
    if meaning.type in ("grade", "yes-no"):
        return mapped(cells, _grade if meaning.type == "grade" else _yes_no)
    if meaning.type in ("word", "text"):
        names = known.names_of(meaning.name)
        if meaning.type == "text":
            return words(cells, names, str)
        return words(cells, names, lambda text: plan.translate(meaning.name, text))
    values, rounded = figures(cells, meaning.decimals, plan.decimal)
    if rounded and meaning.name != "score":
        known.rounded[f"{own.table.origin}: {column.header}"] += rounded
    return values


def _grade(text: str) -> int | None:
    """A rank in dan or kyu, or by number: 0 for 1 dan, -1 for 1 kyu."""
    if re.fullmatch(r"[+-]?\d{1,2}", text):
        return int(text)
    return parse_rank(text)


def _yes_no(text: str) -> int | None:
    words = {"yes": 1, "y": 1, "true": 1, "1": 1, "no": 0, "n": 0, "false": 0, "0": 0}
    return words.get(text.casefold())


def _note(
    own: TablePlan, column: MeantColumn, cells: Any, row: int, many: int, known: ImportNumbers
) -> None:
    """Count a column's unreadable cells, and keep the first of them."""
    name = f"{own.table.origin}: {column.header}"
    known.unreadable[name] += many
    texts, codes = coded(cells[row : row + 1])
    known.examples.setdefault(name, texts[int(codes[0])] if texts else "")


def line_numbers(known: ImportNumbers) -> Ints:
    """The number of the line that each word names; a word that names no line is unreadable."""
    numbers = {"ns": 1, "ew": 2, "": 0}
    texts = known.names_of("line").texts
    return np.array([*(numbers.get(text, UNREADABLE) for text in texts), 0], np.int64)


def stratum_numbers(known: ImportNumbers) -> Ints:
    """Strata numbered by their labels, with A or 1 the highest."""
    texts = known.names_of("stratum").texts
    order = sorted(range(len(texts)), key=lambda k: texts[k].casefold())
    numbers = np.zeros(len(texts) + 1, np.int64)
    for number, k in enumerate(order):
        numbers[k] = number
    return numbers


# --- rows on their way --------------------------------------------------------------------------

_ROWS_A_BUCKET = 500_000
_UNKNOWN = 16
_MOST = 4096


def buckets_for(rows: int | None) -> int:
    """How many buckets are needed for that many rows."""
    return _UNKNOWN if rows is None else min(_MOST, 1 + rows // _ROWS_A_BUCKET)


def bucket_of(event: NDArray[np.int64], buckets: int) -> NDArray[np.int64]:
    """The bucket of every event, from the well-mixed bits of its id."""
    mixed = event.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    return (mixed % np.uint64(buckets)).astype(np.int64)


class Spool:
    """The buckets of one table, written batch by batch."""

    def __init__(self, folder: Path, table: int, buckets: int) -> None:
        self._folder, self._table, self._buckets = folder, table, buckets
        self._writers: dict[int, Any] = {}

    def add(self, rows: Rows) -> None:
        """Put every row into the bucket of its event."""
        if self._buckets == 1:
            self._write(0, pa.table(rows))
            return
        of = bucket_of(rows["event"], self._buckets).astype(np.uint16)
        order = np.argsort(of, kind="stable")
        starts = np.searchsorted(of[order], np.arange(self._buckets + 1))
        parted = pa.table({name: column[order] for name, column in rows.items()})
        for bucket in range(self._buckets):
            first, last = int(starts[bucket]), int(starts[bucket + 1])
            if last > first:
                self._write(bucket, parted.slice(first, last - first))

    def _write(self, bucket: int, part: Any) -> None:
        if bucket not in self._writers:
            path = spool_file(self._folder, self._table, bucket)
            self._writers[bucket] = pa.ipc.new_stream(str(path), part.schema)
        self._writers[bucket].write_table(part)

    def close(self) -> None:
        for writer in self._writers.values():
            writer.close()


def spool_file(folder: Path, table: int, bucket: int) -> Path:
    return folder / f"table-{table:03d}-{bucket:04d}.arrow"


def read_bucket(folder: Path, table: int, bucket: int) -> Rows:
    """The rows of a table in one bucket; nothing if there are none."""
    path = spool_file(folder, table, bucket)
    if not path.exists():
        return {}
    with pa.memory_map(str(path)) as file, pa.ipc.open_stream(file) as reader:
        content = reader.read_all().combine_chunks()
        return {name: content[name].to_numpy().copy() for name in content.column_names}


# --- rows of any shape as entrants and their players --------------------------------------------

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
    known = paid > UNKNOWN
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


# --- events that cannot be right ----------------------------------------------------------------

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


# --- the games in a federation's tables ---------------------------------------------------------

Reading = Callable[[str], tuple[int, int]]
"""What a word of a column says about both players, in half games."""
BY_ENTRANT, PLAYER, EITHER, PLACE = range(4)
"""What kind of ids a row has for its two players."""
_WON, _DREW, _LOST = 2, 1, 0
_WORDS = {
    _WON: ("1", "1.0", "w", "won", "win", "+", "v", "victory"),
    _DREW: ("0.5", "0,5", ".5", "½", "1/2", "d", "draw", "drawn", "jigo", "=", "tie"),
    _LOST: ("0", "0.0", "l", "lost", "loss", "-", "defeat"),
}
_OWN = {word: halves for halves, words in _WORDS.items() for word in words}
_OF_TWO = re.compile(r"(0[.,]5|½|1/2|1|0)-*[-–:]-*(0[.,]5|½|1/2|1|0)")
_NO_GAME = ("", "?", "-", "--", "free", "bye", "0", "0-", "0+", "0=", "0?")


@dataclass(frozen=True, slots=True)
class WrittenGames:
    """Games as tables write them, one per row. ``by`` says what kind of ids these are, ``other``
    is the opponent's result, and ``whole`` whether this is the only row of the game."""

    event: Ints
    own: Ints
    opponent: Ints
    by: Ints
    result: Ints
    other: Ints
    stones: Ints
    round: Ints
    whole: Array


@dataclass(frozen=True, slots=True)
class Games:
    """Games from each player's point of view, by the seats of an import."""

    own: Ints
    opponent: Ints
    result: Ints
    stones: Ints
    byes: int = 0

    def rows(self, went: Ints, entrants: Mapping[str, Array]) -> dict[str, Array]:
        """The table of games; ``went`` gives the row of each seat among the entrants."""
        own, opponent = went[self.own], went[self.opponent]
        kept = np.flatnonzero((own >= 0) & (opponent >= 0))
        if not len(kept):
            return {}
        order = kept[np.lexsort((opponent[kept], own[kept]))]
        return {
            "event": entrants["event"][own[order]],
            "entrant": entrants["entrant"][own[order]],
            "opponent": entrants["entrant"][opponent[order]],
            "result": self.result[order],
            "stones": self.stones[order],
        }


def written_games(tables: Sequence[tuple[TablePlan, Rows]], known: ImportNumbers) -> WrittenGames:
    """The games of all tables of a bucket."""
    parts = [_of_table(rows, known) for own, rows in tables if own.shape == "games"]
    for own, rows in tables:
        if own.shape != "games":
            parts += [_of_round(rows, number, known) for number in own.rounds]
    if not parts:
        return WrittenGames(*(np.empty(0, np.int64) for _ in WrittenGames.__slots__))
    names = WrittenGames.__slots__
    return WrittenGames(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in names)
    )


# --- a row a game -------------------------------------------------------------------------------


def _of_table(rows: Rows, known: ImportNumbers) -> WrittenGames:
    many = len(rows["event"])
    stones = column_of(rows, "stones", many).astype(np.int64)
    stones = np.where(stones == NOT_SAID, 0, stones)
    by, whole, results = EITHER, True, np.zeros((many, 2), np.int64)
    if "black" in rows:
        own, opponent = rows["black"], rows["white"]
        results = _read(rows, known, _of_black_and_white)
    elif "winner" in rows:
        own, opponent = rows["winner"], rows["loser"]
        results[:, 0] = _WON
    else:
        by, whole = (BY_ENTRANT, False) if "entrant" in rows else (PLAYER, False)
        own, opponent = rows["entrant" if by == BY_ENTRANT else "player"], rows["opponent"]
        results = _read(rows, known, _of_own)
    if "black" not in rows and "color" in rows:
        colors = _by_word(rows["color"], known, "color", lambda text: (text[:1] == "w", 0))[:, 0]
        stones = np.where(colors == 1, -stones, stones)
    return WrittenGames(
        rows["event"],
        own,
        opponent,
        np.full(many, by, np.int64),
        results[:, 0],
        results[:, 1],
        stones,
        column_of(rows, "round", many).astype(np.int64),
        np.full(many, whole),
    )


def _read(rows: Rows, known: ImportNumbers, read: Reading) -> Ints:
    many = len(rows["event"])
    if "result" not in rows:
        return np.full((many, 2), UNREADABLE, np.int64)
    return _by_word(rows["result"], known, "result", read)


def _by_word(codes: Array, known: ImportNumbers, meaning: str, read: Reading) -> Ints:
    """The pair of numbers each row's word stands for; every distinct word is read once."""
    pairs = [read(text) for text in known.names_of(meaning).texts]
    table = np.array([*pairs, (UNREADABLE, UNREADABLE)], np.int64).reshape(-1, 2)
    at = np.where(codes < 0, len(table) - 1, codes)
    numbers: Ints = table[at]
    return numbers


def _of_own(text: str) -> tuple[int, int]:
    halves = _OWN.get(text)
    return (UNREADABLE, UNREADABLE) if halves is None else (halves, _WON - halves)


def _of_black_and_white(text: str) -> tuple[int, int]:
    """The results of black and white: ``B+3.5``, ``white``, ``1-0``, ``jigo``."""
    match = _OF_TWO.fullmatch(text)
    if match:
        halves = (_OWN[match[1].replace(",", ".")], _OWN[match[2].replace(",", ".")])
        return halves if sum(halves) in (_LOST, _WON) else (UNREADABLE, UNREADABLE)
    if re.fullmatch(r"(b|black)([+-].*)?", text):
        return (_WON, _LOST)
    if re.fullmatch(r"(w|white)([+-].*)?", text):
        return (_LOST, _WON)
    draws = ("jigo", "draw", "drawn", "=", "½", "tie")
    return (_DREW, _DREW) if text in draws else (UNREADABLE, UNREADABLE)


# --- round by round -----------------------------------------------------------------------------


def _of_round(rows: Rows, number: int, known: ImportNumbers) -> WrittenGames:
    """The games of one round in a table of entrants."""
    texts = known.names_of("round").texts
    cells = np.array([*(_cell(text) for text in texts), (NOT_SAID, 0, 0)], np.int64).reshape(-1, 3)
    codes = rows[f"round{number}"]
    opponent, result, stones = cells[np.where(codes < 0, len(cells) - 1, codes)].T
    by = BY_ENTRANT if "entrant" in rows else PLACE
    many = len(codes)
    readable = result != UNREADABLE
    return WrittenGames(
        rows["event"],
        rows["entrant"] if by == BY_ENTRANT else column_of(rows, "place", many).astype(np.int64),
        opponent,
        np.full(many, by, np.int64),
        result,
        np.where(readable, _WON - result, UNREADABLE),
        stones,
        np.full(many, number, np.int64),
        np.zeros(many, np.bool_),
    )


def _cell(text: str) -> tuple[int, int, int]:
    """The opponent, result and stones received in a cell; no opponent if no game was played."""
    if text.casefold() in _NO_GAME:
        return (NOT_SAID, 0, 0)
    match = GAME.fullmatch(text)
    if match is None or match[2] == "?" or match[3] or match[6]:  # unfinished, or not played
        by_default = match is not None and bool(match[3] or match[6])
        return (NOT_SAID, 0, 0) if by_default else (0, UNREADABLE, 0)
    result = {"+": _WON, "-": _LOST, "=": _DREW}[match[2]]
    stones = int(match[5] or 0)
    return (
        int(match[1]) or NOT_SAID,
        result,
        -stones if (match[4] or "").lower() == "w" else stones,
    )


# --- who they are -------------------------------------------------------------------------------


def seats_of(written: WrittenGames, tables: Iterable[tuple[TablePlan, Rows]]) -> PlayerSeats:
    """Everybody who played, if the tables contain only games."""
    event = np.append(written.event, written.event)
    who = np.append(written.own, written.opponent)
    by = np.append(written.by, written.by)
    there = np.flatnonzero(who != NOT_SAID)
    first = there[_row_of(event[there], who[there], event[there], who[there])]
    first = np.unique(first)
    rows: Rows = {"event": event[first], "row": first, "entrant": who[first]}
    rows["file"] = np.zeros(len(first), np.int64)
    if (by[first] == BY_ENTRANT).any():
        return unnamed(rows, np.ones(len(first), np.int64))
    rows["player"] = who[first]
    for name in (*OF_ENTRANTS, *OF_PLAYERS):
        columns = [table.get(name) for _, table in tables if "opponent" in table]
        if name in rows or not any(column is not None for column in columns):
            continue
        rows[name] = _first_given(rows, [t for _, t in tables if name in t], name)
    return long(rows, np.ones(len(first), np.int64))


def _first_given(rows: Rows, tables: Sequence[Rows], name: str) -> Array:
    """What the first row of each player says about that player."""
    values = np.full(len(rows["event"]), NOT_SAID, np.int64)
    for table in tables:
        at = _row_of(rows["event"], rows["player"], table["event"], table["player"])
        first = np.where(at >= 0, table[name][at], NOT_SAID)
        values = np.where(values == NOT_SAID, first, values)
    return values.astype(np.int32)


def _row_of(event: Ints, key: Ints, in_event: Ints, in_key: Ints) -> Ints:
    """The first row with each combination of event and key; -1 if there is none."""
    many = len(in_event)
    pair = _numbered(np.append(in_event, event), np.append(in_key, key))
    order = np.argsort(pair[:many], kind="stable")
    ours = pair[:many][order]
    if not many:
        return np.full(len(event), -1, np.int64)
    at = np.minimum(np.searchsorted(ours, pair[many:]), many - 1)
    return np.where(ours[at] == pair[many:], order[at], -1)


def _numbered(*columns: Ints) -> Ints:
    """A number for every distinct row of the columns."""
    numbers = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        distinct, code = np.unique(column, return_inverse=True)
        mixed = numbers * len(distinct) + np.reshape(code, -1)
        numbers = np.reshape(np.unique(mixed, return_inverse=True)[1], -1)
    return numbers


def played(written: WrittenGames, seats: PlayerSeats, keys: Ints, bad: WrongEvents) -> Games:
    """The games by seats, from both sides; an impossible game marks its event as wrong."""
    empty = np.empty(0, np.int64)
    if not len(written.event):
        return Games(empty, empty, empty, empty)
    bye = (written.opponent == NOT_SAID) | (written.own == NOT_SAID)
    rows = np.flatnonzero(~bye)
    written = WrittenGames(*(getattr(written, name)[rows] for name in WrittenGames.__slots__))
    of = np.searchsorted(keys, written.event)
    unread = (written.result == UNREADABLE) | (written.other == UNREADABLE)
    bad.mark(Message("the result of a game is not there, or cannot be read"), of[unread])
    own, opponent = (_seat(seats, written, who) for who in (written.own, written.opponent))
    strange = ~unread & ((own < 0) | (opponent < 0))
    bad.mark(Message("a game is against somebody who is not in the event"), of[strange])
    alone = (own == opponent) & (own >= 0)
    bad.mark(Message("somebody plays against themselves"), of[alone])
    good = np.flatnonzero(~unread & ~strange & ~alone)
    written = WrittenGames(*(getattr(written, name)[good] for name in WrittenGames.__slots__))
    return _from_both_sides(written, own[good], opponent[good], of[good], bad, int(bye.sum()))


def _seat(seats: PlayerSeats, written: WrittenGames, who: Ints) -> Ints:
    """The seats of the people that rows name, by the kind of id."""
    entrants = seats.entrants
    event, many = entrants["event"], len(seats)
    by_id = _row_of(written.event, who, event, column_of(entrants, "entrant", many))
    place = column_of(entrants, "place", many).astype(np.int64)
    by_place = _row_of(written.event, who, event, place)
    each = np.repeat(np.arange(many), seats.counts)
    at = _row_of(written.event, who, event[each], seats.players["player"])
    by_player = np.where(at >= 0, each[at] if len(each) else -1, -1)
    either = np.where(by_player >= 0, by_player, by_id)
    choices = {BY_ENTRANT: by_id, PLAYER: by_player, EITHER: either, PLACE: by_place}
    return np.select([written.by == by for by in choices], list(choices.values()))


def _from_both_sides(
    written: WrittenGames, own: Ints, opponent: Ints, of: Ints, bad: WrongEvents, byes: int
) -> Games:
    """Each game once from either side; if both players have a row, the two must agree."""
    low, high = np.minimum(own, opponent), np.maximum(own, opponent)
    group = _numbered(low, high, written.round)
    groups = int(group.max(initial=-1)) + 1
    forth = (own == low) & ~written.whole
    back = (own == high) & ~written.whole
    forths, backs = (np.bincount(group[rows], minlength=groups) for rows in (forth, back))
    twice = (forths > 0) & (backs > 0)
    differ = twice & (forths != backs)
    bad.mark(Message("the two players of a game do not tell the same of it"), of[differ[group]])
    one, two = (np.flatnonzero(side & (twice & ~differ)[group]) for side in (forth, back))
    one = one[np.lexsort((written.stones[one], written.result[one], group[one]))]
    two = two[np.lexsort((-written.stones[two], -written.result[two], group[two]))]
    points = written.result[one] + written.result[two]
    wrong = ~np.isin(points, (_LOST, _WON)) | (written.stones[one] + written.stones[two] != 0)
    bad.mark(Message("the two players of a game do not tell the same of it"), of[one[wrong]])
    once = np.flatnonzero(~twice[group] | written.whole)
    return Games(
        np.concatenate([own, opponent[once]]),
        np.concatenate([opponent, own[once]]),
        np.concatenate([written.result, written.other[once]]),
        np.concatenate([written.stones, -written.stones[once]]),
        byes,
    )
