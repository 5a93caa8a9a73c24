"""A table's page: opened by its QR code, without an account; it holds the whole evening of the
table and never leads anywhere, so that a bad network loses nothing."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from honours.evening.store import KeptEvening
from honours.model.message import mark
from honours.model.rights import OPEN
from honours.web.evening import evening_json
from honours.web.evening.phone_words import phone_words
from honours.web.evening.service import evening_service
from honours.web.evening.stream import streamed
from honours.web.http.access import anywhere, guarded_router, may
from honours.web.http.problems import NotThere
from honours.web.templating import render
from honours.web.texts import language_of

router = guarded_router()


@router.get("/table/worker.js")
@may(OPEN)
def table_worker(request: Request) -> Response:  # noqa: ARG001
    """Keeps the page of a table at hand where the browser lets it: it may be opened offline."""
    text = (resources.files("honours.web") / "static" / "table-worker.js").read_bytes()
    return Response(text, media_type="text/javascript")


def _opened(request: Request, code: str) -> tuple[KeptEvening, int]:
    """The evening and table that a code opens; a code that opens nothing finds nothing."""
    opened = evening_service(request).evenings.opened_by(code)
    if opened is None or not opened[1]:
        raise NotThere(mark("this code opens no table; ask the director for a new one"))
    return opened


@router.get("/table/{code}/stream")
@may(OPEN)
async def table_stream(request: Request, code: str) -> StreamingResponse:
    """Tells a phone that the server is there."""
    return streamed(evening_service(request).hub, _opened(request, code)[0])


@router.get("/table/{code}")
@may(OPEN, anywhere)
def table_page(request: Request, code: str) -> Response:
    """The page of the table that a code opens."""
    kept, table = _opened(request, code)
    language, evening = language_of(request), kept.now()
    # Without what was entered: that is for who shows the code, which a link alone does not.
    state = evening_json.table_data(replace(evening, lines={}), table, language)
    return render(
        request,
        "table.html",
        evening=evening,
        table=table,
        state=state | {"round": evening.round_at(table) if evening.rounds else 0},
        setup={
            "code": code,
            "api": f"/api/v1/evenings/{kept.id}/tables/{table}",
            "scores": evening_json.score_table(),
            "words": phone_words(language),
        },
    )
