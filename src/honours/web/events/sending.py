"""An event for a receiver, for pages and programs: who takes it, what they would ask, and the file.
Nothing is sent anywhere."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from honours.errors import InputError, UnknownName
from honours.formats.usebio import VERSIONS
from honours.model.message import Message
from honours.model.rights import SCORE
from honours.pipeline import Report
from honours.reports.sending import (
    EBU_CODES,
    concerns_of,
    keys_of,
    prepare,
    receiver,
    takers,
    with_details,
)
from honours.web.calculators import calculator
from honours.web.calculators.controls import Control
from honours.web.events.access import Events, How, Opened, stored_event
from honours.web.events.api_models import ConcernAnswer, ReceiverAnswer, SendingAnswer, SendRequest
from honours.web.events.choices import ScoringChoices
from honours.web.events.event_page import GIVEN, Page, fields_in, said_of
from honours.web.events.service import EventService, OpenEvent
from honours.web.http.access import may
from honours.web.http.operations import Operations
from honours.web.http.problems import problem_of

operations = Operations("events")
_ONE = "/events/{event_id}"
_SAID = "s."
_OPTIONS = {"charge": EBU_CODES, "heat": {"yes": ""}, "version": dict.fromkeys(VERSIONS, "")}
"""What one chooses from, each with what it means where that is not plain."""
_OCTETS = {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}


def report_for(
    service: EventService, opened: OpenEvent, choices: ScoringChoices, asked: SendRequest
) -> Report:
    """The event with what is said of it, awarded if a rulebook is named."""
    if asked.rulebook:
        book = service.rulebook(asked.rulebook)
        given = {key: str(value) for key, value in asked.given.items()}
        report = service.awarded(opened, choices.confirming(asked.as_usual), book, given)
    else:
        report = service.report(opened, choices)
    return replace(report, account=with_details(report.account, asked.details))


def file_for(
    service: EventService, opened: OpenEvent, choices: ScoringChoices, asked: SendRequest
) -> Response:
    """The file as the receiver takes it, or all that it would be turned back for."""
    made = prepare(report_for(service, opened, choices, asked), asked.to, asked.details)
    headers = {"content-disposition": f'attachment; filename="{file_name(opened, asked.to)}"'}
    return Response(made.written.data, media_type="application/octet-stream", headers=headers)


def file_name(opened: OpenEvent, to: str) -> str:
    """Return the name of the file for a receiver."""
    return named_after(opened, f"{to}{receiver(to).ending}")


def named_after(opened: OpenEvent, what: str) -> str:
    """A file's name with what its event is called: letters, figures and hyphens only."""
    title = opened.kept.title.lower()
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in title)
    name = "-".join(part for part in plain.split("-") if part)[:60] or "event"
    return f"{name}-{what}"


# --- for programs ---------------------------------------------------------------------------------


@operations(f"GET {_ONE}/receivers", SCORE, stored_event)
def event_receivers(opened: Opened) -> list[ReceiverAnswer]:
    """Return the receivers that take an event of this game, and what may be said to each."""
    return [
        ReceiverAnswer(name=one.name, title=one.title, keys=list(keys_of(one.name)))
        for one in takers(opened.account)
    ]


@operations(f"POST {_ONE}/send", SCORE, stored_event)
def check_sending(
    service: Events, opened: Opened, asked: SendRequest, choices: How
) -> SendingAnswer:
    """Return what a receiver would ask about the event; nothing is sent anywhere."""
    _check_keys(asked)
    report = report_for(service, opened, choices, asked)
    concerns = concerns_of(report, asked.to, asked.details)
    ready = not any(concern.stops for concern in concerns)
    return SendingAnswer(
        to=asked.to,
        ready=ready,
        file=file_name(opened, asked.to),
        concerns=[ConcernAnswer(**asdict(concern)) for concern in concerns],
        lost=list(prepare(report, asked.to, asked.details).written.lost) if ready else [],
    )


