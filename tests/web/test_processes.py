"""Several processes of one server: what one does the others know at once."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from honours.web import routes
from honours.web.http.handover import is_kept
from honours.web.http.rate import share, shared_rate
from honours.web.settings import Settings
from scripts.served import served
from tests.web.federation import PASSWORD, tokens_at
from tests.web.server import example_event, serving


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[httpx.Client, httpx.Client]]:
    """The first process of a server with accounts, and another, each with a browser of its own."""
    settings = Settings(data=tmp_path / "data", accounts=True, processes=2)
    tokens_at(settings)
    keeper = str(tmp_path / "jobs")
    with socket.socket(socket.AF_UNIX) as kept:
        kept.bind(keeper)
        kept.listen()
        with (
            serving(settings, kept) as first,
            serving(replace(settings, number=1, keeper=keeper)) as other,
            httpx.Client(base_url=first, timeout=60) as one,
            httpx.Client(base_url=other, timeout=60) as two,
        ):
            yield one, two


def test_what_one_process_does_the_other_knows(both: tuple[httpx.Client, httpx.Client]) -> None:
    one, two = both
    signed_in = one.post("/sign-in", data={"name": "two", "password": PASSWORD})
    assert signed_in.status_code == 303
    two.cookies.update(one.cookies)
    event = one.post("/events/example", data={"club": "Perth"}).headers["location"]
    assert two.get(event).status_code == 200
    two.post(f"{event}/details", data={"title": "Another title"})
    assert two.get(f"/api/v1{event}").json() == one.get(f"/api/v1{event}").json()
    job = two.post("/api/v1/jobs", json={"what": "conformance"}).json()["id"]
    assert [c.get(f"/api/v1/jobs/{job}").json()["id"] for c in both] == [job, job]
    two.post(f"/api/v1/jobs/{job}/cancel")
    assert one.post("/sign-out").status_code == 303
    assert two.get("/api/v1/events").status_code == 401


def test_guesses_are_counted_together(both: tuple[httpx.Client, httpx.Client]) -> None:
    codes = [
        client.post("/sign-in", data={"name": "ann", "password": "wrong"}).status_code
        for _ in range(6)
        for client in both
    ]
    assert codes.count(403) == 10
    share()
    first, second = (shared_rate(0, 3, 60) for _ in both)
    allowed = [rate.allows("ann") for _ in range(3) for rate in (first, second)]
    assert allowed.count(True) == 3


def test_every_page_of_jobs_is_handed_over() -> None:
    def paths(router: object, prefix: str = "") -> Iterator[tuple[str, str]]:
        for one in router.routes:  # type: ignore[attr-defined]
            inner = getattr(one, "router", None) or getattr(one, "original_router", None)
            if hasattr(one, "endpoint"):
                yield prefix + one.path, one.endpoint.__module__
            elif inner is not None:
                yield from paths(inner, prefix)

    known = [*paths(routes.pages), *paths(routes.api, "/api/v1")]
    rooms = ("web.lab.", "web.jobs.", "web.conformance.", "web.ledger.restoring")
    missed = [path for path, where in known if any(r in where for r in rooms) if not is_kept(path)]
    assert known
    assert missed == []


def test_a_process_that_ends_is_begun_again(tmp_path: Path) -> None:
    with served(tmp_path, "--processes", "2") as server:
        with httpx.Client(base_url=server.address, timeout=60) as client:
            event = example_event(client)
        own = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
        before = own.read_text(encoding="ascii").split()
        assert len(before) == 2
        os.kill(int(before[1]), signal.SIGKILL)
        until = time.monotonic() + 60
        while len(now := own.read_text(encoding="ascii").split()) < 2 or now == before:
            assert time.monotonic() < until
            time.sleep(0.05)
        for _ in range(4):
            assert httpx.get(f"{server.address}{event}", timeout=60).status_code == 200
    assert server.process.returncode == 0
