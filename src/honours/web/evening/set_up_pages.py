"""Setting an evening up: what is played, with what each movement would pay."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Any

from fastapi import File, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours import clock
from honours.engine.numbers import show
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, InputError, WrongValue
from honours.evening.sections import MOST_SECTIONS
from honours.formats.format import BRIDGE
from honours.language import shown_figure, words
from honours.model.message import Message
from honours.model.rights import DIRECT, READ
from honours.movements.choosing import KINDS, SIDES, Offer, Wishes, offers_for
from honours.reports.movements import NAMES, has_balance, movement_name, offer_pays, one_problem
from honours.web.evening.api_models import EveningRequest, SectionRequest
from honours.web.evening.rulebook_fields import asked_fields, chosen_book, given_of
from honours.web.evening.service import evening_service
from honours.web.evening.set_up import offer_key, plan_of
from honours.web.events.store import Upload
from honours.web.http.access import (
    anywhere,
    club_for,
    clubs_to_choose,
    guarded_router,
    may,
    own_name,
)
from honours.web.http.forms import FormFields, filled_in
from honours.web.http.problems import Problem, problem_of, unlike
from honours.web.templating import language_of, render

router = guarded_router()


@router.get("/evenings/new")
@may(DIRECT)
def new_evening(request: Request) -> Response:
    today = clock.today().isoformat()
    return _form(request, {"date": today} | dict(request.query_params))


def _form(request: Request, form: dict[str, str], problem: Problem | None = None) -> Response:
    return render(
        request,
        "set_up.html",
        422 if problem else 200,
        filled=form,
        problem=problem,
        clubs=clubs_to_choose(request, DIRECT),
        books=request.app.state.events.rulebooks(BRIDGE),
        kinds=[(kind, words(Message(NAMES[kind]), language_of(request))) for kind in KINDS],
        **_offered(request, form),
    )


def _offered(request: Request, form: dict[str, str]) -> dict[str, Any]:
    """Return what may be played in each section, with what it would pay, for the page."""
    book = chosen_book(request, form.get("rulebook", ""))
    context: dict[str, Any] = {"offered": [], "offers_problem": "", "book": book}
    given = given_of(form, book)
    context["asked"] = asked_fields(book, given, (), form.get("asked", ""))
    many = numbers_in(f"{form.get('pairs', '')} {form.get('more', '')}")
    boards = form.get("boards", "") or "24"
    if not many or not boards.isdecimal():
        return context
    try:
        field = sum(many) if len(many) > 1 else 0
        for at, pairs in enumerate(many):
            side = form.get("missing", "") if form.get("missing") in SIDES else ""
            wishes = Wishes(side, bool(form.get("barometer")), field)
            kind = form.get("plays", "pairs")
            every = offers_for(
                kind, min(pairs, 128), min(int(boards), 200), book, {**given}, wishes
            )
            context["offered"].append(
                _section(at, pairs, every, len(many) > 1, language_of(request))
            )
    except HonoursError as error:
        return context | {"offers_problem": error.message}
    first = context["offered"][0]["every"][:1]
    for section in context["offered"][1:]:
        section["best"] = _most_like(first, section["every"])
    every = [offer for one in context["offered"] for offer in one["every"]]
    missing = {name for offer in every for name in offer.asks.split()}
    asked = asked_fields(book, given, missing, form.get("asked", ""))
    return context | {"offers_problem": one_problem(every), "asked": asked}


def _most_like(first: list[Offer], every: list[Offer]) -> int:
    """Return the place of the movement of a further section that goes best with the first's: as
    many winners, rounds as long and as many, so that the room moves together."""

    def unlike(at: int) -> tuple[bool, bool, int, int]:
        offer, other = every[at], first[0]
        rounds = abs(len(offer.movement.rounds) - len(other.movement.rounds))
        winners = offer.findings.winners != other.findings.winners
        return winners, offer.per_set != other.per_set, rounds, at

    return min(range(len(every)), key=unlike) if first and every else 0


def _section(
    at: int, pairs: int, every: list[Offer], several: bool, language: str
) -> dict[str, Any]:
    """The movements of a section, for the table to choose from."""
    letter = "ABCDEFGH"[at]
    return {
        "letter": letter if several else "",
        "pairs": pairs,
        "field": f"movement.{letter}" if at else "movement",
        "every": every,
        "best": 0,
        "offers": [
            {
                "key": offer_key(offer),
                "offer": offer,
                "name": movement_name(offer.movement),
                "each": _each(offer.least_boards, offer.most_boards),
                "balance": _figure(offer.balance, language) if has_balance(offer) else "",
                "time": f"{offer.minutes // 60}:{offer.minutes % 60:02d}",
                "pays": offer_pays(offer, language) if not offer.problem else "",
            }
            for offer in every
        ],
    }


def _figure(number: Fraction, language: str) -> str:
    return shown_figure(show(number, 1), language)


def numbers_in(text: str) -> list[int]:
    """The numbers of a text like ``14, 12``: of pairs in each section."""
    parts = [part for part in re.split(r"[,;+ ]+", text) if part][:MOST_SECTIONS]
    return [int(part) for part in parts if part.isdecimal() and len(part) < 4]


def _each(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}–{most}"


@router.get("/evenings/movements")
@may(READ)
def offered_movements(request: Request) -> Response:
    """The part of the form that shows what may be played."""
    form = dict(request.query_params)
    context = _offered(request, form)
    others = context["asked"].key != form.get("asked", "")
    return render(request, "offers_part.html", filled=form, other_fields=others, **context)


@router.get("/evenings/asked")
@may(READ)
def asked_of(request: Request) -> Response:
    """The fields of a rulebook that was chosen."""
    book = chosen_book(request, request.query_params.get("rulebook", ""))
    return render(request, "asked.html", asked=asked_fields(book, {}))


@router.post("/evenings")
@may(DIRECT, anywhere, Message("set up an evening"))
def begin(
    request: Request, form: FormFields, file: Annotated[UploadFile | None, File()] = None
) -> Response:
    service = evening_service(request)
    try:
        asked = _asked(form, chosen_book(request, form.get("rulebook", "")))
        club, by = club_for(request, DIRECT, asked.club), own_name(request)
        sent = Upload(file.filename[:200], file.file.read()) if file and file.filename else None
        own = service.movements_in(sent) if sent else ()
        plan = plan_of(asked, club, by, own, sent.name if sent else "")
        kept = service.begin(plan, by, form.get("key", ""))
    except (HonoursError, ValueError) as error:
        problem = error if isinstance(error, HonoursError) else _first(error)
        return _form(request, form, problem_of(problem))
    follow = "" if asked.watched else "/names"
    return RedirectResponse(f"/evenings/{kept.id}{follow}", 303)


_FIELDS = {"kind": "plays"}
"""What a form calls otherwise than the API does."""


def _first(error: Exception) -> InputError:
    """The first error of a form, in a line."""
    errors: list[Any] = getattr(error, "errors", list)()
    if not errors:
        return InputError(str(error))
    place = ".".join(str(part) for part in errors[0]["loc"])
    field = _FIELDS.get(place, place)
    return WrongValue(field, "", unlike(errors[0]))


def _asked(form: dict[str, str], book: Rulebook | None) -> EveningRequest:
    values = filled_in(EveningRequest, {key: [text] for key, text in form.items()})
    values["given"] = given_of(form, book)
    if values.get("movement") == "kind":
        values["movement"] = form.get("kind", "")
    values["kind"] = form.get("plays", "pairs")
    values["sections"] = [
        SectionRequest(pairs=pairs, movement=form.get(f"movement.{letter}", ""))
        for letter, pairs in zip("BCDEFGH", numbers_in(form.get("more", "")), strict=False)
    ]
    return EveningRequest.model_validate(values, strict=False)
