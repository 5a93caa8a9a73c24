"""A board a page: its hands, what was bid and made, and what could have been; and a pair a page."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from starlette.responses import Response

from honours.model.message import Message, mark
from honours.model.rights import READ
from honours.model.table import Cell, Column, Kind, Table, table
from honours.reports import travellers, views
from honours.reports.standings import games_of_player, shown_grade, tournament_of
from honours.reports.travellers import DECLARERS, STRAINS, DoubleDummy, board_key, solvable, solve
from honours.scoring import ScoredEvent
from honours.scoring.contracts import write_contract
from honours.scoring.scored import ScoredBoard
from honours.web.events.access import stored_event
from honours.web.events.event_page import EventPage, Page
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
def first_board(page: Page) -> Response:
    boards = page.scored.boards
    if not boards:
        return page.shown("sheets.html", tab="boards", sheets=[])
    return page.back(f"/boards/{board_key(page.scored, boards[0])}{page.query}")


@router.get("/events/{event_id}/boards/{key}")
@may(READ, stored_event)
def one_board(page: Page, key: str) -> Response:
    place, keys = _place(page.scored, key)
    traveller = page.travellers()[place]
    shown = views.boards(page.report)[place]
    return page.shown(
        "board.html",
        board=shown,
        key=key,
        keys=keys,
        before=keys[place - 1] if place else "",
        after=keys[place + 1] if place + 1 < len(keys) else "",
        title=traveller.caption,
        traveller=replace(traveller, caption=""),
        frequencies=frequencies(page.scored.boards[place]),
        solvable=solvable() and shown.deal is not None and len(shown.deal.hands) == len(DECLARERS),
    )


def _place(scored: ScoredEvent, key: str) -> tuple[int, list[str]]:
    keys = [board_key(scored, board) for board in scored.boards]
    if key not in keys:
        raise NotThere(mark("there is no board {name}"), name=key[:40])
    return keys.index(key), keys


def frequencies(board: ScoredBoard) -> list[Frequency]:
    """Count how often each contract was reached, the commonest first."""
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
def double_dummy(page: Page, key: str) -> Response:
    """Show what the hands are worth with all cards seen, worked out by a process of its own."""
    board = page.scored.boards[_place(page.scored, key)[0]]
    deal = views.deal_of(page.scored, board)
    if not deal or not solvable():
        raise NotThere(mark("there is no board {name}"), name=key[:40])
    work = partial(solve, board.number, deal)
    about = page.opened.kept.name
    worth = page.service.worked(("double dummy", board.number, deal), about, work)
    return render(page.request, "double_dummy.html", table=_tricks(worth), worth=worth)


def _tricks(worth: DoubleDummy) -> Table:
    columns = [Column("seat", ""), *(Column(one, one, Kind.NUMBER) for one in STRAINS)]
    rows = [
        [Cell(views.SEAT_NAMES[seat]), *(Cell(tricks) for tricks in row)]
        for seat, row in zip(DECLARERS, worth.tricks, strict=True)
    ]
    return table("double-dummy", columns, rows)


@router.get("/events/{event_id}/pairs/{entrant}")
@may(READ, stored_event)
def one_pair(page: Page, entrant: str) -> Response:
    """A pair's card, its places and what it was awarded."""
    if page.is_ranking:
        return _go_player(page, entrant)
    scored = page.scored
    tally = next((one for one in scored.tallies if one.id == entrant), None)
    if tally is None:
        raise NotThere(mark("there is no pair {name}"), name=entrant[:40])
    order = travellers.in_order(scored)
    place = order.index(entrant)
    bare = replace(travellers.scorecard(scored, entrant).used(), caption="")
    return page.shown(
        "pair.html",
        entrant=tally.entrant.entrant,
        placed=travellers.places_of(scored, entrant),
        card=travellers.with_names(bare, travellers.names_of(scored)).linked(page.address),
        award=page.link,
        before=order[place - 1] if place else "",
        after=order[place + 1] if place + 1 < len(order) else "",
    )


def _go_player(page: EventPage, entrant: str) -> Response:
    """A go player's games, place and what it is awarded."""
    tournament = tournament_of(page.report)
    if tournament is None:
        return page.back()
    ranking = page.report.lists[0]
    standing = next((s for s in ranking.standings if s.entrant.id == entrant), None)
    if standing is None:
        raise NotThere(mark("there is no player {name}"), name=entrant[:40])
    grade = standing.facts.get("grade")
    return page.shown(
        "go_player.html",
        standing=standing,
        of=len(ranking.standings),
        grade=shown_grade(grade) if isinstance(grade, Fraction) else "",
        change=page.rating_change(entrant),
        card=games_of_player(tournament, ranking, entrant).used().linked(page.address),
        award=page.link,
    )
