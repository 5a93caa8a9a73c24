"""The ledger at a glance: whether it is sound, what waits to be done, what was posted last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.ledger.release import PENDING, Draft, drafters
from honours.ledger.schema import people, records
from honours.ledger.shapes import records_table
from honours.ledger.store import shown_address
from honours.model.message import Message
from honours.model.rights import AUDIT, KEEP, POST, READ
from honours.model.table import Table
from honours.web.events.posting import changed_events, stale_records
from honours.web.events.store import StoredEvent
from honours.web.http.access import everywhere, guarded_router, may
from honours.web.http.requester import may_at
from honours.web.ledger.access import own_drafts, own_submissions, sees_everybody
from honours.web.ledger.service import LedgerService, ledger_service
from honours.web.ledger.verification import VerificationStatus
from honours.web.templating import render

router = guarded_router()
_LATEST = 100


def verification_status(request: Request) -> VerificationStatus:
    """The verification light of this application."""
    status: VerificationStatus = request.app.state.verification
    return status


@router.get("/ledger")
@may(READ)
def overview(request: Request) -> Response:
    service = ledger_service(request)
    if not service.there:
        return render(request, "ledger_none.html", may_begin=may_at(request, KEEP, ""))
    with service.reading() as connection:
        posted = _posted(connection, sees_everybody(request))
    return render(
        request,
        "ledger.html",
        posted=posted,
        todo=waiting(request, service),
        light=verification_status(request).shown(),
        changed=changed_events(request),
        where=shown_address(service.where),
        keeps=may_at(request, KEEP, ""),
        sees=sees_everybody(request),
    )


@dataclass(frozen=True, slots=True)
class ToDo:
    """What waits for a secretary: events that are no longer what was posted, drafts to release,
    records to send, returns that were made and not sent, and whether there are members at all."""

    changed: Sequence[StoredEvent] = ()
    drafts: Sequence[Draft] = ()
    pending: int = 0
    made: Sequence[int] = ()
    members: bool = True

    @property
    def is_nothing(self) -> bool:
        waits = self.changed or self.drafts or self.pending or self.made
        return not waits and self.members


def waiting(request: Request, service: LedgerService) -> ToDo:
    """What waits to be done by whoever asks."""
    with service.reading() as connection:
        members = connection.execute(select(people.c.member).limit(1)).first() is not None
    drafts = [draft for draft in own_drafts(request) if draft.status == PENDING]
    pending, sent = own_submissions(request)
    made = [one.id for one in sent if one.status == PENDING]
    changed = [kept for kept, _ in changed_events(request) if may_at(request, POST, kept.club)]
    stale = stale_records(request)
    to_send = [one for one in pending if one.id not in stale]
    return ToDo(changed, drafts, len(to_send), made, members)


def _posted(connection: Connection, everybody: bool) -> Table:
    chosen = select(records).order_by(records.c.id.desc()).limit(_LATEST)
    drafted = drafters(connection)
    return records_table(connection.execute(chosen), drafted, everybody)


@router.post("/ledger")
@may(KEEP, everywhere, Message("began the ledger"))
def begin(request: Request) -> Response:
    ledger_service(request).begin()
    return RedirectResponse("/ledger", 303)


@router.get("/ledger/light")
@may(READ)
def verification_light(request: Request) -> Response:
    """The light by itself, for a page that waits for it."""
    light = verification_status(request).shown()
    return render(request, "light.html", light=light, changed=changed_events(request))


@router.post("/ledger/verify")
@may(AUDIT, everywhere, Message("had the ledger verified"))
def check(request: Request) -> Response:
    ledger_service(request).ledger  # noqa: B018 - a ledger that is not there has nothing to verify
    verification_status(request).switch_on()
    return RedirectResponse("/ledger", 303)
