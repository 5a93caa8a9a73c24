"""Every address the application answers: pages first, then the API.

A module of a room has a ``router`` and a line here; where two answer an address, the first does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module

from fastapi import APIRouter
from fastapi.routing import APIRoute

from honours.rings import TAB
from honours.web import LAB
from honours.web.http.access import API
from honours.web.http.description import PROBLEMS

_PAGES = (
    *("site.home", "site.search", "calculators.pages"),
    *("events.pages", "events.board_pages", "events.people_pages", "events.names"),
    *(
        "events.operations",
        "events.ruling_pages",
        "events.award_pages",
        "events.downloads",
        "events.sending",
    ),
    "ledger.after_play",
    *("published.pages", "published.club", "published.home"),
    *("evening.set_up_pages", "evening.pages", "evening.operations"),
    "evening.tables",
    *("ledger.overview", "ledger.members", "ledger.posting", "ledger.club_year"),
    *("ledger.returns", "ledger.lists", "ledger.qualifying", "ledger.intake"),
    *("lab.pages", "lab.question_pages", "jobs.api", "conformance.pages"),
    *(
        "site.developers",
        "site.design",
        "accounts.pages",
        "accounts.api",
        "accounts.own_pages",
        "site.absent",
    ),
)
_API = (
    *("calculators.api", "events.operations", "events.sending"),
    *("ledger.posting", "ledger.members", "ledger.overview"),
    *("ledger.club_year", "ledger.returns", "ledger.lists", "ledger.qualifying", "ledger.intake"),
    *("jobs.api", "accounts.api", "evening.operations", "evening.tables"),
    "published.club",
)
_ABSENT = (
    *(("lab.", "jobs.") if not LAB else ()),
    *(("evening.", "accounts.", "published.", "site.developers") if TAB else ()),
)
"""What this edition does not have."""


def _routers(modules: Sequence[str], kind: str) -> Iterator[APIRouter]:
    """The routers of modules; of operations those of one kind, ``pages`` or ``api``."""
    for name in modules:
        if name.startswith(_ABSENT):
            continue
        module = import_module(f"honours.web.{name}")
        declared = getattr(module, "operations", None)
        router = getattr(declared, kind) if declared else module.router
        assert isinstance(router, APIRouter)
        yield router


pages = APIRouter(include_in_schema=False)
for _router in _routers(_PAGES, "pages"):
    pages.include_router(_router)


def _called(route: APIRoute) -> str:
    """An operation is called as its function is."""
    return route.name


api = APIRouter(prefix=API, responses=PROBLEMS, generate_unique_id_function=_called)
"""The API, version 1: what the pages do, for programs."""
for _router in _routers(_API, "api"):
    api.include_router(_router)


def api_routes() -> list[APIRoute]:
    """Those of the API, without its prefix."""
    found = (route for router in _routers(_API, "api") for route in router.routes)
    return [route for route in found if isinstance(route, APIRoute)]


def every_route() -> Iterator[APIRoute]:
    """All there are, without the prefix of the API."""
    for router in (*_routers(_PAGES, "pages"), *_routers(_API, "api")):
        yield from (route for route in router.routes if isinstance(route, APIRoute))
