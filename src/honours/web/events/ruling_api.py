"""Rulings: made, listed, undone, and the standings made final."""

from __future__ import annotations

from honours.model.message import mark
from honours.model.rights import READ, SCORE
from honours.reports.standings import rulings_data
from honours.web.events.access import Events, may_finish, may_rule, stored_event
from honours.web.events.api import How
from honours.web.events.api_models import FinalRequest, RulingRequest, RulingsAnswer
from honours.web.http.access import guarded_router, may

router = guarded_router(tags=["rulings"])


def _answer(service: Events, event_id: str, changes: list[str]) -> RulingsAnswer:
    made = service.open(event_id).rulings
    return RulingsAnswer(count=len(made), rulings=rulings_data(made), changes=changes)


@router.get("/events/{event_id}/rulings")
@may(READ, stored_event)
def rulings(service: Events, event_id: str) -> RulingsAnswer:
    """The rulings made on an event."""
    return _answer(service, event_id, [])


@router.post("/events/{event_id}/rulings", status_code=201)
@may_rule
def rule(service: Events, event_id: str, ruling: RulingRequest, choices: How) -> RulingsAnswer:
    """Make a ruling that can be applied; `changes` says what it changed for whom."""
    changes = service.rule(event_id, ruling.model_dump(), choices)
    return _answer(service, event_id, changes)


@router.post("/events/{event_id}/rulings/preview")
@may(SCORE, stored_event)
def preview(service: Events, event_id: str, ruling: RulingRequest, choices: How) -> list[str]:
    """What a ruling would change, without making it."""
    return service.preview(event_id, ruling.model_dump(), choices)


@router.post("/events/{event_id}/rulings/undo")
@may(SCORE, stored_event, mark("undid the last ruling on event {event_id}"))
def undo(service: Events, event_id: str) -> RulingsAnswer:
    """Take the last ruling out again."""
    service.undo(event_id)
    return _answer(service, event_id, [])


@router.post("/events/{event_id}/final")
@may_finish
def final(service: Events, event_id: str, asked: FinalRequest, choices: How) -> RulingsAnswer:
    """Make the standings final as they are; what changes later is marked as amended."""
    service.make_final(event_id, asked.model_dump(), choices)
    return _answer(service, event_id, [])
