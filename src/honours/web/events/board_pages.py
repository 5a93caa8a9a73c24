"""A board a page: its hands, what was bid and made, and what could have been; and a pair a page."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.model.message import Message, mark
from honours.model.rights import READ
from honours.model.table import Cell, Column, Kind, Table, table
from honours.reports import travellers, views
from honours.reports.standings import games_of_player, shown_grade, tournament_of
from honours.reports.travellers import DECLARERS, STRAINS, DoubleDummy, board_key, solvable, solve
from honours.scoring import ScoredEvent
from honours.scoring.contracts import write_contract
from honours.scoring.scored import ScoredBoard
from honours.web.events import standings
from honours.web.events.access import Choices, Events, Opened, stored_event
from honours.web.events.award_pages import award_query
from honours.web.events.choices import choices_of
from honours.web.events.pages import Head
from honours.web.events.service import EventService, OpenEvent
from honours.web.http.access import guarded_router, may
from honours.web.http.problems import NotThere
from honours.web.templating import render

router = guarded_router()


class Frequency(NamedTuple):
    """A contract, how often it was reached, and the scores it brought."""

    contract: str
    times: int


@router.get("/events/{event_id}/boards")
@may(READ, stored_event)
def first_board(request: Request, event_id: str, context: Head) -> Response:
    boards = context["scored"].boards
    if not boards:
        return render(request, "sheets.html", **context, tab="boards", sheets=[])
    key = board_key(context["scored"], boards[0])
    return RedirectResponse(f"/events/{event_id}/boards/{key}{context['query']}", 303)


@router.get("/events/{event_id}/boards/{key}")
@may(READ, stored_event)
def one_board(
    request: Request, key: str, service: Events, opened: Opened, context: Head, choices: Choices
) -> Response:
    scored: ScoredEvent = context["scored"]
    place, keys = _place(scored, key)
    rules = context["may_score"]
    traveller = standings.traveller_of(scored, place, opened.kept.id, context["query"], rules)
    shown = views.boards(service.report(opened, choices))[place]
    return render(
        request,
        "board.html",
        **context,
        board=shown,
        key=key,
        keys=keys,
        before=keys[place - 1] if place else "",
        after=keys[place + 1] if place + 1 < len(keys) else "",
        title=traveller.caption,
        traveller=replace(traveller, caption=""),
        frequencies=frequencies(scored.boards[place]),
        solvable=solvable() and shown.deal is not None and len(shown.deal.hands) == len(DECLARERS),
    )


def _place(scored: ScoredEvent, key: str) -> tuple[int, list[str]]:
    keys = [board_key(scored, board) for board in scored.boards]
    if key not in keys:
        raise NotThere(mark("there is no board {name}"), name=key[:40])
    return keys.index(key), keys


def frequencies(board: ScoredBoard) -> list[Frequency]:
    """How often each contract was reached, the commonest first."""
    counted = Counter(
        write_contract(line.result.contract)
        for line in board.lines
        if line.result.contract is not None
    )
    passed = sum(line.result.passed_out for line in board.lines)
    every = [Frequency(contract, times) for contract, times in counted.most_common()]
    return [*every, *([Frequency(Message("Pass"), passed)] if passed else [])]


@router.get("/events/{event_id}/boards/{key}/double-dummy")
@may(READ, stored_event)
def double_dummy(
    request: Request, key: str, service: Events, opened: Opened, choices: Choices
) -> Response:
    """What the hands are worth with all cards seen: worked out by a process of its own."""
    scored = service.scored(opened, choices)
    place, _ = _place(scored, key)
    board = scored.boards[place]
    deal = views.deal_of(scored, board)
    if not deal or not solvable():
        raise NotThere(mark("there is no board {name}"), name=key[:40])
    worth = service.worked(
        ("double dummy", board.number, deal), opened.kept.name, partial(solve, board.number, deal)
    )
    return render(request, "double_dummy.html", table=_tricks(worth), worth=worth)


def _tricks(worth: DoubleDummy) -> Table:
    columns = [Column("seat", ""), *(Column(one, one, Kind.NUMBER) for one in STRAINS)]
    rows = [
        [Cell(views.SEAT_NAMES[seat]), *(Cell(tricks) for tricks in row)]
        for seat, row in zip(DECLARERS, worth.tricks, strict=True)
    ]
    return table("double-dummy", columns, rows)


@router.get("/events/{event_id}/pairs/{entrant}")
@may(READ, stored_event)
def one_pair(
    request: Request, event_id: str, entrant: str, service: Events, opened: Opened, context: Head
) -> Response:
    """A pair's card, its places and what it was awarded."""
    if context["rankings"]:
        return _go_player(request, entrant, service, opened, context)
    scored: ScoredEvent = context["scored"]
    tally = next((one for one in scored.tallies if one.id == entrant), None)
    if tally is None:
        raise NotThere(mark("there is no pair {name}"), name=entrant[:40])
    order = travellers.in_order(scored)
    place = order.index(entrant)
    card = travellers.with_names(
        travellers.scorecard(scored, entrant).used(), travellers.names_of(scored)
    )
    return render(
        request,
        "pair.html",
        **context,
        entrant=tally.entrant.entrant,
        placed=travellers.places_of(scored, entrant),
        card=replace(card, caption="").linked(standings.address_in(event_id, context["query"])),
        award=award_query(request, service, opened).query(context["query"]),
        before=order[place - 1] if place else "",
        after=order[place + 1] if place + 1 < len(order) else "",
    )


def _go_player(
    request: Request, entrant: str, service: EventService, opened: OpenEvent, context: Head
) -> Response:
    """A go player's games, place and what it is awarded."""
    report = service.report(opened, choices_of(request))
    tournament = tournament_of(report)
    if tournament is None:
        return RedirectResponse(f"/events/{opened.kept.id}", 303)
    standing = next((s for s in report.lists[0].standings if s.entrant.id == entrant), None)
    if standing is None:
        raise NotThere(mark("there is no player {name}"), name=entrant[:40])
    address = standings.address_in(opened.kept.id, context["query"])
    grade = standing.facts.get("grade")
    return render(
        request,
        "go_player.html",
        **context,
        standing=standing,
        of=len(report.lists[0].standings),
        grade=shown_grade(grade) if isinstance(grade, Fraction) else "",
        card=games_of_player(tournament, report.lists[0], entrant).used().linked(address),
        award=award_query(request, service, opened).query(context["query"]),
    )
