"""What a club sends its federation, once, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from honours.ledger.canonical import digest
from honours.ledger.submission_file import usebio
from honours.ledger.submissions import Submission, all_submissions, mark, submit
from honours.web.http.api import Key, Limit, Offset, Page, Strict, Text, leads_to, page
from honours.web.http.problems import NotThere
from honours.web.http.requester import (
    club_for,
    keeps_the_ledger,
    ledger_service,
    own_key,
    secretary_at,
    who_of,
)
from honours.web.ledger.api_models import By, Day

if TYPE_CHECKING:
    from honours.ledger.store import Ledger

router = APIRouter(prefix="/ledger/submissions", tags=["ledger: submissions"])
SubmissionId = Annotated[int, Path(ge=1, le=10**15)]
_ABOUT_ONE = ("submission", "submission_document", "mark_submission")


class SubmissionRequest(Strict):
    """The period whose pending awards are sent."""

    since: Day
    until: Day
    club: Text = Field("", description="Whose awards, where they may be of several clubs.")
    by: By = Field("", examples=["M. Secretary"])


class SubmissionStatus(Strict):
    """What became of a submission; a rejection needs its reason as a remark."""

    status: Literal["pending", "sent", "rejected"] = Field(examples=["sent"])
    remark: Text = ""


class SubmissionTold(BaseModel):
    """What was made to be sent for a period, and what became of it."""

    submission: int
    since: str
    until: str
    status: str
    at: str
    who: str
    remark: str
    records: list[int]


def _told(one: Submission) -> SubmissionTold:
    return SubmissionTold(
        submission=one.id,
        since=one.since,
        until=one.until,
        status=one.status,
        at=one.at,
        who=one.who,
        remark=one.remark,
        records=list(one.records),
    )


def _found(request: Request, number: int) -> Submission:
    with ledger_service(request).reading() as connection:
        found = [one for one in all_submissions(connection) if one.id == number]
    if not found:
        raise NotThere(f"there is no submission {number}")
    return found[0]


def _own(request: Request, number: int) -> Submission:
    """A submission of a club whose secretary asks."""
    found = _found(request, number)
    secretary_at(request, ledger_service(request).club_of_record(found.records[0]))
    return found


@router.get("")
def submissions(request: Request, limit: Limit = 100, offset: Offset = 0) -> Page[SubmissionTold]:
    """What was made to be sent to the federation."""
    with ledger_service(request).reading() as connection:
        found = [_told(one) for one in all_submissions(connection)]
    return page(found, request.url.path, limit, offset)


@router.post(
    "", status_code=201, responses={201: leads_to("submission_id", "/submission", *_ABOUT_ONE)}
)
def make_submission(
    request: Request, asked: SubmissionRequest, idempotency_key: Key = ""
) -> SubmissionTold:
    """Put together what is pending of a period: every award and reversal is sent once."""
    club = club_for(request, "secretary", asked.club)
    service, who = ledger_service(request), who_of(request, asked.by)

    def work(ledger: Ledger) -> dict[str, Any]:
        return _told(submit(ledger, asked.since, asked.until, who, club=club)).model_dump()

    said = digest(f"submit {asked.model_dump_json()}")
    return SubmissionTold(**service.once(own_key(request, idempotency_key), said, work))


@router.get("/{submission_id}")
def submission(request: Request, submission_id: SubmissionId) -> SubmissionTold:
    """One submission, and what became of it."""
    return _told(_found(request, submission_id))


@router.get(
    "/{submission_id}/document",
    response_class=Response,
    responses={200: {"content": {"application/xml": {"schema": {"type": "string"}}}}},
)
def submission_document(request: Request, submission_id: SubmissionId) -> Response:
    """The submission as USEBIO; it names everybody, because the federation must credit them."""
    keeps_the_ledger(request)
    _own(request, submission_id)
    with ledger_service(request).reading() as connection:
        return Response(usebio(connection, submission_id), media_type="application/xml")


@router.put("/{submission_id}/status")
def mark_submission(
    request: Request, submission_id: SubmissionId, asked: SubmissionStatus
) -> SubmissionTold:
    """Note what became of a submission; the awards of a rejected one can be sent again."""
    _own(request, submission_id)
    mark(ledger_service(request).ledger, submission_id, asked.status, asked.remark)
    return _told(_found(request, submission_id))
