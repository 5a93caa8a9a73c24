"""The pool: every piece of work gets a process of its own, forked from one that has everything
imported.

People take turns, so that nobody who asks for much keeps the others waiting. What may come back
from a process is made of our own frozen classes and plain values, and nothing that could be made to
run, so that even a parser that was taken over could not send code.
"""

from __future__ import annotations

import gc
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
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, is_dataclass
from enum import Enum
from typing import Any, Protocol, TypeVar

from honours.errors import FileProblem, HonoursError
from honours.model.message import Message
from honours.processes.limits import READING, Limits, too_much_memory


@contextmanager
def importing() -> Iterator[None]:
    """Import without looking for garbage meanwhile, and leave what was imported out of every later
    look: it stays to the end, and a server starts an eighth sooner."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if enabled:
            gc.enable()


# --- answers -----------------------------------------------------------------------------------


_OURS = "honours."
_NOT_EVEN_LOOKED_AT = ("honours.__main__", "honours.cli", "honours.processes.fork_server")
_PLAIN = {
    ("decimal", "Decimal"),
    ("fractions", "Fraction"),
    ("datetime", "date"),
    ("honours.formats.detect", "format_called"),
    ("numpy", "dtype"),
    ("numpy._core.multiarray", "scalar"),
}


def careful_load(data: bytes) -> object:
    """Return the object a process sent, if it is made of our own classes and plain values."""
    loaded: object = _Careful(io.BytesIO(data)).load()
    return loaded


class _Careful(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        # A dotted name would lead to what our modules themselves import.
        ours = module.startswith(_OURS) and not module.startswith(_NOT_EVEN_LOOKED_AT)
        kind = super().find_class(module, name) if ours and "." not in name else None
        if isinstance(kind, type) and kind.__module__ == module and _is_plain(kind):
            return kind
        raise pickle.UnpicklingError(f"{module}.{name} is not expected here")


def _is_plain(kind: type) -> bool:
    """Return whether instances of a class are nothing but the data they hold."""
    return is_dataclass(kind) or issubclass(kind, Enum | HonoursError | Message)


# --- turns -------------------------------------------------------------------------------------


_LONGEST_SECONDS = 600
_MOST_WAITING = 32


class Busy(HonoursError):
    """There is enough to do already; the caller should ask again a little later."""

    def __init__(self) -> None:
        super().__init__(Message("the server is busy reading and scoring; try again in a minute"))


class Turns:
    """A fair queue with ``at_once`` places: whoever waits is served in turn."""

    def __init__(
        self, at_once: int, waiting: int = _MOST_WAITING, seconds: float = _LONGEST_SECONDS
    ) -> None:
        self._free, self._most, self._seconds = at_once, waiting, seconds
        self._changed = threading.Condition()
        self._waiting: OrderedDict[str, deque[object]] = OrderedDict()

    @contextmanager
    def taken(self, who: str = "") -> Iterator[None]:
        """A place, when it is their turn; one person may only have so many waiting."""
        self._take(who)
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()

    def _take(self, who: str) -> None:
        ticket, until = object(), time.monotonic() + self._seconds
        with self._changed:
            mine = self._waiting.setdefault(who, deque())
            if len(mine) >= self._most:
                raise Busy
            mine.append(ticket)
            in_turn = self._changed.wait_for(
                lambda: self._is_next(who, ticket), max(0.0, until - time.monotonic())
            )
            mine.remove(ticket)
            if not mine:
                self._waiting.pop(who, None)
            if not in_turn:
                raise Busy
            self._free -= 1
            if who in self._waiting:
                self._waiting.move_to_end(who)
            self._changed.notify_all()

    def _is_next(self, who: str, ticket: object) -> bool:
        first = next(iter(self._waiting), None)
        return self._free > 0 and first == who and self._waiting[who][0] is ticket


# --- processes ---------------------------------------------------------------------------------


T = TypeVar("T")
HEAD = struct.Struct(">Q")
STEP = "step"
_NUMBER = struct.Struct("i")
_CHUNK = 1 << 20
_STARTING_SECONDS = 120
_GRACE_SECONDS = 5
_HUNG_SECONDS = 600
"""Work that computes nothing for so long hangs; how busy the machine is hardly matters."""


class Progress(Protocol):
    """Through this, work reports how far it is."""

    def step(self, done: int, total: int, so_far: str = "") -> None:
        """Report that ``done`` of ``of`` are done, and what is known of the answer so far."""


Work = Callable[[Progress], Any]
"""Long work: a module's function, or a ``partial`` of one, so that it can be sent."""


class WorkStopped(HonoursError):
    """Work that took too much or failed; its message is for the reader."""


class CalledOff(HonoursError):
    """Work that was called off."""


@dataclass(frozen=True, slots=True)
class Task:
    """The task that is sent: the work, what it may take, and whether it reports how far it is."""

    work: Callable[..., Any]
    limits: Limits
    reports: bool


@dataclass(frozen=True, slots=True)
class WorkDone:
    """The value that a piece of work gave, and how large it was on its way."""

    value: Any
    size: int


