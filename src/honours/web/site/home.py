"""The first page: what was worked on, a file to begin with, and the demo club."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.demo import CLUB_NIGHT, file
from honours.ledger.enrol import enrol, kind_names
from honours.model.message import Message
from honours.web.events.pages import event_list
from honours.web.events.service import event_service
from honours.web.events.store import Upload
from honours.web.http.access import KEEP, READ, everywhere, guarded_router, may
from honours.web.http.requester import clubs_to_choose, may_at, own_name
from honours.web.ledger.service import ledger_service
from honours.web.templating import render

router = guarded_router()
_RECENT = 6
_DEMO = {"title": "Tuesday pairs", "date": "2020-03-03", "club": "The demo club"}
_MEMBERS, _RULEBOOK = "members.csv", "sbu-clubs-2016"


@router.get("/")
@may(READ)
def start(request: Request) -> Response:
    service = event_service(request)
    recent = service.store.all()[:_RECENT]
    return render(
        request,
        "home.html",
        rulebooks=service.rulebooks(),
        recent=event_list(request, service, recent),
        may_score=may_at(request, "scorer"),
        may_keep=may_at(request, "secretary", ""),
        clubs=clubs_to_choose(request, "scorer"),
    )


@router.post("/demo")
@may(KEEP, everywhere, Message("opened the demo club"))
def demo_club(request: Request) -> Response:
    """A club to look at: members with points, and a night that can be awarded and published."""
    service, ledger = event_service(request), ledger_service(request)
    ledger.begin()
    book = service.rulebook(_RULEBOOK)
    upload = Upload(_MEMBERS, file(_MEMBERS).read_bytes())
    rows = service.members_in(upload, kind_names(ledger.ledger, book))
    enrol(ledger.ledger, rows, _MEMBERS, own_name(request) or "demo", book)
    [kept] = service.add(Upload(CLUB_NIGHT, file(CLUB_NIGHT).read_bytes()))
    service.say(kept.id, _DEMO)
    return RedirectResponse(f"/events/{kept.id}", 303)
