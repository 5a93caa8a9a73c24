"""The director's pages: which evenings there are, and how one goes."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import File, UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from honours.engine.rulebook import Rulebook
from honours.evening.board_lines import BoardPlace
from honours.evening.codes import SCREEN
from honours.evening.evening import Evening
from honours.evening.hidden_boards import hidden_from, may_have_codes
from honours.evening.live import (
    correctable_until,
    minutes_of,
    missing,
    progress,
    round_clock,
    stray_results,
    tables_now,
    to_look_at,
)
from honours.evening.paper import at_table
from honours.evening.results import uncompared_boards
from honours.evening.store import KeptEvening
from honours.model.message import Message, mark
from honours.model.rights import DIRECT, READ
from honours.model.table import Kind
from honours.reports import views
from honours.web.evening.access import (
    By,
    Kept,
    Service,
    act,
    may_begin_rounds,
    may_bring_a_file,
    may_bring_hands,
    may_end,
    may_name_players,
    may_renew_codes,
    may_reopen,
    stored_evening,
)
from honours.web.evening.choices import SHOW, STANDINGS
from honours.web.evening.hands import deals_in
from honours.web.evening.rulebook_fields import asked_fields, chosen_book, given_of
from honours.web.evening.service import as_seen, evening_service
from honours.web.events.names import typed_names
from honours.web.events.people import people
from honours.web.events.store import Upload
from honours.web.http.access import guarded_router, may
from honours.web.http.forms import FormFields, whole, whole_in
from honours.web.http.problems import NotThere
from honours.web.http.requester import may_at, own_name
from honours.web.tables import cell, column, table
from honours.web.templating import render

router = guarded_router()
_ONE = "/evenings/{evening_id}"


# --- which evening -----------------------------------------------------------------


@router.get("/evenings")
@may(READ)
def every_evening(request: Request) -> Response:
    rows = []
    for kept in evening_service(request).all(request.scope.get("requester")):
        evening = kept.now()
        made, of = progress(evening)
        state = Message("play has ended") if evening.ended else Message("being played")
        rows.append(
            (
                cell(evening.plan.title, f"/evenings/{kept.id}"),
                evening.plan.date,
                evening.plan.club,
                f"{made}/{of}" if of else "",
                state,
            )
        )
    header = (
        Message("evening"),
        column(Message("date"), Kind.DATE),
        Message("club"),
        Message("results"),
        Message("state"),
    )
    return render(request, "evenings.html", evenings=table("evenings", "", header, rows).used())


# --- one evening ----------------------------------------------------------------------------------


def head(request: Request, kept: KeptEvening, evening: Evening) -> dict[str, Any]:
    """The context that every page of an evening needs."""
    return {
        "kept": kept,
        "evening": evening,
        "scores": may_at(request, DIRECT, evening.plan.club or None),
        "until": correctable_until(evening),
    }


@router.get(_ONE)
@may(READ, stored_evening)
def tonight(request: Request, kept: Kept) -> Response:
    return render(request, "tonight.html", **_live(request, kept))


@router.get(_ONE + "/live")
@may(READ, stored_evening)
def live(request: Request, kept: Kept) -> Response:
    """The part of the page that changes while play goes on."""
    return render(request, "live.html", **_live(request, kept))


def _live(request: Request, kept: KeptEvening) -> dict[str, Any]:
    evening, service = kept.now(), evening_service(request)
    seen = as_seen(request, evening)
    stands = service.stands(kept, evening) if evening.number > 1 else None
    report = stands.report if stands else None
    made, of = progress(evening)
    base = str(request.base_url).rstrip("/")
    scores = may_at(request, DIRECT, evening.plan.club or None)
    return head(request, kept, evening) | {
        "clock": round_clock(evening),
        "minutes": minutes_of(evening, evening.current) if evening.rounds else 0,
        "tables": tables_now(evening),
        "made": made,
        "of": of,
        "missing": _missing(evening),
        "alone": [f"{field}{board}" for field, board in sorted(uncompared_boards(evening))]
        if evening.ended
        else [],
        "doubtful": to_look_at(seen) if scores else [],
        "strays": stray_results(seen) if scores else [],
        "hidden": hidden_from(evening, own_name(request)),
        "standings": [one.used() for one in views.standings(report)] if report else [],
        "notes": [*report.notes, *views.rule_notes(report)] if report else [],
        "problem": stands.problem if stands else "",
        "book": _rulebook(request, evening),
        "watch_command": f"honours watch FILE --evening {kept.id} --to {base}",
    }


def _rulebook(request: Request, evening: Evening) -> Rulebook | None:
    """The rulebook of an evening; none where its file has gone."""
    try:
        name = evening.plan.rulebook
        book: Rulebook | None = request.app.state.events.rulebook(name) if name else None
    except NotThere:
        return None
    return book


def _missing(evening: Evening) -> list[BoardPlace]:
    """What is still to be entered: of the rounds begun, and when play has ended of all."""
    if evening.ended:
        return missing(evening, len(evening.rounds))
    return missing(evening) if evening.started else []


def _back(kept: KeptEvening, follow: str = "") -> Response:
    return RedirectResponse(f"/evenings/{kept.id}{follow}", 303)


@router.post(_ONE + "/round")
@may_begin_rounds
def begin_round(request: Request, kept: Kept, form: FormFields) -> Response:
    act(request, kept, "round", {"round": whole_in(form, "round")}, form.get("key", ""))
    return _back(kept)


@router.post(_ONE + "/answered")
@may(DIRECT, stored_evening, mark("answered a table of evening {evening_id}"))
def answered(request: Request, kept: Kept, form: FormFields) -> Response:
    """The director has been at a table that called."""
    if (table_number := whole(form.get("table", ""))) is not None:
        act(request, kept, "call", {"table": table_number, "on": False})
    return _back(kept)


@router.post(_ONE + "/end")
@may_end
def end(service: Service, kept: Kept, by: By) -> Response:
    service.end(kept, by)
    return _back(kept)


@router.post(_ONE + "/reopen")
@may_reopen
def reopen(service: Service, kept: Kept, by: By) -> Response:
    service.reopen(kept, by)
    return _back(kept)


# --- names ----------------------------------------------------------------------------------------


@router.get(_ONE + "/names")
@may(DIRECT, stored_evening)
def names(request: Request, kept: Kept) -> Response:
    evening = kept.now()
    return render(
        request,
        "names.html",
        **head(request, kept, evening),
        seats=_first_seats(evening),
        gaps=_gaps(evening),
        players_each=players_each(evening),
    )


_PLAYERS = {"individual": 1, "pairs": 2, "teams": 6}
"""How many players of an entrant are named: a team of four may have two more."""


def players_each(evening: Evening) -> int:
    return _PLAYERS[evening.plan.kind]


@router.get(_ONE + "/names/people")
@may(DIRECT, stored_evening)
def people_like(request: Request, kept: Kept, q: str = "") -> Response:
    """Who a few letters may stand for: members of the ledger and the club's regulars."""
    known = people(request, request.app.state.events, kept.now().plan.club)
    offered = [{"name": one.name, "number": one.number} for one in known.completing(q[:100])]
    return JSONResponse(offered)


