"""Signing in and out, and a password that was forgotten."""

from __future__ import annotations

import logging
from functools import partial
from smtplib import SMTPException
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.errors import WrongValue
from honours.language import words
from honours.model.message import Message
from honours.model.rights import OPEN, READ
from honours.processes.threads import begin
from honours.web.accounts.administration import accounts_of
from honours.web.accounts.keys import SESSION_SECONDS
from honours.web.accounts.letters import MailServer
from honours.web.accounts.sign_in import sign_in as signed_in
from honours.web.http.access import address_of, anywhere, guarded_router, may
from honours.web.http.forms import FormFields
from honours.web.http.guard import COOKIE
from honours.web.http.problems import NotThere, own_path
from honours.web.http.rate import Rate
from honours.web.templating import language_of, render

router = guarded_router()
_LETTERS = Rate(5, 3600)
_log = logging.getLogger(__name__)


@router.get("/sign-in")
@may(OPEN)
def ask(request: Request, to: str = "", changed: str = "") -> Response:
    accounts_of(request)
    return _asked(request, to=own_path(to), changed=bool(changed))


def _asked(request: Request, code: int = 200, **shown: Any) -> Response:
    """The form to sign in."""
    usual = {"wrong": False, "name": "", "to": "", "changed": False, "asked": False}
    letters = bool(request.app.state.settings.mail)
    return render(request, "sign_in.html", code, **usual | {"letters": letters} | shown)


@router.post("/sign-in")
@may(OPEN)
def sign_in(request: Request, form: FormFields) -> Response:
    """Sign in; the attempt is logged here, because only the form says who tried."""
    name, password, code = (form[key] for key in ("name", "password", "code"))
    settings, address = request.app.state.settings, address_of(request.scope)
    browser = request.headers.get("user-agent", "")
    key = signed_in(accounts_of(request), settings, name, password, code, address, browser)
    to = own_path(form["to"])
    if key is None:
        return _asked(request, 403, wrong=True, name=name[:100], to=to)
    response = RedirectResponse(to or "/", 303)
    secure = request.url.scheme == "https"
    response.set_cookie(
        COOKIE, key, max_age=SESSION_SECONDS, httponly=True, samesite="lax", secure=secure
    )
    return response


@router.post("/sign-out")
@may(READ, anywhere, Message("signed out"))
def sign_out(request: Request) -> Response:
    accounts_of(request).keys.sign_out(request.cookies.get(COOKIE, ""))
    response = RedirectResponse("/sign-in", 303)
    response.delete_cookie(COOKIE)
    return response


# --- a password that was forgotten ---------------------------------------------------------------


@router.post("/forgotten")
@may(OPEN)
def forgotten(request: Request, form: FormFields) -> Response:
    """Send a link to a new password; the answer is the same whoever there is."""
    accounts, where = accounts_of(request), request.app.state.settings.mail
    name, address = accounts.spelled(form["name"][:100]), address_of(request.scope)
    if not where:
        raise NotThere(Message("this server sends no mail"))
    if not _LETTERS.allows(f"@{name}") or not _LETTERS.allows(address):
        raise HTTPException(429, Message("Too many letters; wait an hour."))
    to = accounts.mail_of(name)
    if to:
        key = accounts.keys.link(name)
        link = f"{str(request.base_url).rstrip('/')}/new-password/{key}"
        subject = words(Message("A new password for {name}", name=name), language_of(request))
        text = words(
            Message(
                "Somebody, probably you, asked for a new password for {name}."
                " Choose it here, within a day:",
                name=name,
            ),
            language_of(request),
        )
        accounts.audit.note(name, address, Message(Message("was sent a link")), 303)
        begin(partial(_send, where, to, subject, f"{text}\n\n{link}\n"), name="mail")
    return _asked(request, asked=True)


def _send(where: str, to: str, subject: str, text: str) -> None:
    try:
        MailServer.at(where).send(to, subject, text)
    except (OSError, SMTPException) as error:
        _log.warning("a link to a new password could not be sent: %s", error)


def _by_link(request: Request, key: str) -> str:
    account = accounts_of(request).who(key[:100], "link")
    if account is None:
        raise NotThere(Message("this link has expired; ask an administrator for a new one"))
    return account.name


@router.get("/new-password/{key}")
@may(OPEN)
def ask_new_password(request: Request, key: str) -> Response:
    return render(request, "new_password.html", name=_by_link(request, key))


@router.post("/new-password/{key}")
@may(OPEN)
def set_new_password(request: Request, key: str, form: FormFields) -> Response:
    """Another password, by a link that an administrator handed out: it holds once."""
    name, new = _by_link(request, key), form["new_password"]
    if new != form["password_again"]:
        raise WrongValue("password_again", "", "the new password was not typed the same twice")
    accounts_of(request).change_password(name, new, session="")
    did = Message(Message("set a new password by a link"))
    accounts_of(request).audit.note(name, address_of(request.scope), did, 303)
    return RedirectResponse("/sign-in?changed=1", 303)
