"""What goes to the federation: what is pending, the files made of it, and what became of them."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.ledger import submissions as sending
from honours.ledger.shapes import PENDING, SUBMISSION_STATUSES, SUBMISSIONS
from honours.ledger.submissions import Submission, concerns, usebio
from honours.model.message import Message
from honours.model.rights import LOOK, SEND
from honours.web.events.posting import stale_records
from honours.web.http.access import anywhere, guarded_router, may
from honours.web.http.forms import FormFields, whole_in
from honours.web.http.requester import clubs_to_choose, may_at, own_name
from honours.web.ledger.access import own_submissions, require_at, submission
from honours.web.ledger.service import ledger_service
from honours.web.templating import render

router = guarded_router()


@router.get("/ledger/submissions")
@may(LOOK)
def submissions(request: Request) -> Response:
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
    """What to look at before a file goes out."""
    if latest.status != sending.PENDING:
        return ()
    with ledger_service(request).reading() as connection:
        return concerns(connection, latest.id)


@router.post("/ledger/submissions/mark")
@may(SEND, anywhere, Message("noted what became of a submission"))
def note(request: Request, form: FormFields) -> Response:
    """Note what became of one."""
    service, number = ledger_service(request), whole_in(form, "number")
    require_at(request, SEND, service.club_of_submission(service.submission(number)))
    noted = (form.get("status", ""), form.get("remark", ""))
    sending.mark(service.ledger, number, *noted, who=own_name(request))
    return RedirectResponse("/ledger/submissions", 303)


@router.get("/ledger/submissions/{number}.xml")
@may(LOOK, submission)
def document(request: Request, number: int) -> Response:
    """The USEBIO document of a submission."""
    with ledger_service(request).reading() as connection:
        content = usebio(connection, number)
    headers = {"content-disposition": f'attachment; filename="submission-{number}.xml"'}
    return Response(content, media_type="application/xml", headers=headers)
