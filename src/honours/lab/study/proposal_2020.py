"""The 2020 proposal's analysis on a corpus, table by table in its order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from honours.engine.award import calculate
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.lab import sides
from honours.lab.corpus import Corpus, each_shard
from honours.lab.fit import CURVE, Fit, fit, source_curve
from honours.lab.generate.population import RANGES
from honours.lab.growth import sample_of
from honours.lab.intervals import Interval, change_interval, percentile_interval
from honours.lab.shard_awards import award_shard
from honours.lab.shards import Ints, Shard
from honours.lab.sides import Side
from honours.lab.store import NOT_SAID
from honours.lab.study.figures import History, Study, StudyFigure, changes_beside_won, done_in_order
from honours.lab.study.now import NowReading
from honours.model.message import Message

Floats = NDArray[np.float64]
BOOK = "acbl-sof-2020"
OPEN = {"flight": ("open", "A")}
STUDIED = {"flight": ("open", "A", "mid", "gold-rush")}
_FLOOR = 300
_UNIFORM = {
    100: (6.83, 5.18, 4.02, 3.18, 2.57, 2.13, 1.79, 1.55, 1.36, 1.22, 1.13, 1.06, 1.01),
    300: (10.59, 8.04, 6.23, 4.94, 3.99, 3.30, 2.78, 2.40, 2.11, 1.90, 1.75, 1.64, 1.57),
    1000: (17.14, 13.01, 10.09, 7.99, 6.46, 5.34, 4.51, 3.88, 3.42, 3.08, 2.83, 2.65, 2.54),
    2500: (24.73, 18.77, 14.56, 11.53, 9.32, 7.70, 6.50, 5.60, 4.93, 4.44, 4.08, 3.83, 3.67),
    7500: (38.38, 29.13, 22.59, 17.89, 14.47, 11.95, 10.09, 8.70, 7.66, 6.89, 6.33, 5.94, 5.69),
}
_SAMPLES = (
    # name, entrants, strength factor, first place now and proposed, totals now and proposed
    ("Gatlinburg A", 71, "31.7345", 38.29, 41.38, 201.53, 223.47),
    ("Warwick A", 70, "22.419", 33.57, 28.99, 176.69, 155.68),
    ("Quebec A", 51, "19.084", 15.75, 20.41, 73.57, 98.08),
    ("Quebec B", 34, "14.335", 7.68, 12.02, 30.92, 49.14),
    ("Warwick C", 26, "14.969", 7.27, 10.68, 26.20, 38.73),
    ("NYC C", 25, "13.231", 8.48, 9.22, 30.56, 33.12),
)
_STRENGTHS = {"open": (1650.0, 5700.0), "A": (1650.0, 5700.0), "gold-rush": (250.0, 400.0)}
_SPLIT = {
    "A": (-10.0, 10.0),
    "open": (-10.0, 35.0),
    "mid": (-20.0, 0.0),
    "gold-rush": (15.0, 30.0),
}
"""What each type of event gains by the proposal, in per cent, as its text says."""


def study_2020(
    corpus: Corpus,
    side: Side,
    book: Rulebook,
    bootstraps: int = 40,
    progress: Callable[..., None] = lambda *_: None,
    on: str = "",
    now: NowReading | None = None,
) -> Study:
    """All its tables; ``side`` says what was won, ``book`` is the rule proposed."""
    history = History(corpus, side, on, now or NowReading())
    studied = cache(lambda: _fitted(history, STUDIED, 0, bootstraps))
    parts: tuple[tuple[str, Callable[[], Iterator[StudyFigure]]], ...] = (
        (
            Message("Methodology: the regression by type of event"),
            lambda: _regression(history, bootstraps),
        ),
        (Message("Formula win a day"), lambda: _win_a_day(studied())),
        (Message("Range averages"), lambda: _ranges(studied())),
        (Message("Awards in a field of uniform masterpoints"), lambda: _uniform(book)),
        (Message("Weighted average masterpoints by type of field"), lambda: _strengths(history)),
        (Message("Now and proposed, its sample events"), lambda: _samples(book)),
        (Message("Ten per cent more holdings"), lambda: _ten_more(history, book)),
        (
            Message("Now and proposed: the total and its split, change in %"),
            lambda: _split(history, book),
        ),
        (
            Message("Strength averaged by team, which the source did not check"),
            lambda: _by_team(history),
        ),
    )
    return done_in_order("2020", history, book, parts, progress)


def _fitted(
    history: History, only: Mapping[str, Sequence[str]], floor: float, bootstraps: int
) -> Fit | None:
    columns = history.corpus.columns("events")
    wanted = {"class": ("regional",), **only}
    if "flight" not in columns and only is not STUDIED and only is not OPEN:
        return None  # nothing says which events these are
    try:
        known = {k: v for k, v in wanted.items() if k in columns}
        days = sample_of(history.corpus, history.side, 2, known, history.on)
        return fit(days, "", bootstraps, floor=floor)
    except (HonoursError, RuntimeError):  # too few, or no flights
        return None


def _interval(fitted: Fit, k: int) -> Interval:
    return Interval(*fitted.intervals[k])


def _regression(history: History, bootstraps: int) -> Iterator[StudyFigure]:
    """0.04 + 0.1393 · MP^0.40 with a floor of 300 in open games; a sixth in gold rush; an
    intercept of 0.4 in midflight."""
    opened = _fitted(history, OPEN, _FLOOR, bootstraps)
    if opened is not None:
        yield StudyFigure(
            Message("open, floor 300: exponent"), 0.40, opened.exponent, _interval(opened, 2)
        )
        yield StudyFigure(
            Message("open: coefficient"), 0.1393, opened.coefficient, _interval(opened, 1)
        )
        yield StudyFigure(Message("open: intercept"), 0.04, opened.constant, _interval(opened, 0))
        yield StudyFigure(Message("open: R²"), 0.21, opened.r_squared, opened.r_interval)
    gold = _fitted(history, {"flight": ("gold-rush",)}, 0, 20)
    if gold is not None:
        yield StudyFigure(Message("gold rush: exponent"), 1 / 6, gold.exponent, _interval(gold, 2))
    mid = _fitted(history, {"flight": ("mid",)}, 0, 20)
    if mid is not None:
        yield StudyFigure(Message("midflight: intercept"), 0.4, mid.constant, _interval(mid, 0))


def _win_a_day(studied: Fit | None) -> Iterator[StudyFigure]:
    for holding in CURVE:
        ours = None if studied is None else studied.expected(holding)
        sure = None if studied is None else studied.interval_at(holding)
        yield StudyFigure(
            Message("{holding:,} masterpoints", holding=holding),
            round(source_curve(holding), 2),
            ours,
            sure,
        )


def _ranges(studied: Fit | None) -> Iterator[StudyFigure]:
    rows = {} if studied is None else {row["range"]: row for row in studied.ranges}
    names = sides.band_names(sides.HOLDINGS)
    for name, (*_, formula, actual) in zip(names, RANGES, strict=True):
        row = rows.get(name, {})
        sure = _ends(row, "from (95%)", "to (95%)")
        curve = _ends(row, "formula from (95%)", "formula to (95%)")
        yield StudyFigure(Message("{range}: actual", range=name), actual, row.get("won"), sure)
        yield StudyFigure(
            Message("{range}: formula", range=name), formula, row.get("formula"), curve
        )


def _ends(row: Mapping[str, float | None], low: str, high: str) -> Interval | None:
    ends = row.get(low), row.get(high)
    return None if ends[0] is None or ends[1] is None else Interval(ends[0], ends[1])


def _uniform(book: Rulebook) -> Iterator[StudyFigure]:
    """Awards in a uniform field: 52 pairs, two sessions."""
    for holding, published in _UNIFORM.items():
        given = {"entrants": "52", "kind": "pairs", "sessions": "2", "masterpoints": str(holding)}
        # The source's column for 100 is a limited event, where no floor applies.
        limited = {"limit": "750"} if holding < _FLOOR else {}
        ours = _schedule(book, given | limited)
        for place in (1, 2, 13):
            own = ours[place - 1] if len(ours) >= place else None
            yield StudyFigure(
                Message("{holding:,}, place {place}", holding=holding, place=place),
                published[place - 1],
                own,
                by_rule=True,
            )


def _schedule(book: Rulebook, given: dict[str, str]) -> list[float]:
    lists = calculate(book, given, in_words=False)
    return [float(award.amount) for awards in lists for award in awards.schedule]


def _strengths(history: History) -> Iterator[StudyFigure]:
    """The holding whose power 0.4 is the mean of the players' powers, event by event."""
    means: dict[str, list[float]] = {}
    for part in each_shard(history.corpus, _weighted, history.on):
        for flight, values in part.items():
            means.setdefault(flight, []).extend(values)
    for flight, ends in _STRENGTHS.items():
        own = means.get(flight)
        middle = float(np.median(own)) if own else None
        sure = percentile_interval(np.array(own), 50) if own else None
        name = Message("flight {flight}: median of events", flight=flight)
        yield StudyFigure(name, None, middle, sure, ends)


