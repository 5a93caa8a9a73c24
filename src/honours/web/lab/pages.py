"""The lab: the corpora there are, making one, and what was asked of them."""

from __future__ import annotations

from typing import Annotated

from fastapi import File, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.lab.corpus import Corpus
from honours.lab.questions import Question
from honours.model.message import Message, mark, word
from honours.model.rights import READ, SCORE
from honours.model.table import Kind, Table, headed, table
from honours.web.http.access import (
    Thing,
    anywhere,
    clubs_to_choose,
    guarded_router,
    may,
    may_at,
)
from honours.web.http.forms import FormFields
from honours.web.jobs.api import FACTS_SAID
from honours.web.lab.service import (
    CorpusRequest,
    lab_service,
    no_corpus,
    read_corpus_request,
    sent_to_import,
)
from honours.web.lab.tables import frame_table
from honours.web.templating import cell, render

router = guarded_router()
SMALL = CorpusRequest("small-year", 0.02, 7)
"""What one click makes: enough to see something, and there within a minute."""


def stored_corpus(request: Request) -> Thing:
    """The corpus an address names: its club's, and unknown to everybody else."""
    lab, name = request.app.state.lab, str(request.path_params["name"])
    return Thing(lab.club_of(name), unknown=no_corpus(name))


@router.get("/lab")
@may(READ)
def lab(request: Request) -> Response:
    service = lab_service(request)
    corpora = _corpora([service.corpus(name) for name in service.names()])
    asked = _questions([(q, job.state) for q, job in service.answers()])
    from honours.lab.history.staging import EVENT_FACTS

    return render(
        request,
        "lab.html",
        corpora=corpora,
        asked=asked,
        small=SMALL,
        facts=sorted(EVENT_FACTS),
        facts_said=FACTS_SAID,
        clubs=clubs_to_choose(request, SCORE),
    )


def _corpora(corpora: list[Corpus]) -> Table:
    rows = [
        (
            cell(one.folder.name, f"/lab/corpora/{one.folder.name}"),
            f"{one.count('events'):,}",
            _made_from(one),
            one.manifest.get("about", {}).get("scale", ""),
            one.manifest.get("about", {}).get("seed", ""),
        )
        for one in corpora
    ]
    header = (
        headed("corpus"),
        headed("events", Kind.NUMBER),
        headed("made from"),
        headed("size, of a real year", Kind.NUMBER),
        headed("seed", Kind.NUMBER),
    )
    return table("corpora", header, rows)


def _made_from(corpus: Corpus) -> str:
    """Return the mark of a synthetic corpus, else what the corpus was imported or made from."""
    from honours.lab.result import SYNTHETIC, is_synthetic

    about = corpus.manifest.get("about", {})
    return (
        SYNTHETIC
        if is_synthetic(corpus)
        else str(about.get("imported from") or about.get("made from") or "")
    )


def _questions(answers: list[tuple[Question, str]]) -> Table:
    rows = [
        (
            cell(question.declared.title, question.path),
            ", ".join(value for _, value in question.said),
            word(state_word(state)),
        )
        for question, state in answers
    ]
    return table("asked", [headed("question"), headed("said"), headed("state")], rows)


def state_word(state: str) -> str:
    """A job's state in a word of ours."""
    words = {
        "running": Message("running"),
        "done": Message("done"),
        "failed": Message("failed"),
        "cancelled": Message("cancelled"),
    }
    return words[state]


# --- corpora -------------------------------------------------------------------------------------


@router.post("/lab/corpora")
@may(SCORE, anywhere, Message("had a corpus made"))
def make(request: Request, form: FormFields) -> Response:
    wanted = read_corpus_request(form)
    lab_service(request).make(wanted, form["club"])
    return RedirectResponse(f"/lab/corpora/{wanted.name}", 303)


@router.post("/lab/corpora/plan")
@may(SCORE, anywhere, Message("had a plan of an import drafted"))
def draft(request: Request, files: Annotated[list[UploadFile], File()]) -> Response:
    """Send what the columns of tables are taken for, as a file to correct and send with them."""
    text = lab_service(request).draft(sent_to_import(files))
    name = {"content-disposition": 'attachment; filename="plan.toml"'}
    return Response(text, media_type="application/toml", headers=name)


@router.get("/lab/corpora/{name}")
@may(READ, stored_corpus)
def corpus(request: Request, name: str) -> Response:
    """A corpus, or how far the making of it is."""
    from honours.lab.result import Frame

    service = lab_service(request)
    job = service.making(name)
    if job is not None and job.state != "done":
        return render(request, "lab_corpus.html", name=name, job=job, figures=None, facts={})
    opened = service.corpus(name)
    figures = opened.figures
    about = opened.manifest.get("about", {})
    facts = {
        Message("events"): f"{opened.count('events'):,}",
        Message("size, of a real year"): about.get("scale", ""),
        Message("seed"): about.get("seed", ""),
        Message("imported from"): about.get("imported from", ""),
        Message("digest"): opened.hash,
    }
    brought = job.result.notes if job is not None and job.what == "import" else opened.notes
    shown = frame_table(Frame.of(name, figures), caption=Message("figures")) if figures else None
    return render(
        request,
        "lab_corpus.html",
        name=name,
        job=None,
        figures=shown,
        facts=facts,
        brought=brought,
        plan=_plan(opened),
        paid=opened.tells_paid,
        removable=may_at(request, SCORE, service.club_of(name)),
    )


def _plan(corpus: Corpus) -> str:
    """Return the plan by which the columns of its tables were read; empty without one."""
    from honours.lab.history.importing import PLAN

    path = corpus.folder / PLAN
    return path.read_text(encoding="utf-8") if path.exists() else ""


@router.post("/lab/corpora/{name}/delete")
@may(SCORE, stored_corpus, mark("removed corpus {name}"))
def remove(request: Request, name: str) -> Response:
    lab_service(request).remove(name)
    return RedirectResponse("/lab", 303)
