"""A second factor for signing in: six digits a telephone shows for half a minute (RFC 6238)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import struct
from urllib.parse import quote

from honours import clock

_SECONDS, _DIGITS = 30, 6
_EARLY_AND_LATE = 1
"""How many steps a clock may be off."""


def new_secret() -> str:
    """A secret to share with somebody's telephone, once."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def code_at(secret: str, step: int) -> str:
    """Return the code that the telephone shows during a step of time."""
    mac = hmac.digest(base64.b32decode(secret), struct.pack(">Q", step), hashlib.sha1)
    start = mac[-1] & 15
    number = struct.unpack(">I", mac[start : start + 4])[0] & 0x7FFFFFFF
    return f"{number % 10**_DIGITS:0{_DIGITS}}"


def step_now() -> int:
    """The step of time it is."""
    return int(clock.seconds()) // _SECONDS


def accepted_step(secret: str, code: str, used: int) -> int | None:
    """The step a code belongs to, unless it or a later one was used already."""
    given, now = "".join(code.split()), step_now()
    for step in range(max(now - _EARLY_AND_LATE, used + 1), now + _EARLY_AND_LATE + 1):
        if hmac.compare_digest(code_at(secret, step).encode(), given.encode()):
            return step
    return None


def picture(secret: str, name: str) -> str:
    """The secret as a picture for the telephone's camera: an address that a page can show."""
    import segno

    label = quote(f"Honours:{name}")
    address = f"otpauth://totp/{label}?secret={secret}&issuer=Honours&digits={_DIGITS}"
    return str(segno.make(address, error="m").svg_data_uri(scale=4, border=4, light="#fff"))
