"""Rulebooks and calculations."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request

from honours.reports.awards import calculation_data
from honours.reports.rulebook import rulebook_data
from honours.web.api.models import (
    Calculated,
    CalculationRequest,
    Limit,
    Offset,
    Page,
    RulebookSummary,
    page,
)
from honours.web.calculator import State
from honours.web.pages.home import desk_of

router = APIRouter(tags=["rulebooks"])


@router.get("/rulebooks")
def rulebooks(request: Request, limit: Limit = 100, offset: Offset = 0) -> Page[RulebookSummary]:
    """Every rulebook."""
    fields = RulebookSummary.model_fields
    found = [
        RulebookSummary(**{name: getattr(book, name) for name in fields})
        for book in desk_of(request).rulebooks()
    ]
    return page(found, request.url.path, limit, offset)


@router.get("/rulebooks/{rulebook_id}")
def rulebook(request: Request, rulebook_id: str) -> dict[str, Any]:
    """What one rulebook asks, its numbers with their clauses, its rules."""
    return rulebook_data(desk_of(request).rulebook(rulebook_id))


@router.post("/calculations")
def calculate(request: Request, asked: CalculationRequest) -> Calculated:
    """Work out awards from bare figures."""
    book = desk_of(request).rulebook(asked.rulebook)
    given = {key: str(value) for key, value in asked.given.items()}
    state = State(given, asked.set, asked.variant, asked.ties)
    done = desk_of(request).calculation(book, state)
    return Calculated(**calculation_data(done.book, given, done.lists, asked.explain))
