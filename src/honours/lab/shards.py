"""One shard in memory: its events, entrants and players as parallel arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns.batch import spans
from honours.errors import InputError
from honours.lab import store
from honours.lab.store import MISSING, Columns, LostEvents, WordColumn, check_order, read_columns
from honours.lab.tables import GAMES, NEEDED, UNITS
from honours.model import Game, Standing
from honours.model.message import Message, every, joined, plural

# --- the games of a shard -----------------------------------------------------------------------

HALF = Fraction(1, 2)
OF_MATCHES = ("match_score", "match_margin", "match_boards")
"""Facts that only matches of bridge have."""


def no_games() -> Columns:
    """The columns of a shard without games."""
    return {column.name: np.empty(0, np.int64) for column in GAMES}


def read_games(folder: Path, shard: int) -> tuple[Columns, list[LostEvents]]:
    """The games of a shard, and the parts that could not be read."""
    path = store.shard_file(folder, "games", shard)
    if not path.exists():
        return no_games(), []
    columns, lost = read_columns(path, "games")
    check_order(path, columns)
    many = len(columns["event"])
    unsaid = {column.name: np.full(many, MISSING, np.int64) for column in GAMES}
    made = {**unsaid, **columns}
    made["stones"] = np.where(made["stones"] == MISSING, 0, made["stones"])
    return {column.name: made[column.name] for column in GAMES}, lost


def games_of(games: Columns, event: int) -> dict[int, tuple[Game, ...]]:
    """The games of an event, by entrant."""
    first, last = np.searchsorted(games["event"], [event, event + 1])
    names = ("entrant", "opponent", "result", "stones", *OF_MATCHES)
    by_entrant: dict[int, list[Game]] = {}
    for row in zip(*(games[name][first:last].tolist() for name in names), strict=True):
        entrant, opponent, result, stones, *of_match = row
        facts = {"result": result * HALF, "stones": Fraction(stones)}
        facts |= {
            name: value * UNITS.get(name, Fraction(1))
            for name, value in zip(OF_MATCHES, of_match, strict=True)
            if value != MISSING
        }
        by_entrant.setdefault(entrant, []).append(Game(str(opponent), facts))
    return {entrant: tuple(own) for entrant, own in by_entrant.items()}


def of_events(games: Columns, events: NDArray[Any]) -> Columns:
    """The games of the given events only."""
    if not len(games["event"]):
        return games
    rows = np.flatnonzero(np.isin(games["event"], events))
    return {name: column[rows] for name, column in games.items()}


def rank_of_grade(grade: NDArray[Any]) -> NDArray[np.int64]:
    """Declared ranks by number, 1 for 1 dan and -1 for 1 kyu."""
    wide = grade.astype(np.int64)
    return wide + (wide >= 0)


def game_rows(standings: Iterable[Standing]) -> tuple[list[dict[str, Any]], str]:
    """The games of an event's standings, which are numbered in their order, as rows of a corpus.
    No rows, and why, if somebody played an entrant who is barred from awards and so is in no list:
    some of the games would make other awards than all of them."""
    listed = list(standings)
    number = {standing.entrant.id: k for k, standing in enumerate(listed)}
    met = (game.opponent for standing in listed for game in standing.games)
    barred = tuple(dict.fromkeys(opponent for opponent in met if opponent not in number))
    if barred:
        return [], plural(
            "{entrants} played and is in no list, being barred from awards",
            "{entrants} played and are in no list, being barred from awards",
            count=len(barred),
            entrants=every(barred),
        )
    rows = [
        {"entrant": k, "opponent": number[game.opponent], **_row(game)}
        for k, standing in enumerate(listed)
        for game in standing.games
    ]
    return rows, ""


def _row(game: Game) -> dict[str, Any]:
    row: dict[str, Any] = {
        "result": int(Fraction(game.facts["result"]) / HALF),
        "stones": int(Fraction(game.facts.get("stones", 0))),
    }
    return row | {name: _units(game, name) for name in OF_MATCHES if name in game.facts}


def _units(game: Game, name: str) -> int | None:
    """A fact in the unit of its column; nothing if that unit cannot express it exactly."""
    units = Fraction(game.facts[name]) / UNITS.get(name, Fraction(1))
    return int(units) if units.denominator == 1 else None


# --- what is done over the rows of a shard, on whole arrays -------------------------------------

Array = NDArray[Any]


def ranked(group: Array, order: Array) -> tuple[Array, Array]:
    """Place and ties within each group by ``order``, the smallest first."""
    rows = np.lexsort((order, group))
    g, o = group[rows], order[rows]
    new_group = np.diff(g, prepend=g[:1] - 1) != 0
    new_rank = new_group | (np.diff(o, prepend=o[:1]) != 0)
    starts = np.flatnonzero(new_rank)
    of_rank = np.cumsum(new_rank) - 1
    first_of_group = np.maximum.accumulate(np.where(new_group, np.arange(len(g)), 0))
    place, tied = np.empty(len(g), np.int64), np.empty(len(g), np.int64)
    place[rows] = starts[of_rank] - first_of_group + 1
    tied[rows] = np.diff(np.append(starts, len(g)))[of_rank]
    return place, tied


def impossible_places(group: Array, place: Array, tied: Array) -> Array:
    """Return which entrants have an impossible place: place p must have p - 1 entrants of the list
    before it, and as many entrants must share it as are said to be tied."""
    if not len(group) or place.min() < 1:
        return np.zeros(len(group), np.bool_)
    sizes = np.bincount(group)
    begins = np.cumsum(sizes) - sizes
    inside = place <= sizes[group]
    at = begins[group] + np.where(inside, place, 1) - 1
    counts = np.bincount(at, minlength=len(group))
    before = np.cumsum(counts) - counts
    wrong: Array = ~inside | (before[at] - begins[group] != place - 1) | (counts[at] != tied)
    return wrong


def mixed(values: Array) -> NDArray[np.uint64]:
    """Numbers with their bits well mixed."""
    bits = values.astype(np.int64).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    bits ^= bits >> np.uint64(31)
    bits *= np.uint64(0xBF58476D1CE4E5B9)
    return bits ^ (bits >> np.uint64(27))


# --- what is impossible in any event ------------------------------------------------------------

Ints = NDArray[np.int64]


def two_seats(players: Array, events: Ints) -> Ints:
    """The events in which a member sits twice."""
    named = np.flatnonzero(players != MISSING)
    if seated_once(players[named], events[named]):
        return np.empty(0, np.int64)
    order = named[np.lexsort((players[named], events[named]))]
    p, e = players[order], events[order]
    again = (p[1:] == p[:-1]) & (e[1:] == e[:-1])
    return np.unique(e[1:][again])


def seated_once(players: Array, events: Array) -> bool:
    """Return whether everybody certainly sits only once in an event: no two combinations of member
    and event have the same mark. Marks can also coincide by chance."""
    marks = mixed(players) ^ mixed(mixed(events) + np.uint64(1))
    marks.sort()
    return not (marks[1:] == marks[:-1]).any()


# --- one shard in memory ------------------------------------------------------------------------

_OF_ENTRANTS = (
    *(
        "score",
        "score_place",
        "overall_place",
        "sat_in",
        "games_played",
        "boards_played",
        "won",
        "drawn",
    ),
    *("ifpa_rating", "ifpa_rank", "is_rated"),
)
_OF_PLAYERS = ("rating", "skill", "gor", "grade", "eligible", "paid")


@dataclass(frozen=True, slots=True)
class BadEvent:
    """An event that was set aside, the reason, and the file and row group where it was noticed."""

    event: int
    why: str
    where: str = ""

    @property
    def message(self) -> str:
        """The place where it was noticed, and the reason."""
        return joined(": ", (self.where, self.why)) if self.where else self.why

    def __str__(self) -> str:
        return str(self.message)


@dataclass(frozen=True, slots=True)
class Shard:
    """Events with their entrants and players; offsets say where each event's rows begin.

    ``events`` holds one column per name: words as text, the rest as whole numbers. A missing value
    is an empty word, or ``MISSING`` among numbers. A column that was not written is absent, except
    for ``stratum`` (0) and ``holding``. ``line`` is None if every event has one ranking list.
    """

    number: int
    events: Columns
    entrant: NDArray[np.uint16]
    stratum: NDArray[np.uint8]
    place: NDArray[np.uint16]
    tied: NDArray[np.uint16]
    player: NDArray[np.int32]
    holding: NDArray[np.int32]
    entrant_offsets: Ints
    player_offsets: Ints
    """Where each *entrant's* players begin."""
    bad: tuple[BadEvent, ...] = field(default=())
    line: NDArray[np.uint8] | None = None
    of_entrants: Columns = field(default_factory=dict)
    of_players: Columns = field(default_factory=dict)
    games: Columns = field(default_factory=no_games)
    """One row per game of an entrant, in ascending order of events; empty if the corpus has no
    games."""

    @property
    def ids(self) -> NDArray[np.int32]:
        ids: NDArray[np.int32] = self.events["event"]
        return ids

    @property
    def sizes(self) -> Ints:
        return np.diff(self.entrant_offsets)

    @property
    def event_of_entrant(self) -> Ints:
        """The row of the event each entrant belongs to."""
        return np.repeat(np.arange(len(self.ids)), self.sizes)

    def event_of(self, entrant: int) -> int:
        """The row of the event of one entrant."""
        return int(np.searchsorted(self.entrant_offsets, entrant, "right")) - 1

    def entrant_of(self, player: int) -> int:
        """The row of the entrant of one player."""
        return int(np.searchsorted(self.player_offsets, player, "right")) - 1

    @property
    def entrant_of_player(self) -> Ints:
        return np.repeat(np.arange(len(self.entrant)), np.diff(self.player_offsets))

    def only(self, rows: Ints | list[int], entrants: Ints | None = None) -> Shard:
        """Only some events, given by their rows in ascending order; of these only some
        ``entrants``, in the order given."""
        sizes = self.sizes[rows]
        if entrants is None:
            entrants = spans(self.entrant_offsets[rows], sizes)
        else:
            of = np.searchsorted(rows, self.event_of_entrant[entrants])
            sizes = np.bincount(of, minlength=len(rows))
        teams = np.diff(self.player_offsets)[entrants]
        players = spans(self.player_offsets[entrants], teams)
        return replace(
            self,
            events={name: column[rows] for name, column in self.events.items()},
            entrant=self.entrant[entrants],
            stratum=self.stratum[entrants],
            place=self.place[entrants],
            tied=self.tied[entrants],
            player=self.player[players],
            holding=self.holding[players],
            entrant_offsets=np.append(0, np.cumsum(sizes)),
            player_offsets=np.append(0, np.cumsum(teams)),
            bad=(),
            line=None if self.line is None else self.line[entrants],
            of_entrants={name: column[entrants] for name, column in self.of_entrants.items()},
            of_players={name: column[players] for name, column in self.of_players.items()},
            games=of_events(self.games, self.ids[rows]),
        )


