"""Rulings while play goes on: the same as later, made by the same forms."""

from __future__ import annotations

from typing import Any

from starlette.responses import RedirectResponse, Response

from honours.errors import InputError
from honours.formats.rulings import (
    ASKED,
    NOTES,
    in_words,
    read_ruling,
    ruling_kind,
    typed_words,
)
from honours.model.message import Message, mark
from honours.model.rights import DIRECT
from honours.model.table import Column, Kind, headed, table
from honours.web.evening.access import recorded_by, stored_evening
from honours.web.evening.pages import Page
from honours.web.evening.service import as_seen
from honours.web.events.operations import check_rulings_seen
from honours.web.events.ruling_pages import words_to_preview
from honours.web.http.access import guarded_router, may
from honours.web.http.forms import FormFields
from honours.web.http.problems import problem_of
from honours.web.templating import language_of, render

router = guarded_router()
_ONE = "/evenings/{evening_id}"


@router.get(_ONE + "/rulings")
@may(DIRECT, stored_evening)
def evening_rulings(page: Page) -> Response:
    evening = page.evening
    if evening.event:
        return RedirectResponse(f"/events/{evening.event}/rulings", 303)
    seen = as_seen(page.request, evening)
    names = {who: evening.title_of(who) for who in evening.entrants}
    rulings = [read_ruling(words) for words in seen.rulings]
    rows = [
        (str(number), in_words(one, names), one.by, one.why, one.law)
        for number, one in enumerate(rulings, 1)
    ]
    columns = [Column("number", Message("No."), Kind.PLACE), headed("ruling")]
    columns += [headed("who rules"), headed("why"), headed("law")]
    made = table("rulings", columns, rows)
    forms = [one for one in ASKED.values() if "bridge" in one.games]
    return page.shown("evening_rulings.html", made=made, forms=forms)


@router.get(_ONE + "/rulings/new")
@may(DIRECT, stored_evening)
def new_evening_ruling(page: Page, kind: str) -> Response:
    filled = {"by": page.by, **page.request.query_params}
    return page.shown("evening_ruling.html", form=ruling_kind(kind), notes=NOTES, filled=filled)


@router.post(_ONE + "/rulings/preview")
@may(DIRECT, stored_evening)
def preview(page: Page, form: FormFields) -> Response:
    """Show what the ruling would change, before it is made."""
    context: dict[str, Any] = {"problem": None, "changed": []}
    try:
        words = words_to_preview(page.request, form)
        context["changed"] = page.service.preview(page.kept, page.person, words)
    except InputError as error:
        context["problem"] = problem_of(error)
    return render(page.request, "preview.html", **context)


@router.post(_ONE + "/rulings")
@may(DIRECT, stored_evening, mark("ruled on evening {evening_id}"))
def make_evening_ruling(page: Page, fields: FormFields) -> Response:
    check_rulings_seen(fields.get("count", ""), len(page.evening.rulings))
    by = recorded_by(page.request, page.kept, fields.get("by", ""))
    kind = ruling_kind(fields.get("kind", ""))
    words = typed_words(kind, {**fields, "by": by}, language_of(page.request))
    page.service.rule(page.kept, by, page.person, words)
    return page.back("/rulings")
