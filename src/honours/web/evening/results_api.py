"""The results of an evening for programs: entered, corrected, looked at, and what is missing."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from honours.errors import InputError
from honours.evening.board_lines import BoardPlace, WhoseScore, scored_outcome, tidy_lead
from honours.evening.evening import Evening
from honours.evening.hidden_boards import hidden_from
from honours.evening.live import missing, tables_now, to_look_at
from honours.evening.results import event_of
from honours.formats.honours_json import write_json
from honours.model.message import mark
from honours.model.rights import DIRECT, READ
from honours.web.evening import evening_json
from honours.web.evening.access import By, Kept, may_enter_results, stored_evening
from honours.web.evening.api_models import (
    EntryAnswer,
    GridAnswer,
    LineAnswer,
    LineRequest,
    LinesRequest,
    MissingBoards,
    SeveralAnswer,
    TablePace,
)
from honours.web.evening.entering import IN_THE_MEANTIME, PendingAct, entered, refused
from honours.web.evening.grid_pages import grid_data
from honours.web.evening.service import as_seen
from honours.web.http.access import guarded_router, may
from honours.web.http.requester import own_name
from honours.web.texts import language_of

router = guarded_router(tags=["evenings"])
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/json": {"schema": {"type": "object"}}}}
}
_ONE = "/evenings/{evening_id}"


@router.get(_ONE + "/lines")
@may(DIRECT, stored_evening)
def lines(request: Request, kept: Kept) -> list[LineAnswer]:
    """Every result so far; who plays sees none of a board they have still to play."""
    seen = as_seen(request, kept.now())
    there = sorted((line for line in seen.lines.values() if line.is_there), key=lambda x: x.place)
    language = language_of(request)
    return [LineAnswer(**evening_json.line_data(seen, line, language)) for line in there]


@router.post(_ONE + "/lines", response_model=EntryAnswer, responses=IN_THE_MEANTIME)
@may(DIRECT, stored_evening, mark("entered a result of evening {evening_id}"))
def enter_line(request: Request, kept: Kept, by: By, asked: LineRequest) -> Any:
    """Enter or correct a result, as a scorer or director; an empty text takes it out."""
    try:
        content = _typed(kept.now(), own_name(request), asked)
        return entered(request, kept, PendingAct("correct", by, asked.key, content, asked.language))
    except WhoseScore as error:
        return refused(request, error, offers=error.offers)
    except InputError as error:
        return refused(request, error)


def _typed(now: Evening, person: str, asked: LineRequest) -> dict[str, Any]:
    """What a scorer typed, as an act."""
    if asked.board in hidden_from(now, person):
        raise InputError("you have still to play board {board}", board=asked.board)
    text = ""
    if asked.text.strip():
        text = scored_outcome(asked.text, asked.board, asked.language)
    seen = {} if asked.seen is None else {"seen": asked.seen}
    place = BoardPlace(asked.round, asked.table, asked.board)._asdict()
    return {**place, "text": text, "lead": tidy_lead(asked.lead), "sure": asked.sure, **seen}


@router.post(_ONE + "/lines/several")
@may_enter_results
def enter_lines(request: Request, kept: Kept, by: By, asked: LinesRequest) -> list[SeveralAnswer]:
    """Enter several, one after the other; what is refused is said, and the others are kept."""
    answers = []
    for line in asked.lines:
        answer = enter_line(request, kept, by, line)
        problem = "" if isinstance(answer, EntryAnswer) else json.loads(answer.body)["detail"]
        answers.append(SeveralAnswer(key=line.key, entered=not problem, problem=problem))
    return answers


@router.get(_ONE + "/grid", response_model=GridAnswer, response_model_exclude_unset=True)
@may(DIRECT, stored_evening)
def grid(request: Request, kept: Kept) -> Any:
    """Every line of the grid with what it has scored so far, and the sheets they are on; nothing
    of a board you have still to play."""
    return grid_data(request, kept, kept.now())


@router.get(_ONE + "/missing")
@may(DIRECT, stored_evening)
def missing_results(request: Request, kept: Kept) -> MissingBoards:
    """What is missing of the rounds so far, and what is doubtful."""
    now = kept.now()
    seen = as_seen(request, now)
    language = language_of(request)
    return MissingBoards(
        missing=[place._asdict() for place in missing(now)],
        doubtful=[
            LineAnswer(**evening_json.line_data(seen, line, language))
            for line, _ in to_look_at(seen)
        ],
    )


@router.get(_ONE + "/tables")
@may(READ, stored_evening)
def tables(kept: Kept) -> list[TablePace]:
    """How far every table is, and which are slow."""
    now = kept.now()
    return [
        TablePace(
            table=one.table,
            name=now.table_name(one.table),
            round=one.round,
            ns=one.ns,
            ew=one.ew,
            confirmed=one.confirmed,
            waiting=one.waiting,
            missing=list(one.missing),
            slow=one.is_slow,
            called=one.called,
        )
        for one in tables_now(now)
    ]


@router.get(_ONE + "/results.json", response_class=Response, responses=_FILE)
@may(DIRECT, stored_evening)
def results_so_far(request: Request, kept: Kept) -> Response:
    """The results so far as a file; who plays gets none of a board they have still to play."""
    seen = as_seen(request, kept.now())
    return Response(write_json((event_of(seen),)), media_type="application/json")
