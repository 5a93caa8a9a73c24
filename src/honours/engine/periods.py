"""A club's year: a guide that says "during the year" means the club's own, which begins when the
club says; where nobody has said, it is the calendar's."""

from __future__ import annotations

import re
from datetime import date, timedelta

from honours.errors import InputError

CALENDAR = "01-01"


def first_day(text: str) -> str:
    """The month and day on which a year begins, checked: ``09-01``, also of a whole date."""
    wanted = text.strip() or CALENDAR
    try:
        day = date.fromisoformat(wanted if len(wanted) > len(CALENDAR) else f"2001-{wanted}")
    except ValueError as error:
        raise InputError(
            "the year begins on {text}: expected a month and a day, e.g. 09-01", text=text
        ) from error
    return f"{day:%m-%d}"


def year_from(first: date) -> tuple[str, str]:
    """The first and the last day of the year that begins so."""
    leap = first.month == 2 and first.day == 29
    after = first.year + 1
    following = first.replace(year=after, day=28) if leap else first.replace(year=after)
    return first.isoformat(), (following - timedelta(days=1)).isoformat()


def year_around(day: str, begins: str = "") -> tuple[str, str]:
    """The first and the last day of the club's year that a day is in."""
    month_and_day = first_day(begins)
    if re.fullmatch(r"02-29", month_and_day):  # only in a whole date of a leap year
        month_and_day = "02-28"
    year = int(day[:4])
    first = date.fromisoformat(f"{year:04}-{month_and_day}")
    if first.isoformat() > day:
        first = first.replace(year=year - 1)
    return year_from(first)
