"""Qualification lists over the API: a register is kept, and its list read as JSON or a file."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Path
from pydantic import BaseModel, Field, create_model
from starlette.requests import Request
from starlette.responses import Response

from honours.ledger.qualify import (
    FIELDS,
    TOURNAMENTS,
    Register,
    qualification,
    qualification_data,
    qualification_table,
    register_of,
)
from honours.model.message import mark
from honours.model.rights import KEEP, READ
from honours.web.http.access import everywhere, guarded_router, may, shared
from honours.web.ledger.access import sees_everybody
from honours.web.ledger.list_api import FILES, Form, as_file
from honours.web.ledger.registers import StoredRegister, registers_of
from honours.web.ledger.service import ledger_service

router = guarded_router(prefix="/ledger/lists/qualifying", tags=["ledger: lists"])
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


_DECLARED: dict[str, Any] = {
    **{field.key: _field(field) for field in FIELDS},
    TOURNAMENTS: (list[DesignatedTournament], Field(min_length=1, max_length=_MOST)),
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
    """Who qualifies by a register, from what the ledger holds."""

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


@router.get("", response_model=list[RegisterAnswer])
@may(READ)
def list_registers(request: Request) -> Any:
    """The registers of invitational tournaments."""
    return [_answer(stored) for stored in registers_of(request).all()]


@router.post("", status_code=201, response_model=RegisterAnswer)
@may(KEEP, everywhere, mark("added a register of an invitational tournament"))
def add_register(request: Request, given: RegisterGiven) -> Any:
    """Keep a register."""
    return _answer(registers_of(request).add(_given(given)))


@router.get("/{register_id}", response_model=QualificationAnswer, responses=FILES)
@may(READ, shared)
def list_qualifying(request: Request, register_id: RegisterId, form: Form = "json") -> Any:
    """Who qualifies by a register: place, points, which results count, and what was left out."""
    stored, service = registers_of(request).get(register_id), ledger_service(request)
    public = not sees_everybody(request)
    with service.reading() as connection:
        made = qualification(connection, stored.register, service.settings.rulebooks)
    if form == "json":
        return qualification_data(made, public)
    return as_file([qualification_table(made, public)], "qualification", form)


@router.put("/{register_id}", response_model=RegisterAnswer)
@may(KEEP, everywhere, mark("changed register {register_id}"))
def change_register(request: Request, register_id: RegisterId, given: RegisterGiven) -> Any:
    """Another register in the place of one."""
    return _answer(registers_of(request).change(register_id, _given(given)))


@router.delete("/{register_id}", status_code=204, response_class=Response)
@may(KEEP, everywhere, mark("removed register {register_id}"))
def remove_register(request: Request, register_id: RegisterId) -> Response:
    """Take a register away; the ledger stays as it is."""
    registers_of(request).remove(register_id)
    return Response(status_code=204)
