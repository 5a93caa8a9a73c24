"""Tables a secretary asks for, on a page: chosen by a form, downloaded as a file."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from honours.errors import InputError
from honours.ledger import kinds
from honours.ledger.lists.period import points_table
from honours.ledger.lists.promotions import promotions_table
from honours.ledger.lists.roll import roll_table
from honours.ledger.lists.year import statement_pdf, totals_table, year_of, year_pdf
from honours.ledger.ranks import ladder
from honours.model.message import Message
from honours.web.http.access import READ, guarded_router, may
from honours.web.http.problems import problem_of
from honours.web.ledger.access import seen_member, sees_everybody
from honours.web.ledger.list_api import asked_for
from honours.web.ledger.service import ledger_service
from honours.web.templating import render
from honours.web.texts import language_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from honours.ledger.lists.period import PointsQuery
    from honours.model.table import Table

router = guarded_router()
LISTS = {
    "points": Message("points of a period"),
    "promotions": Message("promotions of a period"),
    "totals": Message("totals of a period"),
    "roll": Message("number, name, balance, rank"),
}
_SHOWN = 200
_PERIOD = ("since", "until", "best", "places", "club", "rulebook", "kind")


@router.get("/ledger/lists")
@may(READ)
def lists(request: Request) -> Response:
    """A list, once one is chosen."""
    said = _said(request)
    found, problem = None, None
    with ledger_service(request).reading() as connection:
        schemes = list(dict.fromkeys(kind.scheme for kind in kinds.all_kinds(connection)))
        names = list(dict.fromkeys(kind.name for kind in kinds.all_kinds(connection)))
        said["rulebook"] = said["rulebook"] or next(iter(schemes), "")
        if schemes and request.query_params.get("list"):
            try:
                found = _found(connection, request, said)
            except InputError as error:
                problem = problem_of(error)
    return render(
        request,
        "ledger_lists.html",
        422 if problem else 200,
        lists=LISTS,
        said=said,
        schemes=schemes,
        kinds=names,
        found=found,
        problem=problem,
        files=_files(said),
        year=f"/ledger/year.pdf?{_query(said, 'since', 'until', 'club', 'rulebook')}",
        after=_after(found, said),
    )


def _said(request: Request) -> dict[str, str]:
    last = datetime.now().astimezone().year - 1
    said = dict.fromkeys((*_PERIOD, "after"), "")
    said |= {"list": "points", "since": f"{last}-01-01", "until": f"{last}-12-31"}
    return said | {key: text.strip() for key, text in request.query_params.items() if text.strip()}


def _found(connection: Connection, request: Request, said: Mapping[str, str]) -> Table:
    steps = ladder(said["rulebook"], ledger_service(request).settings.rulebooks)
    public = not sees_everybody(request)
    if said["list"] == "roll":
        after = _number(said, "after") or None
        return roll_table(connection, said["rulebook"], steps, _SHOWN, after, public)
    asked = _asked(connection, said)
    period = (asked.since, asked.until)
    if said["list"] == "promotions":
        return promotions_table(connection, asked.scheme, steps, *period, public)
    if said["list"] == "totals":
        return totals_table(connection, asked)
    return points_table(connection, asked, public)


def _asked(connection: Connection, said: Mapping[str, str]) -> PointsQuery:
    more = (_number(said, "best"), _number(said, "places"))
    chosen = (said["kind"],) if said.get("kind") else ()
    period = (said.get("rulebook", ""), said["since"], said["until"])
    return asked_for(connection, *period, chosen, said.get("club", ""), *more)


def _number(said: Mapping[str, str], key: str) -> int:
    text = said.get(key) or "0"
    if not text.isdecimal() or len(text) > 15:
        raise InputError(f"{key}={text[:20]}: expected a whole number")
    return int(text)


def _query(said: Mapping[str, str], *keys: str) -> str:
    return urlencode({key: said[key] for key in keys if said.get(key)})


def _files(said: Mapping[str, str]) -> dict[str, str]:
    """Where the list is as a file, by kind of file."""
    keys = ("rulebook",) if said["list"] == "roll" else _PERIOD
    where = f"/api/v1/ledger/lists/{said['list'] if said['list'] in LISTS else 'points'}"
    return {form: f"{where}?{_query(said, *keys)}&format={form}" for form in ("csv", "parquet")}


def _after(found: Any, said: Mapping[str, str]) -> str:
    """Where the roll goes on."""
    if found is None or said["list"] != "roll" or len(found.rows) < _SHOWN:
        return ""
    last = next(cell.link.name for cell in found.rows[-1] if cell.link)
    return f"/ledger/lists?{_query({**said, 'after': last}, 'list', 'rulebook', 'after')}"


@router.get("/ledger/year.pdf")
@may(READ)
def year(request: Request) -> Response:
    """The report of a period for printing."""
    said, service = _said(request), ledger_service(request)
    with service.reading() as connection:
        asked = _asked(connection, said)
        steps = ladder(asked.scheme, service.settings.rulebooks)
        found = year_of(connection, asked, steps, not sees_everybody(request))
    title = Message("The year {year}", year=asked.since[:4])
    made = year_pdf(found, title, language=language_of(request))
    return Response(made, media_type="application/pdf")


@router.get("/ledger/members/{member_id}/statement.pdf")
@may(READ)
def one_statement(request: Request, member_id: int) -> Response:
    """A member's statement for printing."""
    said = request.query_params
    with ledger_service(request).reading() as connection:
        member = seen_member(request, connection, member_id)
        period = (said.get("since", ""), said.get("until", ""))
        made = statement_pdf(connection, member, *period, language=language_of(request))
    return Response(made, media_type="application/pdf")
