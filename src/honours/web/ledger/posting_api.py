"""From a stored event into the ledger: drafted, released, posted, taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any

from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import Response

from honours.errors import MissingInput
from honours.ledger import members
from honours.ledger.answers import outcome_data, people_in, with_member_names
from honours.ledger.canonical import digest
from honours.ledger.events import EventToPost, PreparedEvent, foresee
from honours.ledger.post import (
    ALREADY,
    DIFFERS,
    FORBIDDEN,
    NOTHING,
    RECOGNISED,
    PostingOutcome,
    post,
    resting_on_record,
    reverse,
)
from honours.ledger.release import HELD, STATUSES, draft, release, withdraw
from honours.ledger.requests import digest_of, digest_of_reversal
from honours.ledger.schema import records as chained
from honours.ledger.shapes import DRAFTS
from honours.ledger.statement import doubts
from honours.ledger.store import Ledger
from honours.model.member import Member
from honours.model.message import Message, mark
from honours.model.rights import LOOK, POST, READ
from honours.web.events.access import Opened, stored_event
from honours.web.events.api import How
from honours.web.events.choices import ScoringChoices
from honours.web.events.posting import (
    PostingChoice,
    event_to_post,
    keep_posting,
    posting_states,
)
from honours.web.events.service import OpenEvent, event_service
from honours.web.http.access import may, shared
from honours.web.http.api import Id, Key, Limit, Offset, OneOf, Page, leads_to, page
from honours.web.http.operations import Operations
from honours.web.http.problems import Fault, InTheWay
from honours.web.http.requester import own_key, who_of
from honours.web.ledger.access import draft as draft_named
from honours.web.ledger.access import own_drafts, record, require_at
from honours.web.ledger.api_models import (
    DraftAnswer,
    DraftRequest,
    OutcomeAnswer,
    PostingAnswer,
    PostingRequest,
    ReasonRequest,
    RecordAnswer,
    RecordedAnswer,
    ReleaseRequest,
)
from honours.web.ledger.service import ledger_service

operations = Operations("ledger: posting")
router = operations.api
_THERE_ALREADY: dict[str, Any] = {"model": OutcomeAnswer, "description": "Nothing was changed."}
_IN_THE_WAY = {DIFFERS: "correct", RECOGNISED: "another", FORBIDDEN: "overrule"}
"""The field that would post an event that is not posted as it is."""


_POSTED: dict[int | str, dict[str, Any]] = {
    200: _THERE_ALREADY,
    201: leads_to("record_id", "/record", "one_record", "reverse_record"),
}


@router.post(
    "/events/{event_id}/drafts",
    status_code=201,
    responses={
        200: _THERE_ALREADY,
        201: leads_to("draft_id", "/record", "one_draft", "release_draft", "withdraw_draft"),
    },
)
@may(POST, stored_event, mark("drafted the awards of event {event_id}"))
def draft_event(
    request: Request,
    response: Response,
    opened: Opened,
    asked: DraftRequest,
    choices: How,
    idempotency_key: Key = "",
) -> OutcomeAnswer:
    """Hold what an event is awarded until somebody releases it."""
    who = who_of(request, asked.by)
    event, keep = _event(request, opened, asked, choices)
    request_digest, before = digest_of(event, "draft"), _foreseen(request, event)
    outcome = _done(
        request,
        response,
        idempotency_key,
        request_digest,
        lambda led: draft(led, event, who, foreseen=before),
    )
    keep()
    return outcome


@router.post(
    "/events/{event_id}/postings",
    status_code=201,
    responses=_POSTED,
)
@may(POST, stored_event, mark("posted the awards of event {event_id}"))
def post_event(
    request: Request,
    response: Response,
    opened: Opened,
    asked: PostingRequest,
    choices: How,
    idempotency_key: Key = "",
) -> OutcomeAnswer:
    """Award an event and post it, once; asked again, it says that it is there already."""
    if asked.correct and not asked.why:
        raise MissingInput("why", Message("the reason of a correction"))
    who = who_of(request, asked.by)
    event, keep = _event(request, opened, asked, choices)
    before = str(opened.kept.posted.get("key", "")) if asked.correct else ""
    request_digest = digest_of(event, asked.why, asked.correct, asked.another)
    foreseen = _foreseen(request, event)

    def work(ledger: Ledger) -> PostingOutcome:
        return post(
            ledger,
            event,
            who,
            why=asked.why,
            correct=asked.correct,
            another=asked.another,
            overrule=asked.overrule,
            posted_as=before,
            dry_run=asked.dry_run,
            foreseen=foreseen,
        )

    outcome = _done(request, response, idempotency_key, request_digest, work)
    if asked.dry_run:
        response.status_code = 200
    elif outcome.status != NOTHING:
        keep()
    return outcome


@router.get("/events/{event_id}/posting")
@may(READ, stored_event)
def event_posting(request: Request, opened: Opened) -> PostingAnswer:
    """What became of an event's awards; ``differences`` are those between its record, or the draft
    that holds it, and what would be posted now."""
    state = posting_states(request, [opened.kept]).get(opened.kept.id)
    if state is None:
        return PostingAnswer(status="", changed=False)
    return PostingAnswer(
        status=str(state.word),
        changed=state.is_changed,
        draft=state.draft or None,
        record=state.record or None,
        differences=[str(one) for one in state.differences],
    )


def _event(
    request: Request, opened: OpenEvent, asked: DraftRequest, choices: ScoringChoices
) -> tuple[EventToPost, Callable[[], None]]:
    """The event as it would be posted: on a server with accounts for the club it belongs to; and
    how to remember that it was."""
    service = event_service(request)
    chosen = PostingChoice(
        asked.rulebook,
        {key: str(value) for key, value in asked.given.items()},
        dict(choices.confirming(asked.as_usual).chosen),
        asked.variant,
        dict(asked.set),
        title=asked.title,
        day=asked.date,
        club=asked.club,
        points=asked.points,
        numbers_decide=asked.numbers_decide,
        year_begins=asked.year_begins,
    )
    event = event_to_post(service, opened, chosen)
    require_at(request, POST, event.club)
    return event, partial(keep_posting, service, opened, chosen, event)


def _foreseen(request: Request, event: EventToPost) -> PreparedEvent | None:
    """The awards, worked out while others may write: with a key, all else is one transaction."""
    ledger_service(request).begin()
    return foresee(ledger_service(request).ledger, event)


def _done(
    request: Request,
    response: Response,
    key: str,
    request_digest: str,
    work: Callable[[Ledger], PostingOutcome],
) -> OutcomeAnswer:
    """Do it once and answer with the outcome; whatever prevents it is a problem."""
    service = ledger_service(request)
    service.begin()
    new: dict[int, Member] = {}

    def answered(ledger: Ledger) -> dict[str, Any]:
        outcome = work(ledger)
        if outcome.status in _IN_THE_WAY:
            field, status, like = _IN_THE_WAY[outcome.status], outcome.status, outcome.like
            faults = tuple(Fault(field, one) for one in outcome.difference or (like,))
            text = Message("{status}: {like}; nothing was changed", status=status, like=like)
            raise InTheWay(text, faults)
        new.update({member.id: member for member in outcome.newcomers})
        return outcome_data(outcome)

    answer = service.once(own_key(request, key), request_digest, answered)
    if answer["status"] in (ALREADY, NOTHING):
        response.status_code = 200
    with service.reading() as connection:
        known = members.get(connection, people_in(answer))
        if answer["status"] == HELD:
            new = service.held(answer["record"]).newcomers | new
    return OutcomeAnswer(**with_member_names(answer, known | new))


# --- drafts -------------------------------------------------------------------------------------


@router.get("/ledger/drafts")
@may(LOOK)
def all_drafts(
    request: Request,
    limit: Limit = 100,
    offset: Offset = 0,
    status: Annotated[str, OneOf("", *STATUSES)] = "",
) -> Page[DraftAnswer]:
    """What was drafted for the clubs of whoever asks, the latest last."""
    drafts = [one for one in own_drafts(request) if status in ("", one.status)]
    own = [DraftAnswer(**DRAFTS.data(one)) for one in drafts]
    return page(own, request.url.path, limit, offset, status=status)


@router.get("/ledger/drafts/{draft_id}")
@may(LOOK, draft_named)
def one_draft(request: Request, draft_id: Id) -> DraftAnswer:
    """One draft, and what became of it."""
    return DraftAnswer(**DRAFTS.data(ledger_service(request).held(draft_id)))


@router.post(
    "/ledger/drafts/{draft_id}/release",
    status_code=201,
    responses=_POSTED,
)
@may(POST, draft_named, mark("released draft {draft_id}"))
def release_draft(
    request: Request,
    response: Response,
    draft_id: Id,
    asked: ReleaseRequest,
    idempotency_key: Key = "",
) -> OutcomeAnswer:
    """Post exactly what was drafted."""
    service, who = ledger_service(request), who_of(request, asked.by)
    service.held(draft_id)
    request_digest = digest(f"release {draft_id} {asked.model_dump_json()}")

    def work(ledger: Ledger) -> PostingOutcome:
        return release(
            ledger,
            draft_id,
            who,
            service.settings.rulebooks,
            another=asked.another,
            overrule=asked.overrule,
        )

    return _done(request, response, idempotency_key, request_digest, work)


@operations(
    "POST /ledger/drafts/{draft_id}/withdraw",
    POST,
    draft_named,
    mark("withdrew draft {draft_id}"),
    form="/ledger/drafts/{draft_id}/withdraw",
    then="/ledger/drafts",
)
def withdraw_draft(request: Request, draft_id: Id, asked: ReasonRequest) -> DraftAnswer:
    """Give a draft up; it stays in the list with the reason."""
    service = ledger_service(request)
    service.held(draft_id)
    withdraw(service.ledger, draft_id, who_of(request, asked.by), asked.why)
    return DraftAnswer(**DRAFTS.data(service.held(draft_id)))


# --- records ------------------------------------------------------------------------------------


def _record_answer(row: Any, doubted: Mapping[str, str]) -> RecordAnswer:
    called = {"record": row.id, "event": row.title, "date": row.day}
    doubt = str(doubted.get(row.rulebook or "", ""))
    return RecordAnswer(**{**row._mapping, **called, "doubt": doubt})


@router.get("/ledger/records")
@may(READ)
def all_records(request: Request, limit: Limit = 100, offset: Offset = 0) -> Page[RecordAnswer]:
    """The chain's records in their order."""
    with ledger_service(request).reading() as connection:
        total = ledger_service(request).size(connection).records
        chosen = select(chained).order_by(chained.c.id).limit(limit).offset(offset)
        doubted = doubts(connection)
        rows = [_record_answer(row, doubted) for row in connection.execute(chosen)]
    return page(rows, request.url.path, limit, offset, total)


@router.get("/ledger/records/{record_id}")
@may(READ, shared)
def one_record(request: Request, record_id: Id) -> RecordAnswer:
    """One record."""
    row = ledger_service(request).record(record_id)
    with ledger_service(request).reading() as connection:
        return _record_answer(row, doubts(connection))


@operations(
    "POST /ledger/records/{record_id}/reversal",
    POST,
    record,
    mark("took record {record_id} back"),
    form="/ledger/records/{record_id}/reverse",
    then="/ledger",
    status_code=201,
)
def reverse_record(
    request: Request, record_id: Id, asked: ReasonRequest, idempotency_key: Key = ""
) -> RecordedAnswer:
    """Take a record's postings back by posting their opposite."""
    service, who = ledger_service(request), who_of(request, asked.by)
    key = own_key(request, idempotency_key)
    service.club_of_record(record_id)

    def work(ledger: Ledger) -> dict[str, Any]:
        return {"record": reverse(ledger, record_id, who, asked.why)}

    done = service.once(key, digest_of_reversal(record_id, asked.why), work)
    with service.reading() as connection:
        rests = resting_on_record(connection, record_id)
    return RecordedAnswer(**done, remarks=[str(note) for note in rests])