def _gaps(evening: Evening) -> list[str]:
    """Numbers below the highest that nobody has: of the pair that a half table is without."""
    gaps: list[str] = []
    for name in [one.name for one in evening.plan.sections] or [""]:
        rest = (who.removeprefix(name) for who in evening.entrants if who.startswith(name))
        taken = {int(number) for number in rest if number.isdecimal()}
        gaps += [f"{name}{n}" for n in range(1, max(taken, default=0)) if n not in taken]
    return gaps


def _first_seats(evening: Evening) -> dict[str, Message]:
    """Where everybody sits down first."""
    first: dict[str, Message] = {}
    for one in evening.rounds:
        for seats in one:
            for side, who in (("NS", seats.ns), ("EW", seats.ew)):
                for entrant in who:
                    first.setdefault(entrant, at_table(evening, seats.table, side))
    return first


@router.post(_ONE + "/names")
@may_name_players
def set_names(request: Request, kept: Kept, form: FormFields) -> Response:
    evening, named = kept.now(), {}
    everybody = people(request, request.app.state.events, evening.plan.club)
    known = everybody.among(typed_names(form))
    for who in evening.entrants:
        players = [
            {"name": name, "number": _text(form, f"n.{who}.{n}", 40) or known.number_of(name)}
            for n in range(players_each(evening))
            if (name := _text(form, f"p.{who}.{n}", 100))
        ]
        if players or who in evening.names:
            named[who] = players
    teams = {who: _text(form, f"t.{who}", 100) for who in evening.entrants if f"t.{who}" in form}
    if named or teams:
        act(request, kept, "names", {"names": named, "teams": teams})
    return _back(kept)


def _text(form: dict[str, str], name: str, most: int) -> str:
    return form.get(name, "").strip()[:most]


# --- settings, cards and hands --------------------------------------------------------------------


@router.get(_ONE + "/settings")
@may(DIRECT, stored_evening)
def settings(request: Request, kept: Kept) -> Response:
    evening = kept.now()
    return render(
        request,
        "settings.html",
        **head(request, kept, evening),
        books=request.app.state.events.rulebooks(),
        asked=asked_fields(chosen_book(request, evening.plan.rulebook), evening.plan.given),
        show_words=SHOW,
        standings_words=STANDINGS,
        me=own_name(request),
        screen=f"/screen/{kept.code(SCREEN)}",
        codes=[(number, f"/table/{kept.code(number)}") for number in evening.tables]
        if may_have_codes(evening, own_name(request))
        else [],
    )


@router.post(_ONE + "/settings")
@may(DIRECT, stored_evening, mark("changed settings of evening {evening_id}"))
def change_settings(
    request: Request, service: Service, kept: Kept, by: By, form: FormFields
) -> Response:
    plan = kept.now().plan
    playing = {who: pair for who, pair in plan.playing.items() if who != own_name(request)}
    if form.get("playing", "").strip():
        playing[own_name(request)] = _text(form, "playing", 12)
    changed: dict[str, Any] = {"leads": bool(form.get("leads")), "playing": playing}
    for name in ("show", "standings", "rulebook", "director"):
        if name in form:
            changed[name] = _text(form, name, 100)
    for name in ("minutes_a_board", "minutes_a_move", "correction_minutes"):
        if (minutes := whole(form.get(name, ""))) is not None:
            changed[name] = minutes
    changed["given"] = given_of(form, chosen_book(request, form.get("rulebook", plan.rulebook)))
    service.change_settings(kept, by, own_name(request), changed)
    return _back(kept, "/settings")


@router.post(_ONE + "/codes")
@may_renew_codes
def renew_codes(request: Request, kept: Kept) -> Response:
    act(request, kept, "codes")
    return _back(kept, "/settings")


@router.post(_ONE + "/hands")
@may_bring_hands
def bring_hands(request: Request, kept: Kept, file: Annotated[UploadFile, File()]) -> Response:
    deals = deals_in(request, Upload.sent(file, "hands"))
    act(request, kept, "deals", {"deals": deals})
    return _back(kept, "/settings")


@router.post(_ONE + "/file")
@may_bring_a_file
def bring_file(
    service: Service, kept: Kept, by: By, file: Annotated[UploadFile, File()]
) -> Response:
    service.take_file(kept, by, Upload.sent(file, "file"))
    return _back(kept)
