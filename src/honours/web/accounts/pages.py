"""Signing in and out, and the accounts of a server that many people use."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.errors import WrongValue
from honours.model.message import Message, word
from honours.model.table import Kind, Table
from honours.web.accounts.administration import ROLE, accounts_of, administration_of
from honours.web.accounts.keys import SESSION_SECONDS, TokenWish
from honours.web.accounts.roles import ROLES
from honours.web.accounts.sign_in import sign_in as signed_in
from honours.web.http.access import ADMINISTER, OPEN, READ, anywhere, guarded_router, may
from honours.web.http.forms import FormFields
from honours.web.http.guard import COOKIE
from honours.web.http.problems import NotThere, own_path
from honours.web.http.requester import address_of, clubs_to_choose, note
from honours.web.tables import column, table
from honours.web.templating import render

router = guarded_router()


@router.get("/sign-in")
@may(OPEN)
def ask(request: Request, to: str = "", changed: str = "") -> Response:
    accounts_of(request)
    going, set_anew = own_path(to), bool(changed)
    return render(request, "sign_in.html", wrong=False, name="", to=going, changed=set_anew)


@router.post("/sign-in")
@may(OPEN)
def sign_in(request: Request, form: FormFields) -> Response:
    """Sign in; the attempt is logged here, because only the form says who tried."""
    name, password, code = (form.get(key, "") for key in ("name", "password", "code"))
    settings, address = request.app.state.settings, address_of(request.scope)
    browser = request.headers.get("user-agent", "")
    key = signed_in(accounts_of(request), settings, name, password, code, address, browser)
    to = own_path(form.get("to", ""))
    if key is None:
        page = {"wrong": True, "name": name[:100], "to": to, "changed": False}
        return render(request, "sign_in.html", 403, **page)
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


def _by_link(request: Request, key: str) -> str:
    account = accounts_of(request).who(key[:100], "link")
    if account is None:
        raise NotThere(Message("this link holds no more; ask an administrator for a new one"))
    return account.name


@router.get("/new-password/{key}")
@may(OPEN)
def ask_new_password(request: Request, key: str) -> Response:
    return render(request, "new_password.html", name=_by_link(request, key))


@router.post("/new-password/{key}")
@may(OPEN)
def set_new_password(request: Request, key: str, form: FormFields) -> Response:
    """Another password, by a link that an administrator handed out: it holds once."""
    name, new = _by_link(request, key), form.get("new_password", "")
    if new != form.get("password_again", ""):
        raise WrongValue("password_again", "", "the new password was not typed the same twice")
    accounts_of(request).change_password(name, new, session="")
    did = Message(Message("set a new password by a link"))
    accounts_of(request).audit.note(name, address_of(request.scope), did, 303)
    return RedirectResponse("/sign-in?changed=1", 303)


# --- who there is ---------------------------------------------------------------------------------


@router.get("/accounts")
@may(ADMINISTER)
def everybody(request: Request) -> Response:
    return _listed(request)


def _listed(request: Request, token: str = "", link: str = "") -> Response:
    """The accounts of the asker's clubs, and what was done there."""
    office = administration_of(request)
    lines = [
        (line.at, line.who, line.address, line.what, str(line.code or "")) for line in office.log()
    ]
    header = (
        column(Message("when"), Kind.DATE),
        Message("who"),
        Message("from where"),
        Message("what"),
        column(Message("answer"), Kind.NUMBER),
    )
    return render(
        request,
        "accounts.html",
        roles=ROLES,
        token=token,
        link=link,
        people=_people(request),
        everywhere=office.everywhere,
        clubs=clubs_to_choose(request, ROLE),
        own=office.asker.clubs(ROLE),
        audit=table("audit", Message("What was done"), header, lines),
    )


def _people(request: Request) -> Table:
    office = administration_of(request)
    tokens = office.tokens()
    rows = [
        (
            one.name,
            word(grant.role),
            grant.club or Message("every club"),
            str(tokens.get(one.name, 0)),
        )
        for one in office.everybody()
        for grant in one.grants
    ]
    header = (
        Message("name"),
        Message("role"),
        Message("club"),
        column(Message("tokens"), Kind.NUMBER),
    )
    return table("accounts", "", header, rows)


@router.post("/accounts")
@may(ADMINISTER, anywhere, Message("changed an account"))
def change(request: Request, form: FormFields) -> Response:
    name, role, club = (form.get(key, "") for key in ("name", "role", "club"))
    note(request, gave(name, role, club))
    administration_of(request).grant(name, role, form.get("password", ""), club)
    return RedirectResponse("/accounts", 303)


@router.post("/accounts/token")
@may(ADMINISTER, anywhere, Message("made a token"))
def token(request: Request, form: FormFields) -> Response:
    name = form.get("name", "")
    note(request, Message("made a token for {name}", name=name))
    return _listed(request, administration_of(request).token(name, TokenWish()))


@router.post("/accounts/link")
@may(ADMINISTER, anywhere, Message("made a link to a new password"))
def link(request: Request, form: FormFields) -> Response:
    """A link by which somebody who forgot their password gets another, to be handed to them."""
    name = form.get("name", "")
    note(request, Message("made a link to a new password for {name}", name=name))
    key = administration_of(request).link(name)
    return _listed(request, link=f"{str(request.base_url).rstrip('/')}/new-password/{key}")


@router.post("/accounts/end")
@may(ADMINISTER, anywhere, Message("ended sessions and tokens"))
def end(request: Request, form: FormFields) -> Response:
    """End the sessions and tokens of an account."""
    name = form.get("name", "")
    note(request, Message("ended the sessions and tokens of {name}", name=name))
    administration_of(request).end_keys(name)
    return RedirectResponse("/accounts", 303)


@router.post("/accounts/remove")
@may(ADMINISTER, anywhere, Message("took a role away"))
def remove(request: Request, form: FormFields) -> Response:
    name, club = form.get("name", ""), form.get("club", "")
    note(request, took(name, club))
    administration_of(request).take(name, club)
    return RedirectResponse("/accounts", 303)


def gave(name: str, role: str, club: str) -> Message:
    """The audit log's words for a role that was given."""
    if not club:
        return Message("gave {name} the role of {role}", name=name, role=Message(role))
    return Message("gave {name} the role of {role} at {club}", name=name, role=role, club=club)


def took(name: str, club: str) -> Message:
    """The audit log's words for a role that was taken away."""
    if not club:
        return Message("took the role of {name} away", name=name)
    return Message("took the role of {name} at {club} away", name=name, club=club)
