"""Published figures and ours: one comparison for points, percentages, places and awards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from honours.engine.numbers import show
from honours.errors import InputError
from honours.model.message import Message
from honours.scoring.standings import half_up

Cause = Callable[[], Message | None]
_MOST_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """One published figure beside ours, and how to find out why they differ.

    ``decimals`` are those the file prints such figures with; ``ours`` is exact, or ``None`` where
    we give none. One that is not ``telling``, nothing beside nothing, says nothing for a reading.
    """

    where: str
    published: Fraction
    ours: Fraction | None
    decimals: int
    cause: Cause
    telling: bool = True
    agrees: bool = field(init=False)
    """Worked out once: it is asked again for every reading that is compared."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "agrees", self.ours is not None and self._is_published())

    def _is_published(self) -> bool:
        return self.ours == self.published or self.rounded == self.published

    @property
    def rounded(self) -> Fraction | None:
        """Ours with as many decimals as the file prints."""
        return None if self.ours is None else half_up(self.ours, Fraction(1, 10**self.decimals))


def place_figure(who: str, place: int, ours: int | None, why: Cause) -> PublishedFigure:
    """Somebody's published place beside ours."""
    where = Message("{who}, place", who=who)
    return PublishedFigure(where, Fraction(place), None if ours is None else Fraction(ours), 0, why)


def why_tied(place: int, ours: int, level: int) -> Message | None:
    """Say that those who share a place of ours are separated in the file."""
    if not (level > 1 and ours <= place < ours + level):
        return None
    return Message(
        "ties: {tied} have the same score and share place {place}; the file separates them",
        tied=level,
        place=ours,
    )


@dataclass(frozen=True, slots=True)
class CandidateReading:
    """A way of working the figures out: a scoring profile, or a rulebook as it was read."""

    name: str
    title: str
    figures: Callable[[], Iterable[PublishedFigure]]


@dataclass(frozen=True, slots=True)
class Difference:
    """A published figure that is not ours, in a sentence."""

    where: str
    published: str
    ours: str
    why: str


@dataclass(frozen=True, slots=True)
class FigureCheck:
    """The figures that were compared: how many agree, by which reading best, and what differs."""

    lines: int
    agree: int
    best_profile: str
    differences: tuple[Difference, ...]
    shown: str
    others: Mapping[str, int]
    """How many agree by each reading that was tried."""

    def data(self) -> dict[str, Any]:
        """Return the data that ``--json`` prints."""
        return {
            "lines": self.lines,
            "agree": self.agree,
            "best_profile": self.best_profile,
            "differences": [
                {"where": d.where, "published": d.published, "ours": d.ours, "why": str(d.why)}
                for d in self.differences
            ],
        }


def check(readings: Sequence[CandidateReading], chosen: str = "") -> FigureCheck:
    """Compare what was published with every reading, and say what differs from the best one, or
    from the one that was chosen."""
    tried = dict(_tried(readings, chosen))
    counts = {name: sum(f.agrees for f in figures) for name, figures in tried.items()}
    best = max(tried, key=lambda name: _credit(tried[name]))
    shown = chosen if chosen in tried else best
    titles = {reading.name: reading.title for reading in readings}
    agreeing: dict[str, list[str]] = {}
    for name, figures in tried.items():
        for figure in figures:
            if figure.agrees and name != shown:
                agreeing.setdefault(figure.where, []).append(name)
    differences = tuple(
        Difference(
            f.where,
            show(f.published, f.decimals),
            "" if f.rounded is None else show(f.rounded, f.decimals),
            _why(f, [(n, titles[n]) for n in agreeing.get(f.where, [])]),
        )
        for f in tried[shown]
        if not f.agrees
    )
    figures = tried[shown]
    return FigureCheck(
        len(figures), len(figures) - len(differences), best, differences, shown, counts
    )


def joined_checks(checked: Sequence[tuple[str, FigureCheck]]) -> FigureCheck:
    """The checks of all events in a file as one; every difference names its event."""
    if len(checked) == 1:
        return checked[0][1]
    results = [result for _, result in checked]
    others: Counter[str] = Counter()
    for result in results:
        others.update(result.others)
    return FigureCheck(
        sum(result.lines for result in results),
        sum(result.agree for result in results),
        ", ".join(dict.fromkeys(result.best_profile for result in results)),
        tuple(
            replace(difference, where=f"{title}, {difference.where}")
            for title, result in checked
            for difference in result.differences
        ),
        ", ".join(dict.fromkeys(result.shown for result in results)),
        others,
    )


def _credit(figures: Sequence[PublishedFigure]) -> tuple[int, int]:
    """The rank of a reading: agreeing figures that tell readings apart come first, then all that
    agree."""
    return sum(f.agrees and f.telling for f in figures), sum(f.agrees for f in figures)


def _tried(
    readings: Sequence[CandidateReading], chosen: str
) -> Iterator[tuple[str, tuple[PublishedFigure, ...]]]:
    """The figures of every reading that can be made; if none can, or the chosen one cannot, why."""
    refused: list[InputError] = []
    for reading in readings:
        try:
            yield reading.name, tuple(reading.figures())
        except InputError as error:
            if reading.name == chosen:
                raise
            refused.append(error)
    if len(refused) == len(readings):
        raise refused[0]


def _why(figure: PublishedFigure, elsewhere: Sequence[tuple[str, str]]) -> Message:
    cause = figure.cause()
    if cause is not None:
        return cause
    if elsewhere:
        name, title = elsewhere[0]
        return Message(
            "programme: profile {name} gives what was published ({title})", name=name, title=title
        )
    if figure.ours is None:
        return Message("we give no such figure")
    if figure.decimals and abs(figure.ours - figure.published) <= Fraction(1, 10**figure.decimals):
        return Message(
            "rounding: exactly it is {exact}, the last decimal was rounded otherwise",
            exact=show(figure.ours, figure.decimals + 3),
        )
    return Message("not explained by factoring, averages, penalties, programme or rounding")


def decimals_in(values: Iterable[Fraction]) -> int:
    """With how many decimals a file prints such figures: as many as the finest has."""
    finest = 0
    for value in values:
        while finest < _MOST_DECIMALS and (value * 10**finest).denominator != 1:
            finest += 1
    return finest
