"""Points won against holdings, as the methodology of the 2020 source describes it.

The model is e(MP) = c + a · MP^b by non-linear least squares; intervals come from a bootstrap over
events, since the players of one event are not independent of each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import curve_fit

from honours.errors import InputError
from honours.lab import sides
from honours.lab.corpus import Corpus, is_tenth, pieces_of
from honours.lab.generate.population import COEFFICIENT, EXPONENT, RANGES
from honours.lab.growth import HOLDING, Only, PlayerDays, sample_and_left, together
from honours.lab.intervals import Interval, mean_interval
from honours.lab.left_out import FEW_MEMBERS, hold_back_few, hold_back_small, sentence
from honours.lab.result import Frame, LabResult, about, headline, note_of
from honours.lab.sides import HoldingColumn, Side, as_side, held_under, name_of
from honours.lab.tallies import FEW_EVENTS
from honours.model.message import Message, joined, mark, plural, word

# --- a curve that was fitted, in words ----------------------------------------------------------


def curve_in_words(fit: Fit) -> Message:
    """The curve in words, and how much it explains."""
    template = (
        mark(
            "{sample}: a player's points are expected to be {constant:.2f} {sign} "
            "{coefficient:.4f} · rating^{exponent:.3f}; ratings explain {share:.0f}% of the "
            "variance (R² {r_squared}, {players} in {events})"
        )
        if fit.held.is_rating
        else mark(
            "{sample}: a player's points are expected to be {constant:.2f} {sign} "
            "{coefficient:.4f} · MP^{exponent:.3f}; holdings explain {share:.0f}% of the "
            "variance (R² {r_squared}, {players} in {events}), compared with "
            "0.1393 · MP^0.4 and R² 0.21 in the 2020 source"
        )
    )
    players = (
        plural("{count:,} player", "{count:,} players", count=fit.players)
        if fit.held.is_rating
        else plural("{count:,} player-day", "{count:,} player-days", count=fit.players)
    )
    return Message(
        template,
        sample=_sample(fit),
        constant=fit.constant,
        sign="−" if fit.coefficient < 0 else "+",
        coefficient=abs(fit.coefficient),
        exponent=fit.exponent,
        share=100 * fit.r_squared,
        r_squared=_explained(fit),
        players=players,
        events=plural("{count:,} event", "{count:,} events", count=fit.events),
    )


def _explained(fit: Fit) -> Message:
    if fit.r_interval is None:
        return Message("{value:.3f}", value=fit.r_squared)
    ends = {"low": fit.r_interval.low, "high": fit.r_interval.high}
    return Message("{value:.3f}, from {low:.3f} to {high:.3f}", value=fit.r_squared, **ends)


def _sample(fit: Fit) -> str:
    if not fit.floor:
        return fit.title
    return Message(
        "{sample}, holdings counted as {floor:g} at least",
        sample=fit.title,
        floor=fit.floor,
    )


# --- points won against holdings, as the methodology of the 2020 source describes it ------------

Floats = NDArray[np.float64]

CURVE = (0, 50, 100, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 10000, 20000, 50000)
"""The holdings of the 2020 source's table of wins per day."""
_ROUGHLY = 10
"""The number of resamples for an interim answer."""
_SAMPLE = 60_000
RATINGS = (0, 500, 1000, 1500, 1800, 2100, 2400, 2700)
PER_EVENT = Message("rating points of one player in an event, of any number of sessions")
PER_DAY = Message("points of one player in a day of so many sessions")


def source_curve(holding: float) -> float:
    """What the 2020 source expects a player to win in a day."""
    return float(COEFFICIENT * holding**EXPONENT)


