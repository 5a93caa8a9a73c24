"""The owner of a job."""

from __future__ import annotations

from starlette.requests import Request

from honours.model.rights import EVERY_CLUB
from honours.web.http.access import Thing
from honours.web.jobs.service import Jobs


def own_job(request: Request) -> Thing:
    """The job an address names: it belongs to those who asked for it, and to whoever may score at
    every club."""
    jobs: Jobs = request.app.state.jobs
    return Thing(EVERY_CLUB, frozenset(jobs.get(str(request.path_params["job_id"])).owners))
