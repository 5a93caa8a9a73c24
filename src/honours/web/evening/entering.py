"""Entering something for a board: once for each key, and a conflict where somebody was first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi.responses import JSONResponse
from starlette.requests import Request

from honours.errors import InputError
from honours.evening.acts import Conflict, KeyReused, place_of
from honours.evening.store import KeptEvening
from honours.language import words
from honours.web.evening.service import evening_service
from honours.web.evening.told import EntryAnswer, line_told
from honours.web.http.problems import MEDIA_TYPE, Problem, problem_of
from honours.web.templating import language_of

IN_THE_MEANTIME: dict[int | str, dict[str, Any]] = {
    409: {
        "description": "Somebody entered it in the meantime, `line` is what holds now; or the key "
        "was used at this table for something else."
    }
}


def refused(request: Request, error: InputError, status: int = 422, **more: Any) -> JSONResponse:
    """Answer that an entry is refused and why, in the language of whoever entered it."""
    detail = words(error.message, language_of(request))
    problem = Problem(status, detail, kind=problem_of(error).kind)
    return JSONResponse({**problem.data(), **more}, status, media_type=MEDIA_TYPE)


@dataclass(frozen=True, slots=True)
class PendingAct:
    """An act to be done, by whom and under which key."""

    kind: str
    by: str
    key: str
    content: Mapping[str, Any]
    language: str = ""
    """The language whose letters the answer uses; the requester's, if empty."""


def entered(request: Request, kept: KeptEvening, doing: PendingAct) -> EntryAnswer | JSONResponse:
    """Do it; the answer says what holds for the board now."""
    language = doing.language or language_of(request)
    service = evening_service(request)
    try:
        done = service.do(kept, doing.kind, doing.by, doing.key, doing.content)
    except Conflict as conflict:
        line = line_told(kept.now(), conflict.line, language)
        return refused(request, conflict, 409, line=line.model_dump())
    except KeyReused as error:
        return refused(request, error, 409)
    there = done.evening.line(place_of(doing.content)) if "board" in doing.content else None
    now = line_told(done.evening, there, language) if there else None
    return EntryAnswer(number=done.number, again=done.again, line=now)
