"""Awards on their way into the ledger, for people and programs: drafted, looked at line by line,
released, posted, withdrawn, taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.errors import MissingInput
from honours.ledger import members
from honours.ledger import operations as acts
from honours.ledger.answers import outcome_data, people_in, with_member_names
from honours.ledger.bulk import PageOf
from honours.ledger.canonical import digest
from honours.ledger.derive import reversed_lines
from honours.ledger.events import EventToPost, NamesUnlike, PreparedEvent, foresee, lines_posted
from honours.ledger.kinds import by_id
from honours.ledger.post import (
    ALREADY,
    DIFFERS,
    FORBIDDEN,
    NOTHING,
    POSTED,
    RECOGNISED,
    PostingOutcome,
    post,
)
from honours.ledger.release import HELD, PENDING, STATUSES, Draft, draft, event_of, release
from honours.ledger.requests import digest_of
from honours.ledger.schema import records as chained
from honours.ledger.shapes import DRAFTS, lines_table
from honours.ledger.statement import doubts
from honours.ledger.store import Ledger
from honours.model.member import Member
from honours.model.message import Message, mark
from honours.model.rights import LOOK, POST, READ
from honours.model.table import Table
from honours.pipeline.options import POSTING, option_values
from honours.web.events.access import Events, How, Opened, stored_event
from honours.web.events.choices import ScoringChoices
from honours.web.events.event_page import Page as EventShown
from honours.web.events.people import PeopleDirectory
from honours.web.events.posting import (
    PostingChoice,
    event_to_post,
    keep_posting,
    posting_states,
)
from honours.web.events.service import OpenEvent, event_service
from honours.web.http.access import may, may_at, own_key, own_name, remember_name, shared, who_of
from honours.web.http.api import Id, Key, OneOf, Page, Paging, leads_to
from honours.web.http.forms import FormFields, FormTexts, sent_as
from honours.web.http.operations import Operations
from honours.web.http.problems import Fault, InTheWay, NotThere
from honours.web.ledger.acting import add_operation
from honours.web.ledger.api_models import (
    DraftAnswer,
    DraftRequest,
    OutcomeAnswer,
    PostingAnswer,
    PostingRequest,
    RecordAnswer,
    ReleaseRequest,
)
from honours.web.ledger.service import LedgerService, ledger_service, own_drafts, require_at
from honours.web.ledger.service import draft as draft_named
from honours.web.ledger.service import record as record_named
from honours.web.templating import render

operations = Operations("ledger: posting")
api, pages = operations.api, operations.pages
_THERE_ALREADY: dict[str, Any] = {"model": OutcomeAnswer, "description": "Nothing was changed."}
_IN_THE_WAY = {DIFFERS: "correct", RECOGNISED: "another", FORBIDDEN: "overrule"}
"""The field that would post an event that is not posted as it is."""


_POSTED: dict[int | str, dict[str, Any]] = {
    200: _THERE_ALREADY,
    201: leads_to("record_id", "/record", "one_record", "reverse_record"),
}


@api.post(
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


@api.post(
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


@api.get("/events/{event_id}/posting")
@may(READ, stored_event)
def event_posting(request: Request, opened: Opened) -> PostingAnswer:
    """Return what became of an event's awards; ``differences`` are those between its record, or the
    draft that holds it, and what would be posted now."""
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


# --- drafts ---------------------------------------------------------------------------------------


@api.get("/ledger/drafts")
@may(LOOK)
def all_drafts(
    request: Request, paging: Paging, status: Annotated[str, OneOf("", *STATUSES)] = ""
) -> Page[DraftAnswer]:
    """Return what was drafted for the clubs of whoever asks, the latest last."""
    drafts = [one for one in own_drafts(request) if status in ("", one.status)]
    return paging.of([DraftAnswer(**DRAFTS.data(one)) for one in drafts], "draft")


@api.get("/ledger/drafts/{draft_id}")
@may(LOOK, draft_named)
def one_draft(request: Request, draft_id: Id) -> DraftAnswer:
    """One draft, and what became of it."""
    return DraftAnswer(**DRAFTS.data(ledger_service(request).held(draft_id)))


@pages.get("/ledger/drafts")
@may(LOOK)
def drafts(request: Request) -> Response:
    return render(request, "ledger_drafts.html", drafts=DRAFTS.table(own_drafts(request)[::-1]))


@pages.get("/ledger/drafts/{draft_id}")
@may(LOOK, draft_named)
def draft_page(request: Request, draft_id: int) -> Response:
    """Show what would be posted, line by line, and why."""
    service = ledger_service(request)
    held = service.held(draft_id)
    lines, steps = None, []
    if held.status == PENDING:
        prepared = foresee(
            service.ledger, event_of(held, service.settings.rulebooks), identified=True
        )
        if prepared is not None:
            lines, steps = _lines(service, held, prepared), _steps(prepared)
    return render(
        request,
        "ledger_draft.html",
        held=held,
        lines=lines,
        steps=steps,
        own=may_at(request, POST, str(held.content["club"])),
    )


def _lines(service: LedgerService, held: Draft, prepared: PreparedEvent) -> Table:
    with service.reading() as connection:
        known = members.get(connection, {line.member for line in prepared.lines}) | held.newcomers
    caption = Message("What would be posted")
    return replace(lines_table(prepared.payment.kind, prepared.lines, known), caption=caption)


def _steps(prepared: PreparedEvent) -> list[tuple[str, object]]:
    """The reasons of first place in every list."""
    return [
        (" ".join(awards.field.label.values()), awards.schedule[0].why)
        for awards in prepared.awards.lists
        if awards.schedule
    ]


@api.post("/ledger/drafts/{draft_id}/release", status_code=201, responses=_POSTED)
@may(POST, draft_named, mark("released draft {draft_id}"))
def release_draft(
    request: Request,
    response: Response,
    draft_id: Id,
    asked: ReleaseRequest,
    idempotency_key: Key = "",
) -> OutcomeAnswer:
    """Post exactly what was drafted."""
    ledger_service(request).held(draft_id)
    request_digest = digest(f"release {draft_id} {asked.model_dump_json()}")
    work = partial(_released, request, draft_id, asked)
    return _done(request, response, idempotency_key, request_digest, work)


@pages.post("/ledger/drafts/{draft_id}/release")
@may(POST, draft_named, mark("released draft {draft_id}"))
def release_by_form(
    request: Request,
    draft_id: int,
    form: FormFields,
    asked: Annotated[ReleaseRequest, sent_as(ReleaseRequest)],
) -> Response:
    """Post what was drafted, and show what came of it."""
    outcome = _released(request, draft_id, asked, ledger_service(request).ledger)
    return _outcome(request, outcome, request.url.path, form)


def _released(
    request: Request, draft_id: int, asked: ReleaseRequest, ledger: Ledger
) -> PostingOutcome:
    return release(
        ledger,
        draft_id,
        who_of(request, asked.by),
        ledger_service(request).settings.rulebooks,
        another=asked.another,
        overrule=asked.overrule,
    )


def _outcome(request: Request, outcome: PostingOutcome, again: str, form: FormTexts) -> Response:
    by = form["by"]
    return render(request, "drafted.html", outcome=outcome, again=again, by=by, filled=form)


add_operation(
    operations,
    acts.withdraw_draft,
    "POST /ledger/drafts/{draft_id}/withdraw",
    POST,
    draft_named,
    mark("withdrew draft {draft_id}"),
    form="/ledger/drafts/{draft_id}/withdraw",
    then="/ledger/drafts",
)


# --- from an event -------------------------------------------------------------------------------


def hold(
    request: Request,
    event: EventToPost,
    form: FormTexts,
    again: str,
    posted_as: str = "",
    keep: Callable[[], None] = lambda: None,
) -> Response:
    """Hold an event's awards; one that was posted with other results is corrected if so said. What
    is to be remembered of it is kept when that is done."""
    service = ledger_service(request)
    service.begin()
    who = who_of(request, form["by"])
    if form["correct"]:
        outcome = post(
            service.ledger,
            event,
            who,
            why=form["why"],
            correct=True,
            overrule=form["overrule"],
            posted_as=posted_as,
        )
    else:
        outcome = draft(service.ledger, event, who)
    if outcome.status in (HELD, POSTED, ALREADY):
        keep()
    response = _outcome(request, outcome, again, form)
    remember_name(response, who)
    return response


def who_is_new(
    request: Request, event: EventToPost, form: FormTexts, again: str, names: str = ""
) -> Response | None:
    """A page that asks about people who would become members or visitors, as nobody does unasked;
    ``None`` if there are none or it was answered."""
    if form["new"]:
        return None
    ledger = ledger_service(request)
    ledger.begin()
    outcome = draft(ledger.ledger, event, own_name(request) or "—", dry_run=True)
    if not outcome.newcomers:
        return None
    everybody = PeopleDirectory(request, event_service(request), event.club)
    known = everybody.among(one.name for one in outcome.newcomers)
    return render(
        request,
        "newcomers.html",
        newcomers=[(one, known.meant(one.name)) for one in outcome.newcomers],
        again=again,
        filled={key: text for key, text in form.items() if key != "new"},
        names=names,
    )


@pages.post("/events/{event_id}/draft")
@may(POST, stored_event, mark("drafted the awards of event {event_id}"))
def draft_by_form(shown: EventShown, form: FormFields) -> Response:
    """Hold what the event is awarded, to be looked at and released."""
    request, service, opened, asked = shown.request, shown.service, shown.opened, shown.asked
    given = asked.given_to(service.rulebook(asked.rulebook))
    said = {**option_values(POSTING, form), "day": form["day"]}
    chosen = PostingChoice(asked.rulebook, given, dict(shown.choices.chosen), **said)
    event = event_to_post(service, opened, chosen)
    require_at(request, POST, event.club)
    again = f"{shown.here}/draft{shown.link}"
    names = f"{shown.here}/names" if opened.account.played else ""
    keep = partial(keep_posting, service, opened, chosen, event)
    try:
        asked_first = who_is_new(request, event, form, again, names)
        return asked_first or hold(request, event, form, again, keep=keep)
    except NamesUnlike:
        if not names:
            raise
        return RedirectResponse(names, 303)  # where it is decided


# --- an event that was posted ---------------------------------------------------------------------


@pages.get("/events/{event_id}/posting")
@may(READ, stored_event)
def posting_page(shown: EventShown) -> Response:
    """Show what became of an event's awards, and in what it differs from its record now."""
    return shown.shown("event_posting.html", by=own_name(shown.request))


