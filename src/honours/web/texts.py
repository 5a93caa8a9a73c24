"""The language a page is read in, and words that come to it as codes."""

from __future__ import annotations

from starlette.requests import Request

from honours.language import DEFAULT, LANGUAGES, catalogue
from honours.model.message import mark

COOKIE = "language"

CODES = (
    *(mark("held"), mark("posted"), mark("already posted"), mark("differs"), mark("recognised")),
    *(mark("no award"), mark("percent"), mark("Not Found"), mark("Method Not Allowed")),
    *(mark("table"), mark("aggregate"), mark("consolation-final"), mark("major"), mark("minor")),
    *(mark("sessions"), mark("rounds"), mark("players"), mark("yes"), mark("artificial")),
    *(mark("heat"), mark("charge"), mark("club number"), mark("comment"), mark("size")),
    *(mark("place"), mark("dates"), mark("version"), mark("guests"), mark("handicap")),
    *(mark("title"), mark("date"), mark("tournament"), mark("scoring"), mark("complete")),
    *(mark("everybody in every session"), mark("flight"), mark("section"), mark("matches")),
    *(mark("time"), mark("adjusted time"), mark("contact"), mark("komi"), mark("class")),
)
"""Words of closed vocabularies (a status, a kind, a fact) that a page shows in the reader's."""


def language_of(request: Request) -> str:
    """Return the language that the address asks for, else the one chosen before, else the one the
    browser prefers of the languages that are all but finished."""
    asked = (request.query_params.get("lang", ""), request.cookies.get(COOKIE, ""))
    preferred = (
        part.partition(";")[0].strip()[:2].lower()
        for part in request.headers.get("accept-language", "").split(",")
    )
    ready = (one for one in preferred if one in LANGUAGES and catalogue(one).is_for_everyone)
    return next((one for one in (*asked, *ready) if one in LANGUAGES), DEFAULT)
