"""Permissions: every route declares an action on a thing, and one guard checks it.

::

    @router.post("/events/{event_id}/delete")
    @may(SCORE, stored_event, mark("removed event {event_id}"))
    def remove(request: Request, event_id: str) -> Response: ...

A route that declares nothing cannot be made. Whoever asks is a :class:`Requester`; how many kinds
of them there are is no business of the routes.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from honours.errors import MissingInput
from honours.formats.entrants import sought
from honours.model.message import Message
from honours.model.rights import EVERY_CLUB, OPEN, READ, Action
from honours.web.http.problems import Forbidden, NotBegun, NotThere

API = "/api/v1"
"""Where the addresses for programs begin."""
GUARD = "guard"
"""Where a request keeps the guard that lets it in; on a server without accounts there is none."""
_DECLARED = "permission"


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing that something is done to. ``club`` is whose it is: one club's, of no club in
    particular (``EVERY_CLUB``), or whichever the requester acts for (none). ``owners`` may do
    anything with it: accounts by their names, other kinds of requesters by what no account can be
    called. Whoever may not even read it is told ``unknown``, if that is set: that there is none."""

    club: str | None = None
    owners: frozenset[Hashable] = frozenset()
    unknown: NotThere | None = None


class Requester:
    """Whoever asks: an account, a program with its token, and whatever else can be known by what
    it sends. It is allowed nothing unless its kind says so."""

    name: str

    @property
    def owns_as(self) -> Hashable:
        """The key they have among the owners of a thing."""
        return self.name

    def allows(self, action: Action, thing: Thing) -> bool:  # noqa: ARG002
        """Return whether they may do this to that."""
        return False

    def may(self, action: Action, club: str | None = None) -> bool:  # noqa: ARG002
        """Return whether they may do this at a club, or at any if none is named."""
        return False

    def clubs(self, action: Action) -> list[str]:  # noqa: ARG002
        """The clubs where they may do this."""
        return []

    def club_for(self, action: Action, club: str) -> str:
        """The club they do something for."""
        raise Forbidden(action, club or None)


Find = Callable[[Request], Thing]
"""Finds the thing that an address names; it may look into files and databases."""


def anywhere(_request: Request) -> Thing:
    """Nothing in particular: who may do it at any club may, and the function itself checks what it
    is about. An address that names something says whose it is, if only that it is ``shared``."""
    return Thing()


def shared(_request: Request) -> Thing:
    """A thing that the address names and that is no club's own, such as a rulebook or a member of
    the federation: who may do it at any club may."""
    return Thing()


def asked_within(_request: Request) -> Thing:
    """A thing whose club hangs on what comes with the request: the function itself asks."""
    return Thing()


def everywhere(_request: Request) -> Thing:
    """A thing of no single club: it takes a role that holds at every club."""
    return Thing(EVERY_CLUB)


@dataclass(frozen=True, slots=True)
class Permission:
    """The permission that a route declares. ``did`` is the audit log's sentence for it, with the
    parts of the address filled in; empty where nothing is changed."""

    action: Action
    find: Find
    did: str

    def check(self, requester: Requester, request: Request) -> None:
        """Refuse whoever may not do it."""
        try:
            thing = self.find(request)
        except NotBegun as error:  # whoever may not read learns no more than that it is not there
            if requester.allows(READ, Thing()):
                raise
            raise NotThere(*error.args) from None
        if requester.owns_as in thing.owners or requester.allows(self.action, thing):
            return
        if thing.unknown is not None and not requester.allows(READ, thing):
            raise thing.unknown
        raise Forbidden(self.action, thing.club)


Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


def may(action: Action, find: Find = anywhere, did: str = "") -> Callable[[Endpoint], Endpoint]:
    """Declare the action that a route performs on a thing."""

    def declared(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, _DECLARED, Permission(action, find, did))
        return endpoint

    return declared


def permission_of(endpoint: Callable[..., Any]) -> Permission:
    """Return the permission that a route's function declares."""
    permission = getattr(endpoint, _DECLARED, None)
    if not isinstance(permission, Permission):
        raise TypeError(f"{endpoint.__module__}.{endpoint.__name__} declares no permission")
    return permission


class Admitting(Protocol):
    """A guard: it lets a request in or raises what is in the way."""

    def admit(self, permission: Permission, request: Request) -> None:
        """Check what the route declares, and write down that it is begun."""


class GuardedRoute(APIRoute):
    """A route that lets nobody in, and reads no body, before its guard has looked."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        permission, handler = permission_of(self.endpoint), super().get_route_handler()
        if self.param_convertors and permission.action is not OPEN and permission.find is anywhere:
            raise TypeError(f"{self.path} names something without asking whose it is")

        async def guarded(request: Request) -> Response:
            guard: Admitting | None = request.scope.get(GUARD)
            if guard is not None:
                # In a thread, because a database that is slow must not hold up everybody.
                await run_in_threadpool(guard.admit, permission, request)
            return await handler(request)

        return guarded


class GuardedRouter(APIRouter):
    """A router all of whose routes declare who may use them. It is asked about those addresses only
    that begin as one of its own does: to compare each with every route takes longer than many of
    them do."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        known = _beginning(scope["path"]) in self._beginnings
        return super().matches(scope) if known else (Match.NONE, {})

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        routes = (route for route in self.routes if isinstance(route, APIRoute))
        return frozenset(_beginning(route.path) for route in routes)


def _beginning(path: str) -> str:
    """The first word of an address, for people or for programs."""
    return path.removeprefix(API)[1:].partition("/")[0]


def guarded_router(**options: Any) -> APIRouter:
    """A router all of whose routes declare who may use them."""
    return GuardedRouter(route_class=GuardedRoute, **options)


_SIGNED = "by"
REQUESTER, DID, LINE = "requester", "did", "audit line"
"""Where a request keeps who asks, what the audit log says of it, and the line that was begun."""


def requester_of(request: Request) -> Requester | None:
    """The requester, on a server with accounts."""
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
