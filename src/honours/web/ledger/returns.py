"""Returns of a club to its federation, for people and programs: what is pending, what is missing
before it goes out, the files made of it, and what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from honours.errors import InputError
from honours.ledger import operations as acts
from honours.ledger import submissions as sending
from honours.ledger.canonical import digest
from honours.ledger.shapes import PENDING, SUBMISSION_STATUSES, SUBMISSIONS
from honours.ledger.store import Ledger
from honours.ledger.submissions import Submission, concerns, missing_in, submit, usebio
from honours.model.message import Message, mark
from honours.model.rights import LOOK, SEND
from honours.model.table import Cell, headed, table
from honours.reports.sending import all_receivers, concerns_of, takers
from honours.web.events.choices import ScoringChoices
from honours.web.events.posting import stale_records
from honours.web.events.service import EventService, event_service
from honours.web.events.store import StoredEvent
from honours.web.http.access import (
    asked_within,
    club_for,
    clubs_to_choose,
    may,
    may_at,
    own_key,
    own_name,
    who_of,
)
from honours.web.http.api import (
    Id,
    Key,
    OneOf,
    Page,
    Paging,
    StrictRequest,
    Text,
    leads_to,
    shaped,
)
from honours.web.http.operations import Operations
from honours.web.ledger.api_models import By, Day
from honours.web.ledger.service import ledger_service, own_submissions, require_at
from honours.web.ledger.service import submission as submission_named
from honours.web.templating import cell, render

operations = Operations("ledger: submissions", "/ledger/submissions")
api, pages = operations.api, operations.pages
_ABOUT_ONE = ("submission", "submission_document", "mark_submission")
_LATEST = 12
"""So many events that are not in the ledger are looked at."""
_USUAL = "sbu"


class SubmissionRequest(StrictRequest):
    """The period whose pending awards are sent."""

    since: Day
    until: Day
    club: Text = Field("", description="Whose awards, where they may be of several clubs.")
    by: By = Field("", examples=["M. Secretary"])


class SubmissionStatus(StrictRequest):
    """The status of a submission; a rejection needs its reason as a remark."""

    status: Annotated[str, OneOf(*sending.STATUSES)] = Field(examples=["sent"])
    remark: Text = ""


@shaped(SUBMISSIONS)
class SubmissionAnswer(BaseModel):
    """A submission that was made for a period, and what became of it."""

    concerns: list[str] = []
    """Who may not be credited, told when it is made."""
    submission: int
    """Which, as the routes below name it."""


def _answer(one: Submission) -> SubmissionAnswer:
    return SubmissionAnswer(**SUBMISSIONS.data(one))


@api.get("")
@may(LOOK)
def submissions(request: Request, paging: Paging) -> Page[SubmissionAnswer]:
    """Return what was made to be sent to the federation, for the clubs of whoever asks."""
    return paging.of([_answer(one) for one in own_submissions(request)[1]], "submission")


@operations(
    "POST ",
    SEND,
    did=mark("made a submission"),
    form="/ledger/submissions",
    then="/ledger/submissions",
    status_code=201,
    responses={201: leads_to("submission_id", "/submission", *_ABOUT_ONE)},
)
def make_submission(
    request: Request, asked: SubmissionRequest, idempotency_key: Key = ""
) -> SubmissionAnswer:
    """Put together what is pending of a period: every award and reversal is sent once. The record
    of an event that has changed since posting waits until one or the other is mended."""
    club = club_for(request, SEND, asked.club)
    service, who = ledger_service(request), who_of(request, asked.by)
    stale = stale_records(request)

    def work(ledger: Ledger) -> dict[str, Any]:
        made = submit(ledger, asked.since, asked.until, who, club=club, without=stale)
        return _answer(made).model_dump()

    request_digest = digest(f"submit {asked.model_dump_json()}")
    made = SubmissionAnswer(**service.once(own_key(request, idempotency_key), request_digest, work))
    return made.model_copy(update={"concerns": _concerns(request, made.submission)})


def _concerns(request: Request, number: int) -> list[str]:
    with ledger_service(request).reading() as connection:
        return [str(one) for one in concerns(connection, number)]


@api.get("/{submission_id}")
@may(LOOK, submission_named)
def submission(request: Request, submission_id: Id) -> SubmissionAnswer:
    """One submission, and what became of it."""
    return _answer(ledger_service(request).submission(submission_id))


@api.get(
    "/{submission_id}/document",
    response_class=Response,
    responses={200: {"content": {"application/xml": {"schema": {"type": "string"}}}}},
)
@may(LOOK, submission_named)
def submission_document(request: Request, submission_id: Id) -> Response:
    """The submission as USEBIO; it names everybody, because the federation must credit them."""
    with ledger_service(request).reading() as connection:
        return Response(usebio(connection, submission_id), media_type="application/xml")


@operations(
    "PUT /{submission_id}/status",
    SEND,
    asked_within,
    mark("noted what became of submission {submission_id}"),
    form="/ledger/submissions/mark",
    then="/ledger/submissions",
)
def mark_submission(
    request: Request, submission_id: Id, asked: SubmissionStatus
) -> SubmissionAnswer:
    """Note what became of a submission; the awards of a rejected one can be sent again."""
    service = ledger_service(request)
    require_at(request, SEND, service.club_of_submission(service.submission(submission_id)))
    done = acts.perform(
        acts.mark_submission,
        acts.Acting(service.ledger, own_name(request)),
        submission=submission_id,
        status=asked.status,
        remark=asked.remark,
    )
    return SubmissionAnswer(**done.data)


# --- the pages ------------------------------------------------------------------------------------


@pages.get("/ledger/submissions")
@may(LOOK)
def submissions_page(request: Request) -> Response:
    pending, made = own_submissions(request)
    stale = stale_records(request)
    pending, left_out = (
        [one for one in pending if (one.id in stale) is wrong] for wrong in (False, True)
    )
    days = sorted(r.day for r in pending if r.day)
    return render(
        request,
        "submissions.html",
        concerns=_to_look_at(request, made[-1]) if made else (),
        pending=PENDING.table(pending),
        left_out=left_out,
        made=SUBMISSIONS.table(reversed(made)),
        anywhere=may_at(request, SEND, ""),
        clubs=clubs_to_choose(request, SEND),
        latest=made[-1] if made else None,
        statuses=SUBMISSION_STATUSES,
        numbers=[s.id for s in reversed(made)],
        since=days[0] if days else "",
        until=days[-1] if days else "",
    )


def _to_look_at(request: Request, latest: Submission) -> Sequence[Message]:
    """Return what to look at before a file goes out."""
    if latest.status != sending.PENDING:
        return ()
    with ledger_service(request).reading() as connection:
        return concerns(connection, latest.id)


@pages.get("/ledger/submissions/missing")
@may(LOOK)
def missing(request: Request, to: str = _USUAL) -> Response:
    """Show what a receiver would ask, before there is a file for it."""
    to = to if to in all_receivers() else _USUAL
    service = event_service(request)
    waiting = [
        kept for kept in service.store.all() if not kept.posted and may_at(request, LOOK, kept.club)
    ][:_LATEST]
    rows = [row for kept in waiting for row in _asked_about(service, kept, to)]
    waits, posted = _in_the_ledger(request)
    header = (headed("event"), headed("about"), headed("what is missing"))
    return render(
        request,
        "missing.html",
        to=to,
        receivers=all_receivers().values(),
        posted=posted,
        waits=waits,
        events=table("missing", header, rows),
        looked_at=len(waiting),
    )


def _in_the_ledger(request: Request) -> tuple[int, Sequence[Message]]:
    """Return how many records wait to be sent, and what is missing in them."""
    pending, _ = own_submissions(request)
    with ledger_service(request).reading() as connection:
        return len(pending), missing_in(connection, [one.id for one in pending])


def _asked_about(
    service: EventService, kept: StoredEvent, to: str
) -> Iterator[tuple[Cell, Cell | str, str]]:
    """Yield what the receiver would ask about an event; nothing about an event of another game."""
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


@pages.get("/ledger/submissions/{submission_id}.xml")
@may(LOOK, submission_named)
def document(request: Request, submission_id: int) -> Response:
    """The USEBIO document of a submission, to be kept."""
    made = submission_document(request, submission_id)
    name = f"submission-{submission_id}.xml"
    made.headers["content-disposition"] = f'attachment; filename="{name}"'
    return made
