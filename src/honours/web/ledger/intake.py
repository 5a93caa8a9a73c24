"""The intake of what clubs send in, for people and programs: received, held, posted, refused,
decided about, with a receipt for each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Annotated, NamedTuple

from fastapi import File, Form, UploadFile
from pydantic import BaseModel, Field
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from honours.engine.numbers import exact, show
from honours.errors import InputError, WrongValue
from honours.ledger import office, receipts
from honours.ledger.answers import receipt_text
from honours.ledger.intake import IncomingFile, IntakeTerms, take_in
from honours.ledger.receipts import STATUSES, Receipt
from honours.ledger.shapes import RECEIPTS
from honours.model.message import Message, mark
from honours.model.rights import LOOK, POST
from honours.web.events.service import event_service
from honours.web.events.store import Upload
from honours.web.http.access import anywhere, club_for, clubs_to_choose, may, may_at, who_of
from honours.web.http.api import Id, OneOf, Page, Paging, address_after, shaped
from honours.web.http.forms import whole
from honours.web.http.operations import Operations
from honours.web.ledger.api_models import WHO_DOES_THIS
from honours.web.ledger.service import ledger_service
from honours.web.ledger.service import receipt as receipt_named
from honours.web.templating import render

operations = Operations("ledger: intake", "/ledger")
api, pages = operations.api, operations.pages
MOST_FILES = 200
_SHOWN = 200
_EXAMPLE = "kind=pairs winners=1"
_LIGHTS = {"posted": "green", "already posted": "green", "refused": "red"}
_DECISIONS = {
    office.OURS: Message("post what the rulebook gives"),
    office.THEIRS: Message("post what the club awarded"),
    office.ASK: Message("ask the club"),
}


class LineDifference(NamedTuple):
    """A line of a return that is not as the rules have it, and why."""

    who: str
    claimed: str
    ours: str
    cause: str

    @property
    def more(self) -> Fraction:
        """By how much the club awarded more than the rules, or less."""
        claimed, ours = (
            exact(text) if _FIGURE.fullmatch(text) else Fraction(0) for text in self[1:3]
        )
        return claimed - ours


_FIGURE = re.compile(r"\d+(\.\d+)?")


def differences(receipt: Receipt) -> list[LineDifference]:
    """The lines that differ, from what was said of a return when it was taken in."""
    said = [one.values for one in receipt.said if isinstance(one, Message)]
    return [
        LineDifference(*(str(values[name]) for name in ("where", "claimed", "ours", "why")))
        for values in said
        if "claimed" in values
    ]


def _by_weight(receipt: Receipt) -> tuple[bool, Fraction, int]:
    """Return the sort key that puts what nobody was asked about first, then what is off by most."""
    return (
        bool(receipt.asked),
        -sum((abs(one.more) for one in differences(receipt)), Fraction(0)),
        receipt.id,
    )


@shaped(RECEIPTS)
class ReceiptAnswer(BaseModel):
    """The receipt of an event that was sent in."""


class IntakeAnswer(BaseModel):
    """A receipt for every event of every file."""

    receipts: list[ReceiptAnswer]


@operations(
    "POST /intake",
    POST,
    anywhere,
    Message("took in what was sent"),
    form="/ledger/intake",
    then=lambda request, answer: _shown(request, [one.receipt for one in answer.receipts]),
    status_code=201,
)
def take_in_files(
    request: Request,
    file: Annotated[list[UploadFile], File(description="Returns and files of results.")],
    rulebook: Annotated[
        str, Form(max_length=100, description="Which awards; else the one a return names.")
    ] = "",
    given: Annotated[
        str, Form(max_length=5_000, description="What else holds: kind=pairs winners=1, or JSON.")
    ] = "",
    points: Annotated[str, Form(max_length=100)] = "",
    club: Annotated[str, Form(max_length=200, description="Whose events they are.")] = "",
    date: Annotated[
        str, Form(pattern=r"^(\d{4}-\d\d-\d\d)?$", description="Their day, if they say none.")
    ] = "",
    hold: Annotated[bool, Form(description="Hold all for review.")] = False,
    as_usual: Annotated[bool, Form(description="Nothing of them was unusual.")] = False,
    numbers_decide: Annotated[bool, Form()] = False,
    year_begins: Annotated[
        str,
        Form(max_length=10, description="The first day of the clubs' year; else as each settled."),
    ] = "",
    by: Annotated[str, Form(max_length=200, description=WHO_DOES_THIS)] = "",
) -> IntakeAnswer:
    """Take in files of clubs: each event is checked, posted once, held or refused on its own; a
    club's secretary takes in the club's."""
    if len(file) > MOST_FILES:
        raise InputError(
            "{count} files; at most {most_files} at once", count=len(file), most_files=MOST_FILES
        )
    who, events = who_of(request, by), event_service(request)
    terms = IntakeTerms(
        events.rulebook(rulebook) if rulebook else None,
        _given(given),
        points=points,
        club=club if may_at(request, POST, "") else club_for(request, POST, club),
        day=date,
        hold=hold,
        as_usual=as_usual,
        numbers_decide=numbers_decide,
        year_begins=year_begins,
        report=events.ranked,
        usual_year=events.year_begins,
        folders=tuple(events.settings.rulebooks),
    )
    service = ledger_service(request)
    service.begin()
    done = take_in(service.ledger, _incoming(request, file), terms, who)
    return IntakeAnswer(receipts=[ReceiptAnswer(**RECEIPTS.data(one)) for one in done])


def _given(text: str) -> dict[str, str]:
    """``kind=pairs winners=1``, as commands take it, or the same as JSON."""
    if not text.lstrip().startswith("{"):
        parts = [part.partition("=") for part in text.split()]
        if wrong := [key for key, sign, _ in parts if not sign]:
            raise WrongValue("given", wrong[0][:40], "expected e.g. {example}", example=_EXAMPLE)
        return {key: value for key, _, value in parts}
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrongValue("given", text[:40], 'expected JSON, e.g. {{"kind": "pairs"}}') from error
    return {str(key): str(value) for key, value in given.items()}


def _incoming(request: Request, files: Sequence[UploadFile]) -> Iterator[IncomingFile]:
    read = event_service(request).accounts_in
    for one in files:
        upload = Upload.sent(one, "file")
        yield IncomingFile(upload.name, upload.digest, partial(read, upload))


def own_clubs(request: Request, connection: Connection) -> list[str] | None:
    """The clubs whose receipts somebody may see; all, if they keep the whole ledger."""
    if may_at(request, LOOK, ""):
        return None
    return [club for club in receipts.clubs(connection) if may_at(request, LOOK, club)]


@api.get("/receipts")
@may(LOOK)
def all_receipts(
    request: Request,
    paging: Paging,
    status: Annotated[str, OneOf("", *receipts.STATUSES)] = "",
) -> Page[ReceiptAnswer]:
    """Return what was received, for the clubs of whoever asks, the latest first."""
    with ledger_service(request).reading() as connection:
        clubs = own_clubs(request, connection)
        rows = receipts.listed(connection, paging.limit, paging.behind, status, clubs)
        counted = not paging.after and clubs is None and not status
        total = sum(receipts.counts(connection).values()) if counted else None
    items = [ReceiptAnswer(**RECEIPTS.data(one)) for one in rows]
    return paging.page(items, rows.more and rows[-1].id, total)


class Decision(BaseModel):
    """A decision about returns that are held because their points differ."""

    receipts: list[Annotated[int, Field(ge=1, le=10**15)]] = Field(max_length=1_000)
    decision: Annotated[str, OneOf(*office.DECISIONS)]
    why: str = Field("", max_length=2_000)
    by: str = Field("", max_length=200, description=WHO_DOES_THIS)


class DecidedAnswer(BaseModel):
    """The outcome of a decision about a receipt."""

    receipt: int
    status: str
    record: int | None
    said: str


class DecisionAnswer(BaseModel):
    """The outcome of a decision about each receipt, and the letters to clubs that are asked."""

    decided: list[DecidedAnswer]
    letters: dict[str, str]


@api.post("/receipts/decisions")
@may(POST, anywhere, mark("decided about returns that were held"))
def decide(request: Request, body: Decision) -> DecisionAnswer:
    """Decide about returns that are held: what the rulebook gives, what the club awarded, or that
    the club is asked."""
    done, letters = decided(request, body.receipts, body.decision, body.why, body.by)
    answers = [DecidedAnswer(**{**one._asdict(), "said": str(one.said)}) for one in done]
    return DecisionAnswer(decided=answers, letters={club: str(text) for club, text in letters})


def decided(
    request: Request, numbers: Sequence[int], decision: str, why: str, by: str
) -> tuple[list[office.Decided], list[tuple[str, Message]]]:
    """Decide about returns, a club's secretary about the club's, and return what came of it and the
    letters it takes."""
    service, who = ledger_service(request), who_of(request, by)
    with service.reading() as connection:
        own = own_clubs(request, connection)
        waiting = [one for one in office.held(connection, own) if one.id in set(numbers)]
    chosen = [one.id for one in waiting]
    folders = service.settings.rulebooks
    done = office.decide(service.ledger, chosen, decision, who, why, folders)
    asked = waiting if decision == office.ASK else []
    return done, list(office.letters(replace(one, asked=one.asked or "now") for one in asked))


@api.get("/receipts/{receipt_id}")
@may(LOOK, receipt_named)
def one_receipt(request: Request, receipt_id: Id) -> ReceiptAnswer:
    """One receipt, and what became of what was held."""
    return ReceiptAnswer(**RECEIPTS.data(ledger_service(request).receipt(receipt_id)))


# --- the pages ------------------------------------------------------------------------------------


@pages.get("/ledger/intake")
@may(LOOK)
def received(request: Request) -> Response:
    """Show what was received, the latest first."""
    return _shown(request)


def _shown(
    request: Request,
    taken: Sequence[int] = (),
    decided: Sequence[office.Decided] = (),
    letters: Sequence[tuple[str, Message]] = (),
) -> Response:
    """Show what was received, with what was just taken in or decided."""
    query = request.query_params
    status, before = query.get("status", ""), whole(query.get("after", ""))
    with ledger_service(request).reading() as connection:
        clubs = own_clubs(request, connection)
        chosen = status if status in STATUSES else ""
        some = receipts.listed(connection, _SHOWN, before, chosen, clubs)
        counts = receipts.counts(connection) if clubs is None else {}
        waiting = sorted(office.held(connection, clubs), key=_by_weight)[:_SHOWN]
        done = [found for one in taken if (found := receipts.find(connection, one))]
    return render(
        request,
        "ledger_intake.html",
        done=RECEIPTS.table(done).used() if done else None,
        waiting=waiting,
        decided=decided,
        letters=letters,
        decisions=_DECISIONS,
        received=some,
        lights=_LIGHTS,
        differences=differences,
        shown=show,
        counts=counts,
        statuses=STATUSES,
        chosen=chosen,
        following=address_after(request, some.more and some[-1].id),
        books=event_service(request).rulebooks(),
        clubs=clubs_to_choose(request, POST),
        anywhere=may_at(request, POST, ""),
        example=_EXAMPLE,
    )


@pages.post("/ledger/intake/decide")
@may(POST, anywhere, Message("decided about returns that were held"))
def decide_by_form(
    request: Request,
    receipt: Annotated[list[int], Form()],
    decision: Annotated[str, Form()],
    why: Annotated[str, Form()] = "",
    by: Annotated[str, Form()] = "",
) -> Response:
    """Decide about some of what is held, at once."""
    done, letters = decided(request, receipt, decision, why, by)
    return _shown(request, decided=done, letters=letters)


@pages.get("/ledger/intake/{receipt_id}")
@may(LOOK, receipt_named)
def receipt_page(request: Request, receipt_id: int) -> Response:
    """One receipt, to be read or sent on."""
    receipt = ledger_service(request).receipt(receipt_id)
    return render(request, "ledger_receipt.html", receipt=receipt, text=receipt_text(receipt))
