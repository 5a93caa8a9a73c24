"""Signing in and out, and the accounts of a server that many people use."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.web.accounts import ROLES, SESSION_SECONDS, Accounts
from honours.web.doorkeeper import COOKIE
from honours.web.pages.rulings import Said
from honours.web.problems import NotThere
from honours.web.tables import Cell, table
from honours.web.templating import render
from honours.web.texts import mark

router = APIRouter()


def accounts_of(request: Request) -> Accounts:
    """The accounts of this application, where it has any."""
    accounts: Accounts | None = request.app.state.accounts
    if accounts is None:
        raise NotThere("this server has no accounts")
    return accounts


@router.get("/sign-in")
def ask(request: Request) -> Response:
    accounts_of(request)
    return render(request, "sign_in.html", wrong=False)


@router.post("/sign-in")
def sign_in(request: Request, said: Said) -> Response:
    key = accounts_of(request).signed_in(said.get("name", ""), said.get("password", ""))
    if key is None:
        return render(request, "sign_in.html", 403, wrong=True)
    response = RedirectResponse("/", 303)
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, key, max_age=SESSION_SECONDS, httponly=True, samesite="lax",
                        secure=secure)  # fmt: skip
    return response


@router.post("/sign-out")
def sign_out(request: Request) -> Response:
    accounts_of(request).sign_out(request.cookies.get(COOKIE, ""))
    response = RedirectResponse("/sign-in", 303)
    response.delete_cookie(COOKIE)
    return response


@router.get("/accounts")
def everybody(request: Request) -> Response:
    return _listed(request)


def _listed(request: Request, token: str = "") -> Response:
    accounts = accounts_of(request)
    people = [(one.name, Cell(grant.role, word=True), grant.club)
              for one in accounts.all() for grant in one.grants]  # fmt: skip
    done = [(at, name, f"{method} {path}", str(code))
            for at, name, method, path, code in accounts.audit()]  # fmt: skip
    header = (mark("when"), mark("who"), mark("what"), mark("answer"))
    return render(request, "accounts.html", roles=ROLES, token=token,
                  people=table("accounts", "", (mark("name"), mark("role"), mark("club")), people),
                  audit=table("audit", mark("What was done"), header, done))  # fmt: skip


@router.post("/accounts")
def change(request: Request, said: Said) -> Response:
    wanted = (said.get(key, "") for key in ("name", "role", "password", "club"))
    accounts_of(request).set(*wanted)
    return RedirectResponse("/accounts", 303)


@router.post("/accounts/token")
def token(request: Request, said: Said) -> Response:
    return _listed(request, accounts_of(request).token(said.get("name", "")))


@router.post("/accounts/remove")
def remove(request: Request, said: Said) -> Response:
    accounts_of(request).remove(said.get("name", ""))
    return RedirectResponse("/accounts", 303)
