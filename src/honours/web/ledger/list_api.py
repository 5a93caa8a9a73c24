"""Tables a secretary asks for, for programs: as JSON, CSV or Parquet."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel
from sqlalchemy import Connection
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from honours.formats.dates import iso_day
from honours.ledger import kinds
from honours.ledger.lists.files import MEDIA, write_list
from honours.ledger.lists.period import PointsQuery, points_table
from honours.ledger.lists.promotions import promotions_table
from honours.ledger.lists.roll import roll_parts, roll_table
from honours.ledger.lists.year import statement_pdf, totals_table
from honours.ledger.ranks import ladder
from honours.model.table import Table
from honours.reports.drawing import draw_data
from honours.web.http.access import READ, guarded_router, may, shared
from honours.web.http.api import Id, Limit
from honours.web.ledger.access import seen_member, sees_everybody
from honours.web.ledger.service import ledger_service
from honours.web.texts import language_of

router = guarded_router(prefix="/ledger", tags=["ledger: lists"])
_DAY = r"^\d{4}-\d\d-\d\d$"
Since = Annotated[str, Query(pattern=_DAY, examples=["2017-01-01"], description="The first day.")]
Until = Annotated[str, Query(pattern=_DAY, examples=["2017-12-31"], description="The last day.")]
Whose = Annotated[
    str, Query(max_length=100, description="A rulebook or a body: whose points, if of several.")
]
Form = Annotated[Literal["json", "csv", "parquet"], Query(alias="format")]
Club = Annotated[str, Query(max_length=200, description="Only the events of a club.")]
FILES: dict[int | str, dict[str, Any]] = {
    200: {"content": {form: {"schema": {"type": "string"}} for form in MEDIA.values()}}
}
FILES[200]["content"].pop(MEDIA["json"])


class ListAnswer(BaseModel):
    """A table: what each column is, and every row by the columns' keys."""

    name: str
    title: str
    columns: list[dict[str, str]]
    rows: list[dict[str, Any]]
    foot: str = ""


def _answered(table: Table, form: str) -> Any:
    return ListAnswer(**draw_data(table)) if form == "json" else as_file([table], table.name, form)


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


def asked_for(
    connection: Connection,
    rulebook: str,
    since: str,
    until: str,
    *more: Any,
) -> PointsQuery:
    """The query for a period, checked."""
    scheme = kinds.scheme_of(connection, rulebook or None)
    return PointsQuery(scheme, iso_day("since", since), iso_day("until", until), *more).checked()


@router.get("/lists/points", response_model=ListAnswer, responses=FILES)
@may(READ)
def list_points(
    request: Request,
    since: Since,
    until: Until,
    kind: Annotated[list[str], Query(max_length=20, description="Only of these kinds.")] = [],  # noqa: B006
    club: Club = "",
    best: Annotated[int, Query(ge=0, le=10_000, description="Each one's best results.")] = 0,
    places: Annotated[int, Query(ge=0, le=10**6, description="How many qualify.")] = 0,
    rulebook: Whose = "",
    form: Form = "json",
) -> Any:
    """The points earned in a period, by kind; each one's best results and a cut line, if asked."""
    with ledger_service(request).reading() as connection:
        asked = asked_for(connection, rulebook, since, until, tuple(kind), club, best, places)
        return _answered(points_table(connection, asked, not sees_everybody(request)), form)


@router.get("/lists/totals", response_model=ListAnswer, responses=FILES)
@may(READ)
def list_totals(
    request: Request,
    since: Since,
    until: Until,
    club: Club = "",
    rulebook: Whose = "",
    form: Form = "json",
) -> Any:
    """What was awarded in a period, club by club and kind by kind."""
    with ledger_service(request).reading() as connection:
        asked = asked_for(connection, rulebook, since, until, (), club)
        return _answered(totals_table(connection, asked), form)


@router.get("/lists/promotions", response_model=ListAnswer, responses=FILES)
@may(READ)
def list_promotions(
    request: Request,
    since: Since,
    until: Until,
    rulebook: Whose = "",
    form: Form = "json",
) -> Any:
    """Who was promoted in a period, with numbers, and by which event."""
    service = ledger_service(request)
    with service.reading() as connection:
        asked = asked_for(connection, rulebook, since, until)
        steps = ladder(asked.scheme, service.settings.rulebooks)
        table = promotions_table(
            connection,
            asked.scheme,
            steps,
            asked.since,
            asked.until,
            not sees_everybody(request),
        )
        return _answered(table, form)


@router.get("/lists/roll", response_model=ListAnswer, responses=FILES)
@may(READ)
def list_roll(
    request: Request,
    limit: Limit = 100,
    after: Annotated[int | None, Query(ge=1, le=10**15, description="Behind a member.")] = None,
    rulebook: Whose = "",
    form: Form = "json",
) -> Any:
    """Number, name, balances, total and rank: some of everybody as JSON, or all as a file."""
    service, public = ledger_service(request), not sees_everybody(request)
    with service.reading() as connection:
        scheme = kinds.scheme_of(connection, rulebook or None)
        steps = ladder(scheme, service.settings.rulebooks)
        if form == "json":
            some = roll_table(connection, scheme, steps, limit, after, public, every_kind=True)
            return _answered(some, form)
        return as_file(roll_parts(connection, scheme, steps, public, True), "roll", form)


@router.get(
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
