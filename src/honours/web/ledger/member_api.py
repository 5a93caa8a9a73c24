"""The ledger's members: who they are, what they hold, where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Path, Query
from starlette.requests import Request
from starlette.responses import Response

from honours.formats.names import sought
from honours.ledger import kinds, members
from honours.ledger.canonical import digest
from honours.ledger.ranks import history, ladder, rungs
from honours.ledger.shown import member_data, promotion_data, rung_data, statement_data
from honours.ledger.statement import statement
from honours.model.message import Message, mark
from honours.web.http.access import KEEP, READ, everywhere, guarded_router, may
from honours.web.http.api import Key, Limit, Offset, Page, leads_to, page
from honours.web.http.problems import InTheWay
from honours.web.http.requester import own_key, who_of
from honours.web.ledger.access import seen_member, sees_everybody
from honours.web.ledger.api_models import (
    MemberChange,
    MemberRequest,
    MemberTold,
    MergeRequest,
    PromotionTold,
    ReasonRequest,
    Recorded,
    RungTold,
    StatementTold,
)
from honours.web.ledger.service import ledger_service, one_member

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from honours.ledger.store import Ledger

router = guarded_router(prefix="/ledger", tags=["ledger: members"])
MemberId = Annotated[int, Path(ge=1, le=10**15)]
_ABOUT_ONE = ("member", "change_member", "member_statement", "member_ranks")


@router.get("/members")
@may(READ)
def all_members(
    request: Request,
    limit: Limit = 100,
    offset: Offset = 0,
    find: Annotated[str, Query(max_length=100, description="Part of a name, or a number.")] = "",
) -> Page[MemberTold]:
    """Every member by name; who does not want to be published is shown to secretaries only."""
    with ledger_service(request).reading() as connection:
        everyone = members.everyone(connection)
    found = [
        MemberTold(**member_data(one))
        for one in everyone
        if (not one.opted_out or sees_everybody(request))
        and (not find or sought(find) in sought(one.name) or find == one.number)
    ]
    return page(found, request.url.path, limit, offset, find=find)


@router.post(
    "/members", status_code=201, responses={201: leads_to("member_id", "/member", *_ABOUT_ONE)}
)
@may(KEEP, everywhere, Message("added a member"))
def add_member(
    request: Request, response: Response, asked: MemberRequest, idempotency_key: Key = ""
) -> MemberTold:
    """Add a member."""

    def work(ledger: Ledger) -> dict[str, Any]:
        with ledger.writing() as connection:
            return {"member": members.add(connection, **asked.model_dump())}

    service, said = ledger_service(request), digest(f"add_member {asked.model_dump_json()}")
    number = service.once(own_key(request, idempotency_key), said, work)["member"]
    response.headers["location"] = f"{request.url.path}/{number}"
    with service.reading() as connection:
        return MemberTold(**member_data(one_member(connection, number)))


@router.get("/members/{member_id}")
@may(READ)
def member(request: Request, member_id: MemberId) -> MemberTold:
    """One member."""
    with ledger_service(request).reading() as connection:
        return MemberTold(**member_data(seen_member(request, connection, member_id)))


@router.patch("/members/{member_id}")
@may(KEEP, everywhere, mark("changed member {member_id}"))
def change_member(request: Request, member_id: MemberId, asked: MemberChange) -> MemberTold:
    """Another name, number or wish of a member."""
    with ledger_service(request).ledger.writing() as connection:
        if one_member(connection, member_id).name == members.ERASED:
            raise InTheWay(f"member {member_id} was erased")
        members.change(connection, member_id, **asked.model_dump(exclude_none=True))
        return MemberTold(**member_data(one_member(connection, member_id)))


@router.get("/members/{member_id}/statement")
@may(READ)
def member_statement(request: Request, member_id: MemberId) -> StatementTold:
    """All of a member's postings, those of merged members too, and what they add up to."""
    with ledger_service(request).reading() as connection:
        found = statement(connection, seen_member(request, connection, member_id))
    return StatementTold(**statement_data(found))


@router.get("/members/{member_id}/ranks")
@may(READ)
def member_ranks(request: Request, member_id: MemberId) -> list[PromotionTold]:
    """Every rank a member reached, and by which event."""
    service = ledger_service(request)
    with service.reading() as connection:
        own = seen_member(request, connection, member_id)
        return [
            PromotionTold(scheme=scheme, **promotion_data(one))
            for scheme in _schemes(connection)
            for one in history(
                connection, own.id, scheme, ladder(scheme, service.settings.rulebooks)
            )
        ]


@router.post("/members/{member_id}/merge", status_code=201)
@may(KEEP, everywhere, mark("merged member {member_id} with another"))
def merge_member(request: Request, member_id: MemberId, asked: MergeRequest) -> Recorded:
    """Count a member's postings as another's; nothing is moved, so it can be taken back."""
    who = who_of(request, asked.by)
    with ledger_service(request).ledger.writing() as connection:
        first, into = (one_member(connection, one) for one in (member_id, asked.into))
        return Recorded(record=members.merge(connection, first.id, into.id, who, asked.why))


@router.post("/members/{member_id}/unmerge", status_code=201)
@may(KEEP, everywhere, mark("took the merger of member {member_id} back"))
def unmerge_member(request: Request, member_id: MemberId, asked: ReasonRequest) -> Recorded:
    """Take a merger back: the postings count as before."""
    who = who_of(request, asked.by)
    with ledger_service(request).ledger.writing() as connection:
        own = one_member(connection, member_id)
        return Recorded(record=members.unmerge(connection, own.id, who, asked.why))


@router.post("/members/{member_id}/erasure", status_code=201)
@may(KEEP, everywhere, mark("erased member {member_id}"))
def erase_member(request: Request, member_id: MemberId, asked: ReasonRequest) -> Recorded:
    """Forget a person: name, number and wishes go, the postings stay with a bare id."""
    who = who_of(request, asked.by)
    with ledger_service(request).ledger.writing() as connection:
        own = one_member(connection, member_id)
        return Recorded(record=members.erase(connection, own.id, who, asked.why))


@router.get("/ranks")
@may(READ)
def ranks(request: Request, limit: Limit = 100, offset: Offset = 0) -> Page[RungTold]:
    """Everybody with points on the ladder of each scheme, the highest first."""
    service = ledger_service(request)
    with service.reading() as connection:
        found = [
            RungTold(scheme=scheme, **rung_data(one))
            for scheme in _schemes(connection)
            for one in rungs(connection, scheme, ladder(scheme, service.settings.rulebooks))
            if not one.member.opted_out or sees_everybody(request)
        ]
    return page(found, request.url.path, limit, offset)


def _schemes(connection: Connection) -> Iterator[str]:
    yield from dict.fromkeys(kind.scheme for kind in kinds.all_kinds(connection))
