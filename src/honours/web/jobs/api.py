"""Long work as resources: started, watched, cancelled."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import File, Form, UploadFile
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.errors import WrongValue
from honours.lab.questions import QUESTIONS, read_program_question
from honours.model.message import Message, mark
from honours.model.rights import EVERY_CLUB, READ, SCORE
from honours.web.conformance.service import go_through
from honours.web.http.access import Thing, anywhere, may, may_at, own_name
from honours.web.http.api import OneOf, Page, Paging, StrictRequest, Text, leads_to
from honours.web.http.operations import Operations
from honours.web.http.problems import NotThere
from honours.web.jobs.service import Job, Jobs
from honours.web.lab.service import (
    lab_service,
    read_history_request,
    read_program_corpus_request,
    sent_to_import,
)
from honours.web.ledger.service import ledger_service, verification

operations = Operations("jobs")
router = operations.api
_ABOUT_ONE = ("job", "cancel_job", "remove_job")


_SAID = "What the form of the lab's page says, and the words of its address. " + " ".join(
    f"`{kind}`: {', '.join(f'`{key}`' for key in declared.keys)}."
    for kind, declared in QUESTIONS.items()
)


class JobRequest(StrictRequest):
    """Long work to be done: every figure the sources print gone through again, the ledger
    verified, a synthetic year made (name, scale, seed), or a question to the lab."""

    what: Annotated[str, OneOf("conformance", "verification", "generate", *QUESTIONS)] = Field(
        examples=["audit"]
    )
    club: Text = Field("", description="The club; required if you score at several.")
    said: Annotated[
        dict[Text, Text],
        Field(max_length=50, description=_SAID),
    ] = Field(default_factory=dict, examples=[{"a": "sbu-clubs-2016"}])


class JobAnswer(BaseModel):
    """The state of a job; ``result`` once it is done."""

    id: str
    what: str
    state: str
    done: int
    total: int
    so_far: str | None
    error: str | None
    result: list[dict[str, Any]] | None


def jobs_of(request: Request) -> Jobs:
    """The jobs of this application."""
    jobs: Jobs = request.app.state.jobs
    return jobs


def own_job(request: Request) -> Thing:
    """The job an address names: it belongs to those who asked for it, and to whoever may score at
    every club."""
    named = jobs_of(request).get(str(request.path_params["job_id"]))
    return Thing(EVERY_CLUB, frozenset(named.owners))


def _answer(job: Job, with_result: bool = True) -> JobAnswer:
    now = job.now()
    return JobAnswer(**now.data() | {"result": _result(now) if with_result else None})


def _result(job: Job) -> list[dict[str, Any]] | None:
    """The verdicts of a job about figures, the tables of one of the lab."""
    if job.state != "done":
        return None
    if job.what == "conformance":
        return [verdict.as_dict() for verdict in job.result]
    if job.what == "verification":
        return [job.result]
    return [{"corpus": job.result}] if job.what == "generate" else [dict(job.result.data())]


@router.get("/jobs")
@may(READ)
def jobs(request: Request, paging: Paging) -> Page[JobAnswer]:
    """The jobs of whoever asks, the latest first, without results; all of them for somebody who
    may start some at every club."""
    everything = may_at(request, SCORE, EVERY_CLUB)
    own = [
        _answer(job, with_result=False)
        for job in jobs_of(request).all()
        if everything or own_name(request) in job.owners
    ]
    return paging.of(own, "id")


@router.post("/jobs", status_code=202, responses={202: leads_to("job_id", "/id", *_ABOUT_ONE)})
@may(SCORE, anywhere, Message("started a job"))
def start_job(request: Request, response: Response, asked: JobRequest) -> JobAnswer:
    """Start a job; `location` is where to watch it."""
    job = _started(request, asked)
    response.headers["location"] = f"{request.url.path}/{job.id}"
    return _answer(job)


FACTS_SAID = 3
"""So many things are said of all events that are brought in; a plan may say more."""
_Said = Annotated[list[str], Form(max_length=FACTS_SAID)]


@operations(
    "POST /jobs/import",
    SCORE,
    anywhere,
    Message("brought in a history"),
    form="/lab/corpora/import",
    then="/lab/corpora/{name}",
    status_code=202,
    responses={202: leads_to("job_id", "/id", *_ABOUT_ONE)},
)
def start_import(
    request: Request,
    response: Response,
    files: Annotated[list[UploadFile], File()],
    name: Annotated[str, Form(max_length=100)] = "",
    given: Annotated[str, Form(max_length=500)] = "",
    fact: _Said = (),  # type: ignore[assignment]
    value: _Said = (),  # type: ignore[assignment]
    club: Annotated[str, Form(max_length=100)] = "",
) -> JobAnswer:
    """Make a corpus of a federation's tables and files of events; one that is called `….toml` is
    the plan that says what columns mean. `location` is where to watch it."""
    facts = tuple((one, text.strip()) for one, text in zip(fact, value, strict=False) if one)
    wanted = read_history_request(name, given, facts)
    job = lab_service(request).bring(wanted, sent_to_import(files), club)
    response.headers["location"] = f"{request.url.path.removesuffix('/import')}/{job.id}"
    return _answer(job)


def _started(request: Request, asked: JobRequest) -> Job:
    lab = lab_service(request)
    if asked.what == "generate":
        return lab.make(read_program_corpus_request(asked.said), asked.club)
    if asked.what in QUESTIONS:
        return lab.ask(read_program_question(asked.what, asked.said))
    if asked.said:
        raise WrongValue("said", "", "nothing is asked beside {what!r}", what=asked.what)
    if asked.what == "conformance":
        return jobs_of(request).start(asked.what, go_through, own_name(request))
    if not ledger_service(request).there:
        raise NotThere(Message("there is no ledger yet"))
    work = partial(verification, settings=lab.settings)
    return jobs_of(request).start(asked.what, work, own_name(request))


@router.get("/jobs/{job_id}")
@may(SCORE, own_job)
def job(request: Request, job_id: str) -> JobAnswer:
    """Return how far a job is, and its result once it is done."""
    return _answer(jobs_of(request).get(job_id))


def _to_question(request: Request, answer: JobAnswer) -> Response:
    """The page of the question that a job was to answer."""
    question = lab_service(request).question_of(jobs_of(request).get(answer.id))
    return RedirectResponse(question.path if question else "/lab", 303)


@operations(
    "POST /jobs/{job_id}/cancel",
    SCORE,
    own_job,
    mark("cancelled job {job_id}"),
    form="/lab/jobs/{job_id}/cancel",
    then=_to_question,
    status_code=202,
)
def cancel_job(request: Request, job_id: str) -> JobAnswer:
    """Call a job off; what is done already is not undone."""
    return _answer(jobs_of(request).cancel(job_id, own_name(request)))


@router.delete("/jobs/{job_id}", status_code=204)
@may(SCORE, own_job, mark("removed job {job_id}"))
def remove_job(request: Request, job_id: str) -> None:
    """Call a job off if it still runs, and forget it."""
    jobs_of(request).remove(job_id, own_name(request))


@router.get("/corpora")
@may(READ)
def corpora(request: Request) -> list[str]:
    """The corpora the lab can be asked about."""
    return lab_service(request).names()
