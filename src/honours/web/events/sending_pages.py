"""An event for a receiver: what it would ask, and the file it takes. Nothing is sent anywhere."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from honours.errors import InputError
from honours.formats.usebio import VERSIONS
from honours.model.rights import SCORE
from honours.reports.sending import EBU_CODES, concerns_of, keys_of, prepare, takers
from honours.web.calculators import calculator
from honours.web.events.access import Choices, Events, Opened, stored_event
from honours.web.events.choices import query_of
from honours.web.events.pages import Head
from honours.web.events.sending import SendingChoice
from honours.web.events.service import OpenEvent
from honours.web.http.access import guarded_router, may
from honours.web.http.problems import problem_of
from honours.web.templating import render

router = guarded_router()
_SAID, _GIVEN = "s.", "g."
_OPTIONS = {"charge": EBU_CODES, "heat": {"yes": ""}, "version": dict.fromkeys(VERSIONS, "")}
"""What one chooses from, each with what it means where that is not plain."""


def _query(asked: SendingChoice, scoring: str) -> str:
    """The address of the file that is asked for."""
    pairs = [("to", asked.to), ("rulebook", asked.rulebook)]
    pairs += [(f"{_SAID}{key}", value) for key, value in asked.details.items()]
    pairs += [(f"{_GIVEN}{key}", value) for key, value in asked.given.items()]
    query = urlencode([(key, value) for key, value in pairs if value])
    return f"?{query}" + (f"&{scoring[1:]}" if scoring else "")


def _asked(request: Request, opened: OpenEvent) -> SendingChoice:
    query = request.query_params
    known = [one.name for one in takers(opened.account)]
    to = query.get("to", "")
    if to not in known:
        to = known[0]

    def fields(prefix: str) -> dict[str, str]:
        pairs = ((key, value.strip()) for key, value in query.multi_items())
        return {k.removeprefix(prefix): v for k, v in pairs if k.startswith(prefix) and v}

    answers = {key: value for key, value in fields(_SAID).items() if key in keys_of(to)}
    return SendingChoice(to, query.get("rulebook", ""), answers, fields(_GIVEN))


def known_details(opened: OpenEvent) -> dict[str, str]:
    """What the event itself says of what a receiver asks."""
    account, event = opened.account, opened.account.played
    day = account.day.isoformat() if account.day else ""
    if event is None:
        return {"date": day}
    facts = {name: str(event.facts.get(name, "")) for name in ("club_number", "contact")}
    charge = str(event.facts.get("p2p_charge_rate", ""))
    return {**facts, "date": day, "club": event.club, "charge": charge}


@router.get("/events/{event_id}/send")
@may(SCORE, stored_event)
def send(
    request: Request, service: Events, opened: Opened, context: Head, choices: Choices
) -> Response:
    """What a receiver would ask about the event, and a link to the file if it would take it."""
    asked = _asked(request, opened)
    context |= {
        "asked": asked,
        "problem": None,
        "concerns": (),
        "lost": (),
        "ready": False,
        "controls": [],
    }
    try:
        report = asked.report(service, opened, choices)
        context["concerns"] = concerns_of(report, asked.to, asked.details)
        context["ready"] = not any(concern.stops for concern in context["concerns"])
        if context["ready"]:
            context["lost"] = prepare(report, asked.to, asked.details).written.lost
    except InputError as error:
        context["problem"] = problem_of(error)
    if asked.rulebook:
        state = calculator.CalculatorState(dict(asked.given))
        main, more = calculator.controls(service.rulebook(asked.rulebook), state)
        context["controls"] = [
            replace(one, slider=None, name=f"{_GIVEN}{one.name}") for one in (*main, *more)
        ]
    return render(
        request,
        "event_send.html",
        **context,
        takers=takers(opened.account),
        keys=[key for key in keys_of(asked.to) if key != "title"],
        options=_OPTIONS,
        known=known_details(opened),
        books=service.offered(opened),
        base=f"/events/{opened.kept.id}",
        link=_query(asked, query_of(request)),
        file=asked.file_name(opened),
    )


@router.get("/events/{event_id}/send/file")
@may(SCORE, stored_event)
def sent_file(request: Request, service: Events, opened: Opened, choices: Choices) -> Response:
    """The file, or all that the receiver would turn it back for."""
    asked = _asked(request, opened)
    made = prepare(asked.report(service, opened, choices), asked.to, asked.details)
    headers = {"content-disposition": f'attachment; filename="{asked.file_name(opened)}"'}
    return Response(made.written.data, media_type="application/octet-stream", headers=headers)
