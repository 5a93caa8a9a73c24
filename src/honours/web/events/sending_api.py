"""An event for a receiver, for programs: who takes it, what they would ask, and the file."""

from __future__ import annotations

from dataclasses import asdict

from starlette.responses import Response

from honours.errors import UnknownName
from honours.model.message import Message
from honours.model.rights import SCORE
from honours.reports.sending import Concern, concerns_of, keys_of, prepare, receiver, takers
from honours.web.events.access import Events, Opened, stored_event
from honours.web.events.api import How
from honours.web.events.api_models import ConcernAnswer, ReceiverAnswer, SendingAnswer, SendRequest
from honours.web.events.sending import SendingChoice
from honours.web.http.access import guarded_router, may

router = guarded_router(tags=["events"])


@router.get("/events/{event_id}/receivers")
@may(SCORE, stored_event)
def event_receivers(opened: Opened) -> list[ReceiverAnswer]:
    """Who takes an event of this game, and what may be said to each."""
    return [
        ReceiverAnswer(name=one.name, title=one.title, keys=list(keys_of(one.name)))
        for one in takers(opened.account)
    ]


@router.post("/events/{event_id}/send")
@may(SCORE, stored_event)
def check_sending(
    service: Events, opened: Opened, asked: SendRequest, choices: How
) -> SendingAnswer:
    """What a receiver would ask about the event; nothing is sent anywhere."""
    sending = _sending(asked)
    report = sending.report(service, opened, choices)
    concerns = concerns_of(report, sending.to, sending.details)
    ready = not any(concern.stops for concern in concerns)
    return SendingAnswer(
        to=sending.to,
        ready=ready,
        file=sending.file_name(opened),
        concerns=[_answer(concern) for concern in concerns],
        lost=list(prepare(report, sending.to, sending.details).written.lost) if ready else [],
    )


@router.post(
    "/events/{event_id}/send/file",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}},
)
@may(SCORE, stored_event)
def file_to_send(service: Events, opened: Opened, asked: SendRequest, choices: How) -> Response:
    """The file as the receiver takes it; a problem lists all it would be turned back for."""
    sending = _sending(asked)
    made = prepare(sending.report(service, opened, choices), sending.to, sending.details)
    headers = {"content-disposition": f'attachment; filename="{sending.file_name(opened)}"'}
    return Response(made.written.data, media_type="application/octet-stream", headers=headers)


def _sending(asked: SendRequest) -> SendingChoice:
    title, keys = receiver(asked.to).title, keys_of(asked.to)
    if unknown := [key for key in asked.details if key not in keys]:
        raise UnknownName(Message("key for {title}", title=title), unknown[0], keys)
    given = {key: str(value) for key, value in asked.given.items()}
    return SendingChoice(asked.to, asked.rulebook, asked.details, given, asked.as_usual)


def _answer(concern: Concern) -> ConcernAnswer:
    return ConcernAnswer(**asdict(concern))
