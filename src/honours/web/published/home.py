"""A club's front door, for anybody: what comes and what was, seasons, ranks, and a page for whoever
looks themselves up. All of it is made from what is published; who opted out is nowhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours import clock
from honours.errors import HonoursError
from honours.evening.paper import qr
from honours.formats.entrants import sought
from honours.language import shown_day
from honours.ledger import kinds, members
from honours.ledger.ranks import Rung, ladder, rungs_of
from honours.ledger.season.standings import standings_table
from honours.ledger.shapes import RANKS
from honours.model import Player
from honours.model.message import Message, mark
from honours.model.rights import KEEP, OPEN
from honours.model.table import Cell, Column, Kind, Link, Table, headed, table
from honours.pipeline.anonymous import HiddenPlayers
from honours.reports.site import BOARDS, INDEX, card_page
from honours.reports.travellers import scorecard
from honours.reports.views import board_anchor
from honours.web.evening.service import evening_service
from honours.web.events.choices import ScoringChoices
from honours.web.events.people_pages import PlayerEvent, games_of, games_table, trend_of
from honours.web.events.service import EventService
from honours.web.events.store import StoredEvent
from honours.web.events.summaries import EntrantSummary, Summary, lines_of, summaries
from honours.web.http.access import guarded_router, may
from honours.web.http.problems import NotThere
from honours.web.ledger.club_year import race_curves, year_of
from honours.web.ledger.seasons import StoredSeason, seasons_of
from honours.web.ledger.service import ledger_service
from honours.web.ledger.service import season as season_named
from honours.web.published.calendar import Coming, coming, icalendar
from honours.web.published.clubs import Clubs
from honours.web.published.service import as_published, hidden_people
from honours.web.templating import language_of, render

router = guarded_router()
_LATEST, _FED, _FOUND, _RANKS, _LOOKED_AT, _COSTLY = 60, 30, 30, 10, 8, 6
_SHARE = "%"


class LastEvent(NamedTuple):
    """A published event as the front door shows it: who played, and where their cards are."""

    kept: StoredEvent
    summary: Summary
    first: list[tuple[str, str, str, str]]
    """Place, names, score and address."""


class FrontDoor:
    """A club as anybody may see it."""

    def __init__(self, request: Request, called: str) -> None:
        self.request, self.called = request, called
        self.clubs: Clubs = request.app.state.clubs
        self.events: EventService = request.app.state.events
        published = [one for one in self.events.store.all() if one.address]
        self._alone = request.app.state.accounts is None
        every = ("", *(() if self._alone else (*self.clubs.every(), *(k.club for k in published))))
        named = [one for one in dict.fromkeys(every) if self.clubs.called(one) == called]
        if not named:
            raise NotThere(mark("there is no club {name} here"), name=called[:60])
        self._own = frozenset(named)
        self.settled = self.clubs.settings(named[-1])
        self.name = self.settled.name or named[-1]
        self.published = [one for one in published if self.owns(one.club)]
        self.hidden: HiddenPlayers = hidden_people(request, language_of(request))

    def owns(self, club: str) -> bool:
        """Return whether what is of a club is of this one: all is, where there are no accounts."""
        return self._alone or club in self._own

    @property
    def address(self) -> str:
        return f"/c/{self.called}"

    @property
    def absolute(self) -> str:
        return f"{str(self.request.base_url).rstrip('/')}{self.address}"

    def shown(self, template: str, **context: Any) -> Response:
        """A page in the club's dress."""
        return render(self.request, template, club=self, **context)

    def played(self, most: int) -> list[tuple[StoredEvent, Summary]]:
        """Return what was published, the latest first."""
        known = summaries(self.events, self.published[:_LATEST])
        every = [(one, known[one.id]) for one in self.published if one.id in known]
        return sorted(every, key=lambda one: (one[1].date, one[0].added), reverse=True)[:most]

    def names(self, players: Iterable[tuple[str, str]]) -> str:
        """Return the names of players, without those who opted out."""
        return " & ".join(self.hidden.player(Player(*one)).name for one in players)

    def coming(self) -> list[Coming]:
        """Return what will be played: by the calendar, and evenings that were set up."""
        today = clock.today()
        plans = (kept.now() for kept in evening_service(self.request).evenings.all())
        set_up = [
            Coming(one.plan.date, "", one.plan.title)
            for one in plans
            if self.owns(one.plan.club) and one.plan.date >= today.isoformat() and not one.ended
        ]
        written = coming(self.settled.calendar, today)
        known = {one.day for one in written}
        return sorted([*written, *(one for one in set_up if one.day not in known)])

    def seasons(self) -> list[StoredSeason]:
        return [
            one
            for one in seasons_of(self.request).all()
            if one.published and self.owns(one.season.club)
        ]

    def rungs(self, people: set[tuple[str, str]] | None = None) -> list[tuple[str, list[Rung]]]:
        """Return where those stand who played in what is published, federation by federation;
        nothing unless the club shows it."""
        service = ledger_service(self.request)
        if not self.settled.ranks or not service.there:
            return []
        if people is None:
            known = summaries(self.events, self.published).values()
            people = {player for one in known for player in one.players}
        with service.reading() as connection:
            numbered = members.by_numbers(connection, [number for _, number in people if number])
            found = {one.id: one for one in numbered.values()}
            alike = members.by_names(connection, [name for name, number in people if not number])
            found |= {one[0].id: one[0] for one in alike.values() if len(one) == 1}
            ids = [key for key, one in found.items() if not one.opted_out]
            schemes = sorted({kind.scheme for kind in kinds.all_kinds(connection)})
            folders = service.settings.rulebooks
            every = [(one, rungs_of(connection, one, ladder(one, folders), ids)) for one in schemes]
        held = [
            (one, [rung for rung in rungs if any(rung.points.values())]) for one, rungs in every
        ]
        return [
            (one, sorted(rungs, key=lambda r: (-sum(r.points.values()), r.member.title)))
            for one, rungs in held
            if rungs
        ]