@dataclass(frozen=True, slots=True)
class Fit(LabResult):
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
    floor: float = 0.0
    corpus: Corpus | None = None
    left: tuple[tuple[str, int], ...] = ()
    events: int = 0
    resampled: tuple[tuple[float, float, float], ...] = ()
    """The curves of the resamples: constant, coefficient and exponent of each."""
    held: HoldingColumn = HOLDING
    r_interval: Interval | None = None

    def expected(self, holding: float) -> float:
        """What a player with this holding is expected to win."""
        return float(self.constant + self.coefficient * max(holding, self.floor) ** self.exponent)

    def interval_at(self, holding: float) -> Interval | None:
        """The interval of the curve at a holding."""
        held = max(holding, self.floor)
        return _interval_of([float(model(held, *one)) for one in self.resampled])

    @property
    def note(self) -> str:
        """Whose points these are, and whether the corpus is synthetic."""
        whose = PER_EVENT if self.held.is_rating else PER_DAY
        return joined("; ", [n for n in (note_of(self.corpus), whose, self.held.note) if n])

    def table(self) -> Frame:
        names = (mark("constant"), mark("coefficient"), mark("exponent"))
        values = (self.constant, self.coefficient, self.exponent)
        rows = [
            {"term": word(n), "estimate": v, "from (95%)": low, "to (95%)": high}
            for n, v, (low, high) in zip(names, values, self.intervals, strict=True)
        ]
        rows.append({"term": "R²", "estimate": self.r_squared, **_ends(self.r_interval)})
        curve = (
            Message("e(rating) = constant + coefficient · rating^exponent")
            if self.held.is_rating
            else Message("e(MP) = constant + coefficient · MP^exponent")
        )
        title = about(self.title, curve)
        return Frame.of(title, rows, self.note)

    def curve(self) -> Frame:
        """The curve found, and that of the 2020 source."""
        if self.held.is_rating:
            moves: list[dict[str, Any]] = [
                {"rating": r, "change": self.expected(r)} | _ends(self.interval_at(r))
                for r in RATINGS
            ]
            return Frame.of(Message("Change per event"), moves, self.note)
        rows: list[dict[str, Any]] = [
            {"holding": mp, "win per day": self.expected(mp), "2020 source": source_curve(mp)}
            | _ends(self.interval_at(mp))
            for mp in CURVE
        ]
        return Frame.of(Message("Win per day"), rows, self.note)

    def averages(self) -> Frame:
        return Frame.of(Message("Range averages"), self.ranges, self.note)

    def statement(self) -> str:
        return headline(self.corpus, sentence(curve_in_words(self), dict(self.left)))

    def frames(self) -> list[Frame]:
        return [self.table(), self.curve(), self.averages()]

    @property
    def heading(self) -> str:
        return self.title

    def data(self) -> dict[str, Any]:
        return {
            "statement": self.statement(),
            "synthetic": bool(note_of(self.corpus)),
            "estimates": self.table().data(),
            "r_squared": self.r_squared,
            "r_squared_interval": self.r_interval and [self.r_interval.low, self.r_interval.high],
            "floor": self.floor,
            "left_out": dict(self.left),
            "curve": self.curve().data(),
            "ranges": self.averages().data(),
            "provenance": dict(self.provenance),
        }


def _ends(interval: Interval | None, of: str = "") -> dict[str, Any]:
    """The two ends of an interval, as columns of a table."""
    ends = (None, None) if interval is None else (interval.low, interval.high)
    return dict(zip((of + "from (95%)", of + "to (95%)"), ends, strict=True))


def model(holding: Any, constant: float, coefficient: float, exponent: float) -> Any:
    """e(MP) = constant + coefficient · MP^exponent."""
    return constant + coefficient * np.power(holding, exponent)


def fit(
    sample: PlayerDays,
    title: str = "sample",
    bootstraps: int = 60,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
    floor: float = 0.0,
    held: HoldingColumn = HOLDING,
) -> Fit:
    """Fit the curve to player-days; holdings below ``floor`` count as the floor."""
    sample = replace(sample, holding=np.maximum(sample.holding, floor))
    if len(sample.won) < 50:
        raise InputError("{count} player-days are too few to fit a curve to", count=len(sample.won))
    hold_back_few(np.unique(sample.member).tolist())
    random = np.random.default_rng(seed)
    solve = partial(_solve, bounds=_RATED if held.is_rating else _HELD)
    values = solve(sample.holding, sample.won, (0.0, 0.14, 0.4))
    again, explained = [], []
    for done in range(1, bootstraps + 1):
        drawn = _resampled(sample, random)
        again.append(solve(*drawn, values))
        explained.append(_r_squared(*drawn, again[-1]))
        if progress:
            progress(done, bootstraps)
    bounds = np.percentile(again, (2.5, 97.5), axis=0).T if again else np.full((3, 2), np.nan)
    return Fit(
        title,
        float(values[0]),
        float(values[1]),
        float(values[2]),
        _r_squared(sample.holding, sample.won, values),
        len(sample.won),
        tuple((float(low), float(high)) for low, high in bounds),
        tuple(_averages(sample, values, held, again)),
        floor=floor,
        events=len(np.unique(sample.event)),
        resampled=tuple((float(c), float(a), float(b)) for c, a, b in again),
        held=held,
        r_interval=_interval_of(explained),
    )


