"""The public page of a player who wants one: what they played that is published, with whom, how
they did, and what they hold. The wish is written down by a secretary, on the member's page."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.ledger import members
from honours.ledger.statement import statement
from honours.model.message import mark
from honours.pipeline.anonymous import HiddenPlayers
from honours.reports.site import INDEX, card_page
from honours.web.events.choices import ScoringChoices
from honours.web.events.people_pages import PlayerEvent, games_of, games_table, trend_of
from honours.web.events.service import EventService
from honours.web.http.access import KEEP, OPEN, everywhere, guarded_router, may
from honours.web.http.forms import FormFields
from honours.web.http.problems import InTheWay, NotThere
from honours.web.http.requester import who_of
from honours.web.ledger.service import ledger_service, one_member
from honours.web.published.players import PublicPlayers, may_have
from honours.web.published.service import as_published, hidden_people
from honours.web.templating import render
from honours.web.texts import language_of

router = guarded_router()


def players_of(request: Request) -> PublicPlayers:
    """The players of this application who want a page."""
    players: PublicPlayers = request.app.state.players
    return players


@router.get("/players/{address}")
@may(OPEN)
def public_player(request: Request, address: str) -> Response:
    nothing = NotThere(mark("nothing is published at this address"))
    member_id = players_of(request).member_at(address)
    service = ledger_service(request)
    if not member_id or not service.there:
        raise nothing
    with service.reading() as connection:
        member = members.get(connection, [members.root(connection, member_id)]).popitem()[1]
        if not may_have(member):
            raise nothing
        held = statement(connection, member).balances
    games = _published_games(request, member.name, member.number)
    return render(
        request,
        "public_player.html",
        name=member.name,
        games=games_table(games, _card),
        partners=Counter(game.partners for game in games if game.partners).most_common(10),
        trend=trend_of(games, language_of(request)),
        held=[(kind.scheme, kind.name, kind.shown(units)) for kind, units in held.items()],
    )


def _published_games(request: Request, name: str, number: str) -> list[PlayerEvent]:
    """What of theirs is public, as it is there: partners who opted out have no name."""
    service: EventService = request.app.state.events
    hidden = hidden_people(request, language_of(request))
    games = games_of(service, name, number, [k for k in service.store.all() if k.address])
    return [_as_public(service, one, hidden) for one in games]


def _as_public(service: EventService, played: PlayerEvent, hidden: HiddenPlayers) -> PlayerEvent:
    """A game without who opted out; scored in another way where it is published, without its
    figures, which the page it leads to has."""
    choices, _ = as_published(service, service.open(played.kept.id))
    others = [hidden.player(player).name for player in played.others]
    line = played.line if choices == ScoringChoices() else played.line._replace(place="", score="")
    return played._replace(line=line, partners=" & ".join(others))


def _card(played: PlayerEvent) -> str:
    """The public scorecard of a game, or the standings where there are no cards."""
    page = INDEX
    own, every = card_page(played.line.entrant), [one.entrant for one in played.summary.lines]
    if played.summary.kind and [card_page(one) for one in every].count(own) == 1:
        page = own
    return f"/p/{played.kept.address}/{page}"


# --- the wish -------------------------------------------------------------------------------------


@router.post("/ledger/people/{member_id}/page")
@may(KEEP, everywhere, mark("gave member {member_id} a public page"))
def give_page(request: Request, member_id: int, form: FormFields) -> Response:
    with ledger_service(request).reading() as connection:
        member = one_member(connection, member_id)
    if not may_have(member):
        raise InTheWay(mark("who does not want to be published has no public page"))
    today = datetime.now(UTC).date().isoformat()
    players_of(request).wants(member_id, today, who_of(request, form.get("by", "")))
    return RedirectResponse(f"/ledger/members/{member_id}", 303)


@router.post("/ledger/people/{member_id}/no-page")
@may(KEEP, everywhere, mark("took away the public page of member {member_id}"))
def take_page(request: Request, member_id: int) -> Response:
    players_of(request).gives_up(member_id)
    return RedirectResponse(f"/ledger/members/{member_id}", 303)


def page_wish(request: Request, member_id: int) -> dict[str, Any]:
    """What a member's page says about the wish for a public page."""
    return {"wish": players_of(request).all().get(member_id)}