@pages.post("/events/{event_id}/posting")
@may(POST, stored_event, mark("corrected the record of event {event_id}"))
def correct_record(request: Request, service: Events, opened: Opened, form: FormFields) -> Response:
    """Take back what was posted of the event, and post it as it is now."""
    if not opened.kept.posted:
        raise NotThere(mark("there is no record of event {name}"), name=opened.kept.id)
    chosen = PostingChoice(**opened.kept.posted["chosen"])
    event = event_to_post(service, opened, chosen)
    require_at(request, POST, event.club)
    again = f"/events/{opened.kept.id}/posting"
    keep = partial(keep_posting, service, opened, chosen, event)
    filled = FormTexts({**form, "correct": "1"})
    return hold(request, event, filled, again, str(opened.kept.posted["key"]), keep)


# --- records ------------------------------------------------------------------------------------


def _record_answer(row: Any, doubted: Mapping[str, str]) -> RecordAnswer:
    called = {"record": row.id, "event": row.title, "date": row.day}
    doubt = str(doubted.get(row.rulebook or "", ""))
    return RecordAnswer(**{**row._mapping, **called, "doubt": doubt})


@api.get("/ledger/records")
@may(READ)
def all_records(request: Request, paging: Paging) -> Page[RecordAnswer]:
    """The chain's records in their order."""
    with ledger_service(request).reading() as connection:
        total = ledger_service(request).size(connection).records
        chosen = select(chained).where(chained.c.id > (paging.behind or 0)).order_by(chained.c.id)
        rows = PageOf(connection.execute(chosen.limit(paging.limit + 1)), paging.limit)
        doubted = doubts(connection)
    items = [_record_answer(row, doubted) for row in rows]
    return paging.page(items, rows.more and rows[-1].id, total)


@api.get("/ledger/records/{record_id}")
@may(READ, shared)
def one_record(request: Request, record_id: Id) -> RecordAnswer:
    """One record."""
    row = ledger_service(request).record(record_id)
    with ledger_service(request).reading() as connection:
        return _record_answer(row, doubts(connection))


add_operation(
    operations,
    acts.reverse_record,
    "POST /ledger/records/{record_id}/reversal",
    POST,
    record_named,
    mark("took record {record_id} back"),
    form="/ledger/records/{record_id}/reverse",
    then="/ledger",
    status_code=201,
)


@pages.get("/ledger/records/{record_id}/reverse")
@may(POST, record_named)
def reverse_form(request: Request, record_id: int) -> Response:
    """Show what taking a record back would post."""
    service = ledger_service(request)
    record = service.record(record_id)
    with service.reading() as connection:
        lines = reversed_lines(lines_posted(connection, record))
        known = members.get(connection, {line.member for line in lines})
        kinds = by_id(connection)
    preview = lines_table(kinds.__getitem__, lines, known)
    return render(request, "record_reverse.html", record=record, preview=preview)
