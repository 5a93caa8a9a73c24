"""Accounts, their roles and tokens, and the audit log: each administrator's own clubs, for programs
and on a page."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Query
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from honours.model.message import Message, mark, word
from honours.model.rights import ACTIONS, ADMINISTER, AUDIT, EXAMPLES, READ, ROLES
from honours.model.table import Kind, Table, headed, table
from honours.web.accounts.administration import (
    Administration,
    accounts_of,
    administration_of,
    audit_lines,
)
from honours.web.accounts.audit import LINES
from honours.web.accounts.keys import TOKENS, TokenWish
from honours.web.accounts.roles import UserAccount
from honours.web.accounts.store import Accounts
from honours.web.http.access import asked_within, clubs_to_choose, everywhere, may, note
from honours.web.http.api import OneOf, Page, Paging, StrictRequest, Text, shaped
from honours.web.http.operations import Operations
from honours.web.http.problems import NotThere
from honours.web.templating import render

operations = Operations("accounts")
router = operations.api
Name = Annotated[str, Path(min_length=1, max_length=100, examples=["scorer"])]
RoleName = Annotated[str, Path(min_length=1, max_length=50, examples=["auditor"])]
Office = Annotated[Administration, Depends(administration_of)]
Club = Annotated[
    str, Query(max_length=100, description="The club; required if you administer several.")
]


Role = Annotated[str, Field(max_length=50, description="One of those that /roles lists.")]


class RoleRequest(StrictRequest):
    """A role at a club; a new account needs a password."""

    role: Role = Field(examples=["scorer"])
    club: Text = Field("", description="The club; required if you administer several.")
    password: Text = Field("", examples=["correct horse battery"])


class RoleAnswer(BaseModel):
    """A role, and the club where it is held; no club means every club."""

    club: str
    role: str


class LinkAnswer(BaseModel):
    """A link to a new password, which holds for a day, and once."""

    link: str


class ActionsRequest(StrictRequest):
    """The actions that a role is made of."""

    actions: list[Annotated[str, OneOf(*ACTIONS)]] = Field(
        min_length=1, max_length=len(ACTIONS), examples=[["read", "look", "audit"]]
    )


class RoleKind(BaseModel):
    """A role: the actions it is made of, and whether every server has it."""

    role: str
    actions: list[str]
    built_in: bool


class AccountAnswer(BaseModel):
    """Somebody who may sign in, with their roles at the clubs of whoever asks."""

    name: str
    roles: list[RoleAnswer]
    tokens: int


class TokenAnswer(BaseModel):
    """A token for a program; it is shown this once."""

    token: str


@shaped(TOKENS)
class TokenSummary(BaseModel):
    """A token as it is listed; the token itself is not kept."""


@shaped(LINES)
class AuditLineAnswer(BaseModel):
    """A line of the audit log; `code` is 0 for a request whose end was not seen."""


def _answer(one: UserAccount, tokens: dict[str, int]) -> AccountAnswer:
    held = [RoleAnswer(club=grant.club, role=grant.role) for grant in one.grants]
    return AccountAnswer(name=one.name, roles=held, tokens=tokens.get(one.name, 0))


def every_role(accounts: Accounts) -> list[RoleKind]:
    """The roles there are, their actions in the order they are declared in."""
    return [
        RoleKind(role=name, actions=[one for one in ACTIONS if one in held], built_in=name in ROLES)
        for name, held in accounts.roles().items()
    ]


@router.get("/accounts")
@may(ADMINISTER)
def accounts(office: Office, paging: Paging) -> Page[AccountAnswer]:
    """Everybody with a role at one of the asking administrator's clubs."""
    tokens = office.accounts.keys.counts()
    return paging.of([_answer(one, tokens) for one in office.everybody()], "name")


@operations(
    "PUT /accounts/{name}",
    ADMINISTER,
    asked_within,
    mark("changed account {name}"),
    form="/accounts",
    then="/accounts",
)
def give_role(request: Request, office: Office, name: Name, asked: RoleRequest) -> AccountAnswer:
    """Give a role at a club, to somebody new or known."""
    where = office.asker.club_for(ADMINISTER, asked.club) or Message("every club")
    told = {"name": name, "role": word(asked.role), "club": where}
    note(request, Message("gave {name} the role of {role} at {club}", **told))
    office.grant(name, asked.role, asked.password, asked.club)
    return _answer(office.one(name), office.accounts.keys.counts())


@operations(
    "DELETE /accounts/{name}",
    ADMINISTER,
    asked_within,
    mark("took the role of {name} away"),
    form="/accounts/remove",
    then="/accounts",
    status_code=204,
)
def take_role(request: Request, office: Office, name: Name, club: Club = "") -> None:
    """Take away a role at a club; an account without any role can no longer sign in."""
    if club:
        note(request, Message("took the role of {name} at {club} away", name=name, club=club))
    office.take(name, club)


