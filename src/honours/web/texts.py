"""The texts of the pages in the reader's language, through gettext catalogues."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from honours.language import DEFAULT, LANGUAGES, catalogue, texts_in
from honours.model.message import mark

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = (
    "COOKIE",
    "DEFAULT",
    "FROM_BELOW",
    "LANGUAGES",
    "Worded",
    "catalogue",
    "language_of",
    "mark",
    "texts_in",
    "told",
)

COOKIE = "language"


class Worded(str):
    """A marked text with what is put into it: English for a program and for the log, and told in
    the reader's language by a page."""

    text: str
    values: dict[str, object]

    def __new__(cls, text: str, **values: object) -> Worded:
        found = super().__new__(cls, text % values if values else text)
        found.text, found.values = text, values
        return found

    def told(self, words: Callable[[str], str]) -> str:
        """The text in the language of ``words``, and so are the words of ours put into it."""
        values = {k: v.told(words) if isinstance(v, Worded) else v for k, v in self.values.items()}
        return words(self.text) % values if values else words(self.text)


def told(text: str, words: Callable[[str], str]) -> str:
    """A text of ours in the language of ``words``; an empty one, a catalogue's head, stays so."""
    if isinstance(text, Worded):
        return text.told(words)
    return words(text) if text else ""


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
    *(mark("pairs"), mark("individual"), mark("teams"), mark("artificial"), mark("ruling")),
    *(mark("Pass"), mark("yes"), mark("percent"), mark("Not Found"), mark("Method Not Allowed")),
    *(mark("correct"), mark("name"), mark("substitute"), mark("phantom"), mark("fouled")),
    *(mark("adjust"), mark("penalty"), mark("winners"), mark("event"), mark("entrants")),
    *(mark("table"), mark("aggregate"), mark("consolation-final"), mark("major"), mark("minor")),
)
"""Words that reports and scoring say in English and pages show in the reader's language."""


def language_of(request: Request) -> str:
    """What the address asks for, else what was chosen before, else what the browser prefers."""
    asked = (request.query_params.get("lang", ""), request.cookies.get(COOKIE, ""))
    preferred = (
        part.partition(";")[0].strip()[:2].lower()
        for part in request.headers.get("accept-language", "").split(",")
    )
    return next((one for one in (*asked, *preferred) if one in LANGUAGES), DEFAULT)
