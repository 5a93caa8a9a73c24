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
from honours.lab.left_out import as_rulebook, sentence
from honours.lab.result import Answer, Frame, Progress, about, unwatched
from honours.lab.shards import Shard
from honours.lab.sides import Side, different_units, name_of
from honours.lab.tallies import EventTotals, event_totals, events_to_try, failing, interval_columns
from honours.model.message import Message, mark

FIGURES = Message(
    "totals are points to players, places what each player gets; from and to: how far off a total "
    "may be with other events of the kind, in per cent"
)
_DIGITS = 6
_MOST = 40
_FAR_OFF = 1e3
_STEP = 1e-3  # awards move in cents: with a smaller step of a parameter nothing would change
_FACTORS = (0.0, 0.1, 0.2, 0.5, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0)


@dataclass(frozen=True, slots=True)
class Aim:
    """A target: a total or mean of the corpus, or the award of one calculation."""

    name: str
    wanted: float
    measure: Callable[[Rulebook], float]
    corpus: Corpus | None = None
    left: Mapping[str, int] = field(default_factory=dict)
    sure: Callable[[Rulebook], Interval | None] = lambda _: None

    def off(self, value: float) -> float:
        """Return how far a value is off, as a share of what is wanted."""
        return value / self.wanted - 1 if self.wanted else value


def total_aim(corpus: Corpus, wanted: float, on: str = "") -> Aim:
    """All points to players of the corpus."""
    totals = _Totals(corpus, (), on)
    return Aim(Message("total"), wanted, lambda tried: totals.of(tried).total(0), corpus)


def same_total_aim(corpus: Corpus, book: Rulebook, other: Side, on: str = "") -> Aim:
    """Return the aim of paying what another side pays, in the events that both sides award."""
    if different_units(book, other):
        raise InputError(
            "{a} and {b} do not pay in the same unit: their totals cannot be made equal",
            a=book.id,
            b=other.id,
        )
    both = _Totals(corpus, (other,), on)
    start = both.of(book)

    def sure(tried: Rulebook) -> Interval | None:
        ours, theirs = both.of(tried).points
        return change_interval(theirs, ours)

    name = Message("total of {side}", side=name_of(other))
    return Aim(
        name, start.total(1), lambda tried: both.of(tried).total(0), corpus, start.left, sure
    )


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
    """Return the award for a place, calculated from a few figures."""
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
    progress: Progress
    sample: Shard | None = None
    found: dict[tuple[float, ...], list[float]] = field(default_factory=dict)

    def amended(self, x: Any) -> Rulebook:
        texts = (f"{v:.{_DIGITS}f}" for v in np.asarray(x) * self.scale)
        return self.book.amend(dict(zip(self.parameters, texts, strict=True)))

    def offs(self, x: tuple[float, ...]) -> list[float]:
        return [aim.off(value) for aim, value in zip(self.aims, self.found[x], strict=True)]

    def best(self) -> tuple[float, ...]:
        """The values that have come nearest so far."""
        return min(self.found, key=lambda x: sum(off * off for off in self.offs(x)))

    @property
    def met(self) -> bool:
        return all(abs(off) < 1e-3 for off in self.offs(self.best()))

    def off(self, x: Any) -> list[float]:
        """Return how far a rulebook is from each aim."""
        try:
            made = self.amended(x)
            if failing(made, self.sample):
                raise _unworkable(made)
            self.found[tuple(x)] = [aim.measure(made) for aim in self.aims]
        except HonoursError:  # the rulebook rejects the value, or cannot be worked out with it
            return [_FAR_OFF] * len(self.aims)
        best = self.best()
        changes = self.amended(best).amended
        known = Message(
            "nearest so far: {values}, {off}% off",
            values=", ".join(f"{name}={changes[name]}" for name in self.parameters),
            off=f"{100 * max(map(abs, self.offs(best))):.2f}",
        )
        self.progress(len(self.found), _MOST * (1 + len(self.parameters)), known)
        return self.offs(tuple(x))

    def look_around(self, start: Any) -> None:
        """Try values far from the starting point, one parameter at a time, since a slope alone may
        not lead near the aim."""
        for k in range(len(start)):
            for factor in _FACTORS:
                at = np.array(self.best())
                at[k] = start[k] * factor
                self.off(at)


def calibrate(
    rulebook: str | Rulebook,
    parameters: Sequence[str],
    aims: Sequence[Aim],
    progress: Progress = unwatched,
) -> Answer:
    """Change the parameters so that the aims are met as nearly as they can be; ``progress`` is
    told how many rulebooks were tried, of how many at most."""
    book = as_rulebook(rulebook)
    if not parameters or not aims:
        raise InputError("calibrate needs at least one parameter and one aim")
    start = np.array([float(_value(book, p)) for p in parameters])
    scale = np.where(start == 0, 1.0, np.abs(start))
    corpus = next((aim.corpus for aim in aims if aim.corpus), None)
    sample = events_to_try(corpus, book) if corpus else None
    tried = _Search(book, parameters, aims, scale, progress, sample)
    limits = {"xtol": 1e-7, "ftol": 1e-9, "max_nfev": _MOST, "diff_step": _STEP}
    least_squares(tried.off, start / scale, **limits)
    if not tried.met:
        tried.look_around(start / scale)
        least_squares(tried.off, tried.best(), **limits)
    progress(len(tried.found), len(tried.found))
    before, point = tried.found[tuple(start / scale)], tried.best()
    found = tried.amended(point)
    rows = [
        {
            "aim": aim.name,
            "wanted": aim.wanted,
            "before": old,
            "after": new,
            "off %": 100 * aim.off(new) if aim.wanted else new,
            **interval_columns(aim.sure(found)),
        }
        for aim, old, new in zip(aims, before, tried.found[point], strict=True)
    ]
    changes = {k: v for k, v in found.amended.items() if book.amended.get(k) != v}
    text = Message(
        mark("{id} with {values} would meet every aim to 0.1%, compared with {rulebook}")
        if tried.met
        else mark("{id} with {values} comes nearest to the aims, compared with {rulebook}"),
        id=book.id,
        values=", ".join(f"{k}={v}" for k, v in changes.items()),
        rulebook=name_of(book),
    )
    left = next((aim.left for aim in aims if aim.left), {})
    names = f"{name_of(found)} / {name_of(book)}"
    return Answer.about(
        corpus,
        Message("{found}, found from {rulebook}", found=name_of(found), rulebook=name_of(book)),
        sentence(text, left),
        [Frame.of(about(Message("Aims"), names), rows, FIGURES)],
        sides=[book],
        rests_on={"found": found.hash},
        left=left,
        values={"parameters": dict(found.amended), "met": tried.met},
    )


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
