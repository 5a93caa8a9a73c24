"""The ledger as a whole: begun, explained, submitted, the club's year over it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from honours.errors import InputError
from honours.ledger.canonical import digest
from honours.ledger.post import post
from honours.ledger.season import awards as seasonal
from honours.ledger.season.awards import award_data
from honours.ledger.season.plan import Season, season_of
from honours.ledger.season.standings import standings_data
from honours.ledger.shapes import reason_data
from honours.ledger.store import Ledger
from honours.model.message import Message
from honours.model.rights import KEEP, LOOK, POST, READ
from honours.web.events.service import event_service
from honours.web.http.access import anywhere, everywhere, guarded_router, may, shared
from honours.web.http.api import Id, Key
from honours.web.http.problems import NotThere
from honours.web.http.requester import club_for, own_key, who_of
from honours.web.ledger.api_models import (
    LedgerAnswer,
    ReasonAnswer,
    SeasonAwards,
    SeasonPosting,
    SeasonRequest,
    SeasonTable,
)
from honours.web.ledger.seasons import club_in
from honours.web.ledger.service import ledger_service

router = guarded_router(prefix="/ledger", tags=["ledger"])


def _answer(request: Request) -> LedgerAnswer:
    with ledger_service(request).reading() as connection:
        size = ledger_service(request).size(connection)
    return LedgerAnswer(**asdict(size))


@router.get("")
@may(READ)
def ledger(request: Request) -> LedgerAnswer:
    """How much there is in the ledger."""
    return _answer(request)


@router.post("", status_code=201, responses={200: {"model": LedgerAnswer}})
@may(KEEP, everywhere, Message("began the ledger"))
def begin_ledger(request: Request, response: Response) -> LedgerAnswer:
    """Make the ledger; one that is there stays."""
    if ledger_service(request).there:
        response.status_code = 200
    ledger_service(request).begin()
    return _answer(request)


@router.get("/postings/{posting_id}", response_model_exclude_unset=True)
@may(LOOK, shared)
def posting(request: Request, posting_id: Id) -> ReasonAnswer:
    """Why a posting is what it is, as it was explained when it was made."""
    try:
        return ReasonAnswer(**reason_data(ledger_service(request).reason(posting_id)))
    except InputError as error:
        raise NotThere(error.message) from error


# --- the club's year ----------------------------------------------------------------------------


def _season(request: Request, text: str) -> Season:
    """A season whose club's secretary asks; it names no files."""
    whose = club_for(request, KEEP, club_in(text))
    begins = event_service(request).year_begins(whose)
    return replace(season_of(text), club=whose, year_begins=begins)


@router.post("/season/standings")
@may(KEEP)
def season_standings(request: Request, asked: SeasonRequest) -> SeasonTable:
    """A competition's table over events of the ledger."""
    season = _season(request, asked.season)
    ledger = ledger_service(request).ledger
    table = seasonal.standings(season, season.competition(asked.competition), ledger)
    return SeasonTable(**standings_data(table))


@router.post("/season/awards")
@may(POST, anywhere, Message("posted or worked out the awards of a season"))
def season_awards(
    request: Request, asked: SeasonPosting, idempotency_key: Key = ""
) -> SeasonAwards:
    """What a competition awards or is refused; it can be posted at once."""
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
