"""Protection that every request passes before anything else looks at it, and every answer on its
way out.

Written up with the threats it is for in docs/evidence/security.md.
"""

from __future__ import annotations

import asyncio
import time
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Sent

from honours.model.message import Message, mark
from honours.web.http.problems import respond
from honours.web.settings import Settings

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


class Protection:
    """Refuses what should not be asked, bounds what is sent, and sets the headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        outwards = _with_headers(scope, send)
        try:
            self._check(scope)
        except HTTPException as refused:
            await respond(scope, refused)(scope, receive, outwards)
            return
        await self.app(scope, self._bounded(receive), outwards)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if host_name(headers.get("host", "")) not in self.settings.hosts:
            raise HTTPException(421, Message("This server does not answer to that name."))
        if not scope["path"].isprintable():
            # A router takes an address with a newline at its end for the one without; nobody
            # who asks in good faith sends one.
            raise HTTPException(404, Message("Not Found"))
        if scope["method"] not in SAFE and crosses_sites(headers):
            raise HTTPException(403, Message("A page of another site may not do this."))
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.settings.body_limit:
            raise self._too_large()

    def _too_large(self) -> HTTPException:
        megabytes = self.settings.body_limit >> 20
        template = mark("More than {megabytes} MB were sent at once.")
        return HTTPException(413, Message(template, megabytes=megabytes))

    def _bounded(self, receive: Receive) -> Receive:
        """Counts the body, and gives it a time to arrive: the length a header says may be a lie."""
        received, deadline = 0, time.monotonic() + self.settings.body_seconds
        whole = False

        async def bounded() -> Sent:
            nonlocal received, whole
            if whole:  # what follows a body is only that the client has gone
                return await receive()
            try:
                left = max(0.0, deadline - time.monotonic())
                message = await asyncio.wait_for(receive(), left)
            except TimeoutError as error:
                raise HTTPException(408, Message("The request took too long to arrive.")) from error
            received += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if received > self.settings.body_limit:
                raise self._too_large()
            return message

        return bounded


def host_name(header: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return ""


def crosses_sites(headers: Headers) -> bool:
    """Return whether a page of another site is behind a request that changes something.

    A browser says so itself (Sec-Fetch-Site) or names the page's origin. A program that is no
    browser sends neither, and no page can make it send anything.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host", "")


def _with_headers(scope: Scope, send: Send) -> Send:
    async def outwards(message: Sent) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if not scope["path"].startswith("/static/"):
                headers.setdefault("cache-control", "no-store")
            headers.setdefault("vary", "HX-Request, Cookie, Accept-Language")
        await send(message)

    return outwards
