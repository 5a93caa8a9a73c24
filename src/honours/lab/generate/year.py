"""From a seed to the files of a corpus, with a report of how well it meets the sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from honours.lab.corpus import Corpus, write_shard
from honours.lab.generate.calendar import RANGE_WEIGHTS, PlannedEvent, plan_year
from honours.lab.generate.clubs import club_games, club_tables, fit_to, season
from honours.lab.generate.figures import Figures, compared_figures
from honours.lab.generate.play import ChanceModel, PlayedEvent, play, players_needed
from honours.lab.generate.population import Population, Random, draw_players, make_population
from honours.lab.shards import ranked, read_shard
from honours.lab.skill import results_in
from honours.lab.tables import ENTRANTS, EVENTS, PLAYERS, RESULTS, table_of
from honours.scoring.columns import score_columns
from honours.scoring.profiles import profile

_EVENTS_A_SHARD = 500
_DAYS_A_TOURNAMENT = 5
_CLUBS = 12
_FIRST_DAY = date(2019, 1, 1).toordinal() - date(1970, 1, 1).toordinal()


@dataclass(frozen=True, slots=True)
class Recipe:
    """The settings a corpus is made from: the same recipe always makes the same bytes."""

    seed: int = 1
    scale: float = 1.0
    boards: bool = True
    members: int = 60_000
    chance: ChanceModel = field(default_factory=ChanceModel)
    clubs: int | None = None
    """Clubs that hold games every week; a dozen in a whole year unless it is said."""


def generate(
    folder: Path, recipe: Recipe, progress: Callable[[int, int], None] | None = None
) -> Corpus:
    """Make the corpus of a recipe in a folder that does not have one yet."""
    random = np.random.default_rng(recipe.seed)
    people = make_population(random, max(2000, round(recipe.members * min(1.0, recipe.scale))))
    planned = plan_year(random, recipe.scale)
    figures = Figures(recipe.scale)
    writer = Corpus.create(folder, {"seed": str(recipe.seed), "scale": str(recipe.scale)})
    for number, start in enumerate(range(0, len(planned), _EVENTS_A_SHARD)):
        part = planned[start : start + _EVENTS_A_SHARD]
        played = list(_played(random, people, part, recipe))
        ids = np.arange(start, start + len(part), dtype=np.int32)
        results = _results(played, ids)
        scored = _scored(results)
        tables = {
            "events": _events(played, ids, 1 + planned[-1].day),
            "entrants": _entrants(played, ids, scored),
            "players": _players(played, ids, people),
        }
        if recipe.boards:
            tables["results"] = results
        figures.add(played, scored, people, start)
        writer.add(write_shard(folder, number, tables))
        figures.pay(read_shard(folder, number))
        if progress:
            progress(start + len(part), len(planned))
    clubs = round(_CLUBS * recipe.scale) if recipe.clubs is None else recipe.clubs
    if clubs:
        season, who = club_games(random, people, clubs)
        figures.club_games(season.results())
        number = -(-len(planned) // _EVENTS_A_SHARD)
        writer.add(write_shard(folder, number, club_tables(season, who, len(planned), _FIRST_DAY)))
    return writer.finish(figures.report())


def generate_like(folder: Path, history: Corpus, seed: int = 1) -> Corpus:
    """A season of club games like a history of somebody's own; the report says which figures it
    was fitted to, which not, and how it does on both."""
    results = results_in(history)
    like = fit_to(results)
    made = season(seed, len(like.sizes), like.sizes, like.weeks, like.world)
    writer = Corpus.create(folder, {"seed": str(seed), "fitted to": history.folder.name})
    tables = club_tables(made, np.arange(len(made.held)), 0, _FIRST_DAY)
    writer.add(write_shard(folder, 0, tables))
    return writer.finish(compared_figures(results, made.results()))


def _played(
    random: Random, people: Population, planned: list[PlannedEvent], recipe: Recipe
) -> Iterator[PlayedEvent]:
    for event in planned:
        sizes = players_needed(random, event)
        drawn = draw_players(random, people, RANGE_WEIGHTS[event.flight], int(sizes.sum()))
        yield play(random, people, event, sizes, drawn, recipe.chance)


def _events(played: list[PlayedEvent], ids: NDArray[np.int32], of: int) -> Any:
    plans = [p.planned for p in played]
    held = np.array([p.day for p in plans], np.int64)
    days = _FIRST_DAY + held * 365 // of
    columns = {
        "event": ids,
        "date": pa.array(days.astype(np.int32)).cast(pa.date32()),
        "tournament": (held // _DAYS_A_TOURNAMENT).astype(np.int32),
        "class": [p.class_ for p in plans],
        "kind": [p.kind for p in plans],
        "sessions": [p.sessions for p in plans],
        "boards_per_session": [p.boards for p in plans],
        "limit": [p.limit for p in plans],
        "restrictions": [p.restrictions for p in plans],
        "structure": [p.structure for p in plans],
        "flight": [p.flight for p in plans],
    }
    return table_of(columns, EVENTS)


def _results(played: list[PlayedEvent], ids: NDArray[np.int32]) -> Any:
    with_boards = [(i, p.results) for i, p in zip(ids, played, strict=True) if p.results]
    columns: dict[str, Any] = {
        name: np.concatenate([r[name] for _, r in with_boards] or [np.empty(0, np.int16)])
        for name in ("board", "ns", "ew", "score")
    }
    sizes = [len(r["board"]) for _, r in with_boards]
    columns["event"] = np.repeat(np.array([i for i, _ in with_boards], np.int32), sizes)
    return table_of(columns, RESULTS)


def _entrants(played: list[PlayedEvent], ids: NDArray[np.int32], scored: Any) -> Any:
    """Places from scoring the results if there are any, otherwise from how well each entrant
    played."""
    sizes = np.array([len(p.sizes) for p in played])
    event = np.repeat(np.arange(len(played)), sizes)
    # Victory points come in steps: rounding creates the ties that teams and individuals have.
    order = np.concatenate([-np.round(p.quality, 2) for p in played])
    place, tied = ranked(event, order)
    score = np.full(len(event), np.nan)
    if scored is not None:
        row = np.searchsorted(ids, scored.event)
        starts = np.concatenate(([0], np.cumsum(sizes)))[row] + scored.entrant
        place[starts], tied[starts] = scored.place, scored.tied
        score[starts] = 1e6 * scored.points / scored.possible
    return table_of(
        {
            "event": ids[event],
            "entrant": np.arange(len(event)) - np.repeat(np.cumsum(sizes) - sizes, sizes),
            "stratum": np.concatenate([p.stratum for p in played]),
            "place": place,
            "tied": tied,
            "score": pa.array(np.rint(score), from_pandas=True),
        },
        ENTRANTS,
    )


def _scored(results: Any) -> Any:
    if not results.num_rows:
        return None
    names = ("event", "board", "ns", "ew", "score")
    event, board, ns, ew, score = (results[c].to_numpy() for c in names)
    return score_columns(event, board, ns, ew, score, profile("ebu"))


def _players(played: list[PlayedEvent], ids: NDArray[np.int32], people: Population) -> Any:
    sizes = [p.sizes for p in played]
    per_event = [int(s.sum()) for s in sizes]
    players = np.concatenate([p.players for p in played])
    return table_of(
        {
            "event": np.repeat(ids, per_event),
            "entrant": np.concatenate([np.repeat(np.arange(len(s)), s) for s in sizes]),
            "player": players.astype(np.int32),
            "holding": people.holding[players],
        },
        PLAYERS,
    )
