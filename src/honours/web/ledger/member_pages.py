"""Members and their ranks, a list of them brought in, and each one's statement with its picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import File, UploadFile
from sqlalchemy import Connection, select
from starlette.requests import Request
from starlette.responses import Response

from honours.demo import file
from honours.errors import InputError
from honours.formats.reading import iso_day
from honours.language import shown_day
from honours.ledger import kinds, members
from honours.ledger.answers import unread_columns
from honours.ledger.enrol import Enrolment, enrol_list, kind_names
from honours.ledger.list_tables import pending_table
from honours.ledger.ranks import Promotion, history, ladder, promotions_by
from honours.ledger.ranks import listed as listed_rungs
from honours.ledger.schema import records, rulebooks
from honours.ledger.shapes import MEMBERS, POSTINGS, PROMOTIONS, RANKS, openings_table
from honours.ledger.statement import Statement, statement
from honours.model.message import Message
from honours.model.rights import KEEP, LOOK, READ
from honours.model.table import Table
from honours.web.curves import CurvePicture, CurvePoint, curve_picture
from honours.web.events.service import event_service
from honours.web.events.store import Upload
from honours.web.http.access import everywhere, guarded_router, may, shared
from honours.web.http.forms import FormFields, whole
from honours.web.http.problems import Problem, problem_of
from honours.web.http.requester import may_at, who_of
from honours.web.ledger.access import seen_member, sees_everybody
from honours.web.ledger.service import ledger_service
from honours.web.templating import render
from honours.web.texts import language_of

router = guarded_router()
EXAMPLE = "members.csv"
_LARGEST_LIST = 16 << 20
_RECENT = 20
_TO_BE_A_LINE = 2
_SHOWN = 200
"""So many are on one page."""


@router.get("/ledger/members")
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
        listed = members.listed(connection, _SHOWN, after, find, public)
    schemes = [book for book in event_service(request).rulebooks() if book.ranks]
    return render(
        request,
        "ledger_members.html",
        422 if problem else 200,
        people=MEMBERS.table(listed).without("member"),
        keeps=may_at(request, KEEP, ""),
        find=find,
        following=_following(request, find=find, after=listed[-1].id) if listed.more else "",
        done=done,
        foreseen=foreseen,
        openings=openings_table(done.balances) if done else None,
        unread=unread_columns(done) if done else [],
        filled=form or {},
        problem=problem,
        books=schemes,
    )


def _asked(request: Request) -> tuple[str, int | None]:
    """Whom to look for, and after which member the page begins."""
    query = request.query_params
    return query.get("find", "").strip()[:100], whole(query.get("after", ""))


def _following(request: Request, **changes: object) -> str:
    """Where the list goes on."""
    return f"{request.url.path}?{urlencode({key: text for key, text in changes.items() if text})}"


@router.post("/ledger/members")
@may(KEEP, everywhere, Message("brought in a list of members"))
def bring_in(
    request: Request,
    members_list: Annotated[UploadFile, File(alias="list")],
    form: FormFields,
) -> Response:
    """Members from a list: new ones, changed ones, and the balances they bring along; ``preview``
    shows them and changes nothing."""
    upload = Upload.sent(members_list, "members")
    return _enrolled(request, upload, form)


@router.post("/ledger/members/example")
@may(KEEP, everywhere, Message("brought in the example members"))
def bring_in_example(request: Request, form: FormFields) -> Response:
    example = Upload(EXAMPLE, file(EXAMPLE).read_bytes())
    return _enrolled(request, example, {"by": form.get("by", ""), "rulebook": "sbu-clubs-2016"})


def _enrolled(request: Request, upload: Upload, form: Mapping[str, str]) -> Response:
    service, events = ledger_service(request), event_service(request)
    foreseen = bool(form.get("preview"))
    try:
        if len(upload.content) > _LARGEST_LIST:
            raise InputError(
                "{name}: larger than {largest_list} MB",
                name=upload.name,
                largest_list=_LARGEST_LIST >> 20,
            )
        whose = events.rulebook(form["rulebook"]) if form.get("rulebook") else None
        listed = events.members_in(upload, kind_names(service.ledger, whose))
        done = enrol_list(
            service.ledger,
            listed,
            upload.name,
            who_of(request, form.get("by", "")),
            whose,
            foreseen,
            form.get("why", "").strip(),
            iso_day("day", form["day"]) if form.get("day") else "",
        )
    except InputError as error:
        return _listed(request, problem=problem_of(error), form=form)
    return _listed(request, done, form=form if foreseen else None, foreseen=foreseen)


# --- ranks ---------------------------------------------------------------------------------------


@router.get("/ledger/ranks")
@may(READ)
def ranks(request: Request) -> Response:
    service = ledger_service(request)
    seen = sees_everybody(request)
    with service.reading() as connection:
        ladders = [one for one in _ladders(connection, request, seen) if one[0].rows]
        promoted = [p for p in _promoted(connection, request) if seen or not p.member.opted_out]
    return render(
        request,
        "ledger_ranks.html",
        ladders=ladders,
        promotions=PROMOTIONS.table(promoted),
    )


def _ladders(
    connection: Connection, request: Request, everybody: bool
) -> Iterator[tuple[Table, str]]:
    """A page of the ladder of each federation whose points are held, and where it goes on; behind
    a member, of that one federation."""
    folders = ledger_service(request).settings.rulebooks
    chosen, (_, after) = request.query_params.get("scheme", ""), _asked(request)
    for scheme in sorted({kind.scheme for kind in kinds.all_kinds(connection)}):
        if chosen not in ("", scheme):
            continue
        behind = after if chosen else None
        steps = ladder(scheme, folders)
        rungs = listed_rungs(connection, scheme, steps, _SHOWN, behind, not everybody)
        on = _following(request, scheme=scheme, after=rungs[-1].member.id) if rungs.more else ""
        yield RANKS.table(rungs, scheme), on


def _promoted(connection: Connection, request: Request) -> list[Promotion]:
    """Who reached a rank by the records posted last."""
    chosen = (
        select(records.c.id, rulebooks.c.rulebook)
        .join(rulebooks, rulebooks.c.hash == records.c.rulebook)
        .where(records.c.action == "award")
        .order_by(records.c.id.desc())
        .limit(_RECENT)
    )
    service = event_service(request)
    known = {book.id: book for book in service.rulebooks()}
    return [
        promotion
        for row in connection.execute(chosen).all()
        if row.rulebook in known
        for promotion in promotions_by(connection, known[row.rulebook], row.id)
    ]


# --- one member ----------------------------------------------------------------------------------


@router.get("/ledger/members/{member_id}")
@may(READ, shared)
def member(request: Request, member_id: int) -> Response:
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
        every = dict.fromkeys(kind.scheme for kind in kinds.all_kinds(connection))
        missing = [pending_table(connection, scheme, account.member) for scheme in every]
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
        point = CurvePoint(date.fromisoformat(line.day).toordinal(), float(held), says)
        curves.setdefault(kind.name, []).append(point)
    days = sorted({int(point.x) for points in curves.values() for point in points})
    if len(days) < _TO_BE_A_LINE:
        return None
    named = (days[0], days[-1])
    along = [(day, shown_day(date.fromordinal(day).isoformat(), language)) for day in named]
    ranks_ = [(date.fromisoformat(one.day).toordinal(), one.rank) for one in reached if one.day]
    inside = [(day, rank) for day, rank in ranks_ if days[0] <= day <= days[-1]]
    return curve_picture(list(curves.items()), along, reached=inside, steps=True)


@router.get("/ledger/postings/{posting}")
@may(LOOK, shared)
def why(request: Request, posting: int) -> Response:
    return render(request, "posting.html", reason=ledger_service(request).reason(posting))
