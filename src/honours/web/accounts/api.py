"""Accounts, their roles and tokens, and the audit log: each administrator's own clubs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.requests import Request

from honours.web.http.api import Limit, Offset, Page, Strict, Text, page
from honours.web.http.requester import administration_of, note

if TYPE_CHECKING:
    from honours.web.accounts.store import Account

router = APIRouter(tags=["accounts"])
Name = Annotated[str, Path(min_length=1, max_length=100, examples=["scorer"])]
Club = Annotated[
    str, Query(max_length=100, description="Where; said by who administers several clubs.")
]


class RoleRequest(Strict):
    """A role at a club; who is new needs a password."""

    role: Literal["viewer", "scorer", "secretary", "administrator"] = Field(examples=["scorer"])
    club: Text = Field("", description="Where; said by who administers several clubs.")
    password: Text = Field("", examples=["correct horse battery"])


class RoleTold(BaseModel):
    """A role, and the club it is held at; none is every club."""

    club: str
    role: str


class AccountTold(BaseModel):
    """Somebody who may sign in, with their roles at the clubs of whoever asks."""

    name: str
    roles: list[RoleTold]
    tokens: int


class TokenTold(BaseModel):
    """A token for a program; it is shown this once."""

    token: str


class DoneTold(BaseModel):
    """A line of the audit log."""

    at: str
    who: str
    what: str
    code: int


def _told(one: Account, tokens: dict[str, int]) -> AccountTold:
    roles = [RoleTold(club=grant.club, role=grant.role) for grant in one.grants]
    return AccountTold(name=one.name, roles=roles, tokens=tokens.get(one.name, 0))


@router.get("/accounts")
def accounts(request: Request, limit: Limit = 100, offset: Offset = 0) -> Page[AccountTold]:
    """Everybody with a role at a club of the administrator's who asks."""
    office = administration_of(request)
    tokens = office.tokens()
    found = [_told(one, tokens) for one in office.everybody()]
    return page(found, request.url.path, limit, offset)


@router.put("/accounts/{name}")
def give_role(request: Request, name: Name, asked: RoleRequest) -> AccountTold:
    """Give a role at a club, to somebody new or known."""
    note(request, asked.role, asked.club)
    office = administration_of(request)
    office.grant(name, asked.role, asked.password, asked.club)
    return _told(office.one(name), office.tokens())


@router.delete("/accounts/{name}", status_code=204)
def take_role(request: Request, name: Name, club: Club = "") -> None:
    """Take a role at a club away; who has none left signs in no longer."""
    note(request, club)
    administration_of(request).take(name, club)


@router.post("/accounts/{name}/tokens", status_code=201)
def make_token(request: Request, name: Name) -> TokenTold:
    """Make a token for a program; it acts with all roles of the account."""
    return TokenTold(token=administration_of(request).token(name))


@router.delete("/accounts/{name}/tokens", status_code=204)
def end_tokens(request: Request, name: Name) -> None:
    """End the tokens and sessions of an account."""
    administration_of(request).end_keys(name)


@router.get("/audit")
def audit_log(request: Request, limit: Limit = 100, offset: Offset = 0) -> Page[DoneTold]:
    """What was done lately, the latest first."""
    done = administration_of(request).log()
    found = [DoneTold(at=one.at, who=one.who, what=one.what, code=one.code) for one in done]
    return page(found, request.url.path, limit, offset)
