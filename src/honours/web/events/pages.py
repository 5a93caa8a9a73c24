"""Scoring an event: from a file to standings, travellers, scorecards and the matrix."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Annotated, Any

from fastapi import File, Form, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.demo import ANSWERS, FILES, file
from honours.errors import InputError
from honours.model.message import Message, mark, word
from honours.model.rights import READ, SCORE
from honours.model.table import Cell, Kind, Link, Table, headed, table
from honours.reports import travellers
from honours.reports.standings import rounds_of, tournament_of
from honours.reports.travellers import board_key
from honours.scoring.checks import suspicions
from honours.scoring.movement import propose_winners
from honours.scoring.why import explain
from honours.web.events.access import stored_event
from honours.web.events.choices import choosable
from honours.web.events.event_page import EventPage, Page
from honours.web.events.posting import PostingState, posting_states
from honours.web.events.service import EventService, event_service
from honours.web.events.store import StoredEvent, Upload
from honours.web.events.summaries import Summary, summaries
from honours.web.http.access import anywhere, club_for, clubs_to_choose, guarded_router, may, may_at
from honours.web.http.forms import FormFields
from honours.web.http.problems import Problem, problem_of
from honours.web.templating import cell, render

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
    return table("events", _EVENT_COLUMNS, rows).used()


_EVENT_COLUMNS = (
    headed("date", Kind.DATE),
    headed("event"),
    headed("kind", Kind.WORD),
    headed("tables", Kind.NUMBER),
    headed("winners"),
    headed("state", Kind.WORD),
    headed("club"),
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
    """Return the name of the file, where the title does not say it."""
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
    service = event_service(request)
    [kept] = service.add(Upload(FILES[0], content, club=club))
    service.store.keep(replace(kept, answers=ANSWERS))
    return RedirectResponse(f"/events/{kept.id}", 303)


@router.get("/events/typed")
@may(SCORE)
def type_in(request: Request) -> Response:
    clubs = clubs_to_choose(request, SCORE)
    return render(request, "typed.html", text=TYPED_EXAMPLE, clubs=clubs)


@router.post("/events/typed")
@may(SCORE, anywhere, Message("typed in an event"))
def typed(
    request: Request, text: Annotated[str, Form(max_length=1_000_000)], club: Club = ""
) -> Response:
    [kept] = event_service(request).add(Upload(TYPED_NAME, text.encode(), club=club))
    return RedirectResponse(f"/events/{kept.id}", 303)


@router.post("/events/{event_id}/delete")
@may(SCORE, stored_event, mark("removed event {event_id}"))
def remove(page: Page, leaving: Annotated[str, Form(max_length=1)] = "") -> Response:
    """Take an event away; of one that was posted or published it is first said what stays."""
    if (page.held or page.opened.kept.address) and not leaving:
        return page.shown("event_remove.html")
    page.service.store.remove(page.id)
    return RedirectResponse("/events", 303)


@router.post("/events/{event_id}/said")
@may(SCORE, stored_event, mark("changed the title, date or club of event {event_id}"))
def say(page: Page, form: FormFields) -> Response:
    """The title, date or club, edited where they are shown."""
    page.service.say(page.id, form)
    return page.back()


@router.post("/events/{event_id}/replace")
@may(SCORE, stored_event, mark("replaced the file of event {event_id}"))
def replace_file(page: Page, file: Annotated[UploadFile, File()]) -> Response:
    page.service.replace_file(page.id, Upload.sent(file, "upload"), page.choices)
    return page.back("/rulings")


@router.post("/events/{event_id}/version-before")
@may(SCORE, stored_event, mark("took back the new file of event {event_id}"))
def version_before(page: Page) -> Response:
    page.service.version_before(page.id)
    return page.back("/rulings")


# --- one event ----------------------------------------------------------------------------------


@router.get("/events/{event_id}")
@may(READ, stored_event)
def one_event(page: Page) -> Response:
    if page.is_ranking:
        return page.shown("ranking.html", lists=page.rankings())
    scored, event = page.scored, page.scored.event
    odd = (*(one.text for one in scored.oddities), *(one.message for one in suspicions(event)))
    asks = event.kind == "pairs" and not event.winners and not event.swiss
    return page.shown(
        "event.html",
        tables=page.rankings(),
        oddities=[_odd(page, one) for one in odd],
        proposal=propose_winners(event) if asks else None,
        unnamed=sum(not one.entrant.players for one in event.entrants),
        choosable=choosable(),
        choices=page.service.as_usual(page.opened, page.choices),
    )


def _odd(page: EventPage, odd: Message) -> Cell:
    """Return a cell of what is odd, leading to the sheet of the board it speaks of."""
    for board in page.scored.boards:
        if board.number == odd.values.get("board"):
            return cell(odd, page.address(Link("board", board_key(page.scored, board))))
    return cell(odd)


@router.get("/events/{event_id}/rounds")
@may(READ, stored_event)
def event_rounds(page: Page) -> Response:
    """A go tournament round by round."""
    tournament = tournament_of(page.report)
    if tournament is None:
        return page.back()
    rounds = [one.linked(page.address) for one in rounds_of(tournament, page.report.lists[0])]
    return page.shown("sheets.html", tab="rounds", sheets=rounds)


@router.get("/events/{event_id}/travellers")
@may(READ, stored_event)
def event_travellers(page: Page) -> Response:
    return page.shown("sheets.html", tab="travellers", sheets=page.travellers())


@router.get("/events/{event_id}/scorecards")
@may(READ, stored_event)
def event_scorecards(page: Page) -> Response:
    return _sheets(page, "scorecards", travellers.scorecards(page.scored))


@router.get("/events/{event_id}/matrix")
@may(READ, stored_event)
def event_matrix(page: Page) -> Response:
    return _sheets(page, "matrix", travellers.matrix(page.scored))


def _sheets(page: EventPage, tab: str, made: Iterable[Table]) -> Response:
    """Tables of a scored event with names at hand, whose cells lead to its pages."""
    names = travellers.names_of(page.scored)
    sheets = [travellers.with_names(one.used(), names).linked(page.address) for one in made]
    return page.shown("sheets.html", tab=tab, sheets=sheets)


@router.get("/events/{event_id}/why")
@may(READ, stored_event)
def why(page: Page, what: str) -> Response:
    """Show how a board or an entrant's total came about."""
    steps = explain(page.scored, what)
    word, _, name = what.rpartition(" ")
    own = word != "board" and any(one.id == name for one in page.scored.tallies)
    card = travellers.scorecard(page.scored, name).used() if own else None
    return page.shown("why.html", what=what, steps=steps, card=card)
