"""Points won against holdings, as the methodology of the 2020 source describes it.

The model is e(MP) = c + a · MP^b by non-linear least squares; intervals come from a bootstrap over
events, since the players of one event are not independent of each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import curve_fit

from honours.engine.numbers import SCALE
from honours.errors import InputError, UnknownName
from honours.lab import sides
from honours.lab.corpus import Corpus, each_shard, is_tenth, pieces_of
from honours.lab.generate.population import COEFFICIENT, EXPONENT, RANGES
from honours.lab.intervals import Interval, mean_interval
from honours.lab.left_out import (
    FEW_MEMBERS,
    counts_by_reason,
    hold_back_few,
    hold_back_small,
    reasons,
    sentence,
)
from honours.lab.result import Answer, Frame, Progress, about, headline, unwatched
from honours.lab.shard_awards import award_shard
from honours.lab.shards import Shard, in_a_row
from honours.lab.sides import Side, as_side, check_holdings, name_of
from honours.lab.store import MISSING
from honours.lab.tallies import FEW_EVENTS, interval_columns
from honours.model.message import Message, mark, plural, word

Floats = NDArray[np.float64]
CURVE = (0, 50, 100, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 10000, 20000, 50000)
"""The holdings of the 2020 source's table of wins per day."""
_ROUGHLY = 10
"""The number of resamples for an interim answer."""
_SAMPLE = 60_000
_LIMITS = ([-50, 0, 0.01], [50, 100, 2])
"""Of constant, coefficient and exponent."""


def source_curve(holding: float) -> float:
    """Return the points that the 2020 source expects a player to win in a day."""
    return float(COEFFICIENT * holding**EXPONENT)


def model(holding: Any, constant: float, coefficient: float, exponent: float) -> Any:
    """e(MP) = constant + coefficient · MP^exponent."""
    return constant + coefficient * np.power(holding, exponent)


@dataclass(frozen=True, slots=True)
class Fit:
    """The curve found, its intervals and how much of the variance it explains."""

    values: tuple[float, float, float]
    """Constant, coefficient and exponent."""
    r_squared: float
    players: int
    events: int
    ranges: tuple[dict[str, Any], ...]
    resampled: tuple[tuple[float, float, float, float], ...]
    """The curves of the resamples, and what each explains."""
    floor: float = 0.0

    def expected(self, holding: float) -> float:
        """Return the points that a player with this holding is expected to win."""
        return float(model(max(holding, self.floor), *self.values))

    def interval(self, k: int) -> Interval | None:
        """The interval of a value of the curve; the last is that of the variance explained."""
        return _interval_of([one[k] for one in self.resampled])

    def interval_at(self, holding: float) -> Interval | None:
        """The interval of the curve at a holding."""
        held = max(holding, self.floor)
        return _interval_of([float(model(held, *one[:3])) for one in self.resampled])

    def sentence(self, named: str) -> Message:
        """The curve in words, and how much it explains."""
        template = mark(
            "{sample}: a player's points are expected to be {constant:.2f} {sign} "
            "{coefficient:.4f} · MP^{exponent:.3f}; holdings explain {share:.0f}% of the "
            "variance (R² {r_squared}, {players} in {events}), compared with "
            "0.1393 · MP^0.4 and R² 0.21 in the 2020 source"
        )
        floored = mark("{sample}, holdings counted as {floor:g} at least")
        sure, (constant, coefficient, exponent) = self.interval(3), self.values
        explained = Message("{value:.3f}", value=self.r_squared)
        if sure:
            ends = {"low": sure.low, "high": sure.high}
            words = mark("{value:.3f}, from {low:.3f} to {high:.3f}")
            explained = Message(words, value=self.r_squared, **ends)
        return Message(
            template,
            sample=Message(floored, sample=named, floor=self.floor) if self.floor else named,
            constant=constant,
            sign="−" if coefficient < 0 else "+",
            coefficient=abs(coefficient),
            exponent=exponent,
            share=100 * self.r_squared,
            r_squared=explained,
            players=plural("{count:,} player-day", "{count:,} player-days", count=self.players),
            events=plural("{count:,} event", "{count:,} events", count=self.events),
        )

    def frames(self, named: str) -> list[Frame]:
        """The values of the curve, the curve beside that of the 2020 source, and the averages of
        ranges."""
        whose = Message("points of one player in a day of so many sessions")
        curve = Message("e(MP) = constant + coefficient · MP^exponent")
        drawn: list[dict[str, Any]] = [
            {"holding": mp, "win per day": self.expected(mp), "2020 source": source_curve(mp)}
            | interval_columns(self.interval_at(mp))
            for mp in CURVE
        ]
        names = (mark("constant"), mark("coefficient"), mark("exponent"), "R²")
        terms = [
            {"term": word(name), "estimate": value, **interval_columns(self.interval(k))}
            for k, (name, value) in enumerate(
                zip(names, (*self.values, self.r_squared), strict=True)
            )
        ]
        return [
            Frame.of(about(named, curve), terms, whose),
            Frame.of(Message("Win per day"), drawn, whose),
            Frame.of(Message("Range averages"), self.ranges, whose),
        ]


