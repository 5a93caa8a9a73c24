"""Pages from templates: in the reader's language, everything escaped."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from fastapi.responses import HTMLResponse
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from honours import __version__
from honours.engine.explanation import render_html, render_short_html
from honours.language import words
from honours.model.message import Message
from honours.web.phrases import recognised
from honours.web.texts import (
    COOKIE,
    DEFAULT,
    LANGUAGES,
    Worded,
    catalogue,
    language_of,
    mark,
    texts_in,
    told,
)

if TYPE_CHECKING:
    from starlette.requests import Request

    from honours.model import Step


class Place(NamedTuple):
    """Somewhere the navigation leads."""

    path: str
    title: str


PLACES = (
    Place("/events", mark("Score an event")),
    Place("/calculators", mark("Calculators")),
    Place("/rulebooks", mark("Rulebooks")),
    Place("/ledger", mark("Ledger")),
    Place("/lab", mark("Lab")),
    Place("/conformance", mark("Conformance")),
    Place("/developers", mark("For programs")),
)
_NO_WORDS = re.compile(r"[\W\d_]*")
ROOMS = ("accounts", "calculators", "conformance", "events", "lab", "ledger", "site")
"""Each keeps its templates beside its pages; what all of them share is beside this."""
IN_SHORT, IN_FULL = mark("In short"), mark("In full")


@cache
def environment(language: str) -> Environment:
    """The templates with the texts of one language."""
    rooms = ("honours.web", *(f"honours.web.{room}" for room in ROOMS))
    loader = ChoiceLoader([PackageLoader(room) for room in rooms])
    env = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    env.install_gettext_translations(catalogue(language), newstyle=True)  # type: ignore[attr-defined]
    env.globals |= {
        "language": language,
        "languages": LANGUAGES,
        "places": PLACES,
        "version": __version__,
        "explained": lambda step: _explained(step, language),
        "explained_as": lambda step, named: Markup(named(str(_explained(step, language)))),
        "known": lambda text: _known(text, language),
        "spoken": lambda text: _spoken(text, language),
        "translated": lambda text: _translated(text, language),
    }
    env.filters["words"] = lambda name: str(name).rstrip("_").replace("_", " ")
    return env


def _translated(text: str, language: str) -> str:
    if isinstance(text, Message):
        return words(text, language)
    return told(text, catalogue(language).gettext)


def _known(text: str, language: str) -> str:
    if isinstance(text, Message):
        return words(text, language)
    return told(recognised(text), catalogue(language).gettext)


def _spoken(text: str, language: str) -> str:
    """A text that may be one of ours; what stays English says that it is, to be read out so."""
    if isinstance(text, Message):
        return words(text, language)
    known = text if isinstance(text, Worded) else recognised(text)
    if language == DEFAULT or isinstance(known, Worded) or known in texts_in(language):
        return told(known, catalogue(language).gettext)
    if _NO_WORDS.fullmatch(text):
        return text
    return Markup('<span lang="en">{}</span>').format(text)


def _explained(step: Step, language: str) -> Markup:
    # The engine escapes what it renders: this is the one place that takes markup from elsewhere.
    # It is in the words of the rulebook, whatever the language of the page.
    own = Markup('<div lang="en">{}</div>').format
    full = own(Markup(render_html(step).replace("<details", "<details open", 1)))
    short = Markup(render_short_html(step, lambda text: words(text, language)))
    if not short:
        return full
    gettext = catalogue(language).gettext
    named = Markup('<p class="named">{}</p>').format
    return named(gettext(IN_SHORT)) + own(short) + named(gettext(IN_FULL)) + full


def _in_language(request: Request, code: str) -> str:
    return f"?{request.url.include_query_params(lang=code).query}"


def render(request: Request, template: str, code: int = 200, **context: Any) -> HTMLResponse:
    """A page, or a part of one where htmx asks for it."""
    language = language_of(request)
    page = environment(language).get_template(template)
    part = "hx-request" in request.headers and "hx-history-restore-request" not in request.headers
    text = page.render(
        request=request, part=part, in_language=lambda code: _in_language(request, code), **context
    )
    response = HTMLResponse(text, code)
    if request.query_params.get("lang") == language:
        response.set_cookie(COOKIE, language, max_age=31536000, httponly=True, samesite="lax")
    return response
