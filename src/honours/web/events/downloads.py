"""Files of an event: tables, data, USEBIO, PDF and a site, with or without what it is awarded."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from starlette.requests import Request
from starlette.responses import Response

from honours.model.message import mark
from honours.model.rights import READ, SCORE
from honours.pipeline import Report, inquired
from honours.reports.awards import event_csv, event_data
from honours.reports.convert import converted_file
from honours.reports.standings import scored_csv, scored_data
from honours.web.events.access import Events, Opened, stored_event
from honours.web.events.award_pages import award_query
from honours.web.events.choices import choices_of
from honours.web.events.documents import SITE, AwardingChoice, public
from honours.web.events.sending import named_after
from honours.web.events.service import EventService, OpenEvent, scored_of
from honours.web.http.access import guarded_router, may
from honours.web.http.problems import Forbidden, NotThere
from honours.web.http.requester import may_at
from honours.web.published.service import shown_to, state

router = guarded_router()
Made = str | bytes
Maker = Callable[[Request, "EventService", "OpenEvent"], Made]


@router.get("/events/{event_id}/download/{what}")
@may(READ, stored_event)
def download(request: Request, service: Events, opened: Opened, what: str) -> Response:
    """A file of the event."""
    if what not in DOWNLOADS:
        raise NotThere(mark("there is no download {name}"), name=what[:40])
    media, make = DOWNLOADS[what]
    name = named_after(opened, what + (_ending(opened) if what == "original" else ""))
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(make(request, service, opened), media_type=media, headers=headers)


def _ending(opened: OpenEvent) -> str:
    """How the name of the file that was brought ends, where that is letters and figures."""
    ending = PurePath(opened.kept.name).suffix
    return ending if ending.isascii() and ending[1:].isalnum() else ""


def _keeps(request: Request, opened: OpenEvent) -> bool:
    """Whether whoever asks keeps the club's events. Who only reads them takes no file away that
    has the names of those who opted out."""
    return may_at(request, SCORE, opened.kept.club or None)


def _report(request: Request, service: EventService, opened: OpenEvent) -> Report:
    """The event for whoever keeps it, or as anybody may have it."""
    choices = choices_of(request)
    if _keeps(request, opened):
        return service.report(opened, choices)
    shown = shown_to(request, opened.kept.club)
    work = partial(public, opened.account, choices.values, AwardingChoice(), shown.hidden)
    key = state(f"report {choices}", opened, shown)
    report: Report = service.worked(key, opened.kept.name, work)
    return report


def _with_awards(request: Request, service: EventService, opened: OpenEvent) -> Report:
    asked = award_query(request, service, opened)
    book = service.rulebook(asked.rulebook)
    if _keeps(request, opened):
        return service.awarded(opened, choices_of(request), book, asked.given_to(book))
    report = replace(_report(request, service, opened), standing=service.standing(opened))
    return inquired(report, book, asked.given_to(book))


# --- without awards -----------------------------------------------------------------------------


def _standings_csv(request: Request, service: EventService, opened: OpenEvent) -> Made:
    return scored_csv(scored_of(_report(request, service, opened)))


def _scored_json(request: Request, service: EventService, opened: OpenEvent) -> Made:
    report = _report(request, service, opened)
    data = scored_data(scored_of(report), report.account.rulings)
    return json.dumps(data, ensure_ascii=False, indent=2)


def _usebio(request: Request, service: EventService, opened: OpenEvent) -> Made:
    return converted_file(_report(request, service, opened).account, "usebio").data


def _original(request: Request, service: EventService, opened: OpenEvent) -> Made:
    if not _keeps(request, opened):
        raise Forbidden(SCORE, opened.kept.club or None)
    return service.store.file(opened.kept.id).read_bytes()


def _document(kind: str, *, awards: bool = False, named: bool = False) -> Maker:
    """Makes a document for others to read: without those who opted out, unless a page of it is
    handed to each of them alone, and in the club's dress."""

    def make(request: Request, service: EventService, opened: OpenEvent) -> Made:
        awarding = _awarding(request, service, opened) if awards else AwardingChoice()
        shown = shown_to(request, opened.kept.club, named=named)
        return service.document(opened, choices_of(request), kind, awarding, shown)

    return make


# --- with awards --------------------------------------------------------------------------------


def _awards_csv(request: Request, service: EventService, opened: OpenEvent) -> Made:
    awards = _with_awards(request, service, opened).awards
    assert awards is not None
    return event_csv(awards)


def _awards_json(request: Request, service: EventService, opened: OpenEvent) -> Made:
    report, asked = _with_awards(request, service, opened), award_query(request, service, opened)
    assert report.book is not None
    assert report.awards is not None
    data = event_data(report.book, report.awards, asked.entrant or None)
    return json.dumps(data, ensure_ascii=False, indent=2)


def _awards_usebio(request: Request, service: EventService, opened: OpenEvent) -> Made:
    report = _with_awards(request, service, opened)
    return converted_file(report.account, "usebio", report).data


def _awarding(request: Request, service: EventService, opened: OpenEvent) -> AwardingChoice:
    query = award_query(request, service, opened)
    book = service.rulebook(query.rulebook)
    folders, standing = service.settings.rulebooks, service.standing(opened)
    return AwardingChoice(query.rulebook, query.given_to(book), folders, standing)


_XML, _PDF, _ZIP = "application/xml", "application/pdf", "application/zip"
DOWNLOADS: dict[str, tuple[str, Maker]] = {
    "standings.csv": ("text/csv", _standings_csv),
    "event.json": ("application/json", _scored_json),
    "results.xml": (_XML, _usebio),
    "results.pdf": (_PDF, _document("results")),
    "scorecards.pdf": (_PDF, _document("scorecards")),
    "site.zip": (_ZIP, _document(SITE)),
    "original": ("application/octet-stream", _original),
    "awards.csv": ("text/csv", _awards_csv),
    "awards.json": ("application/json", _awards_json),
    "awards.xml": (_XML, _awards_usebio),
    "awards.pdf": (_PDF, _document("award-list", awards=True)),
    "certificates.pdf": (_PDF, _document("certificates", awards=True, named=True)),
    "awards-site.zip": (_ZIP, _document(SITE, awards=True)),
}
