"""Who may do what on a server with accounts; without accounts everything is allowed."""

from __future__ import annotations

import re
import threading
import time
from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse

from honours.errors import HonoursError
from honours.web.accounts.store import EVERY_CLUB, Account, Accounts
from honours.web.http.problems import Forbidden, respond
from honours.web.http.protection import SAFE
from honours.web.http.requester import NOTED
from honours.web.texts import mark

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from honours.web.events.store import EventStore
    from honours.web.ledger.service import LedgerService
    from honours.web.settings import Settings

COOKIE = "session"
_LATER = {"retry-after": "60"}
OPEN = ("/static/", "/sign-in")
_READING_POSTS = ("/calculations", "/sign-out")
_EVENT = re.compile(r"/events/([0-9a-f]{12})(?:/.*)?", re.DOTALL)
_DRAFT = re.compile(r"/ledger/drafts/(\d{1,18})/.*", re.DOTALL)
_RECORD = re.compile(r"/ledger/records/(\d{1,18})/.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Needed:
    """The least role that may ask something, and where it must be held: at one club, at every
    club, or (none) at whichever."""

    role: str
    club: str | None = None


class Guard:
    """Signs requests in, asks for the role they need, slows the hasty and writes down changes."""

    def __init__(self, app: ASGIApp, accounts: Accounts, settings: Settings, clubs: Clubs) -> None:
        self.app, self.accounts, self.clubs = app, accounts, clubs
        self.rate = Rate(settings.per_minute, 60)
        self.sign_ins = Rate(settings.sign_ins, 60)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            # In a thread, because a database that is slow must not hold up everybody.
            account = await run_in_threadpool(self._admitted, scope)
        except (HTTPException, HonoursError) as refused:
            answer = respond(scope, refused)
            if answer.status_code == 401 and not scope["path"].startswith("/api/"):
                answer = RedirectResponse("/sign-in", 303)
            await answer(scope, receive, send)
            return
        scope["account"] = account
        await self.app(scope, receive, self._noting(scope, account, send))

    def _admitted(self, scope: Scope) -> Account | None:
        account = self._account(scope)
        self._check(scope, account)
        return account

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
            raise HTTPException(429, mark("Too many requests; wait a minute."), _LATER)
        if scope["path"].startswith(OPEN):
            if scope["method"] == "POST" and not self.sign_ins.allows(client):
                raise HTTPException(429, mark("Too many attempts; wait a minute."), _LATER)
            return
        if account is None:
            raise HTTPException(401, mark("Sign in first."), {"www-authenticate": "Bearer"})
        needed = self.clubs.needed(scope["method"], scope["path"])
        if not account.may(needed.role, needed.club):
            raise Forbidden(needed.role, needed.club)

    def _noting(self, scope: Scope, account: Account | None, send: Send) -> Send:
        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start" and scope["method"] not in SAFE:
                name = account.name if account else ""
                what = " ".join(filter(None, (scope["path"], scope.get(NOTED))))
                done = (name, scope["method"], what, message["status"])
                await run_in_threadpool(self.accounts.note, *done)
            await send(message)

        return noting


class Clubs:
    """Which role an address needs, at which club: an event, a draft and a record are a club's."""

    def __init__(self, store: EventStore, service: LedgerService) -> None:
        self._store, self._service = store, service

    def needed(self, method: str, path: str) -> Needed:
        """The least role that may ask this."""
        inside = path.removeprefix("/api/v1")
        if inside.startswith(("/accounts", "/audit")):
            return Needed("administrator")  # and at which club is looked at there
        if method in SAFE or inside in _READING_POSTS:
            return Needed("viewer")
        if event := _EVENT.fullmatch(inside):
            posting = inside.endswith(("/draft", "/drafts", "/postings"))
            return Needed("secretary" if posting else "scorer", self._store.club_of(event[1]))
        if draft := _DRAFT.fullmatch(inside):
            return Needed("secretary", self._service.club_of_draft(int(draft[1])))
        if record := _RECORD.fullmatch(inside):
            return Needed("secretary", self._service.club_of_record(int(record[1])))
        if inside.startswith("/ledger"):
            # Of which club a season or a submission is, is looked at there.
            own = inside.startswith(("/ledger/season", "/ledger/submissions"))
            return Needed("secretary", None if own else EVERY_CLUB)
        return Needed("scorer")


_STRANGERS = 10_000


class Rate:
    """At most so many of something in so many seconds, for each who asks."""

    def __init__(self, most: int, seconds: float) -> None:
        self.most, self.seconds = most, seconds
        self._seen: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def allows(self, who: str) -> bool:
        now = time.monotonic()
        with self._lock:
            seen = self._seen.setdefault(who, deque())
            self._seen.move_to_end(who)
            while seen and seen[0] < now - self.seconds:
                seen.popleft()
            if len(seen) >= self.most:
                return False
            seen.append(now)
            if len(self._seen) > _STRANGERS:  # the one who was quiet longest is forgotten
                self._seen.popitem(last=False)
            return True
