"""Days as files write them."""

from __future__ import annotations

import re
from datetime import date

from honours.errors import WrongValue
from honours.model.message import Message

ISO = r"(?P<year>\d{4})-?(?P<month>\d\d)-?(?P<day>\d\d)"
"""``2025-03-31`` or ``20250331``, anywhere in a text."""
_LONGEST = 40
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMED = re.compile(
    r"(?:(?P<before>\d{1,2})(?:st|nd|rd|th)?[ .-]{1,3})?"
    rf"\b(?P<month>(?:{'|'.join(_MONTHS)})[a-z]{{0,7}})\b[ .,-]{{1,3}}"
    r"(?:(?P<after>\d{1,2})(?:st|nd|rd|th)?[ ,]{1,3})?(?P<year>\d{4})\b",
    re.IGNORECASE,
)
_TWO_FIGURES, _FIRST_OF_LAST, _THIS_CENTURY, _LAST_CENTURY = 100, 70, 2000, 1900


def day_like(pattern: str, text: str) -> date | None:
    """The day that a pattern with year, month and day finds in a text, if it is one."""
    match = re.search(pattern, text)
    try:
        return date(*(int(match[part]) for part in ("year", "month", "day"))) if match else None
    except ValueError:
        return None


def iso_day(name: str, text: str) -> str:
    """A day as the ledger keeps it; an InputError where the text is not one."""
    day = day_like(rf"\A{ISO}\Z", text)
    if day is None or day.isoformat() != text:
        raise WrongValue(name, text, "not a date; expected e.g. 2017-01-14")
    return text


def named_day(text: str) -> date | None:
    """The day that a text tells with the month in words, if it is one."""
    named = _NAMED.search(text)
    if named is None:
        return None
    month = 1 + _MONTHS.index(named["month"][:3].lower())
    try:
        return date(int(named["year"]), month, int(named["before"] or named["after"] or 0))
    except ValueError:
        return None


def day_if_one(text: str) -> date | None:
    """As :func:`parse_day`; ``None`` where the text is no day."""
    try:
        return parse_day(text)
    except ValueError:
        return None


def parse_day(text: str) -> date:
    """A day as 2025-03-31, 20250331, 31/03/2025, 31/03/25 or 31 March 2025."""
    day = text[:_LONGEST]
    try:
        if compact := re.fullmatch(r"\s*(\d{4})(\d\d)(\d\d)\s*", day):
            return date(*map(int, compact.groups()))
        if named := named_day(day):
            return named
        parts = [int(part) for part in re.findall(r"\d{1,9}", day)][:3]
        if re.match(r"\d{4}\D", day):
            return date(parts[0], parts[1], parts[2])
        return date(_century(parts[2]), parts[1], parts[0])
    except (ValueError, IndexError, OverflowError, TypeError):
        raise ValueError(
            Message("date {text!r} is not like 2025-03-31 or 31/03/2025", text=text)
        ) from None


def _century(year: int) -> int:
    """A year of two figures is of this century, or from 70 on of the last."""
    if year >= _TWO_FIGURES:
        return year
    return year + (_LAST_CENTURY if year >= _FIRST_OF_LAST else _THIS_CENTURY)
