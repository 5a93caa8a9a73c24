"""The games of a shard: who played whom, with what result and which handicap."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.lab import store
from honours.lab.column_reading import NOT_SAID, Columns, LostEvents, check_order, read_columns
from honours.lab.tables import GAMES, UNITS
from honours.model import Game, Standing
from honours.model.message import every, plural

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
    unsaid = {column.name: np.full(many, NOT_SAID, np.int64) for column in GAMES}
    made = {**unsaid, **columns}
    made["stones"] = np.where(made["stones"] == NOT_SAID, 0, made["stones"])
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
            if value != NOT_SAID
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
