"""Files of an event: tables, data, USEBIO, PDF and a site, with or without what it is awarded."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import Any

from starlette.responses import Response

from honours.engine.event_awards import EventAwards
from honours.model.message import mark
from honours.model.rights import READ, SCORE
from honours.pipeline import Report, inquired
from honours.reports.awards import event_csv, event_data
from honours.reports.convert import converted_file
from honours.reports.standings import scored_csv, scored_data
from honours.web.events.access import stored_event
from honours.web.events.documents import SITE, AwardingChoice, public
from honours.web.events.event_page import EventPage, Page
from honours.web.events.sending import named_after
from honours.web.events.service import scored_of
from honours.web.http.access import guarded_router, may
from honours.web.http.problems import Forbidden, NotThere
from honours.web.published.service import shown_to, state

router = guarded_router()
Made = str | bytes


@router.get("/events/{event_id}/download/{what}")
@may(READ, stored_event)
def download(page: Page, what: str) -> Response:
    """A file of the event."""
    if what not in DOWNLOADS:
        raise NotThere(mark("there is no download {name}"), name=what[:40])
    media, make = DOWNLOADS[what]
    ending = PurePath(page.opened.kept.name).suffix if what == "original" else ""
    plain = ending if ending.isascii() and ending[1:].isalnum() else ""
    headers = {
        "content-disposition": f'attachment; filename="{named_after(page.opened, what + plain)}"'
    }
    return Response(make(page), media_type=media, headers=headers)


def _report(page: EventPage) -> Report:
    """The event for whoever keeps it. Who only reads it takes no file away that has the names of
    those who opted out."""
    if page.may_score:
        return page.report
    opened, choices = page.opened, page.choices
    shown = shown_to(page.request, opened.kept.club)
    work = partial(public, opened.account, choices.values, AwardingChoice(), shown.hidden)
    key = state(f"report {choices}", opened, shown)
    report: Report = page.service.worked(key, opened.kept.name, work)
    return report


def _awarded(page: EventPage) -> tuple[Report, EventAwards]:
    """The same, with what a rulebook awards for it."""
    book = page.service.rulebook(page.asked.rulebook)
    given = page.asked.given_to(book)
    if page.may_score:
        report = page.service.awarded(page.opened, page.choices, book, given)
    else:
        standing = page.service.standing(page.opened)
        report = inquired(replace(_report(page), standing=standing), book, given)
    assert report.awards is not None
    return report, report.awards


def _scored_json(page: EventPage) -> Made:
    report = _report(page)
    return _json(scored_data(scored_of(report), report.account.rulings))


def _awards_json(page: EventPage) -> Made:
    book = page.service.rulebook(page.asked.rulebook)
    return _json(event_data(book, _awarded(page)[1], page.asked.entrant or None))


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2)


def _awards_usebio(page: EventPage) -> Made:
    report, _ = _awarded(page)
    return converted_file(report.account, "usebio", report).data


def _original(page: EventPage) -> Made:
    if not page.may_score:
        raise Forbidden(SCORE, page.opened.kept.club or None)
    return page.service.store.file(page.id).read_bytes()


def _document(kind: str, page: EventPage, *, awards: bool = False, named: bool = False) -> Made:
    """A document for others to read: without those who opted out, unless a page of it is handed to
    each of them alone, and in the club's dress."""
    service, awarding = page.service, AwardingChoice()
    if awards:
        given = page.asked.given_to(service.rulebook(page.asked.rulebook))
        folders, standing = service.settings.rulebooks, service.standing(page.opened)
        awarding = AwardingChoice(page.asked.rulebook, given, folders, standing)
    shown = shown_to(page.request, page.opened.kept.club, named=named)
    return service.document(page.opened, page.choices, kind, awarding, shown)


_CSV, _JSON, _XML = "text/csv", "application/json", "application/xml"
_PDF, _ZIP = "application/pdf", "application/zip"
DOWNLOADS: dict[str, tuple[str, Callable[[EventPage], Made]]] = {
    "standings.csv": (_CSV, lambda page: scored_csv(scored_of(_report(page)))),
    "event.json": (_JSON, _scored_json),
    "results.xml": (_XML, lambda page: converted_file(_report(page).account, "usebio").data),
    "results.pdf": (_PDF, partial(_document, "results")),
    "scorecards.pdf": (_PDF, partial(_document, "scorecards")),
    "site.zip": (_ZIP, partial(_document, SITE)),
    "original": ("application/octet-stream", _original),
    "awards.csv": (_CSV, lambda page: event_csv(_awarded(page)[1])),
    "awards.json": (_JSON, _awards_json),
    "awards.xml": (_XML, _awards_usebio),
    "awards.pdf": (_PDF, partial(_document, "award-list", awards=True)),
    "certificates.pdf": (_PDF, partial(_document, "certificates", awards=True, named=True)),
    "awards-site.zip": (_ZIP, partial(_document, SITE, awards=True)),
}
