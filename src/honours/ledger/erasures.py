"""An event of somebody who was erased, posted again from a file that still has the name."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select

from honours.ledger import facts as stored
from honours.ledger.canonical import data_of
from honours.ledger.events import PreparedEvent
from honours.ledger.schema import records
from honours.model import Standing


def explain(connection: Connection, record: Any, prepared: PreparedEvent) -> bool:
    """Whether the only difference is that somebody who was erased appears as a newcomer: then
    the event is already there, and nothing is proposed that would bring the name back."""
    new = {member.id for member in prepared.newcomers}
    if not new:
        return False
    gone: set[int] = set()
    for row in connection.execute(select(records.c.facts).where(records.c.action == "erasure")):
        gone.update(data_of(row.facts)["members"])
    before, after = stored.from_text(record.facts), prepared.facts
    if not gone or len(before.lists) != len(after.lists):
        return False
    return all(
        _places(one.standings, gone) == _places(other.standings, new)
        for one, other in zip(before.lists, after.lists, strict=True)
    )


def _places(standings: tuple[Standing, ...], nameless: set[int]) -> list[tuple[Any, ...]]:
    """Who came where with which score, without telling the nameless apart."""
    return sorted(
        (
            standing.place,
            standing.tied,
            str(standing.score),
            sorted(0 if member in nameless else member for member in stored.members_of(standing)),
        )
        for standing in standings
    )
