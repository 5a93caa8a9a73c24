"""One server for all tests that do not ask for a special one."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import httpx
import httpx._transports.default as httpx_transport
import pytest
from argon2 import PasswordHasher
from httpx._config import create_ssl_context

from honours.web.accounts.store import Accounts
from honours.web.settings import Settings
from tests.ledger import postgres, tables
from tests.web.federation import PASSWORD, tokens_at
from tests.web.server import example_event, serving


@pytest.fixture(scope="module", autouse=True)
def _hasty() -> Iterator[None]:
    """Passwords are hashed with little work, a certificate store that no test on this host looks at
    is read once, and the tables of a ledger are made at once: together they took minutes."""
    little = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    with tables.remembered(), pytest.MonkeyPatch.context() as changed:
        changed.setattr("argon2.PasswordHasher", little)
        changed.setattr(httpx_transport, "create_ssl_context", cache(create_ssl_context))
        yield


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(Settings(data=tmp_path_factory.mktemp("data"))) as address:
        yield address


@pytest.fixture(scope="session")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as client:
        yield client


@pytest.fixture
def event(client: httpx.Client) -> str:
    """The path of an event nobody else rules on."""
    return example_event(client)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def federation_settings(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Settings:
    """Of a server with its accounts and ledger in files, or on a real PostgreSQL."""
    made = Settings(
        tmp_path_factory.mktemp("clubs"), accounts=True, sign_ins=1000, per_minute=10_000
    )
    if request.param == "sqlite":
        return made
    socket = request.getfixturevalue("postgres_socket")
    return replace(made, database=postgres.another_database(socket))


@pytest.fixture(scope="module")
def tokens(federation_settings: Settings) -> dict[str, str]:
    """A token of everybody at a server of several clubs."""
    return tokens_at(federation_settings)


@pytest.fixture(scope="module")
def federation(federation_settings: Settings, tokens: dict[str, str]) -> Iterator[str]:
    """The address of a server of several clubs, where everybody is known."""
    assert tokens
    with serving(federation_settings) as address:
        yield address


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A server on which Ann signs in, who scores."""
    made = Settings(data=tmp_path, accounts=True)
    accounts = Accounts(made.accounts_at)
    accounts.set("ann", "scorer", PASSWORD)
    accounts.close()
    return made


@pytest.fixture
def accounts(settings: Settings) -> Iterator[Accounts]:
    """The accounts of that server, opened beside it."""
    opened = Accounts(settings.accounts_at)
    yield opened
    opened.close()
