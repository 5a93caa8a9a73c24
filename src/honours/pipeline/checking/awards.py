"""The awards that a file states, and ours by every rulebook and reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from honours.engine.award import award
from honours.engine.event_awards import EventAwards
from honours.engine.numbers import show
from honours.engine.ranking import WHOLE_EVENT
from honours.engine.rulebook import Rulebook
from honours.engine.rules import public
from honours.errors import InputError, MissingInput
from honours.model import Award, Awards, Event, EventEntrant, Value
from honours.model.message import Message, joined, mark, word
from honours.pipeline.account import Account
from honours.pipeline.checking.figures import (
    CandidateReading,
    FigureCheck,
    PublishedFigure,
    check,
)
from honours.pipeline.report import Report, awarded, ranked
from honours.pipeline.rulebook_choice import fitting

# --- why an award differs -------------------------------------------------------------------------


_NEAR = 8
"""So many more or fewer tables or entrants are tried."""
DECIMALS = 2
"""Of the points that are compared."""


@dataclass(frozen=True, slots=True)
class DifferingAward:
    """An entrant whose award differs; ``in_file`` has everybody's place and award in the file."""

    book: Rulebook
    awards: EventAwards
    entrant: EventEntrant
    published: Fraction
    in_file: Mapping[str, tuple[Value | None, Fraction]]

    @property
    def who(self) -> str:
        return self.entrant.entrant.id

    def of_all_lists(self) -> Iterator[tuple[Awards, Award]]:
        for awards in self.awards.lists:
            for item in awards.schedule:
                if item.standing.entrant.id == self.who:
                    yield awards, item

    def is_about(self, amount: Fraction, other: Fraction) -> bool:
        """Return whether two amounts are the same but for how a share is rounded."""
        return abs(amount - other) <= Fraction(1, 10**self.book.decimals)

    def terms(self, awards: Awards, item: Award) -> dict[str, str]:
        """The values of a message about its place in a list: which, and by which clause."""
        clause = item.why.citation.clause if item.why.citation else self.book.title
        return {"place": item.standing.placing, "name": _named(awards), "clause": clause}


def cause(case: DifferingAward) -> Message | None:
    ours = case.awards.amount(case.who)
    return (
        _of_eligibility(case, ours)
        or _of_sessions(case)
        or _of_another_list(case, ours)
        or _of_refusal(case, ours)
        or _of_tie_in_the_file(case)
        or _of_tie_of_ours(case, ours)
        or _of_another_place(case)
        or _of_rule(case, ours)
    )


def _of_eligibility(case: DifferingAward, ours: Fraction) -> Message | None:
    if case.entrant.entrant.is_barred and not case.published and ours:
        return Message("the file says that the pair is not eligible")
    return None


def _of_sessions(case: DifferingAward) -> Message | None:
    """The file pays the sections of all sessions together, and holds one session."""
    earlier = case.entrant.published.get("earlier_masterpoints")
    now = case.entrant.published.get("section_masterpoints", Fraction(0))
    if not isinstance(earlier, Fraction) or not isinstance(now, Fraction):
        return None
    if case.published != earlier + now:
        return None
    return Message(
        "the file pays the sections of all sessions together: {earlier} before this one, {now} in "
        "it; we see this session alone",
        earlier=show(earlier, DECIMALS),
        now=show(now, DECIMALS),
    )


def _of_another_list(case: DifferingAward, ours: Fraction) -> Message | None:
    """Return a reason if the file paid what another of the rankings pays."""
    for awards, item in case.of_all_lists():
        if case.published and item.amount == case.published != ours:
            return Message(
                "the file pays place {place} of {name}; {rulebook} pays the better of its lists",
                rulebook=case.book.id,
                **case.terms(awards, item),
            )
    return None


def _of_refusal(case: DifferingAward, ours: Fraction) -> Message | None:
    if ours:
        return None
    refusals = [
        refusal
        for awards, item in case.of_all_lists()
        if (refusal := item.refusal or awards.refusal) is not None
    ]
    if not refusals:
        return None
    return Message(
        "{rulebook} refuses it: {reason} [{clause}]",
        rulebook=case.book.id,
        reason=refusals[0].reason,
        clause=refusals[0].citation.clause,
    )


def _of_tie_in_the_file(case: DifferingAward) -> Message | None:
    """The file has it share a place with others, and pays the mean of what we pay them."""
    for awards, item in case.of_all_lists():
        ours = {a.standing.entrant.id: a for a in awards.schedule}
        alike = [who for who in ours if case.in_file.get(who) == case.in_file[case.who]]
        shared = sum((ours[who].amount for who in alike), Fraction(0)) / len(alike)
        if len(alike) > 1 and case.is_about(shared, case.published):
            return Message(
                "the file has it share a place with {others}, and pays each the mean of what they "
                "get; here it is place {place} of {name} [{clause}]",
                others=tuple(who for who in alike if who != case.who),
                **case.terms(awards, item),
            )
    return None


def _of_tie_of_ours(case: DifferingAward, ours: Fraction) -> Message | None:
    """Its score is that of others, who share what the file pays them apart."""
    for awards, item in case.of_all_lists():
        tied = [
            a.standing.entrant.id
            for a in awards.schedule
            if a.standing.place == item.standing.place and a.standing.entrant.id in case.in_file
        ]
        paid = [case.in_file[who][1] for who in tied]
        mean = sum(paid, Fraction(0)) / len(tied) if tied else Fraction(0)
        if len(set(paid)) > 1 and case.is_about(mean, ours):
            return Message(
                "it has the score of {others} and shares place {place} of {name} with them "
                "[{clause}]; the file separates them",
                others=tuple(who for who in tied if who != case.who),
                **case.terms(awards, item),
            )
    return None


