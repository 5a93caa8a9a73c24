"""The codes that open a table's page: each for one table of one evening, and renewable at any time.

A code names its evening and table and carries 128 bits derived from the evening's secret, so that a
card can be printed again and nobody can guess another table's code.
"""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from dataclasses import dataclass
from hashlib import sha256

SCREEN = 0
"""The number of the big screen, which shows standings and enters nothing."""
_CODE = re.compile(r"([0-9a-f]{12})-(\d{1,2})-([a-z2-7]{26})")
_BYTES = 16


@dataclass(frozen=True, slots=True)
class CodeClaim:
    """The evening and table that a code claims to be for."""

    evening: str
    table: int
    seal: str


def code(secret: bytes, evening: str, table: int, generation: int) -> str:
    """The code of a table."""
    return f"{evening}-{table}-{_seal(secret, evening, table, generation)}"


def _seal(secret: bytes, evening: str, table: int, generation: int) -> str:
    made = hmac.new(secret, f"{evening}/{table}/{generation}".encode(), sha256).digest()
    return b32encode(made[:_BYTES]).decode().rstrip("=").lower()


def claim_of(text: str) -> CodeClaim | None:
    """Read what a code claims to be for; ``None`` if it is not a code."""
    match = _CODE.fullmatch(text)
    return CodeClaim(match[1], int(match[2]), match[3]) if match else None


def is_true(named: CodeClaim, secret: bytes, generation: int) -> bool:
    """Return whether the code is genuine."""
    expected = _seal(secret, named.evening, named.table, generation)
    return hmac.compare_digest(expected, named.seal)
