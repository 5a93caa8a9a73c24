"""The first page: what was worked on, a file to begin with, and the demo club."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.demo import ANSWERS, CLUB_NIGHT, RULEBOOK, file
from honours.evening.evening import Evening
from honours.evening.live import progress
from honours.evening.store import KeptEvening
from honours.ledger.enrol import enrol_list, kind_names
from honours.model.message import Message
from honours.model.rights import KEEP, OPEN, SCORE
from honours.web.evening.service import evening_service
from honours.web.events.pages import event_list
from honours.web.events.service import event_service
from honours.web.events.store import Upload
from honours.web.http.access import (
    clubs_to_choose,
    everywhere,
    guarded_router,
    may,
    may_at,
    own_name,
    requester_of,
)
from honours.web.ledger.overview import ToDo, waiting
from honours.web.ledger.service import ledger_service
from honours.web.published.service import front_doors
from honours.web.templating import render

router = guarded_router()
_RECENT = 6
_CLUB = "The demo club"
_NIGHTS = (
    ("tuesday-pairs.csv", "Thursday pairs, no names yet", "2020-03-05"),
    (CLUB_NIGHT, "Tuesday pairs", "2020-03-03"),
)
_MEMBERS, _OPENED = "tuesday-members.csv", "2020-01-01"


@router.get("/")
@may(OPEN)
def start(request: Request) -> Response:
    """Show where to begin; to strangers, on a server with accounts, the clubs' front doors."""
    if request.app.state.accounts is not None and requester_of(request) is None:
        doors = front_doors(request)
        if len(doors) == 1:
            return RedirectResponse(doors[0][1], 303)
        return render(request, "front_doors.html", doors=doors)
    service = event_service(request)
    recent = service.store.all()[:_RECENT]
    return render(
        request,
        "home.html",
        recent=event_list(request, service, recent),
        tonight=_being_played(request),
        todo=_to_do(request),
        doors=front_doors(request),
        may_score=may_at(request, SCORE),
        may_keep=may_at(request, KEEP, ""),
        clubs=clubs_to_choose(request, SCORE),
    )


def _being_played(request: Request) -> list[tuple[KeptEvening, Evening, int, int]]:
    """The evenings that have not ended, with the results that came of those there will be."""
    evenings = evening_service(request).all(request.scope.get("requester"))
    playing = [(kept, kept.now()) for kept in evenings]
    return [(kept, now, *progress(now)) for kept, now in playing if not now.ended][:_RECENT]


def _to_do(request: Request) -> ToDo:
    """Return what waits for a secretary; nothing for others, and before there is a ledger."""
    service = ledger_service(request)
    if not service.there or not may_at(request, KEEP):
        return ToDo()
    return waiting(request, service)


@router.post("/demo")
@may(KEEP, everywhere, Message("opened the demo club"))
def demo_club(request: Request) -> Response:
    """A club to look at: members with points, a night of theirs that can be awarded and published,
    and one whose pairs can be named."""
    service, ledger = event_service(request), ledger_service(request)
    ledger.begin()
    book = service.rulebook(RULEBOOK)
    upload = Upload(_MEMBERS, file(_MEMBERS).read_bytes())
    listed = service.members_in(upload, kind_names(ledger.ledger, book))
    enrol_list(ledger.ledger, listed, _MEMBERS, own_name(request) or "demo", book, day=_OPENED)
    for name, title, day in _NIGHTS:
        [kept] = service.add(Upload(name, file(name).read_bytes()))
        said = service.say(kept.id, {"title": title, "date": day, "club": _CLUB})
        service.store.keep(replace(said, answers=ANSWERS))
    return RedirectResponse(f"/events/{kept.id}", 303)
