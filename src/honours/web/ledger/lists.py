"""A ledger's reports: on a page by a form, for programs as JSON, CSV or Parquet."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from inspect import Parameter, Signature
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import Query
from sqlalchemy import Connection
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from honours import clock
from honours.errors import InputError
from honours.ledger import kinds
from honours.ledger.list_files import MEDIA, write_list
from honours.ledger.lists import ASKS, LISTS, SINCE, Ask, LedgerList, Listed, ListQuery
from honours.ledger.year_report import YearTables, certificates, statement_pdf, year_of, year_pdf
from honours.model.message import Message, mark
from honours.model.rights import READ
from honours.model.table import Table
from honours.reports.drawing import draw_data
from honours.web.http.access import may, shared
from honours.web.http.api import Id, PageQuery, Paging, TableShown, address_after
from honours.web.http.forms import whole_in
from honours.web.http.operations import Operations
from honours.web.http.problems import NotThere, problem_of
from honours.web.ledger.service import ledger_service, seen_member, sees_everybody
from honours.web.templating import language_of, render

operations = Operations("ledger: lists", "/ledger")
api, pages = operations.api, operations.pages
_SHOWN = 200
_DAY = r"^\d{4}-\d\d-\d\d$"
Since = Annotated[str, Query(pattern=_DAY, examples=["2017-01-01"], description="The first day.")]
Until = Annotated[str, Query(pattern=_DAY, examples=["2017-12-31"], description="The last day.")]
Whose = Annotated[
    str, Query(max_length=100, description="A rulebook or a body: whose points, if of several.")
]
Form = Annotated[Literal["json", "csv", "parquet"], Query(alias="format")]
FILES: dict[int | str, dict[str, Any]] = {
    200: {"content": {form: {"schema": {"type": "string"}} for form in MEDIA.values()}}
}
FILES[200]["content"].pop(MEDIA["json"])


class ListAnswer(TableShown):
    """A list, or a part of a long one; ``next`` is where the rest begins."""

    next: str | None = None


def as_file(parts: Iterable[Table], name: str, form: str) -> Response:
    """A list as a file that is sent and then taken away."""
    folder = FilePath(tempfile.mkdtemp(prefix="honours-list-"))
    file = folder / f"{name}.{form}"

    def tidy() -> None:
        file.unlink(missing_ok=True)
        folder.rmdir()

    try:
        write_list(parts, file)
    except BaseException:
        tidy()
        raise
    return FileResponse(
        file, media_type=MEDIA[form], filename=file.name, background=BackgroundTask(tidy)
    )


def list_query(
    request: Request,
    connection: Connection,
    one: LedgerList,
    entered: Mapping[str, Sequence[str]],
    **more: Any,
) -> ListQuery:
    """The query for a list, as far as the requester may see it."""
    rulebook = next(iter(entered.get("rulebook", ())), "")
    scheme = kinds.scheme_of(connection, rulebook or None)
    folders = ledger_service(request).settings.rulebooks
    public = not sees_everybody(request)
    return one.query(scheme, entered, folders=folders, public=public, **more)


def made_list(
    request: Request, connection: Connection, one: LedgerList, *how: Any, **more: Any
) -> Listed:
    """A declared list as whoever asks may see it."""
    return one.make(connection, list_query(request, connection, one, *how, **more))


_USUALLY: Mapping[str, Any] = {"day": Parameter.empty, "count": 0, "kinds": [], "text": ""}


def _parameter(ask: Ask) -> Parameter:
    usual = "" if ask.optional else _USUALLY[ask.type]
    about, pattern = str(ask.about), rf"^$|{_DAY}" if ask.optional else _DAY
    example = "2017-01-01" if ask is SINCE else "2017-12-31"
    kinds_of: Mapping[str, Any] = {
        "day": Annotated[str, Query(pattern=pattern, examples=[example], description=about)],
        "count": Annotated[int, Query(ge=0, le=ask.most, description=about)],
        "kinds": Annotated[list[str], Query(max_length=20, description=about)],
        "text": Annotated[str, Query(max_length=200, description=about)],
    }
    return Parameter(ask.name, Parameter.KEYWORD_ONLY, default=usual, annotation=kinds_of[ask.type])


def _add_route(one: LedgerList) -> None:
    """The route of a list, made from its declaration: as JSON a part of a long one, else all."""

    def listed(
        request: Request,
        rulebook: str,
        form: str,
        paging: PageQuery | None = None,
        **asked: Any,
    ) -> Any:
        entered = {
            name: value if isinstance(value, list) else [str(value)]
            for name, value in {**asked, "rulebook": rulebook}.items()
            if value
        }
        with ledger_service(request).reading() as connection:
            part = {}
            if paging and form == "json":
                part = {"limit": paging.limit, "after": paging.behind}
            made = made_list(request, connection, one, entered, for_programs=True, **part)
            if form != "json":
                return as_file(made.tables, one.name, form)
            on = address_after(request, made.behind) or None
            return ListAnswer(**draw_data(made.table()), next=on)

    in_parts = [Parameter("paging", Parameter.KEYWORD_ONLY, annotation=Paging)]
    listed.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter("request", Parameter.KEYWORD_ONLY, annotation=Request),
            *map(_parameter, one.asks),
            *(in_parts if one.in_parts else ()),
            Parameter("rulebook", Parameter.KEYWORD_ONLY, default="", annotation=Whose),
            Parameter("form", Parameter.KEYWORD_ONLY, default="json", annotation=Form),
        ]
    )
    listed.__name__, listed.__doc__ = f"list_{one.name}", one.about
    route = api.get(f"/lists/{one.name}", response_model=ListAnswer, responses=FILES)
    route(may(READ)(listed))


for _each in LISTS.values():
    _add_route(_each)


@api.get(
    "/members/{member_id}/statement.pdf",
    response_class=Response,
    responses={200: {"content": {"application/pdf": {"schema": {"type": "string"}}}}},
)
@may(READ, shared)
def member_statement_pdf(
    request: Request,
    member_id: Id,
    since: Since | Literal[""] = "",
    until: Until | Literal[""] = "",
) -> Response:
    """A member's statement for printing, of all time or of a period."""
    with ledger_service(request).reading() as connection:
        member = seen_member(request, connection, member_id)
        made = statement_pdf(connection, member, since, until, language=language_of(request))
    return Response(made, media_type="application/pdf")


