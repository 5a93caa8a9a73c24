"""What depends on an event: season bonuses already posted when it is corrected."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, select

from honours.formats.names import sought
from honours.ledger import facts as stored
from honours.ledger.events import live_events
from honours.ledger.schema import records
from honours.model.message import Message

_OVER_EVENTS = {"aggregate", "final", "consolation-final"}
_YEAR = timedelta(days=366)


def bonuses_on(connection: Connection, record: Any) -> tuple[Message, ...]:
    """Bonuses of the club posted for the year after an event, to people who played in it: one that
    is corrected or taken back may change them, and nothing does that by itself."""
    if not record.day or record.action != "award":
        return ()
    until = (date.fromisoformat(record.day) + _YEAR).isoformat()
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


def bonuses_on_record(connection: Connection, number: int) -> tuple[Message, ...]:
    """The same of a record by its number."""
    row = connection.execute(select(records).where(records.c.id == number)).first()
    return bonuses_on(connection, row) if row is not None else ()


def _rests(facts: stored.EventFacts, played: set[int]) -> bool:
    return facts.given.get("competition") in _OVER_EVENTS and bool(_people(facts) & played)


def _people(facts: stored.EventFacts) -> set[int]:
    return {i for each in facts.lists for s in each.standings for i in stored.members_of(s)}
