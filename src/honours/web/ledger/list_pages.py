"""Tables a secretary asks for, on a page: chosen by a form, downloaded as a file."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from honours import clock
from honours.errors import InputError
from honours.ledger import kinds
from honours.ledger.lists import ASKS, LISTS
from honours.ledger.ranks import ladder
from honours.ledger.year_report import YearTables, certificates, statement_pdf, year_of, year_pdf
from honours.model.message import Message, mark
from honours.model.rights import READ
from honours.web.http.access import guarded_router, may, shared
from honours.web.http.forms import whole_in
from honours.web.http.problems import NotThere, problem_of
from honours.web.ledger.access import seen_member, sees_everybody
from honours.web.ledger.list_api import made_list
from honours.web.ledger.service import ledger_service
from honours.web.templating import render
from honours.web.texts import language_of

router = guarded_router()
_SHOWN = 200


@router.get("/ledger/lists")
@may(READ)
def lists(request: Request) -> Response:
    """A list, once one is chosen."""
    query = _form_of(request)
    chosen = LISTS.get(query["list"], LISTS["points"])
    table, behind, problem = None, 0, None
    with ledger_service(request).reading() as connection:
        schemes = list(dict.fromkeys(kind.scheme for kind in kinds.all_kinds(connection)))
        names = list(dict.fromkeys(kind.name for kind in kinds.all_kinds(connection)))
        query["rulebook"] = query["rulebook"] or next(iter(schemes), "")
        if schemes and request.query_params.get("list"):
            entered = {key: [text] for key, text in query.items() if text}
            try:
                after = whole_in(query, "after") if query["after"] else None
                made = made_list(request, connection, chosen, entered, limit=_SHOWN, after=after)
                table, behind = made.table(), made.behind
            except InputError as error:
                problem = problem_of(error)
    asked = (*(ask.name for ask in chosen.asks), "rulebook")
    where = f"/api/v1/ledger/lists/{chosen.name}?{_query(query, *asked)}"
    on = _query({**query, "after": str(behind)}, "list", *asked, "after")
    return render(
        request,
        "ledger_lists.html",
        422 if problem else 200,
        lists=LISTS,
        asks=ASKS,
        filled=query,
        schemes=schemes,
        kinds=names,
        listed=table,
        problem=problem,
        files={form: f"{where}&format={form}" for form in ("csv", "parquet")},
        year=f"year.pdf?{_query(query, 'since', 'until', 'club', 'rulebook')}",
        after=f"/ledger/lists?{on}" if behind else "",
    )


def _form_of(request: Request) -> dict[str, str]:
    last = clock.today().year - 1
    query = dict.fromkeys((*(ask.name for ask in ASKS), "rulebook", "after"), "")
    query |= {"list": "points", "since": f"{last}-01-01", "until": f"{last}-12-31"}
    return query | {key: text.strip() for key, text in request.query_params.items() if text.strip()}


def _query(query: Mapping[str, str], *keys: str) -> str:
    return urlencode({key: query[key] for key in keys if query.get(key)})


@router.get("/ledger/year.pdf")
@may(READ)
def year(request: Request) -> Response:
    """The report of a period for printing."""
    made = _year(request)
    title = Message("The year {year}", year=made.asked.since[:4])
    printed = year_pdf(made, title, language=language_of(request))
    return Response(printed, media_type="application/pdf")


@router.get("/ledger/certificates.pdf")
@may(READ)
def rank_certificates(request: Request) -> Response:
    """The certificates of rank of a period, of very many the first."""
    made = next(certificates(_year(request), language_of(request)), None)
    if made is None:
        raise NotThere(mark("nobody was promoted in this period"))
    return Response(made, media_type="application/pdf")


def _year(request: Request) -> YearTables:
    query, service = _form_of(request), ledger_service(request)
    with service.reading() as connection:
        scheme = kinds.scheme_of(connection, query["rulebook"] or None)
        entered = {key: [text] for key, text in query.items() if text}
        asked = LISTS["totals"].query(scheme, entered)
        steps = ladder(asked.scheme, service.settings.rulebooks)
        return year_of(connection, asked, steps, not sees_everybody(request))


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