def read_shard(folder: Path, number: int, checked: bool = False) -> Shard:
    """Read a shard; an event that does not make sense is left out and reported in ``bad``.

    In a ``checked`` one nobody sits twice: that was looked for when it was made.
    """
    paths = {name: store.shard_file(folder, name, number) for name in NEEDED}
    tables = {name: read_columns(path, name) for name, path in paths.items()}
    events, entrants, players = (columns for columns, _ in tables.values())
    games, lost_games = read_games(folder, number)
    lost = [*(one for _, losses in tables.values() for one in losses), *lost_games]
    offsets = None if lost else _offsets(events, entrants, players)
    if offsets and _all_is_well(offsets[0], entrants, players, checked):
        return replace(_shard(number, events, entrants, players, offsets), games=games)
    for name, path in paths.items():
        check_order(path, tables[name][0])
    bad = {b.event: b for b in _lost_events(lost, (events, entrants, players))}
    wrong: dict[str, dict[int, str]] = {}
    for table, event, why in _bad_events(events["event"], entrants, players):
        if event not in bad:
            bad[event] = BadEvent(event, why)
            wrong.setdefault(table, {})[event] = why
    for table, found_there in wrong.items():
        for event, where in store.where_are(paths[table], found_there).items():
            bad[event] = BadEvent(event, found_there[event], where)
    return replace(assemble(number, events, entrants, players, bad.values()), games=games)


