"""The 2020 proposal's analysis on a corpus, table by table in its order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from honours.engine.award import calculate
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.lab import sides
from honours.lab.calibrate import award_at
from honours.lab.corpus import each_shard
from honours.lab.fit import CURVE, Fit, fit, sample_of, source_curve
from honours.lab.intervals import Interval, change_interval, percentile_interval
from honours.lab.result import Answer, Progress, unwatched
from honours.lab.shards import Ints, Shard
from honours.lab.sides import AsPaid
from honours.lab.sources import PROPOSAL_2020
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

Floats = NDArray[np.float64]
OPEN = {"flight": ("open", "A")}
STUDIED = {"flight": ("open", "A", "mid", "gold-rush")}
_FLOOR = 300
_OVERALL_ONLY = Message(
    "Points of a day lie below the source's in every range and in its formula: as we read it, it "
    "counted section and session awards too, and here the overall awards of the rule are all that "
    "was won. What can be compared is how they rise with holdings."
)


def study_2020(
    history: History, book: Rulebook, progress: Progress = unwatched, bootstraps: int = 40
) -> Answer:
    """All its tables; ``book`` is the rule proposed."""
    studied = cache(lambda: _fitted(history, STUDIED, 0, bootstraps))
    gains = PROPOSAL_2020["total_gain"], PROPOSAL_2020["gains"]
    parts: Parts = {
        Message("Methodology: the regression by type of event"): partial(
            _regression, history, bootstraps
        ),
        Message("Formula win a day"): lambda: _win_a_day(studied()),
        Message("Range averages"): lambda: _ranges(studied()),
        Message("Awards in a field of uniform masterpoints"): partial(_uniform, book),
        Message("Weighted average masterpoints by type of field"): partial(_strengths, history),
        Message("Now and proposed, its sample events"): partial(_samples, book),
        Message("Ten per cent more holdings"): partial(_ten_more, history, book),
        Message("Now and proposed: the total and its split, change in %"): partial(
            changes_beside_won, history, book, *gains
        ),
        Message("Strength averaged by team, which the source did not check"): partial(
            _by_team, history
        ),
    }
    notes = [] if isinstance(history.side, AsPaid) else [_OVERALL_ONLY]
    return done_in_order("2020", history, book, parts, progress, notes)


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
        return fit(days, bootstraps, floor=floor)
    except (HonoursError, RuntimeError):  # too few, or no flights
        return None


def _regression(history: History, bootstraps: int) -> Iterator[StudyFigure]:
    """0.04 + 0.1393 · MP^0.40 with a floor of 300 in open games; a sixth in gold rush; an
    intercept of 0.4 in midflight."""
    opened = _fitted(history, OPEN, _FLOOR, bootstraps)
    gold = _fitted(history, {"flight": ("gold-rush",)}, 0, 20)
    mid = _fitted(history, {"flight": ("mid",)}, 0, 20)
    for name, source, fitted, k in (
        (Message("open, floor 300: exponent"), 0.40, opened, 2),
        (Message("open: coefficient"), 0.1393, opened, 1),
        (Message("open: intercept"), 0.04, opened, 0),
        (Message("open: R²"), 0.21, opened, 3),
        (Message("gold rush: exponent"), 1 / 6, gold, 2),
        (Message("midflight: intercept"), 0.4, mid, 0),
    ):
        if fitted is not None:
            value = (*fitted.values, fitted.r_squared)[k]
            yield StudyFigure(name, source, value, fitted.interval(k))


def _win_a_day(studied: Fit | None) -> Iterator[StudyFigure]:
    for holding in CURVE:
        name = Message("{holding:,} masterpoints", holding=holding)
        ours = None if studied is None else studied.expected(holding)
        sure = None if studied is None else studied.interval_at(holding)
        yield StudyFigure(name, round(source_curve(holding), 2), ours, sure)


def _ranges(studied: Fit | None) -> Iterator[StudyFigure]:
    rows = {} if studied is None else {row["range"]: row for row in studied.ranges}
    names = sides.band_names(sides.HOLDINGS)
    for name, (*_, formula, actual) in zip(names, PROPOSAL_2020["ranges"], strict=True):
        row = rows.get(name, {})
        for what, source, column, of in (
            (Message("{range}: actual", range=name), actual, "won", ""),
            (Message("{range}: formula", range=name), formula, "formula", "formula "),
        ):
            low, high = (row.get(f"{of}{end} (95%)") for end in ("from", "to"))
            sure = None if low is None or high is None else Interval(low, high)
            yield StudyFigure(what, source, row.get(column), sure)


def _uniform(book: Rulebook) -> Iterator[StudyFigure]:
    """Awards in a uniform field; the source's column for 100 is a limited event, where no floor
    applies."""
    for column in PROPOSAL_2020["uniform"]:
        given = {"entrants": "52", "kind": "pairs", "sessions": "2"}
        given |= {"masterpoints": str(column["holding"])}
        given |= {"limit": str(column["limit"])} if "limit" in column else {}
        for place, published in column["places"].items():
            name = Message("{holding:,}, place {place}", holding=column["holding"], place=place)
            ours = award_at(book, given, int(place))
            yield StudyFigure(name, published, ours, by_rule=True)


def _strengths(history: History) -> Iterator[StudyFigure]:
    """The holding whose power 0.4 is the mean of the players' powers, event by event."""
    means: dict[str, list[float]] = {}
    for part in each_shard(history.corpus, _weighted, history.on):
        for flight, values in part.items():
            means.setdefault(flight, []).extend(values)
    for flight, ends in PROPOSAL_2020["strengths"].items():
        own = means.get(flight)
        middle = float(np.median(own)) if own else None
        sure = percentile_interval(np.array(own), 50) if own else None
        name = Message("flight {flight}: median of events", flight=flight)
        yield StudyFigure(name, None, middle, sure, ends)


