"""What a club has settled for itself, over the API: read and changed as on its page."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, Field
from starlette.requests import Request

from honours.model.message import Message
from honours.model.rights import KEEP
from honours.reports.drawing import Dress
from honours.web.http.access import anywhere, guarded_router, may
from honours.web.http.requester import club_for
from honours.web.published.clubs import ClubHabits, Clubs

router = guarded_router(prefix="/club", tags=["club"])
Club = Annotated[str, Query(max_length=200, description="Which club, if somebody keeps several.")]


class ClubChanges(BaseModel):
    """What is to be settled otherwise; what is left out stays."""

    name: str | None = Field(None, max_length=100, description="On top of what is published.")
    colour: str | None = Field(None, max_length=20, examples=["#14513a"])
    profile: str | None = Field(
        None, max_length=100, description="The conventions to score by; empty for the server's."
    )
    year_begins: str | None = Field(
        None, max_length=10, examples=["09-01"], description="Month and day; empty: the calendar's."
    )
    answers: str | None = Field(
        None,
        max_length=5000,
        examples=['scale = "A"\n[Tuesday]\nwinners = "1"'],
        description="Standing answers for all events, and for those of a series, in TOML.",
    )
    calendar: str | None = Field(
        None,
        max_length=5000,
        examples=["Tuesday 19:30 Tuesday pairs\n2026-12-05 10:00 Teams\nnot 2026-12-29"],
        description="What the club will play, a line each.",
    )
    ranks: str | None = Field(
        None, max_length=3, examples=["yes"], description="Whether everybody may read the ranks."
    )
    receivers: str | None = Field(
        None, max_length=200, examples=["sbu"], description="For whom files are made after play."
    )


class ClubSettings(BaseModel):
    """What a club has settled."""

    club: str
    name: str
    colour: str
    profile: str
    year_begins: str
    answers: str
    calendar: str
    ranks: str
    receivers: str


@router.get("")
@may(KEEP, anywhere)
def club_settings(request: Request, club: Club = "") -> ClubSettings:
    """What a club has settled: its name and colour, its conventions, when its year begins."""
    return _answer(request, club_for(request, KEEP, club))


@router.patch("")
@may(KEEP, anywhere, Message("settled what is usual with a club"))
def change_club_settings(request: Request, changes: ClubChanges, club: Club = "") -> ClubSettings:
    """Settle something otherwise; all of it or, where something cannot be, nothing."""
    whose = club_for(request, KEEP, club)
    settled = _answer(request, whose).model_dump() | changes.model_dump(exclude_none=True)
    dress, habits = (
        Dress(settled["name"], settled["colour"]),
        ClubHabits(**{one.name: settled[one.name] for one in fields(ClubHabits)}),
    )
    _clubs(request).settle(whose, dress, habits)
    return _answer(request, whose)


def _clubs(request: Request) -> Clubs:
    clubs: Clubs = request.app.state.clubs
    return clubs


def _answer(request: Request, club: str) -> ClubSettings:
    dress, habits = _clubs(request).dress(club), _clubs(request).habits(club)
    return ClubSettings(club=club, **asdict(dress), **asdict(habits))
