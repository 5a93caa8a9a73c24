"""The clubs that the things of a ledger belong to, and the members that a requester may see."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection
from starlette.requests import Request

from honours.ledger.release import Draft
from honours.ledger.submissions import Submission, overview
from honours.model.member import Member
from honours.model.message import Message, mark
from honours.model.rights import LOOK, Action
from honours.web.http.access import Thing, may_at
from honours.web.http.forms import whole
from honours.web.http.problems import Forbidden, NotThere
from honours.web.ledger.seasons import seasons_of
from honours.web.ledger.service import ledger_service, no_receipt, one_member


def _number(request: Request, name: str) -> int:
    """The number that an address has in this place."""
    number = whole(str(request.path_params[name]))
    if number is None:
        raise NotThere(Message("Not Found"))
    return number


def draft(request: Request) -> Thing:
    """The draft an address names: of the club whose event it is."""
    return Thing(ledger_service(request).club_of_draft(_number(request, "draft_id")))


def record(request: Request) -> Thing:
    """The record an address names: of the club whose event was posted."""
    return Thing(ledger_service(request).club_of_record(_number(request, "record_id")))


def submission(request: Request) -> Thing:
    """The submission an address names: of the club whose awards are in it."""
    number = _number(request, "submission_id")
    service = ledger_service(request)
    return Thing(service.club_of_submission(service.submission(number)))


def receipt(request: Request) -> Thing:
    """The receipt an address names: of the club that sent what it is for, and unknown to everybody
    else."""
    number = _number(request, "receipt_id")
    found = ledger_service(request).receipt(number)
    return Thing(found.club, unknown=no_receipt(number))


def season(request: Request) -> Thing:
    """The season an address names: of the club it says."""
    return Thing(seasons_of(request).club_of(str(request.path_params["season_id"])))


def require_at(request: Request, action: Action, club: str) -> None:
    """Refuse whoever may not do this at a club."""
    if not may_at(request, action, club):
        raise Forbidden(action, club)


def own_drafts(request: Request) -> list[Draft]:
    """Return what was drafted for the clubs of whoever asks, the latest last."""
    every = ledger_service(request).drafts()
    return [one for one in every if may_at(request, LOOK, str(one.content["club"]))]


def own_submissions(request: Request) -> tuple[list[Any], list[Submission]]:
    """The records that wait to be sent and the submissions made, for the clubs of whoever asks."""
    service = ledger_service(request)
    with service.reading() as connection:
        pending, made = overview(connection)
    return (
        [one for one in pending if may_at(request, LOOK, one.club)],
        [one for one in made if may_at(request, LOOK, service.club_of_submission(one))],
    )


def sees_everybody(request: Request) -> bool:
    """Return whether the requester sees members who opted out too."""
    return may_at(request, LOOK)


def seen_member(request: Request, connection: Connection, member_id: int) -> Member:
    """The member of this id, if whoever asks may see them."""
    member = one_member(connection, member_id)
    if member.opted_out and not sees_everybody(request):
        raise NotThere(mark("there is no member {name}"), name=member_id)
    return member
