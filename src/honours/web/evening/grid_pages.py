"""Results from paper: a grid to type into, in the order of the travellers or of the score slips."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.engine.numbers import show
from honours.errors import InputError
from honours.evening.board_lines import BoardLine, BoardPlace, tidy_outcome
from honours.evening.evening import Evening
from honours.evening.hidden_boards import hidden_from
from honours.evening.points import LinePoints, line_points
from honours.evening.store import KeptEvening
from honours.language import shown_figure
from honours.model.message import Message
from honours.web.evening import evening_json
from honours.web.evening.access import Kept, act, may_enter_results, stored_evening
from honours.web.evening.pages import head
from honours.web.evening.service import evening_service
from honours.web.http.access import SCORE, guarded_router, may
from honours.web.http.forms import FormFields, whole
from honours.web.http.problems import Problem, problem_of
from honours.web.http.requester import own_name
from honours.web.templating import render
from honours.web.texts import language_of

router = guarded_router()
_ONE = "/evenings/{evening_id}"
ORDERS = ("board", "slip")


class ShownPoints(NamedTuple):
    """What a line has scored so far, as its reader writes figures."""

    ns: str = ""
    ew: str = ""
    match: str = ""


NO_POINTS = ShownPoints()


@dataclass(frozen=True, slots=True)
class GridRow:
    """A line to type: where, who, and what stands there."""

    place: BoardPlace
    ns: str
    ew: str
    names: tuple[str, str]
    line: BoardLine | None
    version: int
    spelled: str = ""
    points: ShownPoints = NO_POINTS
    questions: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return ".".join(map(str, self.place))


@router.get(_ONE + "/grid")
@may(SCORE, stored_evening)
def grid(request: Request, kept: Kept) -> Response:
    return _page(request, kept)


def _page(
    request: Request, kept: KeptEvening, problems: dict[str, Problem] | None = None
) -> Response:
    evening = kept.now()
    order = request.query_params.get("by", "board")
    order = order if order in ORDERS else "board"
    sheets = sheets_of(evening, order)
    at = _chosen(request, [places for _, places in sheets])
    hidden = hidden_from(evening, own_name(request))
    rows = rows_of(request, kept, evening, sheets[at][1]) if sheets else []
    return render(
        request,
        "grid.html",
        422 if problems else 200,
        **head(request, kept, evening),
        by=order,
        at=at,
        sheets=sheets,
        rows=[row for row in rows if row.place.board not in hidden],
        hidden=sorted({row.place.board for row in rows if row.place.board in hidden}),
        problems=problems or {},
    )


def _chosen(request: Request, sheets: list[list[BoardPlace]]) -> int:
    """The sheet that is asked for by its number, or by a line that is on it."""
    place = _place(f"r.{request.query_params.get('place', '')}")
    if sheets_with_it := [n for n, places in enumerate(sheets) if place in places]:
        return sheets_with_it[0]
    number = whole(request.query_params.get("at", "")) or 0
    return min(number, max(0, len(sheets) - 1))


def sheets_of(evening: Evening, order: str) -> list[tuple[Message, list[BoardPlace]]]:
    """Sheets of paper in their order: a traveller is a board at every table, a score slip is a
    table in a round."""
    sheets: dict[Any, list[BoardPlace]] = {}
    for place, _ in evening.places():
        key = place.board if order == "board" else (place.round, place.table)
        sheets.setdefault(key, []).append(place)
    if order == "board":
        return [(Message("Board {board}", board=key), sheets[key]) for key in sorted(sheets)]
    return [(_slip(evening, *key), sorted(sheets[key])) for key in sorted(sheets)]


def _slip(evening: Evening, number: int, table: int) -> Message:
    return Message("Round {round}, table {table}", round=number, table=evening.table_name(table))


def rows_of(
    request: Request, kept: KeptEvening, evening: Evening, places: list[BoardPlace]
) -> list[GridRow]:
    """The lines of a sheet with what they scored so far."""
    points = points_now(request, kept, evening)
    rows = []
    for place in places:
        seats, line = evening.seated(place), evening.line(place)
        before = evening.lines.get(place)
        data = evening_json.line_data(evening, line, language_of(request)) if line else {}
        rows.append(
            GridRow(
                place,
                "+".join(seats.ns),
                "+".join(seats.ew),
                (_names(evening, seats.ns), _names(evening, seats.ew)),
                line,
                before.version if before else 0,
                data.get("spelled", ""),
                points.get(place, NO_POINTS),
                tuple(data.get("questions", ())),
            )
        )
    return rows


def _names(evening: Evening, side: tuple[str, ...]) -> str:
    """The names of those at the table, as far as they are known."""
    return " + ".join(evening.title_of(who) for who in side if who in evening.names)


def points_now(
    request: Request, kept: KeptEvening, evening: Evening
) -> dict[BoardPlace, ShownPoints]:
    """What every line has scored so far for either side, and how its match stands."""
    report = evening_service(request).stands(kept, evening).report
    if report is None or report.scored is None:
        return {}
    language = language_of(request)
    return {
        place: _shown(points, language)
        for place, points in line_points(evening, report.scored).items()
    }


def _shown(points: LinePoints, language: str) -> ShownPoints:
    """Whole IMPs of a match as they are; others, which only a ruling makes, with decimals."""
    digits = 2 if points.match is None else None
    ns, ew = (_figure(side, digits, language) for side in (points.ns, points.ew))
    worth = (_figure(side, 2, language) for side in points.match or ())
    return ShownPoints(ns, ew, " – ".join(worth))


def _figure(points: Fraction | None, digits: int | None, language: str) -> str:
    return "" if points is None else shown_figure(show(points, digits), language)


@router.post(_ONE + "/grid")
@may_enter_results
def save_grid(request: Request, kept: Kept, form: FormFields) -> Response:
    """All lines of a sheet at once, for browsers without scripts; what is wrong is told, the rest
    is kept."""
    problems = {}
    hidden = hidden_from(kept.now(), own_name(request))
    for name, text in form.items():
        place = _place(name)
        if place is None or place.board in hidden:
            continue
        try:
            _save(request, kept, place, text)
        except InputError as error:
            problems[name.removeprefix("r.")] = problem_of(error)
    if problems:
        return _page(request, kept, problems)
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/evenings/{kept.id}/grid{query}", 303)


def _place(name: str) -> BoardPlace | None:
    parts = name.removeprefix("r.").split(".")
    if not name.startswith("r.") or len(parts) != 3 or not all(p.isdecimal() for p in parts):
        return None
    return BoardPlace(*(int(part[:6]) for part in parts))


def _save(request: Request, kept: KeptEvening, place: BoardPlace, text: str) -> None:
    line = kept.now().line(place)
    outcome = tidy_outcome(text, language_of(request)) if text.strip() else ""
    if outcome == (line.text if line else ""):
        return
    content = {**place._asdict(), "text": outcome, "lead": line.lead if line else ""}
    act(request, kept, "correct", content)