def assemble(
    number: int, events: Columns, entrants: Columns, players: Columns, bad: Iterable[BadEvent] = ()
) -> Shard:
    """A shard from its three tables, without bad events."""
    aside = tuple(sorted(bad, key=lambda b: b.event))
    out = np.array([b.event for b in aside], np.int64)
    if len(out):
        events, entrants, players = (_without(t, out) for t in (events, entrants, players))
    offsets = _offsets(events, entrants, players)
    if offsets is None:
        raise InputError(
            "shard {number}: its tables do not line up by event and entrant", number=number
        )
    return _shard(number, events, entrants, players, offsets, aside)


def _offsets(events: Columns, entrants: Columns, players: Columns) -> tuple[Ints, Ints] | None:
    """Return where the entrants of each event and the players of each entrant begin; ``None``
    unless every event has entrants, every entrant has players, and all are in ascending order."""
    ids, own, keys, theirs = events["event"], entrants["event"], _key(entrants), _key(players)
    begins = np.flatnonzero(np.diff(theirs, prepend=-1))
    rising = (np.diff(keys) > 0).all() and (np.diff(ids) > 0).all()
    if not rising or not np.array_equal(theirs[begins], keys):
        return None
    first = np.append(np.searchsorted(own, ids), len(own))
    sizes = np.diff(first)
    if (sizes <= 0).any() or first[0] or not np.array_equal(np.repeat(ids, sizes), own):
        return None
    return first, np.append(begins, len(theirs))


