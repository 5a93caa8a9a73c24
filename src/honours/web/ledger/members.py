"""The ledger's members, for people and programs: who they are, what they hold, where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import date as calendar_date
from typing import Annotated, Any

from fastapi import File, Form, Query, UploadFile
from pydantic import BaseModel
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from honours.demo import file as demo_file
from honours.errors import InputError
from honours.formats.reading import iso_day
from honours.language import shown_day
from honours.ledger import kinds, members
from honours.ledger import operations as acts
from honours.ledger.answers import unread_columns
from honours.ledger.canonical import digest
from honours.ledger.enrol import Enrolment, enrol_list, kind_names
from honours.ledger.lists import LISTS, ListQuery
from honours.ledger.ranks import Promotion, history, ladder
from honours.ledger.shapes import (
    MEMBERS,
    POSTINGS,
    PROMOTIONS,
    openings_table,
    statement_data,
)
from honours.ledger.statement import Statement, statement
from honours.ledger.store import Ledger
from honours.model.member import DETAILS, Member
from honours.model.message import Message, mark
from honours.model.rights import EVERY_CLUB, KEEP, READ
from honours.web.curves import CurvePicture, CurvePoint, curve_picture
from honours.web.events.service import event_service
from honours.web.events.store import Upload
from honours.web.http.access import (
    Thing,
    everywhere,
    may,
    may_at,
    own_key,
    own_name,
    shared,
    who_of,
)
from honours.web.http.api import Id, Key, Page, Paging, address_after, leads_to
from honours.web.http.forms import FormFields, whole
from honours.web.http.operations import Operations
from honours.web.http.problems import InTheWay, Problem, problem_of
from honours.web.ledger.acting import add_operation
from honours.web.ledger.api_models import (
    WHO_DOES_THIS,
    MemberAnswer,
    MemberChange,
    MemberRequest,
    PromotionAnswer,
    StatementAnswer,
)
from honours.web.ledger.service import ledger_service, one_member, seen_member, sees_everybody
from honours.web.templating import language_of, render

operations = Operations("ledger: members", "/ledger")
api, pages = operations.api, operations.pages
EXAMPLE = "members.csv"
_ABOUT_ONE = ("member", "change_member", "member_statement", "member_ranks")
_LARGEST_LIST = 16 << 20
_TO_BE_A_LINE = 2
_SHOWN = 200
"""So many are on one page."""


def known_member(request: Request) -> Thing:
    """The member an address names, who is everybody's."""
    with ledger_service(request).reading() as connection:
        one_member(connection, int(request.path_params["member_id"]))
    return Thing(EVERY_CLUB)


# --- who there is ---------------------------------------------------------------------------------


@api.get("/members")
@may(READ)
def all_members(
    request: Request,
    paging: Paging,
    find: Annotated[str, Query(max_length=100, description="Part of a name, or a number.")] = "",
) -> Page[MemberAnswer]:
    """Members by name; who does not want to be published is shown to secretaries only."""
    public = not sees_everybody(request)
    with ledger_service(request).reading() as connection:
        rows = members.listed(connection, paging.limit, paging.behind, find, public)
        counted = not (paging.after or find)
        total = members.count(connection, public) if counted else None
    page = [MemberAnswer(**MEMBERS.data(one)) for one in rows]
    return paging.page(page, rows.more and rows[-1].id, total)


@pages.get("/ledger/members")
@may(READ)
def everybody(request: Request) -> Response:
    return _listed(request)


def _listed(
    request: Request,
    done: Enrolment | None = None,
    problem: Problem | None = None,
    form: Mapping[str, str] | None = None,
    foreseen: bool = False,
) -> Response:
    """The members; with what a list did, or would do where that is only ``foreseen``."""
    find, after = _asked(request)
    with ledger_service(request).reading() as connection:
        public = not sees_everybody(request)
        shown = members.listed(connection, _SHOWN, after, find, public)
    schemes = [book for book in event_service(request).rulebooks() if book.ranks]
    return render(
        request,
        "ledger_members.html",
        422 if problem else 200,
        people=MEMBERS.table(shown).without("member"),
        keeps=may_at(request, KEEP, ""),
        find=find,
        following=address_after(request, shown.more and shown[-1].id),
        done=done,
        foreseen=foreseen,
        openings=openings_table(done.balances) if done else None,
        unread=unread_columns(done) if done else [],
        filled=form or {},
        problem=problem,
        books=schemes,
    )


def _asked(request: Request) -> tuple[str, int | None]:
    """Return whom to look for, and after which member the page begins."""
    query = request.query_params
    return query.get("find", "").strip()[:100], whole(query.get("after", ""))


# --- one by one, or by a list ---------------------------------------------------------------------


