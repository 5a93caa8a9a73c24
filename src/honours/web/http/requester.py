"""Who asks, and what of the application is theirs to use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honours.errors import MissingInput
from honours.formats.names import sought
from honours.web.accounts.administration import ROLE as ADMINISTRATOR
from honours.web.accounts.administration import Administration
from honours.web.accounts.store import EVERY_CLUB
from honours.web.http.problems import Forbidden, NotThere
from honours.web.ledger.service import one_member
from honours.web.texts import mark

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from starlette.requests import Request

    from honours.ledger.members import Member
    from honours.web.accounts.store import Account, Accounts
    from honours.web.ledger.service import LedgerService


NOTED = "noted"
"""Where a request keeps what the audit log says of it beside its address."""


def account_of(request: Request) -> Account | None:
    """Whoever signed in, on a server with accounts."""
    account: Account | None = request.scope.get("account")
    return account


def accounts_of(request: Request) -> Accounts:
    """The accounts of this application, where it has any."""
    accounts: Accounts | None = request.app.state.accounts
    if accounts is None:
        raise NotThere(mark("this server has no accounts"))
    return accounts


def administration_of(request: Request) -> Administration:
    """The accounts as whoever asks may change them."""
    accounts, account = accounts_of(request), account_of(request)
    if account is None:
        raise Forbidden(ADMINISTRATOR)
    return Administration(accounts, account)


def ledger_service(request: Request) -> LedgerService:
    """The ledger of this application."""
    service: LedgerService = request.app.state.ledger
    return service


def who_of(request: Request, by: str) -> str:
    """Who does something: on a server with accounts nobody signs with another's name."""
    account = account_of(request)
    who = account.name if account else by.strip()[:200]
    if not who:
        raise MissingInput("by", "who does this")
    return who


def sees_everybody(request: Request) -> bool:
    """Who does not want to be published is seen by those who keep the ledger, and nobody else."""
    account = account_of(request)
    return account is None or account.may("secretary")


def seen_member(request: Request, connection: Connection, member_id: int) -> Member:
    """The member of this id, if whoever asks may see them."""
    found = one_member(connection, member_id)
    if found.opted_out and not sees_everybody(request):
        raise NotThere(mark("there is no member %(name)s"), name=member_id)
    return found


def keeps_the_ledger(request: Request) -> None:
    """Refuse whoever does not keep the ledger: what is asked may name anybody."""
    if not sees_everybody(request):
        raise Forbidden("secretary")


def is_secretary_at(request: Request, club: str) -> bool:
    """Whether whoever asks is a secretary at this club; at none in particular, at every club."""
    account = account_of(request)
    return account is None or account.may("secretary", club)


def secretary_at(request: Request, club: str) -> None:
    """Refuse whoever is no secretary at this club."""
    if not is_secretary_at(request, club):
        raise Forbidden("secretary", club)


def club_for(request: Request, role: str, said: str) -> str:
    """The club something is done for, by somebody of this role there."""
    account = account_of(request)
    return account.club_for(role, said) if account else said


def clubs_to_choose(request: Request, role: str) -> list[str]:
    """The clubs among which somebody must say for which they do something: none where there is
    nothing to choose. Who may at every club may also do it for none in particular."""
    account = account_of(request)
    if account is None:
        return []
    mine = account.clubs(role)
    if EVERY_CLUB in mine:
        mine = [EVERY_CLUB, *mine, *accounts_of(request).clubs()]
    found = {sought(club): club for club in reversed(mine)}
    return sorted(found.values()) if len(found) > 1 else []


def note(request: Request, *what: str) -> None:
    """Have the audit log say this of the request, beside its address."""
    request.scope[NOTED] = " ".join(filter(None, what))


def own_key(request: Request, key: str) -> str:
    """An idempotency key with whose it is: the same key of somebody else is another one."""
    account = account_of(request)
    return f"{account.name if account else ''}/{key}" if key else ""
