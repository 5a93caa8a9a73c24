"""Rulings: made, listed, undone, and the standings made final."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request

from honours.reports.scores import rulings_data
from honours.web.api.events import How
from honours.web.api.models import FinalRequest, RulingRequest, Rulings
from honours.web.desk import Desk
from honours.web.pages.home import desk_of

router = APIRouter(tags=["rulings"])


def _told(desk: Desk, event_id: str, changes: list[str]) -> Rulings:
    made = desk.open(event_id).rulings
    return Rulings(count=len(made), rulings=rulings_data(made), changes=changes)


@router.get("/events/{event_id}/rulings")
def rulings(request: Request, event_id: str) -> Rulings:
    """The rulings made on an event."""
    return _told(desk_of(request), event_id, [])


@router.post("/events/{event_id}/rulings", status_code=201)
def rule(request: Request, event_id: str, ruling: RulingRequest, choices: How) -> Rulings:
    """Make a ruling that can be applied; `changes` says what it changed for whom."""
    desk = desk_of(request)
    changes = desk.rule(event_id, ruling.model_dump(), choices)
    return _told(desk, event_id, changes)


@router.post("/events/{event_id}/rulings/preview")
def preview(request: Request, event_id: str, ruling: RulingRequest, choices: How) -> list[str]:
    """What a ruling would change, without making it."""
    return desk_of(request).preview(event_id, ruling.model_dump(), choices)


@router.post("/events/{event_id}/rulings/undo")
def undo(request: Request, event_id: str) -> Rulings:
    """Take the last ruling out again."""
    desk = desk_of(request)
    desk.undo(event_id)
    return _told(desk, event_id, [])


@router.post("/events/{event_id}/final")
def final(request: Request, event_id: str, asked: FinalRequest, choices: How) -> Rulings:
    """Make the standings final as they are; what changes later is marked as amended."""
    desk = desk_of(request)
    desk.make_final(event_id, asked.model_dump(), choices)
    return _told(desk, event_id, [])
