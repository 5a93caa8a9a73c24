"""The provenance of an award: derived, told, assumed and not used, each with its source; what is
still asked, and how it compares with what was published.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from honours.engine.known_facts import CONFIRMED
from honours.engine.numbers import show
from honours.engine.rules import titled
from honours.model import Awards, KnownFact, Origin, Value
from honours.model.facts import label_of_word
from honours.model.message import Message, every, joined, plural, word
from honours.model.table import Cell, Kind, Table, headed, table
from honours.pipeline.options import AWARDING, SCORING
from honours.reports.standings import list_title

if TYPE_CHECKING:  # a ledger's statement waits for no reader of files
    from honours.pipeline.checking.figures import FigureCheck
    from honours.pipeline.inquiry import OpenQuestion

_NAMES = ("title", "club")
"""What an event is called and whose it is stands at the head of every answer."""
_PLAIN_SOURCES = ("the results", "the ranking list", "the games", "what was given", CONFIRMED)
"""What the heading of a line says already."""


def known_once(lists: Sequence[Awards]) -> tuple[KnownFact, ...]:
    """Everything known about the lists, each fact once however many lists know it; used if one list
    uses it. Where they differ, each value names its lists."""
    facts: dict[tuple[str, Value], KnownFact] = {}
    known_in: dict[tuple[str, Value], list[int]] = {}
    for number, awards in enumerate(lists):
        for one in awards.known:
            key = (one.name, one.value)
            known_in.setdefault(key, []).append(number)
            if key not in facts or (one.used and not facts[key].used):
                facts[key] = one
    values = Counter(name for name, _ in facts)
    titles = [list_title(awards.field) or Message("the whole event") for awards in lists]
    return tuple(
        replace(one, lists=tuple(dict.fromkeys(titles[number] for number in known_in[key])))
        if values[one.name] > 1
        else one
        for key, one in facts.items()
    )


def known_data(lists: Sequence[Awards]) -> list[dict[str, Any]]:
    """As plain data: name, value, how it came to be known, from where, and whether it counted."""
    return [known_fact(one) for one in known_once(lists)]


def known_fact(one: KnownFact) -> dict[str, Any]:
    """One fact as plain data."""
    return {
        "name": one.name,
        "value": _text(one.value),
        "origin": str(one.origin),
        "source": str(one.source),
        "used": one.used,
        **({} if one.instead is None else {"instead_of": _text(one.instead)}),
        **({"lists": [str(name) for name in one.lists]} if one.lists else {}),
    }


def known_of(data: Iterable[Mapping[str, Any]]) -> tuple[KnownFact, ...]:
    """The facts that :func:`known_data` wrote, read back; every value is a text by then."""
    return tuple(
        KnownFact(
            one["name"],
            one["value"],
            Origin(one["origin"]),
            one["source"],
            one["used"],
            one.get("instead_of"),
            lists=tuple(one.get("lists", ())),
        )
        for one in data
    )


def known_lines(lists: Sequence[Awards], as_typed: bool = False) -> tuple[Message, ...]:
    """In a line each: what was derived, told, assumed, and not used; in words, or ``as_typed`` on
    a command line."""
    return lines_of_known(known_once(lists), as_typed)


def lines_of_known(known: Iterable[KnownFact], as_typed: bool = False) -> tuple[Message, ...]:
    """In a line each: what of this was derived, told, assumed, and not used."""
    facts = [one for one in known if one.name not in _NAMES]

    def line(
        words: Callable[[tuple[str, ...]], Message], wanted: Sequence[KnownFact]
    ) -> list[Message]:
        return [words(tuple(_shown(one, as_typed) for one in wanted))] if wanted else []

    used = [one for one in facts if one.used]
    of = {o: [one for one in used if one.origin is o] for o in Origin}
    told = [one for one in of[Origin.TOLD] if one.source != CONFIRMED]
    usual = [one for one in of[Origin.TOLD] if one.source == CONFIRMED]
    idle = [one for one in facts if not one.used]
    return (
        *line(lambda shown: Message("Derived: {facts}", facts=shown), of[Origin.DERIVED]),
        *line(lambda shown: Message("Told: {facts}", facts=shown), told),
        *line(lambda shown: Message("Confirmed as usual: {facts}", facts=shown), usual),
        *line(
            lambda shown: Message("Not said, and no award depends on it: {facts}", facts=shown),
            of[Origin.IMMATERIAL],
        ),
        *line(
            lambda shown: Message("Assumed, because nothing else is known: {facts}", facts=shown),
            of[Origin.ASSUMED],
        ),
        *line(lambda shown: Message("Known and not used: {facts}", facts=shown), idle),
    )


def _shown(one: KnownFact, as_typed: bool) -> str:
    fact = _as_typed(one) if as_typed else fact_in_words(one.name, one.value)
    if one.lists:
        fact = Message("{fact} in {lists}", fact=fact, lists=every(one.lists))
    unsaid = one.origin in (Origin.ASSUMED, Origin.IMMATERIAL)
    if unsaid or not one.used or one.source in _PLAIN_SOURCES:
        return fact
    source = one.source if "{" in one.source else word(one.source)
    return Message("{fact} ({source})", fact=fact, source=source)


def _as_typed(one: KnownFact) -> str:
    if isinstance(one.value, Message):  # nothing one would type: *of 36 players*
        return Message("{name} {value}", name=one.name, value=one.value)
    return f"{one.name}={_text(one.value)}"


def fact_in_words(name: str, value: Value) -> Message:
    """A fact as people say it: *players present: 36*."""
    return Message("{name}: {value}", name=titled(name), value=_value_in_words(_text(value)))


def _value_in_words(text: str) -> str | date:
    if text.replace("-", "").isalpha():  # a word of a few, which the catalogue knows
        return Message(label_of_word(text))
    try:
        return date.fromisoformat(text) if "-" in text else text
    except ValueError:
        return text


def _text(value: Value) -> str:
    return value if isinstance(value, str) else show(value)


# --- questions ---------------------------------------------------------------------------------


_OPTIONS = {option.name: option for option in (*SCORING, *AWARDING)}


def question_table(question: OpenQuestion) -> Table:
    """The payments of each answer, under the question."""
    columns = [headed("answer"), headed("pays", Kind.TEXT)]
    return table(
        "question",
        columns,
        [[Cell(v), Cell(p)] for v, p in question.table()],
        caption=asked(question),
    )


def asked(question: OpenQuestion) -> Message:
    """The question alone, with the clause that it is for."""
    if not question.alternatives:
        return Message("{about}", about=question.about)
    if not question.clause:
        return question.asked
    return Message("{asked} [{clause}]", asked=question.asked, clause=question.clause)


def to_type(questions: Sequence[OpenQuestion]) -> str:
    """A command line that answers the questions, with the first answer to each."""
    return " ".join(dict.fromkeys(answer for q in questions for answer in _typed(q)))


def _typed(question: OpenQuestion) -> list[str]:
    if question.of == "usual":
        return [_OPTIONS["as_usual"].flag]
    if not question.alternatives:
        return []
    possible = [a for a in question.alternatives if not a.against]
    given = (possible or question.alternatives)[0].given
    if question.of == "option":
        return [f"{_OPTIONS[name].flag} {value}" for name, value in given.items()]
    return [f"{name}={value}" for name, value in given.items()] if question.of == "event" else []


def questions_data(questions: Sequence[OpenQuestion]) -> list[dict[str, Any]]:
    """As plain data: the facts, why it matters, the clause, and what each alternative pays."""
    return [
        {
            "facts": list(q.facts),
            "of": q.of,
            "why": str(q.hint or q.about),
            "taken": q.taken,
            "clause": q.clause,
            "text": str(q.text),
            "alternatives": [
                {
                    "value": one.value,
                    "given": dict(one.given),
                    "top": list(one.outcome.top),
                    "pays": str(one.outcome.beside(q.alternatives[0].outcome)),
                    "refused": str(one.outcome.refused) if not one.outcome.top else "",
                    "asks": list(one.outcome.asks),
                    "against": str(one.against),
                }
                for one in q.alternatives
            ],
        }
        for q in questions
    ]


# --- checks ------------------------------------------------------------------------------------


_OTHERS = 6
"""The number of readings named besides the best."""


def checked_table(checked: FigureCheck) -> Table:
    """A row a difference, under a sentence that says how much agrees and by which profile."""
    return table(
        "differences",
        (
            headed("where"),
            headed("published", Kind.NUMBER),
            headed("ours", Kind.NUMBER),
            headed("why", Kind.WORD),
        ),
        [(d.where, d.published, d.ours, d.why) for d in checked.differences],
        caption=_summary(checked),
    )


def _summary(checked: FigureCheck) -> Message:
    agree = plural(
        "{agree} of {count} published figure agrees with {shown}",
        "{agree} of {count} published figures agree with {shown}",
        count=checked.lines,
        agree=checked.agree,
        shown=checked.shown,
    )
    if checked.shown == checked.best_profile:
        counts = sorted(checked.others.items(), key=lambda item: -item[1])
        others = [f"{name} {count}" for name, count in counts if name != checked.shown][:_OTHERS]
        if not others:
            return agree
        return joined("; ", [agree, Message("the next: {others}", others=tuple(others))])
    best = Message(
        "best agrees {best}: {count}",
        best=checked.best_profile,
        count=checked.others[checked.best_profile],
    )
    return joined("; ", [agree, best])
