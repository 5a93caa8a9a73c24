"""Results at a public address, and the page from which a scorer shares them."""

from __future__ import annotations

import io
from dataclasses import fields

import segno
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.model.message import Message, mark
from honours.model.rights import KEEP, OPEN, SCORE
from honours.reports.drawing import Dress
from honours.reports.sending import all_receivers
from honours.scoring.profiles import profile_names
from honours.web.events.access import Events, Opened, stored_event
from honours.web.events.award_pages import award_query
from honours.web.events.choices import query_of
from honours.web.events.pages import Head
from honours.web.http.access import anywhere, guarded_router, may
from honours.web.http.forms import FormFields
from honours.web.http.problems import NotThere
from honours.web.http.requester import club_for, clubs_to_choose
from honours.web.published import mail, service
from honours.web.published.clubs import ClubHabits, Clubs
from honours.web.templating import render

router = guarded_router()


# --- for everybody -------------------------------------------------------------------------------


@router.get("/p/{address}")
@may(OPEN)
def public(request: Request, address: str) -> Response:
    kept = service.published(request, address)
    return RedirectResponse(f"/p/{kept.address}/index.html", 303)


@router.get("/p/{address}/{page}")
@may(OPEN)
def public_page(request: Request, address: str, page: str) -> Response:
    """A page of a published event: read-only, for anybody, as it is now."""
    kept = service.published(request, address)
    if page == "club.css":
        dress = request.app.state.clubs.dress(kept.club)
        return Response(dress.sheet, media_type="text/css")
    made = service.pages(request, kept)
    if page not in made:
        raise NotThere(mark("nothing is published at this address"))
    return Response(made[page], media_type="text/html; charset=utf-8")


# --- for the scorer ------------------------------------------------------------------------------


@router.post("/events/{event_id}/publish")
@may(SCORE, stored_event, mark("published event {event_id}"))
def publish(request: Request, events: Events, opened: Opened) -> Response:
    """One button: the event has a public address, with its awards where it is pressed there."""
    query = query_of(request)
    if "rulebook" in request.query_params:
        query = award_query(request, events, opened).query(query)
    service.publish(events, opened.kept.id, query)
    return RedirectResponse(f"/events/{opened.kept.id}/published", 303)


@router.get("/events/{event_id}/published")
@may(SCORE, stored_event)
def share(request: Request, opened: Opened, context: Head) -> Response:
    """Where the results are, for a notice board, a message or an e-mail."""
    if not opened.kept.address:
        return RedirectResponse(f"/events/{opened.kept.id}", 303)
    return render(
        request,
        "published.html",
        **context,
        address=_address(request, opened.kept.address),
        dress=request.app.state.clubs.dress(opened.kept.club),
    )


def _address(request: Request, address: str) -> str:
    return f"{str(request.base_url).rstrip('/')}/p/{address}"


@router.get("/events/{event_id}/qr.svg")
@may(SCORE, stored_event)
def code(request: Request, events: Events, event_id: str) -> Response:
    """The public address as a QR code."""
    kept = events.store.get(event_id)
    if not kept.address:
        raise NotThere(mark("nothing is published at this address"))
    out = io.BytesIO()
    made = segno.make(_address(request, kept.address), error="m")
    made.save(out, kind="svg", scale=4, border=2, light="#ffffff")
    return Response(out.getvalue(), media_type="image/svg+xml")


@router.post("/events/{event_id}/unpublish")
@may(SCORE, stored_event, mark("took event {event_id} off its public address"))
def unpublish(events: Events, event_id: str) -> Response:
    service.withdraw(events, event_id)
    return RedirectResponse(f"/events/{event_id}", 303)


@router.get("/events/{event_id}/results.eml")
@may(SCORE, stored_event)
def letter(request: Request, opened: Opened) -> Response:
    """The results as an e-mail to send: a file that a mail program opens."""
    address = _address(request, opened.kept.address) if opened.kept.address else ""
    made = mail.letter(request, opened, address)
    headers = {"content-disposition": 'attachment; filename="results.eml"'}
    return Response(made, media_type="message/rfc822", headers=headers)


# --- the club -------------------------------------------------------------------------------------


@router.get("/club")
@may(KEEP, anywhere)
def club(request: Request, club: str = "") -> Response:
    clubs = clubs_to_choose(request, KEEP)
    whose = club_for(request, KEEP, club or (clubs[0] if clubs else ""))
    return _club_page(request, whose, kept=False)


def _club_page(request: Request, whose: str, *, kept: bool) -> Response:
    known: Clubs = request.app.state.clubs
    return render(
        request,
        "club.html",
        clubs=clubs_to_choose(request, KEEP),
        club=whose,
        dress=known.dress(whose),
        habits=known.habits(whose),
        profiles=profile_names(),
        receivers=list(all_receivers()),
        public=f"/c/{known.called(whose)}",
        kept=kept,
    )


@router.post("/club")
@may(KEEP, anywhere, Message("settled what is usual with a club"))
def dress_club(request: Request, form: FormFields) -> Response:
    whose = club_for(request, KEEP, form.get("club", ""))
    known: Clubs = request.app.state.clubs
    settles = "profile" in form or "year_begins" in form
    named = {one.name: form.get(one.name, "") for one in fields(ClubHabits)}
    habits = ClubHabits(**named) if settles else None
    known.settle(whose, Dress(form.get("name", ""), form.get("colour", "")), habits)
    return _club_page(request, whose, kept=True)
