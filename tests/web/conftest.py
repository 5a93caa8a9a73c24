"""One server for all tests that do not ask for a special one."""

from collections.abc import Iterator

import httpx
import pytest

from honours.web.settings import Settings
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
