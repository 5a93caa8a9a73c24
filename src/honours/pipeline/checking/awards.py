"""What a file says was awarded, and ours by every rulebook and reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from honours.engine.event_awards import EventAwards
from honours.engine.names import public
from honours.engine.ranking import WHOLE_EVENT
from honours.engine.rulebook import Rulebook
from honours.errors import InputError, MissingInput
from honours.model import Award, Awards, Event, EventEntrant
from honours.model.message import Message
from honours.pipeline.account import Account
from honours.pipeline.checking.figures import Checked, Figure, Reading, check, written
from honours.pipeline.checking.scores import check_scores, publishes
from honours.pipeline.report import Report, Scorer, awarded, ranked
from honours.scoring.award_lists import is_barred
from honours.scoring.profiles import DEFAULT, profile_names

AWARD = "masterpoints"
_DECIMALS = 2
SCALES = (Fraction(1), Fraction(1, 100))
"""Files have points, or hundredths of them."""
_CLASS = "class"
_UNRANKED = "ranked_overall"


def check_awards(
    account: Account,
    books: Sequence[Rulebook],
    given: Mapping[str, object],
    chosen: str = "",
    scorer: Scorer | None = None,
) -> Checked:
    """Compare the points that a file awarded with those of every rulebook; differences are those
    from the one that agrees best, or from the ``chosen`` one. Results are scored by ``scorer``, or
    by the profile that agrees best with what the file published."""
    event = account.event
    published = published_awards(event)
    if not published:
        raise InputError("{path}: it does not say what was awarded", path=account.called)
    report = ranked(account, scorer or _profile(event))
    readings = [
        Reading(name, book.title, partial(_figures, report, book, facts, published))
        for book in books
        for name, facts in ways_to_award(book, report, given)
    ]
    likely = sorted(readings, key=partial(_likely, own_rulebook(event, books)))
    return check(likely, _first(chosen, readings))


def check_awarded(report: Report) -> Checked | None:
    """Compare the points that a file awarded with those just worked out; ``None`` where the file
    does not say what was awarded."""
    event, book, awards = report.account.event, report.book, report.awards
    published = published_awards(event)
    if not published or book is None or awards is None:
        return None
    figures = partial(_best_scaled, event, book, awards, published)
    return check([Reading(book.id, book.title, figures)])


def own_rulebook(event: Event, books: Sequence[Rulebook]) -> str:
    """The rulebook of the federation that the file's program works for, if one says so; what only
    files of a federation have goes before the program."""
    program = event.program.lower()
    for book in books:
        if any(fact in event.facts for fact in book.standing.known_by):
            return book.id
    for book in books:
        if any(name.lower() in program for name in book.standing.programs):
            return book.id
    return ""


def _likely(own: str, reading: Reading) -> tuple[bool, bool]:
    """The order in which equally good rulebooks are named: the program's own first, then readings
    that needed no guess."""
    return not reading.name.startswith(own or " "), " " in reading.name


def says_awards(account: Account) -> bool:
    """Whether a file says what was awarded."""
    return account.played is not None and bool(published_awards(account.played))


def _first(chosen: str, readings: Sequence[Reading]) -> str:
    """The chosen rulebook in the first of its readings."""
    return next((r.name for r in readings if chosen and r.name.split()[0] == chosen), "")


def _profile(event: Event) -> str:
    played = any(session.results for session in event.sessions)
    if event.scoring != "matchpoints" or not played or not publishes(event):
        return DEFAULT
    best = check_scores([event]).best_profile
    return best if best in profile_names() else DEFAULT


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
    if _UNRANKED in book.inputs and _UNRANKED not in given and _sections_alone(event):
        yield f"{book.id} {_UNRANKED}=no", {**given, _UNRANKED: "no"}
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


def _sections_alone(event: Event) -> bool:
    """Whether a file has places of its sections and none of the whole event."""
    names = {name for entrant in event.entrants for name in entrant.published}
    return any(name.startswith("section_place.") for name in names) and not any(
        name.startswith("overall_place.") for name in names
    )


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
) -> list[Figure]:
    awards = awarded(report, book, given, in_words=False).awards
    assert awards is not None
    return _best_scaled(report.account.event, book, awards, published)


def _best_scaled(
    event: Event, book: Rulebook, awards: EventAwards, published: Mapping[str, Fraction]
) -> list[Figure]:
    """The comparison in points or in hundredths of them, whichever agrees in more."""
    by_scale = compared_by_scale(event, book, awards, published)
    return max(by_scale.values(), key=agreeing)


def agreeing(figures: Sequence[Figure]) -> int:
    """How many of the figures that tell readings apart agree."""
    return sum(figure.agrees and figure.telling for figure in figures)


def compared_by_scale(
    event: Event, book: Rulebook, awards: EventAwards, published: Mapping[str, Fraction]
) -> dict[Fraction, list[Figure]]:
    """What was published beside ours, in points and in hundredths of them."""
    return {scale: list(_compared(event, book, awards, published, scale)) for scale in SCALES}


def _compared(
    event: Event,
    book: Rulebook,
    awards: EventAwards,
    published: Mapping[str, Fraction],
    scale: Fraction,
) -> Iterator[Figure]:
    for entrant in event.entrants:
        who = entrant.entrant.id
        value = published[who] * scale
        cause = partial(_cause, _Case(book, awards, entrant, value))
        ours = awards.amount(who)
        telling = bool(value or ours)
        yield Figure(f"{who}, {book.unit}", value, ours, _DECIMALS, cause, telling)


@dataclass(frozen=True, slots=True)
class _Case:
    """An entrant whose award differs."""

    book: Rulebook
    awards: EventAwards
    entrant: EventEntrant
    published: Fraction

    @property
    def who(self) -> str:
        return self.entrant.entrant.id

    def of_all_lists(self) -> Iterator[tuple[Awards, Award]]:
        for awards in self.awards.lists:
            for item in awards.schedule:
                if item.standing.entrant.id == self.who:
                    yield awards, item


def _cause(case: _Case) -> Message | None:
    ours = case.awards.amount(case.who)
    return (
        _of_eligibility(case, ours)
        or _of_sessions(case)
        or _of_another_list(case, ours)
        or _of_refusal(case, ours)
        or _of_another_place(case)
        or _of_rule(case, ours)
    )


def _of_eligibility(case: _Case, ours: Fraction) -> Message | None:
    if is_barred(case.entrant) and not case.published and ours:
        return Message("the file says that the pair is not eligible")
    return None


def _of_sessions(case: _Case) -> Message | None:
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
        earlier=written(earlier, _DECIMALS),
        now=written(now, _DECIMALS),
    )


def _of_another_list(case: _Case, ours: Fraction) -> Message | None:
    """What the file paid is what another of the rankings pays."""
    for awards, item in case.of_all_lists():
        if case.published and item.amount == case.published != ours:
            return Message(
                "the file pays place {place} of {name}; {rulebook} pays the better of its lists",
                place=item.standing.placing,
                name=_named(awards),
                rulebook=case.book.id,
            )
    return None


def _of_refusal(case: _Case, ours: Fraction) -> Message | None:
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


def _of_another_place(case: _Case) -> Message | None:
    """What the file paid is what another place of the same list gets."""
    for awards, item in case.of_all_lists():
        for other in awards.schedule:
            if (
                case.published
                and other.amount == case.published
                and other.standing.place != item.standing.place
            ):
                if case.entrant.carried:
                    return Message(
                        "the file pays it as place {other} of {name}, by this session alone; with "
                        "what was carried over it is {place}",
                        other=other.standing.placing,
                        name=_named(awards),
                        place=item.standing.placing,
                    )
                return Message(
                    "the file pays it as place {other} of {name}, where it is {place}",
                    other=other.standing.placing,
                    name=_named(awards),
                    place=item.standing.placing,
                )
    return None


def _of_rule(case: _Case, ours: Fraction) -> Message | None:
    """By which clause ours is what it is, and how much the file has of it."""
    lists_and_awards = list(case.of_all_lists())
    if not lists_and_awards:
        return Message("the pair is in no ranking list of {rulebook}", rulebook=case.book.id)
    awards, item = max(lists_and_awards, key=lambda pair: pair[1].amount)
    clause = item.why.citation.clause if item.why.citation else case.book.title
    if not ours:
        return Message(
            "place {place} of {name} is beyond those that {rulebook} pays [{clause}]",
            place=item.standing.placing,
            name=_named(awards),
            rulebook=case.book.id,
            clause=clause,
        )
    if not case.published:
        if case.entrant.carried:
            return Message(
                "place {place} of {name} with what was carried over [{clause}]; the file counts "
                "this session alone, and pays nothing for it",
                place=item.standing.placing,
                name=_named(awards),
                clause=clause,
            )
        return Message(
            "place {place} of {name} by [{clause}]; the file pays it nothing",
            place=item.standing.placing,
            name=_named(awards),
            clause=clause,
        )
    return Message(
        "place {place} of {name} by [{clause}]; the file has {share}% of that",
        place=item.standing.placing,
        name=_named(awards),
        clause=clause,
        share=written(100 * case.published / ours, 1),
    )


def _named(awards: Awards) -> Message:
    """A ranking list in words."""
    count = len(awards.field.standings)
    label = dict(awards.field.label)
    if label.get("section") == WHOLE_EVENT:
        label["section"] = ""
    named = " ".join(f"{name} {text}".strip() for name, text in label.items())
    if not named:
        return Message("all {count}", count=count)
    return Message("{label} ({count})", label=named, count=count)
