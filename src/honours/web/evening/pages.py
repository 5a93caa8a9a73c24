"""The director's pages of an evening, and the big screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse

from honours.engine.rulebook import Rulebook
from honours.evening.codes import SCREEN
from honours.evening.evening import Evening
from honours.evening.hidden_boards import hidden_from, may_have_codes
from honours.evening.live import (
    correctable_until,
    minutes_of,
    missing,
    progress,
    round_clock,
    shows_standings,
    stray_results,
    tables_now,
    to_look_at,
)
from honours.evening.paper import PAPER, TABLES, at_table, paper_data
from honours.evening.results import uncompared_boards
from honours.evening.store import KeptEvening
from honours.evening.swiss_rounds import begun_triangle
from honours.formats.format import BRIDGE
from honours.formats.rulings import (
    ASKED,
    NOTES,
    in_words,
    read_ruling,
    ruling_kind,
    typed_words,
)
from honours.model.message import Message, mark
from honours.model.rights import DIRECT, OPEN, READ
from honours.model.table import Column, Kind, Table, headed, table
from honours.reports import views
from honours.reports.movements import seating_table
from honours.reports.pdf import typeset
from honours.web.evening.access import By, Kept, Service, opened_by, recorded_by, stored_evening
from honours.web.evening.rulebook_fields import asked_fields, chosen_book, given_of
from honours.web.evening.seats_text import seats_text
from honours.web.evening.service import EveningService, as_seen, check_codes, evening_service
from honours.web.evening.stream import streamed
from honours.web.events.names import typed_names
from honours.web.events.operations import check_rulings_seen
from honours.web.events.people import PeopleDirectory
from honours.web.events.ruling_pages import previewed
from honours.web.http.access import guarded_router, may, may_at, own_name
from honours.web.http.forms import FormFields, FormTexts, whole, whole_in
from honours.web.http.problems import NotThere
from honours.web.published.service import hidden_people, without_hidden
from honours.web.templating import cell, language_of, render

router = guarded_router()
_ONE = "/evenings/{evening_id}"


# --- which evening --------------------------------------------------------------------------------


@router.get("/evenings")
@may(READ)
def every_evening(request: Request) -> Response:
    rows = []
    for kept in evening_service(request).all(request.scope.get("requester")):
        evening = kept.now()
        made, of = progress(evening)
        state = Message("play has ended") if evening.ended else Message("being played")
        title = cell(evening.plan.title, f"/evenings/{kept.id}")
        results = f"{made}/{of}" if of else ""
        rows.append((title, evening.plan.date, evening.plan.club, results, state))
    columns = [headed("evening"), headed("date", Kind.DATE), headed("club")]
    columns += [headed("results"), headed("state")]
    return render(request, "evenings.html", evenings=table("evenings", columns, rows).used())


# --- one evening ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class EveningPage:
    """An evening as whoever asks looks at it."""

    request: Request
    service: EveningService
    kept: KeptEvening
    by: str
    """The name under which what they do is recorded."""

    @cached_property
    def evening(self) -> Evening:
        return self.kept.now()

    @property
    def person(self) -> str:
        return own_name(self.request)

    @property
    def scores(self) -> bool:
        return may_at(self.request, DIRECT, self.evening.plan.club or None)

    def act(self, kind: str, content: Mapping[str, Any]) -> None:
        """Do something in their name."""
        self.service.do(self.kept, kind, self.by, content=content)

    def shown(self, template: str, **more: Any) -> Response:
        """A page of the evening, with what every one of them needs."""
        evening = self.evening
        above: dict[str, Any] = {"kept": self.kept, "evening": evening, "scores": self.scores}
        return render(self.request, template, **above, until=correctable_until(evening), **more)

    def back(self, follow: str = "") -> Response:
        """Back to a page of the evening, after something was done."""
        return RedirectResponse(f"/evenings/{self.kept.id}{follow}", 303)


def _page(request: Request, service: Service, kept: Kept, by: By) -> EveningPage:
    return EveningPage(request, service, kept, by)


Page = Annotated[EveningPage, Depends(_page)]


@router.get(_ONE)
@may(READ, stored_evening)
def tonight(page: Page) -> Response:
    return page.shown("tonight.html", **_live(page))


@router.get(_ONE + "/live")
@may(READ, stored_evening)
def live(page: Page) -> Response:
    """The part of the page that changes while play goes on."""
    return page.shown("live.html", **_live(page))


def _live(page: EveningPage) -> dict[str, Any]:
    evening, scores = page.evening, page.scores
    seen = as_seen(page.request, evening)
    stands = page.service.stands(page.kept, evening) if evening.number > 1 else None
    report = stands.report if stands else None
    made, of = progress(evening)
    base = str(page.request.base_url).rstrip("/")
    return {
        "clock": round_clock(evening),
        "minutes": minutes_of(evening, evening.current) if evening.rounds else 0,
        "tables": tables_now(evening),
        "made": made,
        "of": of,
        "missing": missing(evening) if evening.ended or evening.started else [],
        "alone": [f"{field}{board}" for field, board in sorted(uncompared_boards(evening))]
        if evening.ended
        else [],
        "doubtful": to_look_at(seen) if scores else [],
        "strays": stray_results(seen) if scores else [],
        "hidden": hidden_from(evening, page.person),
        "standings": [one.used() for one in views.standings(report)] if report else [],
        "notes": [*report.notes, *views.rule_notes(report)] if report else [],
        "problem": stands.problem if stands else "",
        "book": _rulebook(page),
        "watch_command": f"honours watch FILE --evening {evening.id} --to {base}",
    }


def _rulebook(page: EveningPage) -> Rulebook | None:
    """The rulebook of an evening; none where its file has gone."""
    name = page.evening.plan.rulebook
    try:
        return page.service.events.rulebook(name) if name else None
    except NotThere:
        return None


@router.post(_ONE + "/answered")
@may(DIRECT, stored_evening, mark("answered a table of evening {evening_id}"))
def answered(page: Page, form: FormFields) -> Response:
    """The director has been at a table that called."""
    page.act("call", {"table": whole_in(form, "table"), "on": False})
    return page.back()


# --- names ----------------------------------------------------------------------------------------


@router.get(_ONE + "/names")
@may(DIRECT, stored_evening)
def names(page: Page) -> Response:
    evening = page.evening
    return page.shown(
        "names.html",
        seats=_first_seats(evening),
        gaps=_gaps(evening),
        players_each=_PLAYERS[evening.plan.kind],
    )


_PLAYERS = {"individual": 1, "pairs": 2, "teams": 6}
"""How many players of an entrant are named: a team of four may have two more."""


@router.get(_ONE + "/names/people")
@may(DIRECT, stored_evening)
def people_like(page: Page, q: str = "") -> Response:
    """Return whom a few letters may stand for: members of the ledger and the club's regulars."""
    known = _people(page).completing(q[:100])
    offered = [{"name": one.name, "number": one.number} for one in known]
    return JSONResponse(offered)


