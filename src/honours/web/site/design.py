"""The design system on one page: every size, colour and part that pages are made of."""

from __future__ import annotations

from datetime import date

from starlette.requests import Request
from starlette.responses import Response

from honours.model.rights import READ
from honours.model.table import Column, Kind, headed, table
from honours.web.curves import CurvePoint, curve_picture
from honours.web.http.access import guarded_router, may
from honours.web.templating import cell, declared_words, render

router = guarded_router()
_STANDINGS = table(
    "design",
    (
        headed("place", Kind.PLACE),
        headed("name"),
        headed("date", Kind.DATE),
        Column("score", "%", Kind.SHARE),
        headed("award", Kind.NUMBER),
    ),
    [
        ("1", cell("Ann Ash & Bob Birch", "/design"), date(2026, 3, 3), "63.57", "36"),
        ("2", cell("Cat Cole & Dan Dow", "/design"), date(2026, 3, 3), "51.19", "30"),
        ("3", cell("Eve Elm & Flo Fir", "/design"), date(2026, 3, 3), "38.10", ""),
    ],
)
_CARD = table(
    "scorecard",
    (
        headed("board", Kind.NUMBER),
        headed("against", Kind.CODE),
        headed("contract", Kind.CARDS),
        headed("result", Kind.CODE),
        headed("score", Kind.NUMBER),
        Column("%", "%", Kind.SHARE),
    ),
    [
        (cell("1", "/design"), cell("6", note="Cat Cole & Dan Dow"), "2H W", "=", "110", "85.71"),
        (cell("2", "/design"), cell("6", note="Cat Cole & Dan Dow"), "3D W", "-2", "-100", "0.00"),
        (cell("3", "/design"), cell("7", note="Eve Elm & Flo Fir"), "1S N", "+1", "110", "50.00"),
    ],
)
_CURVES = curve_picture(
    [
        (name, [CurvePoint(week, score, f"{name}: {score}") for week, score in enumerate(scores)])
        for name, scores in (
            ("Ann Ash", (48.0, 55.0, 53.5, 61.0)),
            ("Dan Dow", (52.0, 49.0, 47.5, 51.0)),
        )
    ],
    [(0, "3 Mar"), (3, "24 Mar")],
    from_nothing=False,
)


@router.get("/design")
@may(READ)
def design(request: Request) -> Response:
    return render(
        request,
        "design.html",
        swatches=declared_words("colours"),
        sample=_STANDINGS,
        card=_CARD,
        curves=_CURVES,
    )
