"""What an event is awarded, by one rulebook or two side by side, and every figure's reasons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import File, Form, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.engine.event_awards import EventAwards
from honours.engine.numbers import show
from honours.engine.rulebook import Rulebook
from honours.errors import InputError, UnknownName
from honours.model import Award, Awards
from honours.model.rights import READ
from honours.model.table import Column, Kind, Table
from honours.pipeline.inquiry import Alternative, OpenQuestion
from honours.pipeline.options import POSTING, some
from honours.reports.awards import award_table, combined_table, refusals_of
from honours.reports.provenance import known_lines
from honours.web.calculators import calculator
from honours.web.events.access import Choices, Events, Opened, may_match_members, stored_event
from honours.web.events.choices import choices_of, query_of
from honours.web.events.member_lists import kept_list, list_of
from honours.web.events.pages import Head
from honours.web.events.service import EventService, OpenEvent
from honours.web.http.access import guarded_router, may
from honours.web.http.problems import problem_of
from honours.web.templating import render

router = guarded_router()
_GIVEN = "g."
_LARGEST_LIST = 4 << 20
_POSTING = some(POSTING, "title", "points", "numbers_decide")
"""What may be said of an event that is held for release; its club is the event's."""


@dataclass(frozen=True, slots=True)
class AwardQuery:
    """Which rulebook, compared with which other, and what the file does not say."""

    rulebook: str
    against: str = ""
    entrant: str = ""
    given: dict[str, str] = field(default_factory=dict)

    def given_to(self, book: Rulebook) -> dict[str, str]:
        """What one rulebook is given; of two, each gets what it asks for."""
        if not self.against:
            return self.given
        return {key: value for key, value in self.given.items() if book.takes(key)}

    def query(self, scoring: str) -> str:
        """The address's query, with how the event is scored."""
        pairs = [("rulebook", self.rulebook), ("against", self.against), ("entrant", self.entrant)]
        pairs += [(f"{_GIVEN}{key}", value) for key, value in self.given.items()]
        text = urlencode([(key, value) for key, value in pairs if value])
        return f"?{text}" + (f"&{scoring[1:]}" if scoring else "")


def award_query(request: Request, service: EventService, opened: OpenEvent) -> AwardQuery:
    query = request.query_params
    given = {
        key.removeprefix(_GIVEN): value.strip()
        for key, value in query.multi_items()
        if key.startswith(_GIVEN) and value.strip()
    }
    chosen = query.get("rulebook") or service.proposed(opened, choices_of(request))
    return AwardQuery(chosen, query.get("against", ""), query.get("entrant", ""), given)


@router.get("/events/{event_id}/awards")
@may(READ, stored_event)
def awards(
    request: Request, service: Events, opened: Opened, context: Head, choices: Choices
) -> Response:
    asked = award_query(request, service, opened)
    context |= {"asked": asked, "books": service.offered(opened)}
    context |= {"problem": None, "other_problem": None, "tables": [], "counted": ()}
    context |= {"listed": kept_list(opened.listed), "notes": (), "posting": _POSTING}
    book = service.rulebook(asked.rulebook)
    try:
        context["notes"] = service.report(opened, choices).notes
        context |= _awarded(request, service, opened, asked)
    except InputError as error:
        context["problem"] = problem_of(error)
    problem = context["problem"]
    context["questions"] = _answers(request, opened, asked, problem.questions if problem else ())
    main, more = _controls(book, asked, problem)
    if asked.against:
        known = {one.name for one in (*main, *more)}
        other = _controls(service.rulebook(asked.against), asked, context["other_problem"])[0]
        main += [one for one in other if one.name not in known]
    context |= {"book": book, "main": main, "more": more, "base": f"/events/{opened.kept.id}"}
    context["link"] = asked.query(query_of(request))
    return render(request, "awards.html", **context)


