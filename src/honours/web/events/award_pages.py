"""The pages of an event's awards, by one rulebook or two, with every figure's reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlencode

from fastapi import File, Form, UploadFile
from starlette.datastructures import QueryParams
from starlette.responses import Response

from honours.engine.event_awards import EventAwards
from honours.engine.numbers import show
from honours.engine.rulebook import Rulebook
from honours.engine.rules import titled
from honours.errors import InputError, MissingInput, UnknownName
from honours.model import Award, Awards
from honours.model.facts import label_of_word
from honours.model.message import Message, joined, mark, word
from honours.model.rights import READ, SCORE
from honours.model.table import Column, Kind, Table
from honours.pipeline.inquiry import Alternative, OpenQuestion
from honours.pipeline.options import POSTING, some
from honours.reports.awards import award_table, combined_table, refusals_of
from honours.reports.provenance import known_lines
from honours.web.calculators import calculator
from honours.web.calculators.controls import Control
from honours.web.events.access import stored_event
from honours.web.events.choices import choices_in, query_of
from honours.web.events.event_page import GIVEN, AwardQuery, EventPage, Page, fields_in
from honours.web.events.member_lists import kept_list, list_of
from honours.web.http.access import guarded_router, may
from honours.web.http.forms import FormFields
from honours.web.http.problems import Problem, problem_of

router = guarded_router()
_LARGEST_LIST = 4 << 20
_POSTING = some(POSTING, "title", "points", "numbers_decide")
"""What may be said of an event that is held for release; its club is the event's."""


@router.get("/events/{event_id}/awards")
@may(READ, stored_event)
def awards(page: Page) -> Response:
    if page.is_open:
        return page.shown("by_which.html", likely=page.service.likely(page.opened), base=page.here)
    asked, service = page.asked, page.service
    context: dict[str, Any] = {"problem": None, "other_problem": None, "tables": [], "counted": ()}
    context["notes"] = ()
    book = service.rulebook(asked.rulebook)
    try:
        context["notes"] = page.report.notes
        context |= _awarded(page)
    except InputError as error:
        context["problem"] = problem_of(error)
    problem = context["problem"]
    main, more = _controls(book, asked, problem)
    fits = service.offered(page.opened)
    if asked.against:
        known = {one.name for one in (*main, *more)}
        other = _controls(service.rulebook(asked.against), asked, context["other_problem"])[0]
        main += [one for one in other if one.name not in known]
    return page.shown(
        "awards.html",
        **context,
        asked=asked,
        said=page.said,
        books=[fit.book for fit in fits],
        fit=next((fit for fit in fits if fit.book.id == asked.rulebook), None),
        listed=kept_list(page.opened.listed),
        posting=_POSTING,
        questions=[_put(page, book, one) for one in problem.questions] if problem else [],
        book=book,
        main=main,
        more=more,
        base=page.here,
        link=page.link,
    )


def _awarded(page: EventPage) -> dict[str, Any]:
    asked, book = page.asked, page.service.rulebook(page.asked.rulebook)
    report = page.service.awarded(page.opened, page.choices, book, asked.given_to(book))
    event_awards = report.awards
    assert event_awards is not None
    other, problem = _other(page)

    def link(entrant: str) -> str:
        return f"{page.here}/awards{replace(asked, entrant=entrant).query(query_of(page.said))}"

    tables = [
        award_list(awards, other, link) for awards in event_awards.lists if not awards.refusal
    ]
    if event_awards.combines:
        tables.append(combined_table(book, event_awards).linked(lambda to: link(to.name)))
    notices = (*(n for a in event_awards.lists for n in a.notices), *event_awards.notices)
    return {
        "tables": tables,
        "few": [_paid(one) for one in tables],
        "paid_of": len(event_awards.combined),
        "refusals": refusals_of(event_awards.lists),
        "notices": list({notice.text: notice for notice in notices}.values()),
        "choices": list({c.name: c for a in event_awards.lists for c in a.choices}.values()),
        "made_from": known_lines(event_awards.lists),
        "notes": report.notes,
        "counted": _counted(event_awards, asked.entrant),
        "other_problem": problem,
        "other_counted": _counted(other, asked.entrant) if other else (),
    }


def _paid(table: Table) -> int:
    """Return how many rows of a list are shown at first: those up to the last that is paid."""
    place = [column.key for column in table.columns].index("award")
    paid = [n for n, row in enumerate(table.rows, start=1) if row[place].value]
    return max(paid, default=0)


@dataclass(frozen=True, slots=True)
class PutAnswer:
    """An answer, what it pays, and all that is said with it as an address has it."""

    value: str
    pays: str
    said: str
    is_nothing: bool
    against: str = ""


@dataclass(frozen=True, slots=True)
class PutQuestion:
    """A question as it is put: what each fact it is about means, and the answers; of what is usual,
    the one that confirms it, and each fact that may not be with its answers."""

    question: OpenQuestion
    meanings: Sequence[tuple[Message, str]]
    answers: Sequence[PutAnswer]
    unusual: Sequence[tuple[Message, str, Sequence[PutAnswer]]] = ()


