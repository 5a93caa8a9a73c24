"""Corrections, rulings and penalties: made, previewed, undone, and the standings made final."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.errors import InputError
from honours.formats.rulings import ASKED, NOTES, RulingKind, in_words, ruling_kind, typed_words
from honours.model.message import Message, mark
from honours.model.rights import READ, SCORE
from honours.scoring.rulings import Name, Ruling
from honours.web.events.access import Choices, Events, Opened, may_finish, may_rule, stored_event
from honours.web.events.choices import query_of
from honours.web.events.pages import Head, head
from honours.web.events.service import OpenEvent
from honours.web.events.standings import line_now
from honours.web.http.access import guarded_router, may
from honours.web.http.forms import FormFields, whole
from honours.web.http.problems import InTheWay, Problem, problem_of
from honours.web.http.requester import remember_name, signed_before
from honours.web.templating import render
from honours.web.texts import language_of

router = guarded_router()


@router.get("/events/{event_id}/rulings")
@may(READ, stored_event)
def every_ruling(
    request: Request, service: Events, opened: Opened, context: Head, choices: Choices
) -> Response:
    return render(
        request,
        "rulings.html",
        **context,
        log=[one for one in _log(opened) if not isinstance(one[2].what, Name)],
        named=[one for one in _log(opened) if isinstance(one[2].what, Name)],
        forms=ASKED.values(),
        changed=service.last_change(opened, choices),
        replaced=service.replaced(opened, choices) if opened.kept.earlier else None,
    )


def _log(opened: OpenEvent) -> list[tuple[int, Message, Ruling]]:
    """Every ruling in words, the latest first, with its number."""
    event = opened.as_read.played
    names = {one.entrant.id: one.entrant.title for one in event.entrants} if event else {}
    numbered = enumerate(opened.rulings, 1)
    return [(number, in_words(one, names), one) for number, one in numbered][::-1]


@router.get("/events/{event_id}/rulings/new")
@may(SCORE, stored_event)
def new_ruling(request: Request, context: Head, kind: str) -> Response:
    fields = {"by": signed_before(request), **request.query_params}
    return _form(request, context, ruling_kind(kind), fields)


def _form(
    request: Request,
    context: Head,
    form: RulingKind,
    fields: dict[str, str],
    problem: Problem | None = None,
) -> Response:
    now = None
    if "board" in fields and not context["rankings"]:
        now = line_now(context["scored"], fields["board"], fields.get("pair", ""))
    code = 422 if problem else 200
    return render(
        request,
        "ruling.html",
        code,
        **context,
        now=now,
        form=form,
        notes=NOTES,
        filled=fields,
        problem=problem,
    )


@router.post("/events/{event_id}/rulings/preview")
@may(SCORE, stored_event)
def preview(
    request: Request, service: Events, event_id: str, form: FormFields, choices: Choices
) -> Response:
    """What the ruling would change, before it is made."""
    context: dict[str, Any] = {"problem": None, "changed": []}
    try:
        words = words_to_preview(request, form)
        context["changed"] = service.preview(event_id, words, choices)
        context["changed"] += service.award_changes(event_id, words, choices)
    except InputError as error:
        context["problem"] = problem_of(error)
    return render(request, "preview.html", **context)


def words_to_preview(request: Request, form: dict[str, str]) -> dict[str, Any]:
    """The words of a ruling that nobody has signed yet."""
    filled = {key: text for key, text in form.items() if text.strip()}
    return typed_words(
        ruling_kind(form.get("kind", "")), {"by": "—", **filled}, language_of(request)
    )


@router.post("/events/{event_id}/rulings")
@may_rule
def make_ruling(
    request: Request, service: Events, opened: Opened, fields: FormFields, choices: Choices
) -> Response:
    form = ruling_kind(fields.get("kind", ""))
    check_rulings_seen(fields, len(opened.rulings))
    try:
        service.rule(opened.kept.id, typed_words(form, fields, language_of(request)), choices)
    except InputError as error:
        return _form(request, head(request, service, opened), form, fields, problem_of(error))
    return _back(request, opened.kept.id, fields)


@router.post("/events/{event_id}/final")
@may_finish
def make_final(
    request: Request, service: Events, opened: Opened, form: FormFields, choices: Choices
) -> Response:
    check_rulings_seen(form, len(opened.rulings))
    notes = {"by": form.get("by", ""), "why": form.get("why", "")}
    service.make_final(opened.kept.id, notes, choices)
    return _back(request, opened.kept.id, form)


@router.post("/events/{event_id}/undo")
@may(SCORE, stored_event, mark("undid a ruling on event {event_id}"))
def undo(request: Request, service: Events, opened: Opened, form: FormFields) -> Response:
    check_rulings_seen(form, len(opened.rulings))
    service.undo(opened.kept.id, whole(form.get("number", "")) or 0)
    return _back(request, opened.kept.id, form)


def check_rulings_seen(form: dict[str, str], count: int) -> None:
    """A form sent twice, or on an old page, does nothing the second time."""
    known = form.get("count", "")
    if known and known != str(count):
        raise InTheWay(
            Message("the rulings have changed since this page was opened; look again first")
        )


def _back(request: Request, event_id: str, form: dict[str, str]) -> Response:
    response = RedirectResponse(f"/events/{event_id}/rulings{query_of(request)}", 303)
    if form.get("by"):
        remember_name(response, form["by"])
    return response
