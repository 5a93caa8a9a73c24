"""Rulebooks and calculations."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from honours.reports.awards import calculation_data
from honours.reports.rulebook import rulebook_data
from honours.web.calculators.api_models import (
    CalculationAnswer,
    CalculationRequest,
    RulebookSummary,
)
from honours.web.calculators.calculator import CalculatorState
from honours.web.events.service import event_service
from honours.web.http.access import READ, guarded_router, may, shared
from honours.web.http.api import Limit, Offset, Page, page

router = guarded_router(tags=["rulebooks"])


@router.get("/rulebooks")
@may(READ)
def rulebooks(request: Request, limit: Limit = 100, offset: Offset = 0) -> Page[RulebookSummary]:
    """Every rulebook."""
    fields = RulebookSummary.model_fields.keys() - {"standing"}
    listed = [
        RulebookSummary(
            **{name: getattr(book, name) for name in fields}, standing=book.standing.status
        )
        for book in event_service(request).rulebooks()
    ]
    return page(listed, request.url.path, limit, offset)


@router.get("/rulebooks/{rulebook_id}")
@may(READ, shared)
def rulebook(request: Request, rulebook_id: str) -> dict[str, Any]:
    """What one rulebook asks, its numbers with their clauses, its rules."""
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