def _people(page: EveningPage) -> PeopleDirectory:
    return PeopleDirectory(page.request, page.service.events, page.evening.plan.club)


def _gaps(evening: Evening) -> list[str]:
    """Numbers below the highest that nobody has: of the pair that a half table is without."""
    gaps: list[str] = []
    for name in [one.name for one in evening.plan.sections] or [""]:
        rest = (who.removeprefix(name) for who in evening.entrants if who.startswith(name))
        taken = {int(number) for number in rest if number.isdecimal()}
        gaps += [f"{name}{n}" for n in range(1, max(taken, default=0)) if n not in taken]
    return gaps


def _first_seats(evening: Evening) -> dict[str, Message]:
    """Return the place where each entrant sits down first."""
    first: dict[str, Message] = {}
    for one in evening.rounds:
        for seats in one:
            for side, who in (("NS", seats.ns), ("EW", seats.ew)):
                for entrant in who:
                    first.setdefault(entrant, at_table(evening, seats.table, side))
    return first


@router.post(_ONE + "/names")
@may(DIRECT, stored_evening, mark("named players of evening {evening_id}"))
def set_names(page: Page, form: FormFields) -> Response:
    evening, named = page.evening, {}
    known = _people(page).among(typed_names(form))
    for who in evening.entrants:
        players = [
            {"name": name, "number": _text(form, f"n.{who}.{n}", 40) or known.number_of(name)}
            for n in range(_PLAYERS[evening.plan.kind])
            if (name := _text(form, f"p.{who}.{n}", 100))
        ]
        if players or who in evening.names:
            named[who] = players
    teams = {who: _text(form, f"t.{who}", 100) for who in evening.entrants if f"t.{who}" in form}
    if named or teams:
        page.act("names", {"names": named, "teams": teams})
    return page.back()


