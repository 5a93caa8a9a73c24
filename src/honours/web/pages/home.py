"""The first page."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from honours.web.asker import clubs_to_choose
from honours.web.desk import Desk
from honours.web.templating import render

router = APIRouter()


def desk_of(request: Request) -> Desk:
    """The desk this application works at, with the events whoever asks may see."""
    desk: Desk = request.app.state.desk
    return desk.seen_by(request.scope.get("account"))


@router.get("/")
def start(request: Request) -> Response:
    return render(
        request,
        "home.html",
        rulebooks=desk_of(request).rulebooks(),
        clubs=clubs_to_choose(request, "scorer"),
    )