@operations(
    "POST /members",
    KEEP,
    everywhere,
    Message("added a member"),
    form="/ledger/people/new",
    then="/ledger/members/{member}",
    status_code=201,
    responses={201: leads_to("member_id", "/member", *_ABOUT_ONE)},
)
def add_member(
    request: Request, response: Response, asked: MemberRequest, idempotency_key: Key = ""
) -> MemberAnswer:
    """Add a member."""

    def work(ledger: Ledger) -> dict[str, Any]:
        with ledger.writing(by=_who(request, asked), why=asked.why) as connection:
            return {"member": members.add(connection, **asked.details())}

    service = ledger_service(request)
    request_digest = digest(f"add_member {asked.model_dump_json()}")
    number = service.once(own_key(request, idempotency_key), request_digest, work)["member"]
    response.headers["location"] = f"{request.url.path}/{number}"
    with service.reading() as connection:
        return MemberAnswer(**MEMBERS.data(one_member(connection, number)))


def _who(request: Request, asked: MemberRequest | MemberChange) -> str:
    return own_name(request) or asked.by


@operations(
    "PATCH /members/{member_id}",
    KEEP,
    everywhere,
    mark("changed member {member_id}"),
    form="/ledger/people/{member_id}/edit",
    then="/ledger/members/{member_id}",
)
def change_member(request: Request, member_id: Id, asked: MemberChange) -> MemberAnswer:
    """Another name, number or wish of a member."""
    with ledger_service(request).ledger.writing(
        by=_who(request, asked), why=asked.why
    ) as connection:
        if one_member(connection, member_id).name == members.ERASED:
            raise InTheWay(Message("member {member_id} was erased", member_id=member_id))
        members.change(connection, member_id, **asked.details())
        return MemberAnswer(**MEMBERS.data(one_member(connection, member_id)))


@pages.get("/ledger/people/new")
@may(KEEP, everywhere)
def new_member(request: Request) -> Response:
    """The form for a new member."""
    return render(request, "member_form.html", filled={}, member=None, details=DETAILS)


@pages.get("/ledger/people/{member_id}/edit")
@may(KEEP, everywhere)
def edit_form(request: Request, member_id: int) -> Response:
    """The form with what is kept of a member."""
    with ledger_service(request).reading() as connection:
        member = one_member(connection, member_id)
    return render(
        request, "member_form.html", filled=asdict(member), member=member, details=DETAILS
    )


class MemberListAnswer(BaseModel):
    """The changes that a list of members made; ``opening`` is the record of the balances it brought
    along, ``unread`` the columns that nothing was made of."""

    added: int
    changed: int
    unchanged: int
    opening: int | None
    unread: list[str]


@api.post("/members/list", status_code=201)
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
    ledger_service(request).begin()
    said = {"rulebook": rulebook, "day": date, "why": why, "by": by}
    done = _enrolled(request, Upload.sent(file, EXAMPLE), said, dry_run)
    return MemberListAnswer.model_validate(done, from_attributes=True)


@pages.post("/ledger/members")
@may(KEEP, everywhere, Message("brought in a list of members"))
def bring_in(
    request: Request,
    members_list: Annotated[UploadFile, File(alias="list")],
    form: FormFields,
) -> Response:
    """Members from a list: new ones, changed ones, and the balances they bring along; ``preview``
    shows them and changes nothing."""
    return _brought_in(request, Upload.sent(members_list, "members"), form)


@pages.post("/ledger/members/example")
@may(KEEP, everywhere, Message("brought in the example members"))
def bring_in_example(request: Request, form: FormFields) -> Response:
    """The bundled list of members."""
    example = Upload(EXAMPLE, demo_file(EXAMPLE).read_bytes())
    return _brought_in(request, example, {**form, "rulebook": "sbu-clubs-2016"})


def _brought_in(request: Request, upload: Upload, form: Mapping[str, str]) -> Response:
    foreseen = bool(form.get("preview"))
    try:
        done = _enrolled(request, upload, form, foreseen)
    except InputError as error:
        return _listed(request, problem=problem_of(error), form=form)
    return _listed(request, done, form=form if foreseen else None, foreseen=foreseen)


def _enrolled(
    request: Request, upload: Upload, said: Mapping[str, str], dry_run: bool
) -> Enrolment:
    """Take in a list of members, or only find out what it would do."""
    if len(upload.content) > _LARGEST_LIST:
        raise InputError(
            "{name}: larger than {largest_list} MB",
            name=upload.name,
            largest_list=_LARGEST_LIST >> 20,
        )
    ledger, events = ledger_service(request).ledger, event_service(request)
    whose = events.rulebook(said["rulebook"]) if said.get("rulebook") else None
    day = iso_day("day", said["day"]) if said.get("day") else ""
    people = events.members_in(upload, kind_names(ledger, whose))
    who, why = who_of(request, said.get("by", "")), said.get("why", "").strip()
    return enrol_list(ledger, people, upload.name, who, whose, dry_run, why, day)


# --- two that are one, and somebody who is forgotten ----------------------------------------------


