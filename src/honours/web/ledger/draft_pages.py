"""Awards on their way into the ledger: held, looked at line by line, released or withdrawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.ledger import members
from honours.ledger.events import EventToPost, NamesUnlike, PreparedEvent, foresee
from honours.ledger.post import ALREADY, POSTED, PostingOutcome, post
from honours.ledger.release import HELD, PENDING, Draft, draft, event_of, release
from honours.ledger.shapes import DRAFTS, lines_table
from honours.model.message import Message, mark
from honours.model.rights import LOOK, POST, READ
from honours.model.table import Table
from honours.pipeline.options import POSTING, option_values
from honours.web.events.access import Choices, Events, Opened, stored_event
from honours.web.events.award_pages import award_query
from honours.web.events.choices import query_of
from honours.web.events.pages import Head
from honours.web.events.people import people
from honours.web.events.posting import PostingChoice, event_to_post, keep_posting
from honours.web.events.service import event_service
from honours.web.http.access import guarded_router, may
from honours.web.http.forms import FormFields
from honours.web.http.problems import NotThere
from honours.web.http.requester import may_at, own_name, remember_name, who_of
from honours.web.ledger.access import draft as draft_named
from honours.web.ledger.access import own_drafts, require_at
from honours.web.ledger.service import LedgerService, ledger_service
from honours.web.templating import render

router = guarded_router()


@router.get("/ledger/drafts")
@may(LOOK)
def drafts(request: Request) -> Response:
    return render(request, "ledger_drafts.html", drafts=DRAFTS.table(own_drafts(request)[::-1]))


@router.get("/ledger/drafts/{number}")
@may(LOOK, draft_named)
def one_draft(request: Request, number: int) -> Response:
    """What would be posted, line by line, and why."""
    service = ledger_service(request)
    held = service.held(number)
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


@router.post("/ledger/drafts/{number}/release")
@may(POST, draft_named, mark("released draft {number}"))
def let_go(request: Request, number: int, form: FormFields) -> Response:
    service, who = ledger_service(request), who_of(request, form.get("by", ""))
    outcome = release(
        service.ledger,
        number,
        who,
        service.settings.rulebooks,
        another=bool(form.get("another")),
        overrule=form.get("overrule", ""),
    )
    return _outcome(request, outcome, f"/ledger/drafts/{number}/release", form)


def _outcome(
    request: Request, outcome: PostingOutcome, again: str, form: dict[str, str]
) -> Response:
    by = form.get("by", "")
    return render(request, "drafted.html", outcome=outcome, again=again, by=by, filled=form)


# --- from an event -------------------------------------------------------------------------------


def hold(
    request: Request,
    event: EventToPost,
    form: dict[str, str],
    again: str,
    posted_as: str = "",
    keep: Callable[[], None] = lambda: None,
) -> Response:
    """Hold an event's awards; one that was posted with other results is corrected if so said. What
    is to be remembered of it is kept when that is done."""
    service = ledger_service(request)
    service.begin()
    who = who_of(request, form.get("by", ""))
    if form.get("correct"):
        outcome = post(
            service.ledger,
            event,
            who,
            why=form.get("why", ""),
            correct=True,
            overrule=form.get("overrule", ""),
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
    request: Request, event: EventToPost, form: dict[str, str], again: str, names: str = ""
) -> Response | None:
    """A page that asks about people who would become members or visitors, as nobody does unasked;
    ``None`` if there are none or it was answered."""
    if form.get("new"):
        return None
    ledger = ledger_service(request)
    ledger.begin()
    outcome = draft(ledger.ledger, event, own_name(request) or "—", dry_run=True)
    if not outcome.newcomers:
        return None
    everybody = people(request, event_service(request), event.club)
    known = everybody.among(one.name for one in outcome.newcomers)
    return render(
        request,
        "newcomers.html",
        newcomers=[(one, known.meant(one.name)) for one in outcome.newcomers],
        again=again,
        filled={key: text for key, text in form.items() if key != "new"},
        names=names,
    )


@router.post("/events/{event_id}/draft")
@may(POST, stored_event, mark("drafted the awards of event {event_id}"))
def draft_event(
    request: Request, service: Events, opened: Opened, form: FormFields, choices: Choices
) -> Response:
    """Hold what the event is awarded, to be looked at and released."""
    asked = award_query(request, service, opened)
    given = asked.given_to(service.rulebook(asked.rulebook))
    said = {**option_values(POSTING, form), "day": form.get("day", "")}
    chosen = PostingChoice(asked.rulebook, given, dict(choices.chosen), **said)
    event = event_to_post(service, opened, chosen)
    require_at(request, POST, event.club)
    page = f"/events/{opened.kept.id}"
    again = f"{page}/draft{asked.query(query_of(request))}"
    names = f"{page}/names" if opened.account.played else ""
    keep = partial(keep_posting, service, opened, chosen, event)
    try:
        asked_first = who_is_new(request, event, form, again, names)
        return asked_first or hold(request, event, form, again, keep=keep)
    except NamesUnlike:
        if not names:
            raise
        return RedirectResponse(names, 303)  # where it is decided


# --- an event that was posted ---------------------------------------------------------------------


@router.get("/events/{event_id}/posting")
@may(READ, stored_event)
def posting(request: Request, context: Head) -> Response:
    """What became of an event's awards, and in what it differs from its record now."""
    return render(request, "event_posting.html", **context, by=own_name(request))


@router.post("/events/{event_id}/posting")
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
    filled = {**form, "correct": "1"}
    return hold(request, event, filled, again, str(opened.kept.posted["key"]), keep)
