"""The calendar of a club: a text of a line each, worked out for the weeks to come, and as a file
that calendars subscribe to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from hashlib import sha256

from honours.errors import InputError

WEEKS = 8
"""How far ahead what comes every week is told."""
_DAYS = (
    ("monday", "lundi"),
    ("tuesday", "mardi"),
    ("wednesday", "mercredi"),
    ("thursday", "jeudi"),
    ("friday", "vendredi"),
    ("saturday", "samedi"),
    ("sunday", "dimanche"),
)
_WEEKDAYS = {name: number for number, names in enumerate(_DAYS) for name in names}
_LINE = re.compile(
    r"(?:(?P<not>not|pas)\s+)?(?:(?P<day>\d{4}-\d\d-\d\d)|(?P<weekday>[a-z]+))"
    r"(?:\s+(?P<time>\d{1,2}[:.]\d\d))?(?:\s+(?P<title>.*))?",
    re.IGNORECASE,
)
_LONG = timedelta(hours=3, minutes=30)


@dataclass(frozen=True, slots=True, order=True)
class Coming:
    """Something that will be played; ``at`` is empty where no hour is known."""

    day: str
    at: str
    title: str


@dataclass(frozen=True, slots=True)
class _Line:
    day: date | None
    weekday: int
    at: str
    title: str
    off: bool


def _lines(text: str) -> Iterator[_Line]:
    """``Tuesday 19:30 Tuesday pairs`` comes every week, ``2026-12-05 10:00 Teams`` once, and on
    ``not 2026-12-29`` nothing is played."""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        found = _LINE.fullmatch(line.strip())
        weekday = _WEEKDAYS.get((found["weekday"] or "").lower(), -1) if found else -1
        try:
            day = date.fromisoformat(found["day"]) if found and found["day"] else None
            at = _hour(found["time"] or "") if found else ""
        except ValueError:
            found = None
        if found is None or (day is None and weekday < 0) or not (found["not"] or found["title"]):
            raise InputError(
                "calendar, line {number}: {line}; expected a day or a weekday, an hour and a title,"
                " as in “Tuesday 19:30 Tuesday pairs” or “2026-12-05 10:00 Teams”",
                number=number,
                line=line.strip()[:80],
            )
        yield _Line(day, weekday, at, (found["title"] or "").strip(), bool(found["not"]))


def _hour(text: str) -> str:
    return time.fromisoformat(text.replace(".", ":").zfill(5)).isoformat("minutes") if text else ""


def coming(text: str, today: date, weeks: int = WEEKS) -> list[Coming]:
    """Return what a calendar says of the weeks that begin today."""
    lines = list(_lines(text))
    off = {one.day for one in lines if one.off}
    days = [today + timedelta(n) for n in range(7 * weeks)]
    every = [
        Coming(day.isoformat(), one.at, one.title)
        for one in lines
        if not one.off
        for day in ([one.day] if one.day else days)
        if day >= today and day not in off and (one.day or day.weekday() == one.weekday)
    ]
    return sorted(set(every))


def icalendar(name: str, every: Iterable[Coming], host: str) -> str:
    """A calendar that others subscribe to: an event a line, hours as clocks at the club show."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Honours//calendar//EN"]
    lines.append(f"X-WR-CALNAME:{_escaped(name)}")
    for one in every:
        key = sha256(f"{one.day} {one.at} {one.title}".encode()).hexdigest()[:20]
        lines += ["BEGIN:VEVENT", f"UID:{key}@{host}", f"DTSTAMP:{_plain(one.day)}T000000Z"]
        if one.at:
            begins = datetime.fromisoformat(f"{one.day}T{one.at}")
            lines += [f"DTSTART:{begins:%Y%m%dT%H%M%S}", f"DTEND:{begins + _LONG:%Y%m%dT%H%M%S}"]
        else:
            lines.append(f"DTSTART;VALUE=DATE:{_plain(one.day)}")
        lines += [f"SUMMARY:{_escaped(one.title)}", "END:VEVENT"]
    return "".join(f"{_folded(line)}\r\n" for line in (*lines, "END:VCALENDAR"))


def _plain(day: str) -> str:
    return day.replace("-", "")


def _escaped(text: str) -> str:
    return re.sub(r"([\\;,])", r"\\\1", " ".join(text.split()))


def _folded(line: str) -> str:
    """A line of at most 75 bytes, and what is longer on lines that begin with a space."""
    parts, part = [], ""
    for letter in line:
        if len((part + letter).encode()) > 74:
            parts.append(part)
            part = ""
        part += letter
    return "\r\n ".join([*parts, part])
