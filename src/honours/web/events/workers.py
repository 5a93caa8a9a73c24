"""Work on what people send, each piece by a process that can be stopped at any time.

What comes back from :mod:`honours.web.events.worker` is taken apart by an unpickler that knows our
frozen classes and nothing else, so that even a parser that was taken over could not send code.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from honours.errors import FileProblem, HonoursError
from honours.model.message import Message
from honours.web.http.problems import TooBusy

if TYPE_CHECKING:
    from honours.web.settings import Limits

T = TypeVar("T")
_OURS = (
    "honours.errors",
    "honours.model.award",
    "honours.model.event",
    "honours.model.facts",
    "honours.model.people",
    "honours.model.standing",
    "honours.formats.contents",
    "honours.formats.go",
    "honours.formats.wall_lists",
    "honours.formats.table_standings",
    "honours.formats.enrolment",
    "honours.pipeline.account",
    "honours.pipeline.report",
    "honours.scoring.imp_conventions",
    "honours.scoring.imp_pairs",
    "honours.scoring.imps",
    "honours.scoring.match_totals",
    "honours.scoring.matches",
    "honours.scoring.profiles",
    "honours.scoring.ruling_kinds",
    "honours.scoring.scored",
    "honours.scoring.standings",
    "honours.scoring.victory_points",
    "honours.web.events.reading",
)
_PLAIN = {
    ("fractions", "Fraction"),
    ("datetime", "date"),
    ("honours.formats.detect", "format_called"),
    ("honours.model.message", "Message"),
}
_CHUNK = 1 << 20
_NUMBER = struct.Struct("i")
_STARTING_SECONDS = 60
_GRACE_SECONDS = 5
_LATER = Message("too much is being read and scored; try again in a minute")


class Turns:
    """So many do heavy work at a time; whoever waits longer than ``seconds`` is sent away."""

    def __init__(self, at_once: int, seconds: float) -> None:
        self._places, self._seconds = threading.BoundedSemaphore(at_once), seconds

    @contextmanager
    def taken(self) -> Iterator[None]:
        if not self._places.acquire(timeout=self._seconds):
            raise TooBusy(_LATER)
        try:
            yield
        finally:
            self._places.release()


class Workers:
    """Those who do the heavy work of one server, within its limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._turns = Turns(limits.at_once, limits.seconds)
        self._lock = threading.Lock()
        self._forking: tuple[subprocess.Popen[bytes], socket.socket] | None = None

    def start(self) -> None:
        """Have everything at hand before the first piece of work comes."""
        with self._lock:
            self._started()

    def close(self) -> None:
        """Hang up: what is being worked on ends by itself, and nobody hears of it."""
        with self._lock:
            self._stopped()

    def do(self, about: str, work: Callable[[], T]) -> T:
        """Have a piece of work done, a module's function with what it is given; ``about`` is the
        file of which people are told if it takes too much."""
        with self._turns.taken():
            data = self._sent_back(about, pickle.dumps(work))
        try:
            found: Any = careful_load(data)
        except (pickle.UnpicklingError, EOFError) as error:
            told = "reading or scoring it took too much memory or time, or failed"
            raise FileProblem(about, told) from error
        if isinstance(found, HonoursError):
            raise found
        done: T = found
        return done

    def _sent_back(self, about: str, work: bytes) -> bytes:
        """What the work gives, whole or cut short; who does not end in time is stopped."""
        asked, pid = self._forked()
        with asked:
            try:
                asked.settimeout(self._limits.seconds)
                asked.sendall(work)
                asked.shutdown(socket.SHUT_WR)
                return self._received(asked)
            except TimeoutError as error:
                _stop(pid)
                told = f"could not be read and scored within {self._limits.seconds:g} seconds"
                raise FileProblem(about, told) from error
            except OSError:  # it ended without reading what it was sent, or without an answer
                return b""
            except MemoryError:
                _stop(pid)
                return b""

    def _received(self, asked: socket.socket) -> bytes:
        """All that is sent, within the limits of time and memory."""
        until = time.monotonic() + self._limits.seconds
        found = io.BytesIO()
        while chunk := asked.recv(_CHUNK):
            found.write(chunk)
            if found.tell() > self._limits.megabytes << 20:
                raise MemoryError
            asked.settimeout(max(until - time.monotonic(), 0.001))
        return found.getvalue()

    # --- the process that forks ------------------------------------------------------------------

    def _forked(self) -> tuple[socket.socket, int]:
        """A process of its own for one piece of work: where to send it, and its number."""
        ours, theirs = socket.socketpair()
        with theirs, self._lock:
            try:
                socket.send_fds(self._started(), [b"."], [theirs.fileno()])
            except OSError:  # somebody stopped it: another one takes its place
                self._stopped()
                socket.send_fds(self._started(), [b"."], [theirs.fileno()])
        ours.settimeout(_STARTING_SECONDS)
        number = ours.recv(_NUMBER.size, socket.MSG_WAITALL)
        if len(number) < _NUMBER.size:
            ours.close()
            raise TooBusy(_LATER)
        return ours, _NUMBER.unpack(number)[0]

    def _started(self) -> socket.socket:
        if self._forking is None:
            ours, theirs = socket.socketpair()
            limits = self._limits
            command = [sys.executable, "-m", "honours.web.events.worker"]
            command += [str(limits.seconds), str(limits.megabytes)]
            with theirs:
                self._forking = (
                    subprocess.Popen(command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL),
                    ours,
                )
        return self._forking[1]

    def _stopped(self) -> None:
        if self._forking is not None:
            process, ours = self._forking
            self._forking = None
            ours.close()
            try:
                process.wait(_GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _stop(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def careful_load(data: bytes) -> object:
    """What the process sent, if it is made of our own classes and plain values."""
    found: object = _Careful(io.BytesIO(data)).load()
    return found


class _Careful(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        # A dotted name would lead to what our modules themselves import.
        found = super().find_class(module, name) if module in _OURS and "." not in name else None
        if isinstance(found, type) and found.__module__ == module and _is_plain(found):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is not expected here")


def _is_plain(kind: type) -> bool:
    """Whether one of it is only what it holds."""
    return is_dataclass(kind) or issubclass(kind, Enum | HonoursError)
