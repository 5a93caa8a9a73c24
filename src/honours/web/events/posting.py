"""An event and its record: how it was posted, and whether that is what would be posted now."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, select
from starlette.requests import Request

from honours.errors import HonoursError
from honours.ledger.bulk import lots
from honours.ledger.events import EventToPost, foresee
from honours.ledger.members import touched_since
from honours.ledger.post import compared, differences
from honours.ledger.release import PENDING, Draft, all_drafts, event_of, with_newcomers
from honours.ledger.schema import STANDS, end_of, postings, records
from honours.ledger.sources import day_of, to_post
from honours.model.message import Message
from honours.web.calculators.calculator import amend, run_amended
from honours.web.events.choices import ScoringChoices
from honours.web.events.service import EventService, OpenEvent, event_service
from honours.web.events.store import StoredEvent
from honours.web.ledger.service import LedgerService, ledger_service

HELD, POSTED, TAKEN_BACK = Message("held for the ledger"), Message("posted"), Message("taken back")
HELD_CHANGED = Message("changed since it was held")
CHANGED = Message("changed since posting")
NOT_COMPARED = Message("posted, not compared yet")
_SECONDS = 0.8
"""How long one look at a list may compare; what is left is compared by the next."""


@dataclass(frozen=True, slots=True)
class PostingChoice:
    """The choices of whoever holds or posts an event's awards; the event says the rest."""

    rulebook: str
    given: Mapping[str, str] = field(default_factory=dict)
    scoring: Mapping[str, Any] = field(default_factory=dict)
    variant: str = ""
    changes: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    day: str = ""
    club: str = ""
    points: str = ""
    numbers_decide: bool = False
    year_begins: str = ""


def event_to_post(service: EventService, opened: OpenEvent, chosen: PostingChoice) -> EventToPost:
    """The event as it would be posted now."""
    book = amend(service.rulebook(chosen.rulebook), chosen.variant, chosen.changes)
    choices = ScoringChoices(tuple(chosen.scoring.items()))
    report = run_amended(book, lambda: service.awarded(opened, choices, book, chosen.given))
    played, kept = opened.account.played, opened.kept
    club = kept.club or chosen.club or (played.club if played else "")
    return to_post(
        report,
        title=chosen.title,
        day=chosen.day or own_day(opened),
        club=club,
        points=chosen.points,
        numbers_decide=chosen.numbers_decide,
        year_begins=chosen.year_begins or service.year_begins(club),
    )


def own_day(opened: OpenEvent) -> str:
    """The day that the event itself has: as a person says, else as its file does."""
    return opened.kept.said.get("date", "") or day_of(opened.account)


def posted_as(chosen: PostingChoice, opened: OpenEvent, event: EventToPost) -> dict[str, Any]:
    """Return what is kept with an event that was held or posted; what it says of itself is not, so
    that a later change of it is seen."""
    said = {name: getattr(chosen, name) for name in PostingChoice.__dataclass_fields__}
    if chosen.day == own_day(opened):
        said["day"] = ""
    return {"key": event.key, "chosen": {name: value for name, value in said.items() if value}}


# --- what became of it ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PostingState:
    """The state of an event's awards, in a ``word``, and in what they differ from what they would
    be now."""

    word: Message
    draft: int = 0
    record: int = 0
    differences: tuple[str, ...] = ()

    @property
    def is_changed(self) -> bool:
        return self.word in (CHANGED, HELD_CHANGED)