def _shard(
    number: int,
    events: Columns,
    entrants: Columns,
    players: Columns,
    offsets: tuple[Ints, Ints],
    bad: tuple[BadEvent, ...] = (),
) -> Shard:
    holding, stratum, grade = players.get("holding"), entrants.get("stratum"), players.get("grade")
    rank = {} if grade is None else {"rank": rank_of_grade(grade)}
    return Shard(
        number,
        events,
        entrants["entrant"],
        np.zeros(len(entrants["entrant"]), np.uint8) if stratum is None else stratum,
        entrants["place"],
        entrants["tied"],
        players["player"],
        np.full(len(players["player"]), MISSING, np.int32) if holding is None else holding,
        *offsets,
        bad,
        entrants.get("line"),
        {name: entrants[name] for name in _OF_ENTRANTS if name in entrants},
        {name: players[name] for name in _OF_PLAYERS if name in players} | rank,
    )


def together(shards: Sequence[Shard]) -> Iterator[Shard]:
    """Consecutive shards as one, if their tables have the same columns."""
    for _, alike in groupby(shards, _columns_of):
        parts = list(alike)
        yield parts[0] if len(parts) == 1 else _joined(parts)


def _columns_of(shard: Shard) -> tuple[Any, ...]:
    columns = (shard.events, shard.of_entrants, shard.of_players)
    return shard.line is None, *(tuple((n, c.dtype) for n, c in t.items()) for t in columns)


def _joined(parts: Sequence[Shard]) -> Shard:
    """The rows of several shards as one."""
    rows: dict[str, Any] = {n: _in_a_row([getattr(p, n) for p in parts]) for n in _ROWS}
    for table in ("events", "of_entrants", "of_players", "games"):
        names = getattr(parts[0], table)
        rows[table] = {n: _in_a_row([getattr(p, table)[n] for p in parts]) for n in names}
    for name in ("entrant_offsets", "player_offsets"):
        counts = np.concatenate([np.diff(getattr(part, name)) for part in parts])
        rows[name] = np.append(0, np.cumsum(counts))
    bad = tuple(one for part in parts for one in part.bad)
    line = None if parts[0].line is None else _in_a_row([p.line for p in parts])
    return Shard(number=parts[0].number, bad=bad, line=line, **rows)


_ROWS = ("entrant", "stratum", "place", "tied", "player", "holding")


def _in_a_row(columns: Sequence[Any]) -> Any:
    return (
        WordColumn.together(columns)
        if isinstance(columns[0], WordColumn)
        else np.concatenate(columns)
    )


def _without(table: Columns, out: Ints) -> dict[str, NDArray[Any]]:
    keep = ~np.isin(table["event"], out)
    return {name: column[keep] for name, column in table.items()}


def _key(table: Columns) -> Ints:
    key: Ints = table["event"].astype(np.int64) << 16 | table["entrant"]
    return key


def _lost_events(lost: Iterable[LostEvents], tables: Iterable[Columns]) -> Iterator[BadEvent]:
    """Every event with a part that could not be read."""
    lost = tuple(lost)
    if not lost:
        return
    known = np.unique(np.concatenate([t["event"] for t in tables]))
    seen: set[int] = set()
    for one in lost:
        inside = known[(known >= one.first) & (known <= one.last)]
        for event in map(int, {*inside.tolist(), one.first, one.last}):
            if event not in seen:
                seen.add(event)
                yield BadEvent(event, one.why, one.where)


