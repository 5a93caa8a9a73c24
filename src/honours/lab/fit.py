"""Points won against holdings, as the methodology of the 2020 source describes it.

The model is e(MP) = c + a · MP^b by non-linear least squares; intervals come from a bootstrap over
events, since the players of one event are not independent of each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import curve_fit

from honours.engine.rulebook import Rulebook
from honours.errors import InputError, UnknownName
from honours.lab import bands
from honours.lab.answers import as_rulebook, name_of
from honours.lab.award import SCALE, award_shard
from honours.lab.corpus import Corpus
from honours.lab.frame import Frame
from honours.lab.generate.population import RANGES
from honours.lab.shards import Shard

Floats = NDArray[np.float64]
Only = Mapping[str, Sequence[str]]

CURVE = (0, 50, 100, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 10000, 20000, 50000)
"""The holdings of the 2020 source's table of wins per day."""
_SAMPLE = 60_000


@dataclass(frozen=True, slots=True)
class Sample:
    """Player-days: holding, points won and the event each was in."""

    holding: Floats
    won: Floats
    event: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Fit:
    """The curve found, its intervals and how much of the variance it explains."""

    title: str
    constant: float
    coefficient: float
    exponent: float
    r_squared: float
    players: int
    intervals: tuple[tuple[float, float], ...]
    ranges: tuple[dict[str, Any], ...]
    provenance: tuple[tuple[str, str], ...] = ()

    def expected(self, holding: float) -> float:
        """What a player of this holding is expected to win."""
        return float(self.constant + self.coefficient * holding**self.exponent)

    def table(self) -> Frame:
        names = ("constant", "coefficient", "exponent")
        values = (self.constant, self.coefficient, self.exponent)
        rows = [
            {"": n, "estimate": v, "from (95%)": low, "to (95%)": high}
            for n, v, (low, high) in zip(names, values, self.intervals, strict=True)
        ]
        return Frame.of(f"{self.title}: e(MP) = constant + coefficient · MP^exponent", rows)

    def curve(self) -> Frame:
        rows = [{"holding": mp, "win per day": self.expected(mp)} for mp in CURVE]
        return Frame.of("Win per day", rows)

    def averages(self) -> Frame:
        return Frame.of("Range averages", self.ranges)

    def statement(self) -> str:
        return (
            f"{self.title}: a player's points are expected to be {self.constant:.2f} + "
            f"{self.coefficient:.4f} · MP^{self.exponent:.3f}; holdings explain "
            f"{100 * self.r_squared:.0f}% of the variance (R² {self.r_squared:.3f}, "
            f"{self.players:,} player-days), compared with 0.1393 · MP^0.4 and R² 0.21 in the "
            "2020 source."
        )

    def _repr_html_(self) -> str:
        tables = (self.table(), self.curve(), self.averages())
        return f"<p>{escape(self.statement())}</p>{''.join(t.html() for t in tables)}"

    def data(self) -> dict[str, Any]:
        return {
            "statement": self.statement(),
            "estimates": self.table().data(),
            "r_squared": self.r_squared,
            "curve": self.curve().data(),
            "ranges": self.averages().data(),
            "provenance": dict(self.provenance),
        }


def model(holding: Any, constant: float, coefficient: float, exponent: float) -> Any:
    """e(MP) = constant + coefficient · MP^exponent."""
    return constant + coefficient * np.power(holding, exponent)


