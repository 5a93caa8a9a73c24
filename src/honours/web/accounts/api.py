"""Accounts, their roles and tokens, and the audit log: each administrator's own clubs."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Path, Query
from pydantic import BaseModel, Field
from starlette.requests import Request

from honours.model.message import mark
from honours.web.accounts.administration import administration_of
from honours.web.accounts.keys import TOKEN_DAYS, TokenWish
from honours.web.accounts.pages import gave, took
from honours.web.accounts.roles import ROLES, UserAccount
from honours.web.http.access import ADMINISTER, asked_within, guarded_router, may
from honours.web.http.api import Limit, Offset, OneOf, Page, StrictRequest, Text, page
from honours.web.http.requester import note

router = guarded_router(tags=["accounts"])
Name = Annotated[str, Path(min_length=1, max_length=100, examples=["scorer"])]
Club = Annotated[
    str, Query(max_length=100, description="Where; said by who administers several clubs.")
]


class RoleRequest(StrictRequest):
    """A role at a club; a new account needs a password."""

    role: Annotated[str, OneOf(*ROLES)] = Field(examples=["scorer"])
    club: Text = Field("", description="Where; said by who administers several clubs.")
    password: Text = Field("", examples=["correct horse battery"])


class RoleAnswer(BaseModel):
    """A role, and the club where it is held; no club means every club."""

    club: str
    role: str


class AccountAnswer(BaseModel):
    """Somebody who may sign in, with their roles at the clubs of whoever asks."""

    name: str
    roles: list[RoleAnswer]
    tokens: int


class TokenAnswer(BaseModel):
    """A token for a program; it is shown this once."""

    token: str


class TokenRequest(StrictRequest):
    """A token for a program: what for, the most it may do and where, and for how many days."""

    label: Text = Field("", examples=["results page"])
    role: Annotated[str, OneOf("", *ROLES)] = Field(
        "", description="The most it may do; otherwise what its account may."
    )
    club: Text = Field("", description="The only club it may act for.")
    days: int = Field(TOKEN_DAYS, ge=1, le=TOKEN_DAYS)


class TokenSummary(BaseModel):
    """What is known of a token; the token itself is not kept."""

    id: str
    label: str
    role: str
    club: str
    ends: str


class AuditLineAnswer(BaseModel):
    """A line of the audit log; `code` is 0 for a request whose end was not seen."""

    at: str
    who: str
    address: str
    what: str
    code: int


def _answer(one: UserAccount, tokens: dict[str, int]) -> AccountAnswer:
    roles = [RoleAnswer(club=grant.club, role=grant.role) for grant in one.grants]
    return AccountAnswer(name=one.name, roles=roles, tokens=tokens.get(one.name, 0))


@router.get("/accounts")
@may(ADMINISTER)
def accounts(request: Request, limit: Limit = 100, offset: Offset = 0) -> Page[AccountAnswer]:
    """Everybody with a role at one of the asking administrator's clubs."""
    office = administration_of(request)
    tokens = office.tokens()
    people = [_answer(one, tokens) for one in office.everybody()]
    return page(people, request.url.path, limit, offset)


@router.put("/accounts/{name}")
@may(ADMINISTER, asked_within, mark("changed account {name}"))
def give_role(request: Request, name: Name, asked: RoleRequest) -> AccountAnswer:
    """Give a role at a club, to somebody new or known."""
    note(request, gave(name, asked.role, asked.club))
    office = administration_of(request)
    office.grant(name, asked.role, asked.password, asked.club)
    return _answer(office.one(name), office.tokens())


@router.delete("/accounts/{name}", status_code=204)
@may(ADMINISTER, asked_within, mark("took the role of {name} away"))
def take_role(request: Request, name: Name, club: Club = "") -> None:
    """Take away a role at a club; an account without any role can no longer sign in."""
    note(request, took(name, club))
    administration_of(request).take(name, club)


@router.post("/accounts/{name}/tokens", status_code=201)
@may(ADMINISTER, asked_within, mark("made a token for {name}"))
def make_token(request: Request, name: Name, asked: TokenRequest | None = None) -> TokenAnswer:
    """Make a token for a program; it acts with the roles of the account, or no more than asked."""
    wish = TokenWish(asked.label, asked.role, asked.club, asked.days) if asked else TokenWish()
    return TokenAnswer(token=administration_of(request).token(name, wish))


@router.get("/accounts/{name}/tokens")
@may(ADMINISTER, asked_within)
def account_tokens(request: Request, name: Name) -> list[TokenSummary]:
    """The tokens of an account: what each is for, may do, and when it ends."""
    return [
        TokenSummary(**{**asdict(one), "ends": _moment(one.ends)})
        for one in administration_of(request).tokens_of(name)
    ]


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(" ", "seconds")


@router.delete("/accounts/{name}/tokens/{token_id}", status_code=204)
@may(ADMINISTER, asked_within, mark("ended token {token_id} of {name}"))
def end_token(request: Request, name: Name, token_id: str) -> None:
    """End a single token."""
    administration_of(request).end_token(name, token_id)


@router.delete("/accounts/{name}/tokens", status_code=204)
@may(ADMINISTER, asked_within, mark("ended the sessions and tokens of {name}"))
def end_tokens(request: Request, name: Name) -> None:
    """End the tokens and sessions of an account."""
    administration_of(request).end_keys(name)


@router.get("/audit")
@may(ADMINISTER)
def audit_log(request: Request, limit: Limit = 100, offset: Offset = 0) -> Page[AuditLineAnswer]:
    """What was done and tried lately, the latest first."""
    lines = [
        AuditLineAnswer(**{**asdict(one), "what": str(one.what)})
        for one in administration_of(request).log()
    ]
    return page(lines, request.url.path, limit, offset)
