"""Paper for the tables, as PDF."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from honours.evening.paper import PAPER, TABLES, paper_data
from honours.model.message import mark
from honours.model.rights import DIRECT
from honours.reports.pdf import typeset
from honours.web.evening.access import Kept, stored_evening
from honours.web.evening.service import check_codes
from honours.web.http.access import guarded_router, may
from honours.web.http.problems import NotThere
from honours.web.texts import language_of

router = guarded_router()


@router.get("/evenings/{evening_id}/download/{what}.pdf")
@may(DIRECT, stored_evening)
def cards(request: Request, kept: Kept, what: str) -> Response:
    """Table cards, guide cards, travellers or score slips to print."""
    if what not in PAPER:
        raise NotThere(mark("there is no download {name}"), name=what[:40])
    evening, base = kept.now(), str(request.base_url).rstrip("/")
    if what == TABLES:
        check_codes(request, evening)
    codes = {table: f"{base}/table/{kept.code(table)}" for table in evening.tables}
    data = paper_data(what, evening, codes, language_of(request))
    events = request.app.state.events
    work = partial(typeset, "evening", data)
    drawn: bytes = events.processes.answer(what, work, events.settings.reading, "").value
    headers = {"content-disposition": f'inline; filename="{what}.pdf"'}
    return Response(drawn, media_type="application/pdf", headers=headers)
