"""The club's year, for people and programs: its competitions' tables as the guide prints them, the
events that join them by themselves, and what they award."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import File, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.demo import FILES, file
from honours.errors import InputError, WrongValue
from honours.formats.format import GO
from honours.language import shown_day
from honours.ledger.canonical import digest
from honours.ledger.post import post
from honours.ledger.season import awards as seasonal
from honours.ledger.season.awards import SeasonAward, award_data, knows_seasons
from honours.ledger.season.plan import (
    AGGREGATE,
    FINAL,
    KINDS,
    SCORES,
    TABLE,
    Competition,
    Season,
    season_of,
)
from honours.ledger.season.standings import (
    SeasonStandings,
    race,
    rule_in_words,
    standings_data,
    standings_table,
)
from honours.ledger.store import Ledger
from honours.model.message import Message, mark
from honours.model.rights import KEEP, POST
from honours.model.table import Kind, Table, headed, table
from honours.web.curves import CurvePicture, CurvePoint, curve_picture
from honours.web.events.award_pages import award_list
from honours.web.events.pages import Club
from honours.web.events.service import EventService, event_service
from honours.web.events.store import StoredEvent, Upload
from honours.web.events.summaries import summaries
from honours.web.http.access import (
    anywhere,
    club_for,
    clubs_to_choose,
    may,
    may_at,
    own_key,
    requester_of,
    who_of,
)
from honours.web.http.api import Key
from honours.web.http.forms import FormFields, FormTexts, whole
from honours.web.http.operations import Operations
from honours.web.http.problems import Problem, problem_of
from honours.web.ledger.api_models import SeasonAwards, SeasonPosting, SeasonRequest, SeasonTable
from honours.web.ledger.posting import hold, who_is_new
from honours.web.ledger.seasons import (
    SeasonContext,
    StoredSeason,
    club_in,
    for_club,
    season_text,
    seasons_of,
    with_event,
    without_event,
)
from honours.web.ledger.service import ledger_service, season
from honours.web.templating import cell, language_of, render

operations = Operations("ledger", "/ledger")
api, pages = operations.api, operations.pages
_EXAMPLE = "season/"
_MOST = 12
"""Events offered to be added; there are others on the page of events."""


@pages.get("/ledger/seasons")
@may(KEEP)
def every_season(request: Request) -> Response:
    rows = [
        (
            cell(kept.title, f"/ledger/seasons/{kept.id}"),
            str(len(kept.season.competitions)),
            kept.season.since,
            kept.added[:16],
        )
        for kept in seasons_of(request).all()
        if may_at(request, KEEP, kept.season.club)
    ]
    header = (
        headed("season"),
        headed("competitions", Kind.NUMBER),
        headed("begins", Kind.DATE),
        headed("added", Kind.DATE),
    )
    return render(
        request,
        "seasons.html",
        clubs=clubs_to_choose(request, KEEP),
        seasons=table("seasons", header, rows),
    )


@pages.post("/ledger/seasons")
@may(KEEP, anywhere, Message("brought in a season"))
def bring_in(
    request: Request, files: Annotated[list[UploadFile], File()], club: Club = ""
) -> Response:
    """A season file and the files of the events it counts, all at once."""
    uploads = [Upload.sent(one, "upload") for one in files]
    texts = [one for one in uploads if one.name.lower().endswith(".toml")]
    if len(texts) != 1:
        raise WrongValue(
            "files", "", "{count} season files (.toml) among them; expected one", count=len(texts)
        )
    text = texts[0].content.decode("utf-8", "replace")
    rest = [one for one in uploads if one is not texts[0]]
    return _added(request, texts[0].name, text, rest, club)


@pages.post("/ledger/seasons/example")
@may(KEEP, anywhere, Message("brought in the example season"))
def example(request: Request, club: Club = "") -> Response:
    """The bundled season: a club's Saturdays, as if they were those of the asker's club."""
    names = [name for name in FILES if name.startswith(_EXAMPLE) and name.endswith(".csv")]
    uploads = [Upload(name.rpartition("/")[2], file(name).read_bytes()) for name in names]
    text = file(f"{_EXAMPLE}year.toml").read_text(encoding="utf-8")
    whose = club_for(request, KEEP, club)
    if whose:
        text = text.replace(f'club = "{club_in(text)}"\n', "")
    return _added(request, "year.toml", text, uploads, whose)


def _added(
    request: Request, title: str, text: str, uploads: list[Upload], club: str = ""
) -> Response:
    return RedirectResponse(f"/ledger/seasons/{_kept(request, title, text, uploads, club)}", 303)


def _kept(request: Request, title: str, text: str, uploads: list[Upload], club: str = "") -> str:
    """Keeps a season; its id."""
    text, whose = _of_a_club(request, text, club)
    theirs = [replace(one, club=whose) for one in uploads] if requester_of(request) else uploads
    return seasons_of(request).add(title, text, theirs, event_service(request))


def _of_a_club(request: Request, text: str, club: str) -> tuple[str, str]:
    """A season's text and whose it is: the club it says, or the one its secretary says."""
    named = club_in(text)
    whose = club_for(request, KEEP, named or club)
    return (for_club(text, whose) if whose and not named else text), whose


