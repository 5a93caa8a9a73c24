"""What a club sends its federation, once, and what became of it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from honours.ledger import submissions as sending
from honours.ledger.canonical import digest
from honours.ledger.shapes import SUBMISSIONS
from honours.ledger.store import Ledger
from honours.ledger.submissions import Submission, concerns, submit, usebio
from honours.model.message import mark
from honours.model.rights import LOOK, SEND
from honours.web.events.posting import stale_records
from honours.web.http.access import may
from honours.web.http.api import (
    Id,
    Key,
    Limit,
    Offset,
    OneOf,
    Page,
    StrictRequest,
    Text,
    leads_to,
    page,
    shaped,
)
from honours.web.http.operations import Operations
from honours.web.http.requester import club_for, own_key, own_name, who_of
from honours.web.ledger.access import own_submissions
from honours.web.ledger.access import submission as submission_named
from honours.web.ledger.api_models import By, Day
from honours.web.ledger.service import ledger_service

operations = Operations("ledger: submissions", "/ledger/submissions")
router = operations.api
_ABOUT_ONE = ("submission", "submission_document", "mark_submission")


class SubmissionRequest(StrictRequest):
    """The period whose pending awards are sent."""

    since: Day
    until: Day
    club: Text = Field("", description="Whose awards, where they may be of several clubs.")
    by: By = Field("", examples=["M. Secretary"])


class SubmissionStatus(StrictRequest):
    """What became of a submission; a rejection needs its reason as a remark."""

    status: Annotated[str, OneOf(*sending.STATUSES)] = Field(examples=["sent"])
    remark: Text = ""


@shaped(SUBMISSIONS)
class SubmissionAnswer(BaseModel):
    """What was made to be sent for a period, and what became of it."""

    concerns: list[str] = []
    """Who may not be credited, told when it is made."""
    submission: int
    """Which, as the routes below name it."""


def _answer(one: Submission) -> SubmissionAnswer:
    return SubmissionAnswer(**SUBMISSIONS.data(one))


@router.get("")
@may(LOOK)
def submissions(request: Request, limit: Limit = 100, offset: Offset = 0) -> Page[SubmissionAnswer]:
    """What was made to be sent to the federation, for the clubs of whoever asks."""
    own = [_answer(one) for one in own_submissions(request)[1]]
    return page(own, request.url.path, limit, offset)


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


@router.get("/{submission_id}")
@may(LOOK, submission_named)
def submission(request: Request, submission_id: Id) -> SubmissionAnswer:
    """One submission, and what became of it."""
    return _answer(ledger_service(request).submission(submission_id))


@router.get(
    "/{submission_id}/document",
    response_class=Response,
    responses={200: {"content": {"application/xml": {"schema": {"type": "string"}}}}},
)
@may(LOOK, submission_named)
def submission_document(request: Request, submission_id: Id) -> Response:
    """The submission as USEBIO; it names everybody, because the federation must credit them."""
    with ledger_service(request).reading() as connection:
        return Response(usebio(connection, submission_id), media_type="application/xml")


@router.put("/{submission_id}/status")
@may(SEND, submission_named, mark("noted what became of submission {submission_id}"))
def mark_submission(
    request: Request, submission_id: Id, asked: SubmissionStatus
) -> SubmissionAnswer:
    """Note what became of a submission; the awards of a rejected one can be sent again."""
    service = ledger_service(request)
    sending.mark(service.ledger, submission_id, asked.status, asked.remark, who=own_name(request))
    return _answer(service.submission(submission_id))
