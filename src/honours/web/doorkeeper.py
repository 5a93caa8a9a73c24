"""Who may do what on a server with accounts; without accounts everything is allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse

from honours.web.accounts import Account, Accounts, Rate
from honours.web.problems import respond
from honours.web.security import SAFE

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from honours.web.settings import Settings

COOKIE = "session"
OPEN = ("/static/", "/sign-in")
_BY_PATH = (("/accounts", "administrator"), ("/ledger", "secretary"))
_READING_POSTS = ("/api/v1/calculations", "/sign-out")


class Doorkeeper:
    """Signs requests in, asks for the role they need, slows the hasty and writes down changes."""

    def __init__(self, app: ASGIApp, accounts: Accounts, settings: Settings) -> None:
        self.app, self.accounts = app, accounts
        self.rate = Rate(settings.per_minute, 60)
        self.sign_ins = Rate(settings.sign_ins, 60)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        account = self._account(scope)
        try:
            self._check(scope, account)
        except HTTPException as refused:
            answer = respond(scope, refused)
            if refused.status_code == 401 and not scope["path"].startswith("/api/"):
                answer = RedirectResponse("/sign-in", 303)
            await answer(scope, receive, send)
            return
        scope["account"] = account
        await self.app(scope, receive, self._noting(scope, account, send))

    def _account(self, scope: Scope) -> Account | None:
        headers = Headers(scope=scope)
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self.accounts.who(token, "token")
        key = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        return self.accounts.who(key, "session") if key else None

    def _check(self, scope: Scope, account: Account | None) -> None:
        client = str((scope.get("client") or ("",))[0])
        if not self.rate.allows(account.name if account else client):
            raise HTTPException(429, "Too many requests; wait a minute.", {"retry-after": "60"})
        if scope["path"].startswith(OPEN):
            if scope["method"] == "POST" and not self.sign_ins.allows(client):
                raise HTTPException(429, "Too many attempts; wait a minute.", {"retry-after": "60"})
            return
        if account is None:
            raise HTTPException(401, "Sign in first.", {"www-authenticate": "Bearer"})
        needed = role_needed(scope["method"], scope["path"])
        if not account.may(needed):
            raise HTTPException(403, f"This takes the role of a {needed}.")

    def _noting(self, scope: Scope, account: Account | None, send: Send) -> Send:
        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start" and scope["method"] not in SAFE:
                name = account.name if account else ""
                self.accounts.note(name, scope["method"], scope["path"], message["status"])
            await send(message)

        return noting


def role_needed(method: str, path: str) -> str:
    """The least role that may ask this."""
    for start, role in _BY_PATH:
        if path.startswith(start) and (role == "administrator" or method not in SAFE):
            return role
    if path.endswith("/draft"):
        return "secretary"
    if method in SAFE or path in _READING_POSTS:
        return "viewer"
    return "scorer"
