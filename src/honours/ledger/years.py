"""Closing a year: what is posted later of an event played before counts from the day after.

A closing is a record, and so is reopening, with its reason. Nothing is moved: on which day points
count follows from the order of the records.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, FromClause, and_, case, or_, select

from honours.errors import InputError
from honours.formats.reading import iso_day
from honours.ledger.chain import NewRecord, append
from honours.ledger.schema import NOT_REVERSED, records
from honours.model.message import Message

CLOSING, REOPENING = "closing", "reopening"


class ClosedYear(NamedTuple):
    """A year that was closed: by which record, its last day, and the record that reopened it."""

    record: int
    until: str
    reopened: int | None = None

    @property
    def counts_from(self) -> str:
        """The day on which what is late counts."""
        return (date.fromisoformat(self.until) + timedelta(days=1)).isoformat()


def closed_years(connection: Connection) -> list[ClosedYear]:
    """Every closing, in order; a reopened one says by which record."""
    years: list[ClosedYear] = []
    chosen = select(records.c.id, records.c.action, records.c.day)
    chosen = chosen.where(records.c.action.in_((CLOSING, REOPENING))).order_by(records.c.id)
    for row in connection.execute(chosen):
        if row.action == CLOSING:
            years.append(ClosedYear(row.id, row.day))
        else:
            last = max(n for n, year in enumerate(years) if year.reopened is None)
            years[last] = years[last]._replace(reopened=row.id)
    return years


def _standing(connection: Connection) -> ClosedYear | None:
    return next((y for y in reversed(closed_years(connection)) if y.reopened is None), None)


def close(connection: Connection, until: str, who: str, why: str = "") -> int:
    """Close everything up to a day; returns the record's number."""
    last = _standing(connection)
    if last is not None and iso_day("until", until) <= last.until:
        raise InputError(
            "{until}: everything up to {last} is closed already", until=until, last=last.until
        )
    return append(connection, NewRecord(CLOSING, who, why, day=until))


def reopen(connection: Connection, who: str, why: str) -> ClosedYear:
    """Reopen what was closed last, for a reason: what is posted from now on counts on its day."""
    last = _standing(connection)
    if last is None:
        raise InputError("no year is closed")
    if not why:
        raise InputError("reopening a year needs a reason: say why")
    number = append(
        connection,
        NewRecord(REOPENING, who, why, day=last.until),
    )
    return last._replace(reopened=number)


def counted_day(connection: Connection, of: FromClause = records) -> ColumnElement[str]:
    """The day on which a record's points count."""
    late = [
        (
            and_(
                of.c.day <= year.until,
                of.c.id > year.record,
                *(() if year.reopened is None else (of.c.id < year.reopened,)),
            ),
            year.counts_from,
        )
        for year in reversed(closed_years(connection))
    ]
    return case(*late, else_=of.c.day) if late else of.c.day


_EARNED = ("award", "adjustment")


def counted(connection: Connection, since: str, until: str) -> ColumnElement[bool]:
    """Return the condition for records that count among what was earned in a period: awards that
    were not taken back, or only after their year was closed; and what was taken back of a closed
    year, in the next."""
    day = counted_day(connection)
    within = day.between(since, until)
    if not closed_years(connection):
        return and_(records.c.action.in_(_EARNED), NOT_REVERSED, within)
    other = records.alias()
    there = counted_day(connection, other)
    undone = select(other.c.id).where(other.c.reverses == records.c.id, there == day)
    before = select(other.c.id).where(
        other.c.id == records.c.reverses, other.c.action.in_(_EARNED), there != day
    )
    return and_(
        within,
        or_(and_(records.c.action.in_(_EARNED), ~undone.exists()), before.exists()),
    )


def lateness(connection: Connection, day: str) -> Message | None:
    """Return a note if an event of a day comes late, and from when it counts."""
    last = _standing(connection)
    if last is None or day > last.until:
        return None
    return Message(
        "everything up to {until} is closed: the points of {day} count from {since}",
        until=last.until,
        day=day,
        since=last.counts_from,
    )
