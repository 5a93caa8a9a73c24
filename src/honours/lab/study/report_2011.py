"""The 2011 presentation's analysis from a corpus, in its order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from honours.engine.rulebook import Rulebook
from honours.lab import bands
from honours.lab.compare import compare
from honours.lab.corpus import Corpus
from honours.lab.samples import sample_awards
from honours.lab.shards import Shard
from honours.lab.sides import Side
from honours.lab.spread import each_shard
from honours.lab.study.figures import Figure, History, Study, done_in_order

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
) -> Study:
    """All its figures; ``side`` says what was won, ``book`` is the rule presented."""
    history = History(corpus, side, on)
    parts: tuple[tuple[str, Callable[[], Iterator[Figure]]], ...] = (
        ("Criteria: the size of two-session regionals", lambda: _sizes(history)),
        ("Sample awards: first place", lambda: _grid(book)),
        ("Summary comparison, change in %", lambda: _summary(history, book)),
    )
    return done_in_order("2011", history, parts, progress)


def _sizes(history: History) -> Iterator[Figure]:
    parts = list(each_shard(history.corpus, _tables, history.on))
    sizes = np.concatenate([*parts, np.empty(0)])
    if not len(sizes):
        yield Figure("median size, tables", 22, None)
        return
    yield Figure("median size, tables", 22, float(np.median(sizes)))
    yield Figure("events of 60 tables or more, %", 5, 100 * float((sizes >= 60).mean()))


def _tables(shard: Shard) -> NDArray[np.float64]:
    columns = (shard.events.get("class"), shard.events.get("sessions"))
    if columns[0] is None or columns[1] is None:
        return np.empty(0)
    own = (np.asarray(columns[0]).astype(str) == "regional") & (np.asarray(columns[1]) == 2)
    tables: NDArray[np.float64] = bands.tables_of(shard)[own]
    return tables


def _grid(book: Rulebook) -> Iterator[Figure]:
    rows = {row["tables"]: row for row in sample_awards(book, "").rows}
    for tables, average, published in _GRID:
        ours = rows.get(tables, {}).get(f"{average:,}")
        yield Figure(f"{tables} tables of {average:,}", published, ours)


def _summary(history: History, book: Rulebook) -> Iterator[Figure]:
    """'Less than 5% below 2010 levels'; more for unlimited games, less for limited ones."""
    if history.side is book:
        return  # nothing to compare it with
    comparison = compare(history.corpus, history.side, book, on=history.on)
    yield Figure(
        "all events", None, comparison.total.percent, comparison.total.interval, (-5.0, 0.0)
    )
    for (flight,), own in comparison.by("flight").sums.items():
        ends = {"A": (0.0, 100.0), "open": (0.0, 100.0), "gold-rush": (-60.0, 0.0)}.get(flight)
        if ends is not None:
            yield Figure(f"flight {flight}", None, own.percent, own.interval, ends)
