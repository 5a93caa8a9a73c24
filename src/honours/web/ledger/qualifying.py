"""Qualification for an invitational tournament: registers, and the list each of them makes, on
pages and for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Path
from pydantic import BaseModel, BeforeValidator, Field, create_model
from sqlalchemy import Connection, select
from starlette.requests import Request
from starlette.responses import Response

from honours.ledger.qualify import (
    FIELDS,
    TOURNAMENTS,
    Qualification,
    Register,
    qualification,
    qualification_data,
    qualification_table,
    register_of,
    register_text,
    what_does_not_count,
)
from honours.ledger.schema import records, rulebooks
from honours.model.message import mark
from honours.model.rights import KEEP, READ
from honours.model.table import Kind, headed, table
from honours.rulebooks import ids
from honours.web.http.access import everywhere, may, shared
from honours.web.http.operations import Operations
from honours.web.ledger.lists import FILES, Form, as_file
from honours.web.ledger.registers import StoredRegister, registers_of
from honours.web.ledger.service import ledger_service, sees_everybody
from honours.web.templating import cell, render

HERE = "/ledger/lists/qualifying"
operations = Operations("ledger: lists", HERE)
api, pages = operations.api, operations.pages
_OFFERED = 100
"""Tournaments of the ledger that a form offers; others are written by their day and title."""
RegisterId = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$", examples=["0123456789ab"])]
_LONGEST, _MOST = 300, 2_000


class DesignatedTournament(BaseModel):
    """A tournament that counts, by its day and title."""

    day: str = Field(pattern=r"^\d{4}-\d\d-\d\d$", examples=["2025-03-15"])
    title: str = Field(min_length=1, max_length=_LONGEST)


def _field(field: Any) -> tuple[Any, Any]:
    """The field of a register as the API has it."""
    about = {"description": str(field.about or field.label), "default": field.default}
    if field.default is None:
        about["default"] = ...
    if field.type == "count":
        return int, Field(ge=int(field.default is None), le=10**6, **about)
    if field.type == "day":
        day = r"^\d{4}-\d\d-\d\d$" if field.default is None else r"^(\d{4}-\d\d-\d\d)?$"
        return str, Field(pattern=day, examples=["2025-01-01"], **about)
    least = 0 if field.default == "" else 1
    return str, Field(min_length=least, max_length=_LONGEST, **about)


def _as_typed(given: Any) -> Any:
    """Tournaments that may be written as a form has them, a line each: the day and the title."""
    if not isinstance(given, list):
        return given
    lines = [line for one in given if isinstance(one, str) for line in one.splitlines()]
    typed = [dict(zip(("day", "title"), line.split(maxsplit=1), strict=False)) for line in lines]
    return [*(one for one in given if not isinstance(one, str)), *filter(None, typed)]


_Tournaments = Annotated[list[DesignatedTournament], BeforeValidator(_as_typed)]
_DECLARED: dict[str, Any] = {
    **{field.key: _field(field) for field in FIELDS},
    TOURNAMENTS: (_Tournaments, Field(min_length=1, max_length=_MOST)),
}
RegisterGiven: Any = create_model(
    "RegisterGiven", __doc__="What an invitational says of how one qualifies.", **_DECLARED
)
RegisterAnswer: Any = create_model(
    "RegisterAnswer",
    __doc__="A register that is kept.",
    __base__=RegisterGiven,
    id=(str, ...),
)


Rows = list[dict[str, Any]]


class QualificationAnswer(BaseModel):
    """The list of those who qualify by a register, from what the ledger holds."""

    title: str
    rulebook: str
    since: str
    until: str
    best: int | None
    places: int
    minimum_category: int | None
    list: Rows
    tournaments: Rows
    not_posted: Rows


def _answer(stored: StoredRegister) -> Any:
    values = asdict(stored.register)
    values[TOURNAMENTS] = [
        {"day": day, "title": title} for day, title in stored.register.tournaments
    ]
    return RegisterAnswer(id=stored.id, **values)


def _given(given: Any) -> Register:
    return register_of(given.model_dump(), "register")


@api.get("", response_model=list[RegisterAnswer])
@may(READ)
def list_registers(request: Request) -> Any:
    """The registers of invitational tournaments."""
    return [_answer(stored) for stored in registers_of(request).all()]


@operations(
    "POST ",
    KEEP,
    everywhere,
    mark("added a register of an invitational tournament"),
    form=HERE,
    then=f"{HERE}/{{id}}",
    status_code=201,
    response_model=RegisterAnswer,
)
def add_register(request: Request, given: RegisterGiven) -> Any:
    """Keep a register."""
    return _answer(registers_of(request).add(_given(given)))


@api.get("/{register_id}", response_model=QualificationAnswer, responses=FILES)
@may(READ, shared)
def list_qualifying(request: Request, register_id: RegisterId, form: Form = "json") -> Any:
    """Return who qualifies by a register, with points, results that count and what was left out."""
    made, public = _made(request, register_id), not sees_everybody(request)
    if form == "json":
        return qualification_data(made, public)
    return as_file([qualification_table(made, public)], "qualification", form)


@operations(
    "PUT /{register_id}",
    KEEP,
    everywhere,
    mark("changed register {register_id}"),
    form=f"{HERE}/{{register_id}}",
    then=f"{HERE}/{{register_id}}",
    response_model=RegisterAnswer,
)
def change_register(request: Request, register_id: RegisterId, given: RegisterGiven) -> Any:
    """Another register in the place of one."""
    return _answer(registers_of(request).change(register_id, _given(given)))


def _made(request: Request, register_id: str) -> Qualification:
    service, stored = ledger_service(request), registers_of(request).get(register_id)
    with service.reading() as connection:
        return qualification(connection, stored.register, service.settings.rulebooks)


@operations(
    "DELETE /{register_id}",
    KEEP,
    everywhere,
    mark("removed register {register_id}"),
    form=f"{HERE}/{{register_id}}/delete",
    then=HERE,
    status_code=204,
)
def remove_register(request: Request, register_id: RegisterId) -> None:
    """Take a register away; the ledger stays as it is."""
    registers_of(request).remove(register_id)


# --- the pages ------------------------------------------------------------------------------------


@pages.get(HERE)
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
        headed("title"),
        headed("since", Kind.DATE),
        headed("until", Kind.DATE),
        headed("how many qualify", Kind.NUMBER),
        headed("designated tournaments", Kind.NUMBER),
    )
    shown = table("registers", header, rows)
    return render(request, "qualifying.html", registers=shown)


@pages.get(f"{HERE}/new")
@may(KEEP, everywhere)
def new_register(request: Request) -> Response:
    """The form for a new register."""
    return _form(request, None)


@pages.get(f"{HERE}/{{register_id}}")
@may(READ, shared)
def one_register(request: Request, register_id: str) -> Response:
    """The list of one invitational."""
    stored = registers_of(request).get(register_id)
    made = _made(request, register_id)
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


@pages.get(f"{HERE}/{{register_id}}/register.toml")
@may(READ, shared)
def register_file(request: Request, register_id: str) -> Response:
    """The register as a file, for ``honours ledger lists qualify``."""
    text = register_text(registers_of(request).get(register_id).register)
    named = {"Content-Disposition": 'attachment; filename="register.toml"'}
    return Response(text, media_type="application/toml", headers=named)


@pages.get(f"{HERE}/{{register_id}}/change")
@may(KEEP, everywhere)
def changing_register(request: Request, register_id: str) -> Response:
    """The form with what a register says."""
    return _form(request, registers_of(request).get(register_id))


# --- the form -------------------------------------------------------------------------------------


def _form(request: Request, stored: StoredRegister | None) -> Response:
    with ledger_service(request).reading() as connection:
        offered, books = _posted(connection), _books(connection)
    return render(
        request,
        "qualifying_form.html",
        stored=stored,
        fields=FIELDS,
        filled=_values(stored.register if stored else None, offered),
        offered=offered,
        ticked=stored.register.tournaments if stored else (),
        books=books,
    )


def _values(register: Register | None, offered: list[Any]) -> dict[str, str]:
    """Return the values of a form: the register, and its tournaments that the ledger has not."""
    if register is None:
        return {f.key: "" if f.default is None else str(f.default) for f in FIELDS}
    values = {field.key: str(getattr(register, field.key)) for field in FIELDS}
    posted = {(row.day, row.title) for row in offered}
    others = [f"{day} {title}" for day, title in register.tournaments if (day, title) not in posted]
    return values | {TOURNAMENTS: "\n".join(others)}


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
