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


def _form(request: Request, fields: dict[str, str], problem: Problem | None = None) -> Response:
    context = _offered(request, fields)
    return render(
        request,
        "set_up.html",
        422 if problem else 200,
        said=fields,
        problem=problem,
        clubs=clubs_to_choose(request, "scorer"),
        books=request.app.state.events.rulebooks(),
        show_words=SHOW,
        standings_words=STANDINGS,
        scoring_words=SCORING,
        kinds_words=MOVEMENTS,
        **context,
    )


def _offered(request: Request, fields: dict[str, str]) -> dict[str, Any]:
    """What may be played, with what it would pay."""
    context: dict[str, Any] = {"offers": [], "offers_problem": ""}
    pairs, boards = fields.get("pairs", ""), fields.get("boards", "") or "24"
    if not pairs.isdecimal() or not boards.isdecimal() or not pairs:
        return context
    try:
        book = fields.get("rulebook", "")
        chosen = request.app.state.events.rulebook(book) if book else None
        every = every_offer(min(int(pairs), 64), min(int(boards), 200), chosen)
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
        for offer in every
    ]
    return context


def _each(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}–{most}"


@router.get("/evenings/movements")
@may(READ)
def offered_movements(request: Request) -> Response:
    """The part of the form that shows what may be played."""
    fields = dict(request.query_params)
    return render(request, "offers.html", said=fields, **_offered(request, fields))


@router.post("/evenings")
@may(SCORE, anywhere, Message("set up an evening"))
def begin(request: Request, form: FormFields) -> Response:
    try:
        asked = _asked(form)
        club, by = club_for(request, "scorer", asked.club), own_name(request)
        if asked.rulebook:
            request.app.state.events.rulebook(asked.rulebook)
        kept = evening_service(request).begin(plan_of(asked, club, by), by, form.get("key", ""))
    except (HonoursError, ValueError) as error:
        problem = error if isinstance(error, HonoursError) else InputError(_first(error))
        return _form(request, form, problem_of(problem))
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


def _asked(form: dict[str, str]) -> EveningRequest:
    values: dict[str, Any] = {
        name: form[name].strip()
        for name in (
            *("title", "date", "club", "series", "section", "director", "movement", "scoring"),
            *("rulebook", "show", "standings", "playing"),
        )
        if form.get(name, "").strip()
    }
    for name in ("pairs", "boards", "correction_minutes"):
        if form.get(name, "").strip().isdecimal():
            values[name] = int(form[name])
    values["given"] = given_in(form.get("given", ""))
    for name in ("watched", "leads", "switched"):
        values[name] = bool(form.get(name))
    if values.get("movement") == "kind":
        values["movement"] = form.get("kind", "")
    return EveningRequest(**values)
