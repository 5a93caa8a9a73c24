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
    ledger_drafts,
    ledger_members,
    people,
    rulings,
    seasons,
    submissions,
)

router = APIRouter(include_in_schema=False)
EVENTS = (home, calculators, events, rulings, awards, downloads)
LEDGER = (ledger, ledger_members, ledger_drafts, seasons, submissions)
for part in (*EVENTS, *LEDGER, lab, lab_questions, conformance, developers, people):
    router.include_router(part.router)
