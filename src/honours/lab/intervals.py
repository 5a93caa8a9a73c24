"""The certainty of a figure: intervals by resampling events.

Players of one event are not independent of each other, but events nearly are, so whole events are
resampled. For a change in per cent the interval is studentised on the logarithm of the ratio, which
keeps its promise of 95% for skewed sizes and for few events (``tests/lab/test_intervals.py`` counts
how often, on data whose truth is known).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from honours.engine.award import read_facts
from honours.engine.columns.award import award_fields
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.lab.result import Frame
from honours.model import Entrant, Field, Player, Standing, Value
from honours.model.message import Message

# --- how certain a figure is --------------------------------------------------------------------

Floats = NDArray[np.float64]
Numbers = NDArray[np.float64] | NDArray[np.int64]
LEVEL = 0.95
FEWEST = 5
"""With fewer events no interval is given."""
_RESAMPLES = 400
_UNTOLD = 20.0
"""A logarithm of a ratio beyond any plausible value."""
_BLOCKS = 1000
_SEED = 16


@dataclass(frozen=True, slots=True)
class Interval:
    """The two ends of a 95% interval."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def _blocks(*columns: Floats) -> list[Floats]:
    """Many events combined at random into a thousand groups, which can be resampled just as
    well."""
    many = len(columns[0])
    if many <= _BLOCKS:
        return list(columns)
    of = np.random.default_rng((_SEED, many)).permutation(many) % _BLOCKS
    return [np.bincount(of, column, _BLOCKS).astype(np.float64) for column in columns]


@lru_cache(maxsize=8)
def _weights(many: int) -> Floats:
    """Return how often each item is drawn, resample by resample."""
    random = np.random.default_rng(_SEED)
    drawn = random.integers(0, many, (_RESAMPLES, many))
    drawn += np.arange(_RESAMPLES)[:, None] * many
    counts = np.bincount(drawn.ravel(), minlength=_RESAMPLES * many)
    return counts.reshape(_RESAMPLES, many).astype(np.float64)


def change_interval(before: Numbers, after: Numbers) -> Interval | None:
    """The interval of how much more, in per cent, is paid after than before, from one pair per
    event.

    None if there are too few events, or nothing is paid.
    """
    a, b = before.astype(np.float64), after.astype(np.float64)
    paid = (a != 0) | (b != 0)
    if int(paid.sum()) < FEWEST or a.sum() <= 0 or b.sum() <= 0:
        return None
    a, b = _blocks(a, b)
    if np.array_equal(a, b):
        return Interval(0.0, 0.0)
    return _ratio_interval(np.stack([b, a], axis=1), np.array([1.0, -1.0]))


def change_of_share_interval(
    before: Numbers, after: Numbers, all_before: Numbers, all_after: Numbers
) -> Interval | None:
    """The interval of how much larger, in per cent, a group's share is after than before. The
    overall total is resampled along with the group's events, because it is just as uncertain."""
    columns = [c.astype(np.float64) for c in (after, before, all_after, all_before)]
    paid = (columns[0] != 0) | (columns[1] != 0)
    if int(paid.sum()) < FEWEST or min(column.sum() for column in columns) <= 0:
        return None
    if all(np.array_equal(columns[k], columns[k + 2]) for k in (0, 1)):
        return None  # a group that has everything keeps everything
    signs = np.array([1.0, -1.0, -1.0, 1.0])
    return _ratio_interval(np.stack(_blocks(*columns), axis=1), signs)


def _ratio_interval(columns: Floats, signs: Floats) -> Interval | None:
    """The interval of a ratio of sums, as a percentage difference from 1; sums in the
    denominator have sign −1."""
    many = columns.shape[1]
    first, second = np.triu_indices(many)
    moments = np.hstack([columns, columns[:, first] * columns[:, second]])
    own, error = _log_ratio(moments.sum(axis=0, keepdims=True), signs)
    again, errors = _log_ratio(_weights(len(columns)) @ moments, signs)
    sound = np.isfinite(again) & (errors > 0)
    if sound.sum() < _RESAMPLES // 2 or not error[0]:
        return None
    scaled = (again[sound] - own[0]) / errors[sound]
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.percentile(scaled, (tail, 100 - tail))
    ends = own[0] - high * error[0], own[0] - low * error[0]
    if max(ends) > _UNTOLD:
        return None  # so few events prove nothing
    return Interval(*(100 * float(np.expm1(end)) for end in ends))


def _log_ratio(sums: Floats, signs: Floats) -> tuple[Floats, Floats]:
    """The logarithm of the ratio and its error, from rows of sums and of their products."""
    many = len(signs)
    first, second = np.triu_indices(many)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = signs / sums[:, :many]
        twice = np.where(first == second, 1.0, 2.0)
        variance = (twice * parts[:, first] * parts[:, second] * sums[:, many:]).sum(axis=1)
        return np.log(sums[:, :many]) @ signs, np.sqrt(np.maximum(variance, 0))


def share_interval(hits: Numbers, of: Numbers) -> Interval | None:
    """The interval of a share, in per cent: hits out of a total, one pair per event or member."""
    drawn = _plain_interval(
        lambda h, n: 100 * h / n, hits.astype(np.float64), of.astype(np.float64)
    )
    return drawn and Interval(max(0.0, drawn.low), min(100.0, drawn.high))


