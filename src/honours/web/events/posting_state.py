"""How far an event's awards have come: held as a draft, or posted."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.requests import Request

from honours.ledger.release import PENDING, RELEASED
from honours.model.message import Message
from honours.web.events.store import StoredEvent
from honours.web.ledger.service import LedgerService

_STATES = {PENDING: Message("held for the ledger"), RELEASED: Message("posted")}


def posting_states(request: Request, events: Iterable[StoredEvent]) -> dict[str, Message]:
    """What became of the awards of those events that were held, by the events' ids."""
    held = {kept.draft: kept.id for kept in events if kept.draft}
    ledger: LedgerService = request.app.state.ledger
    if not held or not ledger.there:
        return {}
    drafts = (one for one in ledger.drafts() if one.id in held and one.status in _STATES)
    return {held[one.id]: _STATES[one.status] for one in drafts}
