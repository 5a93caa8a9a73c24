"""A player's page: what they played here, with whom, how they did, and where it goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from honours.formats.entrants import sought
from honours.language import shown_day
from honours.ledger import members
from honours.model import Player
from honours.model.message import mark
from honours.model.rights import READ
from honours.model.table import Cell, Kind, Link, Table, headed, table
from honours.web.curves import CurvePicture, CurvePoint, curve_picture
from honours.web.events.service import EventService, event_service
from honours.web.events.store import StoredEvent
from honours.web.events.summaries import EntrantSummary, Summary, summaries
from honours.web.http.access import guarded_router, may
from honours.web.http.problems import NotThere
from honours.web.ledger.service import LedgerService
from honours.web.templating import language_of, render

router = guarded_router()
_TO_BE_A_LINE = 2


class PlayerEvent(NamedTuple):
    """One event of a player."""

    day: str
    kept: StoredEvent
    line: EntrantSummary
    others: tuple[Player, ...]
    summary: Summary
    partners: str = ""


@router.get("/people")
@may(READ)
def one_player(request: Request, name: str = "", number: str = "") -> Response:
    """Everything a player played that whoever asks may see, the latest first."""
    service = event_service(request)
    games = games_of(service, name[:200], number[:60], service.store.all())
    if not games:
        raise NotThere(mark("nobody called {name} has played here"), name=(name or number)[:60])
    own = next(n for n, m in games[0].line.players if _is(n, m, name, number))
    return render(
        request,
        "player.html",
        name=own,
        number=number,
        games=games_table(games, _pair),
        partners=Counter(game.partners for game in games if game.partners).most_common(10),
        trend=trend_of(games, language_of(request)),
        member=_member(request, name, number),
    )


def _pair(played: PlayerEvent) -> str:
    return f"/events/{played.kept.id}/pairs/{played.line.entrant}"


def _is(name: str, number: str, wanted: str, wanted_number: str = "") -> bool:
    if number and wanted_number:
        return number == wanted_number
    return sought(name) == sought(wanted)


def games_of(
    service: EventService, name: str, number: str, events: Iterable[StoredEvent]
) -> list[PlayerEvent]:
    """Return what somebody played among some events, the latest first."""
    kept = {one.id: one for one in events}
    games = []
    for event_id, summary in summaries(service, kept.values()).items():
        for line in summary.lines:
            if any(_is(n, m, name, number) for n, m in line.players):
                others = tuple(Player(n, m) for n, m in line.players if not _is(n, m, name, number))
                partners = " & ".join(one.name for one in others)
                games.append(
                    PlayerEvent(summary.date, kept[event_id], line, others, summary, partners)
                )
                break
    return sorted(games, key=lambda one: (one.day, one.kept.added), reverse=True)


def games_table(games: list[PlayerEvent], address: Callable[[PlayerEvent], str]) -> Table:
    """Return a table of games, each leading to its card."""
    columns = (
        headed("date", Kind.DATE),
        headed("event"),
        headed("partner"),
        headed("place", Kind.PLACE),
        headed("score", Kind.NUMBER),
    )
    rows = [
        (
            date.fromisoformat(one.day) if one.day else None,
            Cell(one.kept.title, link=Link("", address(one))),
            one.partners,
            one.line.place,
            one.line.score,
        )
        for one in games
    ]
    return table("player", columns, rows)


def trend_of(games: list[PlayerEvent], language: str) -> CurvePicture | None:
    """A curve through percentages, forward in time; nothing where there is only one."""
    scores = [(one.day, one.line.score) for one in reversed(games) if one.day]
    played = [(shown_day(day, language), score) for day, score in scores if _is_percentage(score)]
    points = [
        CurvePoint(n, float(score), f"{day}: {score}") for n, (day, score) in enumerate(played)
    ]
    if len(points) < _TO_BE_A_LINE:
        return None
    along = [(0, played[0][0]), (len(played) - 1, played[-1][0])]
    return curve_picture([("", points)], along, from_nothing=False)


def _is_percentage(score: str) -> bool:
    try:
        return 0 < float(score) <= 100
    except ValueError:
        return False


def _member(request: Request, name: str, number: str) -> int:
    """The member of the ledger, to go to their statement; 0 where it is not certain who."""
    ledger: LedgerService = request.app.state.ledger
    if not ledger.there:
        return 0
    with ledger.reading() as connection:
        if number:
            member = members.by_number(connection, number)
            return member.id if member else 0
        namesakes = members.by_name(connection, name)
    return namesakes[0].id if len(namesakes) == 1 else 0