Fault = tuple[str, str, NDArray[Any]]
"""The table that shows it, what is wrong, and the events it is wrong in, maybe several times."""


def _bad_events(
    events: Ints, entrants: Columns, players: Columns
) -> Iterator[tuple[str, int, str]]:
    """The events that cannot be awarded as they are: the table that shows it, the event and the
    reason."""
    for faults in (_not_lined_up(events, entrants, players), _impossible(entrants, players)):
        for table, why, rows in faults:
            for event in map(int, np.unique(rows)):
                yield table, event, why


def _not_lined_up(events: Ints, entrants: Columns, players: Columns) -> Iterator[Fault]:
    """Yield what does not belong together, or is not in order."""
    keys, theirs = _key(entrants), _key(players)
    strays = np.setdiff1d(np.union1d(entrants["event"], players["event"]), events)
    alone, stray = ~np.isin(keys, theirs), ~np.isin(theirs, keys)
    twice, again = events[1:] == events[:-1], keys[1:] == keys[:-1]
    yield "entrants", Message("it is not in the table of events"), strays
    yield "events", Message("it is in the table of events twice"), events[1:][twice]
    yield "events", Message("it has no entrants"), np.setdiff1d(events, entrants["event"])
    yield "entrants", Message("its rows do not rise by entrant"), _falling(entrants, keys)
    yield "players", Message("its rows do not rise by entrant"), _falling(players, theirs)
    yield "players", Message("an entrant has no players"), entrants["event"][alone]
    yield "players", Message("a player belongs to no entrant"), players["event"][stray]
    yield "entrants", Message("an entrant is in it twice"), entrants["event"][1:][again]


def _impossible(entrants: Columns, players: Columns) -> Iterator[Fault]:
    """Yield what nobody can hold, win or do."""
    of_entrant, of_player, member = entrants["event"], players["event"], players["player"]
    below = (entrants["place"] < 1) | (entrants["tied"] < 1)
    cannot_be = Message(
        "it has places that cannot be: more or fewer have one than share it, or some are missing"
    )
    yield "players", Message("a holding is negative"), of_player[_negative(players)]
    yield "players", Message("a player's number is negative"), of_player[member < 0]
    yield "entrants", Message("a place is below 1"), of_entrant[below]
    yield "entrants", cannot_be, of_entrant[_wrongly_placed(entrants)]
    yield "players", Message("a member is in two seats"), two_seats(member, of_player)
    half = Message("some of its entrants have a line and some have none")
    yield "entrants", half, _half_lined(entrants)


def _all_is_well(begins: Ints, entrants: Columns, players: Columns, checked: bool) -> bool:
    """Return whether, given that all tables match, no other fault is possible; a quick check."""
    places, tied = entrants["place"].astype(np.int64), entrants["tied"]
    event = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
    return bool(
        "line" not in entrants
        and not _negative(players).any()
        and int(players["player"].min(initial=0)) >= 0
        and places.min(initial=1) >= 1
        and not impossible_places(event, places, tied).any()
        and (checked or seated_once(players["player"], players["event"]))
    )


def _negative(players: Columns) -> NDArray[np.bool_]:
    """Return which players hold less than nothing, as none can; a holding may be missing."""
    holding = players.get("holding", np.zeros(len(players["event"]), np.int32))
    negative: NDArray[np.bool_] = (holding < 0) & (holding != MISSING)
    return negative


def _wrongly_placed(entrants: Columns) -> NDArray[np.bool_]:
    """Return which entrants have an impossible place."""
    line = entrants.get("line", np.zeros(len(entrants["event"]), np.uint8))
    group = entrants["event"].astype(np.int64) * 3 + line
    group -= group.min(initial=0)
    place, tied = (entrants[name].astype(np.int64) for name in ("place", "tied"))
    return impossible_places(group, place, tied)


def _falling(table: Columns, keys: Ints) -> Ints:
    events: Ints = table["event"][1:][keys[1:] < keys[:-1]]
    return events


def _half_lined(entrants: Columns) -> Ints:
    line = entrants.get("line")
    if line is None:
        return np.empty(0, np.int64)
    both: Ints = np.intersect1d(entrants["event"][line > 0], entrants["event"][line == 0])
    return np.union1d(both, entrants["event"][line > 2])
