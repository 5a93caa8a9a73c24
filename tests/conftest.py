"""What holds for all tests. Helpers that tests call are in tests/support.py."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from httpx._config import DEFAULT_TIMEOUT_CONFIG
from hypothesis import settings

from tests.seen import Seen

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Nothing of what is collected is thrown away: to look for that takes a sixth of the time.
gc.disable()

# The first call of a compiled function takes seconds, the next one microseconds: a limit on the
# time of one example would only measure the compiler.
settings.register_profile("honours", deadline=None, print_blob=True)
settings.load_profile("honours")

# A request to a server of ours waits for as long as it takes on a busy machine, unless a test says
# otherwise; five seconds, httpx's own patience, would measure the machine.
DEFAULT_TIMEOUT_CONFIG.read = DEFAULT_TIMEOUT_CONFIG.connect = DEFAULT_TIMEOUT_CONFIG.write = 300

# Tests write rulebooks of their own everywhere; tests/cli/test_trust.py takes this away again.
os.environ["HONOURS_TRUST"] = "1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests go first: at the end none is left to one process while the others wait for it."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """What was collected stays to the end: to look through it again and again for what might be
    thrown away takes an eighth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
    gc.enable()


def pytest_unconfigure() -> None:
    """At the end libraries look for what nobody threw away, and speak of leaks."""
    gc.unfreeze()


@pytest.fixture(scope="session")
def postgres_socket() -> Iterator[str]:
    """The socket of the one PostgreSQL of a test process: making one takes seconds."""
    from tests.ledger import postgres

    with postgres.server() as socket:
        yield socket


@pytest.fixture(scope="session")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """One for all processes of a run."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "seen"
    folder.mkdir(exist_ok=True)
    return Seen(folder)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's chromium, once for a test process; its loop runs in the main thread until the end,
    so that no later test can begin one of its own there."""
    from playwright.sync_api import sync_playwright

    from scripts import system
    from tests.looking import FLAGS
    from tests.support import needs_tool

    program = system.browser() or needs_tool("chromium-headless-shell")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=FLAGS.split())
        yield chromium
        chromium.close()
