"""Season bonuses that depend on an event which is corrected or reversed."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, select

from honours.formats.entrants import sought
from honours.ledger import facts as stored
from honours.ledger.events import live_events
from honours.ledger.schema import records
from honours.model.message import Message

_OVER_EVENTS = {"aggregate", "final", "consolation-final"}
_YEAR = timedelta(days=366)


def bonuses_on(connection: Connection, record: Any) -> tuple[Message, ...]:
    """Bonuses that the club posted for the year after an event, to people who played in it. They
    may change if the event is corrected or reversed, but nothing changes them automatically."""
    if record.action != "award":
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


def resting_on_record(connection: Connection, number: int) -> tuple[Message, ...]:
    """Everything that may depend on a record, given by its number."""
    row = connection.execute(select(records).where(records.c.id == number)).first()
    if row is None:
        return ()
    return bonuses_on(connection, row)


def _year_after(day: str) -> str:
    return (date.fromisoformat(day) + _YEAR).isoformat()


def _rests(facts: stored.EventFacts, played: set[int]) -> bool:
    return facts.given.get("competition") in _OVER_EVENTS and bool(_people(facts) & played)


def _people(facts: stored.EventFacts) -> set[int]:
    return {i for each in facts.lists for s in each.standings for i in stored.members_of(s)}