def _r_squared(holding: Floats, won: Floats, values: Floats) -> float:
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


_HELD = ([-50, 0, 0.01], [50, 100, 2])
_RATED = ([-500, -100, 0.01], [500, 100, 2])
"""Limits of constant, coefficient and exponent: higher-rated players may win less."""


def _solve(holding: Floats, won: Floats, start: Any, bounds: Any) -> Floats:
    values, _ = curve_fit(model, holding, won, p0=start, bounds=bounds, max_nfev=200)
    return np.asarray(values, np.float64)


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
    sample: PlayerDays, values: Floats, held: HoldingColumn, again: Sequence[Floats]
) -> list[dict[str, Any]]:
    edges = RATINGS if held.is_rating else sides.HOLDINGS
    codes = np.searchsorted(edges, sample.holding, "right") - 1
    rows: list[dict[str, Any]] = []
    for k, name in enumerate(sides.band_names(edges)):
        own = codes == k
        if _are_many(sample, own):
            formula = float(model(sample.holding[own], *values).mean())
            actual = float(sample.won[own].mean())
            sure = mean_interval(*_by_event(sample, own))
            row = {"range": name, "won": actual, "formula": formula, "sample": int(own.sum())}
            curves = [float(model(sample.holding[own], *one).mean()) for one in again]
            row |= _ends(sure) | _ends(_interval_of(curves), "formula ")
            if not held.is_rating:
                row |= {"2020 actual": RANGES[k][4], "2020 formula": RANGES[k][3]}
            rows.append(row)
    return rows


def _are_many(sample: PlayerDays, own: NDArray[np.bool_]) -> bool:
    """Whether player-days cover so many events and members that they identify nobody."""
    events, members = np.unique(sample.event[own]), np.unique(sample.member[own])
    return len(events) >= FEW_EVENTS and len(members) >= FEW_MEMBERS


def _by_event(sample: PlayerDays, own: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """The sum won by the given players and their number, event by event."""
    _, at = np.unique(sample.event[own], return_inverse=True)
    won, many = np.bincount(at, sample.won[own]), np.bincount(at)
    return won.astype(np.float64), many.astype(np.float64)


def _known(days: PlayerDays, side: Side, floor: float, corpus: Corpus) -> str:
    """The result from the player-days so far, with a rough interval of the exponent."""
    try:
        made = fit(days, name_of(side), _ROUGHLY, floor=floor, held=held_under(side))
        made = replace(made, corpus=corpus)
    except (InputError, RuntimeError):  # too few yet
        return ""
    low, high = made.intervals[2]
    return Message(
        "{answer} The exponent lies from about {low} to {high}.",
        answer=made.statement(),
        low=f"{low:.2f}",
        high=f"{high:.2f}",
    )


def fit_corpus(
    corpus: Corpus,
    named: str | Side,
    sessions: int = 2,
    only: Only | None = None,
    bootstraps: int = 60,
    seed: int = 1,
    progress: Callable[..., None] = lambda *_: None,
    floor: float = 0.0,
    on: str = "",
) -> Fit:
    """Fit the payments of a rulebook, or those actually made, to the players' holdings.

    Interim results are reported after the first tenth of the shards and each further one.
    """
    hold_back_small(corpus)
    side = as_side(named, corpus)
    pieces, known = len(pieces_of(corpus)), ""

    def taken(done: int, parts: Sequence[PlayerDays]) -> None:
        nonlocal known
        if is_tenth(done, pieces):
            known = _known(together(parts), side, floor, corpus) or known
        progress(done, pieces + bootstraps, known)

    days, left = sample_and_left(corpus, side, sessions, only, on, taken)
    known = _known(days, side, floor, corpus)
    made = fit(
        days,
        name_of(side),
        bootstraps,
        seed,
        lambda done, _: progress(pieces + done, pieces + bootstraps, known),
        floor,
        held_under(side),
    )
    stands_on = {**corpus.provenance(), "rulebook": side.hash, "seed of the bootstrap": str(seed)}
    return replace(
        made, provenance=tuple(stands_on.items()), corpus=corpus, left=tuple(left.items())
    )
