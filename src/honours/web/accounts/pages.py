"""Signing in and out, and the accounts of a server that many people use."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.errors import InputError
from honours.web.accounts.administration import ROLE
from honours.web.accounts.store import ROLES, SESSION_SECONDS
from honours.web.http.forms import FormFields
from honours.web.http.guard import COOKIE
from honours.web.http.problems import Problem, problem_of
from honours.web.http.requester import accounts_of, administration_of, clubs_to_choose, note
from honours.web.tables import Cell, Table, table
from honours.web.templating import render
from honours.web.texts import mark

router = APIRouter()


@router.get("/sign-in")
def ask(request: Request) -> Response:
    accounts_of(request)
    return render(request, "sign_in.html", wrong=False)


@router.post("/sign-in")
def sign_in(request: Request, said: FormFields) -> Response:
    key = accounts_of(request).signed_in(said.get("name", ""), said.get("password", ""))
    if key is None:
        return render(request, "sign_in.html", 403, wrong=True)
    response = RedirectResponse("/", 303)
    secure = request.url.scheme == "https"
    response.set_cookie(
        COOKIE, key, max_age=SESSION_SECONDS, httponly=True, samesite="lax", secure=secure
    )
    return response


@router.post("/sign-out")
def sign_out(request: Request) -> Response:
    accounts_of(request).sign_out(request.cookies.get(COOKIE, ""))
    response = RedirectResponse("/sign-in", 303)
    response.delete_cookie(COOKIE)
    return response


# --- who there is ---------------------------------------------------------------------------------


@router.get("/accounts")
def everybody(request: Request) -> Response:
    return _listed(request)


def _listed(request: Request, token: str = "", problem: Problem | None = None) -> Response:
    """The accounts of the asker's clubs, and what was done there."""
    office = administration_of(request)
    done = [(one.at, one.who, one.what, str(one.code)) for one in office.log()]
    header = (mark("when"), mark("who"), mark("what"), mark("answer"))
    return render(
        request,
        "accounts.html",
        422 if problem else 200,
        roles=ROLES,
        token=token,
        problem=problem,
        people=_people(request),
        everywhere=office.everywhere,
        clubs=clubs_to_choose(request, ROLE),
        own=office.asker.clubs(ROLE),
        audit=table("audit", mark("What was done"), header, done),
    )


def _people(request: Request) -> Table:
    office = administration_of(request)
    tokens = office.tokens()
    rows = [
        (
            one.name,
            Cell(grant.role, word=True),
            grant.club or Cell(mark("every club"), word=True),
            str(tokens.get(one.name, 0)),
        )
        for one in office.everybody()
        for grant in one.grants
    ]
    header = (mark("name"), mark("role"), mark("club"), mark("tokens"))
    return table("accounts", "", header, rows)


@router.post("/accounts")
def change(request: Request, said: FormFields) -> Response:
    name, role, club = (said.get(key, "") for key in ("name", "role", "club"))
    note(request, name, role, club)
    try:
        administration_of(request).grant(name, role, said.get("password", ""), club)
    except InputError as error:
        return _listed(request, problem=problem_of(error))
    return RedirectResponse("/accounts", 303)


@router.post("/accounts/token")
def token(request: Request, said: FormFields) -> Response:
    note(request, said.get("name", ""))
    return _listed(request, administration_of(request).token(said.get("name", "")))


@router.post("/accounts/end")
def end(request: Request, said: FormFields) -> Response:
    """End the sessions and tokens of an account."""
    note(request, said.get("name", ""))
    administration_of(request).end_keys(said.get("name", ""))
    return RedirectResponse("/accounts", 303)


@router.post("/accounts/remove")
def remove(request: Request, said: FormFields) -> Response:
    name, club = said.get("name", ""), said.get("club", "")
    note(request, name, club)
    try:
        administration_of(request).take(name, club)
    except InputError as error:
        return _listed(request, problem=problem_of(error))
    return RedirectResponse("/accounts", 303)