def fit(
    sample: PlayerDays,
    bootstraps: int = 60,
    seed: int = 1,
    progress: Progress = unwatched,
    floor: float = 0.0,
) -> Fit:
    """Fit the curve to player-days; holdings below ``floor`` count as the floor."""
    sample = replace(sample, holding=np.maximum(sample.holding, floor))
    if len(sample.won) < 50:
        raise InputError("{count} player-days are too few to fit a curve to", count=len(sample.won))
    hold_back_few(np.unique(sample.member).tolist())
    random = np.random.default_rng(seed)
    values = _solve(sample.holding, sample.won, (0.0, 0.14, 0.4))
    again = []
    for done in range(1, bootstraps + 1):
        drawn = _resampled(sample, random)
        curve = _solve(*drawn, values)
        again.append((*curve, _r_squared(*drawn, curve)))
        progress(done, bootstraps)
    return Fit(
        values,
        _r_squared(sample.holding, sample.won, values),
        len(sample.won),
        len(np.unique(sample.event)),
        tuple(_averages(sample, values, again)),
        tuple(again),
        floor,
    )


def _r_squared(holding: Floats, won: Floats, values: Sequence[float]) -> float:
    """The share of the variance that a curve explains; 0 if the solver ends a hair below."""
    off, spread = won - model(holding, *values), won - won.mean()
    whole = spread @ spread
    return max(0.0, float(1 - (off @ off) / whole)) if whole else 0.0


def _interval_of(values: Sequence[float]) -> Interval | None:
    """The middle 95% of the values from the resamples."""
    if not values:
        return None
    low, high = np.percentile(values, (2.5, 97.5))
    return Interval(float(low), float(high))


def _solve(holding: Floats, won: Floats, start: Any) -> tuple[float, float, float]:
    values, _ = curve_fit(model, holding, won, p0=start, bounds=_LIMITS, max_nfev=200)
    return float(values[0]), float(values[1]), float(values[2])


def _resampled(sample: PlayerDays, random: np.random.Generator) -> tuple[Floats, Floats]:
    """The players of equally many events, drawn with replacement; a large sample is thinned."""
    events, starts = np.unique(sample.event, return_index=True)
    stops = np.append(starts[1:], len(sample.event))
    drawn = random.integers(0, len(events), len(events))
    rows = np.concatenate([np.arange(starts[k], stops[k]) for k in drawn])
    if len(rows) > _SAMPLE:
        rows = random.choice(rows, _SAMPLE, replace=False)
    return sample.holding[rows], sample.won[rows]


def _averages(
    sample: PlayerDays,
    values: Sequence[float],
    again: Sequence[Sequence[float]],
) -> list[dict[str, Any]]:
    """Return what players of each range won, and what the curve gives them; only of ranges that
    cover so many events and members that they identify nobody."""
    codes = np.searchsorted(sides.HOLDINGS, sample.holding, "right") - 1
    rows: list[dict[str, Any]] = []
    for k, name in enumerate(sides.band_names(sides.HOLDINGS)):
        own = codes == k
        holding, won = sample.holding[own], sample.won[own]
        events, at = np.unique(sample.event[own], return_inverse=True)
        if len(events) < FEW_EVENTS or len(np.unique(sample.member[own])) < FEW_MEMBERS:
            continue
        many = np.bincount(at).astype(np.float64)
        curves = [float(model(holding, *one[:3]).mean()) for one in again]
        rows.append(
            {
                "range": name,
                "won": float(won.mean()),
                "formula": float(model(holding, *values).mean()),
                "sample": len(won),
                **interval_columns(mean_interval(np.bincount(at, won).astype(np.float64), many)),
                **interval_columns(_interval_of(curves), "formula from (95%)", "formula to (95%)"),
                "2020 actual": RANGES[k][4],
                "2020 formula": RANGES[k][3],
            }
        )
    return rows


