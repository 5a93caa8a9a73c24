"""The texts of the pages in the reader's language, through gettext catalogues."""

from __future__ import annotations

import io
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

if TYPE_CHECKING:
    from starlette.requests import Request

LANGUAGES = {"en": "English", "fr": "Français"}
DEFAULT = "en"
COOKIE = "language"


def mark(text: str) -> str:
    """A text that a page will translate where it shows it."""
    return text


FROM_BELOW = (
    *(mark("provisional"), mark("final"), mark("amended")),
    *(mark("ns"), mark("ew"), mark("result"), mark("lead"), mark("ns points"), mark("ew points")),
    *(mark("remark"), mark("side"), mark("against"), mark("team"), mark("player"), mark("date")),
    *(mark("club"), mark("program"), mark("entrants"), mark("sessions"), mark("sections")),
    *(mark("results"), mark("matches"), mark("deals"), mark("publishes"), mark("not listed")),
    *(mark("remarks"), mark("players"), mark("ratings"), mark("rounds"), mark("games")),
    *(mark("held"), mark("posted"), mark("already posted"), mark("differs"), mark("recognised")),
    *(
        mark("no award"),
        mark("placed by"),
        mark("not understood"),
        mark("note"),
        mark("unfinished"),
    ),
    *(mark("same"), mark("same under its revision"), mark("altered"), mark("not derivable")),
    *(mark("table"), mark("aggregate"), mark("consolation-final"), mark("major"), mark("minor")),
)
"""Words that reports and scoring say in English and pages show in the reader's language."""


@cache
def catalogue(language: str) -> NullTranslations:
    """The translations into a language; the texts themselves are English."""
    if language == DEFAULT:
        return NullTranslations()
    text = (resources.files(__package__) / "i18n" / f"{language}.po").read_bytes()
    compiled = io.BytesIO()
    write_mo(compiled, read_po(io.BytesIO(text), locale=language))
    compiled.seek(0)
    return Translations(compiled)


def language_of(request: Request) -> str:
    """What the address asks for, else what was chosen before, else what the browser prefers."""
    asked = (request.query_params.get("lang", ""), request.cookies.get(COOKIE, ""))
    preferred = (
        part.partition(";")[0].strip()[:2].lower()
        for part in request.headers.get("accept-language", "").split(",")
    )
    return next((one for one in (*asked, *preferred) if one in LANGUAGES), DEFAULT)
