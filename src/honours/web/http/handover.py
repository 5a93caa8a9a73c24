"""Several processes of one server: what one of them keeps, the others hand over to it.

All read and write the same folder and databases. Jobs, and what is known of them, are kept by the
first, which listens to the others on a socket of their own.
"""

from __future__ import annotations

import asyncio

import h11
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from honours.model.message import Message
from honours.web.http.problems import respond

KEPT = (
    *("/lab", "/conformance", "/ledger/light", "/ledger/verify", "/ledger/restore"),
    *("/api/v1/jobs", "/api/v1/corpora"),
)
"""Where the pages and answers are that know of jobs."""
_CLIENT, _SCHEME = b"x-honours-client", b"x-honours-scheme"
_OF_A_CONNECTION = (b"connection", b"transfer-encoding", b"keep-alive")
_PIECE = 1 << 16


def is_kept(path: str) -> bool:
    """Return whether the first process has to answer."""
    return any(path == one or path.startswith(f"{one}/") for one in KEPT)


class Handover:
    """Hands over to the process that keeps jobs what concerns them; it listens at ``where``."""

    def __init__(self, app: ASGIApp, where: str) -> None:
        self.app, self.where = app, where

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_kept(scope["path"]):
            await self.app(scope, receive, send)
            return
        try:
            reader, writer = await asyncio.open_unix_connection(self.where)
        except OSError:
            away = HTTPException(503, Message("A part of the server is starting; try again."))
            await respond(scope, away)(scope, receive, send)
            return
        try:
            await _ask(writer, connection := h11.Connection(h11.CLIENT), scope, receive)
            await _answer(reader, connection, send)
        finally:
            writer.close()


async def _ask(
    writer: asyncio.StreamWriter, connection: h11.Connection, scope: Scope, receive: Receive
) -> None:
    query = scope["query_string"]
    told = [(name, value) for name, value in scope["headers"] if name not in _OF_A_CONNECTION]
    own = {name for name, _ in told}
    if b"content-length" not in own and (b"transfer-encoding", b"chunked") in scope["headers"]:
        told.append((b"transfer-encoding", b"chunked"))
    client = (scope.get("client") or ("",))[0]
    told = [(name, value) for name, value in told if name not in (_CLIENT, _SCHEME)]
    told += [(_CLIENT, client.encode()), (_SCHEME, scope["scheme"].encode())]
    asked = h11.Request(
        method=scope["method"],
        target=scope["raw_path"] + (b"?" + query if query else b""),
        headers=[*told, (b"connection", b"close")],
    )
    writer.write(connection.send(asked) or b"")
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        if body := message.get("body", b""):
            writer.write(connection.send(h11.Data(data=body)) or b"")
            await writer.drain()
        more = message.get("more_body", False)
    writer.write(connection.send(h11.EndOfMessage()) or b"")
    await writer.drain()


async def _answer(reader: asyncio.StreamReader, connection: h11.Connection, send: Send) -> None:
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            connection.receive_data(await reader.read(_PIECE))
        elif isinstance(event, h11.Response):
            told = [(name, value) for name, value in event.headers if name not in _OF_A_CONNECTION]
            start = {"type": "http.response.start", "status": event.status_code, "headers": told}
            await send(start)
        elif isinstance(event, h11.Data):
            await send({"type": "http.response.body", "body": bytes(event.data), "more_body": True})
        else:
            await send({"type": "http.response.body", "body": b""})
            return


class Taking:
    """Knows from whom a request is that another process hands over: such come over a socket of the
    server's own, which alone has no address."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not (scope.get("client") or ("",))[0]:
            headers = dict(scope["headers"])
            scope = {
                **scope,
                "client": (headers.get(_CLIENT, b"").decode(), 0),
                "scheme": headers.get(_SCHEME, b"http").decode(),
            }
        await self.app(scope, receive, send)