class PostingStates:
    """Compares events with their records, once for each state of either."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, PostingState]] = {}
        self._read_to: tuple[int, int] | None = None
        self._lock = threading.Lock()

    def of(
        self, service: EventService, ledger: LedgerService, events: Iterable[StoredEvent]
    ) -> dict[str, PostingState]:
        """Return the state of the awards of events that were held or posted, by the events' ids."""
        posted = [(kept.posted["key"], kept) for kept in events if kept.posted]
        if not posted or not ledger.there:
            return {}
        with ledger.reading() as connection:
            with_key = records.c.event.in_({key for key, _ in posted})
            chosen = select(records.c.event, records.c.id, records.c.hash).where(STANDS, with_key)
            ordered = connection.execute(chosen.order_by(records.c.id))
            standing = {one.event: one for one in ordered}
            ever = {*connection.scalars(select(records.c.event).where(with_key))}
            held = {draft.content["key"]: draft for draft in all_drafts(connection, PENDING)}
            self._forget_touched(connection)
        began, until = time.monotonic(), 0.0
        states = {}
        for key, kept in posted:
            record, draft = standing.get(key), held.get(key)
            if record is not None or draft is not None:
                states[kept.id] = self._state(service, ledger, kept, record, draft, until)
                until = began + _SECONDS  # however busy the machine, one look compares one
            elif key in ever:
                states[kept.id] = PostingState(TAKEN_BACK)
        return states

    def _forget_touched(self, connection: Connection) -> None:
        """Forget what is known of events whose players were renamed or merged since the last look;
        of a draft, if anybody was."""
        end = end_of(connection)
        now = (int(end.changes), int(end.records))
        with self._lock:
            before, self._read_to = self._read_to, now
        if before is None or before == now:
            return
        who = touched_since(connection, *before)
        mine = {
            int(one)
            for some in lots(who)
            for one in connection.scalars(
                select(postings.c.record).where(postings.c.member.in_(some)).distinct()
            )
        }
        with self._lock:
            for event, (_, state) in list(self._known.items()):
                if state.record in mine or (who and not state.record):
                    del self._known[event]

    def _state(
        self,
        service: EventService,
        ledger: LedgerService,
        kept: StoredEvent,
        record: Any | None,
        draft: Draft | None,
        until: float,
    ) -> PostingState:
        held, stands = draft.id if draft else 0, int(record.id) if record else 0
        mark = _mark(service, kept, record.hash if record else str(held))
        with self._lock:
            known, state = self._known.get(kept.id, ("", PostingState(NOT_COMPARED)))
        if known == mark:
            return state
        if until and time.monotonic() > until:
            return PostingState(NOT_COMPARED, held, stands)
        found = _differences(service, ledger, kept, None if record else draft)
        word = (CHANGED if found else POSTED) if record else HELD_CHANGED if found else HELD
        state = PostingState(word, held, stands, found)
        with self._lock:
            self._known[kept.id] = mark, state
        return state


def _mark(service: EventService, kept: StoredEvent, record: str) -> str:
    """Changes with whatever could make the event differ from its record."""
    try:
        rulings, members = service.store.rulings_text(kept.id), service.store.member_list(kept.id)
        rules = service.rulebook(kept.posted["chosen"]["rulebook"]).hash
    except HonoursError as error:
        rulings, members, rules = str(error), "", ""
    usual = (service.club_settings(kept.club).profile, service.year_begins(kept.club))
    file = (kept.digest, kept.index, kept.title, sorted(kept.said.items()), kept.club)
    parts = (record, repr(kept.posted), *file, rulings, members, rules, usual)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _differences(
    service: EventService, ledger: LedgerService, kept: StoredEvent, draft: Draft | None
) -> tuple[str, ...]:
    """In what the event differs from what was posted, or from the draft that holds it; that it
    could not be posted now is a difference too."""
    try:
        chosen = PostingChoice(**kept.posted["chosen"])
        event = event_to_post(service, service.open(kept.id), chosen)
        if draft is None:
            return compared(ledger.ledger, event, kept.posted["key"]) or ()
        with ledger.reading() as connection:
            held = event_of(draft, service.settings.rulebooks)
            held = with_newcomers(connection, draft, held)
        was = foresee(ledger.ledger, held, identified=True)
        now = foresee(ledger.ledger, event)
        if was is None or now is None:
            return ()
        with ledger.reading() as connection:
            return differences(connection, was.facts, was.lines, now)
    except HonoursError as error:
        return (error.message,)


def posting_states(request: Request, events: Iterable[StoredEvent]) -> dict[str, PostingState]:
    """Return the state of the awards of events that were held or posted, by the events' ids."""
    states: PostingStates = request.app.state.posting
    return states.of(event_service(request), ledger_service(request), events)


def changed_events(request: Request) -> list[tuple[StoredEvent, PostingState]]:
    """The events, of those that whoever asks may see, that are no longer what was posted."""
    store = event_service(request).store
    return [(kept, state) for kept, state in _all_changed(request) if store.sees(kept)]


def stale_records(request: Request) -> frozenset[int]:
    """The records of all events here that are no longer what was posted: they are not sent."""
    return frozenset(state.record for _, state in _all_changed(request))


def _all_changed(request: Request) -> list[tuple[StoredEvent, PostingState]]:
    """The events of everybody here that are no longer what was posted, compared once a request."""
    if not hasattr(request.state, "changed"):
        service: EventService = request.app.state.events
        states: PostingStates = request.app.state.posting
        every = [kept for kept in service.store.all() if kept.posted]
        found = states.of(service, ledger_service(request), every)
        request.state.changed = [
            (kept, found[kept.id])
            for kept in every
            if kept.id in found and found[kept.id].word == CHANGED
        ]
    changed: list[tuple[StoredEvent, PostingState]] = request.state.changed
    return changed


def keep_posting(
    service: EventService, opened: OpenEvent, chosen: PostingChoice, event: EventToPost
) -> None:
    """Remember how an event was held or posted."""
    kept = service.store.get(opened.kept.id)
    service.store.keep(replace(kept, posted=posted_as(chosen, opened, event)))
