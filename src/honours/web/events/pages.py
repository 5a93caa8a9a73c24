"""Scoring an event: from a file to standings, travellers, scorecards and the matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Annotated, Any

from fastapi import Depends, File, Form, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.demo import FILES, file
from honours.errors import InputError
from honours.ledger.sources import day_of
from honours.model.message import Message, mark, word
from honours.model.rights import READ, SCORE
from honours.model.table import Cell, Column, Kind, Table
from honours.model.table import table as typed_table
from honours.pipeline.field_strength import field_strength
from honours.reports import travellers
from honours.reports.standings import rounds_of, tournament_of
from honours.reports.travellers import board_key
from honours.scoring import ScoredEvent
from honours.scoring.checks import suspicions
from honours.scoring.movement import propose_winners
from honours.scoring.status import status
from honours.scoring.why import explain
from honours.web.events import standings
from honours.web.events.access import Choices, Events, Opened, may_remove, stored_event
from honours.web.events.choices import choices_of, choosable, query_of
from honours.web.events.posting import PostingState, posting_states
from honours.web.events.service import EventService, event_service
from honours.web.events.store import StoredEvent, Upload
from honours.web.events.summaries import Summary, summaries
from honours.web.http.access import anywhere, guarded_router, may
from honours.web.http.forms import FormFields
from honours.web.http.problems import Problem, problem_of
from honours.web.http.requester import club_for, clubs_to_choose, may_at
from honours.web.tables import cell
from honours.web.templating import render

router = guarded_router()
Club = Annotated[str, Form(max_length=100)]
TYPED_NAME = "typed-in.txt"
TYPED_EXAMPLE = """\
title Tuesday pairs
pair 1 Ann Ash & Bob Birch
pair 2 Cat Cole & Dan Dow
board 1
1 2  4S N =
3 4  3NTx E -1
board 2
1 4  +420
3 2  pass
"""


# --- which event --------------------------------------------------------------------------------


@router.get("/events")
@may(READ)
def every_event(request: Request) -> Response:
    return _listed(request)


def _listed(
    request: Request,
    problems: tuple[tuple[str, Problem], ...] = (),
    already: tuple[tuple[str, StoredEvent], ...] = (),
) -> Response:
    service = event_service(request)
    return render(
        request,
        "events.html",
        422 if problems else 200,
        problems=problems,
        already=already,
        clubs=clubs_to_choose(request, SCORE),
        events=event_list(request, service, service.store.all()),
        damaged=service.store.damaged(),
        may_score=may_at(request, SCORE),
    )


def event_list(request: Request, service: EventService, events: list[StoredEvent]) -> Table:
    """Events in a table, the latest first: when, what, who won, and how far it is."""
    known = summaries(service, events)
    held = posting_states(request, events)
    dates = {kept.id: known.get(kept.id, Summary()).date for kept in events}
    ordered = sorted(events, key=lambda kept: (dates[kept.id], kept.added), reverse=True)
    rows = [_event_row(kept, known.get(kept.id, Summary()), held) for kept in ordered]
    return typed_table("events", _EVENT_COLUMNS, rows).used()


_EVENT_COLUMNS = (
    Column("date", Message("date"), Kind.DATE),
    Column("event", Message("event")),
    Column("kind", Message("kind"), Kind.WORD),
    Column("tables", Message("tables"), Kind.NUMBER),
    Column("winners", Message("winners")),
    Column("state", Message("state"), Kind.WORD),
    Column("club", Message("club")),
)


def _event_row(kept: StoredEvent, known: Summary, held: dict[str, PostingState]) -> tuple[Any, ...]:
    posted = held.get(kept.id)
    state = posted.word if posted else word(known.state) if known.state else ""
    return (
        date.fromisoformat(known.date) if known.date else None,
        cell(kept.title, f"/events/{kept.id}", note=_file_name(kept)),
        known.how,
        known.tables,
        known.winners,
        state,
        kept.club or known.club,
    )


def _file_name(kept: StoredEvent) -> str:
    """What the file is called, where the title does not say it."""
    return "" if kept.name.startswith(kept.title) else kept.name


@router.post("/events")
@may(SCORE, anywhere, Message("brought in results"))
def upload(
    request: Request,
    files: Annotated[list[UploadFile], File()],
    club: Club = "",
    again: Annotated[str, Form(max_length=5)] = "",
) -> Response:
    service, whose = event_service(request), club_for(request, SCORE, club)
    if len(files) > service.settings.files_at_once:
        raise InputError(
            "{count} files; at most {files_at_once} at once",
            count=len(files),
            files_at_once=service.settings.files_at_once,
        )
    kept: list[StoredEvent] = []
    problems, already = [], []
    here = {} if again else {one.digest: one for one in service.store.all() if one.club == whose}
    for one in files:
        sent = Upload.sent(one, "upload", club=whose)
        if sent.digest in here:
            already.append((sent.name, here[sent.digest]))
            continue
        try:
            kept += service.add(sent)
        except InputError as error:
            problems.append((sent.name, problem_of(error)))
    if problems or already:
        return _listed(request, tuple(problems), tuple(already))
    return RedirectResponse(f"/events/{kept[0].id}" if len(kept) == 1 else "/events", 303)


@router.post("/events/example")
@may(SCORE, anywhere, Message("brought in the example event"))
def example(request: Request, club: Club = "") -> Response:
    content = file(FILES[0]).read_bytes()
    [kept] = event_service(request).add(Upload(FILES[0], content, club=club))
    return RedirectResponse(f"/events/{kept.id}", 303)


@router.get("/events/typed")
@may(SCORE)
def type_in(request: Request) -> Response:
    return _typing(request, TYPED_EXAMPLE)


def _typing(
    request: Request, text: str, club: str = "", problem: Problem | None = None
) -> Response:
    return render(
        request,
        "typed.html",
        422 if problem else 200,
        text=text,
        problem=problem,
        clubs=clubs_to_choose(request, SCORE),
        club=club,
    )


@router.post("/events/typed")
@may(SCORE, anywhere, Message("typed in an event"))
def typed(
    request: Request, text: Annotated[str, Form(max_length=1_000_000)], club: Club = ""
) -> Response:
    try:
        [kept] = event_service(request).add(Upload(TYPED_NAME, text.encode(), club=club))
    except InputError as error:
        return _typing(request, text, club, problem_of(error))
    return RedirectResponse(f"/events/{kept.id}", 303)


def head(request: Request, service: Events, opened: Opened) -> dict[str, Any]:
    """What stands above every page of an event."""
    rankings = opened.account.played is None
    shown: dict[str, Any] = {"opened": opened, "query": query_of(request), "rankings": rankings}
    shown["day"] = opened.kept.said.get("date", "") or day_of(opened.account)
    shown["may_score"] = may_at(request, SCORE, opened.kept.club or None)
    shown["strength"] = field_strength(opened.account)
    shown["held"] = posting_states(request, [opened.kept]).get(opened.kept.id)
    if rankings:
        return shown | {"scored": None, "status": None}
    scored = service.scored(opened, choices_of(request))
    return shown | {"scored": scored, "status": status(scored, opened.rulings)}


Head = Annotated[dict[str, Any], Depends(head)]


@router.post("/events/{event_id}/delete")
@may_remove
def remove(
    request: Request,
    service: Events,
    opened: Opened,
    context: Head,
    leaving: Annotated[str, Form(max_length=1)] = "",
) -> Response:
    """Take an event away; of one that was posted or published it is first said what stays."""
    if (context["held"] or opened.kept.address) and not leaving:
        return render(request, "event_remove.html", **context)
    service.store.remove(opened.kept.id)
    return RedirectResponse("/events", 303)


@router.post("/events/{event_id}/said")
@may(SCORE, stored_event, mark("said what event {event_id} is called, its date or its club"))
def say(service: Events, event_id: str, form: FormFields) -> Response:
    """The title, date or club, edited where they are shown."""
    service.say(event_id, form)
    return RedirectResponse(f"/events/{event_id}", 303)


@router.post("/events/{event_id}/replace")
@may(SCORE, stored_event, mark("replaced the file of event {event_id}"))
def replace_file(
    service: Events, event_id: str, file: Annotated[UploadFile, File()], choices: Choices
) -> Response:
    service.replace_file(event_id, Upload.sent(file, "upload"), choices)
    return RedirectResponse(f"/events/{event_id}/rulings", 303)


@router.post("/events/{event_id}/version-before")
@may(SCORE, stored_event, mark("took back the new file of event {event_id}"))
def version_before(service: Events, event_id: str) -> Response:
    service.version_before(event_id)
    return RedirectResponse(f"/events/{event_id}/rulings", 303)


# --- one event ----------------------------------------------------------------------------------


@router.get("/events/{event_id}")
@may(READ, stored_event)
def one_event(
    request: Request, service: Events, opened: Opened, context: Head, choices: Choices
) -> Response:
    if context["rankings"]:
        report = service.report(opened, choices)
        lists = standings.given_rankings(report, opened.kept.id, context["query"])
        return render(request, "ranking.html", **context, lists=lists)
    scored, event = context["scored"], context["scored"].event
    base, query = f"/events/{opened.kept.id}", context["query"]
    asks = event.kind == "pairs" and not event.winners and not event.swiss
    return render(
        request,
        "event.html",
        **context,
        tables=[one.used() for one in standings.scored_rankings(scored, opened.kept.id, query)],
        oddities=[
            _odd(scored, one, base, query)
            for one in (
                *(oddity.text for oddity in scored.oddities),
                *(suspicion.message for suspicion in suspicions(event)),
            )
        ],
        proposal=propose_winners(event) if asks else None,
        unnamed=sum(not one.entrant.players for one in event.entrants),
        choosable=choosable(),
        choices=service.as_usual(opened, choices),
    )


def _odd(scored: ScoredEvent, odd: Message, base: str, query: str) -> Cell:
    """What is odd, leading to the sheet of the board it speaks of."""
    numbers = [board.number for board in scored.boards]
    board = odd.values.get("board")
    if board not in numbers:
        return cell(odd)
    key = board_key(scored, scored.boards[numbers.index(board)])
    return cell(odd, f"{base}/boards/{key}{query}")


@router.get("/events/{event_id}/rounds")
@may(READ, stored_event)
def event_rounds(
    request: Request, service: Events, opened: Opened, context: Head, choices: Choices
) -> Response:
    """A go tournament round by round."""
    report = service.report(opened, choices)
    tournament = tournament_of(report)
    if tournament is None:
        return RedirectResponse(f"/events/{opened.kept.id}", 303)
    address = standings.address_in(opened.kept.id, context["query"])
    rounds = [one.linked(address) for one in rounds_of(tournament, report.lists[0])]
    return render(request, "sheets.html", **context, tab="rounds", sheets=rounds)


@router.get("/events/{event_id}/travellers")
@may(READ, stored_event)
def event_travellers(request: Request, event_id: str, context: Head) -> Response:
    boards = standings.travellers_of(
        context["scored"], event_id, context["query"], context["may_score"]
    )
    return render(request, "sheets.html", **context, tab="travellers", sheets=boards)


@router.get("/events/{event_id}/scorecards")
@may(READ, stored_event)
def event_scorecards(request: Request, event_id: str, context: Head) -> Response:
    return _sheets(request, event_id, context, "scorecards", travellers.scorecards)


@router.get("/events/{event_id}/matrix")
@may(READ, stored_event)
def event_matrix(request: Request, event_id: str, context: Head) -> Response:
    return _sheets(request, event_id, context, "matrix", travellers.matrix)


def _sheets(
    request: Request,
    event_id: str,
    context: Head,
    tab: str,
    made: Callable[[ScoredEvent], Iterable[Table]],
) -> Response:
    """Tables of a scored event with names at hand, whose cells lead to its pages."""
    address = standings.address_in(event_id, context["query"])
    names = travellers.names_of(context["scored"])
    sheets = [
        travellers.with_names(sheet.used(), names).linked(address)
        for sheet in made(context["scored"])
    ]
    return render(request, "sheets.html", **context, tab=tab, sheets=sheets)


@router.get("/events/{event_id}/why")
@may(READ, stored_event)
def why(request: Request, context: Head, what: str) -> Response:
    """How a board or an entrant's total came about."""
    steps = explain(context["scored"], what)
    card = None
    word, _, name = what.rpartition(" ")
    if word != "board":
        ids = [t.id for t in context["scored"].tallies if t.id == name]
        card = travellers.scorecard(context["scored"], ids[0]).used() if ids else None
    return render(request, "why.html", **context, what=what, steps=steps, card=card)
