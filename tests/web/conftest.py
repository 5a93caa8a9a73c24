"""One server for all tests that do not ask for a special one."""

from collections.abc import Iterator

import httpx
import pytest

from honours.web.settings import Settings
from tests.web.federation import DATABASES, settings_on, tokens_at
from tests.web.server import example_event, serving


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(Settings(data=tmp_path_factory.mktemp("data"))) as found:
        yield found


@pytest.fixture(scope="session")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as found:
        yield found


@pytest.fixture
def event(client: httpx.Client) -> str:
    """The path of an event nobody else rules on."""
    return example_event(client)


@pytest.fixture(scope="module", params=DATABASES)
def federation_settings(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Settings]:
    with settings_on(request.param, tmp_path_factory.mktemp("clubs")) as found:
        yield found


@pytest.fixture(scope="module")
def tokens(federation_settings: Settings) -> dict[str, str]:
    """A token of everybody at a server of several clubs."""
    return tokens_at(federation_settings)


@pytest.fixture(scope="module")
def federation(federation_settings: Settings, tokens: dict[str, str]) -> Iterator[str]:
    """The address of a server of several clubs, where everybody is known."""
    assert tokens
    with serving(federation_settings) as found:
        yield found