# --- by a form ------------------------------------------------------------------------------------


@pages.get("/ledger/seasons/new")
@may(KEEP)
def new(request: Request) -> Response:
    service = event_service(request)
    books = service.rulebooks()
    knowing = [book for book in books if knows_seasons(book)]
    return render(
        request,
        "season_new.html",
        anywhere=may_at(request, KEEP, ""),
        clubs=clubs_to_choose(request, KEEP),
        books=((True, knowing), (False, [book for book in books if book not in knowing])),
        events=service.store.all(),
        kinds=KINDS,
        scores=SCORES,
        types=(TABLE, AGGREGATE, FINAL),
    )


@pages.post("/ledger/seasons/new")
@may(KEEP, anywhere, Message("made a season"))
def make(request: Request, form: FormFields) -> Response:
    files = [key.removeprefix("event.") for key in form if key.startswith("event.")]
    title = form["title"]
    season_id = _kept(request, title, season_text(form, files), [])
    if pattern := _pattern(form):
        seasons_of(request).join(season_id, title, pattern)
    return RedirectResponse(f"/ledger/seasons/{season_id}", 303)


def _pattern(form: FormTexts) -> str:
    """Return the pattern that the titles of a series are like, as a form gives it."""
    return " ".join(form["series"].split())[:200]


# --- one season -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CompetitionView:
    """A competition with its table and its awards, or why there are none."""

    title: str
    type: str
    table: Table | None
    left_out: int
    awards: list[tuple[SeasonAward, list[Table]]]
    problem: Problem | None
    rule: str = ""
    race: CurvePicture | None = None
    candidates: Sequence[StoredEvent] = ()
    series: str = ""
    joined: Sequence[tuple[StoredEvent, bool]] = ()
    """Events of the series, and whether each counts."""
    ticked: Sequence[StoredEvent] = ()
    """Events that were chosen one by one."""
    awaited: bool = False
    """Whether there is a series of which no event has come yet."""


@pages.get("/ledger/seasons/{season_id}")
@may(KEEP, season)
def one_season(request: Request, season_id: str, everybody: str = "") -> Response:
    job = seasons_of(request).making(season_id, event_service(request))
    if job is not None:
        return render(request, "season.html", job=job, kept=None)
    year = year_of(request, season_id)
    language = language_of(request)
    shown = [_shown(year, one, bool(everybody), language) for one in year.season.competitions]
    chosen = _chosen(request, year)
    return render(
        request,
        "season.html",
        job=None,
        kept=year.kept,
        season=year.season,
        competitions=shown,
        chosen=chosen,
        everybody=everybody,
        book=year.rulebook,
    )


def year_of(request: Request, season_id: str) -> SeasonContext:
    """A season with what it takes to work it out."""
    service, kept = ledger_service(request), seasons_of(request).get(season_id)
    events = event_service(request)
    season = with_series(events, kept).season
    season = replace(season, year_begins=events.year_begins(season.club))
    return SeasonContext(kept, season, events, service.ledger if service.there else None)