def _weighted(shard: Shard) -> dict[str, list[float]]:
    flights = shard.events.get("flight")
    if flights is None or (shard.holding == NOT_SAID).any():
        return {}
    powers = (shard.holding / 100.0) ** 0.4
    starts = shard.player_offsets[shard.entrant_offsets[:-1]]
    counts = np.diff(np.append(starts, len(powers)))
    weighted = (np.add.reduceat(powers, starts) / counts) ** 2.5
    names = np.asarray(flights).astype(str)
    return {str(name): weighted[names == name].tolist() for name in np.unique(names)}


def _samples(book: Rulebook) -> Iterator[StudyFigure]:
    for name, entrants, strength, now, proposed, total_now, total in _SAMPLES:
        given = {"entrants": str(entrants), "kind": "pairs", "sessions": "2"}
        [awards] = calculate(book, given | {"strength_factor": strength}, in_words=False)
        first = Message("{sample}: first proposed (now {now})", sample=name, now=now)
        paid = float(awards.schedule[0].amount)
        yield StudyFigure(first, proposed, paid, by_rule=True, fitted=True)
        whole = Message("{sample}: total proposed (now {now})", sample=name, now=total_now)
        ours = float(awards.extras["totals"]["places_total"])
        yield StudyFigure(whole, total, ours, by_rule=True, fitted=True)


