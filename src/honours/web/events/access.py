"""Which club an event belongs to, and what the routes of an event are handed."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from honours.model.message import mark
from honours.model.rights import SCORE
from honours.web.events.choices import ScoringChoices, choices_of
from honours.web.events.service import EventService, OpenEvent, event_service
from honours.web.http.access import Thing, may
from honours.web.http.problems import NotThere


def stored_event(request: Request) -> Thing:
    """The event an address names: its club's, and unknown to everybody else."""
    service: EventService = request.app.state.events
    event_id = str(request.path_params["event_id"])
    unknown = NotThere(mark("there is no event {name}"), name=event_id[:40])
    return Thing(service.store.club_of(event_id), unknown=unknown)


# --- what a route is handed -----------------------------------------------------------------------


def _opened(request: Request, event_id: str) -> OpenEvent:
    return event_service(request).open(event_id)


Events = Annotated[EventService, Depends(event_service)]
Opened = Annotated[OpenEvent, Depends(_opened)]
"""The event an address names, with its rulings."""
Choices = Annotated[ScoringChoices, Depends(choices_of)]
"""How the address of a page asks for the event to be scored."""


# --- what a page and the API both do, declared once ----------------------------------------------

may_remove = may(SCORE, stored_event, mark("removed event {event_id}"))
may_rule = may(SCORE, stored_event, mark("ruled on event {event_id}"))
may_finish = may(SCORE, stored_event, mark("made event {event_id} final"))
may_match_members = may(SCORE, stored_event, mark("gave event {event_id} a member list"))