def _weighted(shard: Shard) -> dict[str, list[float]]:
    flights = shard.events.get("flight")
    if flights is None or (shard.holding == MISSING).any():
        return {}
    powers = (shard.holding / 100.0) ** 0.4
    starts = shard.player_offsets[shard.entrant_offsets[:-1]]
    counts = np.diff(np.append(starts, len(powers)))
    weighted = (np.add.reduceat(powers, starts) / counts) ** 2.5
    names = np.asarray(flights).astype(str)
    return {str(name): weighted[names == name].tolist() for name in np.unique(names)}


def _samples(book: Rulebook) -> Iterator[StudyFigure]:
    for name, entrants, strength, now, proposed, total_now, total in PROPOSAL_2020["samples"]:
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
    before, after = np.concatenate(parts, axis=1)
    change = 100 * float(after.sum() / before.sum() - 1) if before.sum() else None
    name, sure = Message("change of the total, %"), change_interval(before, after)
    yield StudyFigure(name, None, change, sure, (0.0, 4.0))


def _raised(book: Rulebook, shard: Shard) -> Ints:
    """Return each event's total now, and if everybody held a tenth more."""
    more = np.where(shard.holding == MISSING, shard.holding, shard.holding * 1.1)
    awarded = [
        award_all([book], one) for one in (shard, replace(shard, holding=more.astype(np.int32)))
    ]
    both = awarded[0].common & awarded[1].common
    return np.vstack([one.totals.points[:, both[one.common]] for one in awarded])


def _by_team(history: History) -> Iterator[StudyFigure]:
    """F by player compared with F by team, in team events: 'probably not large'."""
    parts = list(each_shard(history.corpus, _team_factors, history.on))
    by_player, by_team = np.concatenate(parts, axis=1)
    if not len(by_player):
        return
    change = 100 * (by_team / by_player - 1)
    mean = Message("F by team beside F by player, mean change in %")
    sure = change_interval(by_player, by_team)
    yield StudyFigure(mean, None, float(change.mean()), sure, (-2.0, 2.0))
    most = Message("largest change of an event's F, in %")
    yield StudyFigure(most, None, float(np.abs(change).max()))


def _team_factors(shard: Shard) -> Floats:
    kinds = shard.events.get("kind")
    if kinds is None or not len(shard.ids) or (shard.holding == MISSING).any():
        return np.empty((2, 0))
    powers = np.maximum(shard.holding / 100.0, _FLOOR) ** 0.4
    counts = np.diff(shard.player_offsets)
    of_team = np.add.reduceat(powers, shard.player_offsets[:-1]) / counts
    starts = shard.entrant_offsets[:-1]
    by_team = np.add.reduceat(of_team, starts) / shard.sizes
    by_player = np.add.reduceat(of_team * counts, starts) / np.add.reduceat(counts, starts)
    teams = np.isin(np.asarray(kinds).astype(str), ("teams", "swiss", "board-a-match"))
    return np.stack([by_player[teams], by_team[teams]])
