"""Pages from templates: in the reader's language, everything escaped."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi.responses import HTMLResponse
from jinja2 import Environment
from markupsafe import Markup
from starlette.requests import Request

from honours import __version__
from honours.engine.exact.explanation import render_explanation_html
from honours.formats.notation import spelled
from honours.language import (
    DEFAULT,
    LANGUAGES,
    catalogue,
    is_translated,
    mark_english,
    shown_day,
    words,
)
from honours.model.facts import label_of_word
from honours.model.message import Message, Remedy, word
from honours.model.rights import ACTIONS
from honours.model.table import Cell, Link
from honours.reports import drawing
from honours.reports.drawing import own_address
from honours.rings import TAB, NotInstalled
from honours.web import LAB
from honours.web.http.access import may_at, signed_before
from honours.web.http.problems import Fault


class NavigationLink(NamedTuple):
    """Somewhere the navigation leads."""

    path: str
    title: Message


PLACES = (
    *(() if TAB else (NavigationLink("/evenings", Message("Tonight")),)),
    NavigationLink("/events", Message("Events")),
    NavigationLink("/ledger", Message("Ledger")),
    NavigationLink("/calculators", Message("Calculators")),
    NavigationLink("/rulebooks", Message("Rulebooks")),
    *((NavigationLink("/lab", Message("Lab")),) if LAB else ()),
)
_NO_WORDS = re.compile(r"[\W\d_]*")
ROOMS = (
    "accounts",
    "calculators",
    "conformance",
    "evening",
    "events",
    "lab",
    "ledger",
    "published",
    "site",
)
"""Each keeps its templates beside its pages; what all of them share is beside this."""


@cache
def environment(language: str) -> Environment:
    """The templates of the pages, and of the tables in them, with the words of one language."""
    rooms = (f"honours.web.{room}" for room in ROOMS)
    env = drawing.environment(language, "honours.web", *rooms, "honours.reports")
    env.install_gettext_translations(  # type: ignore[attr-defined]
        catalogue(language).marks_english(), newstyle=True
    )
    env.globals |= {
        "languages": LANGUAGES,
        "unfinished": lambda code: catalogue(code).left > 0,
        "places": PLACES,
        "questions": _questions,
        "lab_absent": "" if LAB else NotInstalled("lab").message,
        "tab": TAB,
        "app_absent": NotInstalled("app").message if TAB else "",
        "version": __version__,
        "drawn": lambda table: drawing.draw_html(table, language, address),
        "explained": lambda step: render_explanation_html(step, language, opened=True),
        "beside": lambda fault: _beside(fault, language),
        "words": lambda text: words(on_page(text, language), language),
        "spoken": lambda text: _spoken(text, language),
        "begins": _begins,
        "word_label": label_of_word,
        "may_at": may_at,
        **{name.upper(): action for name, action in ACTIONS.items()},
        "ours": lambda text: _ours(text, language),
        "spelled": lambda text: spelled(text, language),
        "translated": lambda text: words(word(text), language),
    }
    env.filters["words"] = lambda name: str(name).rstrip("_").replace("_", " ")
    return env


def _questions() -> Mapping[str, Any]:
    """The questions that the lab's pages lead to."""
    from honours.lab.questions import QUESTIONS

    return QUESTIONS


def _spoken(text: str, language: str) -> str:
    """A text that should be one of ours; English left untranslated is marked as English."""
    text = on_page(text, language)
    if isinstance(text, Message) or language == DEFAULT or _NO_WORDS.fullmatch(text):
        return words(text, language)
    return Markup('<span lang="en">{}</span>').format(text)


def _begins(text: str) -> str:
    """The class of a paragraph that is a sentence of ours: it begins with a capital, as one that
    begins with somebody's own word, a file's name say, does not."""
    return "sentence" if isinstance(text, Message) and text.template[:1].isalpha() else ""