def mean_interval(sums: Floats, of: Floats) -> Interval | None:
    """The interval of a mean: sums and counts, one pair per event."""
    return _plain_interval(lambda s, n: s / n, sums, of)


def _plain_interval(
    figure: Callable[[Floats, Floats], Floats], top: Floats, bottom: Floats
) -> Interval | None:
    if len(top) < FEWEST or bottom.sum() <= 0:
        return None
    top, bottom = _blocks(top, bottom)
    weights = _weights(len(top))
    sums = weights @ np.stack([top, bottom], axis=1)
    drawn = figure(sums[:, 0], np.maximum(sums[:, 1], 1e-12))
    # Percentiles of resamples are too narrow by √(n/(n − 1)).
    middle = float(figure(top.sum(keepdims=True), bottom.sum(keepdims=True))[0])
    wider = middle + (drawn - middle) * np.sqrt(len(top) / (len(top) - 1))
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.percentile(wider, (tail, 100 - tail))
    return Interval(float(low), float(high))


def percentile_interval(values: Floats, percentile: float) -> Interval | None:
    """The interval of a percentile of events, from the order of their values alone."""
    many = len(values)
    if many < FEWEST:
        return None
    ordered = np.sort(values)
    tail = (1 - LEVEL) / 2
    low, high = (_binomial(share, many, percentile / 100) for share in (tail, 1 - tail))
    return Interval(float(ordered[max(0, low - 1)]), float(ordered[min(many - 1, high)]))


def _binomial(share: float, many: int, probability: float) -> int:
    """The smallest count that at least this share of all draws do not exceed; equal to
    ``scipy.stats.binom.ppf``, without the half second that its import takes."""
    number = np.arange(1, many + 1)
    odds = np.log((many + 1 - number) / number) + np.log(probability / (1 - probability))
    logs = many * np.log1p(-probability) + np.concatenate(([0.0], np.cumsum(odds)))
    return int(np.searchsorted(np.cumsum(np.exp(logs)), share))


# --- first place by tables and average holding --------------------------------------------------

TABLES = tuple(range(4, 61, 4))
AVERAGES = tuple(range(0, 5001, 250))
"""The rows and columns of the source's grid."""
TYPICAL = (24, "1,250")
"""About the median size, and the strength of a typical open game, as the 2011 source has them."""
_EVENT = {"kind": "pairs", "class": "regional", "sessions": 2, "boards_per_session": 26}
_OF_PLAYERS = "masterpoints"


def sample_awards(book: Rulebook, title: str) -> Frame:
    """The grid under a rulebook; without rows if it does not award such events."""
    try:
        paid = award_fields(book, list(_uniform_fields(book)))
    except HonoursError:  # it requires an input that such an event does not have
        return Frame.of(title, [], of_rule=True)
    firsts = [None if amounts is None else float(amounts[0]) for amounts in paid]
    named = [f"{average:,}" for average in AVERAGES]
    rows = [
        {"tables": tables, **dict(zip(named, firsts[k * len(named) :], strict=False))}
        for k, tables in enumerate(TABLES)
    ]
    paying = any(first is not None for first in firsts)
    return Frame.of(title, rows if paying else [], of_rule=True)


def typical(a: Frame, b: Frame) -> str:
    """A sentence about one cell: a game of about median size and typical strength."""
    size, average = TYPICAL
    ours, theirs = (next(r for r in grid if r["tables"] == size)[average] for grid in (a, b))
    if ours is None or theirs is None:
        return ""
    return Message(
        "First place of {size} tables averaging {average} masterpoints would be {theirs:.2f} "
        "under {b}, compared with {ours:.2f} under {a}.",
        size=size,
        average=average,
        ours=ours,
        theirs=theirs,
        a=a.what,
        b=b.what,
    )


def _facts(book: Rulebook, entrants: int) -> dict[str, Value]:
    given: dict[str, object] = {"entrants": entrants, **_EVENT}
    return read_facts(book, {key: value for key, value in given.items() if key in book.keys})


def _of_entrant(book: Rulebook) -> Mapping[str, Value]:
    return {n: Fraction(1) for n in ("in_top_stratum",) if n in book.inputs}


def _uniform_fields(book: Rulebook) -> Iterator[Field]:
    """The events of all cells, row by row; a larger field has the entrants of a smaller one, and
    more."""
    own, everybody = _of_entrant(book), dict[int, list[Standing]]()
    for holding in AVERAGES:
        held = {_OF_PLAYERS: Fraction(holding)} if _OF_PLAYERS in book.inputs else {}
        pair = tuple(Player(f"player {k}", facts=held) for k in (1, 2))
        places = range(1, 2 * TABLES[-1] + 1)
        everybody[holding] = [Standing(Entrant(str(n), pair), n, facts=own) for n in places]
    for tables in TABLES:
        facts = _facts(book, 2 * tables)
        for holding in AVERAGES:
            yield Field(facts, tuple(everybody[holding][: 2 * tables]))
