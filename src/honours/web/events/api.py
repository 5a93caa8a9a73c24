"""Events: uploaded, scored, explained and awarded."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import Depends, File, Form, Header, Query, UploadFile
from starlette.requests import Request

from honours.engine.exact.explanation import to_data
from honours.model.message import Message, mark
from honours.model.rights import READ, SCORE
from honours.pipeline.options import IN_A_REQUEST
from honours.reports import travellers
from honours.reports.awards import event_data
from honours.reports.drawing import draw_data
from honours.reports.standings import scored_data
from honours.scoring.why import explain
from honours.web.calculators.amending import amend, run_amended
from honours.web.calculators.api_models import AwardsAnswer
from honours.web.events.access import (
    Events,
    Opened,
    may_match_members,
    may_remove,
    stored_event,
)
from honours.web.events.api_models import (
    AwardsRequest,
    EventSummary,
    MembersAnswer,
    MembersRequest,
)
from honours.web.events.choices import ScoringChoices
from honours.web.events.member_lists import KeptList
from honours.web.events.posting import posting_states
from honours.web.events.query import query_signature
from honours.web.events.service import event_service
from honours.web.events.store import StoredEvent, Upload
from honours.web.http.access import anywhere, guarded_router, may
from honours.web.http.api import Limit, Offset, Page, StepAnswer, TableShown, page
from honours.web.http.problems import InTheWay

router = guarded_router(tags=["events"])


def how(**choices: Any) -> ScoringChoices:
    """How the event is scored."""
    return ScoringChoices.of(choices)


how.__signature__ = query_signature(IN_A_REQUEST)  # type: ignore[attr-defined]
How = Annotated[ScoringChoices, Depends(how)]


def summary(kept: StoredEvent) -> EventSummary:
    return EventSummary(**{**asdict(kept), "file": kept.name})


@router.get("/events")
@may(READ)
def events(request: Request, limit: Limit = 100, offset: Offset = 0) -> Page[EventSummary]:
    """Every event, the latest first."""
    summaries = [summary(kept) for kept in event_service(request).store.all()]
    return page(summaries, request.url.path, limit, offset)


@router.post("/events", status_code=201)
@may(SCORE, anywhere, Message("brought in results"))
def add_event(
    request: Request,
    file: Annotated[UploadFile, File(description="A file of any format Honours reads.")],
    club: Annotated[str, Form(max_length=100, description="Whose event it is.")] = "",
    idempotency_key: Annotated[str, Header(max_length=200)] = "",
) -> list[EventSummary]:
    """Upload a file of results or standings; the same key and file again is the same event."""
    kept = event_service(request).add(Upload.sent(file, "upload", idempotency_key, club))
    return [summary(one) for one in kept]


@router.get("/events/{event_id}")
@may(READ, stored_event)
def event(service: Events, opened: Opened, choices: How) -> dict[str, Any]:
    """The event scored: standings, every board, what is odd, the rulings made."""
    answer: dict[str, Any] = {
        "id": opened.kept.id,
        "found": [dict(part) for part in opened.contents.parts],
    }
    report = service.report(opened, choices)
    if report.scored is None:
        return answer | {"lists": len(report.lists)}
    return answer | scored_data(report.scored, opened.rulings)


@router.delete("/events/{event_id}", status_code=204)
@may_remove
def remove_event(request: Request, service: Events, opened: Opened, leaving: bool = False) -> None:
    """Take an event away, its rulings with it; one that is held or posted only if it is said that
    what the ledger has of it is left there."""
    state = posting_states(request, [opened.kept]).get(opened.kept.id)
    if state is not None and not leaving:
        raise InTheWay(
            mark("the event is in the ledger ({state}) and stays there: say leaving=true"),
            state=state.word,
        )
    service.store.remove(opened.kept.id)


@router.get("/events/{event_id}/sheets/{kind}")
@may(READ, stored_event)
def sheets(
    service: Events,
    opened: Opened,
    kind: Literal["travellers", "scorecards", "matrix"],
    choices: How,
) -> list[TableShown]:
    """Travellers, scorecards or the matrix, as rows under their header."""
    scored = service.scored(opened, choices)
    return [TableShown(**draw_data(table)) for table in getattr(travellers, kind)(scored)]


@router.get("/events/{event_id}/explanation", response_model_exclude_unset=True)
@may(READ, stored_event)
def explanation(
    service: Events,
    opened: Opened,
    choices: How,
    what: Annotated[str, Query(max_length=100, examples=["board 7"])],
) -> list[StepAnswer]:
    """How a board's scores or an entrant's total came about."""
    return [StepAnswer(**to_data(step)) for step in explain(service.scored(opened, choices), what)]


@router.post("/events/{event_id}/awards")
@may(READ, stored_event)
def awards(service: Events, opened: Opened, asked: AwardsRequest, choices: How) -> AwardsAnswer:
    """What a rulebook awards for the event."""
    book = amend(service.rulebook(asked.rulebook), asked.variant, asked.set)
    given = {key: str(value) for key, value in asked.given.items()}
    confirmed = choices.confirming(asked.as_usual)
    report = run_amended(book, lambda: service.awarded(opened, confirmed, book, given))
    event_awards = report.awards
    assert event_awards is not None
    return AwardsAnswer(**event_data(book, event_awards, asked.explain or None))


# --- its member list ----------------------------------------------------------------------------


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
