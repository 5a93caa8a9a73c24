"""What clubs send in: received, held, posted, refused; and each receipt for its club to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import File, Form, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from honours.errors import InputError
from honours.ledger import office, receipts
from honours.ledger.answers import receipt_text
from honours.ledger.receipts import STATUSES, Receipt
from honours.ledger.shapes import RECEIPTS
from honours.model.message import Message
from honours.model.rights import LOOK, POST
from honours.web.events.service import event_service
from honours.web.http.access import anywhere, guarded_router, may
from honours.web.http.forms import whole
from honours.web.http.problems import Problem, problem_of
from honours.web.http.requester import clubs_to_choose, may_at
from honours.web.ledger.access import receipt as receipt_named
from honours.web.ledger.intake_api import decided, own_clubs, take_in_sent
from honours.web.ledger.service import ledger_service
from honours.web.templating import render

router = guarded_router()
_SHOWN = 200
_EXAMPLE = "kind=pairs winners=1"
_LIGHTS = {"posted": "green", "already posted": "green", "refused": "red"}
_DECISIONS = {
    office.OURS: Message("post what the rulebook gives"),
    office.THEIRS: Message("post what the club awarded"),
    office.ASK: Message("ask the club"),
}


@router.get("/ledger/intake")
@may(LOOK)
def received(request: Request) -> Response:
    """What was received, the latest first."""
    return _shown(request)


def _shown(
    request: Request,
    done: list[Receipt] | None = None,
    problem: Problem | None = None,
    decided: Sequence[office.Decided] = (),
    letters: Sequence[tuple[str, Message]] = (),
) -> Response:
    query = request.query_params
    status, before = query.get("status", ""), whole(query.get("after", ""))
    with ledger_service(request).reading() as connection:
        clubs = own_clubs(request, connection)
        chosen = status if status in STATUSES else ""
        some = receipts.listed(connection, _SHOWN, before, chosen, clubs)
        counts = receipts.counts(connection) if clubs is None else {}
        waiting = office.held(connection, clubs)[:_SHOWN]
    following = f"/ledger/intake?status={chosen}&after={some[-1].id}" if some.more else ""
    return render(
        request,
        "ledger_intake.html",
        422 if problem else 200,
        done=RECEIPTS.table(done).used() if done else None,
        problem=problem,
        waiting=waiting,
        decided=decided,
        letters=letters,
        decisions=_DECISIONS,
        received=some,
        lights=_LIGHTS,
        counts=counts,
        statuses=STATUSES,
        chosen=chosen,
        following=following,
        books=event_service(request).rulebooks(),
        clubs=clubs_to_choose(request, POST),
        anywhere=may_at(request, POST, ""),
        example=_EXAMPLE,
    )


@router.post("/ledger/intake")
@may(POST, anywhere, Message("took in what was sent"))
def take_in(
    request: Request,
    file: Annotated[list[UploadFile], File()],
    by: Annotated[str, Form()] = "",
    rulebook: Annotated[str, Form()] = "",
    given: Annotated[str, Form()] = "",
    club: Annotated[str, Form()] = "",
    date: Annotated[str, Form(pattern=r"^(\d{4}-\d\d-\d\d)?$")] = "",
    hold: Annotated[bool, Form()] = False,
    as_usual: Annotated[bool, Form()] = False,
) -> Response:
    """Take files in; each event gets its receipt."""
    options = {"club": club, "hold": hold, "day": date, "as_usual": as_usual}
    try:
        done = take_in_sent(request, file, rulebook, _given(given), options, by)
    except InputError as error:
        return _shown(request, problem=problem_of(error))
    return _shown(request, done)


def _given(text: str) -> dict[str, str]:
    """``kind=pairs winners=1``, as commands take it."""
    parts = [part.partition("=") for part in text.split()]
    if wrong := [key for key, sign, _ in parts if not sign]:
        raise InputError("{wrong}: expected e.g. {example}", wrong=wrong[0][:40], example=_EXAMPLE)
    return {key: value for key, _, value in parts}


@router.post("/ledger/intake/decide")
@may(POST, anywhere, Message("decided about returns that were held"))
def decide(
    request: Request,
    receipt: Annotated[list[int], Form()],
    decision: Annotated[str, Form()],
    why: Annotated[str, Form()] = "",
    by: Annotated[str, Form()] = "",
) -> Response:
    """Decide about some of what is held, at once."""
    try:
        done, letters = decided(request, receipt, decision, why, by)
    except InputError as error:
        return _shown(request, problem=problem_of(error))
    return _shown(request, decided=done, letters=letters)


@router.get("/ledger/intake/{number}")
@may(LOOK, receipt_named)
def one(request: Request, number: int) -> Response:
    """One receipt, to be read or sent on."""
    receipt = ledger_service(request).receipt(number)
    return render(request, "ledger_receipt.html", receipt=receipt, text=receipt_text(receipt))
