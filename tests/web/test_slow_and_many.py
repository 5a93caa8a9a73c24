"""Requests that come slowly, in crowds, or whose answers nobody takes."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from honours.web.events.service import EventService
from honours.web.http.protocol import PatientProtocol
from honours.web.settings import Settings
from tests.web.server import client_of, serving


def _connected(address: str, stack: ExitStack) -> socket.socket:
    where = urlsplit(address)
    assert where.hostname
    assert where.port
    made = socket.create_connection((where.hostname, where.port))
    made.settimeout(120)  # a test that waits so long has failed, however busy the machine is
    return stack.enter_context(made)


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[str]:
    with serving(Settings(data=tmp_path, head_seconds=0.2, from_one_address=40)) as address:
        yield address


@pytest.mark.parametrize("sent", [b"", b"G", b"GET / HTTP/1.1\r\nHost: loc"])
def test_a_head_that_does_not_come_is_not_waited_for(hasty: str, sent: bytes) -> None:
    with ExitStack() as stack:
        slow = [_connected(hasty, stack) for _ in range(20)]
        for one in slow:
            one.sendall(sent)
        assert httpx.get(hasty, timeout=60).status_code == 200
        for one in slow:
            assert _closed(one)


def _closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(100) == b""
    except ConnectionResetError:
        return True


def test_the_head_of_a_second_request_is_not_waited_for_either(hasty: str) -> None:
    with ExitStack() as stack:
        slow = _connected(hasty, stack)
        slow.sendall(b"GET /static/icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT")
        received = b""
        while part := slow.recv(10_000):
            received += part
            if received.count(b"</svg>"):
                break
        assert b" 200 " in received.split(b"\r\n")[0]
        assert _closed(slow)


def test_a_proxy_keeps_its_connections(tmp_path: Path) -> None:
    """Longer than a head of anybody else is waited for, so that no request meets a closed one."""
    settings = Settings(data=tmp_path, head_seconds=0.05, proxy="127.0.0.1")
    with serving(settings) as address, ExitStack() as stack:
        kept = _connected(address, stack)
        for _ in range(2):
            time.sleep(0.5)
            kept.sendall(b"HEAD /static/icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 200 " in kept.recv(10_000)


def test_an_address_has_only_so_many_connections(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, head_seconds=600, from_one_address=5)
    with serving(settings) as address, ExitStack() as stack:
        held = [_connected(address, stack) for _ in range(5)]
        for one in held:
            one.sendall(b"G")
        assert _closed(_connected(address, stack))
        held[0].sendall(b"ET /static/icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in held[0].recv(100)


def test_the_end_of_an_answer_does_not_wait_for_its_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each answer on a connection that was kept open once took 40 ms longer."""
    options: list[int] = []
    connection_made = PatientProtocol.connection_made

    def watched(self: PatientProtocol, transport: Any) -> None:
        connection_made(self, transport)
        opened = transport.get_extra_info("socket")
        options.append(opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(PatientProtocol, "connection_made", watched)
    with client_of(Settings(data=tmp_path)) as client:
        assert client.get("/static/icon.svg").status_code == 200
    assert options == [1]


def test_what_one_person_asks_keeps_nobody_else_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifty uploads at once once took all threads of the server."""
    from honours.web.accounts.store import Accounts
    from tests.web.federation import PASSWORD, signed

    settings = Settings(data=tmp_path, accounts=True, each=3)
    accounts = Accounts(settings.accounts_at)
    accounts.set("ann", "scorer", PASSWORD)
    token = accounts.token("ann")
    accounts.close()
    let_go, at_once, most, lock = threading.Event(), 0, 0, threading.Lock()

    def held(*_: object) -> list[object]:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        let_go.wait(120)
        with lock:
            at_once -= 1
        return []

    monkeypatch.setattr(EventService, "add", held)
    with (
        serving(settings) as address,
        signed(address, token) as ann,
        ThreadPoolExecutor(50) as crowd,
    ):
        file = {"file": ("a.csv", b"x")}
        asked = [crowd.submit(ann.post, "/api/v1/events", files=file) for _ in range(50)]
        assert httpx.get(f"{address}/sign-in", timeout=120).status_code == 200
        let_go.set()
        assert {one.result().status_code for one in asked} == {201}
    assert most <= 3