def _front_door(request: Request, called: str) -> FrontDoor:
    return FrontDoor(request, called)


Door = Annotated[FrontDoor, Depends(_front_door)]


# --- pages ----------------------------------------------------------------------------------------


@router.get("/c/{called}")
@may(OPEN)
def home(club: Door) -> Response:
    played = club.played(_LATEST)
    ladders = club.rungs()
    return club.shown(
        "public_home.html",
        last=_last(club, *played[0]) if played else None,
        played=[(one, known, _winners(club, known)) for one, known in played[1:]],
        coming=club.coming(),
        seasons=club.seasons(),
        ladders=[_ladder(club, scheme, rungs[:_RANKS]) for scheme, rungs in ladders],
        more_ranks=any(len(rungs) > _RANKS for _, rungs in ladders),
    )


def _last(club: FrontDoor, kept: StoredEvent, known: Summary) -> LastEvent:
    lines = _as_published(club, kept, known)
    return LastEvent(
        kept,
        known,
        [
            (
                one.place,
                club.names(one.players) or one.entrant,
                one.score,
                card_of(kept, known, one),
            )
            for one in lines
        ],
    )


def _as_published(club: FrontDoor, kept: StoredEvent, known: Summary) -> Sequence[EntrantSummary]:
    """Return who played and how they did as published, which may be scored in another way."""
    opened = club.events.open(kept.id)
    choices, _ = as_published(club.events, opened)
    if opened.account.played is None or choices == ScoringChoices():
        return known.lines
    return lines_of(club.events.scored(opened, choices))


def _winners(club: FrontDoor, known: Summary) -> str:
    first = [club.names(one.players) for one in known.lines if one.place in ("1", "1=")]
    return "; ".join(filter(None, first[:2]))


def _ladder(club: FrontDoor, scheme: str, rungs: list[Rung]) -> Table:
    pages = {str(one.member.id): player_address(club, one.member) for one in rungs}
    return RANKS.table(rungs, scheme).without("number").linked(lambda link: pages[link.name])


