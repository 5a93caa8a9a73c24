"""The lab: the corpora there are, making one, and what was asked of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.web.http.access import READ, SCORE, anywhere, guarded_router, may
from honours.web.http.forms import FormFields
from honours.web.http.requester import own_name
from honours.web.jobs.access import own_job
from honours.web.jobs.api import jobs_of
from honours.web.lab.service import CorpusRequest, LabService, read_corpus_request
from honours.web.lab.tables import frame_table
from honours.web.tables import Cell, Table, table
from honours.web.templating import render
from honours.web.texts import mark

if TYPE_CHECKING:
    from honours.lab.corpus import Corpus
    from honours.web.lab.questions import Question

router = guarded_router()
SMALL = CorpusRequest("small-year", 0.02, 7)
"""What one click makes: enough to see something, and there within a minute."""
TITLES = {
    "compare": mark("Compare two rulebooks"),
    "sweep": mark("Try values of a number"),
    "audit": mark("Search a rulebook for broken promises"),
    "simulate": mark("What to expect of an afternoon"),
}


def lab_service(request: Request) -> LabService:
    """The lab of this application."""
    lab: LabService = request.app.state.lab
    return lab


@router.get("/lab")
@may(READ)
def lab(request: Request) -> Response:
    found = lab_service(request)
    corpora = _corpora([found.corpus(name) for name in found.names()])
    asked = _asked([(q, job.state) for q, job in found.answers()])
    return render(request, "lab.html", corpora=corpora, asked=asked, titles=TITLES, small=SMALL)


def _corpora(found: list[Corpus]) -> Table:
    rows = [
        (
            Cell(one.folder.name, f"/lab/corpora/{one.folder.name}"),
            f"{_events(one):,}",
            one.manifest.get("about", {}).get("scale", ""),
            one.manifest.get("about", {}).get("seed", ""),
        )
        for one in found
    ]
    header = (mark("corpus"), mark("events"), mark("size, of a real year"), mark("seed"))
    return table("corpora", "", header, rows)


def _events(corpus: Corpus) -> int:
    import pyarrow.parquet as pq

    return sum(
        pq.read_metadata(path).num_rows
        for path in corpus.files()
        if path.name.startswith("events-")
    )


def _asked(answers: list[tuple[Question, str]]) -> Table:
    rows = [
        (
            Cell(TITLES[question.kind], question.path, word=True),
            ", ".join(value for _, value in question.said),
            Cell(state_word(state), word=True),
        )
        for question, state in answers
    ]
    return table("asked", "", (mark("question"), mark("said"), mark("state")), rows)


def state_word(state: str) -> str:
    """A job's state in a word of ours."""
    words = {
        "running": mark("running"),
        "done": mark("done"),
        "failed": mark("failed"),
        "cancelled": mark("cancelled"),
    }
    return words[state]


# --- corpora -------------------------------------------------------------------------------------


@router.post("/lab/corpora")
@may(SCORE, anywhere, mark("had a corpus made"))
def make(request: Request, said: FormFields) -> Response:
    wanted = read_corpus_request(said)
    lab_service(request).make(wanted, own_name(request))
    return RedirectResponse(f"/lab/corpora/{wanted.name}", 303)


@router.get("/lab/corpora/{name}")
@may(READ)
def corpus(request: Request, name: str) -> Response:
    """A corpus, or how far the making of it is."""
    from honours.lab.frame import Frame

    found = lab_service(request)
    job = found.making(name)
    if job is not None and job.state != "done":
        return render(request, "lab_corpus.html", name=name, job=job, figures=None, facts={})
    opened = found.corpus(name)
    figures = opened.manifest.get("figures", [])
    about = opened.manifest.get("about", {})
    facts = {
        mark("events"): f"{_events(opened):,}",
        mark("size, of a real year"): about.get("scale", ""),
        mark("seed"): about.get("seed", ""),
        mark("digest"): opened.hash,
    }
    shown = frame_table(Frame.of(name, figures)) if figures else None
    return render(request, "lab_corpus.html", name=name, job=None, figures=shown, facts=facts)


@router.post("/lab/corpora/{name}/delete")
@may(SCORE, anywhere, mark("removed corpus {name}"))
def remove(request: Request, name: str) -> Response:
    lab_service(request).remove(name)
    return RedirectResponse("/lab", 303)


@router.post("/lab/jobs/{job_id}/cancel")
@may(SCORE, own_job, mark("cancelled job {job_id}"))
def cancel(request: Request, job_id: str) -> Response:
    job = jobs_of(request).cancel(job_id, own_name(request))
    question = lab_service(request).question_of(job)
    return RedirectResponse(question.path if question else "/lab", 303)
