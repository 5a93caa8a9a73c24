"""Events by the hundred: each is posted once, held or refused on its own, with a receipt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from honours.errors import HonoursError, InputError
from honours.formats.dates import iso_day
from honours.ledger import events, post, release
from honours.ledger import facts as stored
from honours.ledger.canonical import data_of
from honours.ledger.derive import Rulebooks
from honours.ledger.events import EventToPost
from honours.ledger.post import Outcome
from honours.ledger.schema import records, rulebooks
from honours.ledger.store import Ledger
from honours.model.message import Message

REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of an event that came in: which it was, what was done, and what differs."""

    source: str
    status: str
    record: int | None = None
    said: str = ""


def take_in(
    ledger: Ledger,
    source: str,
    event: EventToPost,
    who: str,
    *,
    hold: bool = False,
    overrule: str = "",
    dry_run: bool = False,
) -> Receipt:
    """Post or hold an event; what is wrong with it is its receipt."""
    try:
        if hold:
            outcome = release.draft(ledger, event, who, dry_run)
        else:
            outcome = post.post(ledger, event, who, overrule=overrule, dry_run=dry_run)
    except HonoursError as error:
        return Receipt(source, REFUSED, said=str(error))
    return Receipt(source, str(outcome.status), outcome.record, _said(outcome))


def _said(outcome: Outcome) -> str:
    if outcome.status == post.ALREADY:
        return ""
    refused = outcome.remarks if outcome.status == post.NOTHING else ()
    return "; ".join((*outcome.difference, *refused)) or outcome.like


# --- events without a day ---------------------------------------------------------------------


def undated(connection: Connection) -> list[Any]:
    """The events without a day that are not taken back; an older Honours posted them."""
    return events.live_events(connection, records.c.day == "")


def date_record(
    ledger: Ledger,
    record: int,
    day: str,
    who: str,
    why: str,
    dry_run: bool = False,
    folders: Iterable[str | Path] = (),
) -> Outcome:
    """Say the day of an event that was posted without one: it is taken back and posted again as
    it was, with the day."""
    with ledger.reading() as connection:
        found = next((row for row in undated(connection) if row.id == record), None)
        if found is None:
            raise InputError(Message("record {number} is no event without a day", number=record))
        event = replace(_event_of(connection, found, folders), day=iso_day("day", day))

    def work(connection: Connection) -> Outcome:
        prepared = events.prepare(connection, event, identified=True)
        return post.redo(connection, found, prepared, post.Asked(who, why))

    return post.attempt(ledger, work, post.POSTED, who, dry_run)


def _event_of(connection: Connection, row: Any, folders: Iterable[str | Path]) -> EventToPost:
    """A posted event, to be posted again as it was."""
    known = connection.execute(select(rulebooks).where(rulebooks.c.hash == row.rulebook)).one()
    book = Rulebooks(folders).with_hash(row.rulebook, data_of(known.amended))
    if book is None:
        raise InputError(
            Message(
                "record {number}: the revision of {rulebook} it was made with is not at hand",
                number=row.id,
                rulebook=known.rulebook,
            )
        )
    facts = stored.from_text(row.facts)
    return EventToPost(
        row.title, facts.lists, book, facts.given, row.day, row.club, row.source, facts.kind
    )