def _shown(
    year: SeasonContext, competition: Competition, everybody: bool, language: str
) -> CompetitionView:
    standing, left_out, awards, problem = None, 0, [], None
    more: dict[str, Any] = {"candidates": _candidates(year, competition)}
    more["series"] = dict(year.kept.series).get(competition.title, "")
    of_it = of_series(year.service, year.kept, competition.title)
    more["joined"] = [(event, event.id not in year.kept.without) for event in of_it]
    declared = year.kept.season.competition(competition.title)
    more["ticked"] = ticked(year.service, year.kept, declared)
    more["awaited"] = bool(more["series"]) and not more["ticked"] and not of_it
    if more["awaited"] and not declared.events.ledger:
        return CompetitionView(competition.title, competition.type, None, 0, [], None, **more)
    try:
        if competition.type in (TABLE, AGGREGATE, FINAL):
            ranked = year.standings(competition)
            standing = replace(standings_table(ranked, everybody), caption="", foot="")
            left_out = len(ranked.rows) - len(ranked.qualified)
            more |= {"rule": rule_in_words(ranked), "race": race_curves(ranked, str, language)}
        if competition.type != TABLE:
            awards = [
                (one, _awards(year, competition, n, one))
                for n, one in enumerate(year.award(competition))
            ]
    except InputError as error:
        problem = problem_of(error)
    return CompetitionView(
        competition.title, competition.type, standing, left_out, awards, problem, **more
    )


def race_curves(
    ranked: SeasonStandings, name: Callable[[str], str], language: str
) -> CurvePicture | None:
    """Draw what each of the leaders had after every event; nothing of a single event."""
    days = [shown_day(event.day, language) for event in ranked.events]
    curves = [
        (
            name(who),
            [
                CurvePoint(n, had, f"{days[n]}: {name(who)}, {had:.2f}")
                for n, had in enumerate(course)
                if had is not None
            ],
        )
        for who, course in race(ranked)
    ]
    if len(days) < 2 or not any(points for _, points in curves):
        return None
    along = [(0, days[0]), (len(days) - 1, days[-1])]
    return curve_picture([one for one in curves if one[1]], along, from_nothing=False)


def _candidates(year: SeasonContext, competition: Competition) -> list[StoredEvent]:
    """Events that may count and do not yet: of the same club and the same season, those called
    like the ones that count first."""
    offered = may_join(year.service, year.season, competition)
    files = {path.name for path in competition.events.files}
    counted = [k.title for k in year.service.store.all() if files & {k.id, k.name}]
    known = {series_of(title) for title in counted}
    ordered = sorted(offered, key=lambda one: (series_of(one[1].title) not in known, one[0]))
    joining = {one.id for one in of_series(year.service, year.kept, competition.title)}
    return [kept for _, kept in ordered if kept.id not in joining][:_MOST]


@pages.post("/ledger/seasons/{season_id}/events")
@may(KEEP, season, mark("added an event to season {season_id}"))
def add_event(request: Request, season_id: str, form: FormFields) -> Response:
    """One more week: its event counts from now on."""
    kept = seasons_of(request).get(season_id)
    event = event_service(request).store.get(form["event"])
    seasons_of(request).change(season_id, with_event(kept.text, _place(form), event.id))
    seasons_of(request).leave_out(season_id, event.id, out=False)
    return RedirectResponse(f"/ledger/seasons/{season_id}", 303)


def _place(form: FormTexts) -> int:
    return whole(form["competition"]) or 0


@pages.post("/ledger/seasons/{season_id}/events/less")
@may(KEEP, season, mark("took an event out of season {season_id}"))
def take_event_out(request: Request, season_id: str, form: FormFields) -> Response:
    """A week that was ticked counts no more; the event itself stays."""
    kept = seasons_of(request).get(season_id)
    event = event_service(request).store.get(form["event"])
    text = without_event(kept.text, _place(form), (event.id, event.name))
    seasons_of(request).change(season_id, text)
    seasons_of(request).leave_out(season_id, event.id)  # nor does a series bring it back
    return RedirectResponse(f"/ledger/seasons/{season_id}", 303)


