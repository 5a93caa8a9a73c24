"""A limit on the requests of one person that are worked on at once: those beyond wait without
taking one of the threads that serve everybody."""

from __future__ import annotations

import asyncio
from collections import Counter

from starlette.types import ASGIApp, Receive, Scope, Send

from honours.web.http.access import REQUESTER, address_of

STREAM = "/stream"
"""How the address of a stream ends: it stays open and works on nothing."""


def _is_light(path: str) -> bool:
    return path.startswith("/static/") or path.endswith(STREAM)


class Fairness:
    """At most ``each`` requests of a person, or of an address, at once."""

    def __init__(self, app: ASGIApp, each: int) -> None:
        self.app, self.each = app, each
        self._places: dict[str, asyncio.Semaphore] = {}
        self._known: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _is_light(scope["path"]):
            await self.app(scope, receive, send)
            return
        requester = scope.get(REQUESTER)
        who = f"@{requester.name}" if requester else address_of(scope)
        self._known[who] += 1
        try:
            async with self._places.setdefault(who, asyncio.Semaphore(self.each)):
                await self.app(scope, receive, send)
        finally:
            self._known[who] -= 1
            if not self._known[who]:
                del self._known[who], self._places[who]
