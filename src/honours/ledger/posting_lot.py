"""Events posted together: a lot of them takes a few queries and a few statements.

An event is plain if it is new, resembles no other, brings nobody new and is not forbidden; the
queries to establish that are made once for the lot. An event that is not plain is posted
separately, in its turn, like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, or_, select

from honours.errors import HonoursError
from honours.ledger import events, posting_limits
from honours.ledger import facts as stored
from honours.ledger.bulk import lots
from honours.ledger.chain import append_many
from honours.ledger.events import EventToPost, PreparedEvent
from honours.ledger.post import new_record, remember_rulebooks
from honours.ledger.schema import records
from honours.ledger.store import Ledger

Foreseen = PreparedEvent | HonoursError | None
"""An event worked out, or what is wrong with it, or None if nothing can be foreseen."""


def foresee_all(ledger: Ledger, wanted: Sequence[EventToPost]) -> list[Foreseen]:
    """Every event as it would be prepared, worked out while others may write."""
    with ledger.reading() as connection:
        try:
            around = events.look_around(connection, wanted)
        except HonoursError:  # one of them is faulty: try each separately
            return [_foreseen_alone(ledger, event) for event in wanted]
        identified = [_safely(around, event) for event in wanted]
    return [_worked_out(each) for each in identified]


def _foreseen_alone(ledger: Ledger, event: EventToPost) -> Foreseen:
    try:
        return events.foresee(ledger, event)
    except HonoursError as error:
        return error


def _safely(around: events.LedgerContext, event: EventToPost) -> Any:
    try:
        return around.foresee(event)
    except HonoursError as error:
        return error


def _worked_out(identified: Any) -> Foreseen:
    if identified is None or isinstance(identified, HonoursError):
        return identified
    try:
        prepared: PreparedEvent = identified.worked_out()
        return prepared
    except HonoursError as error:
        return error


class PostingLot:
    """The plain events among some, in an open transaction."""

    def __init__(self, connection: Connection, foreseen: Sequence[PreparedEvent]) -> None:
        self._connection, self._foreseen = connection, foreseen
        self._around: events.LedgerContext | None = None
        self._there = set(_there(connection, foreseen))

    def refresh(self) -> None:
        """Look up the players again, because somebody new was added."""
        self._around = None

    def is_plain(self, prepared: PreparedEvent) -> bool:
        """Whether an event can be posted with others; from now on it counts as present."""
        marks = set(_marks(prepared))
        new = not marks & self._there
        self._there |= marks
        return (
            new
            and not all(awards.refusal for awards in prepared.awards.lists)
            and not posting_limits.asks_for_others(prepared)
            and not posting_limits.forbidden(self._connection, prepared)
            and self._around_now().still_holds(prepared)
        )

    def _around_now(self) -> events.LedgerContext:
        if self._around is None:
            wanted = [prepared.event for prepared in self._foreseen]
            self._around = events.look_around(self._connection, wanted)
        return self._around


def post_plain(connection: Connection, plain: Sequence[PreparedEvent], who: str) -> list[int]:
    """Post plain events; returns the numbers of their records."""
    remember_rulebooks(connection, [prepared.event.rulebook for prepared in plain])
    return append_many(connection, [new_record(prepared, who) for prepared in plain])


def _marks(prepared: PreparedEvent) -> Iterator[tuple[str, ...]]:
    """What an event is recognised by: its key, its results, its people on a day."""
    lists = prepared.facts.lists
    yield "event", prepared.event.key
    yield "results", stored.results_fingerprint(lists)
    yield "entrants", stored.entrants_fingerprint(lists), prepared.event.day


def _there(connection: Connection, foreseen: Sequence[PreparedEvent]) -> Iterator[tuple[str, ...]]:
    """Which of all these marks the ledger already has, reversed or not."""
    marks = [mark for prepared in foreseen for mark in _marks(prepared)]
    asked = (records.c.event, records.c.results, records.c.entrants)
    for some in lots(range(len(marks))):
        values = [marks[i][1] for i in some]
        chosen = select(*asked, records.c.day).where(
            records.c.action == "award", or_(*(column.in_(values) for column in asked))
        )
        for row in connection.execute(chosen):
            yield "event", row.event
            yield "results", row.results
            yield "entrants", row.entrants, row.day
