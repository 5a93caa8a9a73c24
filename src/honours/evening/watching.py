"""A file that grows during play: a Bridgemate's, or a go tournament's after every round."""

from __future__ import annotations

import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from honours.errors import InputError
from honours.model.message import Message

_PATIENCE = 60
_SETTLES = 0.2
"""How many seconds a file must stay unchanged before it is read, since it may be half written."""


def versions(path: Path, every: float) -> Iterator[bytes]:
    """The file's content whenever it has changed, starting with the present one."""
    seen: tuple[int, int] | None = None
    last = b""
    while True:
        now = _stamp(path)
        if now is not None and now != seen and _settled(path, now):
            seen = now
            content = path.read_bytes()
            if content != last:
                last = content
                yield content
        time.sleep(every)


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return when a file was changed and its size; None while a program replaces it."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_mtime_ns, status.st_size


def _settled(path: Path, stamp: tuple[int, int]) -> bool:
    time.sleep(_SETTLES)
    return _stamp(path) == stamp


def send(server: str, evening: str, name: str, content: bytes, token: str = "") -> bool:
    """Send the file of a watched evening to its server; returns whether it contained anything
    new."""
    line = secrets.token_hex(16)
    quoted = name.replace('"', "'").replace("\r", "").replace("\n", "")
    head = (
        f'--{line}\r\ncontent-disposition: form-data; name="file"; filename="{quoted}"\r\n'
        "content-type: application/octet-stream\r\n\r\n"
    )
    body = head.encode() + content + f"\r\n--{line}--\r\n".encode()
    headers = {"content-type": f"multipart/form-data; boundary={line}"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    address = f"{server.rstrip('/')}/api/v1/evenings/{evening}/file"
    if not address.startswith(("http://", "https://")):
        raise InputError("{server} is not an address; expected http://…", server=server)
    request = urllib.request.Request(address, body, headers, method="PUT")
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
            return bool(json.load(answer)["new"])
    except urllib.error.HTTPError as error:
        raise InputError(_detail(error)) from error
    except (OSError, ValueError, KeyError) as error:
        message = Message("{server} does not answer ({why})", server=server, why=error)
        raise InputError(message) from error


def _detail(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.load(error)["detail"])
    except (ValueError, KeyError, OSError):
        return f"{error.code} {error.reason}"
