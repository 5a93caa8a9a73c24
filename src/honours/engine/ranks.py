"""Ranks a federation gives for points: a ladder with thresholds that may need several kinds.

::

    [[ranks]]
    name = "Scottish Master"
    needs = { total = 20000, national = 5000 }
    clause = "…"

``needs`` names kinds of points, or their colours, and how many of each, in the rulebook's unit;
``total`` is all kinds together. The ladder runs from the lowest rank to the highest. A rank with
``stars = 50`` has a star for every 50 points of the total beyond what it needs. Points of one kind
may count as another's::

    [[converts]]
    from = "C"
    into = "B"
    each = 100
    clause = "…"
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from honours.engine.numbers import show
from honours.errors import InputError
from honours.model import Citation
from honours.model.message import Message, plural

# --- ranks a federation gives for points --------------------------------------------------------

TOTAL = "total"
"""The kind of points that is the sum of all kinds."""
USUAL_KINDS = {"local": "black", "national": "red", "qualification": "white"}
"""The kinds of points that every scheme begins with, and their colours: either is its name."""
_NONE = Fraction(0)
_OTHER_NAMES = USUAL_KINDS | {colour: kind for kind, colour in USUAL_KINDS.items()}


@dataclass(frozen=True, slots=True)
class Conversion:
    """Points of one kind that count as points of another, in whole ones alone."""

    of: str = field(metadata={"key": "from"})
    into: str
    each: Fraction
    citation: Citation

    def applied(self, points: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """The points with what they count as; what is left over counts nothing."""
        whole = Fraction(_held(points, self.of) // self.each)
        others = {kind: amount for kind, amount in points.items() if kind != self.of}
        return others | {self.into: _held(others, self.into) + whole}


@dataclass(frozen=True, slots=True)
class Rank:
    """One rank, what it needs of each kind of points, and where that is stated."""

    name: str
    needs: Mapping[str, Fraction]
    citation: Citation
    stars: Fraction = Fraction(0)
    conversions: tuple[Conversion, ...] = ()

    def counted(self, points: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """Return the points of each kind after conversions, and their total."""
        held = dict(points)
        for conversion in self.conversions:
            held = conversion.applied(held)
        return held | {TOTAL: sum(held.values(), Fraction(0))}

    def stars_with(self, points: Mapping[str, Fraction]) -> int:
        """Return how many stars these points give it."""
        if not self.stars:
            return 0
        return int((self.counted(points)[TOTAL] - self.needs.get(TOTAL, 0)) // self.stars)

    def titled(self, points: Mapping[str, Fraction]) -> str:
        """The rank with the stars that these points give it."""
        count = self.stars_with(points)
        if not count:
            return self.name
        return plural("{rank}, {count} star", "{rank}, {count} stars", rank=self.name, count=count)

    def reached_with(self, counted: Mapping[str, Fraction]) -> bool:
        """Return whether these points, as they are counted, are enough."""
        return all(_held(counted, kind) >= least for kind, least in self.needs.items())

    def still_needs(self, points: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """Return the points of each kind that are still missing for it."""
        held = self.counted(points)
        missing = {kind: least - _held(held, kind) for kind, least in self.needs.items()}
        return {kind: points for kind, points in missing.items() if points > 0}


def _held(points: Mapping[str, Fraction], kind: str) -> Fraction:
    """The points of a kind, by its name or by its colour."""
    own = points.get(kind)
    return points.get(_OTHER_NAMES.get(kind, kind), _NONE) if own is None else own


def rank_reached(ranks: Sequence[Rank], points: Mapping[str, Fraction]) -> Rank | None:
    """The highest rank of a ladder, whose ranks all convert alike, that these points (kind → how
    many, without a total) are enough for."""
    counted = ranks[0].counted(points) if ranks else {}
    return next((rank for rank in reversed(ranks) if rank.reached_with(counted)), None)


# --- grades and snapshots ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grade:
    """A grade that members play in: of those with one of these ranks (an empty name is none yet),
    at least so many stars and points, and a living figure above a limit. The first that fits
    holds."""

    name: str
    ranks: tuple[str, ...]
    citation: Citation
    stars: int = 0
    needs: Mapping[str, Fraction] = field(default_factory=dict)
    figure: str = ""
    above: Fraction = Fraction(0)

    def fits(
        self, rank: Rank | None, points: Mapping[str, Fraction], figures: Mapping[str, Fraction]
    ) -> bool:
        """Return whether it is the grade of who has this rank, these points and figures."""
        stars = rank.stars_with(points) if rank else 0
        enough = all(_held(points, kind) >= least for kind, least in self.needs.items())
        high = not self.figure or figures.get(self.figure, Fraction(0)) > self.above
        return (rank.name if rank else "") in self.ranks and stars >= self.stars and enough and high


@dataclass(frozen=True, slots=True)
class SnapshotDays:
    """The days of the year whose lists decide who may enter."""

    days: tuple[str, ...]
    citation: Citation

    def last(self, on: date) -> date:
        """The day whose list is in force."""
        every = (
            date.fromisoformat(f"{year}-{day}")
            for year in (on.year - 1, on.year)
            for day in self.days
        )
        return max(day for day in every if day <= on)


# --- points that live ---------------------------------------------------------------------------


class EarnedPoints(NamedTuple):
    """Points of one kind that a member earned on a day."""

    day: date
    kind: str
    points: Fraction
    title: str


class Act(NamedTuple):
    """Something a member did, or that was decided, which a body lets change their points."""

    day: date
    name: str
    title: str


class LivingStep(NamedTuple):
    """One change of a figure: when, by what, and the figure after it."""

    day: date
    what: Message
    value: Fraction


@dataclass(frozen=True, slots=True)
class LivingPoints:
    """A figure of a body's members that changes with time."""

    name: str
    of: tuple[str, ...]
    citation: Citation
    keeps: Fraction = Fraction(1)
    settled: str = ""
    weights: tuple[Fraction, ...] = ()
    years: Literal["calendar", "rolling"] = "calendar"
    resets: tuple[str, ...] = ()
    takes: Mapping[str, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.weights and self.keeps != 1:
            raise InputError("has weights by age, or keeps a part, and not both")
        try:
            date.fromisoformat(f"2023-{self.settled or '12-31'}")
        except ValueError as error:
            raise InputError(
                "settled is a day of the year as 12-31, not {day}", day=self.settled
            ) from error

    @property
    def acts(self) -> tuple[str, ...]:
        """The acts that change it."""
        return (*self.resets, *self.takes)

    def in_force(self, on: date) -> date:
        """The day up to which it is counted: the last one it was settled on, or the day itself."""
        if not self.settled:
            return on
        this_year = date.fromisoformat(f"{on.year}-{self.settled}")
        return this_year if this_year <= on else this_year.replace(year=on.year - 1)

    def steps(
        self, earned: Iterable[EarnedPoints], acts: Iterable[Act], on: date
    ) -> tuple[LivingStep, ...]:
        """Return how the figure of a day came about, from the first change to the last."""
        end = self.in_force(on)
        own = [e for e in earned if e.day <= end and (TOTAL in self.of or e.kind in self.of)]
        changing = [a for a in acts if a.day <= end and a.name in self.acts]
        # On one day points come before the acts: what is earned at a championship is gone with it.
        changes: list[EarnedPoints | Act] = [*own, *changing]
        ordered = sorted(changes, key=lambda change: (change.day, isinstance(change, Act)))
        steps = self._by_age(ordered, end) if self.weights else self._year_by_year(ordered, end)
        return tuple(steps)

    def _by_age(self, ordered: list[EarnedPoints | Act], end: date) -> Iterator[LivingStep]:
        value = Fraction(0)
        for change in ordered:
            if isinstance(change, Act):
                value = self._after(change, value)
                yield LivingStep(change.day, _act_words(change), value)
                continue
            age = end.year - change.day.year
            if self.years == "rolling" and end.timetuple()[1:3] < change.day.timetuple()[1:3]:
                age -= 1  # its day of this year is still to come
            weight = self.weights[age] if age < len(self.weights) else Fraction(0)
            value += change.points * weight
            yield LivingStep(change.day, _earned_words(change, weight), value)

    def _year_by_year(self, ordered: list[EarnedPoints | Act], end: date) -> Iterator[LivingStep]:
        value, year = Fraction(0), ordered[0].day.year if ordered else end.year
        for change in (*ordered, None):
            until = change.day.year if change else end.year
            while year < until:
                if self.keeps != 1 and value:
                    value *= self.keeps
                    words = Message("the year's end leaves {part} of it", part=show(self.keeps))
                    yield LivingStep(date(year, 12, 31), words, value)
                year += 1
            if isinstance(change, Act):
                value = self._after(change, value)
                yield LivingStep(change.day, _act_words(change), value)
            elif change:
                value += change.points
                yield LivingStep(change.day, _earned_words(change, Fraction(1)), value)

    def _after(self, act: Act, value: Fraction) -> Fraction:
        if act.name in self.resets:
            return Fraction(0)
        return max(value - self.takes[act.name], Fraction(0))


def _earned_words(earned: EarnedPoints, weight: Fraction) -> Message:
    values: dict[str, Any] = {"title": earned.title, "points": show(earned.points)}
    if weight == 1:
        return Message("{title}: {points} {kind}", kind=earned.kind, **values)
    return Message(
        "{title}: {points} {kind}, of which {part} counts",
        kind=earned.kind,
        part=show(weight),
        **values,
    )


def _act_words(act: Act) -> Message:
    return Message("{act}: {title}", act=act.name, title=act.title)


# --- a club's year ------------------------------------------------------------------------------

CALENDAR = "01-01"


def first_day(text: str) -> str:
    """The month and day on which a year begins, checked: ``09-01``, also of a whole date."""
    wanted = text.strip() or CALENDAR
    try:
        day = date.fromisoformat(wanted if len(wanted) > len(CALENDAR) else f"2001-{wanted}")
    except ValueError as error:
        raise InputError(
            "the year begins on {text}: expected a month and a day, e.g. 09-01", text=text
        ) from error
    return f"{day:%m-%d}"


def year_from(first: date) -> tuple[str, str]:
    """The first and the last day of the year that begins so."""
    leap = first.month == 2 and first.day == 29
    after = first.year + 1
    following = first.replace(year=after, day=28) if leap else first.replace(year=after)
    return first.isoformat(), (following - timedelta(days=1)).isoformat()


def year_around(day: str, begins: str = "") -> tuple[str, str]:
    """The first and the last day of the club's year that a day is in."""
    month_and_day = first_day(begins)
    if re.fullmatch(r"02-29", month_and_day):  # only in a whole date of a leap year
        month_and_day = "02-28"
    year = int(day[:4])
    first = date.fromisoformat(f"{year:04}-{month_and_day}")
    if first.isoformat() > day:
        first = first.replace(year=year - 1)
    return year_from(first)