def _of_another_place(case: DifferingAward) -> Message | None:
    """Return a reason if the file paid what another place of the same list gets."""
    for awards, item in case.of_all_lists():
        for other in awards.schedule:
            if (
                case.published
                and other.amount == case.published
                and other.standing.place != item.standing.place
            ):
                template = (
                    mark(
                        "the file pays it as place {other} of {name}, by this session alone; with "
                        "what was carried over it is {place}"
                    )
                    if case.entrant.carried
                    else mark("the file pays it as place {other} of {name}, where it is {place}")
                )
                terms = case.terms(awards, item)
                return Message(template, other=other.standing.placing, **terms)
    return None


def _of_rule(case: DifferingAward, ours: Fraction) -> Message | None:
    """By which clause ours is what it is, and how much the file has of it."""
    lists_and_awards = list(case.of_all_lists())
    if not lists_and_awards:
        return Message("the pair is in no ranking list of {rulebook}", rulebook=case.book.id)
    awards, item = max(lists_and_awards, key=lambda pair: pair[1].amount)
    terms = case.terms(awards, item)
    if not ours:
        return Message(
            "place {place} of {name} is beyond those that {rulebook} pays [{clause}]",
            rulebook=case.book.id,
            **terms,
        )
    if case.published:
        return _of_another_count(case, awards, terms) or Message(
            "not explained by places, ties, lists, sessions or counts: place {place} of {name} by "
            "[{clause}]",
            **terms,
        )
    if case.entrant.carried:
        return Message(
            "place {place} of {name} with what was carried over [{clause}]; the file counts this "
            "session alone, and pays nothing for it",
            **terms,
        )
    return Message("place {place} of {name} by [{clause}]; the file pays it nothing", **terms)


def _of_another_count(
    case: DifferingAward, awards: Awards, terms: Mapping[str, object]
) -> Message | None:
    """Return a reason if the file paid what the same place gets in a field of another size."""
    facts = awards.field.facts
    for name in ("tables", "entrants"):
        counted = facts.get(name)
        if not isinstance(counted, Fraction):
            continue
        near = sorted(range(-_NEAR, _NEAR + 1), key=abs)
        for other in (counted + step for step in near if step and counted + step > 0):
            field = replace(awards.field, facts={**facts, name: other})
            try:
                [item] = award(case.book, field, in_words=False, only={case.who}).schedule
            except (InputError, ValueError):
                continue
            if item.amount == case.published:
                return Message(
                    "the file pays place {place} of {name} as of {other} {counted}, where we count "
                    "{ours} [{clause}]",
                    other=show(other, 0),
                    counted=Message(name),
                    ours=show(counted, 0),
                    **terms,
                )
    return None


def _named(awards: Awards) -> Message:
    """A ranking list in words."""
    count = len(awards.field.standings)
    label = dict(awards.field.label)
    if label.get("section") == WHOLE_EVENT:
        label["section"] = ""
    if not label:
        return Message("all {count}", count=count)
    parts = (part for name, text in label.items() for part in (word(name), text) if part)
    return Message("{label} ({count})", label=joined(" ", parts), count=count)


# --- what a file says was awarded, and ours -------------------------------------------------------


AWARD = "masterpoints"
POINTS, HUNDREDTHS = Fraction(1), Fraction(1, 100)
"""What files have: points, or hundredths of them."""
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
    """Return whether a file says what was awarded."""
    return account.played is not None and bool(published_awards(account.played))


def _first(chosen: str, readings: Sequence[CandidateReading]) -> str:
    """The chosen rulebook in the first of its readings."""
    return next((r.name for r in readings if chosen and r.name.split()[0] == chosen), "")


def published_awards(event: Event) -> dict[str, Fraction]:
    """Return each entrant's award: 0 if only others have one; empty if nobody has. Where players of
    an entrant have awards of their own, it is the highest: it was withheld from the others."""
    awards = {
        e.entrant.id: e.published.get(AWARD)
        or max((p.facts.get("own_masterpoints", 0) for p in e.entrant.players), default=None)
        for e in event.entrants
    }
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
    for one in (declared.words or tuple(declared.named)) if declared else ():
        yield f"{book.id} {asked}={one}", {**given, asked: one}


def _asked_for(book: Rulebook, report: Report, given: Mapping[str, object]) -> str:
    """Return the name of what the rulebook needs and nobody said, or an empty text."""
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
    """Return how many of the figures that tell readings apart agree."""
    return sum(figure.agrees and figure.telling for figure in figures)


def compared_by_scale(
    event: Event, book: Rulebook, awards: EventAwards, published: Mapping[str, Fraction]
) -> dict[Fraction, list[PublishedFigure]]:
    """Return the published figures beside ours, in points and in hundredths of them."""
    return {
        scale: list(_compared(event, book, awards, published, scale))
        for scale in (POINTS, HUNDREDTHS)
    }


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


# --- in what unit a file writes what it paid ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PaidUnit:
    """The unit of a file's figures in points, and how many of the figures a rulebook gives.

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
        """True if a rulebook gives most of the figures."""
        return 2 * self.agree > self.lines


def paid_as(report: Report, books: Sequence[Rulebook], known: str = "") -> PaidUnit | None:
    """Return the unit in which a file writes what it paid; ``None`` if it does not say that.

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
