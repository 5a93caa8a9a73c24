"""The application inside a browser's tab.

A worker of the page holds Python; what the pages ask for is handed to :meth:`Tab.answer` and comes
back as status, headers and body. There is one thread, no process can be started, and whoever sits
there is the only one.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterable
from http.cookies import SimpleCookie
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

import anyio.to_thread
from starlette.types import Message as Sent

from honours import __version__, rings
from honours.errors import InputError
from honours.processes.in_place import InPlace
from honours.processes.threads import THREADS
from honours.web.app import unguarded
from honours.web.http.protection import HEADERS, Protection, host_name
from honours.web.settings import Settings

_LEADS = re.compile(
    rb'(\b(?:href|src|action|formaction|hx-get|hx-post|hx-delete|data-[a-z-]+)=")/(?!/)'
)
"""An attribute of a page that names an address of ours."""
_POLICY = HEADERS["content-security-policy"].replace("ancestors 'none'", "ancestors 'self'")
"""The page around the pages may show them, and nobody else."""
_OURS_ALONE = ("x-frame-options", "content-length", "content-security-policy")
_MOVED = ("location", "hx-redirect", "hx-push-url", "hx-location")
_COOKIES = "cookies.json"
_MARK = "honours-copy.json"
"""What a copy is known by."""
Answer = tuple[int, list[tuple[str, str]], bytes]


async def _in_place(work: Callable[..., Any], *args: Any, **_how: Any) -> Any:
    return work(*args)


class Tab:
    """The application of one browser; ``host`` and ``base`` are where it was loaded from: what a
    page of another site sends is refused as on a server. ``wanted`` is a package that was asked for
    and is not loaded yet."""

    def __init__(self, data: str, host: str = "localhost", base: str = "/") -> None:
        if not THREADS:
            anyio.to_thread.run_sync = _in_place  # type: ignore[assignment]
        rings.on_demand = self._want
        self.wanted = ""
        self._host, self._base, self._data = host, base.rstrip("/"), Path(data)
        self._cookies: SimpleCookie = SimpleCookie()
        if (kept := self._data / _COOKIES).exists():
            self._cookies.load(json.loads(kept.read_text(encoding="utf-8")))
        settings = Settings(data=self._data, hosts=(host_name(host),), body_limit=64 << 20)
        self._app = unguarded(settings, InPlace())
        self._outer = Protection(self._app, settings)
        self._open = self._app.router.lifespan_context(self._app)

    def _want(self, module: str) -> None:
        self.wanted = module

    async def start(self) -> None:
        """Before the first request."""
        await self._open.__aenter__()

    async def close(self) -> None:
        """After the last."""
        await self._open.__aexit__(None, None, None)

    async def answer(
        self, method: str, address: str, headers: Iterable[tuple[str, str]], body: bytes
    ) -> Answer:
        """The application's answer to one request."""
        self.wanted = ""
        path, _, query = address.removeprefix(self._base).partition("?")
        scope = self._scope(method, path or "/", query, headers, len(body))
        sent: list[Sent] = []
        taken = False

        async def receive() -> Sent:
            nonlocal taken
            if taken:
                await asyncio.Event().wait()  # the reader stays
            taken = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Sent) -> None:
            sent.append(message)

        await self._outer(scope, receive, send)
        whole = b"".join(part.get("body", b"") for part in sent[1:])
        return self._outwards(sent[0]["status"], sent[0]["headers"], whole)

    def _scope(
        self, method: str, path: str, query: str, headers: Iterable[tuple[str, str]], length: int
    ) -> dict[str, Any]:
        own = {"host": self._host, "content-length": str(length)}
        if self._cookies:
            own["cookie"] = "; ".join(f"{k}={m.coded_value}" for k, m in self._cookies.items())
        told = [(k.lower(), v) for k, v in headers if k.lower() not in own]
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode("ascii", "ignore"),
            "query_string": query.encode("ascii", "ignore"),
            "root_path": "",
            "headers": [
                (k.encode(), v.encode("latin-1", "ignore")) for k, v in (*own.items(), *told)
            ],
            "client": ("127.0.0.1", 0),
            "server": (self._host, 80),
            "state": {},
        }

    def _outwards(self, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> Answer:
        """An answer as a page within a page gets it, its addresses below the base."""
        out: list[tuple[str, str]] = []
        html = False
        for raw, value in headers:
            name, text = raw.decode("latin-1").lower(), value.decode("latin-1")
            if name == "set-cookie":
                self._keep_cookie(text)
            elif name in _MOVED:
                out.append((name, self._base + text if text.startswith("/") else text))
            elif name not in _OURS_ALONE:
                html = html or (name == "content-type" and text.startswith("text/html"))
                out.append((name, text))
        out.append(("content-security-policy", _POLICY))
        if html and self._base:
            body = _LEADS.sub(rb"\1" + self._base.encode() + b"/", body)
        return status, out, body

    def _keep_cookie(self, text: str) -> None:
        """A service worker may not set cookies: they are kept with the data."""
        self._cookies.load(text)
        kept = json.dumps({name: one.value for name, one in self._cookies.items()})
        self._data.mkdir(parents=True, exist_ok=True)
        (self._data / _COOKIES).write_text(kept, encoding="utf-8")

    # --- one file of everything, because a browser may throw away what it keeps ------------------

    def packed(self) -> bytes:
        """All that is kept here, as one file."""
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_MARK, json.dumps({"honours": __version__}))
            for path in sorted(self._data.rglob("*")):
                if path.is_file():
                    archive.write(path, path.relative_to(self._data).as_posix())
        return made.getvalue()

    def bring(self, copy: bytes) -> None:
        """Put a copy in the place of all that is kept here; the application then starts again."""
        try:
            with zipfile.ZipFile(io.BytesIO(copy)) as archive:
                names = [name for name in archive.namelist() if not name.endswith("/")]
                files = {name: archive.read(name) for name in names}
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
            raise InputError("This is not a copy of Honours' data, or it is damaged.") from error
        within = all(
            not (path := PurePosixPath(name)).is_absolute() and ".." not in path.parts
            for name in files
        )
        if files.pop(_MARK, None) is None or not within:
            raise InputError("This archive is not a copy of Honours' data.")
        self._data.mkdir(parents=True, exist_ok=True)
        for old in self._data.iterdir():
            if old.is_dir():
                shutil.rmtree(old)
            else:
                old.unlink()
        for name, content in files.items():
            (self._data / name).parent.mkdir(parents=True, exist_ok=True)
            (self._data / name).write_bytes(content)
