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
    lab,
    lab_questions,
    ledger,
    people,
    rulings,
)

router = APIRouter(include_in_schema=False)
PARTS = (home, calculators, events, rulings, awards, downloads, ledger, lab, lab_questions)
for part in (*PARTS, conformance, developers, people):
    router.include_router(part.router)
