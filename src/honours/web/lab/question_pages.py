"""Questions to the lab: asked, watched, answered with charts, and led down to single events."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.engine.numbers import show
from honours.errors import HonoursError
from honours.lab.compare import without_members
from honours.lab.questions import QUESTIONS, Question, read_program_question, read_question
from honours.lab.result import Answer, Leads
from honours.lab.sides import AS_PAID, as_side
from honours.model import Award
from honours.model.message import Message, mark
from honours.model.rights import READ, SCORE
from honours.model.table import Column, Kind, Table, headed, table
from honours.web.http.access import asked_within, guarded_router, may, may_at
from honours.web.http.forms import FormFields
from honours.web.http.problems import NotThere
from honours.web.jobs.service import Job
from honours.web.lab.amending import AmendmentFields, RangeFields, amending, ranging, read_form
from honours.web.lab.service import LabService, lab_service
from honours.web.lab.tables import charted
from honours.web.templating import cell, language_of, render

router = guarded_router()


@router.get("/lab/{kind}")
@may(READ, asked_within)
def question(request: Request, kind: str) -> Response:
    """The form of a question; with an address that asks one, its answer or how far it is. Whoever
    may ask has it answered by following a link to it."""
    if kind not in QUESTIONS:
        raise NotThere(mark("there is no question {name}"), name=kind[:40])
    lab = lab_service(request)
    asked = read_form(kind, request.query_params, lab.books())
    job = lab.asked(asked) if asked.complete else None
    if job is None and asked.complete and may_at(request, SCORE):
        with suppress(HonoursError):  # which says more when it is asked from the form
            job = lab.ask(asked)
    return _page(request, asked, job)


@router.post("/lab/{kind}")
@may(SCORE, asked_within, mark("asked the lab: {kind}"))
def ask(request: Request, kind: str, form: FormFields) -> Response:
    asked = read_form(kind, form, lab_service(request).books())
    lab_service(request).ask(asked)
    return RedirectResponse(asked.path, 303)


def _page(request: Request, asked: Question, job: Job | None) -> Response:
    lab = lab_service(request)
    values = ({} if asked.complete else asked.declared.suggested) | dict(asked.said)
    context: dict[str, Any] = {"asked": asked, "filled": values, "job": job}
    context |= {"corpora": lab.names(), "books": list(lab.service.rulebooks())}
    context["paid"] = [{"id": AS_PAID, "title": Message("what was paid, where the corpus says")}]
    context |= {"numbers": _numbers(lab), "answer": None, "frames": []}
    fields = [one for field in asked.declared.fields for one in field.inputs(values)]
    context["fields"] = fields
    context["amendings"] = {
        field.key: _amending(lab, asked.kind, field.key, values)
        for field in fields
        if field.type == "rulebook"
    }
    context["ranging"] = _ranging(lab, values) if asked.kind == "sweep" else None
    if job is not None and job.state == "done":
        context |= {
            "answer": job.result,
            "frames": _frames(asked, job.result, language_of(request)),
        }
    return render(request, "lab_question.html", **context)


@router.get("/lab/{kind}/numbers/{field}")
@may(READ, asked_within)
def numbers(request: Request, kind: str, field: str) -> Response:
    """The numbers of the rulebook that was chosen in a field, to be changed."""
    declared = QUESTIONS[kind].fields if kind in QUESTIONS else ()
    fields = (one for own in declared for one in own.inputs(request.query_params))
    if not any(one.key == field and one.type == "rulebook" for one in fields):
        raise NotThere(mark("there is no question {name}"), name=f"{kind}/{field}"[:40])
    chosen = _amending(lab_service(request), kind, field, request.query_params)
    return render(request, "lab_numbers.html", amending=chosen)


@router.get("/lab/sweep/values")
@may(READ)
def values_of(request: Request) -> Response:
    """Fields for values of the number that was chosen."""
    number = {"parameter": request.query_params.get("parameter", "")}
    return render(request, "lab_values.html", ranging=_ranging(lab_service(request), number))


def _amending(
    lab: LabService, kind: str, field: str, values: Mapping[str, str]
) -> AmendmentFields | None:
    book = lab.books().get(values.get(field, ""))
    if book is None:
        return None
    choosing = [one.key for one in QUESTIONS[kind].fields if one.type == "parameters"]
    name = choosing[0] if choosing else ""
    return amending(field, book, values.get(f"{field}_with", ""), name, values.get(name, ""))


def _ranging(lab: LabService, values: Mapping[str, str]) -> RangeFields | None:
    book, _, parameter = values.get("parameter", "").rpartition(" ")
    return ranging("values", lab.books().get(book), parameter, values.get("values", ""))


def _numbers(lab: LabService) -> list[tuple[str, list[tuple[str, str]]]]:
    """Every number that can be tried, by rulebook, with what it is now."""
    return [
        (
            book.id,
            [
                (p.name, show(p.value))
                for p in book.parameters.values()
                if isinstance(p.value, Fraction)
            ],
        )
        for book in lab.service.rulebooks()
    ]


def _frames(
    asked: Question, answer: Answer, language: str
) -> list[tuple[Table, dict[str, Any] | None]]:
    leads: Leads = {}
    if asked.kind == "compare":
        leads = {"event": lambda event: f"/lab/compare/events/{event}?{asked.query}"}
    elif asked.kind == "sweep":
        leads = {"value": lambda value: _against(asked, value)}
    frames = [charted(frame, leads, language) for frame in answer.frames]
    first = next((one for one in frames if one[1]), None)  # a chart says it at a glance
    return sorted(frames, key=lambda one: one is not first)


def _against(asked: Question, value: str) -> str:
    """The comparison of the rulebook with one value against the rulebook as it is."""
    book, _, parameter = asked.get("parameter").rpartition(" ")
    if value == "as it is":
        return ""
    query = {"corpus": asked.get("corpus"), "a": book, "b": book, "b_with": f"{parameter}={value}"}
    return read_question("compare", query).path


# --- one event ------------------------------------------------------------------------------------


@router.get("/lab/compare/events/{event}")
@may(READ, asked_within)
def one_event(request: Request, event: int, entrant: int = -1) -> Response:
    """An event under both rulebooks: every entrant's award, and both explanations of one."""
    lab = lab_service(request)
    asked = read_question("compare", request.query_params)
    arguments = asked.arguments(lab)
    corpus = arguments["corpus"]
    books = [as_side(arguments[key], corpus) for key in ("a", "b")]
    lab.hold_back_few(corpus, event)
    both = [lab.event_awards(corpus, book, event) for book in books]
    best = max(both[1], key=lambda one: both[1][one].amount)
    chosen = entrant if entrant in both[0] and entrant in both[1] else best
    facts = _facts(*corpus.find(event))
    return render(
        request,
        "lab_event.html",
        event=event,
        facts=facts,
        asked=asked,
        entrant=chosen,
        sides=[
            (book, own[chosen].shown, without_members(own[chosen].why))
            for book, own in zip(books, both, strict=True)
        ],
        everybody=_everybody(f"/lab/compare/events/{event}?{asked.query}", both),
    )


