"""The ledger at a glance: whether it is sound, what waits to be done, what was posted last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.ledger.addresses import shown_address
from honours.ledger.release import PENDING, drafters
from honours.ledger.schema import people, records
from honours.ledger.submissions import overview as submissions_overview
from honours.ledger.tables import records_table
from honours.model.message import Message
from honours.model.table import Table
from honours.web.http.access import KEEP, READ, everywhere, guarded_router, may
from honours.web.ledger.access import is_secretary_at, sees_everybody
from honours.web.ledger.service import ledger_service
from honours.web.ledger.verification import VerificationStatus
from honours.web.templating import render

if TYPE_CHECKING:
    from sqlalchemy import Connection

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
        return render(request, "ledger_none.html", may_begin=is_secretary_at(request, ""))
    with service.reading() as connection:
        posted = _posted(connection, sees_everybody(request))
        pending, sent = submissions_overview(connection)
        count = connection.scalar(select(func.count()).select_from(people)) or 0
    drafts = [
        draft
        for draft in service.drafts()
        if draft.status == PENDING and is_secretary_at(request, str(draft.content["club"]))
    ]
    pending = [one for one in pending if is_secretary_at(request, one.club)]
    sent = [one for one in sent if is_secretary_at(request, service.club_of_record(one.records[0]))]
    return render(
        request,
        "ledger.html",
        posted=posted,
        drafts=drafts,
        members=count,
        pending=pending,
        waiting=[s for s in sent if s.status == PENDING],
        light=verification_status(request).shown(),
        where=shown_address(service.where),
        keeps=is_secretary_at(request, ""),
    )


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
def light(request: Request) -> Response:
    """The light by itself, for a page that waits for it."""
    return render(request, "light.html", light=verification_status(request).shown())


@router.post("/ledger/verify")
@may(KEEP, everywhere, Message("had the ledger verified"))
def check(request: Request) -> Response:
    ledger_service(request).ledger  # noqa: B018 - a ledger that is not there has nothing to verify
    verification_status(request).switch_on()
    return RedirectResponse("/ledger", 303)
