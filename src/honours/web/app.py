"""The application, put together for one set of settings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from honours import __version__
from honours.errors import InputError
from honours.web import api, pages, problems
from honours.web.accounts import Accounts
from honours.web.book import Book
from honours.web.desk import Desk
from honours.web.doorkeeper import Clubs, Doorkeeper
from honours.web.figures import Figures
from honours.web.jobs import Jobs
from honours.web.laboratory import Laboratory
from honours.web.light import Light
from honours.web.seasons import Seasons
from honours.web.security import Guard
from honours.web.settings import Settings
from honours.web.store import Store

if TYPE_CHECKING:
    from starlette.types import ASGIApp


@asynccontextmanager
async def _closing(app: FastAPI) -> AsyncIterator[None]:
    """What a killed server left is tidied up, and workers are at hand, before anybody asks; what
    is open is closed in the end."""
    app.state.desk.store.tidy()
    app.state.desk.workers.start()
    yield
    app.state.jobs.close()
    app.state.desk.workers.close()
    app.state.book.close()
    if app.state.accounts is not None:
        app.state.accounts.close()


ABOUT = """Score bridge and go events, award what federations award, and see why.

Numbers are exact and travel as text. An error is `application/problem+json` and names the offending
field or line. Long work is a job with progress that can be cancelled."""


def create_app(settings: Settings | None = None) -> ASGIApp:
    """The application with everything that guards it around it."""
    chosen = settings or Settings()
    if not chosen.local and not chosen.accounts:
        raise InputError(f"{chosen.host}: without accounts only this machine is listened to")
    app = unguarded(chosen)
    accounts: Accounts | None = app.state.accounts
    if accounts is None:
        return Guard(app, chosen)
    clubs = Clubs(app.state.desk.store, app.state.book)
    return Guard(Doorkeeper(app, accounts, chosen, clubs), chosen)


def unguarded(settings: Settings) -> FastAPI:
    """The application itself; ``state`` holds what its pages share."""
    app = FastAPI(
        title="Honours",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        lifespan=_closing,
    )
    app.state.settings = settings
    app.state.accounts = Accounts(settings.accounts_at) if settings.accounts else None
    app.state.desk = Desk(Store(settings.data), settings)
    app.state.book = Book(settings)
    app.state.jobs = Jobs()
    app.state.lab = Laboratory(settings, app.state.desk, app.state.jobs)
    app.state.figures = Figures(app.state.jobs)
    app.state.light = Light(app.state.book, app.state.jobs)
    app.state.seasons = Seasons(settings)
    static = resources.files("honours.web") / "static"
    charts = ("honours.lab", "assets")  # the one copy of the chart library, the reports' own
    app.mount("/static", StaticFiles(directory=str(static), packages=[charts]), name="static")
    problems.install(app)
    app.include_router(pages.router)
    app.include_router(api.router)
    return app