def _facts(shard: Any, row: int) -> dict[str, str]:
    facts = {name: str(column[row]) for name, column in shard.events.items() if name != "event"}
    if "date" in facts:
        facts["date"] = (date(1970, 1, 1) + timedelta(int(facts["date"]))).isoformat()
    return {name: text for name, text in facts.items() if text not in ("", "0")}


def _everybody(base: str, both: list[dict[int, Award]]) -> Table:
    a, b = both
    rows = []
    for one in sorted(set(a) & set(b), key=lambda e: (-b[e].amount, -a[e].amount, e)):
        change = b[one].amount - a[one].amount
        href = f"{base}&entrant={one}"
        rows.append(
            (
                str(a[one].standing.place),
                cell(str(one), href, "#why"),
                a[one].shown,
                b[one].shown,
                f"{float(change):+.2f}",
            )
        )
    header = (
        headed("place", Kind.PLACE),
        headed("entrant", Kind.CODE),
        Column("A", "A", Kind.NUMBER),
        Column("B", "B", Kind.NUMBER),
        headed("change", Kind.NUMBER),
    )
    return table("event", header, rows)


# --- downloads ------------------------------------------------------------------------------------


@router.get("/lab/{kind}/download/{what}")
@may(READ, asked_within)
def download(request: Request, kind: str, what: str) -> Response:
    """The answer as one page that needs no server, or as data."""
    asked = read_program_question(kind, request.query_params)
    job = lab_service(request).asked(asked)
    if job is None or job.state != "done":
        return RedirectResponse(asked.path, 303)
    answer: Answer = job.result
    if what == "report.html":
        from honours.lab.report import render as written

        content, media = written(answer), "text/html"
    elif what == "answer.json":
        from honours.lab.result import json_text

        content, media = json_text(answer.data()), "application/json"
    else:
        raise NotThere(mark("there is no download {name}"), name=what[:40])
    headers = {"content-disposition": f'attachment; filename="{kind}-{what}"'}
    return Response(content, media_type=media, headers=headers)