pages.get("/ledger/members/{member_id}/statement.pdf")(member_statement_pdf)


# --- the page -------------------------------------------------------------------------------------


@pages.get("/ledger/lists")
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
    return render(
        request,
        "ledger_lists.html",
        422 if problem else 200,
        lists=LISTS,
        asks=ASKS.values(),
        filled=query,
        schemes=schemes,
        kinds=names,
        listed=table,
        problem=problem,
        files={form: f"{where}&format={form}" for form in ("csv", "parquet")},
        year=f"year.pdf?{_query(query, 'since', 'until', 'club', 'rulebook')}",
        after=address_after(request, behind),
    )


def _form_of(request: Request) -> dict[str, str]:
    last = clock.today().year - 1
    query = dict.fromkeys((*ASKS, "rulebook", "after"), "")
    query |= {"list": "points", "since": f"{last}-01-01", "until": f"{last}-12-31"}
    return query | {key: text.strip() for key, text in request.query_params.items() if text.strip()}


def _query(query: Mapping[str, str], *keys: str) -> str:
    return urlencode({key: query[key] for key in keys if query.get(key)})


@pages.get("/ledger/year.pdf")
@may(READ)
def year(request: Request) -> Response:
    """The report of a period for printing."""
    made = _year(request)
    title = Message("The year {year}", year=made.asked.since[:4])
    printed = year_pdf(made, title, language=language_of(request))
    return Response(printed, media_type="application/pdf")


@pages.get("/ledger/certificates.pdf")
@may(READ)
def rank_certificates(request: Request) -> Response:
    """The certificates of rank of a period, of very many the first."""
    made = next(certificates(_year(request), language_of(request)), None)
    if made is None:
        raise NotThere(mark("nobody was promoted in this period"))
    return Response(made, media_type="application/pdf")


def _year(request: Request) -> YearTables:
    query = _form_of(request)
    with ledger_service(request).reading() as connection:
        entered = {key: [text] for key, text in query.items() if text}
        return year_of(connection, list_query(request, connection, LISTS["totals"], entered))
