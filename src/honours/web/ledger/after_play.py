"""One place after play: publish, post, and the files for every receiver that the club has chosen,
in one click, each with its check; what was done and what is pending stays visible."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from starlette.responses import Response

from honours.errors import InputError
from honours.ledger.post import ALREADY, POSTED, post
from honours.ledger.release import draft
from honours.model.message import Message, mark, word
from honours.model.rights import POST, SCORE
from honours.reports.sending import Concern, Receiver, concerns_of, keys_of, prepare, takers
from honours.web.events.access import stored_event
from honours.web.events.api_models import SendRequest
from honours.web.events.event_page import EventPage, Page
from honours.web.events.posting import PostingChoice, event_to_post, keep_posting
from honours.web.events.sending import file_name, known_details, report_for
from honours.web.http.access import guarded_router, may, may_at, remember_name, who_of
from honours.web.http.forms import FormFields, FormTexts
from honours.web.http.problems import NotThere
from honours.web.ledger.service import ledger_service
from honours.web.published.service import publish

router = guarded_router()


@dataclass(frozen=True, slots=True)
class FileToSend:
    """An event's file for a receiver: what it would be turned back or asked for, why there is none,
    and when it was fetched last."""

    receiver: Receiver
    choice: SendRequest
    concerns: tuple[Concern, ...] = ()
    problem: str = ""
    sent: str = ""

    @property
    def ready(self) -> bool:
        return not self.problem and not any(one.stops for one in self.concerns)


def _files(page: EventPage) -> Iterator[FileToSend]:
    """The files for the receivers that the event's club has chosen, checked."""
    opened = page.opened
    chosen = page.service.club_settings(opened.kept.club).receivers.split()
    for one in takers(opened.account):
        if one.name not in chosen:
            continue
        known = {k: v for k, v in known_details(opened).items() if k in keys_of(one.name) and v}
        choice = SendRequest(
            to=one.name, rulebook=page.asked.rulebook, details=known, as_usual=True
        )
        file = FileToSend(one, choice, sent=opened.kept.sent.get(one.name, ""))
        try:
            report = report_for(page.service, opened, page.choices, choice)
            yield replace(file, concerns=concerns_of(report, one.name, known))
        except InputError as error:
            yield replace(file, problem=error.message)


@router.get("/events/{event_id}/after")
@may(SCORE, stored_event)
def after_play(page: Page) -> Response:
    """Show what is done with an event after play, and what is not yet."""
    if page.is_open:
        return page.back("/awards")
    return page.shown("event_after.html", files=list(_files(page)), said=())


@router.post("/events/{event_id}/after")
@may(SCORE, stored_event, mark("published and posted event {event_id}"))
def do_it_all(page: Page, form: FormFields) -> Response:
    """Publish the event, post its awards where whoever asks may, and check its files."""
    if page.is_open:
        return page.back("/awards")
    if not page.opened.kept.address:
        publish(page.service, page.id, page.link)
    address = page.service.store.get(page.id).address
    said = [Message("published at {address}", address=f"/p/{address}")]
    if may_at(page.request, POST, page.opened.kept.club):
        said.append(_posted(page, form))
    else:
        said.append(Message("not posted: only a secretary of the club may do that"))
    now = replace(page, opened=page.service.open(page.id))
    response = now.shown("event_after.html", files=list(_files(now)), said=said)
    if by := form["by"]:
        remember_name(response, by)
    return response


def _posted(page: EventPage, form: FormTexts) -> Message:
    """Post the awards and say what became of them; new members have to be confirmed first."""
    ledger, who = ledger_service(page.request), who_of(page.request, form["by"])
    asked, service = page.asked, page.service
    opened = service.open(page.id)
    try:
        given = asked.given_to(service.rulebook(asked.rulebook))
        chosen = PostingChoice(asked.rulebook, given, dict(page.choices.confirming(True).chosen))
        event = event_to_post(service, opened, chosen)
        ledger.begin()
        new = draft(ledger.ledger, event, who, dry_run=True).newcomers
        if new and not form["new"]:
            names = tuple(one.title for one in new)
            return Message("not posted: {names} would be new in the ledger", names=names)
        outcome = post(ledger.ledger, event, who)
    except InputError as error:
        return Message("not posted: {why}", why=error.message)
    if outcome.status in (POSTED, ALREADY):
        keep_posting(service, opened, chosen, event)
        return Message(
            "{status}: record {number}", status=word(outcome.status), number=outcome.record or 0
        )
    why = outcome.difference or (outcome.like, *outcome.remarks)
    return Message("not posted: {why}", why=(word(outcome.status), *filter(None, why)))


@router.get("/events/{event_id}/after/files.zip")
@may(SCORE, stored_event, mark("took the files of event {event_id} for its receivers"))
def all_files(page: Page) -> Response:
    """The files that their receivers would take, together; that they were fetched is noted."""
    ready = [file for file in _files(page) if file.ready]
    if not ready:
        raise NotThere(mark("no receiver would take this event as it is"))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as files:
        for file in ready:
            report = report_for(page.service, page.opened, page.choices, file.choice)
            made = prepare(report, file.receiver.name, file.choice.details)
            files.writestr(file_name(page.opened, file.receiver.name), made.written.data)
    today = datetime.now(UTC).date().isoformat()
    kept = page.opened.kept
    sent = {**kept.sent, **{file.receiver.name: today for file in ready}}
    page.service.store.keep(replace(kept, sent=sent))
    headers = {"content-disposition": 'attachment; filename="files.zip"'}
    return Response(out.getvalue(), media_type="application/zip", headers=headers)