class Wire(Protocol):
    """The way to a piece of work and back: a socket, or something like one."""

    def __enter__(self) -> object: ...
    def __exit__(self, *_: object) -> object: ...
    def sendall(self, data: bytes, /) -> None: ...
    def recv(self, most: int, /) -> bytes: ...


class Running:
    """A piece of work that is being done."""

    def __init__(self, asked: Wire, end: Callable[[bool], None], limits: Limits) -> None:
        """``end`` has its process stop: at once, or after it has tidied up."""
        self._asked, self._end, self._limits = asked, end, limits
        self._called_off = False

    def follow(self, progress: Callable[[int, int, str], None] | None = None) -> WorkDone:
        """Wait for what it gives; an error it ends with is raised here."""
        with self._asked:
            try:
                while True:
                    data = received(self._asked, self._limits.megabytes << 20)
                    kind, *values = _loaded(data)
                    if kind == STEP:
                        if progress is not None:
                            progress(*values)
                        continue
                    return WorkDone(_outcome(kind, values[0]), len(data))
            except MemoryError:
                raise WorkStopped(too_much_memory(self._limits)) from None
            except TimeoutError:
                raise WorkStopped(Message("it did not end")) from None
            except (EOFError, OSError):  # it was stopped, or ended without an answer
                raise CalledOff if self._called_off else WorkStopped(_FAILED) from None
            finally:
                self._end(True)

    def call_off(self) -> None:
        """Have it stop, and tidy up what it had begun."""
        self._called_off = True
        self._end(False)


_FAILED = Message("reading or scoring it took too much memory or time, or failed")


def _loaded(data: bytes) -> Any:
    try:
        return careful_load(data)
    except (pickle.UnpicklingError, AttributeError, ImportError) as error:
        raise WorkStopped(_FAILED) from error


def _outcome(kind: str, value: Any) -> Any:
    if kind == "done":
        return value
    if kind == "called off":
        raise CalledOff
    raise value if isinstance(value, HonoursError) else WorkStopped(value)


def received(asked: Wire, most: int = 1 << 40) -> bytes:
    """A message of the other end, whole; more than so many bytes are not taken."""
    size = HEAD.unpack(_exactly(asked, HEAD.size))[0]
    if size > most:
        raise MemoryError
    return _exactly(asked, size)


def _exactly(asked: Wire, size: int) -> bytes:
    parts, left = [], size
    while left:
        part = asked.recv(min(left, _CHUNK))
        if not part:
            raise EOFError
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


class Processes:
    """The processes of one server or command: a fixed number work at once, and people take
    turns."""

    def __init__(self, at_once: int = 4, modules: Sequence[str] = ()) -> None:
        self._turns, self._modules = Turns(at_once), tuple(modules)
        self._lock = threading.Lock()
        self._fork_server: tuple[subprocess.Popen[bytes], socket.socket] | None = None

    def start(self) -> None:
        """Have everything imported before the first piece of work comes."""
        with self._lock:
            self._started()

    def close(self) -> None:
        """Hang up: what is being worked on ends by itself, and nobody hears of it."""
        with self._lock:
            self._stopped()

    def do(self, about: str, work: Callable[[], T], limits: Limits = READING, who: str = "") -> T:
        """Do a piece of work for somebody: a module-level function with its arguments. ``about`` is
        the file to blame if it takes too much."""
        value: T = self.answer(about, work, limits, who).value
        return value

    def answer(
        self, about: str, work: Callable[[], Any], limits: Limits = READING, who: str = ""
    ) -> WorkDone:
        """As :meth:`do`, with the size of the answer."""
        with self._turns.taken(who):
            running = self._begun(Task(work, limits, reports=False), _HUNG_SECONDS)
            try:
                return running.follow()
            except WorkStopped as stopped:
                raise FileProblem(about, stopped.message) from None

    def begin(self, work: Work, limits: Limits) -> Running:
        """Have long work begun; whoever asks for it follows it."""
        return self._begun(Task(work, limits, reports=True), None)

    def _begun(self, task: Task, patience: float | None) -> Running:
        asked, pid = self._forked()
        asked.settimeout(patience)

        def end(at_once: bool) -> None:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL if at_once else signal.SIGTERM)

        return self._sent(task, asked, end)

    def _sent(self, task: Task, asked: Wire, end: Callable[[bool], None]) -> Running:
        data = pickle.dumps(task)
        with suppress(OSError):  # one that ended already is noticed by who follows it
            asked.sendall(HEAD.pack(len(data)) + data)
        return Running(asked, end, task.limits)

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
        number = b""
        with suppress(OSError):
            number = ours.recv(_NUMBER.size, socket.MSG_WAITALL)
        if len(number) < _NUMBER.size:
            ours.close()
            raise Busy
        return ours, _NUMBER.unpack(number)[0]

    def _started(self) -> socket.socket:
        if self._fork_server is None:
            ours, theirs = socket.socketpair()
            command = [sys.executable, "-m", "honours.processes.fork_server", *self._modules]
            with theirs:
                process = subprocess.Popen(
                    command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL
                )
            self._fork_server = (process, ours)
        return self._fork_server[1]

    def _stopped(self) -> None:
        if self._fork_server is not None:
            process, ours = self._fork_server
            self._fork_server = None
            ours.close()
            try:
                process.wait(_GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
