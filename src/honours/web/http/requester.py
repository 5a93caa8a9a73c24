"""The requester, the club they act for, and what the audit log says about it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from honours.errors import MissingInput
from honours.formats.entrants import sought
from honours.model.message import Message
from honours.model.rights import EVERY_CLUB, Action
from honours.web.http.access import Requester

_SIGNED = "by"
REQUESTER, DID, LINE = "requester", "did", "audit line"
"""Where a request keeps who asks, what the audit log says of it, and the line that was begun."""


def requester_of(request: Request) -> Requester | None:
    """Whoever asks, on a server with accounts."""
    requester: Requester | None = request.scope.get(REQUESTER)
    return requester


def address_of(scope: Scope) -> str:
    """The network address a request came from."""
    return str((scope.get("client") or ("",))[0])


def own_name(request: Request) -> str:
    """The name of whoever asks; none on a server without accounts."""
    requester = requester_of(request)
    return requester.name if requester else ""


def signed_before(request: Request) -> str:
    """The name that was last signed with in this browser."""
    return request.cookies.get(_SIGNED, "")


def remember_name(response: Response, who: str) -> None:
    """Offer a name again where this browser is next asked for one."""
    kept = who.encode("ascii", "ignore").decode()[:60]
    response.set_cookie(_SIGNED, kept, httponly=True, samesite="strict")


def who_of(request: Request, by: str) -> str:
    """Return who does something: with accounts nobody can sign with another's name."""
    requester = requester_of(request)
    who = requester.name if requester else by.strip()[:200]
    if not who:
        raise MissingInput("by", Message("who does this"))
    return who


def club_for(request: Request, action: Action, club: str) -> str:
    """The club that somebody does this for."""
    requester = requester_of(request)
    return requester.club_for(action, club) if requester else club


def may_at(request: Request, action: Action, club: str | None = None) -> bool:
    """Return whether whoever asks may do this at a club; at any, if none is named."""
    requester = requester_of(request)
    return requester is None or requester.may(action, club)


def clubs_to_choose(request: Request, action: Action) -> list[str]:
    """The clubs among which somebody has to choose when they do something: none where there is no
    choice. Who may at every club may also act for none in particular."""
    requester = requester_of(request)
    if requester is None:
        return []
    mine = requester.clubs(action)
    if EVERY_CLUB in mine:
        mine = [EVERY_CLUB, *mine, *request.app.state.accounts.clubs()]
    clubs = {sought(club): club for club in reversed(mine)}
    return sorted(clubs.values()) if len(clubs) > 1 else []


def note(request: Request, did: Message) -> None:
    """Give the audit log a better sentence than the address allowed."""
    request.scope[DID] = did


def own_key(request: Request, key: str) -> str:
    """An idempotency key with whose it is: the same key of somebody else is another one."""
    return f"{own_name(request)}/{key}" if key else ""
