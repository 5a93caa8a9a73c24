"""The member list of an event: kept with it, and taken away."""

from __future__ import annotations

from honours.model.message import mark
from honours.web.events.access import Events, may_match_members, stored_event
from honours.web.events.api_models import MembersAnswer, MembersRequest
from honours.web.events.member_lists import KeptList
from honours.web.http.access import SCORE, guarded_router, may

router = guarded_router(tags=["events"])


@router.put("/events/{event_id}/members")
@may_match_members
def give_members(service: Events, event_id: str, asked: MembersRequest) -> MembersAnswer:
    """Match the players with a member list, whose holdings and ratings its awards then use."""
    kept = KeptList(asked.name or "members.csv", asked.list, dict(asked.confirm))
    remarks = service.keep_members(event_id, kept)
    return MembersAnswer(name=kept.name, confirm=dict(kept.confirm), remarks=list(remarks))


@router.delete("/events/{event_id}/members", status_code=204)
@may(SCORE, stored_event, mark("took the member list of event {event_id} away"))
def take_members_away(service: Events, event_id: str) -> None:
    """Award the event from its own file again."""
    service.keep_members(event_id, None)
