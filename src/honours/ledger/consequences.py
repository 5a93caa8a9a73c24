"""What depends on an event that is corrected or posted late: season bonuses, and awards based on
the year so far, that have already been posted."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, select

from honours.engine.periods import LAST_DAY
from honours.formats.names import sought
from honours.ledger import facts as stored
from honours.ledger import stored_explanations
from honours.ledger.events import live_events
from honours.ledger.schema import records, rulebooks
from honours.ledger.year_so_far import THE_LEDGER, awarded_by
from honours.model.message import Message

_OVER_EVENTS = {"aggregate", "final", "consolation-final"}
_YEAR = timedelta(days=366)


def bonuses_on(connection: Connection, record: Any) -> tuple[Message, ...]:
    """Bonuses that the club posted for the year after an event, to people who played in it. They
    may change if the event is corrected or reversed, but nothing changes them automatically."""
    if not record.day or record.action != "award":
        return ()
    until = _year_after(record.day)
    later = live_events(connection, records.c.day.between(record.day, until))
    played = _people(stored.from_text(record.facts))
    return tuple(
        Message(
            "{title} of {day}, record {number}, was awarded over events of this club and may rest "
            "on this one: award the season again",
            title=row.title,
            day=row.day,
            number=row.id,
        )
        for row in later
        if row.id != record.id and sought(row.club) == sought(record.club)
        if _rests(stored.from_text(row.facts), played)
    )


def awards_after(connection: Connection, record: Any) -> tuple[Message, ...]:
    """Later events of the period whose awards were based on what their players had been awarded
    before, if people of this event are among them."""
    if not record.day or record.action != "award":
        return ()
    facts = stored.from_text(record.facts)
    until = facts.counts_until or LAST_DAY
    own = connection.scalar(select(rulebooks.c.rulebook).where(rulebooks.c.hash == record.rulebook))
    in_period = records.c.day.between(record.day, until)
    later = live_events(connection, in_period, awarded_by(str(own)))
    played = _people(facts)
    return tuple(
        Message(
            "{title} of {day}, record {number}, was awarded by what its players had been awarded "
            "before and may rest on this one: post it again to see what it would be now",
            title=row.title,
            day=row.day,
            number=row.id,
        )
        for row in later
        if (row.day, row.id) > (record.day, record.id) and _asked_the_ledger(row)
        if _rests_on(row, record.day, played)
    )


def _asked_the_ledger(row: Any) -> bool:
    """Whether an event's award was based on what the ledger had for the period before it."""
    known = stored_explanations.made_from(row.explanation) if THE_LEDGER in row.explanation else ()
    return any(one.source == THE_LEDGER for one in known)


def _rests_on(row: Any, day: str, played: set[int]) -> bool:
    """Whether an event asked what people of this day's event had been awarded in a period that the
    day is in."""
    facts = stored.from_text(row.facts)
    return asked_since(facts, row.day) <= day and bool(_people(facts) & played)


def asked_since(facts: stored.EventFacts, day: str) -> str:
    """The first day of which an event asked. Where an older Honours stored none, it is that of the
    club's year, which the last day tells; and where not even that is stored, of a year before."""
    if facts.asks_since or facts.counts_until == LAST_DAY:
        return facts.asks_since
    following = date.fromisoformat(facts.counts_until or day) + timedelta(days=1)
    return f"{following.year - 1:04}-{following:%m-%d}"


def resting_on_record(connection: Connection, number: int) -> tuple[Message, ...]:
    """Everything that may depend on a record, given by its number."""
    row = connection.execute(select(records).where(records.c.id == number)).first()
    if row is None:
        return ()
    return (*bonuses_on(connection, row), *awards_after(connection, row))


def _year_after(day: str) -> str:
    return (date.fromisoformat(day) + _YEAR).isoformat()


def _rests(facts: stored.EventFacts, played: set[int]) -> bool:
    return facts.given.get("competition") in _OVER_EVENTS and bool(_people(facts) & played)


def _people(facts: stored.EventFacts) -> set[int]:
    return {i for each in facts.lists for s in each.standings for i in stored.members_of(s)}
