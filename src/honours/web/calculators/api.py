"""Rulebooks and calculations."""

from __future__ import annotations

from typing import Any, cast

from starlette.requests import Request

from honours.model import Entrant, Facts, Field, Player, Standing
from honours.model.rights import READ
from honours.pipeline.api import award
from honours.reports.awards import calculation_data, event_data
from honours.reports.rulebook import in_force, rulebook_data
from honours.web.calculators.api_models import (
    AwardsAnswer,
    CalculationAnswer,
    CalculationRequest,
    ListSent,
    RulebookSummary,
    StandingsRequest,
)
from honours.web.calculators.calculator import CalculatorState, amend, run_amended
from honours.web.events.service import event_service
from honours.web.http.access import guarded_router, may, shared
from honours.web.http.api import Page, Paging

router = guarded_router(tags=["rulebooks"])


@router.get("/rulebooks")
@may(READ)
def rulebooks(request: Request, paging: Paging) -> Page[RulebookSummary]:
    """Every rulebook."""
    listed = [
        RulebookSummary(**in_force(book), revision=book.revision, unit=book.unit)
        for book in event_service(request).rulebooks()
    ]
    return paging.of(listed, "id")


@router.get("/rulebooks/{rulebook_id}")
@may(READ, shared)
def rulebook(request: Request, rulebook_id: str) -> dict[str, Any]:
    """Return what one rulebook asks, its numbers with their clauses, and its rules."""
    return rulebook_data(event_service(request).rulebook(rulebook_id))


@router.post("/calculations")
@may(READ)
def calculate(request: Request, asked: CalculationRequest) -> CalculationAnswer:
    """Work out awards from bare figures."""
    book = event_service(request).rulebook(asked.rulebook)
    given = {key: str(value) for key, value in asked.given.items()}
    state = CalculatorState(given, asked.set, asked.variant, asked.ties)
    done = event_service(request).calculation(book, state)
    return CalculationAnswer(**calculation_data(done.book, given, done.lists, asked.explain))


@router.post("/awards")
@may(READ)
def award_standings(request: Request, asked: StandingsRequest) -> AwardsAnswer:
    """Award standings, and keep nothing. What decides an award and is not said is asked (409)."""
    book = amend(event_service(request).rulebook(asked.rulebook), asked.variant, asked.set)
    given = {key: str(value) for key, value in asked.given.items()}
    lists = [as_field(listed) for listed in asked.lists]
    report = run_amended(book, lambda: award(lists, book, given, as_usual=asked.as_usual))
    assert report.awards is not None
    return AwardsAnswer(**event_data(book, report.awards))


def as_field(sent: ListSent) -> Field:
    """The list as it was sent: every number and name is checked where it is awarded."""
    standings = []
    for one in sent.standings:
        players = tuple(Player(p.name, p.number, cast(Facts, p.facts)) for p in one.players)
        score = cast(Any, one.score)
        entrant = Entrant(one.entrant, players)
        standings.append(Standing(entrant, one.place, score=score, facts=cast(Facts, one.facts)))
    names = ("line", "stratum", "session", "section", "group")
    labels = {name: getattr(sent, name) for name in names}
    return Field(cast(Facts, sent.facts), tuple(standings), **labels)
