"""Corrections, rulings and penalties: what was ruled, and the form that previews and makes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from honours.errors import InputError
from honours.formats.rulings import ASKED, NOTES, in_words, ruling_kind, typed_words
from honours.model.message import Message, mark
from honours.model.rights import READ, SCORE
from honours.scoring.rulings import Name, Ruling
from honours.web.events.access import stored_event
from honours.web.events.event_page import Page
from honours.web.events.operations import check_rulings_seen, rulings, to_rulings
from honours.web.events.service import OpenEvent
from honours.web.http.access import guarded_router, may, signed_before
from honours.web.http.forms import FormFields, FormTexts
from honours.web.http.problems import problem_of
from honours.web.templating import language_of, render

router = guarded_router()


@router.get("/events/{event_id}/rulings")
@may(READ, stored_event)
def every_ruling(page: Page) -> Response:
    opened, service = page.opened, page.service
    log, game = _log(opened), "go" if opened.account.is_go else "bridge"
    return page.shown(
        "rulings.html",
        log=[one for one in log if not isinstance(one[2].what, Name)],
        named=[one for one in log if isinstance(one[2].what, Name)],
        forms=[one for one in ASKED.values() if game in one.games],
        changed=service.last_change(opened, page.choices),
        replaced=service.replaced(opened, page.choices) if opened.kept.earlier else None,
    )


def _log(opened: OpenEvent) -> list[tuple[int, Message, Ruling]]:
    """Every ruling in words, the latest first, with its number."""
    names = {one.entrant.id: one.entrant.title for one in opened.entrants(as_read=True)}
    numbered = enumerate(opened.rulings, 1)
    return [(number, in_words(one, names), one) for number, one in numbered][::-1]


@router.get("/events/{event_id}/rulings/new")
@may(SCORE, stored_event)
def new_ruling(page: Page, kind: str) -> Response:
    filled = {"by": signed_before(page.request), **page.request.query_params}
    now = None
    if "board" in filled and not page.is_ranking:
        now = page.line_now(filled["board"], filled.get("pair", ""))
    return page.shown("ruling.html", now=now, form=ruling_kind(kind), notes=NOTES, filled=filled)


@router.post("/events/{event_id}/rulings/preview")
@may(SCORE, stored_event)
def preview(page: Page, form: FormFields) -> Response:
    """Show what the ruling would change, before it is made."""

    def changes(words: dict[str, Any]) -> list[str]:
        asked = (page.id, words, page.choices)
        return [*page.service.preview(*asked), *page.service.award_changes(*asked)]

    return previewed(page.request, form, changes)


def previewed(
    request: Request, form: FormTexts, changes: Callable[[dict[str, Any]], list[str]]
) -> Response:
    """Show the changes that the words of a ruling would make which nobody has signed yet, or what
    is wrong with them."""
    context: dict[str, Any] = {"problem": None, "changed": []}
    filled = {key: text for key, text in form.items() if text.strip()}
    try:
        kind = ruling_kind(form["kind"])
        context["changed"] = changes(typed_words(kind, {"by": "—", **filled}, language_of(request)))
    except InputError as error:
        context["problem"] = problem_of(error)
    return render(request, "preview.html", **context)


@router.post("/events/{event_id}/rulings")
@may(SCORE, stored_event, mark("ruled on event {event_id}"))
def make_ruling(page: Page, fields: FormFields) -> Response:
    check_rulings_seen(fields["count"], len(page.opened.rulings))
    kind = ruling_kind(fields["kind"])
    words = typed_words(kind, fields, language_of(page.request))
    page.service.rule(page.id, words, page.choices)
    return to_rulings(page.request, rulings(page.service, page.id))
