"""The time, told in one place, so that a test can put it forward and see what ends."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

ahead = timedelta()
"""By how much this clock is ahead of the machine's; nothing but a test changes it."""


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC) + ahead


def here() -> datetime:
    """This moment, in the time zone of the machine."""
    return now().astimezone()


def today() -> date:
    """The day it is here."""
    return here().date()


def seconds() -> float:
    """Seconds since 1970."""
    return now().timestamp()