@operations(
    f"POST {_ONE}/send/file",
    SCORE,
    stored_event,
    response_class=Response,
    responses={200: _OCTETS},
)
def file_to_send(service: Events, opened: Opened, asked: SendRequest, choices: How) -> Response:
    """The file as the receiver takes it; a problem lists all it would be turned back for."""
    _check_keys(asked)
    return file_for(service, opened, choices, asked)


def _check_keys(asked: SendRequest) -> None:
    title, keys = receiver(asked.to).title, keys_of(asked.to)
    if unknown := [key for key in asked.details if key not in keys]:
        raise UnknownName(Message("key for {title}", title=title), unknown[0], keys)


# --- pages ----------------------------------------------------------------------------------------


def _query(asked: SendRequest, scoring: str) -> str:
    """The address of the file that is asked for."""
    pairs = [("to", asked.to), ("rulebook", asked.rulebook)]
    pairs += [(f"{_SAID}{key}", value) for key, value in asked.details.items()]
    pairs += [(f"{GIVEN}{key}", str(value)) for key, value in asked.given.items()]
    query = urlencode([(key, value) for key, value in pairs if value])
    return f"?{query}" + (f"&{scoring[1:]}" if scoring else "")


def _asked(request: Request, opened: OpenEvent) -> SendRequest:
    said = said_of(request, opened)
    known = [one.name for one in takers(opened.account)]
    rulebook = said.get("rulebook", "")
    own = next((name for name in known if rulebook.startswith(name)), known[0])
    to = said["to"] if said.get("to") in known else own
    answers = {k: v for k, v in fields_in(said, _SAID).items() if k in keys_of(to)}
    given: dict[str, str | int] = {**fields_in(said, GIVEN)}
    return SendRequest(to=to, rulebook=rulebook, details=answers, given=given, as_usual=False)


def known_details(opened: OpenEvent) -> dict[str, str]:
    """Return what the event itself says of what a receiver asks."""
    account, event = opened.account, opened.account.played
    day = account.day.isoformat() if account.day else ""
    if event is None:
        return {"date": day}
    facts = {name: str(event.facts.get(name, "")) for name in ("club_number", "contact")}
    charge = str(event.facts.get("p2p_charge_rate", ""))
    return {**facts, "date": day, "club": event.club, "charge": charge}


@operations.pages.get(f"{_ONE}/send")
@may(SCORE, stored_event)
def send(page: Page) -> Response:
    """Show what a receiver would ask about the event, and the file's link if it would take it."""
    opened, service = page.opened, page.service
    asked = _asked(page.request, opened)
    found: dict[str, Any] = {"problem": None, "concerns": (), "lost": (), "ready": False}
    try:
        report = report_for(service, opened, page.choices, asked)
        found["concerns"] = concerns_of(report, asked.to, asked.details)
        found["ready"] = not any(concern.stops for concern in found["concerns"])
        if found["ready"]:
            found["lost"] = prepare(report, asked.to, asked.details).written.lost
    except InputError as error:
        found["problem"] = problem_of(error)
    controls: list[Control] = []
    if asked.rulebook:
        state = calculator.CalculatorState({key: str(text) for key, text in asked.given.items()})
        main, more = calculator.controls(service.rulebook(asked.rulebook), state)
        controls = [replace(one, slider=None, name=f"{GIVEN}{one.name}") for one in (*main, *more)]
    return page.shown(
        "event_send.html",
        **found,
        asked=asked,
        controls=controls,
        takers=takers(opened.account),
        keys=[key for key in keys_of(asked.to) if key != "title"],
        options=_OPTIONS,
        known=known_details(opened),
        books=[fit.book for fit in service.offered(opened)],
        base=page.here,
        link=_query(asked, page.query),
        file=file_name(opened, asked.to),
    )


@operations.pages.get(f"{_ONE}/send/file")
@may(SCORE, stored_event)
def sent_file(page: Page) -> Response:
    """The file, or all that the receiver would turn it back for."""
    return file_for(page.service, page.opened, page.choices, _asked(page.request, page.opened))
