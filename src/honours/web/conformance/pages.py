"""Every published figure and what we get; worked out once, in the background."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from honours.conformance.data import load_source, source_ids
from honours.conformance.runner import VERDICTS, Verdict
from honours.web.conformance.service import ConformanceRun
from honours.web.http.access import READ, guarded_router, may
from honours.web.tables import Cell, Table, table
from honours.web.templating import render
from honours.web.texts import mark

router = guarded_router()
_SHOWN_VERDICTS = (
    mark("reproduced"),
    mark("fitted"),
    mark("parameter"),
    mark("contradicted"),
    mark("not checkable"),
)


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
        verdicts=_SHOWN_VERDICTS,
        source=source,
        verdict=verdict or "contradicted",
    )


def _counts(verdicts: list[Verdict]) -> Table:
    rows = []
    for source in source_ids():
        own = [v.verdict for v in verdicts if v.source == source]
        rows.append([load_source(source).title, *(str(own.count(one)) for one in VERDICTS)])
    return table("conformance-counts", "", (mark("source"), *VERDICTS), rows, lang="en")


def _table(verdicts: list[Verdict]) -> Table:
    rows = [
        (v.source, v.where, v.printed, v.ours, v.inputs, Cell(v.verdict, word=True), v.reason)
        for v in verdicts
    ]
    header = (
        mark("source"),
        mark("where in the source"),
        mark("printed"),
        mark("ours"),
        mark("made from"),
        mark("verdict"),
        mark("why"),
    )
    return table("conformance", "", header, rows, lang="en")