def fit(
    sample: Sample,
    title: str = "sample",
    bootstraps: int = 60,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Fit:
    """Fit the curve to player-days."""
    if len(sample.won) < 50:
        raise InputError(f"{len(sample.won)} player-days are too few to fit a curve to")
    random = np.random.default_rng(seed)
    found = _solve(sample.holding, sample.won, (0.0, 0.14, 0.4))
    off = sample.won - model(sample.holding, *found)
    spread = sample.won - sample.won.mean()
    again = []
    for done in range(1, bootstraps + 1):
        again.append(_solve(*_resampled(sample, random), found))
        if progress:
            progress(done, bootstraps)
    bounds = np.percentile(again, (2.5, 97.5), axis=0).T if again else np.full((3, 2), np.nan)
    return Fit(
        title,
        float(found[0]),
        float(found[1]),
        float(found[2]),
        float(1 - (off @ off) / (spread @ spread)),
        len(sample.won),
        tuple((float(low), float(high)) for low, high in bounds),
        tuple(_averages(sample, found)),
    )


def _solve(holding: Floats, won: Floats, start: Any) -> Floats:
    found, _ = curve_fit(
        model, holding, won, p0=start, bounds=([-50, 0, 0.01], [50, 100, 2]), max_nfev=200
    )
    return np.asarray(found, np.float64)


def _resampled(sample: Sample, random: np.random.Generator) -> tuple[Floats, Floats]:
    """The players of as many events drawn with replacement, a large sample thinned."""
    events, starts = np.unique(sample.event, return_index=True)
    stops = np.append(starts[1:], len(sample.event))
    drawn = random.integers(0, len(events), len(events))
    rows = np.concatenate([np.arange(starts[k], stops[k]) for k in drawn])
    if len(rows) > _SAMPLE:
        rows = random.choice(rows, _SAMPLE, replace=False)
    return sample.holding[rows], sample.won[rows]


def _averages(sample: Sample, found: Floats) -> list[dict[str, Any]]:
    codes = np.searchsorted(bands.HOLDINGS, sample.holding, "right") - 1
    rows = []
    for k, name in enumerate(bands.band_names(bands.HOLDINGS)):
        own = codes == k
        if own.any():
            formula = float(model(sample.holding[own], *found).mean())
            actual = float(sample.won[own].mean())
            row = {"range": name, "actual": actual, "formula": formula, "sample": int(own.sum())}
            rows.append(row | {"2020 actual": RANGES[k][4], "2020 formula": RANGES[k][3]})
    return rows


def sample_of(
    corpus: Corpus, named: str | Rulebook, sessions: int = 2, only: Only | None = None
) -> Sample:
    """The player-days of events of so many sessions, by what a rulebook pays.

    ``only`` keeps events with certain words: ``{"class": ("regional",)}``.
    """
    book = as_rulebook(named)
    return together([player_days(book, shard, sessions, only) for shard in corpus])


def player_days(book: Rulebook, shard: Shard, sessions: int, only: Only | None) -> Sample:
    """The player-days of one shard."""
    awards = award_shard(book, shard)
    chosen = ~awards.refused
    for column, words in {"sessions": (str(sessions),), **(only or {})}.items():
        if column not in shard.events:
            raise UnknownName("column of the events", column, shard.events)
        chosen &= np.isin(shard.events[column].astype(str), list(words))
    of = shard.entrant_of_player
    event = shard.event_of_entrant[of]
    keep = chosen[event] & (shard.holding >= 0)
    won = awards.amounts[of[keep]] / SCALE
    return Sample(shard.holding[keep] / 100.0, won, shard.ids[event[keep]].astype(np.int64))


def together(parts: Sequence[Sample]) -> Sample:
    """The player-days of several shards as one sample."""
    columns = ([p.holding for p in parts], [p.won for p in parts], [p.event for p in parts])
    holding, won, event = (np.concatenate([*c, np.empty(0)]) for c in columns)
    return Sample(holding, won, event.astype(np.int64))


def fit_corpus(
    corpus: Corpus,
    named: str | Rulebook,
    sessions: int = 2,
    only: Only | None = None,
    bootstraps: int = 60,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Fit:
    """Fit what a rulebook pays in a corpus to the holdings of its players."""
    book = as_rulebook(named)
    days = sample_of(corpus, book, sessions, only)
    made = fit(days, name_of(book), bootstraps, seed, progress)
    stands_on = {**corpus.provenance(), "rulebook": book.hash, "seed of the bootstrap": str(seed)}
    return replace(made, provenance=tuple(stands_on.items()))