def fit_corpus(
    corpus: Corpus,
    named: str | Side,
    sessions: int = 2,
    only: Only | None = None,
    bootstraps: int = 60,
    seed: int = 1,
    progress: Progress = unwatched,
    floor: float = 0.0,
    on: str = "",
) -> Answer:
    """Fit the payments of a rulebook, or those actually made, to the players' holdings; interim
    results are reported after the first tenth of the shards and each further one."""
    hold_back_small(corpus)
    side = as_side(named, corpus)
    check_holdings(side)
    name = name_of(side)
    pieces, known = len(pieces_of(corpus)), ""

    def taken(parts: Sequence[PlayerDays]) -> None:
        nonlocal known
        if is_tenth(len(parts), pieces) and progress is not unwatched:
            known = _known(in_a_row(parts), name, floor, corpus) or known
        progress(len(parts), pieces + bootstraps, known)

    days = sample_of(corpus, side, sessions, only, on, taken)

    def resampled(done: int, _: int) -> None:
        progress(pieces + done, pieces + bootstraps, known)

    made = fit(days, bootstraps, seed, resampled, floor)
    return Answer.about(
        corpus,
        name,
        sentence(made.sentence(name), days.left),
        made.frames(name),
        sides=[side],
        rests_on={"seed of the bootstrap": str(seed)},
        left=days.left,
        values={"r_squared": made.r_squared, "floor": floor},
    )


def _known(days: PlayerDays, name: str, floor: float, corpus: Corpus) -> str:
    """The result from the player-days so far, with a rough interval of the exponent."""
    try:
        made = fit(days, _ROUGHLY, floor=floor)
    except (InputError, RuntimeError):  # too few yet
        return ""
    sure = made.interval(2)
    assert sure is not None
    return Message(
        "{answer} The exponent lies from about {low} to {high}.",
        answer=headline(corpus, sentence(made.sentence(name), {})),
        low=f"{sure.low:.2f}",
        high=f"{sure.high:.2f}",
    )


# --- what players held and won in an event or on one of its days --------------------------------

Only = Mapping[str, Sequence[str]]
NOT_HELD = Message("it does not say what any of its players held")
NOT_OF_THESE = Message("it is not of the events that were asked for")


@dataclass(frozen=True, slots=True)
class PlayerDays:
    """Player-days: the holding, the points won, the event and the member of each."""

    holding: Floats
    won: Floats
    event: NDArray[np.int64]
    member: NDArray[np.int64]
    left: Counter[str] = field(default_factory=Counter)
    """The events left out, by reason."""


def sample_of(
    corpus: Corpus,
    named: str | Side,
    sessions: int = 2,
    only: Only | None = None,
    on: str = "",
    taken: Callable[[Sequence[PlayerDays]], None] = lambda _: None,
) -> PlayerDays:
    """The player-days of events with that many sessions, by what a side pays; ``only`` keeps
    events with certain words: ``{"class": ("regional",)}``. ``taken`` receives the parts so far
    after every piece."""
    parts = list[PlayerDays]()
    work = partial(player_days, as_side(named, corpus), sessions, only)
    for part in each_shard(corpus, work, on):
        parts.append(part)
        taken(parts)
    return in_a_row(sorted(parts, key=lambda part: part.event[:1].tolist()))


def player_days(side: Side, sessions: int, only: Only | None, shard: Shard) -> PlayerDays:
    """The player-days of one shard."""
    chosen = np.ones(len(shard.ids), np.bool_)
    for column, words in (
        {"sessions": (str(sessions),), **(only or {})}.items() if len(shard.ids) else ()
    ):
        if column not in shard.events:
            raise UnknownName("column of the events", column, shard.events)
        chosen &= np.isin(shard.events[column].astype(str), list(words))
    left = Counter[str]()
    awards = award_shard(side, shard)
    if awards.refused.any():
        left += counts_by_reason(*reasons(side, shard, awards), chosen)
    event, own = shard.event_of_entrant[shard.entrant_of_player], shard.holding
    known = np.zeros(len(shard.ids), np.bool_)
    known[event[own != MISSING]] = True
    left[NOT_OF_THESE] += int((~chosen).sum())
    left[NOT_HELD] += int((chosen & ~awards.refused & ~known).sum())
    keep = (chosen & ~awards.refused)[event] & (own != MISSING)
    return PlayerDays(
        own[keep] / 100.0,
        awards.each_player(shard)[keep] / SCALE,
        shard.ids[event[keep]].astype(np.int64),
        shard.player[keep].astype(np.int64),
        +left,
    )
