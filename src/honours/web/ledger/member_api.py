"""The ledger's members: who they are, what they hold, where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path as FilePath
from typing import Annotated, Any, NamedTuple

from fastapi import File, Form, Query, UploadFile
from pydantic import BaseModel
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from honours.ledger import kinds, members
from honours.ledger.bulk import PageOf
from honours.ledger.canonical import digest
from honours.ledger.enrol import enrol_list, kind_names
from honours.ledger.ranks import Rung, count, history, ladder, listed
from honours.ledger.shapes import MEMBERS, PROMOTIONS, RANKS, statement_data
from honours.ledger.statement import statement
from honours.ledger.store import Ledger
from honours.model.message import Message, mark
from honours.model.rights import KEEP, READ
from honours.web.events.service import event_service
from honours.web.events.store import Upload
from honours.web.http.access import everywhere, may, shared
from honours.web.http.api import Id, Key, Limit, Offset, Page, leads_to, page_after
from honours.web.http.operations import Operations
from honours.web.http.problems import InTheWay
from honours.web.http.requester import own_key, own_name, who_of
from honours.web.ledger.access import seen_member, sees_everybody
from honours.web.ledger.api_models import (
    WHO_DOES_THIS,
    MemberAnswer,
    MemberChange,
    MemberRequest,
    MergeRequest,
    PromotionAnswer,
    ReasonRequest,
    RecordedAnswer,
    RungAnswer,
    StatementAnswer,
)
from honours.web.ledger.service import ledger_service, one_member

operations = Operations("ledger: members", "/ledger")
router = operations.api
_ABOUT_ONE = ("member", "change_member", "member_statement", "member_ranks")


After = Annotated[int | None, Query(ge=1, le=10**15, description="Those that follow this member.")]


@router.get("/members")
@may(READ)
def all_members(
    request: Request,
    limit: Limit = 100,
    offset: Offset = 0,
    after: After = None,
    find: Annotated[str, Query(max_length=100, description="Part of a name, or a number.")] = "",
) -> Page[MemberAnswer]:
    """Members by name; who does not want to be published is shown to secretaries only."""
    public = not sees_everybody(request)
    with ledger_service(request).reading() as connection:
        rows = members.listed(connection, limit, after, find, public, offset)
        counted = after is None and not find
        total = members.count(connection, public) if counted else None
    page = [MemberAnswer(**MEMBERS.data(one)) for one in rows]
    behind = rows[-1].id if rows.more else 0
    return page_after(page, request.url.path, limit, behind, total, find=find)


@router.post(
    "/members", status_code=201, responses={201: leads_to("member_id", "/member", *_ABOUT_ONE)}
)
@may(KEEP, everywhere, Message("added a member"))
def add_member(
    request: Request, response: Response, asked: MemberRequest, idempotency_key: Key = ""
) -> MemberAnswer:
    """Add a member."""

    def work(ledger: Ledger) -> dict[str, Any]:
        with ledger.writing(by=own_name(request)) as connection:
            return {"member": members.add(connection, **asked.model_dump())}

    service = ledger_service(request)
    request_digest = digest(f"add_member {asked.model_dump_json()}")
    number = service.once(own_key(request, idempotency_key), request_digest, work)["member"]
    response.headers["location"] = f"{request.url.path}/{number}"
    with service.reading() as connection:
        return MemberAnswer(**MEMBERS.data(one_member(connection, number)))


class MemberListAnswer(BaseModel):
    """What a list of members did; ``opening`` is the record of the balances it brought along,
    ``unread`` the columns that nothing was made of."""

    added: int
    changed: int
    unchanged: int
    opening: int | None
    unread: list[str]


@router.post("/members/list", status_code=201)
@may(KEEP, everywhere, Message("brought in a list of members"))
def bring_in_members(
    request: Request,
    file: Annotated[UploadFile, File(description="CSV: number, name, …")],
    rulebook: Annotated[str, Form(max_length=100, description="Whose balances they are.")] = "",
    date: Annotated[
        str, Form(pattern=r"^(\d{4}-\d\d-\d\d)?$", description="The balances' day.")
    ] = "",
    why: Annotated[str, Form(max_length=500, description="If balances are corrected.")] = "",
    dry_run: Annotated[bool, Form()] = False,
    by: Annotated[str, Form(max_length=200, description=WHO_DOES_THIS)] = "",
) -> MemberListAnswer:
    """Add and change members from a list, with the balances they bring along; the same list again
    changes nothing."""
    service, events = ledger_service(request), event_service(request)
    service.begin()
    whose = events.rulebook(rulebook) if rulebook else None
    upload = Upload.sent(file, "members.csv")
    listed = events.members_in(upload, kind_names(service.ledger, whose))
    who = who_of(request, by)
    done = enrol_list(service.ledger, listed, upload.name, who, whose, dry_run, why, date)
    return MemberListAnswer(
        added=done.added,
        changed=done.changed,
        unchanged=done.unchanged,
        opening=done.opening,
        unread=list(done.unread),
    )


@router.get("/members/{member_id}")
@may(READ, shared)
def member(request: Request, member_id: Id) -> MemberAnswer:
    """One member."""
    with ledger_service(request).reading() as connection:
        return MemberAnswer(**MEMBERS.data(seen_member(request, connection, member_id)))


@router.patch("/members/{member_id}")
@may(KEEP, everywhere, mark("changed member {member_id}"))
def change_member(request: Request, member_id: Id, asked: MemberChange) -> MemberAnswer:
    """Another name, number or wish of a member."""
    with ledger_service(request).ledger.writing(by=own_name(request)) as connection:
        if one_member(connection, member_id).name == members.ERASED:
            raise InTheWay(Message("member {member_id} was erased", member_id=member_id))
        members.change(connection, member_id, **asked.model_dump(exclude_none=True))
        return MemberAnswer(**MEMBERS.data(one_member(connection, member_id)))


@router.get("/members/{member_id}/statement")
@may(READ, shared)
def member_statement(request: Request, member_id: Id) -> StatementAnswer:
    """All of a member's postings, those of merged members too, and what they add up to."""
    with ledger_service(request).reading() as connection:
        account = statement(connection, seen_member(request, connection, member_id))
    return StatementAnswer(**statement_data(account))


