"""Every published figure and what we get; worked out once, in the background."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from honours.conformance.data import load_source, source_ids
from honours.conformance.runner import ClaimVerdict
from honours.model.message import word
from honours.model.rights import READ
from honours.model.table import Column, Kind, Table, headed, table
from honours.model.verdict import VERDICTS
from honours.web.conformance.service import ConformanceRun
from honours.web.http.access import guarded_router, may
from honours.web.templating import render

router = guarded_router()


def conformance_run(request: Request) -> ConformanceRun:
    """The figures of this application."""
    run: ConformanceRun = request.app.state.conformance
    return run


@router.get("/conformance")
@may(READ)
def conformance(request: Request, source: str = "", verdict: str = "") -> Response:
    figures = conformance_run(request)
    verdicts = figures.verdicts()
    if verdicts is None:
        return render(request, "conformance.html", progress=figures.progress(), counts=None)
    shown = [
        v
        for v in verdicts
        if source in ("", v.source) and (verdict or "contradicted") in (v.verdict, "all")
    ]
    return render(
        request,
        "conformance.html",
        progress=None,
        counts=_counts(verdicts),
        shown=_table(shown),
        sources=[load_source(one) for one in source_ids()],
        verdicts=VERDICTS,
        source=source,
        verdict=verdict or "contradicted",
    )


def _counts(verdicts: list[ClaimVerdict]) -> Table:
    rows = []
    for source in source_ids():
        own = [v.verdict for v in verdicts if v.source == source]
        rows.append([load_source(source).title, *(str(own.count(one)) for one in VERDICTS)])
    header = [
        headed("source", lang="en"),
        *(Column(str(one), one, Kind.NUMBER) for one in VERDICTS),
    ]
    return table("conformance-counts", header, rows)


def _table(verdicts: list[ClaimVerdict]) -> Table:
    rows = [
        (v.source, v.where, v.printed, v.ours, v.inputs, word(v.verdict), v.reason)
        for v in verdicts
    ]
    header = (
        headed("source", lang="en"),
        headed("where in the source", lang="en"),
        headed("printed", lang="en"),
        headed("ours", lang="en"),
        headed("made from", lang="en"),
        headed("verdict", lang="en"),
        headed("why", lang="en"),
    )
    return table("conformance", header, rows)