def _text(form: FormTexts, name: str, most: int) -> str:
    return form[name].strip()[:most]


# --- settings, cards and hands --------------------------------------------------------------------


@router.get(_ONE + "/settings")
@may(DIRECT, stored_evening)
def settings(page: Page) -> Response:
    evening, kept = page.evening, page.kept
    return page.shown(
        "settings.html",
        books=page.service.events.rulebooks(BRIDGE),
        asked=asked_fields(chosen_book(page.request, evening.plan.rulebook), evening.plan.given),
        me=page.person,
        screen=f"/screen/{kept.code(SCREEN)}",
        codes=[(number, f"/table/{kept.code(number)}") for number in evening.tables]
        if may_have_codes(evening, page.person)
        else [],
    )


@router.post(_ONE + "/settings")
@may(DIRECT, stored_evening, mark("changed settings of evening {evening_id}"))
def change_settings(page: Page, form: FormFields) -> Response:
    plan, person = page.evening.plan, page.person
    playing = {who: pair for who, pair in plan.playing.items() if who != person}
    if form["playing"].strip():
        playing[person] = _text(form, "playing", 12)
    changed: dict[str, Any] = {"leads": bool(form["leads"]), "playing": playing}
    for name in ("show", "standings", "rulebook", "director"):
        if name in form:
            changed[name] = _text(form, name, 100)
    for name in ("minutes_a_board", "minutes_a_move", "correction_minutes"):
        if (minutes := whole(form[name])) is not None:
            changed[name] = minutes
    changed["given"] = given_of(
        form, chosen_book(page.request, form.get("rulebook", plan.rulebook))
    )
    page.service.change_settings(page.kept, page.by, person, changed)
    return page.back("/settings")


# --- the movement, results from paper, and paper --------------------------------------------------


@router.get(_ONE + "/movement")
@may(DIRECT, stored_evening)
def movement(page: Page) -> Response:
    """Show who sits where in every round, and what may be changed in the rounds to come."""
    evening = page.evening
    entered = [place.round for place, line in evening.lines.items() if line.is_there]
    first = min(max(entered, default=0) + 1, max(1, len(evening.rounds)))
    rounds = (
        (number, evening.table_name(s.table), "+".join(s.ns), "+".join(s.ew), s.boards)
        for number, one in enumerate(evening.rounds, 1)
        for s in one
    )
    return page.shown(
        "movement.html",
        rounds=seating_table(rounds),
        first=first,
        text=seats_text(evening, first),
        seated=_seated(evening, page.request.query_params.get("late", "")),
        triangle=bool(begun_triangle(evening)),
        odd=evening.plan.kind == "teams" and len(evening.entrants) % 2 == 1,
    )


def _seated(evening: Evening, late: str) -> Message | None:
    """Return where a pair that came late sits down; nothing if it sits nowhere."""
    if evening.plan.swiss and late in evening.entrants:
        return Message("They are number {pair}, and are paired from the next round on.", pair=late)
    for number, one in enumerate(evening.rounds, 1):
        for seats in one:
            if seats.is_played and late in seats.entrants:
                return Message(
                    "They are pair {pair}, and sit down at table {table} in round {round}.",
                    pair=late,
                    table=evening.table_name(seats.table),
                    round=number,
                )
    return None


@router.get(_ONE + "/grid")
@may(DIRECT, stored_evening)
def grid(page: Page) -> Response:
    """Results from paper: the page holds every sheet, and its script (``static/grid.js``) turns
    them over, so that typing waits for nothing that comes over a network."""
    boards = {place.board for place, _ in page.evening.places()}
    told = page.service.grid(page.kept, page.person, language_of(page.request))
    return page.shown(
        "grid.html",
        grid=told.model_dump(exclude_unset=True),
        hidden=sorted(hidden_from(page.evening, page.person) & boards),
    )


@router.get(_ONE + "/download/{what}.pdf")
@may(DIRECT, stored_evening)
def cards(page: Page, what: str) -> Response:
    """Table cards, guide cards, travellers or score slips to print."""
    if what not in PAPER:
        raise NotThere(mark("there is no download {name}"), name=what[:40])
    evening, kept, base = page.evening, page.kept, str(page.request.base_url).rstrip("/")
    if what == TABLES:
        check_codes(page.request, evening)
    codes = {table: f"{base}/table/{kept.code(table)}" for table in evening.tables}
    data = paper_data(what, evening, codes, language_of(page.request))
    drawn: bytes = page.service.worked(what, partial(typeset, "evening", data))
    headers = {"content-disposition": f'inline; filename="{what}.pdf"'}
    return Response(drawn, media_type="application/pdf", headers=headers)


