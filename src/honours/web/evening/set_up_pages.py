"""Setting an evening up: what is played, with what each movement would pay."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.engine.numbers import show
from honours.errors import HonoursError, InputError
from honours.model.message import Message
from honours.movements.other_offers import every_offer
from honours.reports.movements import has_balance, movement_name, offer_pays
from honours.web.evening.api_models import EveningRequest
from honours.web.evening.choices import MOVEMENTS, SCORING, SHOW, STANDINGS
from honours.web.evening.service import evening_service
from honours.web.evening.set_up import offer_key, plan_of
from honours.web.http.access import READ, SCORE, anywhere, guarded_router, may
from honours.web.http.forms import FormFields
from honours.web.http.problems import Problem, problem_of
from honours.web.http.requester import club_for, clubs_to_choose, own_name
from honours.web.templating import render

router = guarded_router()


@router.get("/evenings/new")
@may(SCORE)
def new_evening(request: Request) -> Response:
    today = datetime.now().astimezone().date().isoformat()
    return _form(request, {"date": today} | dict(request.query_params))


def _form(request: Request, said: dict[str, str], problem: Problem | None = None) -> Response:
    context = _offered(request, said)
    return render(
        request,
        "set_up.html",
        422 if problem else 200,
        said=said,
        problem=problem,
        clubs=clubs_to_choose(request, "scorer"),
        books=request.app.state.events.rulebooks(),
        show_words=SHOW,
        standings_words=STANDINGS,
        scoring_words=SCORING,
        kinds_words=MOVEMENTS,
        **context,
    )


def _offered(request: Request, said: dict[str, str]) -> dict[str, Any]:
    """What may be played, with what it would pay."""
    context: dict[str, Any] = {"offers": [], "offers_problem": ""}
    pairs, boards = said.get("pairs", ""), said.get("boards", "") or "24"
    if not pairs.isdecimal() or not boards.isdecimal() or not pairs:
        return context
    try:
        book = said.get("rulebook", "")
        chosen = request.app.state.events.rulebook(book) if book else None
        found = every_offer(min(int(pairs), 64), min(int(boards), 200), chosen)
    except HonoursError as error:
        return context | {"offers_problem": error.message}
    context["offers"] = [
        {
            "key": offer_key(offer),
            "offer": offer,
            "name": movement_name(offer.movement),
            "each": _each(offer.least_boards, offer.most_boards),
            "balance": show(offer.balance, 1) if has_balance(offer) else "",
            "time": f"{offer.minutes // 60}:{offer.minutes % 60:02d}",
            "pays": offer_pays(offer),
        }
        for offer in found
    ]
    return context


def _each(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}–{most}"


@router.get("/evenings/movements")
@may(READ)
def offered_movements(request: Request) -> Response:
    """The part of the form that shows what may be played."""
    said = dict(request.query_params)
    return render(request, "offers.html", said=said, **_offered(request, said))


@router.post("/evenings")
@may(SCORE, anywhere, Message("set up an evening"))
def begin(request: Request, said: FormFields) -> Response:
    try:
        asked = _asked(said)
        club, by = club_for(request, "scorer", asked.club), own_name(request)
        if asked.rulebook:
            request.app.state.events.rulebook(asked.rulebook)
        kept = evening_service(request).begin(plan_of(asked, club, by), by, said.get("key", ""))
    except (HonoursError, ValueError) as error:
        told = error if isinstance(error, HonoursError) else InputError(_first(error))
        return _form(request, said, problem_of(told))
    follow = "" if asked.watched else "/names"
    return RedirectResponse(f"/evenings/{kept.id}{follow}", 303)


def _first(error: Exception) -> str:
    """What is wrong with a form, in a line."""
    errors: list[Any] = getattr(error, "errors", list)()
    if not errors:
        return str(error)
    place = ".".join(str(part) for part in errors[0]["loc"])
    return f"{place}=: {errors[0]['msg']}"


def given_in(text: str) -> dict[str, str]:
    """What a rulebook is told: ``class=A section=open``."""
    pairs = [part.partition("=") for part in text.split()[:20]]
    if any(not key or not sign for key, sign, _ in pairs):
        raise InputError(Message("{text!r} is not like class=A section=open", text=text[:60]))
    return {key: value for key, _, value in pairs}


def _asked(said: dict[str, str]) -> EveningRequest:
    told: dict[str, Any] = {
        name: said[name].strip()
        for name in (
            *("title", "date", "club", "series", "section", "director", "movement", "scoring"),
            *("rulebook", "show", "standings", "playing"),
        )
        if said.get(name, "").strip()
    }
    for name in ("pairs", "boards", "correction_minutes"):
        if said.get(name, "").strip().isdecimal():
            told[name] = int(said[name])
    told["given"] = given_in(said.get("given", ""))
    for name in ("watched", "leads", "switched"):
        told[name] = bool(said.get(name))
    if told.get("movement") == "kind":
        told["movement"] = said.get("kind", "")
    return EveningRequest(**told)
