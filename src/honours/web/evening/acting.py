"""Doing something to an evening in the name of whoever asks, the same for pages and programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from honours.model.message import Message
from honours.web.evening.access import kept_evening
from honours.web.evening.service import evening_service
from honours.web.http.requester import own_name

if TYPE_CHECKING:
    from starlette.requests import Request

    from honours.evening.kept import ActOutcome, KeptEvening


def recorded_by(request: Request, kept: KeptEvening, named: str = "") -> str:
    """The name an act is recorded under: of whoever signed in; on a server without accounts of
    whom the request names, else of the director of the evening."""
    director = kept.now().plan.director or str(Message("the director"))
    return own_name(request) or named.strip() or director


def act(
    request: Request, kind: str, content: Mapping[str, Any] | None = None, key: str = ""
) -> ActOutcome:
    """Do something to the evening that the address names."""
    kept = kept_evening(request)
    return evening_service(request).do(kept, kind, recorded_by(request, kept), key, content)
