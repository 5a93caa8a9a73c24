"""A server in a thread of the test's own process, on a port of its own."""

from __future__ import annotations

import atexit
import socket
import threading
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import replace
from functools import cache

import httpx
import uvicorn

from honours.processes import Processes
from honours.web.app import create_app, processes_for
from honours.web.http.protocol import protocol_for
from honours.web.settings import Settings
from tests.support import ROOT


@contextmanager
def serving(settings: Settings, *more: socket.socket) -> Iterator[str]:
    """The address of a server with these settings, for as long as it is needed."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        app = create_app(replace(settings, port=port), _processes(settings.at_once))
        protocol = protocol_for(settings)
        config = uvicorn.Config(
            app, log_level="critical", ws="none", server_header=False, http=protocol
        )
        server = uvicorn.Server(config)
        running = threading.Thread(
            target=server.run, kwargs={"sockets": [listening, *more]}, daemon=True
        )
        running.start()
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        running.join(10)


@contextmanager
def client_of(settings: Settings) -> Iterator[httpx.Client]:
    """A client of a server with these settings, for as long as both are needed."""
    with serving(settings) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


@cache
def _processes(at_once: int) -> Processes:
    """For all servers of this process: each would import everything again."""
    processes = processes_for(Settings(at_once=at_once))
    with chdir(ROOT):  # not in a folder that is gone with the test that asks first
        processes.start()
    atexit.register(processes.close)
    return processes


def example_event(client: httpx.Client) -> str:
    """The path of the bundled example, kept anew."""
    return client.post("/events/example").headers["location"]


def kept_anew(client: httpx.Client, name: str, content: bytes) -> str:
    """The path of an event from a file that another test may have brought in before."""
    sent = {"files": (name, content)}
    return client.post("/events", files=sent, data={"again": "yes"}).headers["location"]
