"""What an address says about how an event is scored, and by which rulebook it is awarded."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from honours.model.message import Message
from honours.pipeline.options import IN_A_REQUEST
from honours.web.events.service import ScoringChoices

if TYPE_CHECKING:
    from starlette.requests import Request

WORDS = tuple(option.name for option in IN_A_REQUEST)
TIE_BREAKS = (Message("head-to-head"), Message("margin"), Message("tops"), Message("above-average"))


def choices_of(request: Request) -> ScoringChoices:
    """How the address asks for the event to be scored."""
    return ScoringChoices.of({name: request.query_params.get(name) for name in WORDS})


def query_of(request: Request) -> str:
    """The part of the address that says how to score, to go on with."""
    kept = [(key, request.query_params[key]) for key in WORDS if request.query_params.get(key)]
    return f"?{urlencode(kept)}" if kept else ""
