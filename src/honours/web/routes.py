"""Every address the application answers: pages first, then the API."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import APIRouter
from fastapi.routing import APIRoute

from honours.web.accounts import api as accounts_api
from honours.web.accounts import own_pages
from honours.web.accounts import pages as account_pages
from honours.web.calculators import api as calculators_api
from honours.web.calculators import pages as calculator_pages
from honours.web.conformance import pages as conformance_pages
from honours.web.evening import api as evening_api
from honours.web.evening import (
    card_pages,
    grid_pages,
    movement_pages,
    results_api,
    screen_pages,
    set_up_pages,
    table_api,
    table_pages,
)
from honours.web.evening import pages as evening_pages
from honours.web.evening import ruling_pages as evening_ruling_pages
from honours.web.events import (
    api as events_api,
)
from honours.web.events import (
    award_pages,
    board_pages,
    downloads,
    member_list_api,
    names_pages,
    people_pages,
    ruling_api,
    ruling_pages,
    sending_api,
    sending_pages,
)
from honours.web.events import pages as event_pages
from honours.web.http.api import PROBLEMS
from honours.web.jobs import api as jobs_api
from honours.web.lab import pages as lab_pages
from honours.web.lab import question_pages
from honours.web.ledger import api as ledger_api
from honours.web.ledger import (
    draft_pages,
    intake_api,
    intake_pages,
    keeping_pages,
    list_api,
    list_pages,
    member_api,
    member_pages,
    missing_pages,
    posting_api,
    qualifying_api,
    qualifying_pages,
    restoring_pages,
    season_pages,
    submission_api,
    submission_pages,
)
from honours.web.ledger import pages as ledger_pages
from honours.web.published import club_api, player_pages
from honours.web.published import pages as published_pages
from honours.web.site import developers, home, search

_EVENTS = (
    home,
    search,
    calculator_pages,
    event_pages,
    board_pages,
    people_pages,
    names_pages,
    ruling_pages,
    award_pages,
    downloads,
    sending_pages,
    published_pages,
    player_pages,
)
_LEDGER = (
    *(ledger_pages, member_pages, draft_pages, season_pages, missing_pages, submission_pages),
    *(list_pages, qualifying_pages, intake_pages, keeping_pages, restoring_pages),
)
_EVENING = (
    *(set_up_pages, evening_pages, movement_pages, grid_pages, evening_ruling_pages),
    *(card_pages, table_pages, screen_pages),
)
_PAGES = (
    *_EVENTS,
    *_EVENING,
    *_LEDGER,
    *(lab_pages, question_pages, conformance_pages, developers, account_pages, own_pages),
)
_API = (
    *(
        calculators_api,
        events_api,
        member_list_api,
        ruling_api,
        sending_api,
        posting_api,
        member_api,
        ledger_api,
    ),
    *(
        submission_api,
        list_api,
        qualifying_api,
        intake_api,
        jobs_api,
        accounts_api,
        evening_api,
        results_api,
    ),
    *(table_api, club_api),
)

pages = APIRouter(include_in_schema=False)
for _part in _PAGES:
    pages.include_router(_part.router)


def _called(route: APIRoute) -> str:
    """An operation is called as its function is."""
    return route.name


api = APIRouter(prefix="/api/v1", responses=PROBLEMS, generate_unique_id_function=_called)
"""The API, version 1: what the pages do, for programs."""
for _part in _API:
    api.include_router(_part.router)


def every_route() -> Iterator[APIRoute]:
    """All there are, without the prefix of the API."""
    for part in (*_PAGES, *_API):
        yield from (route for route in part.router.routes if isinstance(route, APIRoute))
