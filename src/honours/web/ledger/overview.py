"""The ledger as a whole, for people and programs: begun, at a glance, verified, copied, restored,
its years closed."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from fastapi import File, UploadFile
from sqlalchemy import Connection, select
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.errors import InputError
from honours.ledger import operations as acts
from honours.ledger.copies import backup
from honours.ledger.release import PENDING, Draft, drafters
from honours.ledger.schema import people, records
from honours.ledger.shapes import reason_data, records_table
from honours.ledger.store import shown_address
from honours.model.message import Message, mark
from honours.model.rights import AUDIT, KEEP, LOOK, POST, READ
from honours.model.table import Cell, Kind, Table, headed, table
from honours.web.events.posting import changed_events, stale_records
from honours.web.events.store import StoredEvent
from honours.web.http.access import everywhere, may, may_at, shared, who_of
from honours.web.http.api import Id, StrictRequest
from honours.web.http.forms import sent_as
from honours.web.http.operations import Operations
from honours.web.http.problems import NotThere
from honours.web.ledger.acting import add_operation
from honours.web.ledger.api_models import By, LedgerAnswer, ReasonAnswer, Why
from honours.web.ledger.restoring import LedgerCopies, LedgerExtent, extent
from honours.web.ledger.service import (
    LedgerService,
    ledger_service,
    own_drafts,
    own_submissions,
    sees_everybody,
)
from honours.web.ledger.verification import VerificationStatus
from honours.web.templating import render

operations = Operations("ledger", "/ledger")
api, pages = operations.api, operations.pages
_LATEST = 100


def verification_status(request: Request) -> VerificationStatus:
    """The verification light of this application."""
    status: VerificationStatus = request.app.state.verification
    return status


def restoring_of(request: Request) -> LedgerCopies:
    """The copies of this application."""
    restoring: LedgerCopies = request.app.state.restoring
    return restoring


def _answer(request: Request) -> LedgerAnswer:
    with ledger_service(request).reading() as connection:
        size = ledger_service(request).size(connection)
    return LedgerAnswer(**asdict(size))


@api.get("")
@may(READ)
def ledger(request: Request) -> LedgerAnswer:
    """Return how much there is in the ledger."""
    return _answer(request)


@operations(
    "POST ",
    KEEP,
    everywhere,
    Message("began the ledger"),
    form="/ledger",
    then="/ledger",
    status_code=201,
    responses={200: {"model": LedgerAnswer}},
)
def begin_ledger(request: Request, response: Response) -> LedgerAnswer:
    """Make the ledger; one that is there stays."""
    if ledger_service(request).there:
        response.status_code = 200
    ledger_service(request).begin()
    return _answer(request)


@api.get("/postings/{posting_id}", response_model_exclude_unset=True)
@may(LOOK, shared)
def posting(request: Request, posting_id: Id) -> ReasonAnswer:
    """Return why a posting is what it is, as it was explained when it was made."""
    try:
        return ReasonAnswer(**reason_data(ledger_service(request).reason(posting_id)))
    except InputError as error:
        raise NotThere(error.message) from error


add_operation(
    operations,
    acts.close_year,
    "POST /years",
    KEEP,
    everywhere,
    Message("closed a year"),
    status_code=201,
)
add_operation(
    operations,
    acts.reopen_year,
    "POST /years/reopening",
    KEEP,
    everywhere,
    Message("reopened a year"),
    status_code=201,
)


# --- at a glance ----------------------------------------------------------------------------------


@pages.get("/ledger")
@may(READ)
def overview(request: Request) -> Response:
    service = ledger_service(request)
    if not service.there:
        return render(request, "ledger_none.html", may_begin=may_at(request, KEEP, ""))
    with service.reading() as connection:
        posted = _posted(connection, sees_everybody(request))
    return render(
        request,
        "ledger.html",
        posted=posted,
        todo=waiting(request, service),
        light=verification_status(request).shown(),
        changed=changed_events(request),
        where=shown_address(service.where),
        keeps=may_at(request, KEEP, ""),
        sees=sees_everybody(request),
    )


@dataclass(frozen=True, slots=True)
class ToDo:
    """The work that waits for a secretary: events that are no longer what was posted, drafts to
    release, records to send, returns that were made and not sent, and whether there are members at
    all."""

    changed: Sequence[StoredEvent] = ()
    drafts: Sequence[Draft] = ()
    pending: int = 0
    made: Sequence[int] = ()
    members: bool = True

    @property
    def is_nothing(self) -> bool:
        waits = self.changed or self.drafts or self.pending or self.made
        return not waits and self.members


def waiting(request: Request, service: LedgerService) -> ToDo:
    """Return what waits to be done by whoever asks."""
    with service.reading() as connection:
        members = connection.execute(select(people.c.member).limit(1)).first() is not None
    drafts = [draft for draft in own_drafts(request) if draft.status == PENDING]
    pending, sent = own_submissions(request)
    made = [one.id for one in sent if one.status == PENDING]
    changed = [kept for kept, _ in changed_events(request) if may_at(request, POST, kept.club)]
    stale = stale_records(request)
    to_send = [one for one in pending if one.id not in stale]
    return ToDo(changed, drafts, len(to_send), made, members)


def _posted(connection: Connection, everybody: bool) -> Table:
    chosen = select(records).order_by(records.c.id.desc()).limit(_LATEST)
    drafted = drafters(connection)
    return records_table(connection.execute(chosen), drafted, everybody)


@pages.get("/ledger/light")
@may(READ)
def verification_light(request: Request) -> Response:
    """The light by itself, for a page that waits for it."""
    light = verification_status(request).shown()
    return render(request, "light.html", light=light, changed=changed_events(request))


@pages.post("/ledger/verify")
@may(AUDIT, everywhere, Message("had the ledger verified"))
def check(request: Request) -> Response:
    ledger_service(request).ledger  # noqa: B018 - a ledger that is not there has nothing to verify
    verification_status(request).switch_on()
    return RedirectResponse("/ledger", 303)


@pages.get("/ledger/postings/{posting}")
@may(LOOK, shared)
def why(request: Request, posting: int) -> Response:
    return render(request, "posting.html", reason=ledger_service(request).reason(posting))


# --- copies ---------------------------------------------------------------------------------------


@pages.get("/ledger/backup")
@may(KEEP, everywhere)
def keep_copy(request: Request) -> Response:
    """The whole ledger as one file, to be kept somewhere else."""
    service = ledger_service(request)
    with tempfile.TemporaryDirectory(prefix="honours-") as folder:
        path = Path(folder) / "ledger.backup.gz"
        backup(service.ledger, path)
        content = path.read_bytes()
    headers = {"content-disposition": 'attachment; filename="ledger.backup.gz"'}
    return Response(content, media_type="application/gzip", headers=headers)


@pages.get("/ledger/restore")
@may(KEEP, everywhere)
def restore_page(request: Request) -> Response:
    limit = request.app.state.settings.body_limit >> 20
    return render(
        request, "restore.html", copy_id="", limit=limit, last=restoring_of(request).last()
    )


@pages.post("/ledger/restore")
@may(KEEP, everywhere, Message("brought in a copy of the ledger to look at"))
def bring_in_copy(request: Request, backup: Annotated[UploadFile, File()]) -> Response:
    name = (backup.filename or "backup")[:200]
    copy_id = restoring_of(request).take(name, backup.file.read())
    return RedirectResponse(f"/ledger/restore/{copy_id}", 303)


@pages.get("/ledger/restore/{copy_id}")
@may(KEEP, everywhere)
def look_at_copy(request: Request, copy_id: str) -> Response:
    """Show what the copy holds, beside what the ledger does."""
    restoring, service = restoring_of(request), ledger_service(request)
    name, job = restoring.job(copy_id)
    context: dict[str, Any] = {"copy_id": copy_id, "name": name, "job": job}
    context |= {"held": None, "now": None}
    if job.state == "done" and job.result["verdict"] != "altered":
        context["held"], since = restoring.held(copy_id)
        context["since"] = records_table(since, {}, everybody=True)
        if service.there:
            with service.reading() as connection:
                context["now"] = extent(connection)
        context["compared"] = _compared(context["held"], context["now"])
    return render(request, "restore.html", **context, in_a_file=restoring.in_a_file)


def _compared(held: LedgerExtent, now: LedgerExtent | None) -> Table:
    """Return how much the copy holds, beside the ledger as it is, as a table."""
    columns = [
        headed("what is there", Kind.WORD),
        headed("the copy", Kind.NUMBER),
        headed("the ledger now", Kind.NUMBER),
    ]
    both = (_figures(held), _figures(now) if now else (Cell("—"),) * 4)
    titles = (Message("Members"), Message("Records"), Message("Postings"), Message("Posted last"))
    return table("compared", columns, zip(titles, *both, strict=True))


def _figures(ledger: LedgerExtent) -> tuple[Cell, ...]:
    day = Message("{day}", day=date.fromisoformat(ledger.day)) if ledger.day else ""
    counts = (Cell(one) for one in (ledger.members, ledger.records, ledger.postings))
    return (*counts, Cell(ledger.last, note=day))


class RestoringRequest(StrictRequest):
    """A request to put a copy in the place of the ledger: by whom, and why."""

    by: By = ""
    why: Why


@pages.post("/ledger/restore/{copy_id}")
@may(KEEP, everywhere, mark("restored the ledger from copy {copy_id}"))
def put_in_place(
    request: Request, copy_id: str, asked: Annotated[RestoringRequest, sent_as(RestoringRequest)]
) -> Response:
    """Put a copy that was found sound in the place of the ledger."""
    restoring_of(request).put_in_place(copy_id, who_of(request, asked.by), asked.why)
    return RedirectResponse("/ledger", 303)
