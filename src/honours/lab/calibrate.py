"""Parameters found so that aggregates are met, by a bounded least-squares optimiser."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from honours.engine.award import calculate
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.lab.answers import as_rulebook, name_of
from honours.lab.corpus import Corpus
from honours.lab.frame import Frame
from honours.lab.sweep import totals

_DIGITS = 6
_MOST = 40
_STEP = 1e-3  # awards move in cents: a smaller step of a parameter sees no change at all


@dataclass(frozen=True, slots=True)
class Aim:
    """Something to be met: a total or mean of the corpus, or the award of one calculation."""

    name: str
    wanted: float
    measure: Callable[[Rulebook], float]


@dataclass(frozen=True, slots=True)
class Calibration:
    """The parameters found, and how well each aim is met."""

    rulebook: Rulebook
    found: Rulebook
    aims: tuple[tuple[str, float, float, float], ...]
    evaluations: int
    met: bool

    def table(self) -> Frame:
        rows = [
            {"aim": n, "wanted": w, "before": b, "after": a, "off %": 100 * (a / w - 1) if w else a}
            for n, w, b, a in self.aims
        ]
        return Frame.of(f"{name_of(self.found)}, found from {name_of(self.rulebook)}", rows)

    def statement(self) -> str:
        changes = {k: v for k, v in self.found.amended.items() if self.rulebook.amended.get(k) != v}
        said = ", ".join(f"{k}={v}" for k, v in changes.items())
        verb = "would meet every aim to 0.1%" if self.met else "comes nearest to the aims"
        return f"{self.rulebook.id} with {said} {verb}, compared with {name_of(self.rulebook)}."

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.statement())}</p>{self.table().html()}"

    def data(self) -> dict[str, Any]:
        return {
            "statement": self.statement(),
            "parameters": dict(self.found.amended),
            "aims": self.table().data(),
            "evaluations": self.evaluations,
            "provenance": self.provenance(),
        }

    def provenance(self) -> dict[str, str]:
        return {"rulebook": self.rulebook.hash, "found": self.found.hash}


def total_aim(corpus: Corpus, wanted: float) -> Aim:
    """All points to players of the corpus."""
    shards = [s for s in corpus if len(s.ids)]
    return Aim("total", wanted, lambda book: float(totals(book, shards)["total"]))


def award_aim(given: Mapping[str, str], place: int, wanted: float) -> Aim:
    """The award at a place of a calculation from bare figures."""
    shown = " ".join(f"{k}={v}" for k, v in given.items())
    return Aim(f"place {place} of {shown}", wanted, lambda book: award_at(book, given, place))


def award_at(book: Rulebook, given: Mapping[str, str], place: int) -> float:
    """What a place of a calculation from bare figures is paid."""
    for awards in calculate(book, given):
        for award in awards.schedule:
            if award.standing.place == place:
                return float(award.amount)
    return 0.0


@dataclass
class _Search:
    """The rulebooks an optimiser tries, and what each measured."""

    book: Rulebook
    parameters: Sequence[str]
    aims: Sequence[Aim]
    scale: Any
    progress: Callable[[int, int], None]
    found: dict[tuple[float, ...], list[float]] = field(default_factory=dict)

    def amended(self, x: Any) -> Rulebook:
        texts = (f"{v:.{_DIGITS}f}" for v in np.asarray(x) * self.scale)
        return self.book.amend(dict(zip(self.parameters, texts, strict=True)))

    def off(self, x: Any) -> list[float]:
        """How far a rulebook is from each aim."""
        made = self.amended(x)
        self.found[tuple(x)] = [aim.measure(made) for aim in self.aims]
        self.progress(len(self.found), _MOST * (1 + len(self.parameters)))
        return _offs(self.found[tuple(x)], self.aims)


def calibrate(
    rulebook: str | Rulebook,
    parameters: Sequence[str],
    aims: Sequence[Aim],
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Calibration:
    """Change the parameters so that the aims are met as nearly as they can be.

    ``progress`` is told how many rulebooks were tried, of how many at most.
    """
    book = as_rulebook(rulebook)
    if not parameters or not aims:
        raise InputError("calibrate needs at least one parameter and one aim")
    start = np.array([float(_value(book, p)) for p in parameters])
    scale = np.where(start == 0, 1.0, np.abs(start))
    tried = _Search(book, parameters, aims, scale, progress)
    limits = {"xtol": 1e-7, "ftol": 1e-9, "max_nfev": _MOST}
    solved = least_squares(tried.off, start / scale, diff_step=_STEP, **limits)
    found = tried.found
    progress(len(found), len(found))
    point = min(found, key=lambda x: sum(o * o for o in _offs(found[x], aims)))
    rows = zip(aims, found[tuple(start / scale)], found[point], strict=True)
    return Calibration(
        book,
        tried.amended(point),
        tuple((a.name, a.wanted, b, f) for a, b, f in rows),
        int(solved.nfev),
        all(abs(o) < 1e-3 for o in _offs(found[point], aims)),
    )


def _offs(found: Sequence[float], aims: Sequence[Aim]) -> list[float]:
    return [f / a.wanted - 1 if a.wanted else f for f, a in zip(found, aims, strict=True)]


def _value(book: Rulebook, parameter: str) -> Fraction:
    name, _, item = parameter.partition(".")
    if name not in book.parameters:
        book.amend({parameter: "1"})  # says which parameters there are
    value: Any = book.parameters[name].value
    value = value[item] if item and isinstance(value, Mapping) else value
    if not isinstance(value, Fraction):
        raise InputError(f"{parameter} is not a number and cannot be calibrated")
    return value