def player_address(club: FrontDoor, player: Any) -> str:
    """Return the address of a player's page."""
    return f"{club.address}/players?{urlencode({'name': player.name, 'number': player.number})}"


@router.get("/c/{called}/ranks")
@may(OPEN)
def ranks(club: Door) -> Response:
    ladders = [_ladder(club, scheme, rungs) for scheme, rungs in club.rungs()]
    return club.shown("public_ranks.html", ladders=ladders)


@router.get("/c/{called}/players")
@may(OPEN)
def player(club: Door, name: str = "", number: str = "") -> Response:
    """The page of the player who is looked for, or a list of who it may be."""
    wanted = sought(name[:100])
    known = summaries(club.events, club.published).values()
    people = {player for one in known for player in one.players}
    shown = [one for one in people if club.names([one]) == one[0]]
    exact = {one for one in shown if (number and one[1] == number) or sought(one[0]) == wanted}
    alike = {one for one in shown if wanted and all(w in sought(one[0]) for w in wanted.split())}
    if len({sought(one[0]) for one in exact or alike}) == 1:
        return _page(club, exact or alike)
    found = sorted({one[0] for one in alike})[:_FOUND]
    return club.shown("public_found.html", wanted=name[:100], found=found, people=len(shown))


def _page(club: FrontDoor, who: set[tuple[str, str]]) -> Response:
    name, number = max(who, key=lambda one: bool(one[1]))
    events = games_of(club.events, name, number, club.published)
    games = [_as_public(club, one) for one in events]
    return club.shown(
        "public_player.html",
        name=name,
        games=games_table(games, _card),
        partners=_partners(games),
        trend=trend_of(games, language_of(club.request)),
        rungs=[(scheme, rung) for scheme, rungs in club.rungs(who) for rung in rungs],
        costly=_costly(club, games),
    )


def _as_public(club: FrontDoor, played: PlayerEvent) -> PlayerEvent:
    """A game as it is published, without who opted out."""
    others = [club.hidden.player(one).name for one in played.others]
    every = _as_published(club, played.kept, played.summary)
    line = next((one for one in every if one.entrant == played.line.entrant), played.line)
    return played._replace(line=line, partners=" & ".join(others))


def _card(played: PlayerEvent) -> str:
    return card_of(played.kept, played.summary, played.line)


def card_of(kept: StoredEvent, known: Summary, line: Any) -> str:
    """The public scorecard of an entrant, or the standings where there are no cards."""
    own, every = card_page(line.entrant), [card_page(one.entrant) for one in known.lines]
    page = own if known.kind and every.count(own) == 1 else INDEX
    return f"/p/{kept.address}/{page}"


def _partners(games: list[PlayerEvent]) -> Table:
    """With whom they did well: how often, and the mean of the percentages, the best first."""
    scores: dict[str, list[float]] = defaultdict(list)
    times: dict[str, int] = defaultdict(int)
    for one in games:
        if one.partners:
            times[one.partners] += 1
            if one.line.score.replace(".", "", 1).isdigit() and float(one.line.score) <= 100:
                scores[one.partners].append(float(one.line.score))
    means = {who: sum(few) / len(few) for who, few in scores.items()}
    ordered = sorted(times, key=lambda who: (-means.get(who, 0), -times[who], who))
    columns = (
        headed("partner"),
        headed("times", Kind.NUMBER),
        Column("mean", Message("mean %"), Kind.SHARE),
    )
    rows = [
        (who, str(times[who]), f"{means[who]:.2f}" if who in means else "") for who in ordered[:20]
    ]
    return table("partners", columns, rows)


