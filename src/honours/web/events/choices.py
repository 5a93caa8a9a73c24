"""What an address says about how an event is scored, and by which rulebook it is awarded."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from honours.errors import InputError
from honours.model.message import Message
from honours.scoring import Options
from honours.scoring.profiles import DEFAULT
from honours.web.events.service import ScoringChoices

if TYPE_CHECKING:
    from starlette.requests import Request

FLAGS = ("sections_apart", "handicap")
WORDS = ("profile", "winners", "minimum_boards", "tie_break", *FLAGS)
TIE_BREAKS = (Message("head-to-head"), Message("margin"), Message("tops"), Message("above-average"))


def choices_of(request: Request) -> ScoringChoices:
    """How the address asks for the event to be scored."""
    said = request.query_params
    tie_break = said.get("tie_break", "")
    if tie_break and tie_break not in TIE_BREAKS:
        raise InputError(f"tie_break={tie_break}: expected one of {', '.join(TIE_BREAKS)}")
    apart = bool(said.get("sections_apart"))
    options = Options(
        sections_apart=apart,
        rank_sections_apart=apart,
        winners=_whole(request, "winners", 2),
        handicap=bool(said.get("handicap")),
        minimum_boards=_whole(request, "minimum_boards", 10_000),
        tie_break=tie_break,
    )
    return ScoringChoices(said.get("profile") or DEFAULT, options)


def _whole(request: Request, name: str, most: int) -> int:
    text = request.query_params.get(name) or "0"
    if not text.isdecimal() or len(text) > 6 or int(text) > most:
        raise InputError(f"{name}={text}: expected a whole number up to {most}")
    return int(text)


def query_of(request: Request) -> str:
    """The part of the address that says how to score, to go on with."""
    kept = [(key, request.query_params[key]) for key in WORDS if request.query_params.get(key)]
    return f"?{urlencode(kept)}" if kept else ""