def _ten_more(history: History, book: Rulebook) -> Iterator[StudyFigure]:
    """Less than 4% more, says the source."""
    parts = list(each_shard(history.corpus, partial(_raised, book), history.on))
    before, after = (np.concatenate([p[k] for p in parts]) for k in (0, 1))
    change = 100 * float(after.sum() / before.sum() - 1) if before.sum() else None
    yield StudyFigure(
        Message("change of the total, %"), None, change, change_interval(before, after), (0.0, 4.0)
    )


def _raised(book: Rulebook, shard: Shard) -> tuple[Ints, Ints]:
    if not len(shard.ids):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    more = np.where(shard.holding == NOT_SAID, shard.holding, shard.holding * 1.1)
    sides = (
        award_shard(book, shard),
        award_shard(book, replace(shard, holding=more.astype(np.int32))),
    )
    keep = ~sides[0].refused & ~sides[1].refused
    starts = shard.entrant_offsets[:-1]
    totals = [np.add.reduceat(awards.to_players(shard), starts)[keep] for awards in sides]
    return totals[0], totals[1]


def _split(history: History, book: Rulebook) -> Iterator[StudyFigure]:
    """What the proposal pays relative to what was won: overall, and by type of event."""
    yield from changes_beside_won(history, book, (-10.0, 35.0), _SPLIT)


def _by_team(history: History) -> Iterator[StudyFigure]:
    """F by player compared with F by team, in team events: 'probably not large'."""
    parts = list(each_shard(history.corpus, _team_factors, history.on))
    by_player, by_team = (np.concatenate([p[k] for p in parts]) for k in (0, 1))
    if not len(by_player):
        return
    change = 100 * (by_team / by_player - 1)
    sure = change_interval(by_player, by_team)
    yield StudyFigure(
        Message("F by team beside F by player, mean change in %"),
        None,
        float(change.mean()),
        sure,
        (-2.0, 2.0),
    )
    yield StudyFigure(
        Message("largest change of an event's F, in %"), None, float(np.abs(change).max())
    )


def _team_factors(shard: Shard) -> tuple[Floats, Floats]:
    none = np.empty(0)
    kinds = shard.events.get("kind")
    if kinds is None or not len(shard.ids) or (shard.holding == NOT_SAID).any():
        return none, none
    powers = np.maximum(shard.holding / 100.0, _FLOOR) ** 0.4
    counts = np.diff(shard.player_offsets)
    of_team = np.add.reduceat(powers, shard.player_offsets[:-1]) / counts
    starts = shard.entrant_offsets[:-1]
    by_team = np.add.reduceat(of_team, starts) / shard.sizes
    by_player = np.add.reduceat(of_team * counts, starts) / np.add.reduceat(counts, starts)
    teams = np.isin(np.asarray(kinds).astype(str), ("teams", "swiss", "board-a-match"))
    return by_player[teams], by_team[teams]
