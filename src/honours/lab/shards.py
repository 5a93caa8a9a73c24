"""One shard in memory: its events, entrants and players as parallel arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns.batch import spans
from honours.errors import FileProblem
from honours.lab import store
from honours.lab.store import MISSING, Columns, WordColumn, read_columns
from honours.lab.tables import GAMES, NEEDED, UNITS
from honours.model import Game, Standing
from honours.model.message import every, plural

# --- the games of a shard -----------------------------------------------------------------------

HALF = Fraction(1, 2)
OF_MATCHES = ("match_score", "match_margin", "match_boards")
"""Facts that only matches of bridge have."""


def no_games() -> Columns:
    """The columns of a shard without games."""
    return {column.name: np.empty(0, np.int64) for column in GAMES}


def read_games(folder: Path, shard: int) -> Columns:
    """The games of a shard."""
    path = store.shard_file(folder, "games", shard)
    if not path.exists():
        return no_games()
    columns = read_columns(path, "games")
    many = len(columns["event"])
    unsaid = {column.name: np.full(many, MISSING, np.int64) for column in GAMES}
    made = {**unsaid, **columns}
    made["stones"] = np.where(made["stones"] == MISSING, 0, made["stones"])
    return {column.name: made[column.name] for column in GAMES}


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


Ints = NDArray[np.int64]


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
    """An event that cannot be awarded, and the reason."""

    event: int
    why: str


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
            line=None if self.line is None else self.line[entrants],
            of_entrants={name: column[entrants] for name, column in self.of_entrants.items()},
            of_players={name: column[players] for name, column in self.of_players.items()},
            games=of_events(self.games, self.ids[rows]),
        )


def read_shard(folder: Path, number: int) -> Shard:
    """Read a shard, whose events were checked when it was made."""
    paths = [store.shard_file(folder, name, number) for name in NEEDED]
    events, entrants, players = map(read_columns, paths, NEEDED)
    offsets = _offsets(events, entrants, players)
    if offsets is None:
        raise FileProblem(
            paths[1], "its rows are not those of the events and players", "a corpus as it was made"
        )
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
        entrants.get("line"),
        {name: entrants[name] for name in _OF_ENTRANTS if name in entrants},
        {name: players[name] for name in _OF_PLAYERS if name in players} | rank,
        read_games(folder, number),
    )


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


def _key(table: Columns) -> Ints:
    key: Ints = table["event"].astype(np.int64) << 16 | table["entrant"]
    return key


def together(shards: Sequence[Shard]) -> Iterator[Shard]:
    """Consecutive shards as one, if their tables have the same columns."""
    for _, alike in groupby(shards, _columns_of):
        parts = list(alike)
        yield parts[0] if len(parts) == 1 else _joined(parts)


def _columns_of(shard: Shard) -> tuple[Any, ...]:
    columns = (shard.events, shard.of_entrants, shard.of_players)
    return shard.line is None, *(tuple((n, c.dtype) for n, c in t.items()) for t in columns)


Part = TypeVar("Part")


def in_a_row(parts: Sequence[Part]) -> Part:
    """The same of several pieces of a corpus as of one: arrays one after the other, by their last
    axis, and counts added up."""
    whole: Part = _in_a_row(parts)
    return whole


def _in_a_row(parts: Any) -> Any:
    first = parts[0]
    if isinstance(first, WordColumn):
        return WordColumn.together(parts)
    if isinstance(first, np.ndarray):
        return np.concatenate(parts, axis=-1)
    if isinstance(first, frozenset):
        return first.union(*parts)
    if isinstance(first, int | Counter):
        return sum(parts[1:], first)
    if isinstance(first, dict):
        return {key: _in_a_row([part[key] for part in parts]) for key in first}
    own = {f.name: _in_a_row([getattr(part, f.name) for part in parts]) for f in fields(first)}
    return replace(first, **own)


def _joined(parts: Sequence[Shard]) -> Shard:
    """The rows of several shards as one."""
    rows: dict[str, Any] = {n: in_a_row([getattr(p, n) for p in parts]) for n in _ROWS}
    for name in ("entrant_offsets", "player_offsets"):
        counts = np.concatenate([np.diff(getattr(part, name)) for part in parts])
        rows[name] = np.append(0, np.cumsum(counts))
    line = None if parts[0].line is None else in_a_row([p.line for p in parts])
    return Shard(number=parts[0].number, line=line, **rows)


_ROWS = (
    *("entrant", "stratum", "place", "tied", "player", "holding"),
    *("events", "of_entrants", "of_players", "games"),
)