@router.get("/members/{member_id}/ranks")
@may(READ, shared)
def member_ranks(request: Request, member_id: Id) -> list[PromotionAnswer]:
    """Every rank a member reached, and by which event."""
    service = ledger_service(request)
    with service.reading() as connection:
        own = seen_member(request, connection, member_id)
        return [
            PromotionAnswer(scheme=scheme, **PROMOTIONS.data(one))
            for scheme in _schemes(connection)
            for one in history(
                connection, own.id, scheme, ladder(scheme, service.settings.rulebooks)
            )
        ]


@operations(
    "POST /members/{member_id}/merge",
    KEEP,
    everywhere,
    mark("merged member {member_id} with another"),
    form="/ledger/people/{member_id}/merge",
    then="/ledger/members/{into}",
    status_code=201,
)
def merge_member(request: Request, member_id: Id, asked: MergeRequest) -> RecordedAnswer:
    """Count a member's postings as another's; nothing is moved, so it can be taken back."""
    who = who_of(request, asked.by)
    with ledger_service(request).ledger.writing(by=who) as connection:
        first, into = (one_member(connection, one) for one in (member_id, asked.into))
        return RecordedAnswer(record=members.merge(connection, first.id, into.id, who, asked.why))


@router.post("/members/{member_id}/unmerge", status_code=201)
@may(KEEP, everywhere, mark("took the merger of member {member_id} back"))
def unmerge_member(request: Request, member_id: Id, asked: ReasonRequest) -> RecordedAnswer:
    """Take a merger back: the postings count as before."""
    who = who_of(request, asked.by)
    with ledger_service(request).ledger.writing(by=who) as connection:
        own = one_member(connection, member_id)
        return RecordedAnswer(record=members.unmerge(connection, own.id, who, asked.why))


@router.post("/members/{member_id}/erasure", status_code=201)
@may(KEEP, everywhere, mark("erased member {member_id}"))
def erase_member(request: Request, member_id: Id, asked: ReasonRequest) -> RecordedAnswer:
    """Forget a person: name, number and wishes go, the postings stay with a bare id. Remarks say
    where somebody wrote the name into what the chain keeps for good."""
    who = who_of(request, asked.by)
    with ledger_service(request).ledger.writing(by=who) as connection:
        own = one_member(connection, member_id)
        left = members.left_for_good(connection, members.group(connection, own.id))
        record = members.erase(connection, own.id, who, asked.why)
        return RecordedAnswer(record=record, remarks=[str(place) for place in left])


@router.get("/ranks")
@may(READ)
def ranks(
    request: Request,
    limit: Limit = 100,
    offset: Offset = 0,
    after: Annotated[
        str,
        Query(pattern=r"^(\d{1,4}-\d{1,15})?$", description="Where the page before ended."),
    ] = "",
) -> Page[RungAnswer]:
    """Everybody on the ladder of each scheme, the highest first, one scheme after the other."""
    service = ledger_service(request)
    with service.reading() as connection:
        public = not sees_everybody(request)
        place = _PageStart.read(after, limit + 1, offset)
        rungs = PageOf(_rungs(connection, service.settings.rulebooks, place, public), limit)
        schemes = list(_schemes(connection))
        everybody = (count(connection, scheme, public) for scheme in schemes)
        total = None if after else sum(everybody)
    page = [RungAnswer(scheme=schemes[place], **RANKS.data(one)) for place, one in rungs]
    behind = f"{rungs[-1][0]}-{rungs[-1][1].member.id}" if rungs.more else ""
    return page_after(page, request.url.path, limit, behind, total)


class _PageStart(NamedTuple):
    """Where a page begins: behind a member of the scheme at this place, so many rungs of it, the
    first few passed over."""

    scheme: int
    member: int | None
    limit: int
    offset: int

    @classmethod
    def read(cls, after: str, limit: int, offset: int) -> _PageStart:
        scheme, _, member = after.partition("-")
        return cls(int(scheme or 0), int(member) if member else None, limit, offset)


def _rungs(
    connection: Connection,
    folders: Sequence[str | FilePath],
    begin: _PageStart,
    public: bool,
) -> Iterator[tuple[int, Rung]]:
    """The rungs of a page, each with the place of its scheme."""
    behind, left, passed = begin.member, begin.limit + begin.offset, 0
    for place, scheme in enumerate(_schemes(connection)):
        if place < begin.scheme or not left:
            continue
        steps = ladder(scheme, folders)
        for rung in listed(connection, scheme, steps, left, behind, public):
            left, passed = left - 1, passed + 1
            if passed > begin.offset:
                yield place, rung
        behind = None


def _schemes(connection: Connection) -> Iterator[str]:
    yield from dict.fromkeys(kind.scheme for kind in kinds.all_kinds(connection))
