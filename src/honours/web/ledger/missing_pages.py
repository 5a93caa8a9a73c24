"""What is missing before a return goes out: in what waits in the ledger, and in events on the way
there. The checks are those of the return and of its receiver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from starlette.requests import Request
from starlette.responses import Response

from honours.errors import InputError
from honours.ledger.submissions import missing_in
from honours.model.message import Message
from honours.model.rights import LOOK
from honours.model.table import Cell
from honours.reports.sending import all_receivers, concerns_of, takers
from honours.web.events.choices import ScoringChoices
from honours.web.events.service import EventService, event_service
from honours.web.events.store import StoredEvent
from honours.web.http.access import guarded_router, may
from honours.web.http.requester import may_at
from honours.web.ledger.access import own_submissions
from honours.web.ledger.service import ledger_service
from honours.web.tables import cell, table
from honours.web.templating import render

router = guarded_router()
_LATEST = 12
"""So many events that are not in the ledger are looked at."""
_USUAL = "sbu"


@router.get("/ledger/submissions/missing")
@may(LOOK)
def missing(request: Request, to: str = _USUAL) -> Response:
    """What a receiver would ask, before there is a file for it."""
    to = to if to in all_receivers() else _USUAL
    service = event_service(request)
    waiting = [
        kept for kept in service.store.all() if not kept.posted and may_at(request, LOOK, kept.club)
    ][:_LATEST]
    rows = [row for kept in waiting for row in _asked_about(service, kept, to)]
    waits, posted = _in_the_ledger(request)
    header = (Message("event"), Message("about"), Message("what is missing"))
    return render(
        request,
        "missing.html",
        to=to,
        receivers=all_receivers().values(),
        posted=posted,
        waits=waits,
        events=table("missing", "", header, rows),
        looked_at=len(waiting),
    )


def _in_the_ledger(request: Request) -> tuple[int, Sequence[Message]]:
    """How many records wait to be sent, and what is missing in them."""
    pending, _ = own_submissions(request)
    with ledger_service(request).reading() as connection:
        return len(pending), missing_in(connection, [one.id for one in pending])


def _asked_about(
    service: EventService, kept: StoredEvent, to: str
) -> Iterator[tuple[Cell, Cell | str, str]]:
    """What the receiver would ask about an event; nothing about an event of another game."""
    title = cell(kept.title, f"/events/{kept.id}")
    try:
        opened = service.open(kept.id)
        if to not in [one.name for one in takers(opened.account)]:
            return
        report = service.report(opened, ScoringChoices())
        details = {key: text for key, text in kept.said.items() if text}
        for concern in concerns_of(report, to, details):
            yield title, concern.who, concern.what
    except InputError as error:
        yield title, Message("the event"), error.message
