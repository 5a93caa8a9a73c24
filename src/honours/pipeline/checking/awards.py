"""What a file says was awarded, and ours by every rulebook and reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from honours.engine.event_awards import EventAwards
from honours.engine.rulebook import Rulebook
from honours.engine.rules import public
from honours.errors import InputError, MissingInput
from honours.model import Event
from honours.pipeline.account import Account
from honours.pipeline.checking.award_causes import DECIMALS, DifferingAward, cause
from honours.pipeline.checking.figures import CandidateReading, FigureCheck, PublishedFigure, check
from honours.pipeline.report import Report, awarded, ranked
from honours.pipeline.rulebook_choice import fitting

AWARD = "masterpoints"
SCALES = (Fraction(1), Fraction(1, 100))
"""Files have points, or hundredths of them."""
_CLASS = "class"


def check_awards(
    account: Account,
    books: Sequence[Rulebook],
    given: Mapping[str, object],
    chosen: str = "",
    choices: Mapping[str, Any] | None = None,
) -> FigureCheck:
    """Compare the points that a file awarded with those of every rulebook; differences are those
    from the one that agrees best, or from the ``chosen`` one. Results are scored as the choices
    say."""
    published = published_awards(account.event) if says_awards(account) else None
    if not published:
        raise InputError("{path}: it does not say what was awarded", path=account.called)
    # What our own results make is compared; where places differ, that is a difference to tell.
    report = ranked(account, choices)
    report = replace(report, choices={**report.choices, "order": "scored"})
    readings = [
        CandidateReading(name, book.title, partial(_figures, report, book, facts, published))
        for book in books
        for name, facts in ways_to_award(book, report, given)
    ]
    likely = sorted(readings, key=partial(_likely, own_rulebook(account, books)))
    return check(likely, _first(chosen, readings))


def check_awarded(report: Report) -> FigureCheck | None:
    """Compare the points that a file awarded with those just worked out; ``None`` where the file
    does not say what was awarded."""
    event, book, awards = report.account.event, report.book, report.awards
    published = published_awards(event)
    if not published or book is None or awards is None:
        return None
    figures = partial(_best_scaled, event, book, awards, published)
    return check([CandidateReading(book.id, book.title, figures)])


def own_rulebook(account: Account, books: Sequence[Rulebook]) -> str:
    """The rulebook of the federation that the file shows, if it does."""
    return next((fit.book.id for fit in fitting(account, books) if fit.shown_by), "")


def _likely(own: str, reading: CandidateReading) -> tuple[bool, bool]:
    """The order in which equally good rulebooks are named: the program's own first, then readings
    that needed no guess."""
    return not reading.name.startswith(own or " "), " " in reading.name


def says_awards(account: Account) -> bool:
    """Whether a file says what was awarded."""
    return account.played is not None and bool(published_awards(account.played))


def _first(chosen: str, readings: Sequence[CandidateReading]) -> str:
    """The chosen rulebook in the first of its readings."""
    return next((r.name for r in readings if chosen and r.name.split()[0] == chosen), "")


def published_awards(event: Event) -> dict[str, Fraction]:
    """What each entrant was awarded; nothing, where others have something."""
    awards = {e.entrant.id: e.published.get(AWARD) for e in event.entrants}
    if not any(isinstance(value, Fraction) for value in awards.values()):
        return {}
    return {
        who: value if isinstance(value, Fraction) else Fraction(0) for who, value in awards.items()
    }


def ways_to_award(
    book: Rulebook, report: Report, given: Mapping[str, object]
) -> Iterator[tuple[str, dict[str, object]]]:
    """As it is; and with each word of what it asks for and the file does not say, or only nearly:
    the class of the event, the scale of its licence."""
    event = report.account.event
    asked = _asked_for(book, report, given)
    if not asked:
        yield book.id, dict(given)
        class_known = _CLASS in given or (
            _CLASS in event.facts and "class_nearest" not in event.facts
        )
        asked = "" if class_known else _CLASS
    declared = next((i for i in book.inputs.values() if asked and public(i.name) == asked), None)
    for word in (declared.words or tuple(declared.named)) if declared else ():
        yield f"{book.id} {asked}={word}", {**given, asked: word}


def _asked_for(book: Rulebook, report: Report, given: Mapping[str, object]) -> str:
    """What the rulebook needs and nobody said, or nothing."""
    try:
        awarded(report, book, given, in_words=False)
    except MissingInput as missing:
        return public(missing.name)
    except InputError:
        return ""
    return ""


def _figures(
    report: Report, book: Rulebook, given: Mapping[str, object], published: Mapping[str, Fraction]
) -> list[PublishedFigure]:
    awards = awarded(report, book, given, in_words=False).awards
    assert awards is not None
    return _best_scaled(report.account.event, book, awards, published)


def _best_scaled(
    event: Event, book: Rulebook, awards: EventAwards, published: Mapping[str, Fraction]
) -> list[PublishedFigure]:
    """The comparison in points or in hundredths of them, whichever agrees in more."""
    by_scale = compared_by_scale(event, book, awards, published)
    return max(by_scale.values(), key=agreeing)


def agreeing(figures: Sequence[PublishedFigure]) -> int:
    """How many of the figures that tell readings apart agree."""
    return sum(figure.agrees and figure.telling for figure in figures)


def compared_by_scale(
    event: Event, book: Rulebook, awards: EventAwards, published: Mapping[str, Fraction]
) -> dict[Fraction, list[PublishedFigure]]:
    """What was published beside ours, in points and in hundredths of them."""
    return {scale: list(_compared(event, book, awards, published, scale)) for scale in SCALES}


def _compared(
    event: Event,
    book: Rulebook,
    awards: EventAwards,
    published: Mapping[str, Fraction],
    scale: Fraction,
) -> Iterator[PublishedFigure]:
    in_file = {
        one.entrant.id: (one.published.get("place"), published[one.entrant.id] * scale)
        for one in event.entrants
    }
    for entrant in event.entrants:
        who = entrant.entrant.id
        _, value = in_file[who]
        why = partial(cause, DifferingAward(book, awards, entrant, value, in_file))
        ours = awards.amount(who)
        telling = bool(value or ours)
        yield PublishedFigure(f"{who}, {book.unit}", value, ours, DECIMALS, why, telling)
