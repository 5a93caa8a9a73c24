"""In what unit a file writes what it paid: points, or hundredths of them.

Decimals say points. Whole numbers say nothing, and are compared with the awards of rulebooks as
:func:`~honours.pipeline.checking.awards.check_awards` compares them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.pipeline.checking.awards import (
    agreeing,
    compared_by_scale,
    own_rulebook,
    published_awards,
    ways_to_award,
)
from honours.pipeline.report import Report, awarded

POINTS, HUNDREDTHS = Fraction(1), Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class PaidUnit:
    """What a figure of the file is in points, and how many of its figures a rulebook gives.

    ``scale`` is ``None`` where nothing tells points from hundredths; ``reading`` is the rulebook
    and what was assumed for it, ``lines`` the figures above nothing in either.
    """

    scale: Fraction | None
    reading: str = ""
    book: str = ""
    agree: int = 0
    lines: int = 0

    @property
    def is_clear(self) -> bool:
        """Whether a rulebook gives most of the figures."""
        return 2 * self.agree > self.lines


def paid_as(report: Report, books: Sequence[Rulebook], known: str = "") -> PaidUnit | None:
    """How the file of an event writes what it paid; nothing where it does not say what it paid.

    The rulebook of the program that wrote the file is tried first, in the reading that was
    ``known`` to agree with another of its events, the others only where that does not agree.
    """
    published = published_awards(report.account.event)
    if not published:
        return None
    whole = all(value.denominator == 1 for value in published.values())
    best = PaidUnit(None if whole else POINTS)
    own = own_rulebook(report.account, books)
    likely = sorted(books, key=lambda book: (book.id != known.partition(" ")[0], book.id != own))
    for book in likely if whole else [b for b in likely if b.id in (own, known.partition(" ")[0])]:
        for tried in _readings(report, book, published, known, whole):
            if tried.agree > best.agree:
                best = tried
            if best.lines and best.agree == best.lines:
                return best
        if best.is_clear:
            return best
    return best if best.is_clear or not whole else PaidUnit(None, lines=best.lines)


def _readings(
    report: Report, book: Rulebook, published: Mapping[str, Fraction], known: str, whole: bool
) -> Iterator[PaidUnit]:
    """A rulebook in every reading, in points and in hundredths where both may be."""
    for name, facts in _ways(report, book, known):
        try:
            awards = awarded(report, book, facts, in_words=False).awards
        except InputError:
            continue
        if awards is None:
            continue
        by_scale = compared_by_scale(report.account.event, book, awards, published)
        for scale, figures in by_scale.items():
            if whole or scale == POINTS:
                telling = sum(figure.telling for figure in figures)
                yield PaidUnit(scale, name, book.id, agreeing(figures), telling)


def _ways(report: Report, book: Rulebook, known: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The reading that agreed with another event first: it nearly always does again."""
    named, *options = known.split(" ")
    if named == book.id:
        yield known, dict(part.partition("=")[::2] for part in options)
    for way in ways_to_award(book, report, {}):
        if way[0] != known:
            yield way