def _awarded(
    request: Request, service: EventService, opened: OpenEvent, asked: AwardQuery
) -> dict[str, Any]:
    choices, book = choices_of(request), service.rulebook(asked.rulebook)
    report = service.awarded(opened, choices, book, asked.given_to(book))
    event_awards = report.awards
    assert event_awards is not None
    other, problem = _other(request, service, opened, asked)
    base = f"/events/{opened.kept.id}/awards"

    def link(entrant: str) -> str:
        return base + replace(asked, entrant=entrant).query(query_of(request))

    tables = [
        award_list(awards, other, link) for awards in event_awards.lists if not awards.refusal
    ]
    if event_awards.combines:
        tables.append(combined_table(book, event_awards).linked(lambda to: link(to.name)))
    known = {n.text: n for a in event_awards.lists for n in a.notices} | {
        n.text: n for n in event_awards.notices
    }
    return {
        "tables": tables,
        "few": [_paid(one) for one in tables],
        "paid_of": len(event_awards.combined),
        "refusals": refusals_of(event_awards.lists),
        "notices": list(known.values()),
        "choices": list({c.name: c for a in event_awards.lists for c in a.choices}.values()),
        "made_from": known_lines(event_awards.lists),
        "notes": report.notes,
        "counted": _counted(event_awards, asked.entrant),
        "other_problem": problem,
        "other_counted": _counted(other, asked.entrant) if other else (),
    }


def _paid(table: Table) -> int:
    """How many rows of a list are shown at first: those up to the last that is paid, if any is."""
    place = [column.key for column in table.columns].index("award")
    paid = [n for n, row in enumerate(table.rows, start=1) if row[place].value]
    return max(paid, default=0)


@dataclass(frozen=True, slots=True)
class LinkedAnswer:
    """An answer to a question, and the address at which the event is awarded with it."""

    alternative: Alternative
    pays: str
    link: str


def _answers(
    request: Request, opened: OpenEvent, asked: AwardQuery, questions: tuple[OpenQuestion, ...]
) -> list[tuple[OpenQuestion, list[LinkedAnswer]]]:
    """The questions, each with what every answer pays and leads to."""
    base, scoring = f"/events/{opened.kept.id}/awards", query_of(request)

    def link(question: OpenQuestion, one: Alternative) -> str:
        if question.of in ("usual", "option"):
            chosen = one.given or {"as_usual": "yes"}
            more = f"{scoring}&" if scoring else "?"
            return base + asked.query(more + urlencode(chosen))
        return base + replace(asked, given={**asked.given, **one.given}).query(scoring)

    def answers(question: OpenQuestion) -> list[LinkedAnswer]:
        tried = question.alternatives[:1] if question.of == "usual" else question.alternatives
        first = [one.outcome for one in tried[:1]]
        return [
            LinkedAnswer(one, one.outcome.beside(first[0]), link(question, one)) for one in tried
        ]

    return [(question, answers(question)) for question in questions]


def _other(
    request: Request, service: EventService, opened: OpenEvent, asked: AwardQuery
) -> tuple[Any, Any]:
    """The awards of the rulebook to compare with, or why there are none."""
    if not asked.against:
        return None, None
    book = service.rulebook(asked.against)
    try:
        report = service.awarded(opened, choices_of(request), book, asked.given_to(book))
        return report.awards, None
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


def _controls(book: Rulebook, asked: AwardQuery, problem: Any) -> tuple[list[Any], list[Any]]:
    """What the file could not say comes first; everything else may be said."""
    main, more = calculator.controls(book, calculator.CalculatorState(asked.given))
    wanted = {word for fault in (problem.errors if problem else ()) for word in fault.field.split()}
    every = [replace(one, slider=None, name=f"{_GIVEN}{one.name}") for one in (*main, *more)]
    first = [c for c in every if c.value or c.name.removeprefix(_GIVEN) in wanted]
    return first, [c for c in every if c not in first]


@router.post("/events/{event_id}/members")
@may_match_members
def give_members(
    request: Request,
    service: Events,
    opened: Opened,
    members_list: Annotated[UploadFile | None, File(alias="list")] = None,
    confirm: Annotated[str, Form()] = "",
    away: Annotated[str, Form()] = "",
) -> Response:
    """Keep a member list with the event, or take it away; the awards are then made from it."""
    content = members_list.file.read(_LARGEST_LIST + 1) if members_list else b""
    if len(content) > _LARGEST_LIST:
        raise InputError("a member list of more than {most} MB", most=_LARGEST_LIST >> 20)
    before = kept_list(opened.listed)
    name = (members_list.filename or "members.csv")[:200] if members_list and content else ""
    text = content.decode("utf-8", "replace") if content else before.text if before else ""
    if not text and not away:
        raise InputError("no member list: choose its file")
    kept = None if away else list_of(name or (before.name if before else ""), text, confirm)
    service.keep_members(opened.kept.id, kept)
    query = request.url.query
    return RedirectResponse(f"/events/{opened.kept.id}/awards{'?' + query if query else ''}", 303)
