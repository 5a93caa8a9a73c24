"""Calculators and rulebook pages, made from what a rulebook declares."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.model import Awards
from honours.model.message import Message
from honours.model.rights import READ
from honours.model.table import Cell, Column, Kind, Table, headed, table
from honours.reports.awards import figure_cells, figure_columns, refusals_of
from honours.reports.gallery import GalleryTable, gallery
from honours.reports.rulebook import (
    beside_table,
    inputs_table,
    ladder_table,
    parameters_table,
    rulebooks_table,
    rules_table,
)
from honours.web.calculators import calculator, printed
from honours.web.calculators.calculator import Calculation, CalculatorState
from honours.web.calculators.controls import parameter_controls
from honours.web.events.service import event_service
from honours.web.http.access import guarded_router, may, shared
from honours.web.http.problems import problem_of
from honours.web.templating import cell, render

router = guarded_router()


@router.get("/calculators")
@may(READ)
def every_calculator(request: Request) -> Response:
    return render(request, "calculators.html", rulebooks=event_service(request).rulebooks())


@router.get("/calculators/{rulebook_id}")
@may(READ, shared)
def one_calculator(request: Request, rulebook_id: str) -> Response:
    book = event_service(request).rulebook(rulebook_id)
    context: dict[str, Any] = {"problem": None, "done": None}
    state = calculator.as_typed(book, request.query_params.multi_items())
    try:
        state = calculator.read_state(book, request.query_params.multi_items())
        context |= _worked_out(event_service(request).calculation(book, state))
    except InputError as error:
        context["problem"] = problem_of(error)
    main, more = calculator.controls(book, state)
    context |= {"book": book, "state": state, "main": main, "more": more}
    context |= {"amendable": parameter_controls(book, state.changes)}
    context |= {"figures": len(printed.figures(rulebook_id)), "address": _address(book, state)}
    response = render(request, "calculator.html", **context)
    if "hx-request" in request.headers:
        response.headers["HX-Push-Url"] = _address(book, state)
    return response


def _address(book: Rulebook, state: CalculatorState) -> str:
    return f"/calculators/{book.id}?{state.query()}"


def _worked_out(done: Calculation) -> dict[str, Any]:
    tables = [_schedule(done, i) for i in range(len(done.lists))]
    choices = {c.name: c for awards in done.lists for c in awards.choices}
    notices = {n.text: n for awards in done.lists for n in awards.notices}
    return {
        "done": done,
        "schedules": tables,
        "chart": calculator.chart(done),
        "choices": list(choices.values()),
        "notices": list(notices.values()),
        "refusals": refusals_of(done.lists),
    }


def _schedule(done: Calculation, index: int) -> Table:
    """Awards by place, each leading to its reasons; what is published or printed beside it."""
    awards, label = done.lists[index], " ".join(done.lists[index].field.label.values())
    source = printed.figures_beside(done.book.id, done.state)
    plain = _by_place(done.plain[index]) if done.plain else {}
    more = figure_columns(awards.schedule)
    header = [
        headed("place", Kind.PLACE),
        Column(str(awards.unit), awards.unit, Kind.NUMBER),
        *([headed("as published", Kind.NUMBER)] if done.plain else []),
        *([headed("printed", Kind.NUMBER)] if source else []),
        *more,
    ]
    rows = []
    for award in awards.schedule:
        place, tied = award.standing.place, "=" if award.standing.tied > 1 else ""
        href = _address(done.book, done.state.at(place))
        row: list[str | Cell] = [f"{place}{tied}", cell(award.shown, href, "#result")]
        row += [plain.get(place, "")] if done.plain else []
        row += (
            [source.get((awards.field.line, place), source.get(("", place), ""))] if source else []
        )
        rows.append([*row, *figure_cells(award, more)])
    return table(f"{done.book.id}-awards", header, rows, label)


def _by_place(awards: Awards) -> dict[int, str]:
    return {award.standing.place: award.shown for award in awards.schedule}


@router.get("/calculators/{rulebook_id}/printed")
@may(READ, shared)
def figures(request: Request, rulebook_id: str) -> Response:
    """Every figure the source prints, each leading to its calculation; fetched when opened."""
    event_service(request).rulebook(rulebook_id)
    return render(request, "printed.html", figures=_figures(rulebook_id), rulebook_id=rulebook_id)


def _figures(rulebook_id: str) -> Table:
    figures = printed.figures(rulebook_id)
    rows = [
        (
            cell(f.where, f"/calculators/{rulebook_id}?{f.state.query()}", lang="en"),
            cell(f.printed, lang="en"),
        )
        for f in figures
    ]
    header = (headed("where in the source"), headed("printed"))
    return table(f"{rulebook_id}-printed", header, rows)


# --- rulebooks -----------------------------------------------------------------------------------


@router.get("/rulebooks")
@may(READ)
def every_rulebook(request: Request) -> Response:
    books = event_service(request).rulebooks()
    try_it = Column("calculator", Message("try it"), Kind.WORD)
    calculators = [cell(Message("calculator"), f"/calculators/{book.id}") for book in books]
    listed = rulebooks_table(books).beside(try_it, calculators)
    return render(request, "rulebooks.html", books=listed)


_galleries: dict[tuple[str, ...], tuple[GalleryTable, ...]] = {}
"""What the rulebooks of a server pay, by what they are: it takes a second, and never changes."""


@router.get("/rulebooks/side-by-side")
@may(READ)
def side_by_side(request: Request) -> Response:
    """All rulebooks beside each other: what they award, and what the same field would be paid."""
    books = event_service(request).rulebooks()
    known = tuple(book.hash for book in books)
    if known not in _galleries:
        _galleries.clear()
        _galleries[known] = gallery(books)
    return render(request, "gallery.html", parts=_galleries[known])


@router.get("/rulebooks/{rulebook_id}")
@may(READ, shared)
def one_rulebook(request: Request, rulebook_id: str) -> Response:
    book = event_service(request).rulebook(rulebook_id)
    return render(
        request,
        "rulebook.html",
        book=book,
        asks=inputs_table(book),
        numbers=parameters_table(book),
        rules=rules_table(book),
        beside=beside_table(book).used(),
        ranks=ladder_table(book),
    )
