"""The club an event belongs to, and what the routes of an event are handed."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Annotated, Any

from fastapi import Depends, Query
from starlette.requests import Request

from honours.errors import UnknownName
from honours.model.message import mark
from honours.pipeline.options import IN_A_REQUEST, Option
from honours.scoring.profiles import profile_names
from honours.web.events.choices import ScoringChoices, choices_of
from honours.web.events.service import EventService, OpenEvent, event_service
from honours.web.http.access import Thing
from honours.web.http.problems import NotThere

_MOST, _LONGEST = 999_999, 200


def stored_event(request: Request) -> Thing:
    """The event an address names: its club's, and unknown to everybody else."""
    service: EventService = request.app.state.events
    event_id = str(request.path_params["event_id"])
    unknown = NotThere(mark("there is no event {name}"), name=event_id[:40])
    return Thing(service.store.club_of(event_id), unknown=unknown)


# --- what a route is handed -----------------------------------------------------------------------


def _opened(request: Request, event_id: str) -> OpenEvent:
    return event_service(request).open(event_id)


Events = Annotated[EventService, Depends(event_service)]
Opened = Annotated[OpenEvent, Depends(_opened)]
"""The event an address names, with its rulings."""
Choices = Annotated[ScoringChoices, Depends(choices_of)]
"""How the address of a page asks for the event to be scored."""


# --- the same for programs: a described parameter for each option of the pipeline -----------------


def _annotation(option: Option) -> Any:
    about: dict[str, Any] = {"description": option.help}
    if option.kind == "flag":
        return Annotated[bool, Query(**about)]
    if option.kind == "count":
        return Annotated[int, Query(ge=0, le=_MOST, **about)]
    words = profile_names() if option.name == "profile" else option.words
    if option.kind == "word" or option.name == "profile":
        nothing = [option.nothing] if option.nothing else []
        about["json_schema_extra"] = {"enum": ["", *nothing, *words]}
    return Annotated[str, Query(max_length=_LONGEST, **about)]


def _how(request: Request, **choices: Any) -> ScoringChoices:
    """The choices of a program, which is told of an option that there is not."""
    known = (*choices, *(one.alias for one in request.scope["route"].dependant.query_params))
    for name in request.query_params:
        if name not in known:
            raise UnknownName("option", name, known)
    return ScoringChoices.of(choices)


_how.__signature__ = Signature(  # type: ignore[attr-defined]
    [Parameter("request", Parameter.KEYWORD_ONLY, annotation=Request)]
    + [
        Parameter(
            option.name,
            Parameter.KEYWORD_ONLY,
            default="" if option.name == "profile" else option.default,
            annotation=_annotation(option),
        )
        for option in IN_A_REQUEST
    ]
)
How = Annotated[ScoringChoices, Depends(_how)]
"""How a program asks for the event to be scored."""