# --- the big screen -------------------------------------------------------------------------------


@router.get("/screen/{code}")
@may(OPEN)
def screen(request: Request, code: str) -> Response:
    return render(request, "screen.html", screen_code=code, **_shown(request, code))


@router.get("/screen/{code}/live")
@may(OPEN)
def screen_live(request: Request, code: str) -> Response:
    """The part of the screen that changes."""
    return render(request, "screen_live.html", **_shown(request, code))


@router.get("/screen/{code}/stream")
@may(OPEN)
async def screen_stream(request: Request, code: str) -> StreamingResponse:
    """Wakes the screen when there is something new."""
    return streamed(evening_service(request).hub, opened_by(request, code, screen=True)[0])


def _shown(request: Request, code: str) -> dict[str, Any]:
    kept, _ = opened_by(request, code, screen=True)
    evening, service = kept.now(), evening_service(request)
    shows = shows_standings(evening)
    report = service.stands(kept, evening).report if shows and evening.number > 1 else None
    tables = [one.used() for one in views.standings(report)] if report else []
    made, of = progress(evening)
    return {
        "evening": evening,
        "clock": round_clock(evening),
        "made": made,
        "of": of,
        "shows": shows,
        "until": correctable_until(evening),
        "standings": without_hidden(request, report, tables) if report else [],
        "seating": None if shows else _seating(request, evening),
    }


def _seating(request: Request, evening: Evening) -> Table | None:
    """Who sits where in the current round, by names as they may be shown to anybody."""
    hidden = hidden_people(request, language_of(request))
    for player in chain.from_iterable(evening.names.values()):
        hidden.player(player)

    def side(numbers: tuple[str, ...]) -> str:
        known = [evening.title_of(one) for one in numbers if one in evening.names]
        return "  ".join(["+".join(numbers), *known])

    seats = evening.rounds[evening.current - 1] if evening.rounds else ()
    rows = ((0, evening.table_name(s.table), side(s.ns), side(s.ew), s.boards) for s in seats)
    return hidden.table(seating_table(rows).without("round")) if seats else None


# --- rulings while play goes on, made by the same forms as later ---------------------------------


@router.get(_ONE + "/rulings")
@may(DIRECT, stored_evening)
def evening_rulings(page: Page) -> Response:
    evening = page.evening
    if evening.event:
        return RedirectResponse(f"/events/{evening.event}/rulings", 303)
    seen = as_seen(page.request, evening)
    names = {who: evening.title_of(who) for who in evening.entrants}
    rulings = [read_ruling(words) for words in seen.rulings]
    rows = [
        (str(number), in_words(one, names), one.by, one.why, one.law)
        for number, one in enumerate(rulings, 1)
    ]
    columns = [Column("number", Message("No."), Kind.PLACE), headed("ruling")]
    columns += [headed("who rules"), headed("why"), headed("law")]
    made = table("rulings", columns, rows)
    forms = [one for one in ASKED.values() if "bridge" in one.games]
    return page.shown("evening_rulings.html", made=made, forms=forms)


@router.get(_ONE + "/rulings/new")
@may(DIRECT, stored_evening)
def new_evening_ruling(page: Page, kind: str) -> Response:
    filled = {"by": page.by, **page.request.query_params}
    return page.shown("evening_ruling.html", form=ruling_kind(kind), notes=NOTES, filled=filled)


@router.post(_ONE + "/rulings/preview")
@may(DIRECT, stored_evening)
def preview(page: Page, form: FormFields) -> Response:
    """Show what the ruling would change, before it is made."""
    return previewed(
        page.request, form, lambda words: page.service.preview(page.kept, page.person, words)
    )


@router.post(_ONE + "/rulings")
@may(DIRECT, stored_evening, mark("ruled on evening {evening_id}"))
def make_evening_ruling(page: Page, fields: FormFields) -> Response:
    check_rulings_seen(fields["count"], len(page.evening.rulings))
    by = recorded_by(page.request, page.kept, fields["by"])
    kind = ruling_kind(fields["kind"])
    words = typed_words(kind, {**fields, "by": by}, language_of(page.request))
    page.service.rule(page.kept, by, page.person, words)
    return page.back("/rulings")
