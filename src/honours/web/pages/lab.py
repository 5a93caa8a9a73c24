"""The lab: what a change of the rules would do to a whole federation's history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.errors import InputError
from honours.web.api.jobs import jobs_of
from honours.web.laboratory import Laboratory
from honours.web.pages.rulings import Said
from honours.web.problems import NotThere
from honours.web.tables import Cell, Table, table
from honours.web.templating import render

if TYPE_CHECKING:
    from honours.lab.frame import Frame
    from honours.web.jobs import Job

router = APIRouter()
_EVENT = "event"


def lab_of(request: Request) -> Laboratory:
    """The lab of this application."""
    lab: Laboratory = request.app.state.lab
    return lab


@router.get("/lab")
def lab(request: Request) -> Response:
    found = lab_of(request)
    return render(request, "lab.html", corpora=found.names(), said=request.query_params,
                  books=found.desk.rulebooks())  # fmt: skip


@router.post("/lab/corpora")
def make(request: Request, said: Said) -> Response:
    found = lab_of(request)
    name, scale, seed = said.get("name", ""), said.get("scale", ""), said.get("seed", "")
    try:
        size, number = float(scale or "0.02"), int(seed or "1")
    except ValueError as error:
        raise InputError(
            f"scale={scale}, seed={seed}: expected numbers, e.g. 0.02 and 7"
        ) from error
    found.check_new(name, size)
    job = jobs_of(request).start("generate", lambda j: found.generate(j, name, size, number))
    return RedirectResponse(f"/lab/answers/{job.id}", 303)


@router.post("/lab/compare")
def compare(request: Request, said: Said) -> Response:
    found = lab_of(request)
    corpus, a, b = said.get("corpus", ""), said.get("a", ""), said.get("b", "")
    found.path(corpus)
    books = found.rulebook(a), found.rulebook(b)
    job = jobs_of(request).start("compare", lambda j: found.compare(j, corpus, *books))
    query = urlencode({"corpus": corpus, "a": a, "b": b})
    return RedirectResponse(f"/lab/answers/{job.id}?{query}", 303)


@router.get("/lab/answers/{job_id}")
def answer(request: Request, job_id: str) -> Response:
    job = jobs_of(request).get(job_id)
    context: dict[str, Any] = {"job": job, "again": f"/lab?{request.url.query}", "frames": []}
    if job.what == "compare" and job.state == "done":
        context |= {"statement": job.result.statement(), "frames": _frames(job),
                    "provenance": job.result.provenance()}  # fmt: skip
    return render(request, "lab_answer.html", **context)


def _frames(job: Job) -> list[tuple[Table, dict[str, Any] | None]]:
    """Every table of the answer with the chart that suits it."""
    from honours.lab.charts import chart_of

    return [(_table(frame, job.id), chart_of(frame)) for frame in job.result.frames() if len(frame)]


def _table(frame: Frame, job_id: str) -> Table:
    from honours.lab.frame import show

    rows = [[_cell(name, show(row.get(name, "")), job_id) for name in frame.columns]
            for row in frame]  # fmt: skip
    title = frame.title.partition(":")[0]
    return table(title.lower().replace(" ", "-"), title, frame.columns, rows)


def _cell(name: str, text: str, job_id: str) -> str | Cell:
    digits = text.replace(",", "")
    leads = name == _EVENT and digits.isdecimal()
    return Cell(text, f"/lab/answers/{job_id}/events/{digits}") if leads else text


@router.get("/lab/answers/{job_id}/events/{event}")
def one_event(request: Request, job_id: str, event: int) -> Response:
    """An event under both rulebooks, with both explanations."""
    job = jobs_of(request).get(job_id)
    if job.what != "compare" or job.state != "done":
        raise NotThere("that job has no events to explain")
    a, b = job.result.explain(event)
    sides = ((job.result.a.id, a), (job.result.b.id, b))
    return render(request, "lab_event.html", event=event, sides=sides, job=job)


@router.post("/lab/answers/{job_id}/cancel")
def cancel(request: Request, job_id: str) -> Response:
    jobs_of(request).get(job_id).cancel()
    return RedirectResponse("/lab", 303)
