"""The ledger: members and their ranks, statements, drafts to release, and whether it is sound."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.engine.numbers import show
from honours.errors import MissingInput
from honours.ledger import kinds, members
from honours.ledger.events import EventToPost
from honours.ledger.ranks import ladder, rungs
from honours.ledger.release import PENDING
from honours.web.book import Book
from honours.web.pages.asking import choices_of
from honours.web.pages.awards import asked_of
from honours.web.pages.home import desk_of
from honours.web.pages.rulings import Said
from honours.web.problems import NotThere
from honours.web.tables import Cell, Table, table
from honours.web.templating import render
from honours.web.texts import mark

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from honours.ledger.statement import Statement
    from honours.web.accounts import Account

router = APIRouter()


def book_of(request: Request) -> Book:
    """The ledger of this application."""
    book: Book = request.app.state.book
    return book


def sees_everybody(request: Request) -> bool:
    """Who does not want to be published is seen by those who keep the ledger, and nobody else."""
    account: Account | None = request.scope.get("account")
    return account is None or account.may("secretary")


@router.get("/ledger")
def overview(request: Request) -> Response:
    book = book_of(request)
    if not book.there:
        return render(request, "ledger_none.html")
    with book.reading() as connection:
        everybody = sees_everybody(request)
        ranks = [one for one in _ladders(connection, book, everybody) if one.rows]
        people = _members(connection, everybody)
    drafts = book.drafts()
    return render(request, "ledger.html", people=people, ranks=ranks, drafts=drafts,
                  pending=[d for d in drafts if d.status == PENDING], where=book.where,
                  by=request.cookies.get("by", ""))  # fmt: skip


def _members(connection: Connection, everybody: bool) -> Table:
    rows = [
        (f"{m.id}", Cell(m.title, f"/ledger/members/{m.id}"), m.number,
         Cell(mark("visitor") if m.visitor else "", word=True),
         Cell(mark("private") if m.opted_out else "", word=True))
        for m in members.everyone(connection)
        if everybody or not m.opted_out
    ]  # fmt: skip
    header = (mark("member"), mark("name"), mark("number"), mark("guest"), mark("publication"))
    return table("members", mark("Members"), header, rows)


def _ladders(connection: Connection, book: Book, everybody: bool) -> Iterator[Table]:
    """A ladder for each federation whose points are held."""
    for scheme in sorted({kind.scheme for kind in kinds.all_kinds(connection)}):
        found = rungs(connection, scheme, ladder(scheme, book.settings.rulebooks))
        rows = [
            (Cell(r.member.title, f"/ledger/members/{r.member.id}"),
             show(sum(r.points.values(), Fraction(0))), r.rank, r.next,
             ", ".join(f"{kind} {show(least)}" for kind, least in r.missing.items()))
            for r in found
            if everybody or not r.member.opted_out
        ]  # fmt: skip
        header = (mark("name"), mark("points"), mark("rank"), mark("next"), mark("still needs"))
        yield table("ranks", scheme, header, rows)


@router.post("/ledger")
def begin(request: Request) -> Response:
    book_of(request).begin()
    return RedirectResponse("/ledger", 303)


@router.get("/ledger/members/{member_id}")
def member(request: Request, member_id: int) -> Response:
    found = book_of(request).statement(member_id)
    if found.member.opted_out and not sees_everybody(request):
        raise NotThere(f"there is no member {member_id}")
    rows = [
        (Cell(str(p.posting), f"/ledger/postings/{p.posting}"), p.day or p.at[:10], p.title,
         p.kind.name, p.shown, p.why if p.action != "award" else "")
        for p in found.lines
    ]  # fmt: skip
    header = (mark("posting"), mark("date"), mark("event"), mark("kind"), mark("points"),
              mark("remark"))  # fmt: skip
    return render(request, "member.html", found=found, chart=_history(found),
                  lines=table("statement", mark("Statement"), header, rows))  # fmt: skip


def _history(found: Statement) -> dict[str, Any]:
    """The balance of each kind of points over time."""
    sums: dict[Any, int] = {}
    rows = []
    for line in found.lines:
        sums[line.kind] = sums.get(line.kind, 0) + line.amount
        held = float(line.kind.shown(sums[line.kind]))
        rows.append({"day": line.day or line.at[:10], "points": held, "kind": line.kind.name})
    encoding = {
        "x": {"field": "day", "type": "temporal", "title": None},
        "y": {"field": "points", "type": "quantitative"},
        "color": {"field": "kind", "title": None, "legend": {"orient": "top"}},
    }
    mark_ = {"type": "line", "interpolate": "step-after", "point": True}
    return {"data": {"values": rows}, "mark": mark_, "encoding": encoding}


@router.get("/ledger/postings/{posting}")
def why(request: Request, posting: int) -> Response:
    if not sees_everybody(request):  # an explanation may name anybody
        raise HTTPException(403, "This takes the role of a secretary.")
    return render(request, "posting.html", found=book_of(request).reason(posting))


@router.post("/ledger/verify")
def check(request: Request) -> Response:
    return render(request, "verified.html", found=book_of(request).verify())


# --- drafts -------------------------------------------------------------------------------------


@router.post("/events/{event_id}/draft")
def draft(request: Request, event_id: str, said: Said) -> Response:
    """Hold what the event is awarded, to be looked at and released."""
    desk, book = desk_of(request), book_of(request)
    opened = desk.open(event_id)
    asked, choices = asked_of(request, desk, opened), choices_of(request)
    lists = desk.lists(opened, choices)
    played = opened.ruled if opened.found.events else None
    day = said.get("day", "") or (str(played.date) if played and played.date else "")
    event = EventToPost(opened.kept.title, lists, desk.rulebook(asked.rulebook), asked.given, day,
                        said.get("club", "") or (played.club if played else ""),
                        opened.kept.name)  # fmt: skip
    book.begin()
    outcome = book.draft(event, _who(said))
    return render(request, "drafted.html", outcome=outcome)


@router.post("/ledger/drafts/{number}/release")
def let_go(request: Request, number: int, said: Said) -> Response:
    outcome = book_of(request).release(number, _who(said))
    return render(request, "drafted.html", outcome=outcome)


@router.post("/ledger/drafts/{number}/withdraw")
def take_back(request: Request, number: int, said: Said) -> Response:
    book_of(request).withdraw(number, _who(said), said.get("why", ""))
    return RedirectResponse("/ledger", 303)


def _who(said: dict[str, str]) -> str:
    if not said.get("by", "").strip():
        raise MissingInput("by", "who does this")
    return said["by"].strip()[:200]
