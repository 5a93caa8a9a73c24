"""The API, version 1: what the pages do, for programs."""

from fastapi import APIRouter

from honours.web.api import calculations, events, jobs, rulings
from honours.web.api.models import PROBLEMS

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)
for part in (calculations, events, rulings, jobs):
    router.include_router(part.router)
