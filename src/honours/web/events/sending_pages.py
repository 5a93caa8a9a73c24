"""An event for a receiver: what it would ask, and the file it takes. Nothing is sent anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from honours.errors import InputError
from honours.reports.sending import concerns_of, keys_of, prepare, takers, with_said
from honours.web.calculators import calculator
from honours.web.events.access import stored_event
from honours.web.events.choices import choices_of, query_of
from honours.web.events.pages import head
from honours.web.events.service import event_service
from honours.web.http.access import SCORE, guarded_router, may
from honours.web.http.problems import problem_of
from honours.web.templating import render

if TYPE_CHECKING:
    from honours.pipeline import Report
    from honours.web.events.service import EventService, OpenEvent

router = guarded_router()
_SAID, _GIVEN = "s.", "g."
_ENDINGS = {"aga": ".txt", "egd": ".h9", "ffg": ".tou", "bridgewebs": ".csv", "honours": ".json"}


@dataclass(frozen=True, slots=True)
class Asked:
    """For whom, by which rulebook if by any, and what is said to either."""

    to: str
    rulebook: str = ""
    said: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)

    def query(self, scoring: str) -> str:
        pairs = [("to", self.to), ("rulebook", self.rulebook)]
        pairs += [(f"{_SAID}{key}", value) for key, value in self.said.items()]
        pairs += [(f"{_GIVEN}{key}", value) for key, value in self.given.items()]
        told = urlencode([(key, value) for key, value in pairs if value])
        return f"?{told}" + (f"&{scoring[1:]}" if scoring else "")


def _asked(request: Request, opened: OpenEvent) -> Asked:
    query = request.query_params
    known = [one.name for one in takers(opened.account)]
    to = query.get("to", "")
    if to not in known:
        to = known[0]

    def told(prefix: str) -> dict[str, str]:
        found = ((key, value.strip()) for key, value in query.multi_items())
        return {k.removeprefix(prefix): v for k, v in found if k.startswith(prefix) and v}

    said = {key: value for key, value in told(_SAID).items() if key in keys_of(to)}
    return Asked(to, query.get("rulebook", ""), said, told(_GIVEN))


def _report(request: Request, service: EventService, opened: OpenEvent, asked: Asked) -> Report:
    choices = choices_of(request)
    if asked.rulebook:
        book = service.rulebook(asked.rulebook)
        report = service.awarded(opened, choices, book, asked.given)
    else:
        report = service.report(opened, choices)
    return replace(report, account=with_said(report.account, asked.said))


@router.get("/events/{event_id}/send")
@may(SCORE, stored_event)
def send(request: Request, event_id: str) -> Response:
    """What a receiver would ask about the event, and a link to the file if it would take it."""
    service = event_service(request)
    opened = service.open(event_id)
    asked = _asked(request, opened)
    context: dict[str, Any] = head(request, service, opened) | {"asked": asked, "problem": None}
    context |= {"concerns": (), "lost": (), "ready": False, "controls": []}
    try:
        report = _report(request, service, opened, asked)
        context["concerns"] = concerns_of(report, asked.to, asked.said)
        context["ready"] = not any(concern.stops for concern in context["concerns"])
        if context["ready"]:
            context["lost"] = prepare(report, asked.to, asked.said).written.lost
    except InputError as error:
        context["problem"] = problem_of(error)
    if asked.rulebook:
        state = calculator.State(dict(asked.given))
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
        books=service.offered(opened),
        base=f"/events/{event_id}",
        link=asked.query(query_of(request)),
        file=_file(opened, asked),
    )


@router.get("/events/{event_id}/send/file")
@may(SCORE, stored_event)
def sent_file(request: Request, event_id: str) -> Response:
    """The file, or all that the receiver would turn it back for."""
    service = event_service(request)
    opened = service.open(event_id)
    asked = _asked(request, opened)
    made = prepare(_report(request, service, opened, asked), asked.to, asked.said)
    headers = {"content-disposition": f'attachment; filename="{_file(opened, asked)}"'}
    return Response(made.written.data, media_type="application/octet-stream", headers=headers)


def _file(opened: OpenEvent, asked: Asked) -> str:
    """What the file is called: letters, figures and hyphens only."""
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in opened.kept.title.lower())
    name = "-".join(part for part in plain.split("-") if part)[:60] or "event"
    return f"{name}-{asked.to}{_ENDINGS.get(asked.to, '.xml')}"
