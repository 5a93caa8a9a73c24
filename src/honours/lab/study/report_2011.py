"""The 2011 presentation's analysis on a corpus, in its order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.lab.calibrate import award_at
from honours.lab.corpus import Corpus, each_shard
from honours.lab.intervals import (
    FEWEST,
    Interval,
    mean_interval,
    percentile_interval,
    sample_awards,
)
from honours.lab.left_out import shard_totals
from honours.lab.shards import Shard
from honours.lab.sides import Side, tables_of
from honours.lab.store import NOT_SAID
from honours.lab.study.figures import (
    Ends,
    History,
    Study,
    StudyFigure,
    changes_beside_won,
    done_in_order,
)
from honours.lab.study.now import NowReading
from honours.model.message import Message
from honours.rulebooks import load

Floats = NDArray[np.float64]

BOOK = "acbl-sof-2011"
_GRID = (
    # tables, average, first place: the corners and the middle of the source's sample awards
    (4, 0, 2.68),
    (4, 5000, 13.18),
    (24, 1250, 12.16),
    (32, 1000, 13.18),
    (60, 0, 8.71),
    (60, 250, 12.00),
    (60, 1250, 25.16),
    (60, 5000, 43.74),
)


def study_2011(
    corpus: Corpus,
    side: Side,
    book: Rulebook,
    progress: Callable[..., None] = lambda *_: None,
    on: str = "",
    now: NowReading | None = None,
) -> Study:
    """All its figures; ``side`` says what was won, ``book`` is the rule presented."""
    history = History(corpus, side, on, now or NowReading())
    parts: tuple[tuple[str, Callable[[], Iterator[StudyFigure]]], ...] = (
        (Message("Criteria: the size of two-session regionals"), lambda: _sizes(history)),
        (Message("Genesis of the formula: first place"), lambda: _genesis(book)),
        (Message("Sample awards: first place"), lambda: _grid(book)),
        (
            Message("Commentary: large games of 0-750, first place"),
            lambda: _large(history, book),
        ),
        (Message("Summary comparison, change in %"), lambda: _summary(history, book)),
    )
    return done_in_order("2011", history, book, parts, progress, (_NO_TABLE,))


_NO_TABLE = Message(
    "The source's table of the summary comparison is not in its text: what the commentary states "
    "of it is compared, and its figures by group of games are not."
)
_LARGE, _LIMIT = 41, 750
_SIZE = 55
"""The tables at which both averages of the commentary are met."""
_MOST_TABLES = 60


def _large(history: History, book: Rulebook) -> Iterator[StudyFigure]:
    """15.98 under the current system, 11.20 under SOF, at an average of about 250."""
    sides = (history.side, book)
    parts = list(each_shard(history.corpus, partial(_large_games, sides), history.on))
    now, proposed, average = (np.concatenate([part[k] for part in parts]) for k in range(3))
    ones = np.ones(len(now))
    for name, source, values in (
        (Message("of the corpus, now"), 15.98, now),
        (Message("of the corpus, by SOF"), 11.20, proposed),
        (Message("of the corpus, average holding"), 250.0, average),
    ):
        mean = float(values.mean()) if len(values) >= FEWEST else None
        yield StudyFigure(name, source, mean, mean_interval(values, ones))
    given = {"tables": str(_SIZE), "sessions": "2", "class": "regional", "limit": str(_LIMIT)}
    yield StudyFigure(
        Message("{tables} tables by acbl-general", tables=_SIZE),
        None,
        award_at(load("acbl-general"), given, 1),
        range=(15.88, 16.08),
        by_rule=True,
    )
    strong = {"tables": str(_SIZE), "average_masterpoints": "250"}
    yield StudyFigure(
        Message("{tables} tables of 250 by {book}", tables=_SIZE, book=book.id),
        None,
        award_at(book, strong, 1),
        range=(11.10, 11.30),
        by_rule=True,
    )


def _large_games(sides: Sequence[Side], shard: Shard) -> tuple[Floats, Floats, Floats]:
    """First place by either side and the average holding, for large games with a limit."""
    none = np.empty(0)
    limit = shard.events.get("limit")
    if limit is None or not len(shard.ids) or (shard.holding == NOT_SAID).any():
        return none, none, none
    whole = limit.astype(np.int64)
    own = _of_regionals(shard) & (whole > 0) & (whole <= _LIMIT)
    own &= tables_of(shard) >= _LARGE
    if not own.any():
        return none, none, none
    totals = shard_totals(sides, shard)
    own &= totals.awarded.all(axis=0)
    starts = shard.player_offsets[shard.entrant_offsets[:-1]]
    players = np.diff(np.append(starts, len(shard.player)))
    average = np.add.reduceat(shard.holding.astype(np.int64), starts) / players / 100
    firsts = totals.firsts[:, own] / SCALE
    return firsts[0], firsts[1], average[own]


def _sizes(history: History) -> Iterator[StudyFigure]:
    parts = list(each_shard(history.corpus, _tables, history.on))
    sizes = np.concatenate([*parts, np.empty(0)])
    if not len(sizes):
        yield StudyFigure(Message("median size, tables"), 22, None)
        return
    middle = percentile_interval(sizes, 50)
    yield StudyFigure(Message("median size, tables"), 22, float(np.median(sizes)), middle)
    large = np.where(sizes >= _MOST_TABLES, 100.0, 0.0).astype(np.float64)
    sure = mean_interval(large, np.ones(len(large)))
    sure = sure and Interval(max(0.0, sure.low), min(100.0, sure.high))
    yield StudyFigure(Message("events of 60 tables or more, %"), 5, float(large.mean()), sure)


def _genesis(book: Rulebook) -> Iterator[StudyFigure]:
    """What the formula was designed to give; at an average of 1,250, about what was paid until
    then."""
    aims: tuple[tuple[int, int, float | None, Ends | None], ...] = (
        (_MOST_TABLES, 6200, 50.0, None),
        (_MOST_TABLES, 250, None, (11.5, 12.5)),  # "approximately 12 MP"
        (2, 0, 2.50, None),
    )
    for tables, average, wanted, about in aims:
        name = Message("{tables} tables of {average:,}", tables=tables, average=average)
        ours = _first(book, tables, average)
        yield StudyFigure(name, wanted, ours, range=about, by_rule=True)
    before = load("acbl-general")
    for tables in (4, 12, 22, 36, 48, _MOST_TABLES):
        given = {"tables": str(tables), "sessions": "2", "class": "regional"}
        name = Message("{tables} tables of 1,250 beside acbl-general", tables=tables)
        now = award_at(before, given, 1)
        near = (round(0.97 * now, 2), round(1.03 * now, 2))
        yield StudyFigure(name, None, _first(book, tables, 1250), range=near, by_rule=True)


def _first(book: Rulebook, tables: int, average: int) -> float:
    return award_at(book, {"tables": str(tables), "average_masterpoints": str(average)}, 1)


def _tables(shard: Shard) -> Floats:
    tables: Floats = tables_of(shard)[_of_regionals(shard)]
    return tables


def _of_regionals(shard: Shard) -> NDArray[np.bool_]:
    """Which events are two-session regionals."""
    columns = (shard.events.get("class"), shard.events.get("sessions"))
    if columns[0] is None or columns[1] is None:
        return np.zeros(len(shard.ids), np.bool_)
    own: NDArray[np.bool_] = np.asarray(columns[0]).astype(str) == "regional"
    own &= np.asarray(columns[1]) == 2
    return own


def _grid(book: Rulebook) -> Iterator[StudyFigure]:
    rows = {row["tables"]: row for row in sample_awards(book, "").rows}
    for tables, average, published in _GRID:
        ours = rows.get(tables, {}).get(f"{average:,}")
        yield StudyFigure(
            Message("{tables} tables of {average:,}", tables=tables, average=average),
            published,
            ours,
            by_rule=True,
        )


def _summary(history: History, book: Rulebook) -> Iterator[StudyFigure]:
    """'Less than 5% below 2010 levels'; more for unlimited games, less for limited ones."""
    by_flight = {"A": (0.0, 100.0), "open": (0.0, 100.0), "gold-rush": (-60.0, 0.0)}
    yield from changes_beside_won(history, book, (-5.0, 0.0), by_flight)
