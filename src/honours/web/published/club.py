"""The settings of a club: read and changed by programs, and on its page."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from honours.model.message import Message
from honours.model.rights import KEEP
from honours.reports.sending import all_receivers
from honours.scoring.profiles import profile_names
from honours.web.http.access import anywhere, club_for, clubs_to_choose, may
from honours.web.http.forms import FormFields
from honours.web.http.operations import Operations
from honours.web.published.clubs import Clubs, ClubSettings
from honours.web.templating import render

operations = Operations("club")
Club = Annotated[str, Query(max_length=200, description="Which club, if somebody keeps several.")]
_SETTLED = Message("settled what is usual with a club")


class ClubAnswer(ClubSettings):
    """The settings of a club, and which club it is."""

    club: str


@operations("GET /club", KEEP, anywhere)
def club_settings(request: Request, club: Club = "") -> ClubAnswer:
    """Return what a club has settled: its name and colour, conventions, when its year begins."""
    whose = club_for(request, KEEP, club)
    return ClubAnswer(club=whose, **_clubs(request).settings(whose).model_dump())


@operations("PATCH /club", KEEP, anywhere, _SETTLED)
def change_club_settings(request: Request, changes: ClubSettings, club: Club = "") -> ClubAnswer:
    """Settle something otherwise; all of it or, where something cannot be, nothing."""
    whose = club_for(request, KEEP, club)
    settled = _clubs(request).settle(whose, changes)
    return ClubAnswer(club=whose, **settled.model_dump())


def _clubs(request: Request) -> Clubs:
    clubs: Clubs = request.app.state.clubs
    return clubs


@operations.pages.get("/club")
@may(KEEP, anywhere)
def club_page(request: Request, club: str = "") -> Response:
    clubs = clubs_to_choose(request, KEEP)
    return _page(request, club or (clubs[0] if clubs else ""), kept=False)


@operations.pages.post("/club")
@may(KEEP, anywhere, _SETTLED)
def settle_club(request: Request, form: FormFields) -> Response:
    club = form.pop("club", "")
    try:
        changes = ClubSettings.model_validate(form)
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from error
    change_club_settings(request, changes, club)
    return _page(request, club, kept=True)


def _page(request: Request, club: str, *, kept: bool) -> Response:
    settled = club_settings(request, club)
    return render(
        request,
        "club.html",
        clubs=clubs_to_choose(request, KEEP),
        settled=settled,
        profiles=profile_names(),
        receivers=list(all_receivers()),
        public=f"/c/{_clubs(request).called(settled.club)}",
        kept=kept,
    )
