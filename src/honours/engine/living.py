"""Points that live: what time and acts make of a member's points, as their body states it.

::

    [[living]]
    name = "rating points"
    of = ["A", "B"]                    # the kinds of points it is made of
    keeps = "0.8"                      # the part of a sum that a year's end leaves
    settled = "12-31"                  # worked out on this day, in force until the next; else daily
    clause = "…"

    [[living]]
    name = "representative points"
    of = ["total"]
    weights = [1, 1, 1, 1, 1]          # by age in years; what is older counts nothing
    years = "rolling"                  # years from the day, or (calendar) by their numbers
    resets = ["attending the championship"]
    takes = { selected = 5000 }        # what an act takes off, down to 0
    clause = "…"

Nothing of this is stored: a figure is derived from the postings and the acts of a member, for any
day, and comes with its steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from honours.engine.numbers import exact, show
from honours.engine.ranks import TOTAL, citation_of
from honours.errors import InputError
from honours.model import Citation
from honours.model.message import Message


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
        """How the figure of a day came about, from the first change to the last."""
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


def read_living(tables: Iterable[Mapping[str, Any]]) -> tuple[LivingPoints, ...]:
    """The living points as ``rulebook.toml`` states them."""
    return tuple(_living(table) for table in tables)


def _living(table: Mapping[str, Any]) -> LivingPoints:
    name, years = table["name"], table.get("years", "calendar")
    if years not in ("calendar", "rolling"):
        raise InputError(
            "{name}: years is calendar or rolling, not {years}", name=name, years=years
        )
    if "weights" in table and "keeps" in table:
        raise InputError("{name}: has weights by age, or keeps a part, and not both", name=name)
    settled = table.get("settled", "")
    if settled:
        try:
            date.fromisoformat(f"2023-{settled}")
        except ValueError as error:
            raise InputError(
                "{name}: settled is a day of the year as 12-31, not {day}", name=name, day=settled
            ) from error
    return LivingPoints(
        name,
        tuple(table["of"]),
        citation_of(table),
        exact(table.get("keeps", 1)),
        settled,
        tuple(map(exact, table.get("weights", ()))),
        years,
        tuple(table.get("resets", ())),
        {act: exact(points) for act, points in table.get("takes", {}).items()},
    )
