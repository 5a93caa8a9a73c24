"""The first page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from honours.web.events.service import event_service
from honours.web.http.access import READ, guarded_router, may
from honours.web.http.requester import clubs_to_choose
from honours.web.templating import render

router = guarded_router()


@router.get("/")
@may(READ)
def start(request: Request) -> Response:
    return render(
        request,
        "home.html",
        rulebooks=event_service(request).rulebooks(),
        clubs=clubs_to_choose(request, "scorer"),
    )
