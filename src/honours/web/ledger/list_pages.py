"""Tables a secretary asks for, on a page: chosen by a form, downloaded as a file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from honours.errors import InputError
from honours.ledger import kinds
from honours.ledger.lists.period import PointsQuery, points_table
from honours.ledger.lists.promotions import promotions_table
from honours.ledger.lists.roll import roll_table
from honours.ledger.lists.year import statement_pdf, totals_table, year_of, year_pdf
from honours.ledger.ranks import ladder
from honours.model.message import Message
from honours.model.table import Table
from honours.web.http.access import READ, guarded_router, may, shared
from honours.web.http.forms import whole_in
from honours.web.http.problems import problem_of
from honours.web.ledger.access import seen_member, sees_everybody
from honours.web.ledger.list_api import asked_for
from honours.web.ledger.service import ledger_service
from honours.web.templating import render
from honours.web.texts import language_of

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
    query = _form_of(request)
    table, problem = None, None
    with ledger_service(request).reading() as connection:
        schemes = list(dict.fromkeys(kind.scheme for kind in kinds.all_kinds(connection)))
        names = list(dict.fromkeys(kind.name for kind in kinds.all_kinds(connection)))
        query["rulebook"] = query["rulebook"] or next(iter(schemes), "")
        if schemes and request.query_params.get("list"):
            try:
                table = _table(connection, request, query)
            except InputError as error:
                problem = problem_of(error)
    return render(
        request,
        "ledger_lists.html",
        422 if problem else 200,
        lists=LISTS,
        filled=query,
        schemes=schemes,
        kinds=names,
        listed=table,
        problem=problem,
        files=_files(query),
        year=f"/ledger/year.pdf?{_query(query, 'since', 'until', 'club', 'rulebook')}",
        after=_after(table, query),
    )


def _form_of(request: Request) -> dict[str, str]:
    last = datetime.now().astimezone().year - 1
    query = dict.fromkeys((*_PERIOD, "after"), "")
    query |= {"list": "points", "since": f"{last}-01-01", "until": f"{last}-12-31"}
    return query | {key: text.strip() for key, text in request.query_params.items() if text.strip()}


def _table(connection: Connection, request: Request, query: Mapping[str, str]) -> Table:
    steps = ladder(query["rulebook"], ledger_service(request).settings.rulebooks)
    public = not sees_everybody(request)
    if query["list"] == "roll":
        after = _number(query, "after") or None
        return roll_table(connection, query["rulebook"], steps, _SHOWN, after, public)
    asked = _points_query(connection, query)
    period = (asked.since, asked.until)
    if query["list"] == "promotions":
        return promotions_table(connection, asked.scheme, steps, *period, public)
    if query["list"] == "totals":
        return totals_table(connection, asked)
    return points_table(connection, asked, public)


def _points_query(connection: Connection, query: Mapping[str, str]) -> PointsQuery:
    more = (_number(query, "best"), _number(query, "places"))
    chosen = (query["kind"],) if query.get("kind") else ()
    period = (query.get("rulebook", ""), query["since"], query["until"])
    return asked_for(connection, *period, chosen, query.get("club", ""), *more)


def _number(query: Mapping[str, str], key: str) -> int:
    return whole_in(query, key) if query.get(key) else 0


def _query(query: Mapping[str, str], *keys: str) -> str:
    return urlencode({key: query[key] for key in keys if query.get(key)})


def _files(query: Mapping[str, str]) -> dict[str, str]:
    """Where the list is as a file, by kind of file."""
    keys = ("rulebook",) if query["list"] == "roll" else _PERIOD
    where = f"/api/v1/ledger/lists/{query['list'] if query['list'] in LISTS else 'points'}"
    return {form: f"{where}?{_query(query, *keys)}&format={form}" for form in ("csv", "parquet")}


def _after(table: Any, query: Mapping[str, str]) -> str:
    """Where the roll goes on."""
    if table is None or query["list"] != "roll" or len(table.rows) < _SHOWN:
        return ""
    last = next(cell.link.name for cell in table.rows[-1] if cell.link)
    return f"/ledger/lists?{_query({**query, 'after': last}, 'list', 'rulebook', 'after')}"


@router.get("/ledger/year.pdf")
@may(READ)
def year(request: Request) -> Response:
    """The report of a period for printing."""
    query, service = _form_of(request), ledger_service(request)
    with service.reading() as connection:
        asked = _points_query(connection, query)
        steps = ladder(asked.scheme, service.settings.rulebooks)
        table = year_of(connection, asked, steps, not sees_everybody(request))
    title = Message("The year {year}", year=asked.since[:4])
    made = year_pdf(table, title, language=language_of(request))
    return Response(made, media_type="application/pdf")


@router.get("/ledger/members/{member_id}/statement.pdf")
@may(READ, shared)
def one_statement(request: Request, member_id: int) -> Response:
    """A member's statement for printing."""
    query = request.query_params
    with ledger_service(request).reading() as connection:
        member = seen_member(request, connection, member_id)
        period = (query.get("since", ""), query.get("until", ""))
        made = statement_pdf(connection, member, *period, language=language_of(request))
    return Response(made, media_type="application/pdf")
