"""Rulings while play goes on: the same as later, made by the same forms."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.errors import InputError
from honours.evening.store import KeptEvening
from honours.formats.rulings import (
    ASKED,
    NOTES,
    RulingKind,
    in_words,
    read_ruling,
    ruling_kind,
    typed_words,
)
from honours.model.message import Message, mark
from honours.model.rights import DIRECT
from honours.model.table import Column, Kind, headed, table
from honours.web.evening.access import By, Kept, Service, recorded_by, stored_evening
from honours.web.evening.pages import head
from honours.web.evening.service import as_seen
from honours.web.events.operations import check_rulings_seen
from honours.web.events.ruling_pages import words_to_preview
from honours.web.http.access import guarded_router, may
from honours.web.http.forms import FormFields
from honours.web.http.problems import Problem, problem_of
from honours.web.http.requester import own_name
from honours.web.templating import render
from honours.web.texts import language_of

router = guarded_router()
_ONE = "/evenings/{evening_id}"


@router.get(_ONE + "/rulings")
@may(DIRECT, stored_evening)
def evening_rulings(request: Request, kept: Kept) -> Response:
    evening = kept.now()
    if evening.event:
        return RedirectResponse(f"/events/{evening.event}/rulings", 303)
    seen = as_seen(request, evening)
    names = {who: evening.title_of(who) for who in evening.entrants}
    rulings = [read_ruling(words) for words in seen.rulings]
    rows = [
        (str(number), in_words(one, names), one.by, one.why, one.law)
        for number, one in enumerate(rulings, 1)
    ]
    columns = [Column("number", Message("No."), Kind.PLACE), headed("ruling")]
    columns += [headed("who rules"), headed("why"), headed("law")]
    made = table("rulings", columns, rows)
    context = head(request, kept, evening)
    return render(request, "evening_rulings.html", **context, made=made, forms=ASKED.values())


@router.get(_ONE + "/rulings/new")
@may(DIRECT, stored_evening)
def new_evening_ruling(request: Request, kept: Kept, by: By, kind: str) -> Response:
    fields = {"by": by, **request.query_params}
    return _form(request, kept, ruling_kind(kind), fields)


def _form(
    request: Request,
    kept: KeptEvening,
    form: RulingKind,
    fields: dict[str, str],
    problem: Problem | None = None,
) -> Response:
    context = head(request, kept, kept.now())
    code = 422 if problem else 200
    context |= {"form": form, "notes": NOTES, "filled": fields, "problem": problem}
    return render(request, "evening_ruling.html", code, **context)


@router.post(_ONE + "/rulings/preview")
@may(DIRECT, stored_evening)
def preview(request: Request, service: Service, kept: Kept, form: FormFields) -> Response:
    """What the ruling would change, before it is made."""
    context: dict[str, Any] = {"problem": None, "changed": []}
    try:
        words = words_to_preview(request, form)
        context["changed"] = service.preview(kept, own_name(request), words)
    except InputError as error:
        context["problem"] = problem_of(error)
    return render(request, "preview.html", **context)


@router.post(_ONE + "/rulings")
@may(DIRECT, stored_evening, mark("ruled on evening {evening_id}"))
def make_evening_ruling(
    request: Request, service: Service, kept: Kept, fields: FormFields
) -> Response:
    form = ruling_kind(fields.get("kind", ""))
    check_rulings_seen(fields.get("count", ""), len(kept.now().rulings))
    try:
        signed = {**fields, "by": recorded_by(request, kept, fields.get("by", ""))}
        words = typed_words(form, signed, language_of(request))
        service.rule(kept, str(words["by"]), own_name(request), words)
    except InputError as error:
        return _form(request, kept, form, fields, problem_of(error))
    return RedirectResponse(f"/evenings/{kept.id}/rulings", 303)
