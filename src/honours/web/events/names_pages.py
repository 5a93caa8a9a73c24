"""The grid of pairs and players: typed with completion, pasted from a spreadsheet, and who is
nearly called like a member accepted or refused. Nobody becomes a member here."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from honours.model.message import mark
from honours.model.rights import SCORE
from honours.web.events import names
from honours.web.events.access import Events, Opened, stored_event
from honours.web.events.pages import Head
from honours.web.events.people import people
from honours.web.http.access import guarded_router, may
from honours.web.http.forms import FormFields
from honours.web.http.requester import own_name, signed_before
from honours.web.templating import render

router = guarded_router()


@router.get("/events/{event_id}/names")
@may(SCORE, stored_event)
def name_grid(request: Request, service: Events, opened: Opened, context: Head) -> Response:
    everybody = people(request, service, opened.kept.club)
    unnumbered = names.unnumbered(opened)
    rows = names.grid(opened, everybody.among(unnumbered), names.decisions(service, opened.kept.id))
    unlike = everybody.unlike(names.numbered(opened))
    asked = {player.name: player for row in rows for player in row.players if player.meant}
    return render(
        request,
        "event_names.html",
        **context,
        rows=rows,
        unlike={name: (number, member) for (name, number), member in unlike.items()},
        kept=request.query_params.get("kept", ""),
        proposals={name: one.meant for name, one in asked.items() if not one.is_sure},
        namesakes={name: one.meant for name, one in asked.items() if one.is_sure},
    )


@router.get("/events/{event_id}/names/people")
@may(SCORE, stored_event)
def completions(request: Request, service: Events, event_id: str, q: str = "") -> Response:
    """Whom a few letters may stand for."""
    known = people(request, service, service.store.get(event_id).club)
    offered = known.completing(q[:60])
    return JSONResponse([{"name": one.name, "number": one.number} for one in offered])


@router.post("/events/{event_id}/names")
@may(SCORE, stored_event, mark("named pairs of event {event_id}"))
def keep_names(
    request: Request, event_id: str, service: Events, opened: Opened, form: FormFields
) -> Response:
    everybody = people(request, service, opened.kept.club)
    made = names.grid_rulings(opened, form, everybody.among(names.typed_names(form)))
    if made:
        service.rule_all(event_id, [{**words, "by": _who(request)} for words in made])
    return RedirectResponse(f"/events/{event_id}/names?kept={len(made)}", 303)


@router.post("/events/{event_id}/names/decide")
@may(SCORE, stored_event, mark("said who players of event {event_id} are"))
def decide(
    request: Request, event_id: str, service: Events, opened: Opened, form: FormFields
) -> Response:
    """Accept members for players, or refuse them: ``d.NAME`` is a member's number, or nothing."""
    answers = {key[2:]: number or "none" for key, number in form.items() if key.startswith("d.")}
    called = people(request, service, opened.kept.club).called(answers.values())
    made = names.member_rulings(opened, answers, called)
    if made:
        service.rule_all(event_id, [{**words, "by": _who(request)} for words in made])
    names.keep_decisions(service, event_id, answers)
    return RedirectResponse(f"/events/{event_id}/names?kept={len(made)}", 303)


def _who(request: Request) -> str:
    """Who says so: whoever signed in, else whoever ruled before in this browser."""
    return own_name(request) or signed_before(request) or "—"
