"""What an address says about how an event is scored, and by which rulebook it is awarded."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from honours.model.message import Message
from honours.pipeline.options import IN_A_REQUEST, Option
from honours.scoring.profiles import profile_names
from honours.web.events.service import ScoringChoices

if TYPE_CHECKING:
    from starlette.requests import Request

WORDS = tuple(option.name for option in IN_A_REQUEST)
WORDS_OF_OPTIONS = (
    Message("head-to-head"),
    Message("margin"),
    Message("tops"),
    Message("above-average"),
    Message("together"),
    Message("apart"),
)
"""What may be chosen, in words that pages translate."""
_FIRST = ("profile", "winners", "tie_break", "minimum_boards", "sections_apart", "handicap")


def choosable() -> tuple[tuple[Option, ...], tuple[Option, ...]]:
    """The options a form offers: those most people look for, and all the others."""
    known = {option.name: _with_words(option) for option in IN_A_REQUEST}
    first = tuple(known.pop(name) for name in _FIRST)
    return first, tuple(known.values())


def _with_words(option: Option) -> Option:
    words = profile_names() if option.name == "profile" else option.words
    return replace(option, words=words, kind="word" if words else option.kind)


def choices_of(request: Request) -> ScoringChoices:
    """How the address asks for the event to be scored."""
    return ScoringChoices.of({name: request.query_params.get(name) for name in WORDS})


def query_of(request: Request) -> str:
    """The part of the address that says how to score, to go on with."""
    kept = [(key, request.query_params[key]) for key in WORDS if request.query_params.get(key)]
    return f"?{urlencode(kept)}" if kept else ""
