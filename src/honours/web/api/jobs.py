"""Long work as resources: started, watched, cancelled."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from honours.web.api.models import JobRequest, JobTold, Limit, Offset, Page, page
from honours.web.figures import go_through
from honours.web.jobs import Job, Jobs

router = APIRouter(tags=["jobs"])


def jobs_of(request: Request) -> Jobs:
    """The jobs of this application."""
    jobs: Jobs = request.app.state.jobs
    return jobs


def _told(job: Job, with_result: bool = True) -> JobTold:
    data: dict[str, Any] = job.data()
    return JobTold(**data | {"result": _result(job) if with_result else None})


def _result(job: Job) -> list[dict[str, Any]] | None:
    """The verdicts of a job about figures, the tables of one of the lab."""
    if job.state != "done":
        return None
    if job.what == "conformance":
        return [verdict.as_dict() for verdict in job.result]
    return [{"corpus": job.result}] if job.what == "generate" else [dict(job.result.data())]


@router.get("/jobs")
def jobs(request: Request, limit: Limit = 100, offset: Offset = 0) -> Page[JobTold]:
    """Every job, the latest first, without results."""
    found = [_told(job, with_result=False) for job in jobs_of(request).all()]
    return page(found, request.url.path, limit, offset)


@router.post("/jobs", status_code=202)
def start(request: Request, response: Response, asked: JobRequest) -> JobTold:
    """Start a job; `location` is where to watch it."""
    job = jobs_of(request).start(asked.what, go_through)
    response.headers["location"] = f"{request.url.path}/{job.id}"
    return _told(job)


@router.get("/jobs/{job_id}")
def job(request: Request, job_id: str) -> JobTold:
    """How far a job is, and its result once it is done."""
    return _told(jobs_of(request).get(job_id))


@router.delete("/jobs/{job_id}", status_code=202)
def cancel(request: Request, job_id: str) -> JobTold:
    """Cancel a job; what is done already is not undone."""
    found = jobs_of(request).get(job_id)
    found.cancel()
    return _told(found)
