"""A few curves as a picture that a page draws itself: only the lab needs a chart library."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log10
from typing import NamedTuple

LEFT, RIGHT, TOP, BOTTOM = 46, 470, 12, 205
"""The edges of the drawing in its own units, with room for figures left of it and below."""
_FIGURES = 5
_PLACES = 8
_NAMES, _LETTERS, _LINE = 150, 22, 14
"""Room for the names of curves right of where they end: how wide, how many letters, how high."""


class CurvePoint(NamedTuple):
    """A point of a curve: where along, how much, and what it says."""

    x: float
    y: float
    says: str


class Tick(NamedTuple):
    """A figure or name beside an axis, and where it stands in the drawing."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve in the units of the drawing; ``marked`` points can be pointed at."""

    name: str
    points: tuple[CurvePoint, ...]
    marked: bool
    named_at: float = 0
    """How high its name stands, so that no two are on each other."""

    @property
    def path(self) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in self.points)


@dataclass(frozen=True, slots=True)
class CurvePicture:
    """Curves on common axes; ``reached`` are the places of upright lines with their names."""

    curves: tuple[Curve, ...]
    along: tuple[Tick, ...]
    figures: tuple[Tick, ...]
    reached: tuple[Tick, ...] = ()
    right: float = RIGHT


def curve_picture(
    curves: Sequence[tuple[str, Sequence[CurvePoint]]],
    along: Iterable[tuple[float, str]],
    *,
    reached: Iterable[tuple[float, str]] = (),
    from_nothing: bool = True,
    steps: bool = False,
) -> CurvePicture:
    """Curves by name, drawn to fit; ``along`` names places below them, and ``steps`` are of what
    stays until it changes."""
    xs = [point.x for _, points in curves for point in points]
    ys = [point.y for _, points in curves for point in points]
    figures = _figures(min(0, *ys) if from_nothing else min(ys), max(ys))
    low, high = figures[0], figures[-1]
    first, wide = min(xs), (max(xs) - min(xs)) or 1
    right = RIGHT - _NAMES if len(curves) > 1 else RIGHT

    def across(x: float) -> float:
        return LEFT + (right - LEFT) * (x - first) / wide

    def up(y: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (y - low) / (high - low)

    drawn = tuple(
        Curve(name, tuple(_placed(points, across, up, steps)), marked=len(xs) < 80)
        for name, points in curves
    )
    digits = max(0, -floor(log10(figures[1] - figures[0])))
    names = {id(one.points): one for one in _named(drawn)}
    return CurvePicture(
        tuple(names[id(one.points)] for one in drawn),
        tuple(Tick(across(x), text) for x, text in along),
        tuple(Tick(up(y), f"{y:.{digits}f}") for y in figures),
        tuple(Tick(across(x), text) for x, text in reached),
        right,
    )


def _named(curves: Iterable[Curve]) -> Iterator[Curve]:
    """The curves with their names beside where they end, the highest first, none on another."""
    free = float(TOP)
    for one in sorted(curves, key=lambda one: one.points[-1].y):
        at = max(one.points[-1].y, free)
        free = at + _LINE
        name = one.name if len(one.name) <= _LETTERS else f"{one.name[: _LETTERS - 1]}…"
        yield replace(one, name=name, named_at=at)


def _placed(
    points: Sequence[CurvePoint],
    across: Callable[[float], float],
    up: Callable[[float], float],
    steps: bool,
) -> Iterator[CurvePoint]:
    before: CurvePoint | None = None
    for x, y, says in points:
        here = CurvePoint(across(x), up(y), says)
        if steps and before is not None:
            yield CurvePoint(here.x, before.y, "")
        yield here
        before = here


def _figures(low: float, high: float) -> list[float]:
    """Round figures beside the axis, from at most the least to at least the most."""
    rough = ((high - low) or abs(high) or 1) / _FIGURES
    size = 10 ** floor(log10(rough))
    step = next(size * nice for nice in (1, 2, 5, 10) if size * nice >= rough)
    least, most = floor(low / step), ceil(high / step)
    return [step * n for n in range(least, max(most, least + 1) + 1)]


def places_along(last: int) -> list[tuple[float, str]]:
    """The places that are named below a curve: whole ones."""
    return [(n, str(n)) for n in range(1, last + 1, max(1, last // _PLACES))]
