"""The process that forks a process of its own for every piece of work it is sent.

``python -m honours.processes.fork_server MODULE …`` has the modules imported once: a piece of work
begins in milliseconds. Each is held to its limits, says how far it is, and ends with whoever sent
it. Standard input is their socket: what comes over it is a socket for one piece of work.
"""

from __future__ import annotations

import os
import pickle
import pkgutil
import signal
import socket
import struct
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

from honours.errors import HonoursError
from honours.processes.limits import Limits, OutOfTime, confine, too_much_memory, too_much_time
from honours.processes.pool import HEAD, STEP, Task, Wire, importing, received

_NICENESS = 5


class CallOffSignal(BaseException):
    """Whoever sent the work no longer wants it; no handler of ordinary errors should catch this."""


def main(*modules: str) -> None:
    """Fork for every piece of work, until whoever sends it is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a piece of work's process
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then hangs up
    with importing():
        for module in modules:
            prepare(module)
    with socket.socket(fileno=0) as sender:
        while True:
            message, sockets, _, _ = socket.recv_fds(sender, 1, 1)
            if not message:
                return
            with socket.socket(fileno=sockets[0]) as asked:
                pid = os.fork()
                if pid:
                    with suppress(OSError):  # somebody who does not wait any more
                        asked.sendall(struct.pack("i", pid))
                    continue
                sender.close()
                os.dup2(2, 1)  # what the work prints goes to the log
                do_work(asked)
                os._exit(0)  # all is said: nothing is tidied up that could still be called off


def prepare(name: str) -> None:
    """Import a module; ``module:function`` is then called too, so that whatever it loads and
    remembers is at hand for every piece of work."""
    named = pkgutil.resolve_name(name)
    if callable(named):
        named()


class _Telling:
    """Reports the progress of a piece of work to its sender."""

    def __init__(self, asked: Wire) -> None:
        self._asked, self._lock = asked, threading.Lock()

    def step(self, done: int, total: int, so_far: str = "") -> None:
        self.send((STEP, done, total, so_far))

    def send(self, answer: object) -> None:
        data = pickle.dumps(answer)
        with self._lock, suppress(BrokenPipeError):
            self._asked.sendall(HEAD.pack(len(data)) + data)


def do_work(asked: Wire) -> None:
    """Do a piece of work and send what it gives, or why it gives nothing."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()  # it may start others, which end with it
    signal.signal(signal.SIGTERM, _called_off)
    sys.unraisablehook = _unheard
    telling, limits = _Telling(asked), Limits()
    try:
        task: Task = pickle.loads(received(asked))
        limits = task.limits
        if task.reports:
            if hasattr(os, "nice"):
                os.nice(_NICENESS)
            threading.Thread(target=_end_with_the_sender, args=(asked,), daemon=True).start()
        confine(limits)
        telling.send(("done", _result(task, telling)))
    except HonoursError as error:
        telling.send(("failed", error))
    except OutOfTime:
        telling.send(("stopped", too_much_time(limits)))
    except MemoryError:
        telling.send(("stopped", too_much_memory(limits)))
    except CallOffSignal:
        telling.send(("called off", None))
    except EOFError:  # nobody wants it any more
        pass
    except Exception:
        traceback.print_exc()


def _result(task: Task, telling: _Telling) -> Any:
    work: Callable[..., Any] = task.work
    return work(telling) if task.reports else work()


def _called_off(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
    raise CallOffSignal


def _unheard(lost: sys.UnraisableHookArgs) -> None:
    """Python swallows what is raised while it drops an object, so the work is called off again a
    moment later."""
    if lost.exc_type is not CallOffSignal:
        sys.__unraisablehook__(lost)
        return
    signal.signal(signal.SIGTERM, _called_off)
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGTERM)).start()


def _end_with_the_sender(asked: Wire) -> None:
    """Ends this process when its sender is gone: the other end of the socket then closes."""
    while asked.recv(1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main(*sys.argv[1:])
