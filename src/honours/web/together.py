"""Several processes that serve together, on one folder and at one address."""

from __future__ import annotations

import os
import signal
import socket
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from honours.errors import InputError
from honours.web.app import tidy
from honours.web.http.rate import share
from honours.web.settings import Settings

Serve = Callable[..., None]
"""Serves with these settings at some sockets until it is stopped."""


def serve_together(settings: Settings, listening: socket.socket, serve: Serve) -> None:
    """Have as many processes serve as the settings say, until interrupted; one that ends by itself
    is begun again."""
    if not hasattr(os, "fork"):
        raise InputError("several processes serve together on Linux and macOS only")
    tidy(settings)
    share()
    with (
        tempfile.TemporaryDirectory(prefix="honours-") as folder,
        socket.socket(socket.AF_UNIX) as kept,
    ):
        where = str(Path(folder) / "jobs")
        kept.bind(where)
        kept.listen()
        _Together(replace(settings, keeper=where), serve, listening, kept).run()


class _Together:
    def __init__(
        self, settings: Settings, serve: Serve, listening: socket.socket, kept: socket.socket
    ) -> None:
        self._settings, self._serve = settings, serve
        self._listening, self._kept = listening, kept
        self._running: dict[int, int] = {}
        self._stopped = False

    def run(self) -> None:
        for number in range(self._settings.processes):
            self._begin(number)
        for one in (signal.SIGTERM, signal.SIGINT):
            signal.signal(one, self._stop)
        while self._running:
            pid, _ = os.wait()
            number = self._running.pop(pid)
            if not self._stopped:
                self._begin(number)

    def _begin(self, number: int) -> None:
        pid = os.fork()
        if pid:
            self._running[pid] = number
            return
        for one in (signal.SIGTERM, signal.SIGINT):
            signal.signal(one, signal.SIG_DFL)
        try:
            sockets = (self._listening, self._kept) if number == 0 else (self._listening,)
            self._serve(replace(self._settings, number=number), *sockets)
        finally:
            os._exit(0)

    def _stop(self, *_signal: object) -> None:
        self._stopped = True
        for pid in self._running:
            os.kill(pid, signal.SIGTERM)
