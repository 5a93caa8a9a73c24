"""The limits of a piece of work: computing time (not the clock's, which a busy machine stretches),
memory, and files."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from honours.errors import FileProblem
from honours.model.message import Message

_CAN_BOUND = sys.platform not in ("win32", "emscripten")
"""Whether the system holds a process to anything."""
if sys.platform != "win32" and sys.platform != "emscripten":
    import resource

_GRACE_SECONDS = 2
_MEGABYTE = 1 << 20
_SPARE = 8 * _MEGABYTE
"""Kept free for what is to be done when all other memory is gone."""


@dataclass(frozen=True, slots=True)
class Limits:
    """``seconds`` are of computing; ``megabytes`` of address space; ``writes`` whether it may make
    files."""

    seconds: float = 20
    megabytes: int = 1024
    writes: bool = False


_CONFINED: list[Limits] = []
"""What this process is held to already, if it was made for one piece of work."""

READING = Limits()
"""Reading, ranking and drawing one file that somebody sent."""
LONG = Limits(seconds=6 * 3600, megabytes=64 * 1024, writes=True)
"""What a person started and can call off: a question to the lab, verifying a ledger."""
COMMAND = Limits(seconds=120, megabytes=2048)
"""Reading one file on the command line, above what the command takes already."""


class OutOfTime(BaseException):
    """The computing time is used up; no handler of ordinary errors should catch this."""


def confine(limits: Limits) -> None:
    """Have the operating system hold this process to its limits for the rest of its life."""
    _CONFINED.append(limits)
    if not _CAN_BOUND:
        threading.Thread(target=_watch, args=(limits,), daemon=True).start()
        return
    size, cpu = limits.megabytes * _MEGABYTE, int(limits.seconds) + 1
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu + _GRACE_SECONDS, cpu + _GRACE_SECONDS))
    if not limits.writes:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    signal.signal(signal.SIGPROF, _out_of_time)
    signal.setitimer(signal.ITIMER_PROF, limits.seconds)


def _watch(limits: Limits) -> None:
    """End the main thread's work when its time is used up, where the system bounds nothing."""
    while time.process_time() < limits.seconds:
        time.sleep(0.1)
    main = ctypes.c_ulong(threading.main_thread().ident or 0)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(main, ctypes.py_object(OutOfTime))
    time.sleep(_GRACE_SECONDS)
    os._exit(1)


def _out_of_time(_signal: int, _frame: FrameType | None) -> None:
    raise OutOfTime


@contextmanager
def bounded(about: str, limits: Limits = COMMAND) -> Iterator[None]:
    """Hold what this process does in the meantime to limits, and blame the file ``about`` if it
    takes too much; afterwards the process is as free as before."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if _CONFINED or not in_main_thread or not _CAN_BOUND:
        yield  # signals are the main thread's; a server's threads have processes for this
        return
    try:
        with _held_to(limits):
            yield
    # What was being read is still there: only outside of the limits is room for a word about it.
    except MemoryError:
        raise FileProblem(about, too_much_memory(limits)) from None
    except OutOfTime:
        raise FileProblem(about, too_much_time(limits)) from None


@contextmanager
def _held_to(limits: Limits) -> Iterator[None]:
    spare = bytearray(_SPARE)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = _address_space() + limits.megabytes * _MEGABYTE
    before = signal.signal(signal.SIGPROF, _out_of_time)
    try:
        lower = [one for one in (soft, hard) if one != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_AS, (min([most, *lower]), hard))
        signal.setitimer(signal.ITIMER_PROF, limits.seconds)
        yield
    finally:
        # Where nothing is left, lifting the limits would ask for memory itself.
        del spare
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _address_space() -> int:
    """Return how much address space this process uses already, in bytes."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
        return int(pages) * resource.getpagesize()
    except OSError:  # a system without it: as much as the largest of our libraries take
        return 4096 * _MEGABYTE


def too_much_time(limits: Limits) -> Message:
    """The message for work that was stopped because it took too long."""
    return Message(
        "could not be read and scored within {seconds} seconds of computing",
        seconds=f"{limits.seconds:g}",
    )


def too_much_memory(limits: Limits) -> Message:
    """The message for work that was stopped because it took too much memory."""
    return Message(
        "reading or scoring it took too much memory, more than {megabytes} MB",
        megabytes=limits.megabytes,
    )
