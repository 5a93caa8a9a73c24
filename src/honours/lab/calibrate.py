"""Finds parameters that meet given aggregates, with a bounded least-squares optimiser."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from honours.engine.award import calculate
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, InputError
from honours.lab.asking import UNCHANGED
from honours.lab.corpus import Corpus
from honours.lab.intervals import Interval, change_interval
from honours.lab.left_out import (
    EventTotals,
    as_rulebook,
    event_totals,
    events_to_try,
    failing,
    sentence,
)
from honours.lab.result import Frame, LabResult, headline, note_of
from honours.lab.shards import Shard
from honours.lab.sides import Side, different_units, name_of
from honours.model.message import Message, joined, mark

FIGURES = Message(
    "totals are points to players, places what each player gets; from and to: how far off a total "
    "may be with other events of the kind, in per cent"
)
_DIGITS = 6
_MOST = 40
_FAR_OFF = 1e3
_STEP = 1e-3  # awards move in cents: with a smaller step of a parameter nothing would change


@dataclass(frozen=True, slots=True)
class Aim:
    """A target: a total or mean of the corpus, or the award of one calculation."""

    name: str
    wanted: float
    measure: Callable[[Rulebook], float]
    corpus: Corpus | None = None
    left: Mapping[str, int] = field(default_factory=dict)
    sure: Callable[[Rulebook], Interval | None] | None = None


@dataclass(frozen=True, slots=True)
class Calibration(LabResult):
    """The parameters found, and how well each aim is met."""

    rulebook: Rulebook
    found: Rulebook
    aims: tuple[tuple[str, float, float, float], ...]
    evaluations: int
    met: bool
    corpus: Corpus | None = None
    left: Mapping[str, int] = field(default_factory=dict)
    sure: Mapping[str, Interval] = field(default_factory=dict)
    """For each aim, how far off it may be with other events of the kind, in per cent."""

    @property
    def sides(self) -> Sequence[Side]:
        return (self.rulebook,)

    def table(self) -> Frame:
        rows = [
            {"aim": n, "wanted": w, "before": b, "after": a, "off %": 100 * (a / w - 1) if w else a}
            | {"from (95%)": self._end(n, "low"), "to (95%)": self._end(n, "high")}
            for n, w, b, a in self.aims
        ]
        note = joined("; ", [n for n in (note_of(self.corpus), FIGURES) if n])
        title = Message(
            "{found}, found from {rulebook}",
            found=name_of(self.found),
            rulebook=name_of(self.rulebook),
        )
        return Frame.of(title, rows, note)

    def _end(self, aim: str, which: str) -> float | None:
        return getattr(self.sure[aim], which) if aim in self.sure else None

    def statement(self) -> str:
        changes = {k: v for k, v in self.found.amended.items() if self.rulebook.amended.get(k) != v}
        values = ", ".join(f"{k}={v}" for k, v in changes.items())
        text = Message(
            mark("{id} with {values} would meet every aim to 0.1%, compared with {rulebook}")
            if self.met
            else mark("{id} with {values} comes nearest to the aims, compared with {rulebook}"),
            id=self.rulebook.id,
            values=values,
            rulebook=name_of(self.rulebook),
        )
        return headline(self.corpus, sentence(text, self.left))

    def frames(self) -> list[Frame]:
        return [self.table()]

    def data(self) -> dict[str, Any]:
        return {
            "statement": self.statement(),
            "synthetic": bool(note_of(self.corpus)),
            "parameters": dict(self.found.amended),
            "aims": self.table().data(),
            "left_out": dict(self.left),
            "evaluations": self.evaluations,
            "provenance": self.provenance(),
        }

    def provenance(self) -> dict[str, str]:
        of = self.corpus.provenance() if self.corpus else {}
        return {**of, "rulebook": self.rulebook.hash, "found": self.found.hash}


def total_aim(corpus: Corpus, wanted: float, on: str = "") -> Aim:
    """All points to players of the corpus."""

    totals = _Totals(corpus, (), on)
    return Aim(Message("total"), wanted, lambda tried: totals.of(tried).total(0), corpus)


def same_total_aim(corpus: Corpus, book: Rulebook, other: Side, on: str = "") -> Aim:
    """What another side pays, in the events that both sides award."""
    if different_units(book, other):
        raise InputError(
            "{a} and {b} do not pay in the same unit: their totals cannot be made equal",
            a=book.id,
            b=other.id,
        )

    both = _Totals(corpus, (other,), on)

    def sure(tried: Rulebook) -> Interval | None:
        totals = both.of(tried)
        return change_interval(totals.to_players(1), totals.to_players(0))

    start = both.of(book)
    wanted = start.total(1)
    name = Message("total of {side}", side=name_of(other))
    return Aim(name, wanted, lambda tried: both.of(tried).total(0), corpus, start.left, sure)


@dataclass
class _Totals:
    """The totals of rulebooks tried one after another; the first is the one to start from."""

    corpus: Corpus
    beside: tuple[Side, ...]
    on: str
    spoilt: int | None = None
    """How many events the first rulebook cannot work out."""

    def of(self, tried: Rulebook) -> EventTotals:
        """The totals of a rulebook. Raises if it fails in events where the first one did not,
        because its total would lack those events."""
        totals = event_totals(self.corpus, [tried, *self.beside], on=self.on)
        if self.spoilt is None:
            self.spoilt = totals.spoilt
        elif totals.spoilt > self.spoilt:
            raise _unworkable(tried)
        return totals


def _unworkable(tried: Rulebook) -> InputError:
    return InputError("{rulebook} cannot be worked out in every event", rulebook=name_of(tried))


def award_aim(given: Mapping[str, str], place: int, wanted: float) -> Aim:
    """The award at a place, calculated from a few figures."""
    shown = " ".join(f"{k}={v}" for k, v in given.items())
    name = Message("place {place} of {given}", place=place, given=shown)
    return Aim(name, wanted, lambda book: award_at(book, given, place))


def first_aims(texts: Sequence[str], before: Rulebook) -> list[Aim]:
    """The first-place awards wanted; "unchanged" means what ``before``, the unamended rulebook,
    pays."""
    aims = []
    for text in texts:
        bare, _, wanted = text.rpartition(" = ")
        given = dict(part.partition("=")[::2] for part in bare.split())
        try:
            award = award_at(before, given, 1) if wanted == UNCHANGED else float(wanted)
        except ValueError as error:
            raise InputError("first {text!r}: expected 'key=value … = award'", text=text) from error
        aims.append(award_aim(given, 1, award))
    return aims


def award_at(book: Rulebook, given: Mapping[str, str], place: int) -> float:
    """What a place is paid, calculated from a few figures."""
    for awards in calculate(book, given, in_words=False):
        for award in awards.schedule:
            if award.standing.place == place:
                return float(award.amount)
    return 0.0


@dataclass
class _Search:
    """The rulebooks an optimiser tries, and the measurements of each."""

    book: Rulebook
    parameters: Sequence[str]
    aims: Sequence[Aim]
    scale: Any
    progress: Callable[..., None]
    sample: Shard | None = None
    found: dict[tuple[float, ...], list[float]] = field(default_factory=dict)

    def amended(self, x: Any) -> Rulebook:
        texts = (f"{v:.{_DIGITS}f}" for v in np.asarray(x) * self.scale)
        return self.book.amend(dict(zip(self.parameters, texts, strict=True)))

    def best(self) -> tuple[float, ...]:
        """The values that have come nearest so far."""
        return min(self.found, key=lambda x: sum(o * o for o in _offs(self.found[x], self.aims)))

    def _so_far(self) -> Message:
        """The values that have come nearest so far, and how far off they are."""
        best = self.best()
        off = max(map(abs, _offs(self.found[best], self.aims)))
        changes = self.amended(best).amended
        return Message(
            "nearest so far: {values}, {off}% off",
            values=", ".join(f"{name}={changes[name]}" for name in self.parameters),
            off=f"{100 * off:.2f}",
        )

    def off(self, x: Any) -> list[float]:
        """How far a rulebook is from each aim."""
        try:
            made = self.amended(x)
            if failing(made, self.sample):
                raise _unworkable(made)
            self.found[tuple(x)] = [aim.measure(made) for aim in self.aims]
        except HonoursError:  # the rulebook rejects the value, or cannot be worked out with it
            return [_FAR_OFF] * len(self.aims)
        self.progress(len(self.found), _MOST * (1 + len(self.parameters)), self._so_far())
        return _offs(self.found[tuple(x)], self.aims)


def calibrate(
    rulebook: str | Rulebook,
    parameters: Sequence[str],
    aims: Sequence[Aim],
    progress: Callable[..., None] = lambda *_: None,
) -> Calibration:
    """Change the parameters so that the aims are met as nearly as they can be.

    ``progress`` is told how many rulebooks were tried, of how many at most.
    """
    book = as_rulebook(rulebook)
    if not parameters or not aims:
        raise InputError("calibrate needs at least one parameter and one aim")
    start = np.array([float(_value(book, p)) for p in parameters])
    scale = np.where(start == 0, 1.0, np.abs(start))
    corpus = next((aim.corpus for aim in aims if aim.corpus), None)
    sample = events_to_try(corpus, book) if corpus else None
    tried = _Search(book, parameters, aims, scale, progress, sample)
    limits = {"xtol": 1e-7, "ftol": 1e-9, "max_nfev": _MOST}
    limits |= {"diff_step": _STEP}
    solved = least_squares(tried.off, start / scale, **limits)
    if not _is_met(tried, aims):
        _look_around(tried, start / scale)
        solved = least_squares(tried.off, tried.best(), **limits)
    values = tried.found
    progress(len(values), len(values))
    point = tried.best()
    rows = zip(aims, values[tuple(start / scale)], values[point], strict=True)
    made = tried.amended(point)
    sure = {aim.name: one for aim in aims if aim.sure and (one := aim.sure(made))}
    return Calibration(
        book,
        made,
        tuple((a.name, a.wanted, b, f) for a, b, f in rows),
        int(solved.nfev),
        _is_met(tried, aims),
        corpus,
        next((aim.left for aim in aims if aim.left), {}),
        sure,
    )


def _is_met(tried: _Search, aims: Sequence[Aim]) -> bool:
    return all(abs(o) < 1e-3 for o in _offs(tried.found[tried.best()], aims))


_FACTORS = (0.0, 0.1, 0.2, 0.5, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0)


def _look_around(tried: _Search, start: Any) -> None:
    """Values far from the starting point, one parameter at a time, since a slope alone may not
    lead near the aim."""
    for k in range(len(start)):
        for factor in _FACTORS:
            at = np.array(tried.best())
            at[k] = start[k] * factor
            tried.off(at)


def _offs(values: Sequence[float], aims: Sequence[Aim]) -> list[float]:
    return [f / a.wanted - 1 if a.wanted else f for f, a in zip(values, aims, strict=True)]


def _value(book: Rulebook, parameter: str) -> Fraction:
    name, _, item = parameter.partition(".")
    if name not in book.parameters:
        book.amend({parameter: "1"})  # says which parameters there are
    value: Any = book.parameters[name].value
    value = value[item] if item and isinstance(value, Mapping) else value
    if not isinstance(value, Fraction):
        raise InputError(
            "{parameter} is not a number and cannot be calibrated", parameter=parameter
        )
    return value