add_operation(
    operations,
    acts.merge_member,
    "POST /members/{member_id}/merge",
    KEEP,
    known_member,
    mark("merged member {member_id} with another"),
    form="/ledger/people/{member_id}/merge",
    then="/ledger/members/{into}",
    status_code=201,
)
add_operation(
    operations,
    acts.unmerge_member,
    "POST /members/{member_id}/unmerge",
    KEEP,
    known_member,
    mark("took the merger of member {member_id} back"),
    status_code=201,
)
add_operation(
    operations,
    acts.erase_member,
    "POST /members/{member_id}/erasure",
    KEEP,
    known_member,
    mark("erased member {member_id}"),
    status_code=201,
)
add_operation(
    operations,
    acts.record_act,
    "POST /members/{member_id}/acts",
    KEEP,
    known_member,
    mark("wrote down an act of member {member_id}"),
    status_code=201,
)


@pages.get("/ledger/people/{member_id}/merge")
@may(KEEP, everywhere)
def merge_form(request: Request, member_id: int, into: str = "") -> Response:
    """Show whom to merge into whom, and what they would hold together."""
    problem, other, together = None, None, []
    with ledger_service(request).reading() as connection:
        member = one_member(connection, member_id)
        if into.strip():
            try:
                other = members.find(connection, into[:100])
                together = _together(connection, member, other)
            except InputError as error:
                problem = problem_of(error)
    context = {"member": member, "other": other, "together": together, "into": into}
    code = 422 if problem else 200
    return render(request, "member_merge.html", code, **context, problem=problem)


def _together(connection: Any, one: Member, other: Member) -> list[tuple[str, ...]]:
    """Return what each holds of every kind of points, and both."""
    if one.id == other.id:
        raise InputError("that is the same member")
    mine, theirs = (statement(connection, each).balances for each in (one, other))
    kinds = dict.fromkeys((*mine, *theirs))
    return [
        (
            f"{kind.scheme}, {kind.name}",
            *(kind.shown(units) for units in (mine.get(kind, 0), theirs.get(kind, 0))),
            kind.shown(mine.get(kind, 0) + theirs.get(kind, 0)),
        )
        for kind in kinds
    ]


# --- one member -----------------------------------------------------------------------------------


@api.get("/members/{member_id}")
@may(READ, shared)
def member(request: Request, member_id: Id) -> MemberAnswer:
    """One member."""
    with ledger_service(request).reading() as connection:
        return MemberAnswer(**MEMBERS.data(seen_member(request, connection, member_id)))


@api.get("/members/{member_id}/statement")
@may(READ, shared)
def member_statement(request: Request, member_id: Id) -> StatementAnswer:
    """All of a member's postings, those of merged members too, and what they add up to."""
    with ledger_service(request).reading() as connection:
        account = statement(connection, seen_member(request, connection, member_id))
    return StatementAnswer(**statement_data(account))


@api.get("/members/{member_id}/ranks")
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


@pages.get("/ledger/members/{member_id}")
@may(READ, shared)
def member_page(request: Request, member_id: int) -> Response:
    service = ledger_service(request)
    with service.reading() as connection:
        account = statement(connection, seen_member(request, connection, member_id))
    with service.reading() as connection:
        schemes = sorted({line.kind.scheme for line in account.lines})
        reached = [
            promotion
            for scheme in schemes
            for promotion in history(
                connection, account.member.id, scheme, ladder(scheme, service.settings.rulebooks)
            )
        ]
        every = _schemes(connection)
        own = [ListQuery(scheme, member=f"#{account.member.id}") for scheme in every]
        missing = [LISTS["pending"].make(connection, one).table() for one in own]
    return render(
        request,
        "member.html",
        statement=account,
        history=_history(account, reached, language_of(request)),
        reached=reached,
        missing=[table for table in missing if table.rows],
        sees=sees_everybody(request),
        keeps=may_at(request, KEEP, ""),
        lines=POSTINGS.table(account.lines),
    )


def _history(
    account: Statement, reached: Sequence[Promotion], language: str
) -> CurvePicture | None:
    """The balance of each kind of points over time, and where a rank was reached; nothing where it
    is of a single day."""
    sums: dict[Any, int] = {}
    curves: dict[str, list[CurvePoint]] = {}
    for line in account.lines:
        kind = line.kind
        sums[kind] = sums.get(kind, 0) + line.amount
        held = kind.shown(sums[kind])
        says = f"{shown_day(line.day, language)}: {held} {kind.name}"
        point = CurvePoint(calendar_date.fromisoformat(line.day).toordinal(), float(held), says)
        curves.setdefault(kind.name, []).append(point)
    days = sorted({int(point.x) for points in curves.values() for point in points})
    if len(days) < _TO_BE_A_LINE:
        return None
    named = (days[0], days[-1])
    along = [
        (day, shown_day(calendar_date.fromordinal(day).isoformat(), language)) for day in named
    ]
    ranks_ = [
        (calendar_date.fromisoformat(one.day).toordinal(), one.rank) for one in reached if one.day
    ]
    inside = [(day, rank) for day, rank in ranks_ if days[0] <= day <= days[-1]]
    return curve_picture(list(curves.items()), along, reached=inside, steps=True)


def _schemes(connection: Connection) -> Iterator[str]:
    yield from dict.fromkeys(kind.scheme for kind in kinds.all_kinds(connection))
