"""Who asks, and what of the application is theirs to use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honours.errors import MissingInput
from honours.web.problems import Forbidden

if TYPE_CHECKING:
    from starlette.requests import Request

    from honours.web.accounts import Account
    from honours.web.book import Book


def account_of(request: Request) -> Account | None:
    """Whoever signed in, on a server with accounts."""
    account: Account | None = request.scope.get("account")
    return account


def book_of(request: Request) -> Book:
    """The ledger of this application."""
    book: Book = request.app.state.book
    return book


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


def keeps_the_ledger(request: Request) -> None:
    """Refuse whoever does not keep the ledger: what is asked may name anybody."""
    if not sees_everybody(request):
        raise Forbidden("This takes the role of a secretary.")


def secretary_at(request: Request, club: str) -> None:
    """Refuse whoever is no secretary at this club; at none in particular, at every club."""
    account = account_of(request)
    if account and not account.may("secretary", club):
        raise Forbidden(f"This takes the role of a secretary at {club[:100] or 'every club'}.")


def own_key(request: Request, key: str) -> str:
    """An idempotency key with whose it is: the same key of somebody else is another one."""
    account = account_of(request)
    return f"{account.name if account else ''}/{key}" if key else ""
