"""The API, version 1: what the pages do, for programs."""

from fastapi import APIRouter
from fastapi.routing import APIRoute

from honours.web.api import (
    accounts,
    calculations,
    events,
    jobs,
    ledger,
    members,
    posting,
    rulings,
    submissions,
)
from honours.web.api.models import PROBLEMS


def _called(route: APIRoute) -> str:
    """An operation is called as its function is."""
    return route.name


router = APIRouter(prefix="/api/v1", responses=PROBLEMS, generate_unique_id_function=_called)
for part in (calculations, events, rulings, posting, members, ledger, submissions, jobs, accounts):
    router.include_router(part.router)