@operations(
    "POST /accounts/{name}/tokens",
    ADMINISTER,
    asked_within,
    mark("made a token for {name}"),
    form="/accounts/token",
    then=lambda request, made: listed(request, token=made.token),
    status_code=201,
)
def make_token(office: Office, name: Name, asked: TokenWish | None = None) -> TokenAnswer:
    """Make a token for a program; it acts with the roles of the account, or no more than asked."""
    return TokenAnswer(token=office.of(name).token(name, asked or TokenWish()))


@operations(
    "POST /accounts/{name}/link",
    ADMINISTER,
    asked_within,
    mark("made a link to a new password for {name}"),
    form="/accounts/link",
    then=lambda request, made: listed(request, link=made.link),
    status_code=201,
)
def make_link(request: Request, office: Office, name: Name) -> LinkAnswer:
    """A link by which somebody who forgot their password gets another, to be handed to them."""
    where = str(request.base_url).rstrip("/")
    return LinkAnswer(link=f"{where}/new-password/{office.of(name).keys.link(name)}")


@router.get("/accounts/{name}/tokens")
@may(ADMINISTER, asked_within)
def account_tokens(office: Office, name: Name) -> list[TokenSummary]:
    """The tokens of an account: what each is for, may do, and when it ends."""
    return [TokenSummary(**TOKENS.data(one)) for one in office.of(name).keys.tokens(name)]


@operations(
    "DELETE /accounts/{name}/tokens/{token_id}",
    ADMINISTER,
    asked_within,
    mark("ended token {token_id} of {name}"),
    status_code=204,
)
def end_token(office: Office, name: Name, token_id: str) -> None:
    """End a single token."""
    if not office.of(name).keys.end(name, token_id):
        raise NotThere(mark("there is no token {name}"), name=token_id[:40])


@operations(
    "DELETE /accounts/{name}/tokens",
    ADMINISTER,
    asked_within,
    mark("ended the sessions and tokens of {name}"),
    form="/accounts/end",
    then="/accounts",
    status_code=204,
)
def end_tokens(office: Office, name: Name) -> None:
    """End the tokens and sessions of an account."""
    office.of(name).keys.end_all(name)


# --- roles ----------------------------------------------------------------------------------------


@router.get("/roles")
@may(READ)
def roles(request: Request) -> list[RoleKind]:
    """The roles there are, and the actions each is made of."""
    return every_role(accounts_of(request))


@operations(
    "PUT /roles/{role}",
    ADMINISTER,
    everywhere,
    mark("made the role {role}"),
    form="/accounts/roles",
    then="/accounts#roles",
)
def set_role(office: Office, role: RoleName, asked: ActionsRequest) -> RoleKind:
    """Make a role of some actions, or of others than before; whoever has it may do that at once."""
    office.accounts.set_role(role, asked.actions)
    return next(one for one in every_role(office.accounts) if one.role == role)


@operations(
    "DELETE /roles/{role}",
    ADMINISTER,
    everywhere,
    mark("took the role {role} away"),
    form="/accounts/roles/remove",
    then="/accounts#roles",
    status_code=204,
)
def drop_role(office: Office, role: RoleName) -> None:
    """Take a role away that nobody has."""
    office.accounts.drop_role(role)


# --- the audit log --------------------------------------------------------------------------------


@router.get("/audit")
@may(AUDIT)
def audit_log(request: Request, paging: Paging) -> Page[AuditLineAnswer]:
    """Return what was done and tried lately, the latest first."""
    lines = [AuditLineAnswer(**LINES.data(one)) for one in audit_lines(request)]
    return paging.of(lines, "line")


# --- the page -------------------------------------------------------------------------------------


@operations.pages.get("/accounts")
@may(ADMINISTER)
def everybody(request: Request) -> Response:
    """The accounts of the asker's clubs, and what was done there."""
    return listed(request)


def listed(request: Request, token: str = "", link: str = "") -> Response:
    """The accounts; a token or a link is shown once, when it is made."""
    office = administration_of(request)
    kinds = every_role(office.accounts)
    return render(
        request,
        "accounts.html",
        roles=kinds,
        actions=ACTIONS,
        examples=[name for name in EXAMPLES if name not in office.accounts.roles()],
        token=token,
        link=link,
        people=_people(office),
        everywhere=office.everywhere,
        clubs=clubs_to_choose(request, ADMINISTER),
        own=office.asker.clubs(ADMINISTER),
        audit=LINES.table(audit_lines(request)),
    )


def _people(office: Administration) -> Table:
    tokens = office.accounts.keys.counts()
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
    tokens_column = headed("tokens", Kind.NUMBER)
    header = (headed("name"), headed("role"), headed("club"), tokens_column)
    return table("accounts", header, rows)


@operations.pages.get("/audit")
@may(AUDIT)
def audit_page(request: Request) -> Response:
    """Show what was done and tried, the latest first."""
    return render(request, "audit.html", audit=LINES.table(audit_lines(request)))
