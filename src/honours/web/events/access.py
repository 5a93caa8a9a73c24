"""Which club an event belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honours.model.message import mark
from honours.web.http.access import SCORE, Thing, may
from honours.web.http.problems import NotThere

if TYPE_CHECKING:
    from starlette.requests import Request

    from honours.web.events.service import EventService


def stored_event(request: Request) -> Thing:
    """The event an address names: its club's, and unknown to everybody else."""
    service: EventService = request.app.state.events
    event_id = str(request.path_params["event_id"])
    unknown = NotThere(mark("there is no event {name}"), name=event_id[:40])
    return Thing(service.store.club_of(event_id), unknown=unknown)


# --- what a page and the API both do, declared once ----------------------------------------------

may_remove = may(SCORE, stored_event, mark("removed event {event_id}"))
may_rule = may(SCORE, stored_event, mark("ruled on event {event_id}"))
may_finish = may(SCORE, stored_event, mark("made event {event_id} final"))
may_match_members = may(SCORE, stored_event, mark("gave event {event_id} a member list"))
