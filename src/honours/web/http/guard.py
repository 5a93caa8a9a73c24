"""The guard of a server with accounts: who asks, whether they may, and what the audit log records.

A line of the audit log is written before the work begins and completed when it has ended: with
the accounts out of reach nothing is begun, and nothing is done that the log does not know of.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request, cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Sent

from honours.errors import HonoursError
from honours.model.message import Message, fields, mark
from honours.model.rights import OPEN
from honours.web.accounts.store import Accounts
from honours.web.http.access import DID, GUARD, LINE, REQUESTER, Permission, Requester, address_of
from honours.web.http.problems import OutOfReach, problem_of, respond
from honours.web.http.protection import SAFE
from honours.web.http.rate import shared_rate
from honours.web.settings import Settings

COOKIE = "session"
Identify = Callable[[Headers], Requester | None]
"""Knows a kind of requester by what a request sends."""
_LATER = {"retry-after": "60"}
_STRANGERS_NOTED = 10
_log = logging.getLogger(__name__)


class Guard:
    """Finds out who asks, slows the hasty, checks what each route declares and keeps the log."""

    def __init__(
        self, app: ASGIApp, accounts: Accounts, settings: Settings, *more: Identify
    ) -> None:
        self.app, self.audit = app, accounts.audit
        self.kinds: tuple[Identify, ...] = (_by_token(accounts), _by_session(accounts), *more)
        self.rate = shared_rate(0, settings.per_minute, 60)
        self._strangers = shared_rate(1, _STRANGERS_NOTED, 60)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/static/"):
            await self.app(scope, receive, send)
            return
        try:
            scope[REQUESTER] = await run_in_threadpool(self._identified, scope)
        except (HTTPException, HonoursError) as refused:
            await respond(scope, refused)(scope, receive, send)
            return
        scope[GUARD] = self
        await self.app(scope, receive, self._completing(scope, send))

    def _identified(self, scope: Scope) -> Requester | None:
        headers = Headers(scope=scope)
        try:
            requester = next(filter(None, (kind(headers) for kind in self.kinds)), None)
        except SQLAlchemyError as error:
            raise OutOfReach(error) from error
        if not self.rate.allows(requester.name if requester else address_of(scope)):
            raise HTTPException(429, Message("Too many requests; wait a minute."), _LATER)
        return requester

    def admit(self, permission: Permission, request: Request) -> None:
        """Check what the route declares; a change is written down before it is begun."""
        scope = request.scope
        scope[DID] = _did(permission, request)
        try:
            self._check(permission, request)
        except (HTTPException, HonoursError) as refused:
            if self._worth_noting(scope):
                who, address = _who(scope), address_of(scope)
                self.audit.note(who, address, scope[DID], problem_of(refused).status)
            raise
        if permission.did:
            scope[LINE] = self.audit.begin(_who(scope), address_of(scope), scope[DID])

    def _check(self, permission: Permission, request: Request) -> None:
        requester = request.scope[REQUESTER]
        if permission.action is OPEN:
            return
        if requester is None:
            raise HTTPException(401, Message("Sign in first."), {"www-authenticate": "Bearer"})
        permission.check(requester, request)

    def _worth_noting(self, scope: Scope) -> bool:
        """Return whether to log a refusal; strangers' are limited, lest they fill the disk."""
        if scope[REQUESTER] is not None:
            return True
        return scope["method"] not in SAFE and self._strangers.allows(address_of(scope))

    def _completing(self, scope: Scope, send: Send) -> Send:
        """Completes the line that was begun, once it is known how it ended."""

        async def completing(message: Sent) -> None:
            if message["type"] == "http.response.start" and LINE in scope:
                await run_in_threadpool(self._complete, scope, message["status"])
            await send(message)

        return completing

    def _complete(self, scope: Scope, status: int) -> None:
        try:
            self.audit.complete(scope[LINE], status, scope[DID])
        except HonoursError:  # the line still says that it was begun
            _log.warning("the audit log could not be completed: %s", scope[DID])


def _who(scope: Scope) -> str:
    requester: Requester | None = scope[REQUESTER]
    return requester.name if requester else ""


def _did(permission: Permission, request: Request) -> Message:
    """The audit log's sentence before anything but the address is known."""
    if not permission.did:
        return Message(mark("asked for {address}"), address=request.url.path[:200])
    parts = {name: str(value)[:100] for name, value in request.path_params.items()}
    named = fields(permission.did)
    return Message(permission.did, **{name: parts.get(name, "…") for name in named})


def _by_token(accounts: Accounts) -> Identify:
    def identify(headers: Headers) -> Requester | None:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        return accounts.who(token, "token") if scheme.lower() == "bearer" else None

    return identify


def _by_session(accounts: Accounts) -> Identify:
    def identify(headers: Headers) -> Requester | None:
        if "authorization" in headers:
            return None
        key = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        return accounts.who(key, "session") if key else None

    return identify
