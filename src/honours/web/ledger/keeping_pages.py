"""What a secretary does to the ledger by hand: add, edit, merge, take back, keep a copy.

Each asks why; what changes points is shown before it is done.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.errors import InputError, MissingInput
from honours.ledger import members
from honours.ledger.copies import backup
from honours.ledger.derive import reversed_lines
from honours.ledger.events import lines_posted
from honours.ledger.kinds import all_kinds
from honours.ledger.shapes import lines_table
from honours.ledger.statement import statement
from honours.model.member import DETAILS, Member
from honours.model.message import Message, mark
from honours.model.rights import KEEP, POST
from honours.web.http.access import everywhere, guarded_router, may
from honours.web.http.forms import FormFields
from honours.web.http.problems import Problem, problem_of
from honours.web.http.requester import signed_before, who_of
from honours.web.ledger.access import record as of_record
from honours.web.ledger.service import ledger_service, one_member
from honours.web.templating import render

router = guarded_router()
_LONGEST = 500
"""So many characters of a reason are kept."""


# --- one member ----------------------------------------------------------------------------------


@router.get("/ledger/people/new")
@may(KEEP, everywhere)
def new_member(request: Request) -> Response:
    return _form(request, {}, None)


def _form(
    request: Request, fields: dict[str, str], member: Member | None, problem: Problem | None = None
) -> Response:
    code = 422 if problem else 200
    context = {"filled": fields, "member": member, "details": DETAILS, "problem": problem}
    by = fields.get("by") or signed_before(request)
    return render(request, "member_form.html", code, **context, by=by)


@contextmanager
def _changing(request: Request, form: dict[str, str], what: Message) -> Iterator[Connection]:
    """Write about a member in somebody's name, with the reason, which stays in the chain."""
    who, why = who_of(request, form.get("by", "")), form.get("why", "").strip()
    if not why:
        raise MissingInput("why", what)
    with ledger_service(request).ledger.writing(by=who, why=why[:_LONGEST]) as connection:
        yield connection


def _wanted(form: dict[str, str]) -> dict[str, Any]:
    """A member as a form describes them: a box that is not ticked means no."""
    name = " ".join(form.get("name", "").split())
    if not name:
        raise MissingInput("name", Message("a member"))
    yes_no = {one.name: bool(form.get(one.name)) for one in DETAILS if one.is_yes_no}
    texts = {one.name: form.get(one.name, "") for one in DETAILS if not one.is_yes_no}
    return {"name": name, "number": form.get("number", "").strip(), **yes_no, **texts}


@router.post("/ledger/people/new")
@may(KEEP, everywhere, Message("added a member"))
def add(request: Request, form: FormFields) -> Response:
    try:
        with _changing(request, form, Message("adding a member")) as connection:
            number = members.add(connection, **_wanted(form))
    except InputError as error:
        return _form(request, form, None, problem_of(error))
    return RedirectResponse(f"/ledger/members/{number}", 303)


@router.get("/ledger/people/{member_id}/edit")
@may(KEEP, everywhere)
def edit_form(request: Request, member_id: int) -> Response:
    with ledger_service(request).reading() as connection:
        member = one_member(connection, member_id)
    fields = {"name": member.name, "number": member.number}
    fields |= {one.name: str(getattr(member, one.name) or "") for one in DETAILS}
    return _form(request, fields, member)


@router.post("/ledger/people/{member_id}/edit")
@may(KEEP, everywhere, mark("changed member {member_id}"))
def edit(request: Request, member_id: int, form: FormFields) -> Response:
    with ledger_service(request).reading() as connection:
        member = one_member(connection, member_id)
    try:
        with _changing(request, form, Message("changing a member")) as connection:
            members.change(connection, member.id, **_wanted(form))
    except InputError as error:
        return _form(request, form, member, problem_of(error))
    return RedirectResponse(f"/ledger/members/{member_id}", 303)


# --- two that are one ----------------------------------------------------------------------------


@router.get("/ledger/people/{member_id}/merge")
@may(KEEP, everywhere)
def merge_form(request: Request, member_id: int, into: str = "") -> Response:
    """Whom to merge into whom, and what they would hold together."""
    problem, other, together = None, None, []
    with ledger_service(request).reading() as connection:
        member = one_member(connection, member_id)
        if into.strip():
            try:
                other = members.find(connection, into[:100])
                together = _together(connection, member, other)
            except InputError as error:
                problem = problem_of(error)
    context = {"member": member, "other": other, "together": together, "into": into}
    code = 422 if problem else 200
    return render(request, "member_merge.html", code, **context, problem=problem)


def _together(connection: Any, one: Member, other: Member) -> list[tuple[str, ...]]:
    """What each holds of every kind of points, and both."""
    if one.id == other.id:
        raise InputError("that is the same member")
    mine, theirs = (statement(connection, each).balances for each in (one, other))
    kinds = dict.fromkeys((*mine, *theirs))
    return [
        (
            f"{kind.scheme}, {kind.name}",
            *(kind.shown(units) for units in (mine.get(kind, 0), theirs.get(kind, 0))),
            kind.shown(mine.get(kind, 0) + theirs.get(kind, 0)),
        )
        for kind in kinds
    ]


# --- taken back, and kept ------------------------------------------------------------------------


@router.get("/ledger/records/{record_id}/reverse")
@may(POST, of_record)
def reverse_form(request: Request, record_id: int) -> Response:
    """What taking a record back would post."""
    service = ledger_service(request)
    record = service.record(record_id)
    with service.reading() as connection:
        lines = reversed_lines(lines_posted(connection, record))
        known = members.get(connection, {line.member for line in lines})
        kinds = {kind.id: kind for kind in all_kinds(connection)}
    preview = lines_table(kinds.__getitem__, lines, known)
    return render(request, "record_reverse.html", record=record, preview=preview)


@router.get("/ledger/backup")
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