@pages.post("/ledger/seasons/{season_id}/series")
@may(KEEP, season, mark("chose the series of season {season_id}"))
def choose_series(request: Request, season_id: str, form: FormFields) -> Response:
    """Choose the events that join a competition by themselves."""
    title = seasons_of(request).get(season_id).season.competition(form["competition"]).title
    seasons_of(request).join(season_id, title, _pattern(form))
    return RedirectResponse(f"/ledger/seasons/{season_id}", 303)


@pages.post("/ledger/seasons/{season_id}/joined")
@may(KEEP, season, mark("chose which events of a series count in season {season_id}"))
def tick(request: Request, season_id: str, form: FormFields) -> Response:
    """Leave an event of a series out, or count it again."""
    event = event_service(request).store.get(form["event"])
    seasons_of(request).leave_out(season_id, event.id, out=not form["counts"])
    return RedirectResponse(f"/ledger/seasons/{season_id}", 303)


def _awards(
    year: SeasonContext, competition: Competition, number: int, one: SeasonAward
) -> list[Table]:
    base = f"/ledger/seasons/{year.kept.id}"

    def link(entrant: str) -> str:
        query = {"competition": competition.title, "stage": str(number), "entrant": entrant}
        return f"{base}?{urlencode(query)}"

    return [
        award_list(each, None, link)
        for each in (one.awards.lists if one.awards else ())
        if not each.refusal
    ]


def _chosen(request: Request, year: SeasonContext) -> tuple[str, Any]:
    """The award whose reasons are asked for."""
    query = request.query_params
    if not query.get("entrant"):
        return "", ()
    stage = _stage(year, query.get("competition", ""), query.get("stage", "0"))
    counted = stage.awards.combined.get(query["entrant"], ()) if stage.awards else ()
    return stage.title, counted


def _stage(year: SeasonContext, title: str, number: str) -> SeasonAward:
    stages = year.award(year.season.competition(title))
    place = whole(number)
    if place is None or place >= len(stages):
        raise WrongValue("stage", number[:20], "expected 0 to {count}", count=len(stages) - 1)
    return stages[place]


@pages.post("/ledger/seasons/{season_id}/text")
@may(KEEP, season, mark("changed season {season_id}"))
def change(request: Request, season_id: str, form: FormFields) -> Response:
    club = seasons_of(request).club_of(season_id)
    text = form["text"].replace("\r\n", "\n")
    seasons_of(request).change(season_id, _of_a_club(request, text, club)[0])
    return RedirectResponse(f"/ledger/seasons/{season_id}", 303)


@pages.post("/ledger/seasons/{season_id}/draft")
@may(POST, season, mark("drafted an award of season {season_id}"))
def draft(request: Request, season_id: str, form: FormFields) -> Response:
    """Hold what a competition is awarded, to be looked at and released."""
    year = year_of(request, season_id)
    query = request.query_params
    one = _stage(year, query.get("competition", ""), query.get("stage", "0"))
    if one.awards is None:
        raise InputError("{title} is refused and awards nothing", title=one.title)
    event = seasonal.to_post(year.season, one, year.rulebook)
    again = f"{request.url.path}?{request.url.query}"
    return who_is_new(request, event, form, again) or hold(request, event, form, again)


@pages.post("/ledger/seasons/{season_id}/delete")
@may(KEEP, season, mark("removed season {season_id}"))
def remove(request: Request, season_id: str) -> Response:
    seasons_of(request).remove(season_id)
    return RedirectResponse("/ledger/seasons", 303)


# --- events that join a competition by themselves, told by their title ----------------------------


def series_of(title: str) -> str:
    """Return what the events of a series have in common: the title without dates and numbers."""
    return re.sub(r"[\d\W_]+", " ", title).strip().lower()


def is_of(title: str, pattern: str) -> bool:
    """Return whether an event is of a series: its title is like a pattern with a star, or is the
    name but for dates and numbers."""
    if "*" in pattern:
        return fnmatchcase(title.casefold(), pattern.casefold())
    return series_of(title) == series_of(pattern)


