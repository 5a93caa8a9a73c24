"""Days as files write them."""

from __future__ import annotations

import re
from datetime import date

from honours.errors import InputError

ISO = r"(?P<year>\d{4})-?(?P<month>\d\d)-?(?P<day>\d\d)"
"""``2025-03-31`` or ``20250331``, anywhere in a text."""


def day_like(pattern: str, text: str) -> date | None:
    """The day that a pattern with year, month and day finds in a text, if it is one."""
    match = re.search(pattern, text)
    try:
        return date(*(int(match[part]) for part in ("year", "month", "day"))) if match else None
    except ValueError:
        return None


def iso_day(name: str, text: str) -> str:
    """A day as the ledger keeps it; an InputError where the text is not one."""
    found = day_like(rf"\A{ISO}\Z", text)
    if found is None or found.isoformat() != text:
        raise InputError(f"{name}={text}: not a date; expected e.g. 2017-01-14")
    return text


def parse_day(text: str) -> date:
    """A day as 2025-03-31 or 31/03/2025."""
    parts = [int(part) for part in re.findall(r"\d{1,9}", text[:40])][:3]
    try:
        if re.match(r"\d{4}\D", text):
            return date(parts[0], parts[1], parts[2])
        return date(parts[2], parts[1], parts[0])
    except (ValueError, IndexError, OverflowError):
        raise ValueError(f"date {text!r} is not like 2025-03-31 or 31/03/2025") from None
