"""An event's awards as they would be posted, where its rulebook asks what players had before."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request

from honours.errors import InputError
from honours.ledger.events import lists_as_posted
from honours.ledger.sources import to_post
from honours.pipeline import Report, awarded
from honours.web.events.service import EventService, OpenEvent
from honours.web.http.requester import may_at
from honours.web.ledger.service import LedgerService


def as_in_ledger(
    request: Request, service: EventService, opened: OpenEvent, report: Report
) -> Report:
    """The event awarded by what the ledger has of its players, for whoever may post it: what
    somebody was awarded elsewhere is nobody else's business, who is shown what is assumed."""
    book, ledger = report.book, _ledger(request)
    if book is None or not book.asked_before or not ledger.there:
        return report
    played = report.account.played
    club = opened.kept.club or (played.club if played else "")
    if not may_at(request, "secretary", club or None):
        return report
    day, begins = opened.kept.said.get("date", ""), service.year_begins(club)
    event = to_post(report, day=day, club=club, year_begins=begins)
    if not event.day:
        return report
    try:
        lists = lists_as_posted(ledger.ledger, event)
    except InputError:  # who is who must be settled first, which posting asks about
        return report
    return awarded(replace(report, lists=lists), book, report.given)


def _ledger(request: Request) -> LedgerService:
    ledger: LedgerService = request.app.state.ledger
    return ledger
