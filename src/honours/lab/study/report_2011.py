"""The 2011 presentation's analysis on a corpus, in its order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.lab.calibrate import award_at
from honours.lab.corpus import each_shard
from honours.lab.intervals import (
    FEWEST,
    mean_interval,
    percentile_interval,
    share_interval,
)
from honours.lab.result import Answer, Progress, unwatched
from honours.lab.shards import Shard
from honours.lab.sides import Side, tables_of
from honours.lab.sources import REPORT_2011
from honours.lab.store import MISSING
from honours.lab.study.figures import (
    History,
    Parts,
    StudyFigure,
    changes_beside_won,
    done_in_order,
)
from honours.lab.tallies import award_all
from honours.model.message import Message
from honours.rulebooks import load

Floats = NDArray[np.float64]
_NO_TABLE = Message(
    "The source's table of the summary comparison is not in its text: what the commentary states "
    "of it is compared, and its figures by group of games are not."
)
_LARGE, _LIMIT = 41, 750
_SIZE = 55
"""The tables at which both averages of the commentary are met."""
_MOST_TABLES = REPORT_2011["large_tables"]


def study_2011(history: History, book: Rulebook, progress: Progress = unwatched) -> Answer:
    """All its figures; ``book`` is the rule presented."""
    gains = REPORT_2011["total_gain"], REPORT_2011["gains"]
    parts: Parts = {
        Message("Criteria: the size of two-session regionals"): partial(_sizes, history),
        Message("Genesis of the formula: first place"): partial(_genesis, book),
        Message("Sample awards: first place"): partial(_grid, book),
        Message("Commentary: large games of 0-750, first place"): partial(_large, history, book),
        Message("Summary comparison, change in %"): partial(
            changes_beside_won, history, book, *gains
        ),
    }
    return done_in_order("2011", history, book, parts, progress, [_NO_TABLE])


def _large(history: History, book: Rulebook) -> Iterator[StudyFigure]:
    """15.98 under the current system, 11.20 under SOF, at an average of about 250."""
    sides = (history.side, book)
    parts = list(each_shard(history.corpus, partial(_large_games, sides), history.on))
    columns = np.concatenate(parts, axis=1)
    for name, source, values in zip(
        (
            Message("of the corpus, now"),
            Message("of the corpus, by SOF"),
            Message("of the corpus, average holding"),
        ),
        (15.98, 11.20, 250.0),
        columns,
        strict=True,
    ):
        mean = float(values.mean()) if len(values) >= FEWEST else None
        yield StudyFigure(name, source, mean, mean_interval(values, np.ones(len(values))))
    given = {"tables": str(_SIZE), "sessions": "2", "class": "regional", "limit": str(_LIMIT)}
    now = Message("{tables} tables by acbl-general", tables=_SIZE)
    paid = award_at(load("acbl-general"), given, 1)
    yield StudyFigure(now, None, paid, range=(15.88, 16.08), by_rule=True)
    then = Message("{tables} tables of 250 by {book}", tables=_SIZE, book=book.id)
    yield StudyFigure(then, None, _first(book, _SIZE, 250), range=(11.10, 11.30), by_rule=True)


def _large_games(sides: Sequence[Side], shard: Shard) -> Floats:
    """First place by either side and the average holding, for large games with a limit."""
    none, limit = np.empty((3, 0)), shard.events.get("limit")
    if limit is None or not len(shard.ids) or (shard.holding == MISSING).any():
        return none
    whole = limit.astype(np.int64)
    own = _of_regionals(shard) & (whole > 0) & (whole <= _LIMIT) & (tables_of(shard) >= _LARGE)
    if not own.any():
        return none
    awarded = award_all(sides, shard)
    starts = shard.player_offsets[shard.entrant_offsets[:-1]]
    players = np.diff(np.append(starts, len(shard.player)))
    average = np.add.reduceat(shard.holding.astype(np.int64), starts) / players / 100
    firsts = awarded.totals.firsts[:, own[awarded.common]] / SCALE
    return np.vstack([firsts, average[own & awarded.common]])


def _sizes(history: History) -> Iterator[StudyFigure]:
    parts = list(each_shard(history.corpus, _tables, history.on))
    sizes = np.concatenate([*parts, np.empty(0)])
    median = Message("median size, tables")
    if not len(sizes):
        yield StudyFigure(median, REPORT_2011["median_tables"], None)
        return
    middle = percentile_interval(sizes, 50)
    yield StudyFigure(median, REPORT_2011["median_tables"], float(np.median(sizes)), middle)
    large = (sizes >= _MOST_TABLES).astype(np.float64)
    sure = share_interval(large, np.ones(len(large)))
    share = Message("events of 60 tables or more, %")
    yield StudyFigure(share, 100 * REPORT_2011["large_share"], 100 * float(large.mean()), sure)


def _tables(shard: Shard) -> Floats:
    tables: Floats = tables_of(shard)[_of_regionals(shard)]
    return tables


def _of_regionals(shard: Shard) -> NDArray[np.bool_]:
    """Return which events are two-session regionals."""
    classes, sessions = shard.events.get("class"), shard.events.get("sessions")
    if classes is None or sessions is None:
        return np.zeros(len(shard.ids), np.bool_)
    own: NDArray[np.bool_] = np.asarray(classes).astype(str) == "regional"
    own &= np.asarray(sessions) == 2
    return own


def _genesis(book: Rulebook) -> Iterator[StudyFigure]:
    """Yield what the formula was designed to give; at an average of 1,250, about what was paid
    until then."""
    for tables, average, low, high in REPORT_2011["genesis"]:
        name = Message("{tables} tables of {average:,}", tables=tables, average=average)
        wanted, about = (low, None) if low == high else (None, (low, high))
        yield StudyFigure(name, wanted, _first(book, tables, average), range=about, by_rule=True)
    before = load("acbl-general")
    for tables in (4, 12, 22, 36, 48, _MOST_TABLES):
        given = {"tables": str(tables), "sessions": "2", "class": "regional"}
        name = Message("{tables} tables of 1,250 beside acbl-general", tables=tables)
        now = award_at(before, given, 1)
        near = (round(0.97 * now, 2), round(1.03 * now, 2))
        yield StudyFigure(name, None, _first(book, tables, 1250), range=near, by_rule=True)


def _first(book: Rulebook, tables: int, average: int) -> float:
    return award_at(book, {"tables": str(tables), "average_masterpoints": str(average)}, 1)


def _grid(book: Rulebook) -> Iterator[StudyFigure]:
    for tables, average, published in REPORT_2011["grid"]:
        name = Message("{tables} tables of {average:,}", tables=tables, average=average)
        yield StudyFigure(name, published, _first(book, tables, average), by_rule=True)
