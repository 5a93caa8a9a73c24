"""The big screen: standings, the clock and what is still missing, for everybody in the room."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from honours.evening.codes import SCREEN
from honours.evening.live import correctable_until, progress, round_clock, shows_standings
from honours.evening.store import KeptEvening
from honours.model.message import mark
from honours.model.rights import OPEN
from honours.reports import views
from honours.web.evening.service import evening_service
from honours.web.evening.stream import streamed
from honours.web.http.access import guarded_router, may
from honours.web.http.problems import NotThere
from honours.web.published.service import without_hidden
from honours.web.templating import render

router = guarded_router()


def _opened(request: Request, code: str) -> KeptEvening:
    opened = evening_service(request).evenings.opened_by(code)
    if opened is None or opened[1] != SCREEN:
        raise NotThere(mark("this code opens no screen; ask the director for a new one"))
    return opened[0]


@router.get("/screen/{code}")
@may(OPEN)
def screen(request: Request, code: str) -> Response:
    return render(
        request, "screen.html", screen_code=code, **_shown(request, _opened(request, code))
    )


@router.get("/screen/{code}/live")
@may(OPEN)
def screen_live(request: Request, code: str) -> Response:
    """The part of the screen that changes."""
    return render(request, "screen_live.html", **_shown(request, _opened(request, code)))


@router.get("/screen/{code}/stream")
@may(OPEN)
async def screen_stream(request: Request, code: str) -> StreamingResponse:
    """Wakes the screen when there is something new."""
    return streamed(evening_service(request).hub, _opened(request, code))


def _shown(request: Request, kept: KeptEvening) -> dict[str, Any]:
    evening, service = kept.now(), evening_service(request)
    shows = shows_standings(evening)
    report = service.stands(kept, evening).report if shows and evening.number > 1 else None
    tables = [one.used() for one in views.standings(report)] if report else []
    made, of = progress(evening)
    return {
        "evening": evening,
        "clock": round_clock(evening),
        "made": made,
        "of": of,
        "shows": shows,
        "until": correctable_until(evening),
        "standings": without_hidden(request, report, tables) if report else [],
    }