def may_join(
    service: EventService, season: Season, competition: Competition
) -> list[tuple[str, StoredEvent]]:
    """Events that may count for a competition and do not yet, with their days: those of the club
    within the season, of bridge."""
    files = {path.name for path in competition.events.files}
    clubs = {"", season.club}
    every = [
        kept
        for kept in service.store.all()
        if not files & {kept.id, kept.name} and (not season.club or kept.club in clubs)
    ]
    known = summaries(service, every)
    days = [
        (known[kept.id].date, kept)
        for kept in every
        if kept.id in known and GO not in known[kept.id].kind
    ]
    since, until = season.since, season.until
    return [(day, kept) for day, kept in days if day and (not since or since <= day <= until)]


def ticked(
    service: EventService, kept: StoredSeason, competition: Competition
) -> list[StoredEvent]:
    """The events that were chosen one by one, the latest first; of those that came in files of one
    name, the season's own."""
    names = {path.name for path in competition.events.files}
    every = [one for one in service.store.all() if names & {one.id, one.name}]
    own = {one.name for one in every if one.id in kept.events}
    return [one for one in every if one.id in names or one.id in kept.events or one.name not in own]


def of_series(service: EventService, kept: StoredSeason, title: str) -> list[StoredEvent]:
    """The events that a competition's series brings along, those left out too."""
    pattern = dict(kept.series).get(title, "")
    if not pattern:
        return []
    season = kept.season
    offered = may_join(service, season, season.competition(title))
    ordered = sorted(offered, key=lambda one: (one[0], one[1].id))
    return [event for _, event in ordered if is_of(event.title, pattern)]


def with_series(service: EventService, kept: StoredSeason) -> StoredSeason:
    """The season as it counts: with the events that joined by themselves."""
    text = kept.text
    for number, competition in enumerate(kept.season.competitions):
        for event in of_series(service, kept, competition.title):
            if event.id not in kept.without:
                text = with_event(text, number, event.id)
    return replace(kept, text=text)


# --- for programs ---------------------------------------------------------------------------------


def _season(request: Request, text: str) -> Season:
    """A season whose club's secretary asks; it names no files."""
    whose = club_for(request, KEEP, club_in(text))
    begins = event_service(request).year_begins(whose)
    return replace(season_of(text), club=whose, year_begins=begins)


@api.post("/season/standings")
@may(KEEP)
def season_standings(request: Request, asked: SeasonRequest) -> SeasonTable:
    """A competition's table over events of the ledger."""
    season = _season(request, asked.season)
    ledger = ledger_service(request).ledger
    table = seasonal.standings(season, season.competition(asked.competition), ledger)
    return SeasonTable(**standings_data(table))


@api.post("/season/awards")
@may(POST, anywhere, Message("posted or worked out the awards of a season"))
def season_awards(
    request: Request, asked: SeasonPosting, idempotency_key: Key = ""
) -> SeasonAwards:
    """Return what a competition awards or is refused; it can be posted at once."""
    service, season = ledger_service(request), _season(request, asked.season)
    rules = seasonal.rulebook_of(season, service.settings.rulebooks)
    competition = season.competition(asked.competition)
    who = who_of(request, asked.by) if asked.post else ""

    awarded = seasonal.award(season, competition, rules, service.ledger)

    def work(ledger: Ledger) -> dict[str, Any]:
        posted: list[dict[str, Any]] = []
        for one in awarded if asked.post else ():
            if one.awards is not None:
                event = seasonal.to_post(season, one, rules)
                done = post(
                    ledger,
                    event,
                    who,
                    why=asked.why,
                    correct=asked.correct,
                    another=True,
                    overrule=asked.overrule,
                )
                posted.append(
                    {
                        "event": event.title,
                        "status": done.status,
                        "record": done.record,
                        "difference": list(done.difference),
                    }
                )
        return {"posted": posted}

    request_digest = digest(f"season {asked.model_dump_json()}")
    key = own_key(request, idempotency_key) if asked.post else ""
    awards = [award_data(rules, one) for one in awarded]
    return SeasonAwards(awards=awards, **service.once(key, request_digest, work))
