"""One's own account: password, second factor, and the tokens of one's programs."""

from __future__ import annotations

from typing import Annotated

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.errors import WrongValue
from honours.model.message import Message
from honours.model.rights import READ
from honours.model.table import Column, Kind, Table, headed, table
from honours.web.accounts import second_factor
from honours.web.accounts.administration import accounts_of
from honours.web.accounts.keys import TOKEN_DAYS, TOKENS, Token, TokenWish, shown_part
from honours.web.accounts.roles import UserAccount
from honours.web.accounts.sign_in import confirm
from honours.web.http.access import address_of, anywhere, guarded_router, may, note, requester_of
from honours.web.http.forms import FormFields, sent_as
from honours.web.http.guard import COOKIE
from honours.web.http.problems import NotThere
from honours.web.templating import render

router = guarded_router()


def _name(request: Request) -> str:
    """The account of whoever asks; a program with a token has none of its own to look after, and
    gets no more than the token allows."""
    requester = requester_of(request)
    if requester is None:
        raise NotThere(Message("this server has no accounts"))
    if isinstance(requester, UserAccount) and requester.by_token:
        raise HTTPException(403, Message("A token does not do this: sign in."))
    return requester.name


@router.get("/account")
@may(READ)
def own(request: Request) -> Response:
    return _page(request)


def _page(request: Request, token: str = "", secret: str = "") -> Response:
    """One's own account; a token and a secret are shown once, when they are made."""
    accounts, name = accounts_of(request), _name(request)
    return render(
        request,
        "account.html",
        name=name,
        token=token,
        secret=secret,
        secret_image=second_factor.picture(secret, name) if secret else "",
        password_changed=request.query_params.get("changed") == "password",
        mail=accounts.mail_of(name),
        letters=bool(request.app.state.settings.mail),
        protected=accounts.has_second_factor(name),
        tokens=TOKENS.table(accounts.keys.tokens(name)),
        sessions=_sessions(accounts.keys.tokens(name, "session"), request.cookies.get(COOKIE, "")),
        roles=accounts.roles(),
        most_days=TOKEN_DAYS,
    )


@router.post("/account/mail")
@may(READ, anywhere, Message("said where letters reach them"))
def mail(request: Request, form: FormFields) -> Response:
    """Set the address a link to a new password is sent to; it takes the password to change it."""
    name = _name(request)
    _confirmed(request, form)
    accounts_of(request).set_mail(name, form["mail"].strip())
    return RedirectResponse("/account", 303)


def _sessions(sessions: list[Token], own: str) -> Table:
    """Return the sessions somebody is signed in with as a table; this very session is marked."""
    here = shown_part(own)
    rows = [
        (
            one.id,
            one.since.isoformat(" ", "minutes")[:16],
            one.label,
            Message("this one") if one.id == here else "",
        )
        for one in sessions
    ]
    header = (
        headed("session"),
        headed("since", Kind.DATE),
        headed("from where"),
        Column("", "", Kind.WORD),
    )
    return table("sessions", header, rows)


def _confirmed(request: Request, form: FormFields) -> None:
    """Refuse a change of the account itself unless its password is given again."""
    settings, address = request.app.state.settings, address_of(request.scope)
    password = form["password"]
    if not confirm(accounts_of(request), settings, _name(request), password, address):
        raise WrongValue("password", "", "this is not the password of the account")


@router.post("/account/password")
@may(READ, anywhere, Message("changed their own password"))
def change_password(request: Request, form: FormFields) -> Response:
    _confirmed(request, form)
    new = form["new_password"]
    if new != form["password_again"]:
        raise WrongValue("password_again", "", "the new password was not typed the same twice")
    session = request.cookies.get(COOKIE, "")
    accounts_of(request).change_password(_name(request), new, session)
    return RedirectResponse("/account?changed=password", 303)


@router.post("/account/second-factor/offer")
@may(READ, anywhere, Message("asked for a second factor"))
def offer(request: Request, form: FormFields) -> Response:
    _confirmed(request, form)
    return _page(request, secret=accounts_of(request).offer_second_factor(_name(request)))


@router.post("/account/second-factor")
@may(READ, anywhere, Message("took a second factor"))
def take(request: Request, form: FormFields) -> Response:
    if not accounts_of(request).take_second_factor(_name(request), form["code"]):
        raise WrongValue("code", "", "this is not the code; begin again")
    return RedirectResponse("/account", 303)


@router.post("/account/second-factor/drop")
@may(READ, anywhere, Message("gave up their second factor"))
def drop(request: Request, form: FormFields) -> Response:
    _confirmed(request, form)
    accounts_of(request).drop_second_factor(_name(request))
    return RedirectResponse("/account", 303)


@router.post("/account/tokens")
@may(READ, anywhere, Message("made a token of their own"))
def make_token(
    request: Request, form: FormFields, wish: Annotated[TokenWish, sent_as(TokenWish)]
) -> Response:
    _confirmed(request, form)
    return _page(request, token=accounts_of(request).token(_name(request), wish))


@router.post("/account/sessions/end")
@may(READ, anywhere, Message("ended a session of their own"))
def end_session(request: Request, form: FormFields) -> Response:
    session = form["session"].strip()
    if not accounts_of(request).keys.end(_name(request), session, "session"):
        raise WrongValue("session", session[:20], "there is no such session")
    return RedirectResponse("/account", 303)


@router.post("/account/tokens/end")
@may(READ, anywhere, Message("ended a token of their own"))
def end_token(request: Request, form: FormFields) -> Response:
    token_id = form["token"].strip()
    note(request, Message("ended their own token {token}", token=token_id))
    if not accounts_of(request).keys.end(_name(request), token_id):
        raise WrongValue("token", token_id[:20], "there is no such token")
    return RedirectResponse("/account", 303)
