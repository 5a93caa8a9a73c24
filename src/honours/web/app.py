"""The application, put together for one set of settings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from honours import __version__
from honours.errors import InputError
from honours.evening import results
from honours.evening.store import Evenings
from honours.processes import Processes
from honours.processes import processes as system_processes
from honours.web import LAB, routes
from honours.web.accounts.letters import MailServer
from honours.web.accounts.store import Accounts
from honours.web.conformance.service import ConformanceRun
from honours.web.evening import hands
from honours.web.evening.access import by_table_code
from honours.web.evening.service import EveningService
from honours.web.events import documents, reading
from honours.web.events.posting import PostingStates
from honours.web.events.service import EventService
from honours.web.events.store import EventStore
from honours.web.http.description import describe
from honours.web.http.fairness import Fairness
from honours.web.http.guard import Guard
from honours.web.http.problems import install
from honours.web.http.protection import Protection
from honours.web.jobs.service import Jobs
from honours.web.ledger.api_models import WHO_DOES_THIS
from honours.web.ledger.registers import Registers
from honours.web.ledger.restoring import LedgerCopies
from honours.web.ledger.seasons import Seasons
from honours.web.ledger.service import LedgerService
from honours.web.ledger.verification import VerificationStatus
from honours.web.published.clubs import Clubs
from honours.web.settings import Settings


@asynccontextmanager
async def _closing(app: FastAPI) -> AsyncIterator[None]:
    """Before the first request, tidy up what a killed server left and start the processes; at the
    end, close what is open."""
    keeps = app.state.settings.keeps
    if keeps:
        app.state.restoring.tidy()
    app.state.processes.start()
    if keeps:
        if app.state.settings.processes == 1:
            tidy(app.state.settings)
        app.state.evenings.restore()
        if LAB:
            app.state.lab.restore()
        app.state.evenings.settling.start()
    yield
    if keeps:
        app.state.evenings.settling.close()
    app.state.jobs.close()
    if app.state.own_processes:
        app.state.processes.close()
    app.state.ledger.close()
    if app.state.accounts is not None:
        app.state.accounts.close()


def check(settings: Settings) -> None:
    """Refuse settings that would let strangers in, and letters that would reach nobody."""
    if settings.mail:
        MailServer.at(settings.mail)
    if not settings.local and not settings.accounts:
        raise InputError(
            "{host}: without accounts Honours answers only this machine", host=settings.host
        )


def tidy(settings: Settings) -> None:
    """Finish what a killed server had written whole, and take away the rest, while none runs."""
    EventStore(settings.data).tidy()
    Evenings(settings.data).tidy()


ABOUT = """Score bridge and go events, award what federations award, and see why.

Numbers are exact and travel as text. An error is `application/problem+json` and names the offending
field or line. Long work is a job with progress that can be cancelled."""


def create_app(settings: Settings | None = None, processes: Processes | None = None) -> ASGIApp:
    """The application with everything that guards it around it. Whoever runs several in one program
    gives them the ``processes`` that all of them use, and closes these."""
    chosen = settings or Settings()
    check(chosen)
    app = unguarded(chosen, processes)
    fair = Fairness(app, -(-chosen.each // chosen.processes))
    accounts: Accounts | None = app.state.accounts
    if accounts is None:
        return _among_others(Protection(fair, chosen), chosen)
    tables = by_table_code(app.state.evenings.evenings)
    return _among_others(Protection(Guard(fair, accounts, chosen, tables), chosen), chosen)


def _among_others(app: ASGIApp, settings: Settings) -> ASGIApp:
    """The application as one of several processes."""
    if settings.processes == 1:
        return app
    from honours.web.http.handover import Handover, Taking  # a browser has neither h11 nor sockets

    return Taking(app) if settings.keeps else Handover(app, settings.keeper)


def unguarded(settings: Settings, processes: Processes | None = None) -> FastAPI:
    """The application itself; ``state`` holds what its pages share."""
    app = FastAPI(
        title="Honours",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # it is one of the routes, for those who may
        lifespan=_closing,
    )
    app.state.settings = settings
    app.state.accounts = Accounts(settings.accounts_at) if settings.accounts else None
    app.state.own_processes = processes is None
    app.state.processes = processes = processes or processes_for(settings)
    app.state.events = EventService(EventStore(settings.data), settings, processes)
    app.state.evenings = EveningService(Evenings(settings.data), app.state.events)
    app.state.ledger = LedgerService(settings)
    app.state.clubs = Clubs(settings.data)
    app.state.jobs = Jobs(processes)
    if LAB:
        from honours.web.lab.service import LabService

        app.state.lab = LabService(settings, app.state.events, app.state.jobs)
    app.state.conformance = ConformanceRun(app.state.jobs)
    app.state.verification = VerificationStatus(app.state.ledger, app.state.jobs)
    app.state.restoring = LedgerCopies(app.state.ledger, app.state.jobs)
    app.state.seasons = Seasons(settings)
    app.state.posting = PostingStates()
    app.state.registers = Registers(settings)
    static = resources.files("honours.web") / "static"
    # the one copy of the design, shared with published pages, and of the chart library
    shared: list[str | tuple[str, str]] = [("honours.reports", "assets")]
    shared += [("honours.lab", "assets")] if LAB else []
    app.mount("/static", StaticFiles(directory=str(static), packages=shared), name="static")
    install(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    app.include_router(routes.pages)
    app.include_router(routes.api)
    describe(app, routes.api_routes(), WHO_DOES_THIS)
    return app


def processes_for(settings: Settings) -> Processes:
    """Processes that have at hand what the pages have done by them."""
    rehearsed = f"{documents.__name__}:{documents.rehearse.__name__}"
    modules = [rehearsed, hands.__name__, reading.__name__, results.__name__]
    return system_processes(settings.at_once, modules)
