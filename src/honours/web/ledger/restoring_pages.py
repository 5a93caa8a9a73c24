"""Bringing a copy of the ledger back: what it holds and what would be lost, before it is done."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from fastapi import File, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.errors import MissingInput
from honours.ledger.shapes import records_table
from honours.model.message import Message, mark
from honours.model.rights import KEEP
from honours.model.table import Cell, Kind, Table
from honours.web.http.access import everywhere, guarded_router, may
from honours.web.http.forms import FormFields
from honours.web.http.requester import who_of
from honours.web.ledger.restoring import LedgerCopies, LedgerExtent, extent
from honours.web.ledger.service import ledger_service
from honours.web.tables import column, table
from honours.web.templating import render

router = guarded_router()
_LONGEST = 500


def restoring_of(request: Request) -> LedgerCopies:
    """The copies of this application."""
    restoring: LedgerCopies = request.app.state.restoring
    return restoring


@router.get("/ledger/restore")
@may(KEEP, everywhere)
def ask(request: Request) -> Response:
    limit = request.app.state.settings.body_limit >> 20
    return render(
        request, "restore.html", copy_id="", limit=limit, last=restoring_of(request).last()
    )


@router.post("/ledger/restore")
@may(KEEP, everywhere, Message("brought in a copy of the ledger to look at"))
def bring_in(request: Request, backup: Annotated[UploadFile, File()]) -> Response:
    name = (backup.filename or "backup")[:200]
    copy_id = restoring_of(request).take(name, backup.file.read())
    return RedirectResponse(f"/ledger/restore/{copy_id}", 303)


@router.get("/ledger/restore/{copy_id}")
@may(KEEP, everywhere)
def look(request: Request, copy_id: str) -> Response:
    """What the copy holds, beside what the ledger does."""
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
    """How much the copy holds, beside the ledger as it is."""
    columns = [
        column(Message("what is there"), Kind.WORD),
        column(Message("the copy"), Kind.NUMBER),
        column(Message("the ledger now"), Kind.NUMBER),
    ]
    both = (_figures(held), _figures(now) if now else (Cell("—"),) * 4)
    titles = (Message("Members"), Message("Records"), Message("Postings"), Message("Posted last"))
    return table("compared", "", columns, zip(titles, *both, strict=True))


def _figures(ledger: LedgerExtent) -> tuple[Cell, ...]:
    day = Message("{day}", day=date.fromisoformat(ledger.day)) if ledger.day else ""
    counts = (Cell(one) for one in (ledger.members, ledger.records, ledger.postings))
    return (*counts, Cell(ledger.last, note=day))


@router.post("/ledger/restore/{copy_id}")
@may(KEEP, everywhere, mark("restored the ledger from copy {copy_id}"))
def put_in_place(request: Request, copy_id: str, form: FormFields) -> Response:
    who, why = who_of(request, form.get("by", "")), form.get("why", "").strip()[:_LONGEST]
    if not why:
        raise MissingInput("why", Message("restoring the ledger"))
    restoring_of(request).put_in_place(copy_id, who, why)
    return RedirectResponse("/ledger", 303)
