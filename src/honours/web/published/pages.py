"""Results at a public address, and the page from which a scorer shares them."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from functools import partial

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.evening.paper import qr
from honours.language import words
from honours.model.message import Message, mark
from honours.model.rights import OPEN, SCORE
from honours.web.events.access import Events, Opened, stored_event
from honours.web.events.documents import letter_parts
from honours.web.events.event_page import Page
from honours.web.events.service import EventService, OpenEvent
from honours.web.http.access import guarded_router, may
from honours.web.http.problems import NotThere
from honours.web.published import service

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
        dress = request.app.state.clubs.settings(kept.club).dress
        return Response(dress.sheet, media_type="text/css")
    made = service.pages(request, kept)
    if page not in made:
        raise NotThere(mark("nothing is published at this address"))
    return Response(made[page], media_type="text/html; charset=utf-8")


# --- for the scorer ------------------------------------------------------------------------------


@router.post("/events/{event_id}/publish")
@may(SCORE, stored_event, mark("published event {event_id}"))
def publish(page: Page) -> Response:
    """One button: the event has a public address, with its awards once their rules are said."""
    awarded = page.said.get("rulebook")
    service.publish(page.service, page.id, page.link if awarded else page.query)
    return page.back("/published")


@router.get("/events/{event_id}/published")
@may(SCORE, stored_event)
def share(page: Page) -> Response:
    """Show the address of the results, for a notice board, a message or an e-mail."""
    kept, request = page.opened.kept, page.request
    if not kept.address:
        return page.back()
    dress = request.app.state.clubs.settings(kept.club).dress
    return page.shown("published.html", address=_address(request, kept.address), dress=dress)


def _address(request: Request, address: str) -> str:
    return f"{str(request.base_url).rstrip('/')}/p/{address}"


@router.get("/events/{event_id}/qr.svg")
@may(SCORE, stored_event)
def code(request: Request, events: Events, event_id: str) -> Response:
    """The public address as a QR code."""
    kept = events.store.get(event_id)
    if not kept.address:
        raise NotThere(mark("nothing is published at this address"))
    return Response(qr(_address(request, kept.address)), media_type="image/svg+xml")


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
    headers = {"content-disposition": 'attachment; filename="results.eml"'}
    return Response(_letter(request, opened, address), media_type="message/rfc822", headers=headers)


def _letter(request: Request, opened: OpenEvent, address: str) -> bytes:
    """The standings as text and as a PDF, with the public address if there is one; without those
    who opted out, because whom it reaches nobody knows."""
    events: EventService = request.app.state.events
    choices, awarding = service.as_published(events, opened)
    shown = service.shown_to(request, opened.kept.club)
    work = partial(letter_parts, opened.account, choices.values, awarding, shown)
    key = (*service.state("letter", opened, shown), choices)
    title, text, pdf = events.worked(key, opened.kept.name, work)
    message = EmailMessage(policy=SMTP)
    subject = words(Message("Results: {title}", title=title), shown.language)
    message["Subject"] = subject.replace("\n", " ")
    message["X-Unsent"] = "1"  # opened as a draft
    link = f"\n\n{address}" if address else ""
    message.set_content(f"{title}\n\n{text}{link}\n")
    message.add_attachment(pdf, maintype="application", subtype="pdf", filename="results.pdf")
    return message.as_bytes()