def _put(page: EventPage, book: Rulebook, question: OpenQuestion) -> PutQuestion:
    first, usual = question.alternatives[:1], question.of == "usual"

    def put(told: Mapping[str, str], tried: Sequence[Alternative], **more: str) -> PutAnswer:
        """One answer, of which several were tried where it leads to a further question."""
        scoring = {**page.said, **(told if question.of == "option" else {}), **more}
        given = page.asked.given if question.of == "option" else {**page.asked.given, **told}
        said = replace(page.asked, given=given, entrant="").query(query_of(scoring))
        pays = dict.fromkeys(one.outcome.beside(first[0].outcome) for one in tried)
        alone = len(tried) == 1 or not told
        value = tried[0].value if alone else joined(", ", told.values())
        nothing = all(one.outcome.is_nothing for one in tried)
        against = tried[0].against
        return PutAnswer(word(label_of_word(value)), joined("; ", pays), said[1:], nothing, against)

    def answers(name: str, **more: str) -> list[PutAnswer]:
        alike: dict[tuple[tuple[str, str], ...], list[Alternative]] = {}
        for one in question.alternatives:
            told = {key: text for key, text in one.given.items() if key in question.facts}
            if not name or name in told:
                alike.setdefault(tuple(told.items()), []).append(one)
        return [put(dict(told), tried, **more) for told, tried in alike.items()]

    def about(name: str) -> str:
        return book.input(name).about if name in book.keys else ""

    if not usual:
        meanings = [(titled(name), about(name)) for name in question.facts]
        return PutQuestion(question, meanings, answers("") if first else [])
    unusual = [
        (titled(name), about(name), answers(name, as_usual="yes") if in_words else [])
        for name in question.facts
        if (declared := book.input(name)).per == "field"
        for in_words in [declared.type == "word"]
    ]
    return PutQuestion(question, [], [put({}, first, as_usual="yes")], unusual)


@router.post("/events/{event_id}/answers")
@may(READ, stored_event, mark("answered what event {event_id} was asked"))
def answer(page: Page, form: FormFields) -> Response:
    """Award the event with what was answered; for who may score it, kept with the event unless
    it cannot be so."""
    said = dict(parse_qsl(form["said"])) if "said" in form else {k: v for k, v in form.items() if v}
    if page.may_score:
        book = page.service.rulebook(said.get("rulebook") or page.asked.rulebook)
        with suppress(MissingInput):  # what more is asked comes next
            given = fields_in(QueryParams(said), GIVEN)
            asked = AwardQuery(book.id, said.get("against", ""), given=given)
            page.service.awarded(page.opened, choices_in(said), book, asked.given_to(book))
        kept = urlencode({name: text for name, text in said.items() if name != "against"})
        page.service.store.keep(replace(page.opened.kept, answers=kept))
    return page.back(f"/awards?{urlencode(said)}")


def _other(page: EventPage) -> tuple[EventAwards | None, Problem | None]:
    """The awards of the rulebook to compare with, or why there are none."""
    if not page.asked.against:
        return None, None
    book = page.service.rulebook(page.asked.against)
    given = page.asked.given_to(book)
    try:
        return page.service.awarded(page.opened, page.choices, book, given).awards, None
    except InputError as error:
        return None, problem_of(error)


def _counted(awards: EventAwards, entrant: str) -> tuple[Award, ...]:
    if not entrant:
        return ()
    if entrant not in awards.combined:
        raise UnknownName("entrant", entrant, awards.combined)
    return awards.combined[entrant]


def award_list(awards: Awards, other: EventAwards | None, link: Callable[[str], str]) -> Table:
    """A ranking list with what each place is awarded, every figure leading to its reasons."""
    table = award_table(awards).linked(lambda to: link(to.name))
    if other is None:
        return table
    entrants = [item.standing.entrant.id for item in awards.schedule]
    column = Column("against", other.lists[0].rulebook, Kind.NUMBER)
    return table.beside(column, [_shown(other, one) for one in entrants])


def _shown(awards: EventAwards, entrant: str) -> str:
    counted = awards.combined.get(entrant, ())
    return counted[0].shown if len(counted) == 1 else show(awards.amount(entrant))


def _controls(
    book: Rulebook, asked: AwardQuery, problem: Problem | None
) -> tuple[list[Control], list[Control]]:
    """Return the fields of a rulebook: first those it needs or was given, then all others."""
    main, more = calculator.controls(book, calculator.CalculatorState(asked.given))
    wanted = {word for fault in (problem.errors if problem else ()) for word in fault.field.split()}
    every = [replace(one, slider=None, name=f"{GIVEN}{one.name}") for one in (*main, *more)]
    first = [c for c in every if c.value or c.name.removeprefix(GIVEN) in wanted]
    return first, [c for c in every if c not in first]


@router.post("/events/{event_id}/members")
@may(SCORE, stored_event, mark("gave event {event_id} a member list"))
def give_members(
    page: Page,
    members_list: Annotated[UploadFile | None, File(alias="list")] = None,
    confirm: Annotated[str, Form()] = "",
    away: Annotated[str, Form()] = "",
) -> Response:
    """Keep a member list with the event, or take it away; the awards are then made from it."""
    content = members_list.file.read(_LARGEST_LIST + 1) if members_list else b""
    if len(content) > _LARGEST_LIST:
        raise InputError("a member list of more than {most} MB", most=_LARGEST_LIST >> 20)
    before = kept_list(page.opened.listed)
    if away:
        kept = None
    elif members_list and content:
        name = (members_list.filename or "members.csv")[:200]
        kept = list_of(name, content.decode("utf-8", "replace"), confirm)
    elif before:
        kept = list_of(before.name, before.text, confirm)
    else:
        raise InputError("no member list: choose its file")
    page.service.keep_members(page.id, kept)
    query = page.request.url.query
    return page.back(f"/awards{'?' + query if query else ''}")
