"""Who qualifies for an invitational tournament: registers, and the list each of them makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.errors import InputError
from honours.ledger.qualify import (
    FIELDS,
    TOURNAMENTS,
    Register,
    qualification,
    qualification_table,
    register_of,
    register_text,
    what_does_not_count,
)
from honours.ledger.schema import records, rulebooks
from honours.model.message import Message, mark
from honours.model.rights import KEEP, READ
from honours.model.table import Kind
from honours.rulebooks import ids
from honours.web.http.access import everywhere, guarded_router, may, shared
from honours.web.http.forms import FormFields
from honours.web.http.problems import problem_of
from honours.web.ledger.access import sees_everybody
from honours.web.ledger.registers import StoredRegister, registers_of
from honours.web.ledger.service import ledger_service
from honours.web.tables import cell, column, table
from honours.web.templating import render

router = guarded_router()
HERE = "/ledger/lists/qualifying"
_OFFERED = 100
"""Tournaments of the ledger that a form offers; others are written by their day and title."""


@router.get(HERE)
@may(READ)
def every_register(request: Request) -> Response:
    """The invitationals that have a list."""
    rows = [
        (
            cell(stored.register.title, f"{HERE}/{stored.id}"),
            stored.register.since,
            stored.register.until,
            str(stored.register.places),
            str(len(stored.register.tournaments)),
        )
        for stored in registers_of(request).all()
    ]
    header = (
        Message("title"),
        column(Message("since"), Kind.DATE),
        column(Message("until"), Kind.DATE),
        column(Message("how many qualify"), Kind.NUMBER),
        column(Message("designated tournaments"), Kind.NUMBER),
    )
    shown = table("registers", "", header, rows)
    return render(request, "qualifying.html", registers=shown)


@router.get(f"{HERE}/new")
@may(KEEP, everywhere)
def new_register(request: Request) -> Response:
    """The form for a new register."""
    return _form(request, None, {})


@router.post(HERE)
@may(KEEP, everywhere, mark("added a register of an invitational tournament"))
def add_register(request: Request, form: FormFields) -> Response:
    """Keep what the form says."""
    try:
        register = _filled_in(request, form)
    except InputError as error:
        return _form(request, None, form, error)
    return RedirectResponse(f"{HERE}/{registers_of(request).add(register).id}", 303)


@router.get(f"{HERE}/{{register_id}}")
@may(READ, shared)
def one_register(request: Request, register_id: str) -> Response:
    """The list of one invitational."""
    stored = registers_of(request).get(register_id)
    service = ledger_service(request)
    with service.reading() as connection:
        made = qualification(connection, stored.register, service.settings.rulebooks)
    return render(
        request,
        "qualifying_list.html",
        stored=stored,
        shown=qualification_table(made, public=not sees_everybody(request)),
        beside=what_does_not_count(made),
        files={
            form: f"/api/v1{HERE}/{stored.id}?format={form}" for form in ("csv", "parquet", "json")
        },
    )


@router.get(f"{HERE}/{{register_id}}/register.toml")
@may(READ, shared)
def register_file(request: Request, register_id: str) -> Response:
    """The register as a file, for ``honours ledger lists qualify``."""
    text = register_text(registers_of(request).get(register_id).register)
    named = {"Content-Disposition": 'attachment; filename="register.toml"'}
    return Response(text, media_type="application/toml", headers=named)


@router.get(f"{HERE}/{{register_id}}/change")
@may(KEEP, everywhere)
def changing_register(request: Request, register_id: str) -> Response:
    """The form with what a register says."""
    return _form(request, registers_of(request).get(register_id), {})


@router.post(f"{HERE}/{{register_id}}")
@may(KEEP, everywhere, mark("changed register {register_id}"))
def change_register(request: Request, register_id: str, form: FormFields) -> Response:
    """Keep what the form says in its place."""
    stored = registers_of(request).get(register_id)
    try:
        register = _filled_in(request, form)
    except InputError as error:
        return _form(request, stored, form, error)
    registers_of(request).change(register_id, register)
    return RedirectResponse(f"{HERE}/{register_id}", 303)


@router.post(f"{HERE}/{{register_id}}/delete")
@may(KEEP, everywhere, mark("removed register {register_id}"))
def remove_register(request: Request, register_id: str) -> Response:
    """Take a register away."""
    registers_of(request).remove(register_id)
    return RedirectResponse(HERE, 303)


# --- the form -------------------------------------------------------------------------------------


def _form(
    request: Request,
    stored: StoredRegister | None,
    typed: Mapping[str, str],
    error: InputError | None = None,
) -> Response:
    with ledger_service(request).reading() as connection:
        offered, books = _posted(connection), _books(connection)
    values = dict(typed) or _values(stored.register if stored else None, offered)
    return render(
        request,
        "qualifying_form.html",
        422 if error else 200,
        stored=stored,
        fields=FIELDS,
        filled=values,
        offered=offered,
        books=books,
        problem=problem_of(error) if error else None,
    )


def _values(register: Register | None, offered: list[Any]) -> dict[str, str]:
    """What a form begins with: the register, its tournaments ticked where the ledger has them."""
    if register is None:
        return {f.key: "" if f.default is None else str(f.default) for f in FIELDS}
    values = {field.key: str(getattr(register, field.key)) for field in FIELDS}
    ticked = {f"record.{row.id}": "on" for row in offered if _is_of(row, register)}
    posted = {(row.day, row.title) for row in offered}
    others = [f"{day} {title}" for day, title in register.tournaments if (day, title) not in posted]
    return values | ticked | {TOURNAMENTS: "\n".join(others)}


def _is_of(row: Any, register: Register) -> bool:
    return (row.day, row.title) in register.tournaments and row.rulebook == register.rulebook


def _posted(connection: Connection) -> list[Any]:
    """The awards of the ledger, the latest first."""
    undone = select(records.c.reverses).where(records.c.reverses.is_not(None))
    return list(
        connection.execute(
            select(records.c.id, records.c.day, records.c.title, rulebooks.c.rulebook)
            .join(rulebooks, records.c.rulebook == rulebooks.c.hash)
            .where(records.c.action == "award", records.c.id.not_in(undone))
            .order_by(records.c.day.desc(), records.c.id.desc())
            .limit(_OFFERED)
        )
    )


def _books(connection: Connection) -> list[str]:
    return sorted({*ids(), *connection.scalars(select(rulebooks.c.rulebook))})


def _filled_in(request: Request, form: Mapping[str, str]) -> Register:
    """The register a form describes."""
    with ledger_service(request).reading() as connection:
        ticked = [
            {"day": row.day, "title": row.title}
            for row in _posted(connection)
            if f"record.{row.id}" in form
        ]
    written = [line.strip() for line in form.get(TOURNAMENTS, "").splitlines() if line.strip()]
    others = [dict(zip(("day", "title"), line.split(maxsplit=1), strict=False)) for line in written]
    values = {f.key: _typed(f.type, form[f.key]) for f in FIELDS if form.get(f.key, "").strip()}
    return register_of({**values, TOURNAMENTS: [*ticked, *others]}, "register")


def _typed(kind: str, text: str) -> str | int:
    text = text.strip()
    return int(text) if kind == "count" and text.isdecimal() and len(text) < 10 else text