def _ours(text: str, language: str) -> str:
    """Return what a rulebook says in words of ours, marked as English if not translated."""
    message = text if isinstance(text, Message) or "{" in text else Message(text)
    if is_translated(message, language):
        return words(on_page(message, language), language)
    return _spoken(str(text), language)


def _beside(fault: Fault, language: str) -> str:
    """Return what is wrong, to be shown beside its field: without the name of the field."""
    return _spoken(fault.beside, language)


def _in_language(request: Request, code: str) -> str:
    return f"?{request.url.include_query_params(lang=code).query}"


def render(request: Request, template: str, code: int = 200, **context: Any) -> HTMLResponse:
    """A page, or a part of one where htmx asks for it."""
    language = language_of(request)
    page = environment(language).get_template(template)
    part = "hx-request" in request.headers and "hx-history-restore-request" not in request.headers
    common = {"request": request, "part": part, "by": signed_before(request)}
    common["in_language"] = lambda code: _in_language(request, code)
    text = mark_english(page.render(common | context))
    response = HTMLResponse(text, code)
    if request.query_params.get("lang") == language:
        response.set_cookie(COOKIE, language, max_age=31536000, httponly=True, samesite="lax")
    return response


COOKIE = "language"
_OF_PLAYERS = ("/table/", "/screen/", "/c/", "/p/")
"""Where the pages of players are, which are translated first."""


def declared_words(what: str) -> list[tuple[str, Message]]:
    """Pairs of ``words.toml``: what something is called by, and its words."""
    text = (files(__package__) / "words.toml").read_text(encoding="utf-8")
    return [(key, Message(words_)) for key, words_ in tomllib.loads(text)[what]]


def language_of(request: Request) -> str:
    """Return the language that the address asks for, else the one chosen before, else the one the
    browser prefers: of a player's pages any, of the others those that are all but finished."""
    asked = (request.query_params.get("lang", ""), request.cookies.get(COOKIE, ""))
    preferred = (
        part.partition(";")[0].strip()[:2].lower()
        for part in request.headers.get("accept-language", "").split(",")
    )
    begun = request.url.path.startswith(_OF_PLAYERS)
    ready = (
        one for one in preferred if one in LANGUAGES and (begun or catalogue(one).is_for_everyone)
    )
    return next((one for one in (*asked, *ready) if one in LANGUAGES), DEFAULT)


_DAYS = frozenset({"day", "date", "since", "until", "at", "first", "last"})
"""Values of messages that are days, as they are kept."""


def on_page(text: str, language: str = DEFAULT) -> str:
    """A text for a page: what would mend it named as a page does, and days in it as the language
    writes them."""
    if not isinstance(text, Message):
        return text
    if isinstance(text, Remedy):
        field = text.values.get("field")
        return Message("“{field}”", field=field) if field else ""
    values = {
        name: shown_day(value, language)
        if name in _DAYS and type(value) is str
        else _value(value, language)
        for name, value in text.values.items()
    }
    return Message(text.template, text.of_many, **values)


def _value(value: object, language: str) -> object:
    if isinstance(value, tuple):
        return tuple(_value(one, language) for one in value)
    return on_page(value, language) if isinstance(value, str) else value


PAGES = {
    "draft": "/ledger/drafts/{}",
    "member": "/ledger/members/{}",
    "posting": "/ledger/postings/{}",
    "rulebook": "/rulebooks/{}",
    "receipt": "/ledger/intake/{}",
    "submission": "/ledger/submissions/{}.xml",
}
"""Where the things are that cells of shared tables lead to."""


def address(link: Link) -> str:
    """The page of a thing; empty if it has none."""
    return PAGES.get(link.kind, "").format(quote(link.name)) if link.kind else own_address(link)


def cell(text: str, href: str = "", part: str = "", note: str = "", lang: str = "") -> Cell:
    """A text that may lead somewhere; with ``part`` the place comes to that part of the page."""
    return Cell(text, link=Link("", href) if href else None, part=part, note=note, lang=lang)
