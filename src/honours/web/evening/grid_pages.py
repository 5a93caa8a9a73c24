"""Results from paper: a grid to type into, in the order of the travellers or of the score slips.

The page holds every sheet, and its script (``static/grid.js``) turns them over: typing waits for
nothing that comes over a network.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from honours.engine.numbers import show
from honours.evening.board_lines import DISPUTED, ENTERED, BoardLine, BoardPlace
from honours.evening.evening import Evening
from honours.evening.hidden_boards import hidden_from
from honours.evening.points import LinePoints, line_points
from honours.evening.store import KeptEvening
from honours.language import shown_figure, words
from honours.model.message import Message
from honours.model.rights import DIRECT
from honours.web.evening import evening_json
from honours.web.evening.access import Kept, stored_evening
from honours.web.evening.pages import head
from honours.web.evening.service import evening_service
from honours.web.http.access import guarded_router, may
from honours.web.http.requester import own_name
from honours.web.templating import render
from honours.web.texts import language_of

router = guarded_router()
_REMARKS = {
    DISPUTED: Message("not agreed"),
    ENTERED: Message("waits for the other side"),
}


@router.get("/evenings/{evening_id}/grid")
@may(DIRECT, stored_evening)
def grid(request: Request, kept: Kept) -> Response:
    evening = kept.now()
    boards = {place.board for place, _ in evening.places()}
    return render(
        request,
        "grid.html",
        **head(request, kept, evening),
        grid=grid_data(request, kept, evening),
        hidden=sorted(hidden_from(evening, own_name(request)) & boards),
    )


def grid_data(request: Request, kept: KeptEvening, evening: Evening) -> dict[str, Any]:
    """Every line there is to type, the sheets of paper they are on in either order, and who plays;
    nothing of a board that whoever asks has still to play."""
    hidden = hidden_from(evening, own_name(request))
    places = [place for place, _ in evening.places() if place.board not in hidden]
    points = _points_now(request, kept, evening)
    language = language_of(request)
    sheets: dict[str, dict[str, list[int]]] = {"board": {}, "slip": {}}
    for at, place in sorted(enumerate(places), key=lambda one: (one[1].board, one[1])):
        title = Message("Board {board}", board=place.board)
        sheets["board"].setdefault(words(title, language), []).append(at)
    for at, place in sorted(enumerate(places), key=lambda one: one[1]):
        table = evening.table_name(place.table)
        title = Message("Round {round}, table {table}", round=place.round, table=table)
        sheets["slip"].setdefault(words(title, language), []).append(at)
    return {
        "sheets": {
            order: [{"title": title, "lines": lines} for title, lines in several.items()]
            for order, several in sheets.items()
        },
        "lines": [_line(evening, place, language) | points.get(place, {}) for place in places],
        "names": {who: evening.title_of(who) for who in evening.names},
    }


def _line(evening: Evening, place: BoardPlace, language: str) -> dict[str, Any]:
    """Who plays a board at a table and what stands there; a line without a result says no more
    than its version."""
    seats, entered = evening.seated(place), evening.lines.get(place)
    called = evening.table_name(place.table)
    bare = {**place._asdict(), "table_name": called, "ns": seats.ns, "ew": seats.ew}
    if entered is None or not entered.is_there:
        return {**bare, "version": entered.version if entered else 0}
    data = evening_json.line_data(evening, entered, language)
    shown = {name: data[name] for name in ("spelled", "score", "version")}
    return {**bare, **shown, **_remarks(entered, data["questions"], language)}


def _remarks(line: BoardLine, questions: list[str], language: str) -> dict[str, str]:
    state = _REMARKS.get(line.state)
    remarks = [*questions, *([words(state, language)] if state else ())]
    doubtful = {"doubtful": "1"} if questions or line.state == DISPUTED else {}
    return {"why": "; ".join(remarks), **doubtful}


def _points_now(
    request: Request, kept: KeptEvening, evening: Evening
) -> dict[BoardPlace, dict[str, str]]:
    """What every line has scored so far for either side, and how its match stands, as their reader
    writes figures."""
    report = evening_service(request).stands(kept, evening).report
    if report is None or report.scored is None:
        return {}
    language = language_of(request)
    return {
        place: _shown(points, language)
        for place, points in line_points(evening, report.scored).items()
    }


def _shown(points: LinePoints, language: str) -> dict[str, str]:
    """Whole IMPs of a match as they are; others, which only a ruling makes, with decimals."""
    digits = 2 if points.match is None else None
    ns, ew = (_figure(side, digits, language) for side in (points.ns, points.ew))
    worth = (_figure(side, 2, language) for side in points.match or ())
    return {"ns_points": ns, "ew_points": ew, "match": " – ".join(worth)}


def _figure(points: Fraction | None, digits: int | None, language: str) -> str:
    return "" if points is None else shown_figure(show(points, digits), language)