def _costly(club: FrontDoor, games: list[PlayerEvent]) -> Table | None:
    """The boards that cost most in the latest events, leading to where they are published."""
    found: list[tuple[float, tuple[Cell, ...]]] = []
    keys = ("board", "against", "contract", "result", "score", _SHARE)
    columns: tuple[Column, ...] = ()
    for one in games[:_LOOKED_AT]:
        opened = club.events.open(one.kept.id)
        if opened.account.played is None:
            continue
        try:
            choices, _ = as_published(club.events, opened)
            card = scorecard(club.events.scored(opened, choices), one.line.entrant)
        except HonoursError:  # the event's own page says what is wrong
            continue
        if [column.key for column in card.columns if column.key in keys] != list(keys):
            continue
        place = {column.key: n for n, column in enumerate(card.columns)}
        columns = tuple(card.columns[place[key]] for key in keys)
        for row in card.rows:
            share = row[place[_SHARE]].text
            if share:
                when = Cell(one.kept.title, note=shown_day(one.day, language_of(club.request)))
                board = row[place["board"]]
                cells = (
                    Cell(board.value, link=_board(one.kept, board.link)),
                    when,
                    *(row[place[key]] for key in keys[2:]),
                )
                found.append((float(share), cells))
    worst = sorted(found, key=lambda one: one[0])[:_COSTLY]
    if not worst:
        return None
    event = Column("against", Message("event"))
    return table("scorecard", (columns[0], event, *columns[2:]), [cells for _, cells in worst])


def _board(kept: StoredEvent, link: Link | None) -> Link | None:
    at = (link.at or board_anchor(link.name)) if link else ""
    return Link("", f"/p/{kept.address}/{BOARDS}#{at}")


@router.get("/c/{called}/seasons/{season_id}")
@may(OPEN)
def public_season(club: Door, season_id: str) -> Response:
    """The race of a season that the club shows."""
    kept = next((one for one in club.seasons() if one.id == season_id), None)
    if kept is None:
        raise NotThere(mark("nothing is published at this address"))
    year = year_of(club.request, season_id)
    shown = []
    for one in year.season.competitions:
        try:
            standings = year.standings(one)
        except HonoursError:  # whoever keeps the season is told on its own page
            continue
        for played in standings.rows:
            for one_player in played.players:
                club.hidden.player(one_player)
        drawn = replace(club.hidden.table(standings_table(standings)), caption="")
        picture = race_curves(standings, club.hidden.text, language_of(club.request))
        shown.append((one.title, drawn, picture))
    return club.shown("public_season.html", title=kept.title, competitions=shown)


@router.post("/ledger/seasons/{season_id}/published")
@may(KEEP, season_named, mark("showed or hid season {season_id} on the public page"))
def publish_season(request: Request, season_id: str) -> Response:
    """Show a season on the club's public page, or no longer."""
    seasons_of(request).show(season_id)
    return RedirectResponse(f"/ledger/seasons/{season_id}", 303)


# --- for walls and other sites --------------------------------------------------------------------


@router.get("/c/{called}/club.css")
@may(OPEN)
def sheet(club: Door) -> Response:
    return Response(club.settled.dress.sheet, media_type="text/css")


@router.get("/c/{called}/qr.svg")
@may(OPEN)
def code(club: Door) -> Response:
    """The address of the front door as a QR code."""
    return Response(qr(club.absolute), media_type="image/svg+xml")


@router.get("/c/{called}/calendar.ics")
@may(OPEN)
def calendar(club: Door) -> Response:
    host = club.request.url.hostname or "honours"
    made = icalendar(club.name, club.coming(), host)
    return Response(made, media_type="text/calendar; charset=utf-8")


@router.get("/c/{called}/feed.atom")
@may(OPEN)
def feed(club: Door) -> Response:
    """The latest results, for readers and other sites."""
    entries = [
        (kept, known.date, _moment(kept), _winners(club, known))
        for kept, known in club.played(_FED)
    ]
    latest = max((moment for _, _, moment, _ in entries), default=clock.now().isoformat())
    base = str(club.request.base_url).rstrip("/")
    made = club.shown("feed.xml", entries=entries, latest=latest, base=base)
    return Response(made.body, media_type="application/atom+xml")


def _moment(kept: StoredEvent) -> str:
    moment = datetime.fromisoformat(kept.added)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()
