"""The pages: each module answers for one part of the site."""

from fastapi import APIRouter

from honours.web.pages import (
    awards,
    calculators,
    conformance,
    developers,
    downloads,
    events,
    home,
    ledger,
    rulings,
)

router = APIRouter(include_in_schema=False)
for part in (
    home,
    calculators,
    events,
    rulings,
    awards,
    downloads,
    ledger,
    conformance,
    developers,
):
    router.include_router(part.router)
